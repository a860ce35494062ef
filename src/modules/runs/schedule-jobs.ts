import { sql } from 'kysely';
import type { Tx, WakeUps } from '../../platform/database/index.ts';
import { type JobKind, schedulesDue } from './job-kinds.ts';
import { nextRunOf } from './start-schedule-loop.ts';

export interface Schedule {
  cron_expression: string | null;
  cron_timezone: string;
  is_active: boolean;
}

export function isSameSchedule(a: Schedule, b: Schedule): boolean {
  return (
    a.cron_expression === b.cron_expression &&
    a.cron_timezone === b.cron_timezone &&
    a.is_active === b.is_active
  );
}

/**
 * Makes a job due when its schedule says. Who holds it as due by its former schedule has lost it: else the end of that
 * handling would write the former schedule's next time over this one.
 */
export async function scheduleJob(
  tx: Tx,
  wakeUps: WakeUps,
  kind: JobKind,
  organizationId: number,
  job: Schedule & { id: number },
  now: Date,
): Promise<void> {
  const { name: table } = schedulesDue(kind);
  await sql`
    UPDATE ${sql.table(table)}
    SET due_at = ${nextRunOf(kind, job, now)?.toISOString() ?? 'infinity'}::timestamptz, lease_token = NULL, lease_until = NULL
    WHERE organization_id = ${organizationId} AND id = ${job.id}`.execute(tx);
  wakeUps.wakeAfterCommit(tx, table);
}
