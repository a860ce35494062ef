import { sql } from 'kysely';
import { type Database, transaction } from '../../../../platform/database/index.ts';
import { triggerDueRows } from '../../../../platform/due-rows/index.ts';
import { channelsDue } from '../claim/channels-due.ts';

/**
 * After the clock was set back, what was planned before it lies in the future: it is due now. Whatever is due
 * goes out a few at a time, so that this makes no storm. It reads all that is open.
 * @returns how many channels were woken
 */
export async function recoverFromClockJumpAcrossOrganizations(db: Database): Promise<number> {
  return transaction(db, async (tx) => {
    const { rows } = await sql<{ channel_id: number }>`
      UPDATE notification_deliveries d
      SET series_started_at = pacekeeper_now(),
        next_attempt_at = least(d.next_attempt_at, pacekeeper_now() + CASE WHEN d.status = 'in_progress'
          THEN interval '1 minute' ELSE coalesce(c.digest_minutes, 0) * interval '1 minute' END),
        -- least() passes NULL over.
        lease_until = CASE WHEN d.lease_until IS NOT NULL
          THEN least(d.lease_until, pacekeeper_now() + interval '1 minute') END
      FROM notification_channels c
      WHERE c.organization_id = d.organization_id AND c.id = d.channel_id
        AND d.status IN ('pending', 'failed', 'in_progress') AND NOT d.waits_for_channel AND NOT d.waits_for_reading
        AND d.series_started_at > pacekeeper_now() + interval '1 minute'
      RETURNING d.channel_id`.execute(tx);
    const isStuck = sql`lease_until > pacekeeper_now() + interval '2 minutes' AND due_at < 'infinity'`;
    const { rows: stuck } = await sql<{ id: number }>`
      UPDATE notification_channels SET lease_until = pacekeeper_now() + interval '1 minute'
      WHERE ${isStuck} RETURNING id`.execute(tx);
    const ids = [...new Set([...rows.map((row) => row.channel_id), ...stuck.map((row) => row.id)])];
    return ids.length === 0 ? 0 : triggerDueRows(tx, channelsDue, sql`id = ANY(${ids}::bigint[])`);
  });
}

/** Recovers when the clock is behind what this process has seen of it. */
export interface ClockRecovery {
  /** Told of times that the database gave. */
  saw(now: Date): void;
  /** The first time in any case: nothing is known of what was before. Returns how many channels were woken. */
  look(): Promise<number>;
}

export function createClockRecovery(db: Database): ClockRecovery {
  let latest: Date | null = null;
  return {
    saw(now) {
      if (latest === null || now > latest) latest = now;
    },
    async look() {
      const { rows } = await sql<{ now: Date }>`SELECT pacekeeper_now() AS now`.execute(db);
      const { now } = rows[0]!;
      const count = latest !== null && now >= latest ? 0 : await recoverFromClockJumpAcrossOrganizations(db);
      latest = now;
      return count;
    },
  };
}
