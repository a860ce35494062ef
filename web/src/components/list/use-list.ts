import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { type RegisteredRouter, type RouteIds, useNavigate, useSearch } from '@tanstack/react-router';
import { useCallback, useMemo } from 'react';
import {
  type FilterOf,
  type ItemOf,
  type ListOperationId,
  type PageOf,
  type PathOfList,
  type QueryOf,
  readPage,
  type SortOf,
} from './read-page.ts';

export const pageSize = 50;
type Search = Readonly<Record<string, string | undefined>>;

export interface ListOptions<Id extends ListOperationId> {
  /** Route of the list page, whose URL contains the filters. */
  from: RouteIds<RegisteredRouter['routeTree']>;
  /** Query parameters that users can set. The URL of the page uses the same names. */
  filters: readonly FilterOf<Id>[];
  /** Default sort order, if the list has `sort`. */
  sort?: SortOf<Id>;
  /** Query parameters that are always sent, regardless of the URL. */
  fixed?: Partial<QueryOf<Id>>;
  path?: PathOfList;
  enabled?: boolean;
}

export interface List<Item> {
  /** Query of the request: filters from the URL, sort order, and fixed parameters. */
  query: Readonly<Record<string, unknown>>;
  sort: string | undefined;
  search: Search;
  /** Updates filters or the sort order in the URL. Empty values are removed. */
  setSearch(changes: Search): void;
  /** Names of the filters. */
  filters: readonly string[];
  isFiltered: boolean;
  /** Total of the last response. Undefined until the first response. */
  total: number | undefined;
  /** Page that `total` comes from. */
  firstPage: PageOf<Item> | undefined;
  totalIsExact: boolean;
  error: Error | null;
  isFetching: boolean;
  retry(): void;
  /** Returns the query for the page that starts at `offset`. */
  pageQuery(
    offset: number,
    limit?: number,
  ): {
    queryKey: readonly unknown[];
    queryFn: (context: { signal: AbortSignal }) => Promise<PageOf<Item>>;
  };
}

/**
 * Reads a list of the API. Filters and sort order are part of the URL, so a shared link shows the same list.
 */
export function useList<Id extends ListOperationId>(
  operationId: Id,
  options: ListOptions<Id>,
): List<ItemOf<Id>> {
  const search: Search = useSearch({ from: options.from });
  const navigate = useNavigate();
  const { filters, fixed, path } = options;
  const sort = search.sort ?? options.sort;
  const activeFilters = filters.filter((name) => search[name] !== undefined && search[name] !== '');
  const queryJson = JSON.stringify({
    ...Object.fromEntries(activeFilters.map((name) => [name, search[name]])),
    ...(sort !== undefined && { sort }),
    ...fixed,
  });
  const query = useMemo(() => JSON.parse(queryJson) as Record<string, unknown>, [queryJson]);
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
    isFiltered: activeFilters.length > 0,
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
  path: PathOfList | undefined,
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
