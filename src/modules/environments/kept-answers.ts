import { sql } from 'kysely';
import type { Database } from '../../platform/database/index.ts';

/** Cells and versions kept of all answers together: about 40 MB. */
const maxWeight = 100_000;
/** Characters of a question that count as one of them: each reader can ask for other texts. */
const charactersPerWeight = 200;
/** Versions that `history_limit` drops, and schedules, count as no change. */
const cacheTtlMs = 60_000;

export interface CacheKey {
  organizationId: number;
  /** As `readDeployedRevision` returned it before anything else was read. */
  revision: number;
  /** What else decides the answer. */
  about: unknown;
}

export interface KeptAnswers {
  /** @param weigh what an answer counts of `maxWeight` */
  read<T>(question: CacheKey, compute: () => Promise<T>, weigh: (answer: T) => number): Promise<T>;
}

interface Kept {
  revision: number;
  untilMs: number;
  answer: Promise<unknown>;
  weight: number;
}

/**
 * Answers about what is deployed, each until something else is deployed anywhere in the organization. A kept answer is
 * never older than the revision that the request has read, whichever server made the change.
 */
export function createResultCache(): KeptAnswers {
  const kept = new Map<string, Kept>();
  let weight = 0;

  function evict(key: string): void {
    weight -= kept.get(key)?.weight ?? 0;
    kept.delete(key);
  }

  return {
    async read<T>(
      { organizationId, revision, about }: CacheKey,
      compute: () => Promise<T>,
      weigh: (answer: T) => number,
    ): Promise<T> {
      const key = `${organizationId} ${JSON.stringify(about)}`;
      const known = kept.get(key);
      const isCurrent = known?.revision === revision && performance.now() < known.untilMs;
      if (isCurrent) return known.answer as Promise<T>;
      evict(key);
      const entry: Kept = {
        revision,
        untilMs: performance.now() + cacheTtlMs,
        answer: compute(),
        weight: 1 + Math.ceil(key.length / charactersPerWeight),
      };
      kept.set(key, entry);
      weight += entry.weight;
      try {
        const answer = (await entry.answer) as T;
        if (kept.get(key) === entry) {
          const own = weigh(answer);
          weight += own;
          entry.weight += own;
        }
        for (const oldest of kept.keys()) {
          if (weight <= maxWeight) break;
          evict(oldest);
        }
        return answer;
      } catch (error) {
        if (kept.get(key) === entry) evict(key);
        throw error;
      }
    },
  };
}

/** Changes with every version, label, and job that decides what is deployed in which environment. */
export async function readDeployedRevision(db: Database, organizationId: number): Promise<number> {
  const { rows } = await sql<{ revision: number }>`
    SELECT coalesce(sum(amount), 0)::bigint AS revision FROM row_counts
    WHERE organization_id = ${organizationId} AND subject = 'deployed_changes'`.execute(db);
  return rows[0]!.revision;
}
