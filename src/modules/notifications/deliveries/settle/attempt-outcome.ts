import type { DeliveryErrorCode } from '../../../../domain/channels/delivery-codes.ts';
import { nextAttemptAt, seriesExpiresAt } from '../../../../domain/scheduling/retry-schedule.ts';
import type { SendResult } from '../send/send-answer.ts';

/** The series of an attempt. A manual retry starts a new series. */
export interface AttemptSeries {
  /** Number of attempts, including this one. */
  attemptCount: number;
  startedAt: Date;
  retryScheduleSeconds: readonly number[];
  timeoutSeconds: number;
}

export type AttemptOutcome =
  | { status: 'succeeded'; reason?: DeliveryErrorCode }
  | { status: 'failed'; nextAttemptAt: Date }
  | { status: 'dead_letter'; reason: DeliveryErrorCode };

/** Errors that aren't retried, because a retry would have the same result. */
const finalCodes: ReadonlySet<DeliveryErrorCode> = new Set([
  'gone',
  'target_not_allowed',
  'mail_rejected',
  'recipients_not_allowed',
  'recipients_skipped',
  'ticket_rejected',
  'ticket_elsewhere',
]);

/**
 * Maximum number of attempts for an email that reached a recipient. Retrying for hours would delay later
 * messages about the same alert.
 */
const maxAttemptsAfterPartialSuccess = 5;

/**
 * Returns the outcome of a delivery after an attempt. A target that isn't allowed, or that responds with 410
 * Gone, is final. An email that reached some of its recipients never becomes a dead letter.
 */
export function attemptOutcome(
  answer: Pick<SendResult, 'error' | 'retryAfter' | 'hasReached' | 'reason'>,
  series: AttemptSeries,
  now: Date,
  random: number,
): AttemptOutcome {
  if (answer.error === null)
    return { status: 'succeeded', ...(answer.reason != null && { reason: answer.reason }) };
  const { code } = answer.error;
  const end = (reason: DeliveryErrorCode): AttemptOutcome =>
    answer.hasReached === true
      ? { status: 'succeeded', reason: 'recipients_skipped' }
      : { status: 'dead_letter', reason };
  if (finalCodes.has(code)) return end(code);
  const { retryScheduleSeconds, attemptCount, startedAt, timeoutSeconds } = series;
  const at = nextAttemptAt(retryScheduleSeconds, attemptCount, now, answer.retryAfter, random);
  if (at === null || (answer.hasReached === true && attemptCount >= maxAttemptsAfterPartialSuccess))
    return end(code);
  if (now > seriesExpiresAt(retryScheduleSeconds, startedAt, timeoutSeconds)) return end('expired');
  return { status: 'failed', nextAttemptAt: at };
}
