import type { Tx, WakeUps } from '../../platform/database/index.ts';
import { setFailing } from '../runs/index.ts';
import { triggerFanOuts } from './fan-out-evaluation.ts';
import { listManagedGatherJobs } from './releases/job-record-queries.ts';

/**
 * Marks a source as failing if its last success is too long ago, and triggers the evaluation of the alert
 * configurations that use it, because their data is stale. The next success clears the mark.
 *
 * @returns False if the source was already failing or has just succeeded.
 */
export async function markSourceFailing(
  tx: Tx,
  wakeUps: WakeUps,
  kind: 'gather' | 'helm_sync',
  organizationId: number,
  jobId: number,
  /** Time of the last success, which is too long ago. `null` if the source never succeeded. */
  lastSuccessAt: Date | null,
): Promise<boolean> {
  if (!(await setFailing(tx, wakeUps, kind, organizationId, jobId, lastSuccessAt))) return false;
  const jobIds = kind === 'gather' ? [jobId] : await listManagedGatherJobs(tx, organizationId, [jobId]);
  await triggerFanOuts(tx, wakeUps, organizationId, jobIds);
  return true;
}
