import { sql } from 'kysely';
import type { Tx } from '../../../platform/database/index.ts';

/**
 * Stores whether the repositories of jobs are archived. The caller must have locked the jobs.
 *
 * @param found `isArchived` is `null` if the forge didn't report it. The stored value then stays.
 * @returns The IDs of the jobs whose archived state changed.
 */
export async function recordArchived(
  tx: Tx,
  organizationId: number,
  found: readonly { jobId: number; isArchived: boolean | null }[],
): Promise<number[]> {
  if (found.length === 0) return [];
  const jobIds = found.map(({ jobId }) => jobId);
  const { rows } = await sql<{ id: number }>`
    WITH written AS (
      UPDATE gather_jobs AS job
      SET is_archived = coalesce(found.is_archived, job.is_archived), archived_checked_at = pacekeeper_now()
      FROM unnest(${jobIds}::bigint[], ${found.map(({ isArchived }) => isArchived)}::boolean[]) AS found (job_id, is_archived),
        gather_jobs AS before
      WHERE job.organization_id = ${organizationId} AND job.id = ANY(${jobIds}::bigint[]) AND job.id = found.job_id
        AND before.organization_id = job.organization_id AND before.id = job.id
      RETURNING job.id, found.is_archived <> (before.is_archived IS TRUE) AS is_changed
    )
    SELECT id FROM written WHERE is_changed`.execute(tx);
  return rows.map(({ id }) => id);
}
