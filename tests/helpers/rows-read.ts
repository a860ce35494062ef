import { sql } from 'kysely';
import type { Tx } from '../../src/platform/database/index.ts';

/**
 * Returns the number of rows of a table that this connection has read: in this transaction, and in earlier
 * ones whose statistics haven't been flushed yet. Compare the results before and after the work.
 */
export async function countRowsRead(tx: Tx, table: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    SELECT seq_tup_read + idx_tup_fetch AS count FROM pg_stat_xact_user_tables WHERE relname = ${table}`.execute(
    tx,
  );
  return rows[0]!.count;
}
