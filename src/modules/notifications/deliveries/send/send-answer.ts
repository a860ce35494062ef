import type { DeliveryErrorCode } from '../../../../domain/channels/delivery-codes.ts';
import type { RateLimit } from '../../../../domain/channels/receiver-rate-limit.ts';

/** Result of one request or email. */
export interface SendResult {
  /** HTTP or SMTP status. `null` if no response was received. */
  status: number | null;
  /** First 4 KiB with secrets masked. The text is shorter if the limit could split a secret. */
  body: string | null;
  retryAfter: string | null;
  /** Set if the receiver rejected the message only because of a rate limit or a temporary outage with a stated wait. */
  rateLimit?: RateLimit | null;
  /** Time of the response, from `performance.now()`. */
  respondedAtMs?: number;
  /** Wait that the receiver requested along with an accepted message. */
  usedUpWaitMs?: number | null;
  durationMs: number;
  /** `null` if and only if the target accepted the complete message. */
  error: { code: DeliveryErrorCode; message: string } | null;
  /**
   * Shown with a successful delivery that needs an explanation, for example one that the receiver only queued. Absent
   * otherwise.
   */
  reason?: DeliveryErrorCode | null;
  /** Recipients that this attempt of an email reached. */
  accepted?: readonly string[];
  /** True if this or an earlier attempt of an email reached a recipient. */
  hasReached?: boolean;
}

export const maxStoredBytes = 4 * 1024;

/** Returns the result for an event that has no values for the variables of the URL. */
export function requestBuildFailure(message: string): SendResult {
  const error = { code: 'invalid_response', message: `Couldn't build the request. ${message}` } as const;
  return { status: null, body: null, retryAfter: null, durationMs: 0, error };
}
