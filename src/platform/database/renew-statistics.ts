import { sql } from 'kysely';
import type { Tx } from './transaction.ts';

/**
 * Has PostgreSQL look again at the tables that have more than twice as many pages as when it last did. It plans by what it
 * saw: for a table that was empty then, reading it from the front is right, and remains the plan of every connection. New
 * statistics make all of them plan anew. PostgreSQL does so by itself about once a minute, in which an installation that is
 * being set up grows a thousandfold.
 *
 * @returns the names of these tables
 */
export async function renewStatistics(tx: Tx): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    SELECT relname AS name FROM pg_class
    WHERE relkind = 'r' AND relnamespace = current_schema()::regnamespace AND pg_has_role(relowner, 'USAGE')
      AND pg_relation_size(oid) > 2 * greatest(relpages, 1) * current_setting('block_size')::bigint`.execute(
    tx,
  );
  // One that PostgreSQL is cleaning up is looked at then.
  for (const { name } of rows) await sql`ANALYZE (SKIP_LOCKED) ${sql.table(name)}`.execute(tx);
  return rows.map(({ name }) => name);
}
