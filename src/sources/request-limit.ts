import { ApiError } from '../platform/errors.ts';
import { Counts, createFairLimit } from '../platform/fairness/index.ts';

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
  const counts = new Counts<string>();

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
      if (counts.of(fairKey) >= limits.maxPerKey + maxWaiting) {
        const detail = `Too many ${what}s of the organization are waiting.`;
        throw new ApiError('rate_limited', detail, { retryAfterSeconds: 2 });
      }
      counts.add(fairKey, 1);
      try {
        return await limit.run(fairKey, () => work(fairKey), { signal: caller });
      } catch (error) {
        if (!caller.aborted) throw error;
        throw new ApiError('unavailable', `The ${what} was canceled.`, {
          retryAfterSeconds: 1,
          cause: error,
        });
      } finally {
        counts.add(fairKey, -1);
      }
    },
  };
}
