import { checkLabelPattern } from '../../../domain/routing/match-label-pattern.ts';
import { limitProblem } from '../../../domain/text/limit-problem.ts';
import type { Schemas } from '../../../generated/client-api.ts';
import type { Tx } from '../../../platform/database/index.ts';
import { ApiError, type FieldError, invalidField, notFound, runChecks } from '../../../platform/errors.ts';
import { type ApiRequest, assertIfMatch, type EditContext } from '../../../platform/http/index.ts';
import { TimeSlices } from '../../../platform/time-slices.ts';
import { publishChanges, recordEdit, recordEdits } from '../../audit/index.ts';
import {
  countPatterns,
  deleteNotificationRule,
  findMissingReferences,
  findNotificationRule,
  insertNotificationRules,
  listNotificationRulesById,
  lockNotificationLimits,
  lockNotificationRule,
  type NotificationRuleRow,
  type NotificationRuleValues,
  type RuleReferences,
  updateNotificationRule,
} from './notification-rule-queries.ts';

/**
 * Maximum number of different patterns in the enabled rules of an organization. Every event is compared with
 * all of them, so all must stay compiled.
 */
const maxPatterns = 300;

type RuleBody = Schemas['UpdateNotificationRuleRequest'];

/**
 * Edits notification rules in the transaction of the caller. Bodies must have passed
 * `checkLabelMatchers`.
 */
export const notificationRuleEdits = {
  /** @param rules At most 1,000 rules. */
  async create(
    tx: Tx,
    context: EditContext,
    rules: readonly ApiRequest<'createNotificationRule'>['body'][],
  ): Promise<NotificationRuleRow[]> {
    const { organizationId } = context.caller;
    await checkReferences(tx, organizationId, {
      rule_ids: unique(rules.flatMap((body) => body.rule_ids)),
      alert_config_ids: unique(rules.flatMap((body) => body.alert_config_ids)),
      channel_ids: unique(rules.flatMap((body) => body.channel_ids ?? [])),
    });
    const addsPatterns = rules.some(hasPatterns);
    if (addsPatterns) await lockNotificationLimits(tx, organizationId);
    const ids = await insertNotificationRules(
      tx,
      organizationId,
      rules.map((body) => ({ ...body, ...toValues(body), inactive_reason: null })),
    );
    if (addsPatterns) await checkPatternLimit(tx, organizationId);
    const rows = await listNotificationRulesById(tx, organizationId, ids);
    await recordEdits(
      tx,
      context,
      'notification_rule',
      rows.map((row) => ({ after: toNotificationRule(row) })),
    );
    publishChanges(tx, organizationId, 'notification_rule', ids, 'created');
    return rows;
  },

  update: (tx: Tx, context: EditContext, id: number, body: RuleBody) =>
    changeRule(tx, context, id, body, () => toValues(body)),

  toggle: (tx: Tx, context: EditContext, id: number) =>
    changeRule(tx, context, id, {}, (before) => ({ is_active: !before.is_active })),

  async delete(tx: Tx, context: EditContext, id: number): Promise<void> {
    const { organizationId } = context.caller;
    const row = await lockNotificationRule(tx, organizationId, id);
    if (!row) throw notFound();
    assertIfMatch(context, row);
    await deleteNotificationRule(tx, organizationId, row.id);
    await recordEdit(tx, context, 'notification_rule', { before: toNotificationRule(row) });
    publishChanges(tx, organizationId, 'notification_rule', [row.id], 'deleted');
  },
};

