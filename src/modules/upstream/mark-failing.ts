import type { Tx, WakeUps } from '../../platform/database/index.ts';
import { setFailing } from '../runs/index.ts';
import { triggerFanOuts } from './fan-out-evaluation.ts';
import { listFedJobs } from './releases/job-record-queries.ts';

/**
 * A source has not succeeded for so long that what hangs on it is stale: what it feeds is evaluated, and says so.
 * The next success clears it.
 *
 * @returns false when it was so already, or has just succeeded
 */
export async function markSourceFailing(
  tx: Tx,
  wakeUps: WakeUps,
  kind: 'gather' | 'helm_sync',
  organizationId: number,
  jobId: number,
  /** The success that was too long ago; null when there was none. */
  lastSuccessAt: Date | null,
): Promise<boolean> {
  if (!(await setFailing(tx, wakeUps, kind, organizationId, jobId, lastSuccessAt))) return false;
  const jobIds = kind === 'gather' ? [jobId] : await listFedJobs(tx, organizationId, [jobId]);
  await triggerFanOuts(tx, wakeUps, organizationId, jobIds);
  return true;
}
