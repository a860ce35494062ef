import { type Database, transaction } from '../../../platform/database/index.ts';
import { notFound } from '../../../platform/errors.ts';
import type { Handlers } from '../../../platform/http/index.ts';
import { findItem, type ItemRow, listGroups, listItems } from '../model/item-queries.ts';
import { needsSuggestion, toGroup, toItem } from '../model/to-item.ts';
import { suggestSourcesForItems } from '../suggestions/suggest-sources.ts';
import { itemEdits } from './item-edits.ts';

type ItemOperations =
  | 'listDiscoveredItems'
  | 'getDiscoveredItem'
  | 'updateDiscoveredItem'
  | 'ignoreDiscoveredItems'
  | 'restoreDiscoveredItems'
  | 'monitorDiscoveredItems';

export function itemHandlers({ db }: { db: Database }): Handlers<ItemOperations> {
  const suggest = (organizationId: number, items: readonly ItemRow[]) =>
    suggestSourcesForItems(db, organizationId, items.filter(needsSuggestion));
  const describe = async (organizationId: number, item: ItemRow) =>
    toItem(item, (await suggest(organizationId, [item])).get(item.id));
  return {
    async listDiscoveredItems({ caller, query }) {
      if (query.group_by === 'artifact') {
        const page = await listGroups(db, caller.organizationId, query, query);
        const suggested = await suggest(
          caller.organizationId,
          page.items.map(({ first }) => ({ ...first, set_source: null })),
        );
        const groups = page.items.map((group) => toGroup(group, suggested.get(group.first.id)));
        return { status: 200, body: { ...page, items: [], groups } };
      }
      const page = await listItems(db, caller.organizationId, query, query);
      const suggested = await suggest(caller.organizationId, page.items);
      const items = page.items.map((item) => toItem(item, suggested.get(item.id)));
      return { status: 200, body: { ...page, items, groups: [] } };
    },

    async getDiscoveredItem({ caller, path }) {
      const item = await findItem(db, caller.organizationId, path.id);
      if (!item) throw notFound();
      return { status: 200, body: await describe(caller.organizationId, item) };
    },

    async updateDiscoveredItem(request) {
      const { path, body } = request;
      const item = await transaction(db, (tx) => itemEdits.update(tx, request, path.id, body));
      return { status: 200, body: await describe(request.caller.organizationId, item) };
    },

    async ignoreDiscoveredItems(request) {
      const { item_ids, reason } = request.body;
      return {
        status: 200,
        body: await transaction(db, (tx) => itemEdits.ignore(tx, request, item_ids, reason)),
      };
    },

    async restoreDiscoveredItems(request) {
      const { item_ids } = request.body;
      return { status: 200, body: await transaction(db, (tx) => itemEdits.restore(tx, request, item_ids)) };
    },

    async monitorDiscoveredItems(request) {
      const { item_ids } = request.body;
      return { status: 200, body: await transaction(db, (tx) => itemEdits.monitor(tx, request, item_ids)) };
    },
  };
}
