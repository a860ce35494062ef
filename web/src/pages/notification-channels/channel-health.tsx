import type { Schemas } from '../../../../src/generated/client-api.ts';
import { Mark, type MarkTone } from '../../ui/mark.tsx';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { TwoLines } from '../../ui/two-lines.tsx';

type Health = Schemas['NotificationChannel']['health'];

const healthLabels: Record<Health['status'], { label: string; tone: MarkTone; about: string }> = {
  unknown: { label: 'Unused', tone: 'muted', about: 'Nothing sent yet.' },
  healthy: { label: 'Healthy', tone: 'ok', about: 'The last delivery succeeded.' },
  degraded: { label: 'Degraded', tone: 'moderate', about: 'Recent deliveries failed.' },
  failing: { label: 'Failing', tone: 'critical', about: 'Many deliveries in a row failed.' },
};

export function formatHealth({ status }: Health): string {
  return healthLabels[status].label;
}

/** Shows the health of a channel, and the time or error of the last attempt. */
export function ChannelHealth({ health }: { health: Health }) {
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
