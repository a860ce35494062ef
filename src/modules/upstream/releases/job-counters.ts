import { sql } from 'kysely';
import { ownLatest } from '../../../domain/rules/own-latest.ts';
import { prepareReleases, type ReleaseSet } from '../../../domain/rules/release-set.ts';
import type { VersionSchemeId } from '../../../domain/versions/version-scheme.ts';
import type { Tx } from '../../../platform/database/index.ts';

interface CountedJob {
  jobId: number;
  scheme: VersionSchemeId;
  isImage: boolean;
}

/** Jobs whose releases are read together. */
const batchSize = 100;

/** After the set of releases of jobs changed: its revision, how many there are, and which is the latest. */
export async function refreshJobCounters(
  tx: Tx,
  organizationId: number,
  jobs: readonly CountedJob[],
): Promise<void> {
  for (let start = 0; start < jobs.length; start += batchSize) {
    await refreshBatch(tx, organizationId, jobs.slice(start, start + batchSize));
  }
}

interface ReleaseColumns {
  gather_job_id: number;
  release_count: number;
  stable_count: number;
  first_released_at: Date | null;
  versions: string[] | null;
  released_at_ms: (number | null)[] | null;
  discovered_at_ms: number[] | null;
  prereleases: boolean[] | null;
  yanked: boolean[] | null;
  withdrawn: boolean[] | null;
}

async function refreshBatch(tx: Tx, organizationId: number, jobs: readonly CountedJob[]): Promise<void> {
  const { rows } = await sql<ReleaseColumns>`
    SELECT gather_job_id, count(*) AS release_count, count(*) FILTER (WHERE NOT is_prerelease) AS stable_count,
      min(released_at) AS first_released_at,
      array_agg(version) FILTER (WHERE sort_key IS NOT NULL) AS versions,
      array_agg((extract(epoch FROM released_at) * 1000)::bigint) FILTER (WHERE sort_key IS NOT NULL) AS released_at_ms,
      array_agg((extract(epoch FROM discovered_at) * 1000)::bigint) FILTER (WHERE sort_key IS NOT NULL)
        AS discovered_at_ms,
      array_agg(is_prerelease) FILTER (WHERE sort_key IS NOT NULL) AS prereleases,
      array_agg(is_yanked) FILTER (WHERE sort_key IS NOT NULL) AS yanked,
      array_agg(is_withdrawn) FILTER (WHERE sort_key IS NOT NULL) AS withdrawn
    FROM releases
    WHERE organization_id = ${organizationId} AND gather_job_id = ANY(${jobs.map((job) => job.jobId)}::bigint[])
    GROUP BY gather_job_id`.execute(tx);
  const byJob = new Map(rows.map((row) => [row.gather_job_id, row]));
  const written = jobs.map((job) => {
    const row = byJob.get(job.jobId);
    const set = releasesOf(job, row);
    const latest = ownLatest(set);
    const latestStable = ownLatest(set, ({ isPrerelease }) => !isPrerelease);
    return {
      id: job.jobId,
      release_count: row?.release_count ?? 0,
      stable_count: row?.stable_count ?? 0,
      latest_version: latest?.text ?? null,
      latest_stable_version: latestStable?.text ?? null,
      latest_released_at: latest?.dateSource === 'released_at' ? new Date(latest.dateMs).toISOString() : null,
      first_released_at: row?.first_released_at?.toISOString() ?? null,
    };
  });
  await sql`
    UPDATE gather_jobs
    SET release_count = w.release_count, stable_count = w.stable_count, latest_version = w.latest_version,
        latest_stable_version = w.latest_stable_version, latest_released_at = w.latest_released_at,
        first_released_at = w.first_released_at, releases_revision = releases_revision + 1
    FROM json_to_recordset(${JSON.stringify(written)}::json) AS w (
      id bigint, release_count integer, stable_count integer, latest_version text, latest_stable_version text,
      latest_released_at timestamptz, first_released_at timestamptz)
    WHERE gather_jobs.organization_id = ${organizationId} AND gather_jobs.id = w.id`.execute(tx);
}

/** Uses the same code as evaluations, so both find the same latest release. */
function releasesOf(job: CountedJob, row: ReleaseColumns | undefined): ReleaseSet {
  const rows = (row?.versions ?? []).map((version, index) => ({
    version,
    releasedAtMs: row?.released_at_ms?.[index] ?? null,
    discoveredAtMs: row?.discovered_at_ms?.[index] ?? 0,
    isPrerelease: row?.prereleases?.[index] ?? false,
    isYanked: row?.yanked?.[index] ?? false,
    isWithdrawn: row?.withdrawn?.[index] ?? false,
    url: null,
  }));
  return prepareReleases(job.scheme, rows, job);
}
