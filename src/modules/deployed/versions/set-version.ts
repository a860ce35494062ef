import type { Schemas } from '../../../generated/client-api.ts';
import { type Database, transaction, type WakeUps } from '../../../platform/database/index.ts';
import { ApiError, notFound } from '../../../platform/errors.ts';
import { lockJobToRecord, recordVersion } from './record-version.ts';

/** Stores a version that a person or a pipeline names for a manual scrape job. */
export async function setVersion(
  db: Database,
  wakeUps: WakeUps,
  organizationId: number,
  scrapeJobId: number,
  version: string,
): Promise<Schemas['Version']> {
  return transaction(db, async (tx) => {
    const job = await lockJobToRecord(tx, organizationId, scrapeJobId);
    if (!job) throw notFound();
    if (job.parserType !== 'manual') {
      throw new ApiError(
        'conflict',
        'Only the version of a manual scrape job can be set; this one reads a file.',
      );
    }
    const recorded = await recordVersion(tx, wakeUps, job, {
      rawVersion: version,
      source: 'manual',
      commitSha: null,
    });
    const at = recorded.discovered_at.toISOString();
    return {
      ...recorded,
      scrape_job_id: scrapeJobId,
      scrape_job_name: job.name,
      source: 'manual',
      commit_sha: null,
      discovered_at: at,
      created_at: at,
      updated_at: at,
    };
  });
}
