import { sql } from 'kysely';
import { deployedReleases } from '../../../domain/environments/deployed-releases.ts';
import type { FirstSeen } from '../../../domain/environments/promotions.ts';
import { excludeCommitIds } from '../../../domain/versions/exclude-commit-ids.ts';
import { lineAndVariantOf } from '../../../domain/versions/match-release.ts';
import type { VersionSchemeId } from '../../../domain/versions/version-scheme.ts';
import { versionScheme } from '../../../domain/versions/versions.ts';
import { changeTopic, type Tx, wake } from '../../../platform/database/index.ts';
import { triggerFanOuts } from '../fan-out-evaluation.ts';
import { refreshJobCounters } from './job-counters.ts';

interface ReferringJob {
  organization_id: number;
  id: number;
  scrape_job_id: number;
  version_scheme: VersionSchemeId;
  platform_words: string;
}

/** A version that replaced the previously reported version of a scrape job. */
export interface ChangedVersion {
  organizationId: number;
  scrapeJobId: number;
  version: string;
}

/**
 * Adds new versions of scrape jobs to the gather jobs that follow them. When a scrape job returns to an earlier
 * version, the versions that were first deployed after that version are withdrawn. The caller must have locked the
 * scrape jobs.
 */
export async function recordDeployedVersionsAcrossOrganizations(
  tx: Tx,
  changes: readonly ChangedVersion[],
): Promise<void> {
  if (changes.length === 0) return;
  const { rows: jobs } = await sql<ReferringJob & { version: string }>`
    SELECT organization_id, id, scrape_job_id, version_scheme, platform_words, change.version
    FROM unnest(
      ${changes.map((change) => change.organizationId)}::bigint[],
      ${changes.map((change) => change.scrapeJobId)}::bigint[], ${changes.map((change) => change.version)}::text[]
    ) AS change (organization_id, scrape_job_id, version)
    JOIN gather_jobs USING (organization_id, scrape_job_id)
    WHERE gather_jobs.scrape_job_id IS NOT NULL
    ORDER BY organization_id, id FOR NO KEY UPDATE OF gather_jobs`.execute(tx);
  for (const job of jobs) {
    const { sort_key, variant } = await readVersion(tx, job, job.version);
    await sql`
      WITH former AS (
        SELECT id, discovered_at FROM releases
        WHERE organization_id = ${job.organization_id} AND gather_job_id = ${job.id} AND tag = ${job.version}
      ), withdrawn AS (
        UPDATE releases SET is_withdrawn = true, updated_at = pacekeeper_now() FROM former
        WHERE releases.organization_id = ${job.organization_id} AND releases.gather_job_id = ${job.id}
          AND (releases.discovered_at, releases.id) > (former.discovered_at, former.id) AND NOT releases.is_withdrawn
      ), returned AS (
        UPDATE releases SET is_withdrawn = false, released_at = pacekeeper_now(), updated_at = pacekeeper_now()
        FROM former WHERE releases.organization_id = ${job.organization_id} AND releases.id = former.id
      )
      INSERT INTO releases (organization_id, gather_job_id, tag, version, sort_key, variant, released_at, is_prerelease)
      SELECT ${job.organization_id}, ${job.id}, ${job.version}, ${job.version}, ${sort_key}, ${variant},
        pacekeeper_now(), false
      WHERE NOT EXISTS (SELECT FROM former)`.execute(tx);
  }
  for (const [organizationId, own] of Map.groupBy(jobs, (job) => job.organization_id))
    await publishReleases(tx, organizationId, own);
}

/** Times when releases were first seen, by ID of the gather job. */
type FirstSeenOfJobs = ReadonlyMap<number, readonly FirstSeen[]>;

/**
 * Returns the times when the releases of jobs were first seen, because the stored changes of a scrape job may no longer
 * contain them.
 */
export async function readFirstSeen(
  tx: Tx,
  organizationId: number,
  jobIds: readonly number[],
): Promise<FirstSeenOfJobs> {
  const { rows } = await sql<{ id: number; versions: string[]; times: number[] }>`
    SELECT gather_job_id AS id, array_agg(tag) AS versions,
      array_agg((extract(epoch FROM discovered_at) * 1000)::float8) AS times
    FROM releases WHERE organization_id = ${organizationId} AND gather_job_id = ANY(${[...jobIds]}::bigint[])
    GROUP BY gather_job_id`.execute(tx);
  return new Map(rows.map(({ id, versions, times }) => [id, toChanges(versions, times)]));
}

function toChanges(versions: readonly string[], times: readonly number[]): FirstSeen[] {
  return versions.map((version, index) => ({ version, atMs: times[index]! }));
}

/**
 * Stores the version history of scrape jobs as the releases of the gather jobs that follow them. Existing releases
 * stay, even if the scrape jobs no longer keep their versions. The caller must have locked first the scrape jobs, then
 * the gather jobs.
 *
 * @param known First-seen times of releases that were just deleted.
 */
