import { jobJitterMs, nextDueAt } from '../../domain/scheduling/cron-schedule.ts';
import { type Database, type Tx, transaction } from '../../platform/database/index.ts';
import {
  type Claim,
  type DueLoop,
  finishDueRows,
  finishLockedRows,
  handleIndividually,
  startDueLoop,
} from '../../platform/due-rows/index.ts';
import type { Log } from '../../platform/log.ts';
import { dueSchedulesTable, type JobTable } from './job-kind.ts';
import { requestRuns, toJobToRun } from './request-run.ts';

interface DueJob {
  organization_id: number;
  id: number;
  credential_name: string | null;
  cron_expression: string | null;
  cron_timezone: string;
  is_active: boolean;
}

/**
 * Starts a loop that queues runs of one kind of jobs according to their schedules. After a long outage, each
 * missed job runs once.
 */
export function startScheduleLoop(kind: JobTable, deps: { db: Database; log: Log }): DueLoop {
  const table = dueSchedulesTable(kind);
  return startDueLoop<DueJob>({
    ...deps,
    table,
    batchSize: 500,
    maxInFlight: 500,
    leaseMs: 30_000,
    columns: ['credential_name', 'cron_expression', 'cron_timezone', 'is_active'],
    async handleLocked(tx, jobs) {
      await finishLockedRows(
        tx,
        table,
        jobs.map(({ row, now }) => ({ row, nextDueAt: nextRunOf(kind, row, now) })),
      );
      await requestScheduled(
        tx,
        jobs.map(({ row }) => row),
      );
    },
    handle: (claims) => handleIndividually(claims, queueRuns),
  });

  async function queueRuns(claims: readonly Claim<DueJob>[]): Promise<void> {
    await transaction(deps.db, async (tx) => {
      const held = await finishDueRows(
        tx,
        table,
        claims.map((claim) => ({ claim, nextDueAt: nextRunOf(kind, claim.row, claim.now) })),
      );
      await requestScheduled(
        tx,
        claims.filter((claim) => held.has(claim.leaseToken)).map(({ row }) => row),
      );
    });
  }

  async function requestScheduled(tx: Tx, jobs: readonly DueJob[]): Promise<void> {
    // Filter only by `is_active`, because a job without a schedule is also due once if its last scan left items to
    // derive.
    const scheduled = jobs.filter((job) => job.is_active);
    const toRun = scheduled.map((job) => toJobToRun(job.organization_id, job));
    await requestRuns(tx, kind, toRun, 'schedule');
  }
}

/**
 * Returns the next due time of a job's schedule, including jitter, or null if the job has no schedule or is
 * inactive.
 */
export function nextRunOf(
  kind: JobTable,
  job: Pick<DueJob, 'id' | 'cron_expression' | 'cron_timezone' | 'is_active'>,
  now: Date,
): Date | null {
  if (!job.is_active || job.cron_expression === null) return null;
  return nextDueAt(job.cron_expression, job.cron_timezone, now, jobJitterMs(kind.name, job.id));
}
