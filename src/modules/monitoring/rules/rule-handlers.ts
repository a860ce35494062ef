import { defaultDaysBasis } from '../../../domain/rules/rule-type.ts';
import { type RuleTypeId, ruleTypeIds, ruleTypes } from '../../../domain/rules/rule-types.ts';
import { alertSeverities } from '../../../domain/rules/severity.ts';
import type { Schemas } from '../../../generated/client-api.ts';
import { type Database, type Tx, transaction, type WakeUps } from '../../../platform/database/index.ts';
import { invalidField, notFound } from '../../../platform/errors.ts';
import { type ApiRequest, assertMatch, type Handlers } from '../../../platform/http/index.ts';
import { deleteAlerts } from '../../alerts/index.ts';
import { recordEdit } from '../../audit/index.ts';
import { deleteAlertConfigs, lockAlertConfigsOfRule } from '../alert-configs/alert-config-queries.ts';
import { triggerEvaluation } from '../trigger-evaluation.ts';
import {
  deleteRule,
  findRule,
  insertRule,
  listRuleChoices,
  listRules,
  lockRule,
  type RuleRow,
  type RuleValues,
  type Thresholds,
  updateRule,
} from './rule-queries.ts';

type RuleOperations =
  | 'listRules'
  | 'createRule'
  | 'getRule'
  | 'updateRule'
  | 'deleteRule'
  | 'toggleRule'
  | 'listRulesDropdown';

export function ruleHandlers({ db, wakeUps }: { db: Database; wakeUps: WakeUps }): Handlers<RuleOperations> {
  return {
    async listRules({ caller, query }) {
      const page = await listRules(db, caller.organizationId, query, query);
      return { status: 200, body: { ...page, items: page.items.map(toRule) } };
    },

    async createRule(request) {
      const { caller, body } = request;
      checkThresholds(body.rule_type, body.thresholds);
      const daysBasis = ruleTypes[body.rule_type].hasDaysBasis ? (body.days_basis ?? defaultDaysBasis) : null;
      if (body.days_basis !== undefined && daysBasis === null) throw notForThisType();
      const row = await transaction(db, async (tx) => {
        const id = await insertRule(tx, caller.organizationId, {
          name: body.name,
          description: body.description,
          rule_type: body.rule_type,
          ...thresholdColumns(body.thresholds),
          stable_only: body.stable_only,
          days_basis: daysBasis,
          min_release_age_days: body.min_release_age_days,
          is_active: body.is_active,
        });
        const created = (await findRule(tx, caller.organizationId, id))!;
        await recordEdit(tx, request, 'rule', { after: toRule(created) });
        wakeUps.wakeAfterCommit(tx, `changes:${caller.organizationId}/rule/${id}/created`);
        return created;
      });
      return { status: 201, body: toRule(row) };
    },

    async getRule({ caller, path }) {
      const row = await findRule(db, caller.organizationId, path.id);
      if (!row) throw notFound();
      return { status: 200, body: toRule(row) };
    },

    async updateRule(request) {
      const { body } = request;
      const row = await changeRule(request, (before) => {
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
        const { hasDaysBasis } = ruleTypes[ruleType];
        if (body.days_basis != null && !hasDaysBasis) throw notForThisType();
        values.days_basis = hasDaysBasis ? (body.days_basis ?? before.days_basis ?? defaultDaysBasis) : null;
        return values;
      });
      return { status: 200, body: toRule(row) };
    },

    async toggleRule(request) {
      const row = await changeRule(request, (before) => ({ is_active: !before.is_active }));
      return { status: 200, body: toRule(row) };
    },

    async deleteRule(request) {
      const { caller, path } = request;
      await transaction(db, async (tx) => {
        // Evaluations hold configurations and then need the rule; so in this order, and then those that came to use it meanwhile.
        await lockAlertConfigsOfRule(tx, caller.organizationId, path.id);
        const row = await lockRule(tx, caller.organizationId, path.id, { toDelete: true });
        if (!row) throw notFound();
        assertMatch(request, row);
        await lockAlertConfigsOfRule(tx, caller.organizationId, row.id);
        await deleteAlerts(tx, caller.organizationId, { ruleId: row.id }, caller.actor, wakeUps);
        const left = await deleteAlertConfigs(tx, caller.organizationId, { ruleId: row.id }, wakeUps);
        await deleteRule(tx, caller.organizationId, row.id);
        await recordEdit(tx, request, 'rule', {
          before: toRule(row),
          detail: {
            alert_config_count: row.alert_config_count,
            open_alert_count: row.open_alert_count,
            ...left,
          },
        });
        wakeUps.wakeAfterCommit(tx, `changes:${caller.organizationId}/rule/${row.id}/deleted`);
      });
      return { status: 204 };
    },

    async listRulesDropdown({ caller }) {
      return { status: 200, body: await listRuleChoices(db, caller.organizationId) };
    },
  };

  /** Changes a rule under its lock and has every configuration that uses it evaluated. */
  async function changeRule(
    request: ApiRequest<'updateRule' | 'toggleRule'>,
    change: (before: RuleRow) => Partial<RuleValues>,
  ): Promise<RuleRow> {
    const { caller, path } = request;
    return transaction(db, async (tx: Tx) => {
      const before = await lockRule(tx, caller.organizationId, path.id);
      if (!before) throw notFound();
      assertMatch(request, before);
      const values = onlyChanges(before, change(before));
      await updateRule(tx, caller.organizationId, before.id, values);
      const after = (await findRule(tx, caller.organizationId, before.id))!;
      await triggerEvaluation(tx, wakeUps, {
        organizationId: caller.organizationId,
        ruleId: before.id,
        reconfigured: after.rule_type !== before.rule_type,
        clearMute: after.is_active !== before.is_active,
      });
      await recordEdit(tx, request, 'rule', { before: toRule(before), after: toRule(after) });
      wakeUps.wakeAfterCommit(tx, `changes:${caller.organizationId}/rule/${before.id}`);
      return after;
    });
  }
}

function onlyChanges(before: RuleRow, values: Partial<RuleValues>): Partial<RuleValues> {
  return Object.fromEntries(
    Object.entries(values).filter(([name, value]) => before[name as keyof RuleValues] !== value),
  );
}

/** The contract says that each is a whole number; what they mean together is the type's. */
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
  const allowed = ruleTypeIds.filter((id) => ruleTypes[id].hasDaysBasis);
  return invalidField('days_basis', `applies to ${allowed.join(', ')} rules only`);
}

export function toRule(row: RuleRow): Schemas['MonitoringRule'] {
  const { threshold_moderate, threshold_high, threshold_critical, created_at, updated_at, ...rest } = row;
  return {
    ...rest,
    thresholds: {
      ...(threshold_moderate !== null && { moderate: threshold_moderate }),
      ...(threshold_high !== null && { high: threshold_high }),
      ...(threshold_critical !== null && { critical: threshold_critical }),
    },
    created_at: created_at.toISOString(),
    updated_at: updated_at.toISOString(),
  };
}
