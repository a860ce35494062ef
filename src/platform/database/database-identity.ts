import { sql } from 'kysely';
import type { Database } from './connect-database.ts';
import { hasSqlState } from './transaction.ts';

/**
 * Returns the system identifier and the timeline of the database, or `null` if its server doesn't report them
 * or doesn't accept writes. Promoting a standby starts a new timeline. A restored copy has a new timeline or
 * another system identifier. Some managed services report neither.
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

/**
 * Error codes of servers that don't report their identity: unsupported function, missing permission, unknown
 * function, and server in recovery.
 */
const notReported = ['0A000', '42501', '42883', '55000'] as const;
