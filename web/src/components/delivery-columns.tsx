import { Text } from '@mantine/core';
import type { Schemas } from '../../../src/generated/client-api.ts';
import { formatTime } from '../ui/format.ts';
import { formatRelativeTime } from '../ui/format-relative-time.ts';
import { TextLink } from '../ui/links.tsx';
import { RelativeTime, useNow } from '../ui/relative-time.tsx';
import { formatDeliveryError, formatWait } from './delivery-labels.ts';
import { DeliveryStatusMark } from './delivery-status.tsx';
import { formatEvent } from './event-type.ts';
import type { Column } from './list/index.ts';
import { resourceLink } from './resource-link.ts';

type Delivery = Schemas['NotificationDelivery'];

/** Outcome of a delivery: the reason for a failure, and the time of the next attempt. */
export function DeliveryOutcome({ delivery }: { delivery: Delivery }) {
  const { status, error, reason, response_status, duration_ms, next_attempt_at, waiting_for } = delivery;
  const isBehindOthers = useIsWaitingForEarlierMessage(delivery);
  if (status === 'succeeded')
    return (
      <Text inherit span>
        {response_status ?? ''} {duration_ms !== null && `in ${duration_ms.toLocaleString('en')} ms`}
        {reason !== null && ` · ${formatDeliveryError(reason)}`}
      </Text>
    );
  const why = error?.message ?? (reason === null ? null : formatDeliveryError(reason));
  return (
    <Text inherit span title={why ?? undefined}>
      {why}
      {waiting_for !== null && !isTimed(waiting_for) && (
        <>
          {why !== null && ' '}
          {formatWait(waiting_for)}.
        </>
      )}
      {next_attempt_at !== null && (
        <>
          {why !== null && ' '}
          {isBehindOthers ? (
            'Waiting for earlier messages.'
          ) : (
            <>
              {isTimed(waiting_for) ? 'Will be sent' : 'Next attempt:'} <NextAttempt at={next_attempt_at} />.
            </>
          )}
        </>
      )}
    </Text>
  );
}

/** Usual maximum delay of a delivery that nothing blocks. */
const usualWaitMs = 30_000;

/**
 * Returns true if a delivery has been due for longer than usual without an attempt. It's then waiting for an
 * earlier message of its channel: messages about an alert are sent in order, and a failing channel sends one
 * message at a time.
 */
export function useIsWaitingForEarlierMessage({
  status,
  attempt_count,
  next_attempt_at,
  waiting_for,
}: Pick<Delivery, 'status' | 'attempt_count' | 'next_attempt_at' | 'waiting_for'>): boolean {
  const now = useNow();
  if (status !== 'pending' || attempt_count > 0 || waiting_for !== null || next_attempt_at === null)
    return false;
  return now - Date.parse(next_attempt_at) > usualWaitMs;
}

/** Returns true if the delivery waits for a specific time. The list shows that time. */
function isTimed(wait: Delivery['waiting_for']): boolean {
  return wait === 'sending_hours' || wait === 'email_limit';
}

/**
 * Time of the next attempt. A delivery that's already due is waiting for earlier ones, so "due now" is shown instead of
 * the elapsed time.
 */
export function NextAttempt({ at }: { at: string }) {
  const now = useNow();
  if (Date.parse(at) <= now) return 'due now';
  // Use the same time as the check above. `RelativeTime` reads the time later, and could then show a time in
  // the past.
  return (
    <time dateTime={at} title={formatTime(new Date(at))}>
      {formatRelativeTime(at, now)}
    </time>
  );
}

/**
 * Returns the columns of delivery lists.
 * @param without Excludes the column that identifies the subject of the page.
 */
export function deliveryColumns({
  without,
}: {
  without?: 'channel' | 'alert';
} = {}): readonly Column<Delivery>[] {
  const columns: readonly (Column<Delivery> | false)[] = [
    {
      header: 'Event',
      cell: ({ event_type }) => formatEvent(event_type),
      csv: ({ event_type }) => event_type,
      width: 'minmax(0, 1fr)',
    },
    without !== 'alert' && {
      header: 'Alert',
      cell: ({ alert_id, alert_name }) =>
        alert_id !== null && (
          <TextLink {...resourceLink('alert', alert_id)} inherit>
            {alert_name ?? `Alert ${alert_id}`}
          </TextLink>
        ),
      csv: ({ alert_name }) => alert_name,
      width: 'minmax(7rem, 1.4fr)',
    },
    {
      header: 'Alert ID',
      cell: ({ alert_id }) => alert_id,
      csv: ({ alert_id }) => alert_id,
      csvOnly: true,
    },
    without !== 'channel' && {
      header: 'Channel',
      cell: ({ channel_name }) => channel_name,
      csv: ({ channel_name }) => channel_name,
      width: 'minmax(6.5rem, 1fr)',
    },
    {
      header: 'Status',
      cell: (delivery) => <DeliveryStatusMark delivery={delivery} />,
      csv: ({ status }) => status,
      width: '9rem',
    },
    {
      header: 'Outcome',
      cell: (delivery) => <DeliveryOutcome delivery={delivery} />,
      csv: ({ error, reason }) => error?.message ?? reason,
      width: 'minmax(0, 2fr)',
    },
    {
      header: 'Attempts',
      cell: ({ attempt_count }) => attempt_count,
      csv: ({ attempt_count }) => attempt_count,
      width: '5rem',
      align: 'end',
    },
    {
      header: 'Created',
      cell: ({ created_at }) => <RelativeTime at={created_at} />,
      csv: ({ created_at }) => created_at,
      sort: 'created_at',
      width: '8rem',
    },
  ];
  return columns.filter((column) => column !== false);
}
