import type { EventType } from '../routing/notification-event.ts';

/** A message of a channel that waits to be sent. */
export interface WaitingMessage {
  id: number;
  /** Null: it's about no alert, or about several. */
  alertId: number | null;
  /** The place of its event among those of the alert. */
  sequence: number | null;
  eventType: EventType;
  /** Sent at any time. */
  isUrgent: boolean;
  /** It may already have arrived, so it is sent regardless of later messages. */
  wasTried: boolean;
}

export interface ClosedDecision {
  /** Send now. */
  send: number[];
  /** Hold until the sending hours begin. */
  hold: number[];
  /** Not sent: another message about the same alert is sent instead. */
  superseded: number[];
}

/**
 * Decides on messages outside of a channel's sending hours. Urgent ones are sent, and with them what is waiting for the
 * same alert, so that its messages stay in order. Digests are sent one after another, so an earlier one is sent too.
 *
 * @param due those that could be sent now
 * @param held those that already wait for the sending hours
 */
export function decideWhileClosed(
  due: readonly WaitingMessage[],
  held: readonly WaitingMessage[],
): ClosedDecision {
  const urgentUpTo = new Map<number, number>();
  for (const { alertId, sequence, isUrgent } of due) {
    if (isUrgent && alertId !== null && sequence !== null)
      urgentUpTo.set(alertId, Math.max(sequence, urgentUpTo.get(alertId) ?? 0));
  }
  const hasUrgent = due.some(({ isUrgent }) => isUrgent);
  const goesOut = ({ isUrgent, alertId, sequence, eventType }: WaitingMessage) =>
    isUrgent ||
    (hasUrgent && eventType === 'digest') ||
    (alertId !== null && sequence !== null && sequence <= (urgentUpTo.get(alertId) ?? 0));
  const going = [...held.filter(goesOut), ...due.filter(goesOut)];
  const superseded = supersededMessages(going);
  return {
    send: going.filter(({ id }) => !superseded.has(id)).map(({ id }) => id),
    hold: due.filter((message) => !goesOut(message)).map(({ id }) => id),
    superseded: [...superseded],
  };
}

/** An alert when a message about it that has waited is about to be sent. */
export interface AlertNow {
  isResolved: boolean;
  /** Acknowledged or snoozed. */
  isQuiet: boolean;
}

/**
 * Whether a message says what is no longer so: that a resolved alert has opened or escalated, or that someone is still to
 * acknowledge it.
 */
export function isOutdated(
  { eventType, wasTried }: Pick<WaitingMessage, 'eventType' | 'wasTried'>,
  { isResolved, isQuiet }: AlertNow,
): boolean {
  if (wasTried) return false;
  if (eventType === 'alert.reminder') return isResolved || isQuiet;
  return isResolved && (eventType === 'alert.created' || eventType === 'alert.escalated');
}

/**
 * Messages that are redundant once all of them are sent together: earlier messages about an alert that is now resolved,
 * and reminders of an alert with another message.
 */
export function supersededMessages(waiting: readonly WaitingMessage[]): Set<number> {
  const superseded = new Set<number>();
  const ofAlerts = Map.groupBy(
    waiting.filter(({ alertId, sequence }) => alertId !== null && sequence !== null),
    ({ alertId }) => alertId,
  );
  for (const messages of ofAlerts.values()) {
    // Once for each alert: one can have as many messages as wait.
    let lastResolved = -Infinity;
    let lastReminder = -Infinity;
    let hasOther = false;
    for (const { eventType, sequence } of messages) {
      if (eventType === 'alert.resolved') lastResolved = Math.max(lastResolved, sequence!);
      else if (eventType === 'alert.reminder') lastReminder = Math.max(lastReminder, sequence!);
      else hasOther = true;
    }
    for (const { id, eventType, sequence, wasTried } of messages) {
      const isLess =
        lastResolved > sequence! ||
        (eventType === 'alert.reminder' && (hasOther || lastReminder > sequence!));
      if (isLess && !wasTried) superseded.add(id);
    }
  }
  return superseded;
}
