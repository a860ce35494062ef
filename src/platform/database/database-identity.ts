import { sql } from 'kysely';
import type { Database } from './connect-database.ts';
import { hasSqlState } from './transaction.ts';

/**
 * Returns the system identifier and the timeline of the database, or `null` if its server doesn't report them or doesn't
 * accept writes. A promotion of a standby starts a new timeline, and a restored copy does too or has another system
 * identifier. Some managed services don't report them.
 */
export async function readDatabaseIdentity(db: Database): Promise<string | null> {
  try {
    const { rows } = await sql<{ identity: string }>`
      SELECT (SELECT system_identifier FROM pg_control_system())::text
        || '/' || left(pg_walfile_name(pg_current_wal_insert_lsn()), 8) AS identity`.execute(db);
    return rows[0]?.identity ?? null;
  } catch (error) {
    if (hasSqlState(error, ...notReported)) return null;
    throw error;
  }
}

/** Not supported, not allowed, no such function, and in recovery. */
const notReported = ['0A000', '42501', '42883', '55000'] as const;
