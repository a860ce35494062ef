import type { Schemas } from '../../../../src/generated/client-api.ts';
import { useApi } from '../../api/use-api.ts';
import { deliveryStatusOptions } from '../../components/delivery-status.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { Facts } from '../../ui/facts.tsx';
import { formatPercent } from '../../ui/format.ts';
import { TextLink } from '../../ui/links.tsx';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { ChannelHealth, formatDisabledReason } from './channel-health.tsx';

/** Shows recent delivery statistics of a channel. Each figure links to its deliveries. */
export function ChannelStats({ channel }: { channel: Schemas['NotificationChannel'] }) {
  const stats = useApi('getNotificationChannelStats', { path: { id: channel.id } });
  const disabledReason = formatDisabledReason(channel);
  return (
    <Loaded query={stats}>
      {({ by_status, success_rate, latency_ms, last_success_at, last_failure_at, window_days }) => (
        <Facts
          facts={[
            channel.is_active && ['Health', <ChannelHealth key="health" channel={channel} />],
            disabledReason !== null && ['Before it was disabled', disabledReason],
            [
              'Success rate',
              success_rate === null
                ? 'none yet'
                : `${formatPercent(success_rate)} of completed deliveries in ${window_days} days`,
            ],
            [
              'Response time',
              latency_ms === null
                ? 'none yet'
                : `median ${milliseconds(latency_ms.p50)}, 95% within ${milliseconds(latency_ms.p95)}`,
            ],
            ['Last success', <RelativeTime key="success" at={last_success_at} />],
            ['Last failure', <RelativeTime key="failure" at={last_failure_at} />],
            ...deliveryStatusOptions.map(
              ({ value, label }) =>
                by_status[value] > 0 &&
                ([
                  label,
                  <TextLink
                    key={value}
                    to="/notification-deliveries"
                    search={{ channel_id: String(channel.id), status: value }}
                  >
                    {by_status[value].toLocaleString('en')}
                  </TextLink>,
                ] as const),
            ),
          ]}
        />
      )}
    </Loaded>
  );
}

const milliseconds = (value: number) => `${value.toLocaleString('en', { maximumSignificantDigits: 2 })} ms`;
