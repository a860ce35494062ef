import { defaultDaysBasis, usesExploitData } from '../../../domain/rules/rule-type.ts';
import {
  type RuleTypeId,
  ruleTypeIds,
  ruleTypes,
  supportRuleTypeIds,
} from '../../../domain/rules/rule-types.ts';
import { alertSeverities } from '../../../domain/rules/severity.ts';
import { defaultSupportPhase } from '../../../domain/support/support-phases.ts';
import type { Schemas } from '../../../generated/client-api.ts';
import { changeTopic, type Tx, wake } from '../../../platform/database/index.ts';
import { invalidField, notFound, runChecks } from '../../../platform/errors.ts';
import { type ApiRequest, assertIfMatch, type EditContext } from '../../../platform/http/index.ts';
import { deleteAlerts } from '../../alerts/index.ts';
import { insertWithAudit, publishChanges, recordEdit } from '../../audit/index.ts';
import { clearDefault } from '../../settings/index.ts';
import { deleteAlertConfigs, lockAlertConfigsOfRule } from '../alert-configs/alert-config-queries.ts';
import { triggerEvaluation } from '../trigger-evaluation.ts';
import {
  deleteRule,
  findRule,
  lockRule,
  type RuleRow,
  type RuleValues,
  ruleInsertion,
  type Thresholds,
  updateRule,
} from './rule-queries.ts';

/** Validates a new rule. Throws 400 if it's invalid. */
export function checkNewRule(body: ApiRequest<'createRule'>['body']): RuleValues {
  const { kind } = ruleTypes[body.rule_type];
  const daysBasis = kind === 'version_age' ? (body.days_basis ?? defaultDaysBasis) : null;
  const supportPhase = kind === 'support' ? (body.support_phase ?? defaultSupportPhase) : null;
  runChecks([
    () => checkThresholds(body.rule_type, body.thresholds),
    () => {
      if (body.days_basis !== undefined && daysBasis === null) throw notForThisType();
    },
    () => {
      if (body.support_phase !== undefined && supportPhase === null) throw notAboutSupport();
    },
    () => assertUsesExploits(body.rule_type, body),
  ]);
  return {
    name: body.name,
    description: body.description,
    rule_type: body.rule_type,
    ...thresholdColumns(body.thresholds),
    stable_only: body.stable_only,
    days_basis: daysBasis,
    min_release_age_days: body.min_release_age_days,
    support_phase: supportPhase,
    known_exploited_days: body.known_exploited_days ?? null,
    min_epss: body.min_epss ?? null,
    is_active: body.is_active,
  };
}

/** Edits rules in the transaction of the caller. */
export const ruleEdits = {
  /** @param rules at most 1,000 */
  async create(tx: Tx, context: EditContext, rules: readonly RuleValues[]): Promise<RuleRow[]> {
    const { organizationId } = context.caller;
    const insertion = ruleInsertion(tx, organizationId, rules);
    const rows = await insertWithAudit(tx, context, 'rule', insertion, rules.map(withThresholds));
    publishChanges(
      tx,
      organizationId,
      'rule',
      rows.map(({ id }) => id),
      'created',
    );
    return rows;
  },

  update: (tx: Tx, context: EditContext, id: number, body: Schemas['UpdateMonitoringRuleRequest']) =>
    changeRule(tx, context, id, (before) => changedValues(before, body)),

  toggle: (tx: Tx, context: EditContext, id: number) =>
    changeRule(tx, context, id, (before) => ({ is_active: !before.is_active })),

  async delete(tx: Tx, context: EditContext, id: number): Promise<void> {
    const { caller } = context;
    // Lock configurations before the rule, in the same order as evaluations, to avoid deadlocks. Lock them
    // again afterward, because other configurations can have started to use the rule.
    await lockAlertConfigsOfRule(tx, caller.organizationId, id);
    const row = await lockRule(tx, caller.organizationId, id, { toDelete: true });
    if (!row) throw notFound();
    assertIfMatch(context, row);
    await lockAlertConfigsOfRule(tx, caller.organizationId, row.id);
    await deleteAlerts(tx, caller.organizationId, { ruleId: row.id }, caller.actor);
    const left = await deleteAlertConfigs(tx, caller.organizationId, { ruleId: row.id });
    await deleteRule(tx, caller.organizationId, row.id);
    const wasDefault = await clearDefault(tx, caller.organizationId, 'default_rule_id', row.id);
    await recordEdit(tx, context, 'rule', {
      before: toRule(row),
      detail: {
        alert_config_count: row.alert_config_count,
        open_alert_count: row.open_alert_count,
        ...left,
        ...(wasDefault && { was_default: true }),
      },
    });
    if (wasDefault) wake(tx, changeTopic(caller.organizationId, 'setting', null));
    publishChanges(tx, caller.organizationId, 'rule', [row.id], 'deleted');
  },
};

