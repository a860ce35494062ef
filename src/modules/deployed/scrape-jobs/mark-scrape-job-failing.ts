import { sql } from 'kysely';
import type { Tx, WakeUps } from '../../../platform/database/index.ts';
import { triggerEvaluation } from '../../monitoring/index.ts';

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
  const result = await sql`
    UPDATE scrape_jobs SET failing_since = pacekeeper_now()
    WHERE organization_id = ${organizationId} AND id = ${jobId} AND failing_since IS NULL
      AND last_success_at IS NOT DISTINCT FROM ${lastSuccessAt?.toISOString() ?? null}::timestamptz`.execute(
    tx,
  );
  if (result.numAffectedRows !== 1n) return false;
  await triggerEvaluation(tx, wakeUps, { organizationId, scrapeJobId: jobId });
  wakeUps.wakeAfterCommit(tx, `changes:${organizationId}/scrape_job/${jobId}`);
  return true;
}
