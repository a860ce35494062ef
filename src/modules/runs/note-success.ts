import { type RawBuilder, sql } from 'kysely';

/**
 * True if a run should update the time of the last success of its job. Runs without changes should write little, and
 * the runs themselves contain the exact time. The stored time only has to be recent enough that the job isn't reported
 * as failing, which happens after two days. A stored time in the future is replaced, because it was written before the
 * clock was set back.
 */
export function shouldRecordSuccess(lastSuccessAt: RawBuilder<unknown>): RawBuilder<boolean> {
  return sql<boolean>`coalesce(
    ${lastSuccessAt} NOT BETWEEN pacekeeper_now() - interval '36 hours' AND pacekeeper_now(), true)`;
}

/**
 * Returns the columns that the end of a run writes to its job, for an update of the job in the same
 * transaction. `succeedRuns` then has nothing left to write. Updating a job twice would write its row and all
 * its index entries twice.
 */
export function successColumns(job: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`last_outcome = 'succeeded', last_outcome_at = CASE
    WHEN ${job}.last_outcome = 'succeeded' THEN ${job}.last_outcome_at ELSE pacekeeper_now() END`;
}
