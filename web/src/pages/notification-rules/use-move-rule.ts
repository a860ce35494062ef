import { useMutation } from '@tanstack/react-query';
import type { Schemas } from '../../../../src/generated/client-api.ts';
import { queryClient } from '../../api/query-client.ts';
import { api } from '../../api/session.ts';
import { showError } from '../../api/use-action.ts';
import { planMove } from './plan-move.ts';

/** Moves a rule before or behind its neighbour. Where several change, one after the other. */
export function useMoveRule(rules: readonly Schemas['NotificationRule'][]) {
  return useMutation({
    mutationFn: async ({ id, direction }: { id: number; direction: 'up' | 'down' }) => {
      for (const { id: ruleId, priority } of planMove(rules, id, direction)) {
        await api.call('updateNotificationRule', { path: { id: ruleId }, body: { priority } });
      }
    },
    onError: showError,
    onSettled: () => queryClient.invalidateQueries(),
  });
}
