import { sql } from 'kysely';
import type { Tx, WakeUps } from '../../../platform/database/index.ts';
import { triggerFanOuts } from '../fan-out-evaluation.ts';

/**
 * Forgets the releases of a job and what it knows for its next request, which then reads everything anew. The caller
 * has locked the job.
 *
 * @returns how many there were
 */
export async function clearReleases(tx: Tx, wakeUps: WakeUps, organizationId: number, jobId: number): Promise<number> {
  const { numDeletedRows } = await tx
    .deleteFrom('releases')
    .where('organization_id', '=', organizationId)
    .where('gather_job_id', '=', jobId)
    .executeTakeFirstOrThrow();
  await sql`
    UPDATE gather_jobs
    SET validators = NULL, last_full_at = NULL, releases_revision = releases_revision + 1, release_count = 0,
        stable_count = 0, latest_version = NULL, latest_stable_version = NULL, latest_released_at = NULL,
        first_released_at = NULL
    WHERE organization_id = ${organizationId} AND id = ${jobId}`.execute(tx);
  await triggerFanOuts(tx, wakeUps, organizationId, [jobId]);
  return Number(numDeletedRows);
}
