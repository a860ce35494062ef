/** Values of a row's sort keys, in the format in which PostgreSQL prints and reads them. */
export type SortValues = readonly (string | null)[];

/**
 * Position in a list for callers that read it one page after the other. Unlike an offset, it doesn't move when rows are
 * inserted or deleted before it.
 */
export interface PageCursor {
  /** Sort keys of the last item of the previous page. `null` for the first page. */
  readonly after: SortValues | null;
  /** Sort keys of this page's last item, which the list sets. `null` if the list ends with this page. */
  next: SortValues | null;
}

/** The values of a cursor don't fit the list. */
export class InvalidCursorError extends Error {
  constructor() {
    super('the cursor belongs to another list');
  }
}

/** Returns one page of a list in memory, whose items are sorted and have unique IDs. */
export function pageOfItems<Item>(
  items: readonly Item[],
  { limit, offset, cursor }: { limit: number; offset: number; cursor?: PageCursor | undefined },
  idOf: (item: Item) => string,
): Item[] {
  const start = cursor?.after == null ? offset : startAfter(items, cursor.after, idOf);
  const page = items.slice(start, start + limit);
  const last = page.at(-1);
  if (cursor) {
    const end = start + page.length;
    cursor.next = last === undefined || end >= items.length ? null : [idOf(last), String(end)];
  }
  return page;
}

/**
 * Returns the index after the last item of the previous page. If this item no longer exists, returns the
 * index that followed it.
 */
function startAfter<Item>(items: readonly Item[], after: SortValues, idOf: (item: Item) => string): number {
  const [id, end] = after;
  if (after.length !== 2 || id == null || !/^\d{1,9}$/.test(end ?? '')) throw new InvalidCursorError();
  const index = items.findIndex((item) => idOf(item) === id);
  return index < 0 ? Number(end) : index + 1;
}
