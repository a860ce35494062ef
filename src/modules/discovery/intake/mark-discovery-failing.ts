import type { Tx, WakeUps } from '../../../platform/database/index.ts';
import { evaluateFedScrapeJobs } from '../../deployed/index.ts';
import { setFailing } from '../../runs/index.ts';

/**
 * Marks a discovery job that hasn't succeeded for too long. The alert configurations that it feeds are evaluated and become
 * stale. The next success clears the mark.
 *
 * @returns False if it's already marked, or has just succeeded.
 */
export async function markDiscoveryFailing(
  tx: Tx,
  wakeUps: WakeUps,
  organizationId: number,
  jobId: number,
  /** The success that was too long ago; null when there was none. */
  lastSuccessAt: Date | null,
): Promise<boolean> {
  if (!(await setFailing(tx, wakeUps, 'discovery', organizationId, jobId, lastSuccessAt))) return false;
  await evaluateFedScrapeJobs(tx, wakeUps, organizationId, jobId);
  return true;
}
