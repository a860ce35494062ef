import type { Schemas } from '../../../src/generated/client-api.ts';
import { Mark, type MarkTone } from '../ui/mark.tsx';

type Status = Schemas['NotificationDeliveryStatus'];

const statuses: Record<Status, { label: string; tone: MarkTone; about: string }> = {
  pending: { label: 'Pending', tone: 'busy', about: 'Waiting for the first attempt.' },
  in_progress: { label: 'Sending', tone: 'busy', about: 'An attempt is in progress.' },
  succeeded: { label: 'Delivered', tone: 'ok', about: 'The channel accepted it.' },
  failed: { label: 'Retrying', tone: 'moderate', about: 'The last attempt failed. Another is scheduled.' },
  dead_letter: { label: 'Dead letter', tone: 'critical', about: 'All attempts failed. Retry it manually.' },
  canceled: { label: 'Canceled', tone: 'muted', about: "Won't be sent." },
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
