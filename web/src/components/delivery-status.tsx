import type { Schemas } from '../../../src/generated/client-api.ts';
import { Mark, type MarkTone } from '../ui/mark.tsx';

type Status = Schemas['NotificationDeliveryStatus'];

const statuses: Record<Status, { label: string; tone: MarkTone; about: string }> = {
  pending: { label: 'Waiting', tone: 'busy', about: 'Waits for its first attempt.' },
  in_progress: { label: 'Being sent', tone: 'busy', about: 'Is being sent.' },
  succeeded: { label: 'Delivered', tone: 'ok', about: 'The target took it.' },
  failed: { label: 'Will be retried', tone: 'moderate', about: 'An attempt failed; it is tried again.' },
  dead_letter: { label: 'Dead letter', tone: 'critical', about: 'Given up after the last attempt.' },
  canceled: { label: 'Canceled', tone: 'muted', about: 'Will not be sent.' },
};

export function DeliveryStatusMark({ status }: { status: Status }) {
  const { label, tone, about } = statuses[status];
  return (
    <Mark tone={tone} title={about}>
      {label}
    </Mark>
  );
}

export const deliveryStatusOptions = (Object.keys(statuses) as Status[]).map((value) => ({
  value,
  label: statuses[value].label,
}));
