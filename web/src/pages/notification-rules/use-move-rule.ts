import { notifications } from '@mantine/notifications';
import { useMutation } from '@tanstack/react-query';
import type { Schemas } from '../../../../src/generated/client-api.ts';
import { isOutdated } from '../../api/describe-error.ts';
import { queryClient } from '../../api/query-client.ts';
import { api } from '../../api/session.ts';
import { showError } from '../../api/use-action.ts';
import { ifMatchOf } from '../../components/edited.tsx';
import { planMove } from './plan-move.ts';

/**
 * Returns a mutation that moves a rule before or after its neighbor. If several rules change, they're updated
 * one after another.
 */
export function useMoveRule(rules: readonly Schemas['NotificationRule'][]) {
  return useMutation({
    mutationFn: async ({ id, direction }: { id: number; direction: 'up' | 'down' }) => {
      for (const { id: ruleId, priority } of planMove(rules, id, direction)) {
        const rule = rules.find((each) => each.id === ruleId);
        await api.call('updateNotificationRule', {
          path: { id: ruleId },
          body: { priority },
          ...(rule && ifMatchOf(rule)),
        });
      }
    },
    onError: (error) => {
      if (!isOutdated(error)) return showError(error);
      notifications.show({
        title: 'Rule not moved',
        message:
          'Someone else updated the rules after you opened this page. Check the current order, then try again.',
        color: 'red',
        autoClose: 12_000,
      });
    },
    // The mutation stays pending until the rules are refetched, because the cached revisions are outdated
    // until then.
    onSettled: () => queryClient.invalidateQueries(),
  });
}
