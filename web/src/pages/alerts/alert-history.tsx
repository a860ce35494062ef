import type { Schemas } from '../../../../src/generated/client-api.ts';
import { lagText } from '../../components/behind-by.ts';
import { behindOf, useRuleTypes } from '../software/fleet-columns.tsx';
import { History } from '../software/history.tsx';

/** Shows deployed versions and releases on one timeline. */
export function AlertHistory({ config }: { config: Schemas['AlertConfig'] }) {
  const ruleTypes = useRuleTypes();
  return <History config={config} lag={lagText(behindOf(config, ruleTypes), config.rule_type)} />;
}
