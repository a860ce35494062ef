import { keepPreviousData, useQueries, useQuery } from '@tanstack/react-query';
import type { Schemas } from '../../../../src/generated/client-api.ts';
import { apiQuery } from '../../api/use-api.ts';

type Config = Schemas['AlertConfig'];

const perRequest = 200;
/** More than these are not read for the sake of groups and of what is not compared yet. */
const mostRequests = 10;
const minuteMs = 60_000;

export interface WholeFleet {
  configs: readonly Config[];
  /** Whether that is all there is; false also while it is being read. */
  isWhole: boolean;
  isLoading: boolean;
  error: Error | null;
}

/**
 * Every configuration that matches, by name, as far as there are not too many.
 * @param isLive reads all of it again whenever one changes: only for what shows them all. Otherwise once a minute.
 */
export function useFleet(query: Readonly<Record<string, unknown>>, isLive: boolean): WholeFleet {
  const pageAt = (offset: number) => {
    const configs = (...before: string[]) =>
      apiQuery(
        'listAlertConfigs',
        { query: { sort: 'name', ...query, limit: perRequest, offset } },
        ...before,
      );
    // Change events match queries by the operation, so it must be first in the key.
    return isLive
      ? { ...configs(), placeholderData: keepPreviousData }
      : {
          ...configs('wholeFleet'),
          staleTime: minuteMs,
          refetchInterval: minuteMs,
        };
  };
  const first = useQuery(pageAt(0));
  const total = first.data?.total ?? 0;
  const requests = Math.min(mostRequests, Math.ceil(total / perRequest));
  const others = useQueries({
    queries: Array.from({ length: Math.max(0, requests - 1) }, (_, index) =>
      pageAt((index + 1) * perRequest),
    ),
  });
  const configs = [first, ...others].flatMap(({ data }) => data?.items ?? []);
  const isLoading = first.isLoading || others.some((other) => other.isLoading);
  return {
    configs,
    isLoading,
    isWhole: first.data !== undefined && !isLoading && configs.length >= total,
    error: first.error ?? others.find(({ error }) => error !== null)?.error ?? null,
  };
}
