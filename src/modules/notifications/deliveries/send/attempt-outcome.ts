import type { DeliveryErrorCode } from '../../../../domain/channels/delivery-codes.ts';
import { nextAttemptAt, seriesExpiresAt } from '../../../../domain/scheduling/retry-schedule.ts';
import type { AttemptOutcome } from '../model/delivery-audit-entry.ts';
import type { SendResult } from './send-answer.ts';

/** The series that an attempt belongs to. A manual retry starts a new series. */
export interface AttemptSeries {
  /** Number of attempts, including this one. */
  attemptCount: number;
  /** Start of the first attempt. The time that the delivery waited behind other messages doesn't count. */
  startedAt: Date;
  retryScheduleSeconds: readonly number[];
  timeoutSeconds: number;
  /** Total wait after rejections because of a rate limit. It extends the deadline of the series. */
  rateLimitWaitMs: number;
  /**
   * Time at which this delivery became due, which determines its position among the deliveries of its
   * channel.
   */
  dueAt: Date;
}

/** Errors that aren't retried, because a retry would have the same result. */
const finalCodes: ReadonlySet<DeliveryErrorCode> = new Set([
  'gone',
  'target_not_allowed',
  'mail_rejected',
  'recipients_not_allowed',
  'recipients_skipped',
  'ticket_rejected',
  'ticket_elsewhere',
  'ticket_search_incomplete',
]);

/**
 * Maximum number of attempts for an email that reached a recipient. Retrying for hours would delay later
 * messages about the same alert.
 */
const maxAttemptsAfterPartialSuccess = 5;

/** Longest extension of a series by waits after rejections because of a rate limit. */
export const maxRateLimitWaitMs = 3 * 86_400_000;

export function seriesDeadline({
  retryScheduleSeconds,
  startedAt,
  timeoutSeconds,
  rateLimitWaitMs,
}: Omit<AttemptSeries, 'dueAt'>): Date {
  const deadline = seriesExpiresAt(retryScheduleSeconds, startedAt, timeoutSeconds);
  return new Date(deadline.getTime() + Math.min(rateLimitWaitMs, maxRateLimitWaitMs));
}

/**
 * Returns the outcome of a delivery after an attempt. A rate-limited message keeps its place in the queue,
 * and the rejection doesn't count as an attempt. The time spent waiting for rate limits is added to the
 * deadline of the series, up to `maxRateLimitWaitMs`. After that, a rejection because of a rate limit is
 * treated like any other failure. The result is final if the target isn't allowed or responds with 410 Gone.
 * An email that reached some of its recipients never becomes a dead letter.
 */
export function attemptOutcome(
  answer: Pick<SendResult, 'error' | 'retryAfter' | 'rateLimit' | 'hasReached' | 'reason'>,
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
  const { retryScheduleSeconds, attemptCount } = series;
  if (answer.rateLimit != null) {
    return now > seriesDeadline({ ...series, rateLimitWaitMs: maxRateLimitWaitMs })
      ? end('expired')
      : { status: 'failed', nextAttemptAt: series.dueAt, isRateLimited: true };
  }
  const at = nextAttemptAt(retryScheduleSeconds, attemptCount, now, answer.retryAfter, random);
  if (at === null || (answer.hasReached === true && attemptCount >= maxAttemptsAfterPartialSuccess))
    return end(code);
  if (now > seriesDeadline(series)) return end('expired');
  return { status: 'failed', nextAttemptAt: at };
}
