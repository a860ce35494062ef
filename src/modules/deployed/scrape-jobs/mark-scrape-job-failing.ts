import type { Tx, WakeUps } from '../../../platform/database/index.ts';
import { triggerEvaluation } from '../../monitoring/index.ts';
import { setFailing } from '../../runs/index.ts';

/**
 * A scrape job has not succeeded for so long that what it knows is stale: its configurations are evaluated, and say so.
 * The next version that is found clears it.
 *
 * @returns false when it was so already, or has just succeeded
 */
export async function markScrapeJobFailing(
  tx: Tx,
  wakeUps: WakeUps,
  organizationId: number,
  jobId: number,
  /** The success that was too long ago; null when there was none. */
  lastSuccessAt: Date | null,
): Promise<boolean> {
  if (!(await setFailing(tx, wakeUps, 'scrape', organizationId, jobId, lastSuccessAt))) return false;
  await triggerEvaluation(tx, wakeUps, { organizationId, scrapeJobId: jobId });
  return true;
}
