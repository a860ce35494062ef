import { useQuery } from '@tanstack/react-query';
import type { Schemas } from '../../../../src/generated/client-api.ts';
import { api } from '../../api/session.ts';

const perRequest = 200;
/** Maximum number of rules to load. If there are more, `isComplete` is false. */
const maxRules = 1_000;

export interface RulesInOrder {
  rules: Schemas['NotificationRule'][];
  isComplete: boolean;
}

/** Returns all notification rules in evaluation order. */
export function useRulesInOrder({ enabled = true }: { enabled?: boolean } = {}) {
  return useQuery({
    enabled,
    // The key starts with the name of the operation, because change events invalidate queries by operation.
    queryKey: ['listNotificationRules', 'in order'],
    queryFn: async ({ signal }): Promise<RulesInOrder> => {
      const rules: Schemas['NotificationRule'][] = [];
      for (;;) {
        const query = { sort: 'priority', limit: perRequest, offset: rules.length } as const;
        const { items } = await api.call('listNotificationRules', { query, signal });
        rules.push(...items);
        if (items.length < perRequest) return { rules, isComplete: true };
        if (rules.length >= maxRules) return { rules, isComplete: false };
      }
    },
  });
}
