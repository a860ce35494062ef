import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { type RegisteredRouter, type RouteIds, useNavigate, useSearch } from '@tanstack/react-router';
import { useCallback, useMemo } from 'react';
import { type ItemOf, type ListOperationId, type PageOf, readPage } from './read-page.ts';

export const pageSize = 50;
type Search = Readonly<Record<string, string | undefined>>;

export interface ListOptions {
  /** The page of the list, which has the filters in its URL. */
  from: RouteIds<RegisteredRouter['routeTree']>;
  /** The query parameters that people may set; they stand in the address of the page under the same names. */
  filters: readonly string[];
  /** The order when none is chosen, where the list has `sort`. */
  sort?: string;
  /** Always asked for, whatever the address says. */
  fixed?: Readonly<Record<string, string | number | boolean>>;
  path?: { id: number };
  enabled?: boolean;
}

export interface List<Item> {
  /** What is asked for: the filters of the address, the order, what is fixed. */
  query: Readonly<Record<string, unknown>>;
  sort: string | undefined;
  search: Search;
  /** Changes filters or order in the address; empty ones leave it. */
  setSearch(changes: Search): void;
  /** The names of its filters. */
  filters: readonly string[];
  isFiltered: boolean;
  /** Of what was read last; undefined before. */
  total: number | undefined;
  /** The page that `total` comes from. */
  firstPage: PageOf<Item> | undefined;
  totalIsExact: boolean;
  error: Error | null;
  isFetching: boolean;
  retry(): void;
  /** How the page that begins at `offset` is read. */
  pageQuery(
    offset: number,
    limit?: number,
  ): {
    queryKey: readonly unknown[];
    queryFn: (context: { signal: AbortSignal }) => Promise<PageOf<Item>>;
  };
}

/** A list of the contract whose filters and order live in the address, so that a link shows the same to others. */
export function useList<Id extends ListOperationId>(operationId: Id, options: ListOptions): List<ItemOf<Id>> {
  const search: Search = useSearch({ from: options.from });
  const navigate = useNavigate();
  const { filters, fixed, path } = options;
  const sort = search.sort ?? options.sort;
  const chosen = filters.filter((name) => search[name] !== undefined && search[name] !== '');
  const asked = JSON.stringify({
    ...Object.fromEntries(chosen.map((name) => [name, search[name]])),
    ...(sort !== undefined && { sort }),
    ...fixed,
  });
  const query = useMemo(() => JSON.parse(asked) as Record<string, unknown>, [asked]);
  const first = useQuery({
    ...pageQuery(operationId, path, query, 0),
    placeholderData: keepPreviousData,
    enabled: options.enabled ?? true,
  });
  const setSearch = useCallback(
    (changes: Search) => {
      const next = Object.fromEntries(Object.entries({ ...search, ...changes }).filter(([, value]) => value));
      void navigate({ to: '.', search: next, replace: true, resetScroll: false });
    },
    [navigate, search],
  );
  return {
    query,
    sort,
    search,
    setSearch,
    filters,
    isFiltered: chosen.length > 0,
    total: first.data?.total,
    firstPage: first.data,
    totalIsExact: first.data?.total_is_exact ?? true,
    error: first.error,
    isFetching: first.isFetching,
    retry: () => void first.refetch(),
    pageQuery: (offset, limit) => pageQuery(operationId, path, query, offset, limit),
  };
}

function pageQuery<Id extends ListOperationId>(
  operationId: Id,
  path: { id: number } | undefined,
  query: Readonly<Record<string, unknown>>,
  offset: number,
  limit = pageSize,
) {
  const input = { ...(path && { path }), query: { ...query, limit, offset } };
  return {
    queryKey: [operationId, input],
    queryFn: ({ signal }: { signal: AbortSignal }) => readPage(operationId, { ...input, signal }),
  };
}
