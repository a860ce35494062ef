import { Skeleton, Text } from '@mantine/core';
import { alertSeverities } from '../../../../src/domain/rules/severity.ts';
import type { Schemas } from '../../../../src/generated/client-api.ts';
import { useApi } from '../../api/use-api.ts';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { severityLabels } from '../../components/severity.tsx';
import { Section } from '../../ui/facts.tsx';
import { TextLink } from '../../ui/links.tsx';
import { evaluateRules } from '../notification-rules/evaluate-rules.ts';
import { findFallback } from '../notification-rules/find-fallback.ts';
import { NotifiedChannels } from '../notification-rules/notified-channels.tsx';
import { useRulesInOrder } from '../notification-rules/use-rules-in-order.ts';
import { useSimulation } from '../notification-rules/use-simulation.ts';

type Config = Schemas['AlertConfig'];

/** Shows who receives the alerts of a monitor, by simulating one. */
export function ReceiversPanel({ config }: { config: Config }) {
  const rule = useApi('getRule', { path: { id: config.rule_id } });
  return (
    <Section
      id="receivers"
      title="Receivers"
      actions={
        <TextLink to="/notification-rules" size="sm">
          Edit routing
        </TextLink>
      }
    >
      <Loaded query={rule}>
        {({ thresholds }) => (
          <Receivers
            config={config}
            severity={
              config.severity ??
              alertSeverities.findLast((each) => thresholds[each] !== undefined) ??
              'critical'
            }
          />
        )}
      </Loaded>
    </Section>
  );
}

function Receivers({ config, severity }: { config: Config; severity: Schemas['AlertSeverity'] }) {
  const found = useRulesInOrder();
  const settings = useApi('getNotificationSettings');
  const channels = useApi('listNotificationChannelsDropdown');
  // Simulate only the first rule, because the simulation of any rule includes the result of all rules.
  const rules = found.data?.rules.slice(0, 1);
  const simulation = useSimulation(
    rules ?? [],
    rules === undefined ? null : { severity, event_type: 'alert.created', alert_config_id: config.id },
    settings.data,
  );
  const error = found.error ?? settings.error ?? channels.error;
  if (error !== null) return <ErrorNotice error={error} />;
  if (found.data === undefined || settings.data === undefined || channels.data === undefined)
    return <Skeleton height={60} role="status" aria-label="Loading" />;
  const fallback = findFallback(settings.data, channels.data);
  return (
    <>
      <Text size="xs" c="var(--text-muted)">
        {`If this monitor opens an alert with ${severityLabels[severity].toLowerCase()} severity:`}
      </Text>
      <Loaded query={simulation}>
        {(results) => <NotifiedChannels {...evaluateRules(found.data.rules, results, fallback)} />}
      </Loaded>
    </>
  );
}
