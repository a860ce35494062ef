import { type RawBuilder, sql } from 'kysely';
import type { Database } from './connect-database.ts';

/**
 * Reads the rows of a query with a cursor, so that no more than one batch is in memory at a time. All batches
 * show the data as it was when the query started.
 *
 * @param read Receives the batches one after another.
 */
export async function readInBatches<Row>(
  db: Database,
  query: RawBuilder<Row>,
  batchSize: number,
  read: (rows: readonly Row[]) => void,
): Promise<void> {
  await db.transaction().execute(async (tx) => {
    // Optimize the plan for reading all rows, not for a fast first row.
    await sql`SET LOCAL cursor_tuple_fraction = 1`.execute(tx);
    await sql`DECLARE batches NO SCROLL CURSOR FOR ${query}`.execute(tx);
    for (;;) {
      const { rows } = await sql<Row>`FETCH ${sql.lit(batchSize)} FROM batches`.execute(tx);
      if (rows.length > 0) read(rows);
      if (rows.length < batchSize) break;
    }
  });
}
