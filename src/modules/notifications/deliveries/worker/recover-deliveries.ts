import { sql } from 'kysely';
import { nextRun } from '../../../../domain/scheduling/cron-schedule.ts';
import { type Database, type Tx, transaction } from '../../../../platform/database/index.ts';
import { triggerDueRows } from '../../../../platform/due-rows/index.ts';
import { dueChannelsTable } from '../model/due-channels-table.ts';
import { moveWaitingDigest } from '../model/move-waiting-digest.ts';

/**
 * Makes deliveries due that were planned before the clock was set back and therefore appear to be in the
 * future. Due deliveries are sent a few at a time, so this doesn't cause a burst. It reads all open
 * deliveries.
 * @returns The number of channels triggered.
 */
export async function recoverFromClockJumpAcrossOrganizations(db: Database): Promise<number> {
  return transaction(db, async (tx) => {
    const { rows } = await sql<{
      organization_id: number;
      channel_id: number;
      schedule: string | null;
      timezone: string;
    }>`
      UPDATE notification_deliveries d
      SET series_started_at = pacekeeper_now(),
        next_attempt_at = CASE WHEN ${waitsForSchedule} THEN d.next_attempt_at ELSE
          least(d.next_attempt_at, pacekeeper_now() + CASE WHEN d.status = 'in_progress'
            THEN interval '1 minute' ELSE coalesce(c.digest_minutes, 0) * interval '1 minute' END) END,
        -- The null check is necessary, because least() ignores nulls.
        lease_until = CASE WHEN d.lease_until IS NOT NULL
          THEN least(d.lease_until, pacekeeper_now() + interval '1 minute') END
      FROM notification_channels c
      WHERE c.organization_id = d.organization_id AND c.id = d.channel_id
        AND d.status IN ('pending', 'failed', 'in_progress') AND NOT d.waits_for_channel AND d.waits_for_cause IS NULL
        AND NOT d.waits_for_hours
        -- The delivery was planned, or attempted and planned again, before the clock was set back.
        AND greatest(d.series_started_at, d.last_attempt_at) > pacekeeper_now() + interval '1 minute'
      RETURNING d.organization_id, d.channel_id, c.timezone, CASE WHEN ${waitsForSchedule} THEN c.digest_schedule END AS schedule`.execute(
      tx,
    );
    await rescheduleDigests(tx, rows);
    const isStuck = sql`lease_until > pacekeeper_now() + interval '2 minutes' AND due_at < 'infinity'`;
    const { rows: stuck } = await sql<{ id: number }>`
      UPDATE notification_channels SET lease_until = pacekeeper_now() + interval '1 minute'
      WHERE ${isStuck} RETURNING id`.execute(tx);
    // The next pass of these channels recalculates their sending hours with the current clock.
    const { rows: held } = await sql<{ id: number }>`
      SELECT id FROM notification_channels WHERE held_until IS NOT NULL`.execute(tx);
    // Before the clock was set back, a pass can have set the due time of a channel without changing its
    // deliveries. The next pass of the channel recalculates the due time.
    const { rows: early } = await sql<{ id: number }>`
      SELECT id FROM notification_channels WHERE due_at > pacekeeper_now() AND due_at < 'infinity'`.execute(
      tx,
    );
    const ids = [
      ...new Set([
        ...rows.map((row) => row.channel_id),
        ...[...stuck, ...held, ...early].map((row) => row.id),
      ]),
    ];
    return ids.length === 0 ? 0 : triggerDueRows(tx, dueChannelsTable, sql`id = ANY(${ids}::bigint[])`);
  });
}

/** True for deliveries that wait for the digest of a channel with a schedule. */
const waitsForSchedule = sql`(c.digest_schedule IS NOT NULL AND d.attempt_count = 0 AND d.event_type <> 'digest')`;

interface ScheduledDelivery {
  organization_id: number;
  channel_id: number;
  schedule: string | null;
  timezone: string;
}

/** Reschedules waiting digests to the next time of their schedule. */
async function rescheduleDigests(tx: Tx, deliveries: readonly ScheduledDelivery[]): Promise<void> {
  const channels = new Map(
    deliveries.flatMap((row) => (row.schedule === null ? [] : [[row.channel_id, row]])),
  );
  if (channels.size === 0) return;
  const { rows } = await sql<{ now: Date }>`SELECT pacekeeper_now() AS now`.execute(tx);
  for (const { organization_id, channel_id, schedule, timezone } of channels.values()) {
    await moveWaitingDigest(tx, organization_id, channel_id, nextRun(schedule!, timezone, rows[0]!.now));
  }
}

/** Runs recovery if the clock is behind the latest time that this process has observed. */
export interface ClockRecovery {
  /** Records a time that the database returned. */
  recordTime(now: Date): void;
  /**
   * Checks the clock. The first check always runs recovery, because no earlier time is known. Returns the
   * number of channels triggered.
   */
  checkClock(): Promise<number>;
}

export function createClockRecovery(db: Database): ClockRecovery {
  let latest: Date | null = null;
  return {
    recordTime(now) {
      if (latest === null || now > latest) latest = now;
    },
    async checkClock() {
      const { rows } = await sql<{ now: Date }>`SELECT pacekeeper_now() AS now`.execute(db);
      const { now } = rows[0]!;
      const count = latest !== null && now >= latest ? 0 : await recoverFromClockJumpAcrossOrganizations(db);
      latest = now;
      return count;
    },
  };
}
