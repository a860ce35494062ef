import { type Database, transaction, type WakeUps } from '../../../platform/database/index.ts';
import { notFound } from '../../../platform/errors.ts';
import type { Handlers } from '../../../platform/http/index.ts';
import { itemEdits } from './item-edits.ts';
import { findItem, listGroups, listItems } from './item-queries.ts';
import { toGroup, toItem } from './to-item.ts';

type ItemOperations =
  | 'listDiscoveredItems'
  | 'getDiscoveredItem'
  | 'updateDiscoveredItem'
  | 'ignoreDiscoveredItems'
  | 'restoreDiscoveredItems';

export function itemHandlers({ db, wakeUps }: { db: Database; wakeUps: WakeUps }): Handlers<ItemOperations> {
  const edits = itemEdits(wakeUps);
  return {
    async listDiscoveredItems({ caller, query }) {
      if (query.group_by === 'artifact') {
        const page = await listGroups(db, caller.organizationId, query, query);
        return { status: 200, body: { ...page, items: [], groups: page.items.map(toGroup) } };
      }
      const page = await listItems(db, caller.organizationId, query, query);
      return { status: 200, body: { ...page, items: page.items.map(toItem), groups: [] } };
    },

    async getDiscoveredItem({ caller, path }) {
      const item = await findItem(db, caller.organizationId, path.id);
      if (!item) throw notFound();
      return { status: 200, body: toItem(item) };
    },

    async updateDiscoveredItem(request) {
      const { path, body } = request;
      const item = await transaction(db, (tx) => edits.update(tx, request, path.id, body));
      return { status: 200, body: toItem(item) };
    },

    async ignoreDiscoveredItems(request) {
      const { item_ids, reason } = request.body;
      return {
        status: 200,
        body: await transaction(db, (tx) => edits.ignore(tx, request, item_ids, reason)),
      };
    },

    async restoreDiscoveredItems(request) {
      const { item_ids } = request.body;
      return { status: 200, body: await transaction(db, (tx) => edits.restore(tx, request, item_ids)) };
    },
  };
}
