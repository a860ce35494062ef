import { keepPreviousData, useQueries, useQuery } from '@tanstack/react-query';
import type { Schemas } from '../../../../src/generated/client-api.ts';
import { apiQuery } from '../../api/use-api.ts';

const perRequest = 200;
/** Maximum number of requests for loading all software. */
const mostRequests = 10;

export interface AllSoftware {
  items: readonly Schemas['SoftwareItem'][];
  /** True if all matching software is loaded. False while loading. */
  isWhole: boolean;
  isLoading: boolean;
  error: Error | null;
}

/** Returns all matching software in the order of the query, up to a limit. */
export function useAllSoftware(query: Readonly<Record<string, unknown>>): AllSoftware {
  const pageAt = (offset: number) => ({
    ...apiQuery('listSoftware', { query: { ...query, limit: perRequest, offset } }),
    placeholderData: keepPreviousData,
  });
  const first = useQuery(pageAt(0));
  const total = first.data?.total ?? 0;
  const requests = Math.min(mostRequests, Math.ceil(total / perRequest));
  const others = useQueries({
    queries: Array.from({ length: Math.max(0, requests - 1) }, (_, index) =>
      pageAt((index + 1) * perRequest),
    ),
  });
  const items = [first, ...others].flatMap(({ data }) => data?.items ?? []);
  const isLoading = first.isLoading || others.some((other) => other.isLoading);
  return {
    items,
    isLoading,
    isWhole: first.data !== undefined && !isLoading && items.length >= total,
    error: first.error ?? others.find(({ error }) => error !== null)?.error ?? null,
  };
}
