import { ApiError } from '../platform/errors.ts';
import { createFairLimit } from './fair-limit.ts';

/** Maximum number of concurrent calls, in total and per organization. */
const limits = { max: 8, maxPerKey: 2 };
/** Maximum number of waiting calls per organization. */
const maxWaiting = 10;

/**
 * Limits the requests that the server itself sends while a caller waits for the result.
 *
 * @param what Singular noun for error messages.
 */
export function createRequestLimit(what: 'preview' | 'test') {
  const limit = createFairLimit(limits);
  /** Number of waiting and running calls per organization. */
  const counts = new Map<string, number>();

  return {
    /**
     * @param caller Signal that aborts when the caller disconnects. A waiting call then leaves the queue, and
     * a running call fails as canceled.
     */
    async run<T>(
      organizationId: number,
      work: (fairKey: string) => Promise<T>,
      caller: AbortSignal,
    ): Promise<T> {
      const fairKey = String(organizationId);
      const count = counts.get(fairKey) ?? 0;
      if (count >= limits.maxPerKey + maxWaiting) {
        const detail = `Too many ${what}s of the organization are waiting.`;
        throw new ApiError('rate_limited', detail, { retryAfterSeconds: 2 });
      }
      counts.set(fairKey, count + 1);
      try {
        return await limit.run(fairKey, () => work(fairKey), { signal: caller });
      } catch (error) {
        if (!caller.aborted) throw error;
        throw new ApiError('unavailable', `The ${what} was canceled.`, {
          retryAfterSeconds: 1,
          cause: error,
        });
      } finally {
        const left = counts.get(fairKey)! - 1;
        if (left > 0) counts.set(fairKey, left);
        else counts.delete(fairKey);
      }
    },
  };
}
