import { Button, Skeleton, Text, VisuallyHidden } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import type { PageLink } from '../../ui/links.tsx';
import { ErrorNotice } from '../error-notice.tsx';
import { DataCell } from './data-cell.tsx';
import { type ItemOf, type ListOperationId, readPage } from './read-page.ts';
import classes from './resource-list.module.css';
import type { Column } from './resource-list.tsx';
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
      {read.hasNextPage && (
        <Button
          variant="subtle"
          size="compact-sm"
          mt="xs"
          loading={read.isFetchingNextPage}
          onClick={() => void read.fetchNextPage()}
        >
          Show more of {total.toLocaleString('en')}
        </Button>
      )}
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
}: {
  items: readonly Item[];
  columns: readonly Column<Item>[];
  /** Plural noun for the rows, for screen readers. */
  name: string;
  rowKey: (item: Item) => React.Key;
  rowLink?: ((item: Item) => PageLink | null) | undefined;
  /** Renders the menu at the end of a row. */
  rowActions?: (item: Item) => React.ReactNode;
}) {
  const { columns, table } = useTableLayout(all, { hasActions: rowActions !== undefined });
  return (
    <div role="table" aria-label={name} className={classes.table} {...table}>
      <div role="rowgroup" className={classes.shortHead}>
        <div role="row" className={classes.headRow}>
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
