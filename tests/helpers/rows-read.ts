import { sql } from 'kysely';
import type { Tx } from '../../src/platform/database/index.ts';

/**
 * How many rows of a table this connection has read: in this transaction, and before it, as far as that wasn't reported yet. Compare
 * what it returns before and after the work.
 */
export async function countRowsRead(tx: Tx, table: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    SELECT seq_tup_read + idx_tup_fetch AS count FROM pg_stat_xact_user_tables WHERE relname = ${table}`.execute(
    tx,
  );
  return rows[0]!.count;
}
