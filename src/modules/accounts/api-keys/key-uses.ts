import { sql } from 'kysely';
import type { Database } from '../../../platform/database/index.ts';
import type { Log } from '../../../platform/log.ts';

/** Records the use of keys separately from the requests that used them. */
export interface KeyUses {
  record(apiKeyId: number): void;
  /** Writes the uses that haven't been stored yet. */
  stop(): Promise<void>;
}

/** Write interval. One statement covers all keys that were used within it. */
const flushEveryMs = 1_000;

export function createKeyUses(db: Database, log: Log): KeyUses {
  let used = new Set<number>();
  let timer: NodeJS.Timeout | undefined;
  let flushing = Promise.resolve();

  async function flush(): Promise<void> {
    timer = undefined;
    const ids = [...used];
    used = new Set();
    if (ids.length === 0) return;
    await recordKeyUsesAcrossOrganizations(db, ids).catch((error: unknown) => {
      // Only log the failure, because the next use of the key updates `last_used_at` again. If the database
      // is unavailable, the requests themselves report that.
      log.warn({ err: error }, 'updating last_used_at of API keys failed');
    });
  }

  return {
    record(apiKeyId) {
      used.add(apiKeyId);
      timer ??= setTimeout(() => {
        flushing = flush();
      }, flushEveryMs).unref();
    },
    async stop() {
      clearTimeout(timer);
      await flushing;
      await flush();
    },
  };
}

/** Skips keys that another transaction is updating. Their next use is recorded instead. */
async function recordKeyUsesAcrossOrganizations(db: Database, ids: readonly number[]): Promise<void> {
  const free = db.selectFrom('api_keys').select('id').where('id', 'in', ids).forNoKeyUpdate().skipLocked();
  await db
    .updateTable('api_keys')
    .set({ last_used_at: sql`pacekeeper_now()` })
    .where('id', 'in', free)
    .execute();
}
