import { ApiError } from '../errors.ts';

/**
 * How many long requests of one name (a caller, an agent, an organization) are open at the same time. `open` counts one
 * and returns what ends it; it throws `rate_limited` for one too many. Each server counts for itself.
 */
export interface OpenLimit {
  open(name: string): () => void;
}

/** `what` names the requests in the error, in the plural. */
export function createOpenLimit(max: number, what: string): OpenLimit {
  const openByName = new Map<string, number>();
  return {
    open(name) {
      const count = openByName.get(name) ?? 0;
      if (count >= max)
        throw new ApiError('rate_limited', `Limit of ${max} ${what} reached.`, {
          retryAfterSeconds: 30,
        });
      openByName.set(name, count + 1);
      return () => {
        const left = (openByName.get(name) ?? 1) - 1;
        if (left > 0) openByName.set(name, left);
        else openByName.delete(name);
      };
    },
  };
}

/** Counts a request by each of its names, or by none of them. Returns what ends it. */
export function openInAll(names: readonly (readonly [OpenLimit, string])[]): () => void {
  const ends: (() => void)[] = [];
  const endAll = () => ends.forEach((end) => end());
  try {
    for (const [limit, name] of names) ends.push(limit.open(name));
  } catch (error) {
    endAll();
    throw error;
  }
  return endAll;
}