export async function recordReleasesFromDeployedVersions(
  tx: Tx,
  organizationId: number,
  jobIds: readonly number[],
  known?: FirstSeenOfJobs,
): Promise<void> {
  if (jobIds.length === 0) return;
  const firstSeen = known ?? (await readFirstSeen(tx, organizationId, jobIds));
  const { rows: jobs } = await sql<ReferringJob & { versions: string[]; times: number[] }>`
    SELECT g.organization_id, g.id, g.scrape_job_id, g.version_scheme, g.platform_words, changes.versions, changes.times
    FROM gather_jobs g CROSS JOIN LATERAL (
      SELECT coalesce(array_agg(version ORDER BY id), '{}') AS versions,
        coalesce(array_agg((extract(epoch FROM created_at) * 1000)::float8 ORDER BY id), '{}') AS times
      FROM versions v
      WHERE v.organization_id = g.organization_id AND v.scrape_job_id = g.scrape_job_id AND v.is_change
    ) AS changes
    WHERE g.organization_id = ${organizationId} AND g.id = ANY(${[...jobIds]}::bigint[]) AND g.scrape_job_id IS NOT NULL
    ORDER BY g.id`.execute(tx);
  for (const job of jobs) {
    const releases = deployedReleases(
      withFirstSeen(toChanges(job.versions, job.times), firstSeen.get(job.id) ?? []),
    );
    const read = readerOf(job, job.versions);
    const rows = releases.map(({ version, firstSeenMs, releasedAtMs, isWithdrawn }) => ({
      version,
      ...read(version),
      is_withdrawn: isWithdrawn,
      discovered_at: new Date(firstSeenMs).toISOString(),
      released_at: new Date(releasedAtMs).toISOString(),
    }));
    await sql`
      INSERT INTO releases (organization_id, gather_job_id, tag, version, sort_key, variant, released_at, discovered_at,
        is_prerelease, is_withdrawn)
      SELECT ${organizationId}, ${job.id}, version, version, sort_key, variant, released_at, discovered_at, false,
        is_withdrawn
      FROM json_to_recordset(${JSON.stringify(rows)}::json) AS seen (version text, sort_key text, variant text,
        released_at timestamptz, discovered_at timestamptz, is_withdrawn boolean)
      ON CONFLICT (organization_id, gather_job_id, tag) DO UPDATE
      SET released_at = EXCLUDED.released_at, is_withdrawn = EXCLUDED.is_withdrawn, updated_at = pacekeeper_now()
      WHERE (releases.released_at, releases.is_withdrawn) IS DISTINCT FROM (EXCLUDED.released_at, EXCLUDED.is_withdrawn)`.execute(
      tx,
    );
  }
  await publishReleases(tx, organizationId, jobs);
}

/**
 * Extends the changes with the earlier times when versions were first seen, including versions that are no
 * longer kept. These times are required to withdraw the versions in between when a scrape job returns to a
 * version whose first change is no longer kept.
 */
function withFirstSeen(changes: readonly FirstSeen[], firstSeen: readonly FirstSeen[]): FirstSeen[] {
  const firstKept = new Map(changes.toReversed().map(({ version, atMs }) => [version, atMs]));
  const dropped = firstSeen.filter(({ version, atMs }) => atMs < (firstKept.get(version) ?? -Infinity));
  return [...dropped, ...changes].sort((a, b) => a.atMs - b.atMs);
}

async function publishReleases(tx: Tx, organizationId: number, jobs: readonly ReferringJob[]): Promise<void> {
  const ids = [...new Set(jobs.map(({ id }) => id))];
  for (const id of ids) await trimReleases(tx, organizationId, id);
  await refreshJobCounters(tx, organizationId, ids);
  await sql`
    UPDATE gather_jobs SET last_success_at = pacekeeper_now()
    WHERE organization_id = ${organizationId} AND id = ANY(${ids}::bigint[])`.execute(tx);
  await triggerFanOuts(tx, organizationId, ids);
  for (const id of ids) wake(tx, changeTopic(organizationId, 'gather_job', id));
}

/**
 * Maximum number of releases that a gather job keeps from the scrape job that it follows. The newest are
 * kept.
 */
const maxKeptVersions = 1_000;

/**
 * Deletes releases above the limit. Versions that are deployed according to an alert configuration of this
 * job stay.
 */
async function trimReleases(tx: Tx, organizationId: number, jobId: number): Promise<void> {
  await sql`
    DELETE FROM releases
    WHERE organization_id = ${organizationId} AND gather_job_id = ${jobId} AND id IN (
        SELECT id FROM releases WHERE organization_id = ${organizationId} AND gather_job_id = ${jobId}
        ORDER BY discovered_at DESC, id DESC OFFSET ${sql.lit(maxKeptVersions)})
      AND tag NOT IN (
        SELECT s.latest_version FROM alert_configs c
        JOIN scrape_jobs s ON s.organization_id = c.organization_id AND s.id = c.scrape_job_id
        WHERE c.gather_organization_id = ${organizationId} AND c.gather_job_id = ${jobId}
          AND s.latest_version IS NOT NULL)`.execute(tx);
}

/** Number of newest versions that a string is compared with to decide whether it's a commit. */
const comparedTags = 1_000;

async function readVersion(tx: Tx, job: ReferringJob, version: string): Promise<ReadVersion> {
  const { rows } = await sql<{ tag: string }>`
    SELECT tag FROM releases WHERE organization_id = ${job.organization_id} AND gather_job_id = ${job.id}
    ORDER BY id DESC LIMIT ${sql.lit(comparedTags)}`.execute(tx);
  return readerOf(job, [version, ...rows.map(({ tag }) => tag)])(version);
}

interface ReadVersion {
  sort_key: string | null;
  variant: string;
}

function readerOf(job: ReferringJob, versions: readonly string[]): (text: string) => ReadVersion {
  const scheme = versionScheme(job.version_scheme, job.platform_words);
  const { parse } = excludeCommitIds(scheme, versions);
  return (text) => {
    const version = parse(text);
    if (version === null) return { sort_key: null, variant: '' };
    return { sort_key: scheme.sortKey(version), variant: lineAndVariantOf(version) };
  };
}
