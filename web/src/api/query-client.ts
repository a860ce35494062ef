import { QueryClient } from '@tanstack/react-query';
import { ApiCallError } from './session.ts';

/** What was read stays shown while it is read again; what changes elsewhere is told by the server. */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 10_000,
      retry: (failures, error) => failures < 3 && isPassing(error),
      retryDelay: (failures) => Math.min(500 * 2 ** failures, 5_000),
      networkMode: 'always',
    },
    mutations: { networkMode: 'always' },
  },
});

/** Whether trying again may help. */
function isPassing(error: Error): boolean {
  if (!(error instanceof ApiCallError)) return false;
  return error.code === 'no_answer' || error.code === 'unavailable' || error.code === 'rate_limited';
}
