import { ApiError } from '../platform/errors.ts';
import { createFairLimit } from './fair-limit.ts';

/** How many send requests at the same time, and of one organization. */
const limits = { max: 8, maxPerKey: 2 };
/** How many of one organization can wait for their turn. */
const maxWaiting = 10;

/**
 * Limits what the server itself sends requests for while a caller waits.
 *
 * @param what in errors, in the singular
 */
export function createRequestTurns(what: 'preview' | 'test') {
  const limit = createFairLimit(limits);
  /** By organization, those that wait and those that run. */
  const counts = new Map<string, number>();

  return {
    /** @param caller who stops waiting gives the turn away, and the requests end */
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
