import { ApiError } from '../errors.ts';
import { Counts } from '../fairness/index.ts';

/**
 * Limits the long requests that are open at the same time under one name (a caller, an agent, an
 * organization). `open` counts a request and returns a function that ends it. If `max` requests are already open,
 * it throws `rate_limited`. Each server counts separately.
 */
export interface ConcurrencyLimit {
  open(name: string, max: number): () => void;
}

/** Creates a limit. `what` is a plural noun for the requests in the error message. */
export function createConcurrencyLimit(what: string): ConcurrencyLimit {
  const openByName = new Counts<string>();
  return {
    open(name, max) {
      if (openByName.of(name) >= max)
        throw new ApiError('rate_limited', `Limit of ${max} ${what} reached.`, {
          retryAfterSeconds: 30,
        });
      openByName.add(name, 1);
      return () => openByName.add(name, -1);
    },
  };
}

/**
 * Counts a request under all of its names, or under none if a limit is reached. Returns a function that ends
 * it.
 */
export function acquireAllLimits(
  names: readonly (readonly [limit: ConcurrencyLimit, name: string, max: number])[],
): () => void {
  const ends: (() => void)[] = [];
  const endAll = () => ends.forEach((end) => end());
  try {
    for (const [limit, name, max] of names) ends.push(limit.open(name, max));
  } catch (error) {
    endAll();
    throw error;
  }
  return endAll;
}
