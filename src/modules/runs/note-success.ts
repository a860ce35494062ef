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
