import { useMemo, useState } from 'react';
import type { RowId } from './resource-list.tsx';

/** Items of each loaded page by offset. The most recently loaded page comes first. */
type Pages = ReadonlyMap<number, readonly { id: RowId }[]>;
type Page = readonly [offset: number, items: readonly { id: RowId }[] | undefined];

/**
 * Returns keys for the rows of a list. Loaded rows are keyed by item, so that menus, dialogs, focus, and
 * measured heights stay with an item that moves. Rows that aren't loaded are keyed by index.
 * @param query Query of the list. A different query discards the rows of the previous one.
 */
export function useRowKeys(query: unknown) {
  const [known, setKnown] = useState<{ query: unknown; pages: Pages }>({ query, pages: new Map() });
  const { keys, indexes } = useMemo(() => rowKeys(known.pages), [known.pages]);
  const getItemKey = useMemo(() => (index: number) => keys.get(index) ?? `row ${index}`, [keys]);
  return {
    getItemKey,
    /** Returns the row index of an item, or undefined if the item isn't loaded. */
    indexOf: (id: RowId) => indexes.get(id),
    /** Stores the visible pages. Call it during rendering. */
    update(shown: readonly Page[]) {
      const before: Pages = known.query === query ? known.pages : new Map();
      const changed = shown.filter(
        (page): page is [number, readonly { id: RowId }[]] =>
          page[1] !== undefined && page[1] !== before.get(page[0]),
      );
      if (changed.length === 0) return;
      const pages = new Map(changed);
      for (const [offset, items] of before) if (!pages.has(offset)) pages.set(offset, items);
      setKnown({ query, pages });
    },
  };
}

/**
 * Returns the row keys and row indexes of all loaded items. Pages load one after another, so an item that
 * moves can be on two pages. The most recently loaded page wins.
 */
export function rowKeys(pages: Pages) {
  const keys = new Map<number, RowId>();
  const indexes = new Map<RowId, number>();
  for (const [offset, items] of pages)
    for (const [position, { id }] of items.entries()) {
      if (indexes.has(id)) continue;
      keys.set(offset + position, id);
      indexes.set(id, offset + position);
    }
  return { keys, indexes };
}
