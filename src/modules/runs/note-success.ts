import { type RawBuilder, sql } from 'kysely';

/**
 * Whether a job notes a success. Its runs say when it last succeeded, and those that find nothing must write little: what is
 * noted only has to be recent enough not to look like a failure, which takes two days. One that is later than now was noted
 * before the clock was set back.
 */
export function isSuccessNoted(lastSuccessAt: RawBuilder<unknown>): RawBuilder<boolean> {
  return sql<boolean>`coalesce(
    ${lastSuccessAt} NOT BETWEEN pacekeeper_now() - interval '36 hours' AND pacekeeper_now(), true)`;
}

/**
 * What the end of a run writes to its job, for an update of the job in the same transaction: `succeedRuns` then has nothing left
 * to write. Two updates of a job would write its row and all its index entries twice.
 */
export function successOf(job: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`last_outcome = 'succeeded', last_outcome_at = CASE
    WHEN ${job}.last_outcome = 'succeeded' THEN ${job}.last_outcome_at ELSE pacekeeper_now() END`;
}
