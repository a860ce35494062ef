import { sql } from 'kysely';
import type { Database } from '../../platform/database/index.ts';

/**
 * Maximum weight of all cached results together. A cell or a version weighs about one unit, so the limit corresponds to
 * about 40 MB.
 */
const maxWeight = 100_000;
/**
 * Number of characters of a cache key that weigh as much as one cell. Keys count toward the weight, because they
 * contain text that clients choose.
 */
const charactersPerWeight = 200;
/**
 * Lifetime of a cached result. Some changes don't change the revision: retention deletes versions, or a
 * schedule is edited. Results from before such a change are used for at most this time.
 */
const cacheTtlMs = 60_000;

export interface CacheKey {
  organizationId: number;
  /** Result of `readRevision`, read before all other data. */
  revision: number;
  /** All other inputs that determine the result. */
  about: unknown;
}

export interface ResultCache {
  /**
   * @param weigh returns the weight of a result, which counts toward `maxWeight`
   * @param isCurrent returns false for a stored result that is outdated although nothing has changed
   */
  read<T>(
    cacheKey: CacheKey,
    compute: () => Promise<T>,
    weigh: (result: T) => number,
    isCurrent?: (result: T) => boolean,
  ): Promise<T>;
}

interface CachedResult {
  revision: number;
  untilMs: number;
  result: Promise<unknown>;
  weight: number;
}

/**
 * Caches results that are valid until something changes that a trigger counts, such as a deployed version anywhere in the
 * organization. A result is never older than the revision that the request has read, so changes on other servers are
 * visible too.
 */
export function createResultCache(): ResultCache {
  const results = new Map<string, CachedResult>();
  let weight = 0;

  function evict(key: string): void {
    weight -= results.get(key)?.weight ?? 0;
    results.delete(key);
  }

  return {
    async read<T>(
      { organizationId, revision, about }: CacheKey,
      compute: () => Promise<T>,
      weigh: (result: T) => number,
      isCurrent: (result: T) => boolean = () => true,
    ): Promise<T> {
      const key = `${organizationId} ${JSON.stringify(about)}`;
      const known = results.get(key);
      if (known?.revision === revision && performance.now() < known.untilMs) {
        const result = (await known.result) as T;
        if (isCurrent(result)) return result;
      }
      evict(key);
      const entry: CachedResult = {
        revision,
        untilMs: performance.now() + cacheTtlMs,
        result: compute(),
        weight: 1 + Math.ceil(key.length / charactersPerWeight),
      };
      results.set(key, entry);
      weight += entry.weight;
      try {
        const result = (await entry.result) as T;
        if (results.get(key) === entry) {
          const own = weigh(result);
          weight += own;
          entry.weight += own;
        }
        for (const oldest of results.keys()) {
          if (weight <= maxWeight) break;
          evict(oldest);
        }
        return result;
      } catch (error) {
        if (results.get(key) === entry) evict(key);
        throw error;
      }
    },
  };
}

/**
 * Returns a revision that changes with every change of this subject in one of the organizations, and the time of the
 * database.
 */
export async function readRevision(
  db: Database,
  organizationIds: readonly number[],
  subject: 'deployed_changes' | 'upgrade_changes',
): Promise<{ revision: number; now: Date }> {
  const { rows } = await sql<{ revision: number; now: Date }>`
    SELECT coalesce(sum(amount), 0)::bigint AS revision, pacekeeper_now() AS now FROM row_counts
    WHERE organization_id = ANY(${[...organizationIds]}::bigint[]) AND subject = ${subject}`.execute(db);
  return rows[0]!;
}
