import { sql } from 'kysely';
import type { Tx } from '../../../platform/database/index.ts';

/** Stores whether the charts of jobs are deprecated. The caller must have locked the jobs. */
export async function recordDeprecated(
  tx: Tx,
  organizationId: number,
  found: readonly { jobId: number; isDeprecated: boolean }[],
): Promise<void> {
  if (found.length === 0) return;
  const jobIds = found.map(({ jobId }) => jobId);
  await sql`
    UPDATE gather_jobs AS job SET is_deprecated = found.is_deprecated
    FROM unnest(${jobIds}::bigint[], ${found.map(({ isDeprecated }) => isDeprecated)}::boolean[])
      AS found (job_id, is_deprecated)
    WHERE job.organization_id = ${organizationId} AND job.id = ANY(${jobIds}::bigint[]) AND job.id = found.job_id
      AND job.is_deprecated IS DISTINCT FROM found.is_deprecated`.execute(tx);
}