/** Updates a rule while holding its lock. */
async function changeRule(
  tx: Tx,
  context: EditContext,
  id: number,
  references: RuleReferences,
  change: (before: NotificationRuleRow) => Partial<NotificationRuleValues>,
): Promise<NotificationRuleRow> {
  const { organizationId } = context.caller;
  if (!(await findNotificationRule(tx, organizationId, id))) throw notFound();
  await checkReferences(tx, organizationId, references);
  await lockNotificationLimits(tx, organizationId);
  const before = await lockNotificationRule(tx, organizationId, id);
  if (!before) throw notFound();
  assertIfMatch(context, before);
  const values = change(before);
  const channelIds = values.channel_ids === undefined ? before.channel_ids : values.channel_ids;
  if (values.channel_ids?.length === 0 && before.channel_ids?.length !== 0) {
    throw invalidField('channel_ids', limitProblem('minItems', 1)!);
  }
  if (values.is_active && channelIds?.length === 0) {
    throw new ApiError(
      'conflict',
      'All channels of this rule were deleted. Set other channels, or null to use the default channel.',
    );
  }
  // A request that sets the criteria again confirms them, even if the rule then matches everything.
  const lacksCriteria = before.inactive_reason === 'criteria_deleted' && !setsCriteria(before, values);
  if (values.is_active && lacksCriteria) {
    throw new ApiError(
      'conflict',
      'All rules or alert configurations this rule matched were deleted. Set `rule_ids` or `alert_config_ids`; an empty list matches all.',
    );
  }
  const lacksChannels = before.inactive_reason === 'channel_deleted' && channelIds?.length === 0;
  const isRepaired = !lacksCriteria && !lacksChannels;
  await updateNotificationRule(tx, organizationId, before.id, {
    ...values,
    ...((values.is_active || isRepaired) && { inactive_reason: null }),
  });
  if ((values.label_matchers || values.is_active) && hasPatterns({ ...before, ...values }))
    await checkPatternLimit(tx, organizationId);
  const after = (await findNotificationRule(tx, organizationId, before.id))!;
  await recordEdit(tx, context, 'notification_rule', {
    before: toNotificationRule(before),
    after: toNotificationRule(after),
  });
  publishChanges(tx, organizationId, 'notification_rule', [before.id], 'updated');
  return after;
}

function hasPatterns({ label_matchers = [] }: Pick<RuleBody, 'label_matchers'>): boolean {
  return label_matchers.some(({ operator }) => operator === '=~' || operator === '!~');
}

/** @throws ApiError 409 if the rules just written exceed the limit. */
async function checkPatternLimit(tx: Tx, organizationId: number): Promise<void> {
  if ((await countPatterns(tx, organizationId)) > maxPatterns) {
    throw new ApiError(
      'conflict',
      `The enabled notification rules of an organization can use ${maxPatterns} different patterns (=~ and !~). ` +
        'Use = or !=, combine patterns (a|b), or disable a rule first.',
    );
  }
}

/**
 * True if the request changes the criteria, or if it contains criteria and enables the rule. Sending only the current
 * criteria isn't a change.
 */
function setsCriteria(before: NotificationRuleRow, values: Partial<NotificationRuleValues>): boolean {
  return (['rule_ids', 'alert_config_ids'] as const).some((name) => {
    const ids = values[name];
    return ids !== undefined && (values.is_active === true || ids.join() !== before[name].join());
  });
}

/** Converts the fields of a body to columns, without duplicate IDs. */
function toValues({
  rule_ids,
  alert_config_ids,
  channel_ids,
  ...rest
}: RuleBody): Partial<NotificationRuleValues> {
  const definedFields = Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== undefined));
  return {
    ...(definedFields as Partial<NotificationRuleValues>),
    ...(rest.description === null && { description: '' }),
    ...(rule_ids && { rule_ids: unique(rule_ids) }),
    ...(alert_config_ids && { alert_config_ids: unique(alert_config_ids) }),
    ...(channel_ids !== undefined && { channel_ids: channel_ids && unique(channel_ids) }),
  };
}

function unique(ids: readonly number[]): number[] {
  return [...new Set(ids)];
}

/**
 * Rejects patterns that don't compile, because they would match nothing or, with `!~`, everything. Yields to
 * other work between patterns, because checking one can take milliseconds.
 */
export async function checkLabelMatchers({ label_matchers = [] }: RuleBody): Promise<void> {
  const slices = new TimeSlices();
  const rejected: ApiError[] = [];
  for (const [index, { operator, value }] of label_matchers.entries()) {
    const problem = operator === '=~' || operator === '!~' ? checkLabelPattern(value) : null;
    if (problem !== null) rejected.push(invalidField(`label_matchers.${index}.value`, problem));
    await slices.pause();
  }
  runChecks(
    rejected.map((error) => () => {
      throw error;
    }),
  );
}

const referenceLabels: Record<keyof RuleReferences, string> = {
  rule_ids: 'rule',
  alert_config_ids: 'alert configuration',
  channel_ids: 'notification channel',
};

/** Rejects references to missing resources. Resources of other organizations are treated as missing. */
export async function checkReferences(
  tx: Tx,
  organizationId: number,
  references: RuleReferences,
): Promise<void> {
  const missing = await findMissingReferences(tx, organizationId, references);
  const errors = missing.map(
    ({ field, id }): FieldError => ({ field, message: `${referenceLabels[field]} ${id} not found` }),
  );
  const [first] = errors;
  if (first) throw new ApiError('validation_failed', `${first.field}: ${first.message}`, { errors });
}

export function toNotificationRule(row: NotificationRuleRow): Schemas['NotificationRule'] {
  return {
    ...row,
    last_matched_at: row.last_matched_at?.toISOString() ?? null,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  };
}
