import type { Schemas } from '../../../../src/generated/client-api.ts';
import { formatCount } from '../../ui/format.ts';
import { Mark, type MarkTone } from '../../ui/mark.tsx';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { TwoLines } from '../../ui/two-lines.tsx';

type Channel = Pick<Schemas['NotificationChannel'], 'is_active' | 'health'>;
type Health = Channel['health'];

const healthLabels: Record<Health['status'], { label: string; tone: MarkTone; about: string }> = {
  unknown: {
    label: 'No delivery yet',
    tone: 'muted',
    about: 'The status appears after the first delivery.',
  },
  healthy: { label: 'Healthy', tone: 'ok', about: 'The last delivery succeeded.' },
  degraded: { label: 'Degraded', tone: 'moderate', about: 'Recent deliveries failed.' },
  failing: { label: 'Failing', tone: 'critical', about: 'Many deliveries in a row failed.' },
};

/** Returns the health of a channel. A disabled channel has none, because it sends nothing: null. */
export function formatHealth({ is_active, health }: Channel): string | null {
  return is_active ? healthLabels[health.status].label : null;
}

/** Shows the health of a channel, and the time or error of the last attempt. */
export function ChannelHealth({ channel: { is_active, health } }: { channel: Channel }) {
  if (!is_active) return '—';
  const { label, tone, about } = healthLabels[health.status];
  const { consecutive_failures: failures, last_success_at, last_failure_at, error } = health;
  if (error !== null)
    return (
      <TwoLines second={<span title={error.message}>{error.message}</span>}>
        <Mark tone={tone}>{label}</Mark>
      </TwoLines>
    );
  return (
    <>
      <Mark tone={tone} title={about}>
        {label}
      </Mark>{' '}
      {failures > 0 ? (
        <>
          {failures === 1
            ? 'last attempt failed'
            : `${failures.toLocaleString('en')} consecutive failures, last`}{' '}
          <RelativeTime at={last_failure_at} />
        </>
      ) : (
        last_success_at !== null && <RelativeTime at={last_success_at} />
      )}
    </>
  );
}

/** Returns what failed before a channel was disabled. Null for an enabled channel, and if nothing failed. */
export function formatDisabledReason({ is_active, health }: Channel): string | null {
  if (is_active) return null;
  const { error, consecutive_failures: failures } = health;
  if (error !== null) return error.message;
  if (failures === 0) return null;
  return failures === 1 ? 'The last attempt failed.' : `The last ${formatCount(failures)} attempts failed.`;
}
