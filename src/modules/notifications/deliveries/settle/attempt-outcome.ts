import type { DeliveryErrorCode } from '../../../../domain/channels/delivery-codes.ts';
import { nextAttemptAt, seriesExpiresAt } from '../../../../domain/scheduling/retry-schedule.ts';
import type { SendAnswer } from '../send/send-answer.ts';

/** The series that an attempt belongs to. A retry by hand begins a new one. */
export interface AttemptSeries {
  /** Attempts made, this one included. */
  attemptCount: number;
  startedAt: Date;
  retryScheduleSeconds: readonly number[];
  timeoutSeconds: number;
}

export type AttemptOutcome =
  | { status: 'succeeded'; reason?: DeliveryErrorCode }
  | { status: 'failed'; nextAttemptAt: Date }
  | { status: 'dead_letter'; reason: DeliveryErrorCode };

/** Final at the first attempt: a retry would have the same result. */
const finalCodes: ReadonlySet<DeliveryErrorCode> = new Set([
  'gone',
  'target_not_allowed',
  'mail_rejected',
  'recipients_not_allowed',
  'recipients_skipped',
  'ticket_rejected',
  'ticket_elsewhere',
]);

/** An email that has reached someone isn't retried for hours, because later messages about its alert wait for it. */
const maxAttemptsOnceReached = 5;

/**
 * What becomes of a delivery after an attempt. A target that is refused, or wants no more, is final. An email that reached
 * some of its recipients is never a dead letter.
 */
export function attemptOutcome(
  answer: Pick<SendAnswer, 'error' | 'retryAfter' | 'hasReached' | 'reason'>,
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
  if (at === null || (answer.hasReached === true && attemptCount >= maxAttemptsOnceReached)) return end(code);
  if (now > seriesExpiresAt(retryScheduleSeconds, startedAt, timeoutSeconds)) return end('expired');
  return { status: 'failed', nextAttemptAt: at };
}
