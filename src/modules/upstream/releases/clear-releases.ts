import { sql } from 'kysely';
import type { Tx } from '../../../platform/database/index.ts';
import { triggerFanOuts } from '../fan-out-evaluation.ts';

/**
 * Deletes the releases of jobs and the state for their next request, which then reads the complete list. The
 * caller must have locked the jobs.
 *
 * @returns The number of deleted releases.
 */
export async function clearReleases(
  tx: Tx,
  organizationId: number,
  jobIds: readonly number[],
): Promise<number> {
  const result = await sql`
    DELETE FROM releases
    WHERE organization_id = ${organizationId} AND gather_job_id = ANY(${[...jobIds]}::bigint[])`.execute(tx);
  await sql`
    UPDATE gather_jobs
    SET validators = NULL, last_full_at = NULL, releases_revision = releases_revision + 1, release_count = 0,
        stable_count = 0, latest_version = NULL, latest_stable_version = NULL, latest_released_at = NULL,
        first_released_at = NULL, list_completeness = NULL, list_incomplete_since = NULL, dates_due_at = NULL,
        rebuild_count = 0, last_rebuilt_at = NULL
    WHERE organization_id = ${organizationId} AND id = ANY(${[...jobIds]}::bigint[])`.execute(tx);
  await triggerFanOuts(tx, organizationId, jobIds);
  return Number(result.numAffectedRows ?? 0);
}
