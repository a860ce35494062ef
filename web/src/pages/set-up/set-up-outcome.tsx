import { Anchor, Box, Button, Group, Text, Title } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { Schemas } from '../../../../src/generated/client-api.ts';
import { useApi } from '../../api/use-api.ts';
import { useHasRole } from '../../api/use-me.ts';
import { platformOf } from '../../components/channel-platform.ts';
import { ConfigState } from '../../components/config-state.tsx';
import { describeRetry } from '../../components/delivery-status.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { resourceLink } from '../../components/resource-link.ts';
import { SeverityMark } from '../../components/severity.tsx';
import { reasonSentences } from '../../components/state-labels.ts';
import { trailSentence } from '../../components/trail-sentence.ts';
import { VersionText } from '../../components/version-text.tsx';
import { Facts } from '../../ui/facts.tsx';
import { ButtonLink } from '../../ui/links.tsx';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { formatConfigLag, useRuleTypes } from '../software/fleet-columns.tsx';
import { ChannelSection } from './channel-step.tsx';
import classes from './set-up.module.css';

/** Shows the outcome live: the first alert, or that the version is up to date. */
export function SetUpOutcome({ alertConfigId, onNext }: { alertConfigId: number; onNext(): void }) {
  const config = useApi('getAlertConfig', { path: { id: alertConfigId } }, { refetchMs: 5_000 });
  const [isAddingChannel, channel] = useDisclosure(false);
  return (
    <>
      <section className={classes.outcome} aria-label="Result" aria-live="polite">
        <Loaded query={config}>
          {(found) => <Outcome config={found} onNext={onNext} addChannel={channel.open} />}
        </Loaded>
      </section>
      {isAddingChannel && (
        <Box mt="md">
          <ChannelSection />
        </Box>
      )}
    </>
  );
}

function Outcome({
  config,
  onNext,
  addChannel,
}: {
  config: Schemas['AlertConfig'];
  onNext(): void;
  addChannel(): void;
}) {
  const ruleTypes = useRuleTypes();
  const { active_alert_id, severity } = config;
  return (
    <>
      <Title order={2}>{titleOf(config)}</Title>
      <Text size="sm" mt={4} c="var(--text-muted)">
        {nextStepText(config)}{' '}
        {active_alert_id !== null && <NotificationStatus alertId={active_alert_id} addChannel={addChannel} />}
      </Text>
      <div className={classes.facts}>
        <Facts
          facts={[
            ['State', <ConfigState key="state" config={config} />],
            severity !== null && ['Severity', <SeverityMark key="severity" severity={severity} />],
            ['Deployed', <VersionText key="deployed" version={config.deployed_version} none="unknown" />],
            ['Latest', <VersionText key="latest" version={config.latest_version} none="unknown" />],
            ['Behind', formatConfigLag(config, ruleTypes)],
            config.next_evaluation_at !== null && [
              'Next threshold',
              <RelativeTime key="next" at={config.next_evaluation_at} />,
            ],
          ]}
        />
      </div>
      <Group>
        {active_alert_id !== null && (
          <ButtonLink {...resourceLink('alert', active_alert_id)}>View alert</ButtonLink>
        )}
        <ButtonLink
          {...resourceLink('alert_config', config.id)}
          variant={active_alert_id === null ? 'filled' : 'default'}
        >
          View monitor
        </ButtonLink>
        <Button variant="default" onClick={onNext}>
          Add more software
        </Button>
        <ButtonLink to="/" variant="default">
          Go to Today
        </ButtonLink>
      </Group>
    </>
  );
}

/** Shows whether the alert was delivered. */
function NotificationStatus({ alertId, addChannel }: { alertId: number; addChannel(): void }) {
  const canWrite = useHasRole('member');
  const { data } = useApi(
    'listAlertDeliveries',
    { path: { id: alertId }, query: { limit: 1 } },
    { refetchMs: 5_000 },
  );
  const [delivery] = data?.items ?? [];
  const channel = useApi(
    'getNotificationChannel',
    { path: { id: delivery?.channel_id ?? 0 } },
    { enabled: delivery?.status === 'succeeded' && delivery.channel_id !== null },
  );
  const actions = useApi(
    'listAlertActions',
    { path: { id: alertId } },
    { enabled: data !== undefined && !delivery },
  );
  const skipped = actions.data?.items.find(({ action }) => action === 'notification_skipped');
  if (!data) return null;
  if (!delivery)
    return skipped === undefined ? null : (
      <>
        {trailSentence(skipped)}{' '}
        {canWrite && ['no_channel', 'no_default_channel'].includes(skipped.to ?? '') && (
          <Anchor component="button" inherit underline="always" onClick={addChannel}>
            Add a channel
          </Anchor>
        )}
      </>
    );
  if (delivery.status === 'succeeded')
    return `Notification sent to ${delivery.channel_name}.${acknowledgeNote(channel.data)}`;
  if (delivery.error)
    return [
      `Couldn't notify ${delivery.channel_name}: ${delivery.error.message}`,
      ...(delivery.next_attempt_at === null ? [] : [describeRetry(delivery.next_attempt_at)]),
    ].join(' ');
  return `Sending to ${delivery.channel_name}…`;
}

/**
 * Returns a note about the acknowledge link. Messages of generic webhooks are for programs, so they have no
 * link.
 */
function acknowledgeNote(channel: Schemas['NotificationChannel'] | undefined): string {
  return channel === undefined || platformOf(channel) === 'generic'
    ? ''
    : ' The message has a link to acknowledge the alert.';
}

function titleOf({
  state,
  state_reason,
  behind_by,
  name,
  deployed_version,
  latest_version,
}: Schemas['AlertConfig']): string {
  if (state === 'alerting') return `${name} is behind`;
  // A lag of 0 isn't enough: a rule that counts major versions reports it even if the version is minor versions
  // behind.
  const isLatest = state_reason === null && behind_by === 0 && deployed_version === latest_version;
  if (state === 'ok') return isLatest ? `${name} is up to date` : `${name} is monitored`;
  return `Evaluating ${name}…`;
}

function nextStepText({ state, state_reason, behind_by }: Schemas['AlertConfig']): string {
  if (state_reason !== null) return reasonSentences(state_reason);
  if (state === 'alerting') return 'The alert resolves automatically after you upgrade.';
  if (state === 'ok' && behind_by !== null && behind_by > 0)
    return "A newer release exists, but you're within the rule's thresholds. You'll be notified if that changes.";
  if (state === 'ok') return "You'll be notified when it falls too far behind.";
  return 'This updates automatically after the first runs finish.';
}
