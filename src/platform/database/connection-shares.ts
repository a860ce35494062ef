import { AsyncLocalStorage } from 'node:async_hooks';
import { ApiError } from '../errors.ts';
import { createFairLimit } from '../fairness/index.ts';

const owners = new AsyncLocalStorage<number>();

/**
 * Runs work for an organization. Its database connections count toward the organization's share. Other work,
 * such as that of the loops, isn't limited.
 */
export function runForOrganization<T>(organizationId: number, work: () => T): T {
  return owners.run(organizationId, work);
}

export interface ConnectionShares {
  /**
   * Waits until the organization of the caller can use another connection.
   *
   * @returns A function that must be called when the connection is released.
   * @throws ApiError 503 if the organization uses its share for too long.
   */
  begin(): Promise<() => void>;
  readonly waitingCount: number;
}

/**
 * Divides the connections of a pool among organizations. An organization gets another connection only while
 * it uses fewer connections than are free. One organization therefore uses at most half of the pool, three
 * use a quarter each, and some connections are always free for others. Each organization can always use one.
 *
 * @param options.waitMs Maximum time to wait for a connection.
 */
export function createConnectionShares(max: number, { waitMs }: { waitMs: number }): ConnectionShares {
  const limit = createFairLimit({ max: Infinity, maxPerKey: (usedByAll) => max - usedByAll });
  return {
    async begin() {
      const owner = owners.getStore();
      try {
        return await limit.enter(owner === undefined ? null : String(owner), { waitMs });
      } catch {
        throw new ApiError(
          'unavailable',
          "Other requests of the organization use its share of the database's connections.",
          { retryAfterSeconds: 5 },
        );
      }
    },
    get waitingCount() {
      return limit.waitingCount;
    },
  };
}
