import type { Tx } from '../../../platform/database/index.ts';
import { scheduleJobs } from '../../runs/index.ts';
import { deleteGatherJobs, findConfigsUsingGatherJobs } from '../gather-jobs/gather-job-queries.ts';
import { gatherJobs } from '../source-jobs.ts';
import type { HelmSyncJobRow } from './helm-sync-job-queries.ts';
import { convertToIndependentJobs } from './managed-job-queries.ts';

/**
 * Detaches gather jobs that a sync no longer manages. Jobs that alert configurations use stay and get the
 * schedule of the sync. The other jobs are deleted. The caller must have locked the jobs.
 */
export async function detachManagedJobs(
  tx: Tx,
  sync: HelmSyncJobRow,
  jobs: readonly { id: number; is_active: boolean }[],
  now: Date,
): Promise<void> {
  if (jobs.length === 0) return;
  const organizationId = sync.organization_id;
  const used = await findConfigsUsingGatherJobs(
    tx,
    organizationId,
    jobs.map((job) => job.id),
  );
  const kept = jobs.filter((job) => used.usedJobIds.has(job.id));
  await convertToIndependentJobs(
    tx,
    organizationId,
    kept.map((job) => job.id),
    sync,
  );
  const { cron_expression, cron_timezone } = sync;
  await scheduleJobs(
    tx,
    gatherJobs,
    organizationId,
    kept.map((job) => ({
      id: job.id,
      cron_expression,
      cron_timezone,
      is_active: job.is_active && sync.is_active,
    })),
    now,
  );
  await deleteGatherJobs(
    tx,
    organizationId,
    jobs.filter((job) => !used.usedJobIds.has(job.id)).map((job) => job.id),
  );
}
