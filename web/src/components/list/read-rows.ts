import { queryClient } from '../../api/query-client.ts';
import type { List } from './use-list.ts';

const rowsPerRequest = 200;

/** Reads the rows of a list with its filters and sort. @param onRead called with how many have been read. */
export async function readRows<Item>(
  list: List<Item>,
  { limit = Infinity, onRead }: { limit?: number; onRead?: (count: number) => void } = {},
): Promise<Item[]> {
  const items: Item[] = [];
  while (items.length < limit) {
    const page = await queryClient.fetchQuery({
      ...list.pageQuery(items.length, rowsPerRequest),
      staleTime: 0,
    });
    items.push(...page.items);
    onRead?.(items.length);
    if (page.items.length < rowsPerRequest) break;
  }
  return items;
}
