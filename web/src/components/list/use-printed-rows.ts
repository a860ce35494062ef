import { useHotkeys } from '@mantine/hooks';
import { useEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { queryClient } from '../../api/query-client.ts';
import { showError } from '../../api/use-action.ts';
import type { PageOf } from './read-page.ts';
import { readRows } from './read-rows.ts';
import type { RowId } from './resource-list.tsx';
import { type List, pageSize } from './use-list.ts';

export const maxPrintedRows = 1_000;

/**
 * Rows of a list to print, or null if no print is in progress. `print` and its keyboard shortcut load the
 * rows first. Printing from the browser's menu can't wait for requests, so it includes only the rows that are
 * already loaded.
 */
export function usePrintedRows<Item extends { id: RowId }>(list: List<Item>) {
  const [rows, setRows] = useState<readonly Item[] | null>(null);
  const [isReading, setReading] = useState(false);
  const print = async () => {
    setReading(true);
    try {
      const items = await readRows(list, { limit: maxPrintedRows });
      flushSync(() => setRows(items));
      window.print();
    } catch (error) {
      showError(error);
    } finally {
      setReading(false);
    }
  };
  useHotkeys([['mod+P', () => void print()]], []);
  const latest = useRef(list);
  useEffect(() => {
    latest.current = list;
  });
  useEffect(() => {
    const begin = () => flushSync(() => setRows((before) => before ?? loadedRows(latest.current)));
    const end = () => setRows(null);
    window.addEventListener('beforeprint', begin);
    window.addEventListener('afterprint', end);
    return () => {
      window.removeEventListener('beforeprint', begin);
      window.removeEventListener('afterprint', end);
    };
  }, []);
  return { rows, print, isReading };
}

/** Returns the loaded rows up to the first missing page. */
function loadedRows<Item>(list: List<Item>): Item[] {
  const items: Item[] = [];
  while (items.length < maxPrintedRows) {
    const page = queryClient.getQueryData<PageOf<Item>>(list.pageQuery(items.length).queryKey);
    if (page === undefined) break;
    items.push(...page.items);
    if (page.items.length < pageSize) break;
  }
  return items;
}
