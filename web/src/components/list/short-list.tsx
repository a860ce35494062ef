import { Skeleton, Text, VisuallyHidden } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import type { PageLink } from '../../ui/links.tsx';
import { ErrorNotice } from '../error-notice.tsx';
import { DataCell } from './data-cell.tsx';
import { type ItemOf, type ListOperationId, readPage } from './read-page.ts';
import classes from './resource-list.module.css';
import type { Column, Selection } from './resource-list.tsx';
import { SelectBox } from './select-box.tsx';
import { ShowMoreButton } from './show-more-button.tsx';
import { useTableLayout } from './use-table-layout.ts';

/**
 * Table with the first rows of a related list within a resource's page, such as its runs or releases. A
 * button loads more rows. The table has no filters in the URL and doesn't scroll separately.
 */
export function ShortList<Id extends ListOperationId>({
  operationId,
  path,
  query,
  columns,
  name,
  rowKey,
  rowLink,
  empty,
  size = 10,
}: {
  operationId: Id;
  path?: { id: number };
  query?: Readonly<Record<string, unknown>>;
  columns: readonly Column<ItemOf<Id>>[];
  /** Plural noun for the rows, for screen readers. */
  name: string;
  rowKey: (item: ItemOf<Id>) => React.Key;
  rowLink?: (item: ItemOf<Id>) => PageLink | null;
  empty: React.ReactNode;
  /** Number of rows per request. */
  size?: number;
}) {
  const read = useInfiniteQuery({
    queryKey: [operationId, 'short', path?.id ?? null, query ?? null, size],
    queryFn: ({ pageParam: offset, signal }) =>
      readPage(operationId, { path, query: { ...query, limit: size, offset }, signal }),
    initialPageParam: 0,
    getNextPageParam: (last, pages) => {
      const count = pages.reduce((sum, { items }) => sum + items.length, 0);
      return count < last.total && last.items.length > 0 ? count : undefined;
    },
    placeholderData: (previous) => previous,
  });
  if (!read.data && read.error) return <ErrorNotice error={read.error} retry={() => void read.refetch()} />;
  if (!read.data) return <Skeleton height={size * 12} role="status" aria-label="Loading" />;
  const items = read.data.pages.flatMap((page) => page.items);
  const total = read.data.pages.at(-1)?.total ?? 0;
  if (items.length === 0) {
    return (
      <Text size="sm" c="var(--text-muted)">
        {empty}
      </Text>
    );
  }
  return (
    <>
      <RowsTable items={items} columns={columns} name={name} rowKey={rowKey} rowLink={rowLink} />
      <ShowMoreButton query={read} total={total} shown={items.length} />
    </>
  );
}

/** Table of rows that are already loaded. */
export function RowsTable<Item>({
  items,
  columns: all,
  name,
  rowKey,
  rowLink,
  rowActions,
  selection,
}: {
  items: readonly Item[];
  columns: readonly Column<Item>[];
  /** Plural noun for the rows, for screen readers. */
  name: string;
  rowKey: (item: Item) => React.Key;
  rowLink?: ((item: Item) => PageLink | null) | undefined;
  /** Renders the menu at the end of a row. */
  rowActions?: (item: Item) => React.ReactNode;
  /** Selects rows by the ID that `idOf` returns. */
  selection?: (Selection & { idOf: (item: Item) => number }) | undefined;
}) {
  const { columns, table } = useTableLayout(all, {
    hasCheckbox: selection !== undefined,
    hasActions: rowActions !== undefined,
  });
  return (
    <div role="table" aria-label={name} className={classes.table} {...table}>
      <div role="rowgroup" className={classes.shortHead}>
        <div role="row" className={classes.headRow}>
          {selection && (
            <span role="columnheader">
              <SelectAll selection={selection} ids={items.map(selection.idOf)} name={name} />
            </span>
          )}
          {columns.map(({ header, align }) => (
            <span key={header} role="columnheader" data-align={align}>
              {header}
            </span>
          ))}
          {rowActions && (
            <span role="columnheader">
              <VisuallyHidden>Actions</VisuallyHidden>
            </span>
          )}
        </div>
      </div>
      <div role="rowgroup">
        {items.map((item) => (
          <div key={rowKey(item)} role="row" className={`${classes.row} ${classes.shortRow}`}>
            {selection && (
              <span role="cell" className={classes.above} data-edge>
                <SelectBox
                  label={`Select ${nameOf(columns[0], item) ?? selection.idOf(item)}`}
                  isChecked={selection.ids.has(selection.idOf(item))}
                  onChange={() => selection.set(toggled(selection.ids, [selection.idOf(item)]))}
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
          </div>
        ))}
      </div>
    </div>
  );
}

/** Returns the name of a row, which is the text of its first column. */
function nameOf<Item>(column: Column<Item> | undefined, item: Item): string | null {
  const name = column?.csv?.(item);
  return typeof name === 'string' ? name : null;
}

/** Checkbox that selects all rows of a table, or deselects them if all are selected. */
function SelectAll({ selection, ids, name }: { selection: Selection; ids: readonly number[]; name: string }) {
  const count = ids.filter((id) => selection.ids.has(id)).length;
  return (
    <SelectBox
      label={`Select all ${name}`}
      isChecked={count === ids.length}
      isIndeterminate={count > 0 && count < ids.length}
      onChange={() => selection.set(toggled(selection.ids, ids))}
    />
  );
}

/** Returns the selection with the rows added, or without them if all are selected. */
function toggled(selected: ReadonlySet<number>, ids: readonly number[]): Set<number> {
  const rows = new Set(ids);
  const others = [...selected].filter((id) => !rows.has(id));
  return ids.every((id) => selected.has(id)) ? new Set(others) : new Set([...others, ...ids]);
}
