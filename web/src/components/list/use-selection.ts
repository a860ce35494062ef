import { useState } from 'react';
import type { Selection } from './resource-list.tsx';
import type { List } from './use-list.ts';

const none: ReadonlySet<number> = new Set();

/**
 * Returns the selected rows of a list. Changing a filter clears the selection, so that actions can't affect
 * rows that aren't listed.
 */
export function useSelection(list: Pick<List<unknown>, 'query'>): Selection {
  const { sort: _sort, ...filter } = list.query;
  const listed = JSON.stringify(filter);
  const [selected, setSelected] = useState({ listed, ids: none });
  if (selected.listed !== listed) setSelected({ listed, ids: none });
  return {
    ids: selected.listed === listed ? selected.ids : none,
    set: (ids) => setSelected({ listed, ids }),
  };
}
