import type { Tx, WakeUps } from '../../../platform/database/index.ts';
import { triggerEvaluation } from '../../monitoring/index.ts';
import { setFailing } from '../../runs/index.ts';

/**
 * Marks a scrape job as failing because it hasn't succeeded for too long. Triggers the evaluation of its
 * configurations, because its version is stale. The job is no longer failing after it finds a version again.
 *
 * @returns `false` if the job was already failing or has just succeeded.
 */
export async function markScrapeJobFailing(
  tx: Tx,
  wakeUps: WakeUps,
  organizationId: number,
  jobId: number,
  /** Time of the last success, which is too long ago, or null if the job never succeeded. */
  lastSuccessAt: Date | null,
): Promise<boolean> {
  if (!(await setFailing(tx, wakeUps, 'scrape', organizationId, jobId, lastSuccessAt))) return false;
  await triggerEvaluation(tx, wakeUps, { organizationId, scrapeJobId: jobId });
  return true;
}
