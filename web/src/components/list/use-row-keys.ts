import { useMemo, useState } from 'react';

/** The items of each page that has been read, by its offset. What was read last is first. */
type Pages = ReadonlyMap<number, readonly { id: number }[]>;
type Page = readonly [offset: number, items: readonly { id: number }[] | undefined];

/**
 * What identifies the rows of a list: their items, so that menus, dialogs, the focus, and measured heights stay with an
 * item that moves. A row that isn't loaded is identified by its index.
 * @param query Identifies what is listed. Another one forgets the rows of the one before.
 */
export function useRowKeys(query: unknown) {
  const [known, setKnown] = useState<{ query: unknown; pages: Pages }>({ query, pages: new Map() });
  const { keys, indexes } = useMemo(() => rowKeys(known.pages), [known.pages]);
  const getItemKey = useMemo(() => (index: number) => keys.get(index) ?? `row ${index}`, [keys]);
  return {
    getItemKey,
    /** Where the row of an item is, if it has been read. */
    indexOf: (id: number) => indexes.get(id),
    /** Called while rendering, with the pages that are shown. */
    update(shown: readonly Page[]) {
      const before: Pages = known.query === query ? known.pages : new Map();
      const changed = shown.filter(
        (page): page is [number, readonly { id: number }[]] =>
          page[1] !== undefined && page[1] !== before.get(page[0]),
      );
      if (changed.length === 0) return;
      const pages = new Map(changed);
      for (const [offset, items] of before) if (!pages.has(offset)) pages.set(offset, items);
      setKnown({ query, pages });
    },
  };
}

/** While pages are read one after the other, an item that moves can be on two: it's where it was read last. */
export function rowKeys(pages: Pages) {
  const keys = new Map<number, number>();
  const indexes = new Map<number, number>();
  for (const [offset, items] of pages)
    for (const [position, { id }] of items.entries()) {
      if (indexes.has(id)) continue;
      keys.set(offset + position, id);
      indexes.set(id, offset + position);
    }
  return { keys, indexes };
}
