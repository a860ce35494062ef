import { sql } from 'kysely';
import type { Database } from '../../platform/database/index.ts';

/**
 * Maximum size of all cached results and their keys together, as JSON in UTF-8. In memory, results take about twice
 * as much.
 */
const maxBytes = 16 * 1024 * 1024;
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
   * Returns the result of `compute`, or a stored one. Results must be JSON values, because their size is that of the JSON.
   *
   * @param isCurrent returns false for a stored result that is outdated although nothing has changed
   */
  read<T>(cacheKey: CacheKey, compute: () => Promise<T>, isCurrent?: (result: T) => boolean): Promise<T>;
}

interface CachedResult {
  revision: number;
  untilMs: number;
  result: Promise<unknown>;
  bytes: number;
}

/**
 * Caches results that are valid until something changes that a trigger counts, such as a deployed version anywhere in the
 * organization. A result is never older than the revision that the request has read, so changes on other servers are
 * visible too.
 */
export function createResultCache(): ResultCache {
  const results = new Map<string, CachedResult>();
  let bytes = 0;

  function evict(key: string): void {
    bytes -= results.get(key)?.bytes ?? 0;
    results.delete(key);
  }

  return {
    async read<T>(
      { organizationId, revision, about }: CacheKey,
      compute: () => Promise<T>,
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
        bytes: Buffer.byteLength(key),
      };
      results.set(key, entry);
      bytes += entry.bytes;
      try {
        const result = (await entry.result) as T;
        if (results.get(key) === entry) {
          const ofResult = Buffer.byteLength(JSON.stringify(result));
          bytes += ofResult;
          entry.bytes += ofResult;
        }
        for (const oldest of results.keys()) {
          if (bytes <= maxBytes) break;
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
