import { checkLabelPattern } from '../../../domain/routing/match-label-pattern.ts';
import type { Schemas } from '../../../generated/client-api.ts';
import { type Database, type Tx, transaction, type WakeUps } from '../../../platform/database/index.ts';
import { ApiError, type FieldError, invalidField, notFound } from '../../../platform/errors.ts';
import { type ApiRequest, assertMatch, type Handlers } from '../../../platform/http/index.ts';
import { recordEdit } from '../../audit/index.ts';
import {
  countDeliveriesOfRule,
  deleteNotificationRule,
  findMissingReferences,
  findNotificationRule,
  insertNotificationRule,
  listNotificationRules,
  lockNotificationRule,
  type NotificationRuleRow,
  type NotificationRuleValues,
  type RuleReferences,
  readMatchStats,
  updateNotificationRule,
} from './notification-rule-queries.ts';
import { simulateStoredRule } from './simulate-stored-rule.ts';

type NotificationRuleOperations =
  | 'listNotificationRules'
  | 'createNotificationRule'
  | 'getNotificationRule'
  | 'updateNotificationRule'
  | 'deleteNotificationRule'
  | 'toggleNotificationRule'
  | 'getNotificationRuleStats'
  | 'simulateNotificationRule';

type RuleBody = Schemas['UpdateNotificationRuleRequest'];

export interface NotificationRuleHandlerDeps {
  db: Database;
  wakeUps: WakeUps;
}

export function notificationRuleHandlers({
  db,
  wakeUps,
}: NotificationRuleHandlerDeps): Handlers<NotificationRuleOperations> {
  return {
    async listNotificationRules({ caller, query }) {
      const page = await listNotificationRules(db, caller.organizationId, query, query);
      return { status: 200, body: { ...page, items: page.items.map(toNotificationRule) } };
    },

    async createNotificationRule(request) {
      const { body } = request;
      const { organizationId } = request.caller;
      checkLabelMatchers(body);
      const row = await transaction(db, async (tx) => {
        await checkReferences(tx, organizationId, body);
        const id = await insertNotificationRule(tx, organizationId, {
          ...body,
          ...toValues(body),
          inactive_reason: null,
        });
        const created = (await findNotificationRule(tx, organizationId, id))!;
        await recordEdit(tx, request, 'notification_rule', { after: toNotificationRule(created) });
        publishChange(tx, organizationId, id, 'created');
        return created;
      });
      return { status: 201, body: toNotificationRule(row) };
    },

    async getNotificationRule({ caller, path }) {
      return { status: 200, body: toNotificationRule(await find(caller.organizationId, path.id)) };
    },

    async updateNotificationRule(request) {
      const { body } = request;
      checkLabelMatchers(body);
      const row = await changeRule(request, body, () => toValues(body));
      return { status: 200, body: toNotificationRule(row) };
    },

    async toggleNotificationRule(request) {
      const row = await changeRule(request, {}, (before) => ({ is_active: !before.is_active }));
      return { status: 200, body: toNotificationRule(row) };
    },

    async deleteNotificationRule(request) {
      const { organizationId } = request.caller;
      await transaction(db, async (tx) => {
        const row = await lockNotificationRule(tx, organizationId, request.path.id);
        if (!row) throw notFound();
        assertMatch(request, row);
        await deleteNotificationRule(tx, organizationId, row.id);
        await recordEdit(tx, request, 'notification_rule', { before: toNotificationRule(row) });
        publishChange(tx, organizationId, row.id, 'deleted');
      });
      return { status: 204 };
    },

    async getNotificationRuleStats({ caller, path }) {
      const { id, match_count, last_matched_at } = await find(caller.organizationId, path.id);
      const recent = await readMatchStats(db, caller.organizationId, id);
      const by_status = await countDeliveriesOfRule(db, caller.organizationId, id);
      return {
        status: 200,
        body: {
          match_count,
          ...recent,
          last_matched_at: last_matched_at?.toISOString() ?? null,
          deliveries: { by_status },
        },
      };
    },

    async simulateNotificationRule({ caller, path, body }) {
      const row = await find(caller.organizationId, path.id);
      return { status: 200, body: await simulateStoredRule(db, caller.organizationId, row, body) };
    },
  };

  async function find(organizationId: number, id: number): Promise<NotificationRuleRow> {
    const row = await findNotificationRule(db, organizationId, id);
    if (!row) throw notFound();
    return row;
  }

  /** Changes a rule under its lock. */
  async function changeRule(
    request: ApiRequest<'updateNotificationRule' | 'toggleNotificationRule'>,
    references: RuleReferences,
    change: (before: NotificationRuleRow) => Partial<NotificationRuleValues>,
  ): Promise<NotificationRuleRow> {
    const { path } = request;
    const { organizationId } = request.caller;
    return transaction(db, async (tx) => {
      if (!(await findNotificationRule(tx, organizationId, path.id))) throw notFound();
      await checkReferences(tx, organizationId, references);
      const before = await lockNotificationRule(tx, organizationId, path.id);
      if (!before) throw notFound();
      assertMatch(request, before);
      const values = change(before);
      const channelIds = values.channel_ids === undefined ? before.channel_ids : values.channel_ids;
      if (values.channel_ids?.length === 0 && before.channel_ids?.length !== 0) {
        throw invalidField('channel_ids', 'must NOT have fewer than 1 items');
      }
      if (values.is_active && channelIds?.length === 0) {
        throw new ApiError(
          'conflict',
          'All channels of this rule were deleted. Set other channels, or null to use the default channel.',
        );
      }
      // Whoever gives the criteria anew has said what it is for, though it be for all.
      const lacksCriteria = before.inactive_reason === 'criteria_deleted' && !namesCriteria(before, values);
      if (values.is_active && lacksCriteria) {
        throw new ApiError(
          'conflict',
          'All rules or alert configurations this rule matched were deleted. Set `rule_ids` or `alert_config_ids`; an empty list matches all.',
        );
      }
      const isRepaired = before.inactive_reason === 'criteria_deleted' && !lacksCriteria;
      await updateNotificationRule(tx, organizationId, before.id, {
        ...values,
        ...((values.is_active || isRepaired) && { inactive_reason: null }),
      });
      const after = (await findNotificationRule(tx, organizationId, before.id))!;
      await recordEdit(tx, request, 'notification_rule', {
        before: toNotificationRule(before),
        after: toNotificationRule(after),
      });
      publishChange(tx, organizationId, before.id, 'updated');
      return after;
    });
  }

  function publishChange(
    tx: Tx,
    organizationId: number,
    id: number,
    change: 'created' | 'updated' | 'deleted',
  ): void {
    wakeUps.wakeAfterCommit(tx, `changes:${organizationId}/notification_rule/${id}/${change}`);
  }
}

