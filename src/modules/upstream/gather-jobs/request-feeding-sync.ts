import { sql } from 'kysely';
import type { Tx, WakeUps } from '../../../platform/database/index.ts';
import { requestRunAfterChange, requestRuns } from '../../runs/index.ts';

/**
 * Runs the helm sync that feeds a gather job, instead of the job itself. After a change it reads the index anew, also
 * when that is the same as before.
 */
export async function requestFeedingSync(
  tx: Tx,
  wakeUps: WakeUps,
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
    await requestRuns(tx, wakeUps, 'helm_sync', [job], trigger);
    return;
  }
  await forgetIndex(tx, organizationId, helmSyncJobId);
  if (sync.is_active) await requestRunAfterChange(tx, wakeUps, 'helm_sync', job);
}

/** The next run of the sync feeds all its gather jobs, also when the index is the same as before. */
export async function forgetIndex(tx: Tx, organizationId: number, helmSyncJobId: number): Promise<void> {
  await sql`
    UPDATE helm_sync_jobs SET validators = NULL
    WHERE organization_id = ${organizationId} AND id = ${helmSyncJobId}`.execute(tx);
}