/** Changes a rule under its lock, and schedules the evaluation of all configurations that use it. */
async function changeRule(
  tx: Tx,
  context: EditContext,
  id: number,
  change: (before: RuleRow) => Partial<RuleValues>,
): Promise<RuleRow> {
  const { organizationId } = context.caller;
  const before = await lockRule(tx, organizationId, id);
  if (!before) throw notFound();
  assertIfMatch(context, before);
  await updateRule(tx, organizationId, before.id, onlyChanges(before, change(before)));
  const after = (await findRule(tx, organizationId, before.id))!;
  await triggerEvaluation(tx, {
    organizationId,
    ruleId: before.id,
    reconfigured: after.rule_type !== before.rule_type,
    clearMute: after.is_active !== before.is_active,
  });
  await recordEdit(tx, context, 'rule', { before: toRule(before), after: toRule(after) });
  publishChanges(tx, organizationId, 'rule', [before.id], 'updated');
  return after;
}

function changedValues(before: RuleRow, body: Schemas['UpdateMonitoringRuleRequest']): Partial<RuleValues> {
  const values: Partial<RuleValues> = {};
  if (body.name !== undefined) values.name = body.name;
  if (body.description !== undefined) values.description = body.description ?? '';
  if (body.rule_type !== undefined) values.rule_type = body.rule_type;
  if (body.thresholds !== undefined) Object.assign(values, thresholdColumns(body.thresholds));
  if (body.stable_only !== undefined) values.stable_only = body.stable_only;
  if (body.min_release_age_days !== undefined) values.min_release_age_days = body.min_release_age_days;
  if (body.is_active !== undefined) values.is_active = body.is_active;
  const ruleType = body.rule_type ?? before.rule_type;
  if (body.thresholds !== undefined || ruleType !== before.rule_type)
    checkThresholds(ruleType, body.thresholds ?? toRule(before).thresholds);
  const { kind } = ruleTypes[ruleType];
  if (body.days_basis != null && kind !== 'version_age') throw notForThisType();
  if (body.support_phase != null && kind !== 'support') throw notAboutSupport();
  assertUsesExploits(ruleType, body);
  for (const field of exploitFields)
    if (!usesExploitData(ruleTypes[ruleType])) values[field] = null;
    else if (body[field] !== undefined) values[field] = body[field];
  values.support_phase =
    kind === 'support' ? (body.support_phase ?? before.support_phase ?? defaultSupportPhase) : null;
  values.days_basis =
    kind === 'version_age' ? (body.days_basis ?? before.days_basis ?? defaultDaysBasis) : null;
  return values;
}

function onlyChanges(before: RuleRow, values: Partial<RuleValues>): Partial<RuleValues> {
  return Object.fromEntries(
    Object.entries(values).filter(([name, value]) => before[name as keyof RuleValues] !== value),
  );
}

/**
 * Checks the combination of thresholds, which depends on the rule type. The API contract only requires whole
 * numbers.
 */
function checkThresholds(ruleType: RuleTypeId, thresholds: Thresholds): void {
  if (alertSeverities.every((severity) => thresholds[severity] === undefined))
    throw invalidField('thresholds', 'must have at least one of moderate, high, critical');
  const problem = ruleTypes[ruleType].thresholds.problemOf(thresholds);
  if (problem !== null) throw invalidField(`thresholds.${problem.severity}`, problem.message);
}

function thresholdColumns(thresholds: Thresholds) {
  return {
    threshold_moderate: thresholds.moderate ?? null,
    threshold_high: thresholds.high ?? null,
    threshold_critical: thresholds.critical ?? null,
  };
}

function notForThisType() {
  const allowed = ruleTypeIds.filter((id) => ruleTypes[id].kind === 'version_age');
  return invalidField('days_basis', `applies to ${allowed.join(', ')} rules only`);
}

const exploitFields = ['known_exploited_days', 'min_epss'] as const;

function assertUsesExploits(
  ruleType: RuleTypeId,
  body: { [Field in (typeof exploitFields)[number]]?: number | null },
): void {
  const field = exploitFields.find((each) => body[each] != null);
  if (field === undefined || usesExploitData(ruleTypes[ruleType])) return;
  const allowed = ruleTypeIds.filter((id) => usesExploitData(ruleTypes[id]));
  throw invalidField(field, `applies to ${allowed.join(', ')} rules only`);
}

function notAboutSupport() {
  return invalidField('support_phase', `applies to ${supportRuleTypeIds.join(', ')} rules only`);
}

export function toRule(row: RuleRow): Schemas['MonitoringRule'] {
  const { created_at, updated_at, ...rest } = withThresholds(row);
  return { ...rest, created_at: created_at.toISOString(), updated_at: updated_at.toISOString() };
}

function withThresholds<Values extends RuleValues>(values: Values) {
  const { threshold_moderate, threshold_high, threshold_critical, ...rest } = values;
  const thresholds: Thresholds = {
    ...(threshold_moderate !== null && { moderate: threshold_moderate }),
    ...(threshold_high !== null && { high: threshold_high }),
    ...(threshold_critical !== null && { critical: threshold_critical }),
  };
  return { ...rest, thresholds };
}
