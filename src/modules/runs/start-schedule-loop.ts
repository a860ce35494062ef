import { jobJitterMs, nextDueAt } from '../../domain/scheduling/cron-schedule.ts';
import { type Database, transaction, type WakeUps } from '../../platform/database/index.ts';
import { type DueLoop, finishDueRows, startDueLoop } from '../../platform/due-rows/index.ts';
import type { Log } from '../../platform/log.ts';
import { type JobKind, schedulesDue } from './job-kinds.ts';
import { requestRuns } from './request-run.ts';

interface DueJob {
  organization_id: number;
  id: number;
  credential_name: string | null;
  cron_expression: string | null;
  cron_timezone: string;
  is_active: boolean;
}

/** Queues runs of the jobs of one kind when their schedules say so. After a long stop each missed job runs once. */
export function startScheduleLoop(
  kind: JobKind,
  deps: { db: Database; wakeUps: WakeUps; log: Log },
): DueLoop {
  const table = schedulesDue(kind);
  return startDueLoop<DueJob>({
    ...deps,
    table,
    topic: table.name,
    batchSize: 500,
    maxInFlight: 500,
    leaseMs: 30_000,
    columns: ['credential_name', 'cron_expression', 'cron_timezone', 'is_active'],
    handle: (claims) =>
      transaction(deps.db, async (tx) => {
        const held = await finishDueRows(
          tx,
          table,
          claims.map((claim) => ({ claim, nextDueAt: nextRunOf(kind, claim.row, claim.now) })),
        );
        const jobs = claims
          .filter(
            (claim) =>
              held.has(claim.leaseToken) && claim.row.is_active && claim.row.cron_expression !== null,
          )
          .map(({ row }) => ({
            organizationId: row.organization_id,
            jobId: row.id,
            credentialName: row.credential_name,
          }));
        await requestRuns(tx, deps.wakeUps, kind, jobs, 'schedule');
      }),
  });
}

/** When a job is next due by its schedule, its jitter included; null when it has none or is inactive. */
export function nextRunOf(
  kind: JobKind,
  job: Pick<DueJob, 'id' | 'cron_expression' | 'cron_timezone' | 'is_active'>,
  now: Date,
): Date | null {
  if (!job.is_active || job.cron_expression === null) return null;
  return nextDueAt(job.cron_expression, job.cron_timezone, now, jobJitterMs(kind, job.id));
}
