import { sql } from 'kysely';
import type { Tx } from '../../../platform/database/index.ts';

/**
 * Stores whether the repository of a job is archived, which the caller has locked.
 *
 * @param isArchived Null: the forge didn't say, so what is known stays.
 * @returns Whether that has changed.
 */
export async function recordArchived(
  tx: Tx,
  organizationId: number,
  jobId: number,
  isArchived: boolean | null,
): Promise<boolean> {
  const { rows } = await sql<{ was_archived: boolean }>`
    UPDATE gather_jobs AS job
    SET is_archived = coalesce(${isArchived}::boolean, job.is_archived), archived_checked_at = pacekeeper_now()
    FROM gather_jobs AS before
    WHERE job.organization_id = ${organizationId} AND job.id = ${jobId}
      AND before.organization_id = job.organization_id AND before.id = job.id
    RETURNING before.is_archived IS TRUE AS was_archived`.execute(tx);
  return rows[0] !== undefined && isArchived !== null && isArchived !== rows[0].was_archived;
}
