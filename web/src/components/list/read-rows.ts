import { queryClient } from '../../api/query-client.ts';
import type { RowId } from './resource-list.tsx';
import type { List } from './use-list.ts';

const rowsPerRequest = 200;

/**
 * Reads the rows of a list with its filters and sort order. A row that moves to another page during the read
 * is included only once.
 * @param onRead Callback that receives the number of rows read so far.
 */
export async function readRows<Item extends { id: RowId }>(
  list: Pick<List<Item>, 'pageQuery'>,
  { limit = Infinity, onRead }: { limit?: number; onRead?: (count: number) => void } = {},
): Promise<Item[]> {
  const items = new Map<RowId, Item>();
  const read = (offset: number, count: number) =>
    queryClient.fetchQuery({ ...list.pageQuery(offset, count), staleTime: 0 });
  let total = 0;
  for (let offset = 0; items.size < limit; offset += rowsPerRequest) {
    const page = await read(offset, rowsPerRequest);
    const missed = Math.min(total - page.total, offset, rowsPerRequest);
    // If rows have left the list, later rows have moved up to the previous page. Read them there.
    const before = missed > 0 ? await read(offset - missed, missed) : null;
    for (const item of [...(before?.items ?? []), ...page.items]) items.set(item.id, item);
    onRead?.(items.size);
    if (page.items.length < rowsPerRequest) break;
    total = page.total;
  }
  return [...items.values()].slice(0, limit);
}

/** True if less than a tenth of the rows isn't shown yet, so that a list shows them without a button. */
export function isSmallRest(total: number, shown: number): boolean {
  return shown < total && (total - shown) * 10 < total;
}
