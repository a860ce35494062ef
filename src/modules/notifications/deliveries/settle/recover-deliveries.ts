import { sql } from 'kysely';
import { nextRun } from '../../../../domain/scheduling/cron-schedule.ts';
import { type Database, type Tx, transaction } from '../../../../platform/database/index.ts';
import { triggerDueRows } from '../../../../platform/due-rows/index.ts';
import { channelsDue } from '../claim/channels-due.ts';
import { moveWaitingDigest } from '../plan/move-waiting-digest.ts';

/**
 * After the clock was set back, what was planned before it lies in the future: it is due now. Whatever is due
 * goes out a few at a time, so that this makes no storm. It reads all that is open.
 * @returns how many channels were woken
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
        -- least() passes NULL over.
        lease_until = CASE WHEN d.lease_until IS NOT NULL
          THEN least(d.lease_until, pacekeeper_now() + interval '1 minute') END
      FROM notification_channels c
      WHERE c.organization_id = d.organization_id AND c.id = d.channel_id
        AND d.status IN ('pending', 'failed', 'in_progress') AND NOT d.waits_for_channel AND NOT d.waits_for_reading
        AND NOT d.waits_for_hours
        -- Planned, or tried and planned again, by the former clock.
        AND greatest(d.series_started_at, d.last_attempt_at) > pacekeeper_now() + interval '1 minute'
      RETURNING d.organization_id, d.channel_id, c.timezone, CASE WHEN ${waitsForSchedule} THEN c.digest_schedule END AS schedule`.execute(
      tx,
    );
    await rescheduleDigests(tx, rows);
    const isStuck = sql`lease_until > pacekeeper_now() + interval '2 minutes' AND due_at < 'infinity'`;
    const { rows: stuck } = await sql<{ id: number }>`
      UPDATE notification_channels SET lease_until = pacekeeper_now() + interval '1 minute'
      WHERE ${isStuck} RETURNING id`.execute(tx);
    // Their next pass finds the opening by the clock as it is.
    const { rows: held } = await sql<{ id: number }>`
      SELECT id FROM notification_channels WHERE held_until IS NOT NULL`.execute(tx);
    const ids = [
      ...new Set([...rows.map((row) => row.channel_id), ...[...stuck, ...held].map((row) => row.id)]),
    ];
    return ids.length === 0 ? 0 : triggerDueRows(tx, channelsDue, sql`id = ANY(${ids}::bigint[])`);
  });
}

/** Waits for the digest of a channel with a schedule. */
const waitsForSchedule = sql`(c.digest_schedule IS NOT NULL AND d.attempt_count = 0 AND d.event_type <> 'digest')`;

interface ScheduledDelivery {
  organization_id: number;
  channel_id: number;
  schedule: string | null;
  timezone: string;
}

/** Digests go out by the schedule as it is from now on. */
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
