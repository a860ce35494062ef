import { sql } from 'kysely';
import { scrapeJobOf } from '../../../domain/source-types/deployed-versions-source-type.ts';
import type { Tx } from '../../../platform/database/index.ts';
import { ApiError, invalidField } from '../../../platform/errors.ts';
import type { GatherJobValues } from './gather-job-queries.ts';

type Followed = Pick<GatherJobValues, 'source_type' | 'artifact_name'>;

/**
 * Returns the scrape job whose versions are the releases of a gather job, or null for all other source types.
 */
export function followedScrapeJobId({ source_type, artifact_name }: Followed): number | null {
  return source_type === 'deployed_versions' ? scrapeJobOf(artifact_name) : null;
}

/**
 * Locks the followed scrape jobs before gather jobs that follow them are created, changed, or given releases.
 * No version of these scrape jobs is then recorded until the transaction ends. Scrape jobs of other
 * organizations are treated as not found.
 */
export async function lockFollowedScrapeJobs(
  tx: Tx,
  organizationId: number,
  jobs: readonly Followed[],
): Promise<void> {
  const ids = [...new Set(jobs.flatMap((job) => followedScrapeJobId(job) ?? []))];
  if (ids.length === 0) return;
  const { rows } = await sql`
    SELECT id FROM scrape_jobs WHERE organization_id = ${organizationId} AND id = ANY(${ids}::bigint[])
    ORDER BY id FOR NO KEY UPDATE`.execute(tx);
  if (rows.length < ids.length) throw invalidField('artifact_name', 'scrape job not found');
}

/**
 * Rejects the deletion of scrape jobs that gather jobs follow.
 * @throws ApiError 409 with the IDs of the gather jobs.
 */
export async function assertNotFollowed(
  tx: Tx,
  organizationId: number,
  scrapeJobIds: readonly number[],
): Promise<void> {
  const { rows } = await sql<{ id: number; name: string }>`
    SELECT id, name FROM gather_jobs
    WHERE organization_id = ${organizationId} AND scrape_job_id = ANY(${[...scrapeJobIds]}::bigint[])
    ORDER BY id LIMIT 20`.execute(tx);
  const [first] = rows;
  if (!first) return;
  const detail = `Gather job "${first.name}" (ID ${first.id}) compares other environments with it. Delete that gather job first.`;
  throw new ApiError('in_use', detail, { extra: { gather_job_ids: rows.map(({ id }) => id) } });
}
