import { sql } from 'kysely';
import { parseCron } from '../../domain/scheduling/cron-expression.ts';
import { isTimeZone } from '../../domain/scheduling/time-zone.ts';
import { dueTopic, type Tx, wake } from '../../platform/database/index.ts';
import { isDueBeforeNextPoll } from '../../platform/due-rows/index.ts';
import { invalidField, runChecks } from '../../platform/errors.ts';
import type { JobTable } from './job-kind.ts';
import { nextRunOf } from './next-run.ts';
import { giveRowsToChecksOfJobs } from './scheduled-checks.ts';

interface Schedule {
  cron_expression: string | null;
  cron_timezone: string;
  is_active: boolean;
}

/**
 * Checks the cron expression and the time zone of a schedule.
 * @throws ApiError 400 if the schedule is invalid.
 */
export function checkSchedule({ cron_expression, cron_timezone }: Omit<Schedule, 'is_active'>): void {
  runChecks([
    () => {
      const cron = cron_expression === null ? null : parseCron(cron_expression);
      if (cron?.ok === false) throw invalidField('cron_expression', cron.message);
    },
    () => {
      if (!isTimeZone(cron_timezone))
        throw invalidField('cron_timezone', 'must be a time zone name, such as Europe/Berlin');
    },
  ]);
}

export function isSameSchedule(a: Schedule, b: Schedule): boolean {
  return (
    a.cron_expression === b.cron_expression &&
    a.cron_timezone === b.cron_timezone &&
    a.is_active === b.is_active
  );
}

/**
 * Sets when jobs are due according to their schedules. Their checks in progress continue as runs with a row. Revokes the
 * leases of loops that are processing the jobs under the previous schedule, because these loops would otherwise overwrite
 * the new due time.
 */
export async function scheduleJobs(
  tx: Tx,
  kind: JobTable,
  organizationId: number,
  jobs: readonly (Schedule & { id: number })[],
  now: Date,
): Promise<void> {
  const ofOrganization = jobs.map(({ id }) => ({ organizationId, jobId: id }));
  await giveRowsToChecksOfJobs(tx, kind, ofOrganization);
  await writeDueTimes(tx, kind, organizationId, jobs, now);
}

async function writeDueTimes(
  ...[tx, kind, organizationId, jobs, now]: Parameters<typeof scheduleJobs>
): Promise<void> {
  const dueAt = jobs.map((job) => nextRunOf(kind, job, now));
  await sql`
    UPDATE ${sql.table(kind.table)} AS job
    SET due_at = scheduled.due_at, lease_token = NULL, lease_until = NULL
    FROM unnest(
      ${jobs.map((job) => job.id)}::bigint[],
      ${dueAt.map((at) => at?.toISOString() ?? 'infinity')}::timestamptz[]
    ) AS scheduled (id, due_at)
    WHERE job.organization_id = ${organizationId} AND job.id = scheduled.id`.execute(tx);
  if (dueAt.some((at) => at && isDueBeforeNextPoll(at, now))) wake(tx, dueTopic(kind.table));
}

/** Schedules jobs that were just created. Jobs without a schedule are never due, so they aren't updated. */
export async function scheduleNewJobs(
  ...[tx, kind, organizationId, jobs, now]: Parameters<typeof scheduleJobs>
): Promise<void> {
  const scheduled = jobs.filter((job) => job.is_active && job.cron_expression !== null);
  if (scheduled.length > 0) await writeDueTimes(tx, kind, organizationId, scheduled, now);
}
