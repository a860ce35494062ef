import {
  Box,
  Button,
  Group,
  NativeSelect,
  Skeleton,
  Text,
  UnstyledButton,
  VisuallyHidden,
} from '@mantine/core';
import { IconArrowDown, IconArrowUp, IconPrinter } from '@tabler/icons-react';
import { useQueries } from '@tanstack/react-query';
import { useWindowVirtualizer } from '@tanstack/react-virtual';
import { memo, useCallback, useLayoutEffect, useRef } from 'react';
import { queryClient } from '../../api/query-client.ts';
import { showError } from '../../api/use-action.ts';
import { formatCount, singularOf } from '../../ui/format.ts';
import type { PageLink } from '../../ui/links.tsx';
import { ErrorNotice } from '../error-notice.tsx';
import { DataCell } from './data-cell.tsx';
import { DownloadCsv } from './download-csv.tsx';
import classes from './resource-list.module.css';
import { SelectBox } from './select-box.tsx';
import { useDistanceFromTop } from './use-distance-from-top.ts';
import { type List, pageSize } from './use-list.ts';
import { maxPrintedRows, usePrintedRows } from './use-printed-rows.ts';
import { useRowKeys } from './use-row-keys.ts';
import { useTableLayout } from './use-table-layout.ts';

export interface Column<Item> {
  header: string;
  cell: (item: Item) => React.ReactNode;
  /** Grid track of the column. Default `minmax(0, 1fr)`. The column is at least as wide as its heading. */
  width?: string;
  /** Name of the column in the `sort` parameter of the API. */
  sort?: string;
  /** True if `sort` lists the highest value first and `-sort` the lowest. */
  sortsHighestFirst?: boolean;
  /** True to hide the column in narrow tables and on cards. */
  wideOnly?: boolean;
  /** True to hide the column in narrow tables, but not on cards. */
  secondary?: boolean;
  /** Returns the value for CSV downloads. Columns without it are excluded from downloads. */
  csv?: (item: Item) => unknown;
  /** True to include the column only in downloads, because the list shows its value elsewhere. */
  csvOnly?: boolean;
  align?: 'end';
}

/** ID of an item. Only items with numbers as IDs can be selected. */
export type RowId = number | string;

export interface Selection {
  ids: ReadonlySet<number>;
  set(ids: ReadonlySet<number>): void;
}

type OnToggle = (index: number, id: RowId, isRange: boolean) => void;

interface ResourceListProps<Item extends { id: RowId }> {
  list: List<Item>;
  columns: readonly Column<Item>[];
  /**
   * Plural noun for the rows, such as "alerts". Used for screen readers and as the file name of downloads.
   */
  name: string;
  /** Returns the link of a row, which is placed in the first cell. */
  rowLink?: (item: Item) => PageLink;
  /** Content to show if the unfiltered list is empty. */
  empty: React.ReactNode;
  selection?: Selection;
  /** Buttons for downloads in other formats, next to Export CSV. */
  downloads?: React.ReactNode;
  /** Renders the menu or buttons at the end of a row. */
  rowActions?: (item: Item) => React.ReactNode;
}

const rowHeight = 46;
const placeholderRows = 8;

/**
 * Virtualized list of any length. Only visible rows are rendered and only their pages are loaded, so the
 * scrollbar reaches the last row immediately.
 */
