import { sql } from 'kysely';
import type { Tx } from '../database/index.ts';
import type { DueTable } from './due-table.ts';

/**
 * After the clock was set back: what was planned by the former clock would stand still until that time comes again.
 * Leases are moved back with the clock, and rows that were triggered are due now. With `isSchedule` the rows that were due
 * by themselves are moved back as well, so that each keeps its distance from now; without it their time is one that
 * means the same by every clock.
 *
 * @param backMs how far the clock was set back
 * @returns how many rows were moved
 */
export async function recoverDueRows(
  tx: Tx,
  table: DueTable,
  { backMs, isSchedule }: { backMs: number; isSchedule: boolean },
): Promise<number> {
  const back = sql`${backMs}::float8 * interval '1 millisecond'`;
  const isTriggered = sql`wanted > done AND due_at > pacekeeper_now()`;
  const isLeased = sql`lease_until >= pacekeeper_now() + ${back}`;
  const isPlanned = sql`${isSchedule} AND due_at < 'infinity' AND due_at >= pacekeeper_now() + ${back}`;
  const keys = sql.join(Object.keys(table.keys).map((key) => sql.ref(key)));
  // Locked in the order of their keys, like everywhere.
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
