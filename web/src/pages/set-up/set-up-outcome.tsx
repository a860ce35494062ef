import { Button, Group, Text, Title } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { Schemas } from '../../../../src/generated/client-api.ts';
import { useApi } from '../../api/use-api.ts';
import { ConfigState } from '../../components/config-state.tsx';
import { SeverityMark } from '../../components/severity.tsx';
import { reasonWords } from '../../components/state-words.ts';
import { VersionText } from '../../components/version-text.tsx';
import { Facts } from '../../ui/facts.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { behindOf, useRuleTypes } from '../fleet/fleet-columns.tsx';
import classes from './set-up.module.css';

/** What came of it, as it happens: the first alert, or that all is up to date. */
export function SetUpOutcome({ alertConfigId, onNext }: { alertConfigId: number; onNext(): void }) {
  const config = useApi('getAlertConfig', { path: { id: alertConfigId } }, { refetchMs: 5_000 });
  return (
    <section className={classes.step} aria-label="What came of it" aria-live="polite">
      <Loaded query={config}>{(found) => <Outcome config={found} onNext={onNext} />}</Loaded>
    </section>
  );
}

function Outcome({ config, onNext }: { config: Schemas['AlertConfig']; onNext(): void }) {
  const ruleTypes = useRuleTypes();
  const { active_alert_id, severity } = config;
  return (
    <>
      <Title order={2}>{titleOf(config)}</Title>
      <Text size="sm" mt={4} c="var(--text-muted)">
        {whatNext(config)} {active_alert_id !== null && <WhoWasTold alertId={active_alert_id} />}
      </Text>
      <div className={classes.facts}>
        <Facts
          facts={[
            ['State', <ConfigState key="state" config={config} />],
            severity !== null && ['Severity', <SeverityMark key="severity" severity={severity} />],
            [
              'Deployed',
              <VersionText key="deployed" version={config.deployed_version} none="not known yet" />,
            ],
            ['Latest', <VersionText key="latest" version={config.latest_version} none="not known yet" />],
            ['Behind by', behindOf(config, ruleTypes)],
            config.next_evaluation_at !== null && [
              'Changes by time alone',
              <RelativeTime key="next" at={config.next_evaluation_at} />,
            ],
          ]}
        />
      </div>
      <Group>
        {active_alert_id !== null && (
          <Button component={Link} to={`/alerts/${active_alert_id}`}>
            Open the alert
          </Button>
        )}
        <Button
          component={Link}
          to={`/alert-configs/${config.id}`}
          variant={active_alert_id === null ? 'filled' : 'default'}
        >
          Why it stands so
        </Button>
        <Button variant="default" onClick={onNext}>
          Set up the next thing
        </Button>
        <Button component={Link} to="/" variant="default">
          Go to the overview
        </Button>
      </Group>
    </>
  );
}

/** Whether the alert has reached somebody. */
function WhoWasTold({ alertId }: { alertId: number }) {
  const { data } = useApi(
    'listAlertDeliveries',
    { path: { id: alertId }, query: { limit: 1 } },
    { refetchMs: 5_000 },
  );
  const [delivery] = data?.items ?? [];
  if (!data) return null;
  if (!delivery) return 'Nobody was told, as no channel is settled.';
  if (delivery.status === 'succeeded')
    return `${delivery.channel_name} was told, and can acknowledge it from there.`;
  if (delivery.error) return `${delivery.channel_name} could not be told yet: ${delivery.error.message}`;
  return `${delivery.channel_name} is being told.`;
}

function titleOf({ state, state_reason, name }: Schemas['AlertConfig']): string {
  if (state === 'alerting') return `${name} is too far behind: here is its alert`;
  if (state === 'ok') return state_reason === null ? `${name}: all is up to date` : `${name} is compared`;
  return `${name} is being compared …`;
}

function whatNext({ state, state_reason, behind_by }: Schemas['AlertConfig']): string {
  if (state_reason !== null) return `${reasonWords[state_reason].about} ${reasonWords[state_reason].remedy}`;
  if (state === 'alerting') return 'It resolves itself once you have updated.';
  if (state === 'ok' && behind_by !== null && behind_by > 0)
    return 'Something newer exists, but it is within what the rule allows. You hear of it when that changes.';
  if (state === 'ok') return 'You hear of it as soon as it is too far behind.';
  return 'This changes by itself as soon as both sides have been read.';
}
