import { sql } from 'kysely';
import type { Database } from '../../src/platform/database/index.ts';

/** Returns the number of statements in this database that wait for a lock. */
export async function countLockWaits(db: Database): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    SELECT count(*) AS count FROM pg_stat_activity
    WHERE datname = current_database() AND wait_event_type = 'Lock'`.execute(db);
  return rows[0]!.count;
}
