import { QueryClient } from '@tanstack/react-query';
import { ApiCallError } from './session.ts';

/**
 * Query cache of the UI. Cached results stay visible during a refetch. The event stream triggers refetches of
 * changes made elsewhere.
 */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 10_000,
      retry: (failures, error) => failures < 3 && isTransient(error),
      retryDelay: (failures) => Math.min(500 * 2 ** failures, 5_000),
      networkMode: 'always',
    },
    mutations: { networkMode: 'always' },
  },
});

/** Returns true if a retry can succeed. */
function isTransient(error: Error): boolean {
  if (!(error instanceof ApiCallError)) return false;
  return error.code === 'no_answer' || error.code === 'unavailable' || error.code === 'rate_limited';
}
