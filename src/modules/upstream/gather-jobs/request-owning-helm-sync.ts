import { sql } from 'kysely';
import type { Tx } from '../../../platform/database/index.ts';
import { requestRunAfterChange, requestRuns } from '../../runs/index.ts';
import { helmSyncJobs } from '../source-jobs.ts';

/**
 * Requests a run of the helm sync that manages a gather job, instead of a run of the job itself. After a
 * change, the sync reads the index again, even if the index hasn't changed.
 */
export async function requestOwningHelmSync(
  tx: Tx,
  organizationId: number,
  helmSyncJobId: number,
  trigger: 'manual' | 'changed',
): Promise<void> {
  const { rows } = await sql<{ credential_name: string | null; is_active: boolean }>`
    SELECT credential_name, is_active FROM helm_sync_jobs
    WHERE organization_id = ${organizationId} AND id = ${helmSyncJobId}`.execute(tx);
  const [sync] = rows;
  if (!sync) return;
  const job = { organizationId, jobId: helmSyncJobId, credentialName: sync.credential_name };
  if (trigger === 'manual') {
    await requestRuns(tx, helmSyncJobs, [job], trigger);
    return;
  }
  await clearSyncValidators(tx, organizationId, helmSyncJobId);
  if (sync.is_active) await requestRunAfterChange(tx, helmSyncJobs, job);
}

/**
 * Clears the validators of a sync, so that its next run updates all its gather jobs, even if the index hasn't
 * changed.
 */
export async function clearSyncValidators(
  tx: Tx,
  organizationId: number,
  helmSyncJobId: number,
): Promise<void> {
  await sql`
    UPDATE helm_sync_jobs SET validators = NULL
    WHERE organization_id = ${organizationId} AND id = ${helmSyncJobId}`.execute(tx);
}
