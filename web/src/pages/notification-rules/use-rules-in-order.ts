import { useQuery } from '@tanstack/react-query';
import type { Schemas } from '../../../../src/generated/client-api.ts';
import { api } from '../../api/session.ts';

const perRequest = 200;
/** More would be no list that anybody reads; it says so then. */
const maxRules = 1_000;

export interface RulesInOrder {
  rules: Schemas['NotificationRule'][];
  isComplete: boolean;
}

/** All notification rules in the order in which they are asked. */
export function useRulesInOrder({ enabled = true }: { enabled?: boolean } = {}) {
  return useQuery({
    enabled,
    // The name of the operation first: what changes elsewhere is read again by it.
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
