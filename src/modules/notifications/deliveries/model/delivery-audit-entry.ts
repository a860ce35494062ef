import { systemActor } from '../../../../domain/audit/actor.ts';
import { type DeliveryErrorCode, deliveryCodes } from '../../../../domain/channels/delivery-codes.ts';
import type { NewEntry } from '../../../audit/index.ts';

/** Effect of an attempt on its delivery. */
export type AttemptOutcome =
  | { status: 'succeeded'; reason?: DeliveryErrorCode }
  | { status: 'failed'; nextAttemptAt: Date; isRateLimited?: boolean }
  | { status: 'dead_letter'; reason: DeliveryErrorCode };

/**
 * Creates the audit entry `notified` or `notification_failed` with the channel and, for a failure, the
 * reason.
 */
export function deliveryAuditEntry(
  alertId: number,
  channelName: string,
  eventType: string,
  outcome: Exclude<AttemptOutcome, { status: 'failed' }>,
): NewEntry {
  if (outcome.status === 'succeeded') {
    return { alertId, action: 'notified', actor: systemActor, to: channelName, detail: eventType };
  }
  const [sentence] = deliveryCodes[outcome.reason];
  return {
    alertId,
    action: 'notification_failed',
    actor: systemActor,
    to: channelName,
    detail: `${eventType}: ${sentence}`,
  };
}
