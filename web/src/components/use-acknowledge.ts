import { useMutation } from '@tanstack/react-query';
import type { Schemas } from '../../../src/generated/client-api.ts';
import { queryClient } from '../api/query-client.ts';
import { api } from '../api/session.ts';
import { showError } from '../api/use-action.ts';
import { showUndoable } from './show-undoable.tsx';

type Alert = Schemas['Alert'];
type Status = Exclude<Alert['status'], 'resolved'>;

/** Filter for all cached queries that contain alerts. */
const alertQueries = {
  predicate: ({ queryKey }: { queryKey: readonly unknown[] }) => isOfAlerts(queryKey[0]),
};
const isOfAlerts = (operationId: unknown) => operationId === 'listAlerts' || operationId === 'getAlert';

/**
 * Returns a mutation that acknowledges an alert or removes the acknowledgment. The new status appears
 * immediately, because the server rarely rejects the change. If the request fails, the previous data is
 * restored and the error is shown. Otherwise, a notification offers to undo the change.
 */
export function useAcknowledge() {
  const mutation = useMutation({
    mutationFn: ({ id, to }: { id: number; to: Status; isUndo?: boolean }) =>
      to === 'acknowledged'
        ? api.call('acknowledgeAlert', { path: { id } })
        : api.call('unacknowledgeAlert', { path: { id } }),
    onMutate: async ({ id, to }) => {
      await queryClient.cancelQueries(alertQueries);
      const before = queryClient.getQueriesData(alertQueries);
      queryClient.setQueriesData(alertQueries, (data: unknown) => withStatus(data, id, to));
      return before;
    },
    onSuccess: (_alert, { id, to, isUndo = false }) => {
      const before = to === 'acknowledged' ? 'unacknowledged' : 'acknowledged';
      showUndoable({
        id: `acknowledged-alert-${id}`,
        message: `Alert ${to}`,
        undo: isUndo ? undefined : () => mutation.mutate({ id, to: before, isUndo: true }),
      });
    },
    onError: (error, _, before) => {
      for (const [key, data] of before ?? []) queryClient.setQueryData(key, data);
      showError(error);
    },
    onSettled: () => queryClient.invalidateQueries(),
  });
  return mutation;
}

/** Returns a copy of a cached response in which one alert has a different status. */
export function withStatus(data: unknown, id: number, to: Status): unknown {
  if (isPage(data)) return { ...data, items: data.items.map((item) => withStatus(item, id, to)) };
  if (!isAlert(data) || data.id !== id || data.status === 'resolved') return data;
  return { ...data, status: to, acknowledged_at: null, acknowledged_by: null };
}

function isPage(data: unknown): data is { items: unknown[] } {
  return typeof data === 'object' && data !== null && 'items' in data && Array.isArray(data.items);
}

function isAlert(data: unknown): data is Alert {
  return typeof data === 'object' && data !== null && 'discovered_version' in data;
}
