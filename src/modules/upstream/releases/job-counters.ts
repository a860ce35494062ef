import { sql } from 'kysely';
import { countedOutliers } from '../../../domain/rules/counted-outliers.ts';
import { createIgnoredReleaseMatcher } from '../../../domain/rules/exclusion.ts';
import { latestOfJob } from '../../../domain/rules/own-latest.ts';
import { prepareInSteps, type ReleaseSet } from '../../../domain/rules/release-set.ts';
import { imageSourceTypeIds } from '../../../domain/source-types/source-types.ts';
import type { VersionSchemeId } from '../../../domain/versions/version-scheme.ts';
import type { Tx } from '../../../platform/database/index.ts';
import { TimeSlices } from '../../../platform/time-slices.ts';

/**
 * Maximum numbers of jobs and releases that are read together, unless a single job has more. A release takes
 * about 100 bytes.
 */
const batchLimits = { jobs: 100, releases: 20_000 };

/**
 * Updates the counters of jobs whose releases changed: the revision, the number of releases, and the latest
 * release.
 *
 * @param releaseCountOf Returns the approximate number of releases of a job. Required if many jobs can have
 * many releases.
 */
export async function refreshJobCounters(
  tx: Tx,
  organizationId: number,
  jobIds: readonly number[],
  releaseCountOf: (jobId: number) => number = () => 0,
): Promise<void> {
  const slices = new TimeSlices();
  let batch: number[] = [];
  let releases = 0;
  for (const jobId of jobIds) {
    batch.push(jobId);
    releases += releaseCountOf(jobId);
    if (batch.length < batchLimits.jobs && releases < batchLimits.releases) continue;
    await refreshBatch(tx, organizationId, batch, slices);
    batch = [];
    releases = 0;
  }
  if (batch.length > 0) await refreshBatch(tx, organizationId, batch, slices);
}

interface CountedJob {
  id: number;
  version_scheme: VersionSchemeId;
  is_image: boolean;
  is_deployed: boolean;
  platform_words: string;
  ignored_versions: string[];
  counted_versions: string[];
  /** `null` if the job has no releases, like the other columns of releases. */
  release_count: number | null;
  stable_count: number | null;
  first_released_at: Date | null;
  versions: string[] | null;
  released_at_ms: (number | null)[] | null;
  discovered_at_ms: number[] | null;
  prereleases: boolean[] | null;
  yanked: boolean[] | null;
  withdrawn: boolean[] | null;
}

async function refreshBatch(
  tx: Tx,
  organizationId: number,
  jobIds: readonly number[],
  slices: TimeSlices,
): Promise<void> {
  const { rows: jobs } = await sql<CountedJob>`
    WITH of_job AS (SELECT gather_job_id, count(*) AS release_count, count(*) FILTER (WHERE NOT is_prerelease) AS stable_count,
      min(released_at) AS first_released_at,
      json_agg(version) FILTER (WHERE sort_key IS NOT NULL) AS versions,
      json_agg((extract(epoch FROM released_at) * 1000)::bigint) FILTER (WHERE sort_key IS NOT NULL) AS released_at_ms,
      json_agg((extract(epoch FROM discovered_at) * 1000)::bigint) FILTER (WHERE sort_key IS NOT NULL)
        AS discovered_at_ms,
      json_agg(is_prerelease) FILTER (WHERE sort_key IS NOT NULL) AS prereleases,
      json_agg(is_yanked) FILTER (WHERE sort_key IS NOT NULL) AS yanked,
      json_agg(is_withdrawn) FILTER (WHERE sort_key IS NOT NULL) AS withdrawn
    FROM releases
    WHERE organization_id = ${organizationId} AND gather_job_id = ANY(${[...jobIds]}::bigint[])
    GROUP BY gather_job_id)
    SELECT id, version_scheme, source_type = ANY(${imageSourceTypeIds}) AS is_image,
      scrape_job_id IS NOT NULL AS is_deployed, platform_words, ignored_versions,
      counted_versions, of_job.*
    FROM gather_jobs LEFT JOIN of_job ON of_job.gather_job_id = gather_jobs.id
    WHERE organization_id = ${organizationId} AND id = ANY(${[...jobIds]}::bigint[])`.execute(tx);
  const written = [];
  for (const job of jobs) {
    const set = await slices.run(releasesOf(job));
    const isIgnored = createIgnoredReleaseMatcher(set, job.ignored_versions) ?? (() => false);
    const counted = countedOutliers(
      set,
      job.counted_versions.map((version) => ({ version, sinceMs: 0 })),
    );
    const latest = latestOfJob(set, (release) => !isIgnored(release), counted);
    const latestStable = latestOfJob(set, (release) => !release.isPrerelease && !isIgnored(release), counted);
    written.push({
      id: job.id,
      release_count: job.release_count ?? 0,
      stable_count: job.stable_count ?? 0,
      latest_version: latest?.text ?? null,
      latest_stable_version: latestStable?.text ?? null,
      latest_released_at: latest?.dateSource === 'released_at' ? new Date(latest.dateMs).toISOString() : null,
      first_released_at: job.first_released_at?.toISOString() ?? null,
    });
    await slices.pause();
  }
  await sql`
    UPDATE gather_jobs
    SET release_count = w.release_count, stable_count = w.stable_count, latest_version = w.latest_version,
        latest_stable_version = w.latest_stable_version, latest_released_at = w.latest_released_at,
        first_released_at = w.first_released_at, releases_revision = releases_revision + 1
    FROM json_to_recordset(${JSON.stringify(written)}::json) AS w (
      id bigint, release_count integer, stable_count integer, latest_version text, latest_stable_version text,
      latest_released_at timestamptz, first_released_at timestamptz)
    -- Repeats the IDs, because PostgreSQL can't estimate the number of rows in the JSON and could otherwise
    -- read all jobs of the organization.
    WHERE gather_jobs.organization_id = ${organizationId} AND gather_jobs.id = ANY(${[...jobIds]}::bigint[])
      AND gather_jobs.id = w.id`.execute(tx);
}

/** Prepares the releases of a job with the same code as evaluations, so both find the same latest release. */
function releasesOf(job: CountedJob): Generator<void, ReleaseSet, void> {
  const rows = (job.versions ?? []).map((version, index) => ({
    version,
    releasedAtMs: job.released_at_ms?.[index] ?? null,
    discoveredAtMs: job.discovered_at_ms?.[index] ?? 0,
    isPrerelease: job.prereleases?.[index] ?? false,
    isYanked: job.yanked?.[index] ?? false,
    isWithdrawn: job.withdrawn?.[index] ?? false,
    url: null,
  }));
  return prepareInSteps(job.version_scheme, rows, {
    isImage: job.is_image,
    isDeployed: job.is_deployed,
    platformWords: job.platform_words,
  });
}