/** Whether the criteria change, or the request enables the rule. Sending back the current criteria isn't a change. */
function namesCriteria(before: NotificationRuleRow, values: Partial<NotificationRuleValues>): boolean {
  return (['rule_ids', 'alert_config_ids'] as const).some((name) => {
    const ids = values[name];
    return ids !== undefined && (values.is_active === true || ids.join() !== before[name].join());
  });
}

/** The given members as columns; an id that is named twice counts once. */
function toValues({
  rule_ids,
  alert_config_ids,
  channel_ids,
  ...rest
}: RuleBody): Partial<NotificationRuleValues> {
  const given = Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== undefined));
  return {
    ...(given as Partial<NotificationRuleValues>),
    ...(rest.description === null && { description: '' }),
    ...(rule_ids && { rule_ids: unique(rule_ids) }),
    ...(alert_config_ids && { alert_config_ids: unique(alert_config_ids) }),
    ...(channel_ids !== undefined && { channel_ids: channel_ids && unique(channel_ids) }),
  };
}

function unique(ids: readonly number[]): number[] {
  return [...new Set(ids)];
}

/** A pattern that cannot be compiled would match nothing, or with `!~` everything. */
function checkLabelMatchers({ label_matchers = [] }: RuleBody): void {
  for (const [index, { operator, value }] of label_matchers.entries()) {
    const problem = operator === '=~' || operator === '!~' ? checkLabelPattern(value) : null;
    if (problem !== null) throw invalidField(`label_matchers.${index}.value`, problem);
  }
}

const words: Record<keyof RuleReferences, string> = {
  rule_ids: 'rule',
  alert_config_ids: 'alert configuration',
  channel_ids: 'notification channel',
};

/** What belongs to another organization is refused as if it did not exist. */
async function checkReferences(tx: Tx, organizationId: number, references: RuleReferences): Promise<void> {
  const missing = await findMissingReferences(tx, organizationId, references);
  const errors = missing.map(
    ({ field, id }): FieldError => ({ field, message: `${words[field]} ${id} not found` }),
  );
  const [first] = errors;
  if (first) throw new ApiError('validation_failed', `${first.field}: ${first.message}`, { errors });
}

function toNotificationRule(row: NotificationRuleRow): Schemas['NotificationRule'] {
  return {
    ...row,
    last_matched_at: row.last_matched_at?.toISOString() ?? null,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  };
}