export function ResourceList<Item extends { id: RowId }>(props: ResourceListProps<Item>) {
  const { list, name, empty } = props;
  const { columns, table, isCards } = useTableLayout(props.columns, {
    hasCheckbox: props.selection !== undefined,
    hasActions: props.rowActions !== undefined,
  });
  const [margin, body] = useDistanceFromTop();
  const rowKeys = useRowKeys(list.query);
  const count = list.total ?? placeholderRows;
  const { getItemKey: getRowKey } = rowKeys;
  // Cards have other heights than rows, so they have other keys, below which the virtualizer stores the heights.
  const getItemKey = useCallback(
    (index: number) => `${isCards ? 'card' : 'row'} ${getRowKey(index)}`,
    [isCards, getRowKey],
  );
  const virtualizer = useWindowVirtualizer({
    count,
    estimateSize: () => rowHeight,
    overscan: 4,
    getItemKey,
    scrollMargin: margin,
  });
  const virtualRows = virtualizer.getVirtualItems();
  // The first page comes from the list's own query, because `useQueries` can't keep the previous rows while a
  // filter loads.
  const offsets = [...new Set(virtualRows.map(({ index }) => index - (index % pageSize)))].filter(
    (offset) => offset > 0,
  );
  const pages = useQueries({
    queries: offsets.map((offset) => list.pageQuery(offset)),
  });
  rowKeys.update([
    [0, list.firstPage?.items],
    ...offsets.map((offset, index) => [offset, pages[index]?.data?.items] as const),
  ]);
  const { selection } = props;
  /**
   * ID of the item whose checkbox was toggled last. Shift-clicking another checkbox also toggles all rows in
   * between.
   */
  const lastToggled = useRef<number | null>(null);
  const toggle = async (index: number, id: RowId, isRange: boolean) => {
    if (typeof id !== 'number') return;
    const ids = new Set(selection?.ids);
    const isSelected = !ids.delete(id);
    if (isSelected) ids.add(id);
    const from = isRange && lastToggled.current !== null ? rowKeys.indexOf(lastToggled.current) : undefined;
    lastToggled.current = id;
    if (from !== undefined)
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
  // Use a stable function, because a new one would rerender every row on each scroll.
  const onToggle = useCallback<OnToggle>(
    (index, id, isRange) => void latestToggle.current(index, id, isRange).catch(showError),
    [],
  );
  const itemAt = (index: number): Item | undefined =>
    index < pageSize
      ? list.firstPage?.items[index]
      : pages[offsets.indexOf(index - (index % pageSize))]?.data?.items[index % pageSize];

  const printed = usePrintedRows(list);
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
  const rowOf = (item: Item | undefined, index: number) => (
    <Row
      columns={columns}
      rowLink={props.rowLink}
      rowActions={props.rowActions}
      item={item}
      index={index}
      isSelected={selection && item && isAmong(selection.ids, item.id)}
      onToggle={onToggle}
    />
  );
  return (
    <Box>
      {list.error && <ErrorNotice error={list.error} retry={list.retry} />}
      <div
        role="table"
        aria-label={name}
        aria-rowcount={(list.total ?? 0) + 1}
        aria-busy={list.isFetching}
        className={classes.table}
        {...table}
      >
        <div role="rowgroup" className={classes.head}>
          <Header
            {...props}
            columns={columns}
            isCards={isCards}
            loaded={virtualRows.map(({ index }) => itemAt(index)).filter((item) => item !== undefined)}
          />
        </div>
        <div
          role="rowgroup"
          ref={body}
          style={printed.rows === null ? { height: virtualizer.getTotalSize(), position: 'relative' } : {}}
        >
          {printed.rows === null
            ? virtualRows.map(({ index, start, key }) => (
                <div
                  key={key}
                  data-index={index}
                  ref={virtualizer.measureElement}
                  role="row"
                  aria-rowindex={index + 2}
                  className={classes.row}
                  style={{ transform: `translateY(${start - margin}px)` }}
                >
                  {rowOf(itemAt(index), index)}
                </div>
              ))
            : printed.rows.map((item, index) => (
                // Printed rows are separate elements, because the virtualizer measures the height of the rows on
                // screen.
                <div key={`printed ${item.id}`} role="row" className={`${classes.row} ${classes.shortRow}`}>
                  {rowOf(item, index)}
                </div>
              ))}
        </div>
      </div>
      {printed.rows !== null && printed.rows.length < (list.total ?? 0) && (
        <Text size="sm" mt="xs">
          {`The first ${formatCount(printed.rows.length)} rows. `}
          {printed.rows.length < maxPrintedRows &&
            `To print up to ${formatCount(maxPrintedRows)}, select Print below the list. `}
          Export CSV includes all rows.
        </Text>
      )}
      <Group justify="space-between" mt="xs">
        <Text size="sm" c="var(--text-muted)" aria-live="polite">
          {list.total === undefined
            ? 'Loading…'
            : `${list.totalIsExact ? '' : 'more than '}${list.total.toLocaleString('en')} ${list.total === 1 ? singularOf(name) : name}`}
          {!list.totalIsExact &&
            `. The first ${formatCount(list.total ?? 0)} are listed. Filter or sort the list to see others.`}
        </Text>
        <Group gap="lg">
          <Button
            variant="subtle"
            size="compact-sm"
            leftSection={<IconPrinter size={14} />}
            loading={printed.isReading}
            onClick={() => void printed.print()}
          >
            Print
          </Button>
          {props.downloads}
          <DownloadCsv list={list} columns={props.columns} name={name} />
        </Group>
      </Group>
    </Box>
  );
}

const isAmong = (ids: ReadonlySet<number>, id: RowId) => typeof id === 'number' && ids.has(id);

/** Returns the IDs of all items between two rows, including items on pages that aren't visible. */
async function idsBetween(list: List<{ id: RowId }>, one: number, other: number): Promise<number[]> {
  const [from, to] = one < other ? [one, other] : [other, one];
  const ids: number[] = [];
  for (let offset = from - (from % pageSize); offset <= to; offset += pageSize) {
    const { items } = await queryClient.fetchQuery(list.pageQuery(offset));
    const between = items.slice(Math.max(0, from - offset), to - offset + 1);
    ids.push(...between.flatMap(({ id }) => (typeof id === 'number' ? id : [])));
  }
  return ids;
}

function Header<Item extends { id: RowId }>({
  columns,
  list,
  selection,
  rowActions,
  loaded,
  isCards,
}: ResourceListProps<Item> & { loaded: readonly Item[]; isCards: boolean }) {
  const allSelected = loaded.length > 0 && loaded.every(({ id }) => selection && isAmong(selection.ids, id));
  return (
    <div role="row" aria-rowindex={1} className={classes.headRow}>
      {selection && (
        <span role="columnheader">
          <SelectBox
            label="Select visible rows"
            isChecked={allSelected}
            isIndeterminate={!allSelected && selection.ids.size > 0}
            onChange={() => {
              const ids = new Set(selection.ids);
              for (const { id } of loaded) {
                if (typeof id !== 'number') continue;
                if (allSelected) ids.delete(id);
                else ids.add(id);
              }
              selection.set(ids);
            }}
          />
        </span>
      )}
      {isCards && <SortSelect columns={columns} list={list} />}
      {!isCards &&
        columns.map(({ header, sort, sortsHighestFirst = false, align }) => {
          const isSorted = sort !== undefined && list.sort === sort;
          const isReversed = sort !== undefined && list.sort === `-${sort}`;
          const direction =
            isSorted || isReversed
              ? isSorted === sortsHighestFirst
                ? 'descending'
                : 'ascending'
              : undefined;
          return (
            <span key={header} role="columnheader" aria-sort={direction} data-align={align}>
              {sort ? (
                <UnstyledButton
                  className={classes.sort}
                  onClick={() => list.setSearch({ sort: isSorted ? `-${sort}` : sort })}
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

/** Select for the sort order of cards, which have no headings to click. */
function SortSelect<Item extends { id: RowId }>({
  columns,
  list,
}: Pick<ResourceListProps<Item>, 'columns' | 'list'>) {
  const options = columns.flatMap(({ header, sort, sortsHighestFirst = false }) =>
    sort === undefined
      ? []
      : [
          { value: sort, label: `Sort: ${header} ${sortsHighestFirst ? '↓' : '↑'}` },
          { value: `-${sort}`, label: `Sort: ${header} ${sortsHighestFirst ? '↑' : '↓'}` },
        ],
  );
  if (options.length === 0) return null;
  const isKnown = options.some(({ value }) => value === list.sort);
  return (
    <span role="columnheader">
      <NativeSelect
        aria-label="Sort"
        size="xs"
        data={isKnown ? options : [{ value: '', label: 'Sort: default' }, ...options]}
        value={isKnown ? (list.sort ?? '') : ''}
        onChange={({ currentTarget: { value } }) => list.setSearch({ sort: value || undefined })}
      />
    </span>
  );
}

interface RowProps<Item> {
  columns: readonly Column<Item>[];
  rowLink: ((item: Item) => PageLink) | undefined;
  rowActions: ((item: Item) => React.ReactNode) | undefined;
  item: Item | undefined;
  index: number;
  /** True if the row is selected. Undefined if rows can't be selected. */
  isSelected: boolean | undefined;
  onToggle: OnToggle;
}

/**
 * Memoized row. Scrolling doesn't rerender rows that stay visible, and a selection rerenders only the
 * checkboxes that change.
 */
const Row = memo(RowOfList) as typeof RowOfList;
const Cells = memo(CellsOfRow) as typeof CellsOfRow;
const Actions = memo(ActionsOfRow) as typeof ActionsOfRow;

function RowOfList<Item extends { id: RowId }>({
  columns,
  rowLink,
  rowActions,
  item,
  index,
  isSelected,
  onToggle,
}: RowProps<Item>) {
  if (!item) {
    return columns.map(({ header }) => (
      <span key={header} role="cell">
        <Skeleton height={12} my={5} />
      </span>
    ));
  }
  const name = columns[0]?.csv?.(item);
  return (
    <>
      {isSelected !== undefined && (
        <span role="cell" className={classes.above} data-edge>
          <SelectBox
            label={`Select ${typeof name === 'string' ? name : item.id}`}
            isChecked={isSelected}
            onChange={(isRange) => onToggle(index, item.id, isRange)}
          />
        </span>
      )}
      <Cells columns={columns} item={item} rowLink={rowLink} />
      {rowActions && <Actions item={item} rowActions={rowActions} />}
    </>
  );
}

function CellsOfRow<Item>({
  columns,
  item,
  rowLink,
}: {
  columns: readonly Column<Item>[];
  item: Item;
  rowLink: ((item: Item) => PageLink) | undefined;
}) {
  return (
    <>
      {columns.map((column, index) => (
        <DataCell
          key={column.header}
          column={column}
          item={item}
          isFirst={index === 0}
          link={index === 0 ? rowLink?.(item) : null}
        />
      ))}
    </>
  );
}

function ActionsOfRow<Item>({
  item,
  rowActions,
}: {
  item: Item;
  rowActions: (item: Item) => React.ReactNode;
}) {
  return (
    <span role="cell" className={classes.above} data-edge>
      {rowActions(item)}
    </span>
  );
}
