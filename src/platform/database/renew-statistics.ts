import { sql } from 'kysely';
import type { Tx } from './transaction.ts';

/**
 * Updates the statistics of tables whose number of pages has more than doubled since their last statistics.
 * PostgreSQL plans with these statistics. If they describe an empty table, PostgreSQL plans a sequential
 * scan, and every connection keeps this plan while the table grows. New statistics invalidate such plans.
 * PostgreSQL updates statistics automatically about once a minute, but a new installation can grow a
 * thousandfold in this time.
 *
 * @returns The names of these tables.
 */
export async function renewStatistics(tx: Tx): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    SELECT relname AS name FROM pg_class
    WHERE relkind = 'r' AND relnamespace = current_schema()::regnamespace AND pg_has_role(relowner, 'USAGE')
      AND pg_relation_size(oid) > 2 * greatest(relpages, 1) * current_setting('block_size')::bigint`.execute(
    tx,
  );
  // Skip tables that PostgreSQL is vacuuming, because it then updates their statistics.
  for (const { name } of rows) await sql`ANALYZE (SKIP_LOCKED) ${sql.table(name)}`.execute(tx);
  return rows.map(({ name }) => name);
}
