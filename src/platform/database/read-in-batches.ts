import { type RawBuilder, sql } from 'kysely';
import type { Database } from './connect-database.ts';

/**
 * Reads the rows of a statement with a cursor. Neither this process nor the connection ever holds more of them than one
 * batch. All are of the instant at which the statement begins.
 *
 * @param read gets one batch after the other
 */
export async function readInBatches<Row>(
  db: Database,
  query: RawBuilder<Row>,
  batchSize: number,
  read: (rows: readonly Row[]) => void,
): Promise<void> {
  await db.transaction().execute(async (tx) => {
    // All of the rows are read: what the first of them cost isn't what counts.
    await sql`SET LOCAL cursor_tuple_fraction = 1`.execute(tx);
    await sql`DECLARE batches NO SCROLL CURSOR FOR ${query}`.execute(tx);
    for (;;) {
      const { rows } = await sql<Row>`FETCH ${sql.lit(batchSize)} FROM batches`.execute(tx);
      if (rows.length > 0) read(rows);
      if (rows.length < batchSize) break;
    }
  });
}
