import { useDebouncedValue } from '@mantine/hooks';
import type { Schemas } from '../../../../src/generated/client-api.ts';
import { useApi } from '../../api/use-api.ts';

export type SimulationSubject =
  | { readonly kind: 'rule'; readonly body: Schemas['SimulateRuleRequest'] }
  | { readonly kind: 'alert_config'; readonly body: Schemas['SimulateAlertConfigRequest'] };

/** Debounce window, so that several key presses start only one simulation. */
const debounceMs = 400;

/**
 * Simulates a rule or monitor. The previous result stays until the next one arrives.
 * @param simulated Null while the form is incomplete.
 */
export function useHistorySimulation(simulated: SimulationSubject | null) {
  const text = JSON.stringify(simulated);
  const [settledText] = useDebouncedValue(text, debounceMs);
  const settled = JSON.parse(settledText) as SimulationSubject | null;
  const ofRule = settled?.kind === 'rule' ? settled.body : null;
  const ofConfig = settled?.kind === 'alert_config' ? settled.body : null;
  const rule = useApi('simulateRule', ofRule === null ? undefined : { body: ofRule }, {
    enabled: ofRule !== null,
    keepPrevious: true,
  });
  const config = useApi('simulateAlertConfig', ofConfig === null ? undefined : { body: ofConfig }, {
    enabled: ofConfig !== null,
    keepPrevious: true,
  });
  const query = simulated?.kind === 'alert_config' ? config : rule;
  return { result: query.data, error: query.error, isPending: settledText !== text || query.isFetching };
}
