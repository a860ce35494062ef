import { sql } from 'kysely';
import type { JobTable } from '../runs/index.ts';

/** Jobs that read the releases of one artifact. A helm sync job reads the releases of those that it manages. */
export const gatherJobs: JobTable = {
  name: 'gather',
  table: 'gather_jobs',
  runColumn: 'gather_job_id',
  capability: sql`'gather:' || jobs.source_type`,
  isClaimedWhenDue: true,
};

export const helmSyncJobs: JobTable = {
  name: 'helm_sync',
  table: 'helm_sync_jobs',
  runColumn: 'helm_sync_job_id',
  capability: sql`'helm_sync'`,
  isClaimedWhenDue: true,
};
