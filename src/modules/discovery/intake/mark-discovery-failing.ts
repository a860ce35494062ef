import type { Tx, WakeUps } from '../../../platform/database/index.ts';
import { evaluateFedScrapeJobs } from '../../deployed/index.ts';
import { setFailing } from '../../runs/index.ts';

/**
 * Marks a discovery job as failing if it hasn't succeeded for too long. The alert configurations that the job
 * feeds are evaluated and become stale. The next success clears the mark.
 *
 * @returns `false` if the job is already marked or has just succeeded.
 */
export async function markDiscoveryFailing(
  tx: Tx,
  wakeUps: WakeUps,
  organizationId: number,
  jobId: number,
  /** Time of the last success, which was too long ago. Null if the job has never succeeded. */
  lastSuccessAt: Date | null,
): Promise<boolean> {
  if (!(await setFailing(tx, wakeUps, 'discovery', organizationId, jobId, lastSuccessAt))) return false;
  await evaluateFedScrapeJobs(tx, wakeUps, organizationId, [jobId]);
  return true;
}
