import { sql } from 'kysely';
import type { Tx } from '../database/index.ts';
import type { DueTable } from './due-table.ts';

/**
 * Moves due rows after the clock was set back, because rows scheduled by the former clock would otherwise wait until
 * the clock reaches that time again. Leases move back with the clock, and triggered rows are due now. With
 * `isSchedule`, scheduled rows move back as well, so that the time until each is due stays the same. Without
 * `isSchedule`, their due times are absolute and don't change.
 *
 * @param backMs Duration by which the clock was set back.
 * @returns The number of rows that were moved.
 */
export async function recoverDueRows(
  tx: Tx,
  table: DueTable,
  { backMs, isSchedule }: { backMs: number; isSchedule: boolean },
): Promise<number> {
  const back = sql`${backMs}::float8 * interval '1 millisecond'`;
  const isTriggered = sql`requested_seq > processed_seq AND due_at > pacekeeper_now()`;
  const isLeased = sql`lease_until >= pacekeeper_now() + ${back}`;
  const isPlanned = sql`${isSchedule} AND due_at < 'infinity' AND due_at >= pacekeeper_now() + ${back}`;
  const keys = sql.join(Object.keys(table.keys).map((key) => sql.ref(key)));
  // Lock the rows in key order, as all other code does.
  const result = await sql`
    WITH chosen AS (
      SELECT ${keys} FROM ${sql.table(table.name)} WHERE (${isTriggered}) OR (${isLeased}) OR (${isPlanned})
      ORDER BY ${keys} FOR UPDATE
    )
    UPDATE ${sql.table(table.name)}
    SET due_at = CASE WHEN ${isTriggered} THEN pacekeeper_now() WHEN ${isPlanned} THEN due_at - ${back} ELSE due_at END,
        lease_until = CASE WHEN ${isLeased} THEN lease_until - ${back} ELSE lease_until END
    WHERE (${keys}) IN (SELECT ${keys} FROM chosen)`.execute(tx);
  return Number(result.numAffectedRows ?? 0);
}
