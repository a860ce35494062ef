import type { Tx } from '../../platform/database/index.ts';
import type { JobTable } from './job-kind.ts';
import type { JobLock } from './lock-job.ts';
import { cancelRuns, requestRunAfterChange, requestRuns, toJobToRun } from './request-run.ts';
import { isSameSchedule, scheduleJobs, scheduleNewJobs } from './schedule-jobs.ts';

type JobToStart = Parameters<typeof scheduleJobs>[3][number] & { credential_name: string | null };

/** Schedules new jobs, and requests the first runs of active jobs. */
export async function startJobs(
  tx: Tx,
  kind: JobTable,
  organizationId: number,
  jobs: readonly JobToStart[],
  now: Date,
): Promise<void> {
  await scheduleNewJobs(tx, kind, organizationId, jobs, now);
  const toRun = jobs.filter((job) => job.is_active).map((job) => toJobToRun(organizationId, job));
  await requestRuns(tx, kind, toRun, 'created');
}

/** Updates the schedule of a changed job, and requests the run that the change requires. */
export async function applyJobChange(
  tx: Tx,
  kind: JobTable,
  organizationId: number,
  { before, after, readsElse }: { before: JobToStart; after: JobToStart; readsElse: boolean },
  lock: JobLock,
): Promise<void> {
  if (!isSameSchedule(before, after)) await scheduleJobs(tx, kind, organizationId, [after], lock.now);
  const job = toJobToRun(organizationId, after);
  if (readsElse && after.is_active) await requestRunAfterChange(tx, kind, job);
  // The job is inactive, so only cancel the open run, which reads the previous source.
  else if (readsElse) await cancelRuns(tx, kind, organizationId, after.id);
  // A job that was created inactive has no runs yet, so it gets its first run when it's activated.
  else if (after.is_active && !before.is_active && !lock.hasSucceeded)
    await requestRuns(tx, kind, [job], 'created');
}
