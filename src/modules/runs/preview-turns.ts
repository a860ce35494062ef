import { ApiError } from '../../platform/errors.ts';
import { createFairLimit } from '../../sources/fair-limit.ts';

/** Previews that send requests at the same time, and those of one organization. */
const limits = { max: 8, maxPerKey: 2 };
/** Previews of one organization that can wait for their turn. */
const maxWaiting = 10;

/** Limits the previews for which the server itself sends requests. */
export function createPreviewTurns() {
  const limit = createFairLimit(limits);
  /** Previews by organization, those that wait and those that run. */
  const counts = new Map<string, number>();

  return {
    /** @param caller a preview whose caller stopped waiting gives its turn away, and its requests end */
    async run<T>(
      organizationId: number,
      preview: (fairKey: string) => Promise<T>,
      caller: AbortSignal,
    ): Promise<T> {
      const fairKey = String(organizationId);
      const count = counts.get(fairKey) ?? 0;
      if (count >= limits.maxPerKey + maxWaiting) {
        const detail = 'Too many previews of the organization are waiting.';
        throw new ApiError('rate_limited', detail, { retryAfterSeconds: 2 });
      }
      counts.set(fairKey, count + 1);
      try {
        return await limit.run(fairKey, () => preview(fairKey), { signal: caller });
      } catch (error) {
        if (!caller.aborted) throw error;
        throw new ApiError('unavailable', 'The preview was canceled.', {
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
