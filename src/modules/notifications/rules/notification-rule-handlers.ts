import { type Database, transaction } from '../../../platform/database/index.ts';
import { notFound } from '../../../platform/errors.ts';
import type { Handlers } from '../../../platform/http/index.ts';
import { checkLabelMatchers, notificationRuleEdits, toNotificationRule } from './notification-rule-edits.ts';
import {
  countDeliveriesOfRule,
  findNotificationRule,
  listNotificationRules,
  type NotificationRuleRow,
  readMatchStats,
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

export interface NotificationRuleHandlerDeps {
  db: Database;
}

export function notificationRuleHandlers({
  db,
}: NotificationRuleHandlerDeps): Handlers<NotificationRuleOperations> {
  return {
    async listNotificationRules({ caller, query }) {
      const page = await listNotificationRules(db, caller.organizationId, query, query);
      return { status: 200, body: { ...page, items: page.items.map(toNotificationRule) } };
    },

    async createNotificationRule(request) {
      const { body } = request;
      await checkLabelMatchers(body);
      const [row] = await transaction(db, (tx) => notificationRuleEdits.create(tx, request, [body]));
      return { status: 201, body: toNotificationRule(row!) };
    },

    async getNotificationRule({ caller, path }) {
      return { status: 200, body: toNotificationRule(await find(caller.organizationId, path.id)) };
    },

    async updateNotificationRule(request) {
      const { path, body } = request;
      await checkLabelMatchers(body);
      const row = await transaction(db, (tx) => notificationRuleEdits.update(tx, request, path.id, body));
      return { status: 200, body: toNotificationRule(row) };
    },

    async toggleNotificationRule(request) {
      const row = await transaction(db, (tx) => notificationRuleEdits.toggle(tx, request, request.path.id));
      return { status: 200, body: toNotificationRule(row) };
    },

    async deleteNotificationRule(request) {
      await transaction(db, (tx) => notificationRuleEdits.delete(tx, request, request.path.id));
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
}
