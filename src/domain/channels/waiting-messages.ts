import type { EventType } from '../routing/notification-event.ts';

/** Message of a channel that is waiting to be sent. */
export interface WaitingMessage {
  id: number;
  /** `null` if the message is about no alert, or about several. */
  alertId: number | null;
  /** Position of the message's event among the events of the alert. */
  sequence: number | null;
  eventType: EventType;
  /** True if the message is also sent outside the sending hours. */
  isUrgent: boolean;
  /**
   * True if the message was attempted before. It may already have arrived, so it's sent regardless of later
   * messages.
   */
  wasTried: boolean;
}

export interface OutsideHoursDecision {
  /** IDs of messages to send now. */
  send: number[];
  /** IDs of messages to hold until the sending hours begin. */
  hold: number[];
  /** IDs of messages that aren't sent, because another message about the same alert replaces them. */
  superseded: number[];
}

/**
 * Decides which messages are sent outside a channel's sending hours. Urgent messages are sent together with
 * earlier messages about the same alert, so that the messages of an alert stay in order. Digests can contain
 * these earlier messages, so they're sent together with an urgent message, too.
 *
 * @param due Messages that could be sent now.
 * @param held Messages that are already waiting for the sending hours.
 * @param unrelatedDigests IDs of digests that can wait, because they contain no earlier message about an
 * urgent alert.
 */
export function decideOutsideSendingHours(
  due: readonly WaitingMessage[],
  held: readonly WaitingMessage[],
  unrelatedDigests: ReadonlySet<number>,
): OutsideHoursDecision {
  const urgentUpTo = new Map<number, number>();
  for (const { alertId, sequence, isUrgent } of due) {
    if (isUrgent && alertId !== null && sequence !== null)
      urgentUpTo.set(alertId, Math.max(sequence, urgentUpTo.get(alertId) ?? 0));
  }
  const hasUrgent = due.some(({ isUrgent }) => isUrgent);
  const shouldSend = ({ id, isUrgent, alertId, sequence, eventType }: WaitingMessage) =>
    isUrgent ||
    (hasUrgent && eventType === 'digest' && !unrelatedDigests.has(id)) ||
    (alertId !== null && sequence !== null && sequence <= (urgentUpTo.get(alertId) ?? 0));
  const outgoing = [...held.filter(shouldSend), ...due.filter(shouldSend)];
  const superseded = supersededMessages(outgoing);
  return {
    send: outgoing.filter(({ id }) => !superseded.has(id)).map(({ id }) => id),
    hold: due.filter((message) => !shouldSend(message)).map(({ id }) => id),
    superseded: [...superseded],
  };
}

/** Current state of an alert when a delayed message about it is about to be sent. */
export interface CurrentAlertState {
  isResolved: boolean;
  /** True if the alert is acknowledged or snoozed. */
  isQuiet: boolean;
}

/**
 * True if a message no longer applies: it reports that a resolved alert opened or escalated, or reminds of an
 * alert that no longer requires acknowledgment.
 */
export function isOutdated(
  { eventType, wasTried }: Pick<WaitingMessage, 'eventType' | 'wasTried'>,
  { isResolved, isQuiet }: CurrentAlertState,
): boolean {
  if (wasTried) return false;
  if (eventType === 'alert.reminder') return isResolved || isQuiet;
  return isResolved && (eventType === 'alert.created' || eventType === 'alert.escalated');
}

/**
 * Returns the messages that are redundant when all waiting messages are sent together: earlier messages about a
 * resolved alert, and reminders if another message about the same alert is sent.
 */
export function supersededMessages(waiting: readonly WaitingMessage[]): Set<number> {
  const superseded = new Set<number>();
  const messagesByAlert = Map.groupBy(
    waiting.filter(({ alertId, sequence }) => alertId !== null && sequence !== null),
    ({ alertId }) => alertId,
  );
  for (const messages of messagesByAlert.values()) {
    // Compute these values once per alert. If all messages were about the same alert, computing the values
    // for each message would take quadratic time.
    let lastResolved = -Infinity;
    let lastReminder = -Infinity;
    let hasOther = false;
    for (const { eventType, sequence } of messages) {
      if (eventType === 'alert.resolved') lastResolved = Math.max(lastResolved, sequence!);
      else if (eventType === 'alert.reminder') lastReminder = Math.max(lastReminder, sequence!);
      else hasOther = true;
    }
    for (const { id, eventType, sequence, wasTried } of messages) {
      const isRedundant =
        lastResolved > sequence! ||
        (eventType === 'alert.reminder' && (hasOther || lastReminder > sequence!));
      if (isRedundant && !wasTried) superseded.add(id);
    }
  }
  return superseded;
}
