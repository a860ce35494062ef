import { Box, Checkbox, Group, Skeleton, Text, UnstyledButton, VisuallyHidden } from '@mantine/core';
import { IconArrowDown, IconArrowUp } from '@tabler/icons-react';
import { useQueries } from '@tanstack/react-query';
import { useWindowVirtualizer } from '@tanstack/react-virtual';
import { memo, useCallback, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { queryClient } from '../../api/query-client.ts';
import { showError } from '../../api/use-action.ts';
import { singularOf } from '../../ui/format.ts';
import type { PageLink } from '../../ui/links.tsx';
import { ErrorNotice } from '../error-notice.tsx';
import { DataCell } from './data-cell.tsx';
import { DownloadCsv } from './download-csv.tsx';
import classes from './resource-list.module.css';
import { type List, pageSize } from './use-list.ts';

export interface Column<Item> {
  header: string;
  cell: (item: Item) => React.ReactNode;
  /** A track of the grid; `1fr` unless said. */
  width?: string;
  /** The name to sort by, as the contract's `sort` has it. */
  sort?: string;
  /** Left out on narrow screens. */
  wideOnly?: boolean;
  /** What a download holds; a column without it is left out there. */
  csv?: (item: Item) => unknown;
  /** Only a download holds it; the list says it elsewhere. */
  csvOnly?: boolean;
  align?: 'end';
}

export interface Selection {
  ids: ReadonlySet<number>;
  set(ids: ReadonlySet<number>): void;
}

type OnToggle = (index: number, id: number, isRange: boolean) => void;

interface ResourceListProps<Item extends { id: number }> {
  list: List<Item>;
  columns: readonly Column<Item>[];
  /** What the rows are, for screen readers and the name of a download: "alerts". */
  name: string;
  /** Where a row leads; its first cell becomes the link. */
  rowLink?: (item: Item) => PageLink;
  /** Stands there when nothing exists. */
  empty: React.ReactNode;
  selection?: Selection;
  /** On the right of each row: menus and buttons. */
  rowActions?: (item: Item) => React.ReactNode;
}

const rowHeight = 46;
const placeholderRows = 8;

/**
 * A list of any length: only the rows in sight exist, and only the pages they stand on are read, so that the bar on the
 * side reaches the last row at once.
 */
export function ResourceList<Item extends { id: number }>(props: ResourceListProps<Item>) {
  const { list, name, empty } = props;
  const columns = useMemo(() => props.columns.filter(({ csvOnly }) => !csvOnly), [props.columns]);
  const body = useRef<HTMLDivElement>(null);
  const [margin, setMargin] = useState(0);
  useLayoutEffect(() => {
    setMargin(body.current?.offsetTop ?? 0);
  }, []);
  const count = list.total ?? placeholderRows;
  const virtualizer = useWindowVirtualizer({
    count,
    estimateSize: () => rowHeight,
    overscan: 8,
    scrollMargin: margin,
  });
  const virtualRows = virtualizer.getVirtualItems();
  // The first page comes from the list's own query, which keeps the previous rows while a filter loads. `useQueries` can't.
  const offsets = [...new Set(virtualRows.map(({ index }) => index - (index % pageSize)))].filter(
    (offset) => offset > 0,
  );
  const pages = useQueries({
    queries: offsets.map((offset) => list.pageQuery(offset)),
  });
  const { selection } = props;
  /** The row whose checkbox was used last: with Shift, all rows from there to the next one follow. */
  const lastToggled = useRef<number | null>(null);
  const toggle = async (index: number, id: number, isRange: boolean) => {
    const ids = new Set(selection?.ids);
    const isSelected = !ids.delete(id);
    if (isSelected) ids.add(id);
    const from = isRange ? lastToggled.current : null;
    lastToggled.current = index;
    if (from !== null)
      for (const each of await idsBetween(list, from, index)) {
        if (isSelected) ids.add(each);
        else ids.delete(each);
      }
    selection?.set(ids);
  };
  const latestToggle = useRef(toggle);
  useLayoutEffect(() => {
    latestToggle.current = toggle;
  });
  // A stable function, because a new one would rerender every row on each scroll.
  const onToggle = useCallback<OnToggle>(
    (index, id, isRange) => void latestToggle.current(index, id, isRange).catch(showError),
    [],
  );
  const itemAt = (index: number): Item | undefined =>
    index < pageSize
      ? list.firstPage?.items[index]
      : pages[offsets.indexOf(index - (index % pageSize))]?.data?.items[index % pageSize];

  if (list.error && list.total === undefined) return <ErrorNotice error={list.error} retry={list.retry} />;
  if (list.total === 0) {
    return list.isFiltered ? (
      <Text ta="center" py="xl" c="var(--text-muted)">
        No results match your filters.
      </Text>
    ) : (
      empty
    );
  }
  const tracks = [
    ...(props.selection ? ['2rem'] : []),
    ...columns.map(({ width }) => width ?? 'minmax(0, 1fr)'),
    ...(props.rowActions ? ['1.75rem'] : []),
  ].join(' ');
  return (
    <Box>
      {list.error && <ErrorNotice error={list.error} retry={list.retry} />}
      <div
        role="table"
        aria-label={name}
        aria-rowcount={(list.total ?? 0) + 1}
        aria-busy={list.isFetching}
        className={classes.table}
        style={{ '--tracks': tracks } as React.CSSProperties}
      >
        <div role="rowgroup" className={classes.head}>
          <Header
            {...props}
            columns={columns}
            loaded={virtualRows.map(({ index }) => itemAt(index)).filter((item) => item !== undefined)}
          />
        </div>
        <div role="rowgroup" ref={body} style={{ height: virtualizer.getTotalSize(), position: 'relative' }}>
          {virtualRows.map(({ index, start }) => (
            <div
              key={index}
              data-index={index}
              ref={virtualizer.measureElement}
              role="row"
              aria-rowindex={index + 2}
              className={classes.row}
              style={{ transform: `translateY(${start - margin}px)` }}
            >
              <Row {...props} columns={columns} item={itemAt(index)} index={index} onToggle={onToggle} />
            </div>
          ))}
        </div>
      </div>
      <Group justify="space-between" mt="xs">
        <Text size="sm" c="var(--text-muted)" aria-live="polite">
          {list.total === undefined
            ? 'Loading…'
            : `${list.totalIsExact ? '' : 'more than '}${list.total.toLocaleString('en')} ${list.total === 1 ? singularOf(name) : name}`}
        </Text>
        <DownloadCsv list={list} columns={props.columns} name={name} />
      </Group>
    </Box>
  );
}

/** Also those of pages that aren't in sight. */
async function idsBetween(list: List<{ id: number }>, one: number, other: number): Promise<number[]> {
  const [from, to] = one < other ? [one, other] : [other, one];
  const ids: number[] = [];
  for (let offset = from - (from % pageSize); offset <= to; offset += pageSize) {
    const { items } = await queryClient.fetchQuery(list.pageQuery(offset));
    ids.push(...items.slice(Math.max(0, from - offset), to - offset + 1).map(({ id }) => id));
  }
  return ids;
}

function Header<Item extends { id: number }>({
  columns,
  list,
  selection,
  rowActions,
  loaded,
}: ResourceListProps<Item> & { loaded: readonly Item[] }) {
  const allSelected = loaded.length > 0 && loaded.every(({ id }) => selection?.ids.has(id));
  return (
    <div role="row" aria-rowindex={1} className={classes.headRow}>
      {selection && (
        <span role="columnheader">
          <Checkbox
            size="xs"
            aria-label="Select visible rows"
            checked={allSelected}
            indeterminate={!allSelected && selection.ids.size > 0}
            onChange={() => selection.set(new Set(allSelected ? [] : loaded.map(({ id }) => id)))}
          />
        </span>
      )}
      {columns.map(({ header, sort, wideOnly, align }) => {
        const direction =
          sort && list.sort === sort
            ? 'ascending'
            : sort && list.sort === `-${sort}`
              ? 'descending'
              : undefined;
        return (
          <span
            key={header}
            role="columnheader"
            aria-sort={direction}
            data-wide-only={wideOnly}
            data-align={align}
          >
            {sort ? (
              <UnstyledButton
                className={classes.sort}
                onClick={() => list.setSearch({ sort: direction === 'ascending' ? `-${sort}` : sort })}
              >
                {header}
                {direction === 'ascending' && <IconArrowUp size={12} aria-hidden />}
                {direction === 'descending' && <IconArrowDown size={12} aria-hidden />}
              </UnstyledButton>
            ) : (
              header
            )}
          </span>
        );
      })}
      {rowActions && (
        <span role="columnheader">
          <VisuallyHidden>Actions</VisuallyHidden>
        </span>
      )}
    </div>
  );
}

/** While the list scrolls, rows that stay are not made anew. */
const Row = memo(RowCells) as typeof RowCells;

function RowCells<Item extends { id: number }>({
  item,
  columns,
  rowLink,
  selection,
  rowActions,
  index: row,
  onToggle,
}: ResourceListProps<Item> & { item: Item | undefined; index: number; onToggle: OnToggle }) {
  if (!item) {
    return columns.map(({ header, wideOnly }) => (
      <span key={header} role="cell" data-wide-only={wideOnly}>
        <Skeleton height={12} my={5} />
      </span>
    ));
  }
  const name = columns[0]?.csv?.(item);
  return (
    <>
      {selection && (
        <span role="cell" className={classes.above} data-edge>
          <Checkbox
            size="xs"
            aria-label={`Select ${typeof name === 'string' ? name : item.id}`}
            checked={selection.ids.has(item.id)}
            onChange={({ nativeEvent }) =>
              onToggle(row, item.id, nativeEvent instanceof MouseEvent && nativeEvent.shiftKey)
            }
          />
        </span>
      )}
      {columns.map((column, index) => (
        <DataCell
          key={column.header}
          column={column}
          item={item}
          isFirst={index === 0}
          link={index === 0 ? rowLink?.(item) : null}
        />
      ))}
      {rowActions && (
        <span role="cell" className={classes.above} data-edge>
          {rowActions(item)}
        </span>
      )}
    </>
  );
}
