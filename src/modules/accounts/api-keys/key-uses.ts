import { sql } from 'kysely';
import type { Database } from '../../../platform/database/index.ts';
import type { Log } from '../../../platform/log.ts';

/** Which keys were used, written down apart from the requests that used them. */
export interface KeyUses {
  note(apiKeyId: number): void;
  /** Writes what is left. */
  stop(): Promise<void>;
}

/** One statement a second at most, for all keys that were used within it. */
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
      // The next use writes it. Requests themselves tell when the database is away.
      log.warn({ err: error }, 'updating last_used_at of API keys failed');
    });
  }

  return {
    note(apiKeyId) {
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

/** Keys that somebody changes at this moment are left out: their next use will do. */
async function recordKeyUsesAcrossOrganizations(db: Database, ids: readonly number[]): Promise<void> {
  const free = db.selectFrom('api_keys').select('id').where('id', 'in', ids).forNoKeyUpdate().skipLocked();
  await db
    .updateTable('api_keys')
    .set({ last_used_at: sql`pacekeeper_now()` })
    .where('id', 'in', free)
    .execute();
}
