import type { DeliveryErrorCode } from '../../../../domain/channels/delivery-codes.ts';
import { nextAttemptAt, seriesExpiresAt } from '../../../../domain/scheduling/retry-schedule.ts';
import type { WebhookAnswer } from '../send/send-webhook.ts';

/** The series that an attempt belongs to. A retry by hand begins a new one. */
export interface AttemptSeries {
  /** Attempts made, this one included. */
  attemptCount: number;
  startedAt: Date;
  retryScheduleSeconds: readonly number[];
  timeoutSeconds: number;
}

export type AttemptOutcome =
  | { status: 'succeeded' }
  | { status: 'failed'; nextAttemptAt: Date }
  | { status: 'dead_letter'; reason: DeliveryErrorCode };

/** What becomes of a delivery after an attempt. A target that is refused, or wants no more, is final. */
export function attemptOutcome(
  answer: Pick<WebhookAnswer, 'error' | 'retryAfter'>,
  series: AttemptSeries,
  now: Date,
  random: number,
): AttemptOutcome {
  if (answer.error === null) return { status: 'succeeded' };
  const { code } = answer.error;
  if (code === 'gone' || code === 'target_not_allowed') return { status: 'dead_letter', reason: code };
  const { retryScheduleSeconds, attemptCount, startedAt, timeoutSeconds } = series;
  const at = nextAttemptAt(retryScheduleSeconds, attemptCount, now, answer.retryAfter, random);
  if (at === null) return { status: 'dead_letter', reason: code };
  if (now > seriesExpiresAt(retryScheduleSeconds, startedAt, timeoutSeconds)) {
    return { status: 'dead_letter', reason: 'expired' };
  }
  return { status: 'failed', nextAttemptAt: at };
}
