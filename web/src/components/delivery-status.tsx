import type { Schemas } from '../../../src/generated/client-api.ts';
import { formatTime } from '../ui/format.ts';
import { Mark, type MarkTone } from '../ui/mark.tsx';

type Status = Schemas['NotificationDeliveryStatus'];

const statuses: Record<Status, { label: string; tone: MarkTone; about: string }> = {
  pending: { label: 'Pending', tone: 'busy', about: 'Waiting for the first attempt.' },
  in_progress: { label: 'Sending', tone: 'busy', about: 'An attempt is in progress.' },
  succeeded: { label: 'Delivered', tone: 'ok', about: 'The channel accepted it.' },
  failed: {
    label: 'Waiting to retry',
    tone: 'moderate',
    about: 'The last attempt failed. Another is scheduled.',
  },
  dead_letter: { label: 'Dead letter', tone: 'critical', about: 'All attempts failed. Retry it manually.' },
  canceled: { label: 'Canceled', tone: 'muted', about: "Won't be sent." },
};

export function DeliveryStatusMark({
  delivery: { status, next_attempt_at },
}: {
  delivery: Pick<Schemas['NotificationDelivery'], 'status' | 'next_attempt_at'>;
}) {
  const { label, tone, about } = statuses[status];
  const title = status === 'failed' && next_attempt_at !== null ? describeRetry(next_attempt_at) : about;
  return (
    <Mark tone={tone} title={title}>
      {label}
    </Mark>
  );
}

/** Returns when the next attempt of a failed delivery is due, as a sentence. */
export function describeRetry(nextAttemptAt: string): string {
  return `Waiting for a retry at ${formatTime(new Date(nextAttemptAt))}.`;
}

export const deliveryStatusOptions = (Object.keys(statuses) as Status[]).map((value) => ({
  value,
  label: statuses[value].label,
}));
