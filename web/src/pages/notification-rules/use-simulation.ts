import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { Schemas } from '../../../../src/generated/client-api.ts';
import { api } from '../../api/session.ts';

export type SimulatedAlert = Schemas['SimulateNotificationRuleRequest'];
type Results = ReadonlyMap<number, Schemas['NotificationRuleSimulationResult']>;

const concurrency = 4;

/**
 * Simulates each rule with an alert. Nothing is sent.
 * @param alert Alert to simulate. With `null`, no simulation runs.
 */
export function useSimulation(
  rules: readonly Schemas['NotificationRule'][],
  alert: SimulatedAlert | null,
  settings: Schemas['NotificationSettings'] | undefined,
) {
  return useQuery({
    queryKey: [
      'simulateNotificationRule',
      alert,
      settings?.default_channel_id,
      rules.map(({ id, updated_at }) => `${id} ${updated_at}`),
    ],
    enabled: alert !== null,
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }): Promise<Results> => {
      const results = new Map<number, Schemas['NotificationRuleSimulationResult']>();
      const waiting = [...rules];
      const worker = async () => {
        for (let rule = waiting.shift(); rule && alert; rule = waiting.shift()) {
          const input = { path: { id: rule.id }, body: alert, signal };
          results.set(rule.id, await api.call('simulateNotificationRule', input));
        }
      };
      await Promise.all(Array.from({ length: concurrency }, worker));
      return results;
    },
  });
}
