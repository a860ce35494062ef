import { sql } from 'kysely';
import type { Database } from '../../src/platform/database/index.ts';

/**
 * Moves the ended runs to the day before, so that the next run of a job gets a row with its own summary. A run without
 * changes is otherwise counted in the row of the previous run of the day.
 */
export async function moveRunsToYesterday(db: Database): Promise<void> {
  await sql`
    UPDATE runs SET finished_at = finished_at - interval '1 day', last_finished_at = last_finished_at - interval '1 day'
    WHERE finished_at IS NOT NULL`.execute(db);
}
