import { useQuery } from '@tanstack/react-query';
import type { Schemas } from '../../../../src/generated/client-api.ts';
import { readPages } from '../../api/read-pages.ts';
import { api } from '../../api/session.ts';

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
      const { items, isCut } = await readPages(
        (page) => api.call('listNotificationRules', { query: { ...page, sort: 'priority' }, signal }),
        { maxItems: maxRules },
      );
      return { rules: items, isComplete: !isCut };
    },
  });
}
