import type { Schemas } from '../../../generated/client-api.ts';
import { type Database, transaction, type WakeUps } from '../../../platform/database/index.ts';
import { ApiError, notFound } from '../../../platform/errors.ts';
import { recordVersion } from './record-version.ts';

/** Stores a version that a person or a pipeline names for a manual scrape job. */
export async function setVersion(
  db: Database,
  wakeUps: WakeUps,
  organizationId: number,
  scrapeJobId: number,
  version: string,
): Promise<Schemas['Version']> {
  return transaction(db, async (tx) => {
    const job = await tx
      .selectFrom('scrape_jobs')
      .select(['name', 'parser_type'])
      .where('organization_id', '=', organizationId)
      .where('id', '=', scrapeJobId)
      .executeTakeFirst();
    if (!job) throw notFound();
    if (job.parser_type !== 'manual') {
      throw new ApiError('conflict', 'Only the version of a manual scrape job can be set; this one reads a file.');
    }
    const recorded = await recordVersion(tx, wakeUps, organizationId, scrapeJobId, {
      rawVersion: version,
      source: 'manual',
      commitSha: null,
    });
    if (!recorded) throw notFound();
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
