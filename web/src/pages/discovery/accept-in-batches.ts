import type { Schemas } from '../../../../src/generated/client-api.ts';
import { api } from '../../api/session.ts';

type Request = Schemas['AcceptDiscoveredItemsRequest'];
type Options = Pick<Request, 'rule_id' | 'rule' | 'labels'>;

/** Items to accept, by ID or by filter. */
export type Accepting = { item_ids: number[] } | { filter: NonNullable<Request['filter']> };

const allRoles = ['deployed', 'build', 'ci'] as const;

/** Maximum number of items per request. */
const itemsPerRequest = 1_000;

/** Extends a selection to items of all roles. A selection by ID already includes items of any role. */
export function withEveryRole(accepting: Accepting): Accepting {
  return 'filter' in accepting ? { filter: { ...accepting.filter, roles: [...allRoles] } } : accepting;
}

/** Accepts items in batches, because a request accepts up to 1,000 items. */
export async function acceptAll(accepting: Accepting, options: Options): Promise<number> {
  let count = 0;
  const parts = partsOf(accepting);
  for (const part of parts) {
    const result = await api.call('acceptDiscoveredItems', { body: { ...part, ...options } });
    count += result.accepted_count;
    // Items that can't be accepted keep the status `new`, so the next request continues after the last item.
    const last = result.items.at(-1);
    if ('filter' in part && result.remaining_count > 0 && last)
      parts.push({ filter: { ...part.filter, after_id: last.item_id } });
  }
  return count;
}

export function partsOf(accepting: Accepting): Accepting[] {
  if (!('item_ids' in accepting)) return [accepting];
  const { item_ids } = accepting;
  const parts: Accepting[] = [];
  for (let from = 0; from < item_ids.length; from += itemsPerRequest)
    parts.push({ item_ids: item_ids.slice(from, from + itemsPerRequest) });
  return parts;
}
