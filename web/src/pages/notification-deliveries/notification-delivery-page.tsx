import { Code, Text } from '@mantine/core';
import { useParams } from '@tanstack/react-router';
import type { Schemas } from '../../../../src/generated/client-api.ts';
import { useApi } from '../../api/use-api.ts';
import { useHasRole } from '../../api/use-me.ts';
import { NextAttempt, useIsWaitingForEarlierMessage } from '../../components/delivery-columns.tsx';
import { deliveryRemedy, formatDeliveryError, formatWait } from '../../components/delivery-labels.ts';
import { DeliveryStatusMark } from '../../components/delivery-status.tsx';
import { editHash } from '../../components/edit-hash.ts';
import { formatEvent } from '../../components/event-type.ts';
import { JsonText, prettyJson } from '../../components/json-text.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { resourceLink } from '../../components/resource-link.ts';
import { CopyButton } from '../../ui/copy-button.tsx';
import { Facts, Section } from '../../ui/facts.tsx';
import { ButtonLink, TextLink } from '../../ui/links.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { DeliveryAttempts } from './delivery-attempts.tsx';
import { RetryButton } from './retry-button.tsx';

const parent = { to: '/notification-deliveries', title: 'Deliveries' } as const;

export default function NotificationDeliveryPage() {
  const { id } = useParams({ from: '/shell/notification-deliveries/$id' });
  const delivery = useApi('getNotificationDelivery', { path: { id: Number(id) } });
  return (
    <Loaded query={delivery} parent={parent}>
      {(found) => <DeliveryDetail delivery={found} />}
    </Loaded>
  );
}

function DeliveryDetail({ delivery }: { delivery: Schemas['NotificationDeliveryDetail'] }) {
  const { event_type, channel_name, channel_id, alert_id, attempts, payload } = delivery;
  const mayRetry = useHasRole('member');
  const channels = useApi('listNotificationChannelsDropdown');
  const isChannelDisabled = channels.data?.find(({ id }) => id === channel_id)?.is_active === false;
  const isBehindOthers = useIsWaitingForEarlierMessage(delivery);
  return (
    <>
      <PageHeader
        title={`${formatEvent(event_type)} → ${channel_name}`}
        parent={parent}
        actions={
          <>
            {alert_id !== null && (
              <ButtonLink variant="default" {...resourceLink('alert', alert_id)}>
                View alert
              </ButtonLink>
            )}
            {mayRetry && <RetryButton delivery={delivery} isSecondary={isChannelDisabled} />}
            {mayRetry && isChannelDisabled && channel_id !== null && (
              <ButtonLink {...resourceLink('notification_channel', channel_id)} hash={editHash}>
                Edit channel
              </ButtonLink>
            )}
          </>
        }
      />
      <Section title="Details">
        <Facts
          facts={[
            ['Status', <DeliveryStatusMark key="status" delivery={delivery} />],
            // The list of attempts shows the reason if it's the error of the last attempt.
            delivery.reason !== null &&
              delivery.reason !== attempts.at(-1)?.error?.code && [
                'Reason',
                `${formatDeliveryError(delivery.reason)} ${deliveryRemedy(delivery.reason)}`,
              ],
            delivery.fallback_reason !== null && [
              'Fallback reason',
              `${formatDeliveryError(delivery.fallback_reason)} ${deliveryRemedy(delivery.fallback_reason)}`,
            ],
            [
              'Channel',
              channel_id === null ? (
                `${channel_name} (deleted)`
              ) : (
                <TextLink key="channel" {...resourceLink('notification_channel', channel_id)}>
                  {channel_name}
                </TextLink>
              ),
            ],
            ['Attempts', `${delivery.attempt_count} of ${delivery.max_attempts}`],
            delivery.waiting_for !== null && ['Waiting', formatWait(delivery.waiting_for)],
            delivery.next_attempt_at !== null && [
              'Next attempt',
              isBehindOthers ? (
                "After the channel's earlier messages"
              ) : (
                <NextAttempt key="next" at={delivery.next_attempt_at} />
              ),
            ],
            ['Created', <RelativeTime key="made" at={delivery.created_at} />],
            delivery.completed_at !== null && [
              'Completed',
              <RelativeTime key="ended" at={delivery.completed_at} />,
            ],
            ['Event ID', <Code key="event">{delivery.event_id}</Code>],
          ]}
        />
      </Section>
      <Section title="Attempts">
        <DeliveryAttempts attempts={attempts} />
      </Section>
      <Payload payload={payload} attemptCount={delivery.attempt_count} />
    </>
  );
}

function Payload({ payload, attemptCount }: { payload: string | null; attemptCount: number }) {
  const seesAll = useHasRole('admin');
  return (
    <Section
      title="Message"
      actions={payload !== null && <CopyButton text={prettyJson(payload) ?? payload} label="Copy message" />}
    >
      {payload === null ? (
        <Text size="sm" c="var(--text-muted)">
          {noPayload(seesAll, attemptCount)}
        </Text>
      ) : (
        <JsonText text={payload} label="Message" />
      )}
    </Section>
  );
}

function noPayload(seesAll: boolean, attemptCount: number): string {
  if (!seesAll) return 'Messages and responses are shown to administrators and owners only.';
  return attemptCount === 0 ? 'Created at the first attempt.' : "The message isn't stored.";
}
