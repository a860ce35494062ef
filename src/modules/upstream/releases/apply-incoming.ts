import { type RawBuilder, sql } from 'kysely';
import { lineAndVariantOf } from '../../../domain/versions/match-release.ts';
import { earliestReleaseDate, maxDaysAhead } from '../../../domain/versions/release-date.ts';
import { versionScheme } from '../../../domain/versions/versions.ts';
import type { Tx } from '../../../platform/database/index.ts';
import type { IncomingReleases } from './incoming-releases.ts';
import { type JobToRecord, readVersionsUsedByConfigs } from './job-record-queries.ts';

/** Changes to the releases of one job. Jobs without changes have no entry. */
export interface ReleaseChangeCounts {
  jobId: number;
  added: number;
  updated: number;
  withdrawn: number;
  /** True if a value that evaluations use has changed. */
  isSetChanged: boolean;
  /** True if a tag has a digest that it didn't have before. */
  hasNewDigests: boolean;
  /** Kept releases whose commit or digest changed, highest first. `null` if there are none. */
  moved: MovedRelease[] | null;
}

/** A release whose commit or digest isn't the one that was stored. */
export interface MovedRelease {
  id: number;
  tag: string;
  version: string;
  kind: 'commit' | 'digest';
  from: string;
  to: string;
  /** Number of earlier changes. */
  earlierMoves: number;
}

/**
 * Updates the stored releases of these jobs to match their sources, in one statement regardless of the number
 * of jobs:
 *
 * - A release is written only if it differs from the stored one.
 * - If the list is complete, missing releases are withdrawn, and releases that are listed again are restored.
 * - For each variant, the highest releases are kept. Deployed versions and the first release above each of
 *   them are also kept, because lag in days is counted from that release. Releases below the kept ones are
 *   never stored, so reading the same list again writes nothing.
 * - A known date is kept if the source no longer returns it, such as for tags whose details aren't requested
 *   again. The date of a version never moves forward: editing a release doesn't reduce the lag. Only an
 *   implausible date is replaced.
 * - A known digest or commit is also kept if the source no longer returns it. Evaluations use only whether one is known,
 *   and its changes.
 * - A digest or commit has moved if it differs from a known one of the same kind and length. Values of
 *   different lengths come from different hash functions, so their difference says nothing about the content.
 *
 * The caller must have locked the jobs.
 */
export async function applyIncomingReleases(
  tx: Tx,
  organizationId: number,
  jobs: readonly JobToRecord[],
  incoming: IncomingReleases,
  { isCompleteList }: { isCompleteList: boolean },
): Promise<ReleaseChangeCounts[]> {
  const deployed = await readVersionsToKeep(tx, organizationId, jobs, incoming);
  const { rows } = await sql<ReleaseChangeCounts>`
    WITH reading AS (
      SELECT * FROM unnest(
        ${jobs.map((job) => job.jobId)}::bigint[], ${jobs.map(releaseLimitOf)}::integer[],
        ${jobs.map((job) => job.includePrereleases)}::boolean[]
      ) AS reading (gather_job_id, max_releases, include_prereleases)
    ), deployed AS (
      SELECT * FROM unnest(
        ${deployed.map((one) => one.jobId)}::bigint[], ${deployed.map((one) => one.version)}::text[],
        ${deployed.map((one) => one.rank)}::text[], ${deployed.map((one) => one.variant)}::text[]
      ) AS deployed (gather_job_id, version, rank, variant)
    ), stored AS (
      SELECT * FROM releases
      WHERE organization_id = ${organizationId} AND gather_job_id = ANY(${jobs.map((job) => job.jobId)}::bigint[])
    ), merged AS (
      SELECT gather_job_id, tag, stored.id, incoming.app_version, incoming.url, incoming.notes,
        coalesce(incoming.digest, stored.digest) AS digest,
        incoming.digest IS NOT NULL AND incoming.digest IS DISTINCT FROM stored.digest AS is_digest_new,
        coalesce(incoming.commit_id, stored.commit_id) AS commit_id,
        incoming.commit_id IS NOT NULL AND incoming.commit_id IS DISTINCT FROM stored.commit_id AS is_commit_new,
        CASE
          WHEN ${hasMoved('commit_id')} THEN 'commit'
          WHEN ${hasMoved('digest')} THEN 'digest'
        END AS moved_kind,
        stored.commit_id AS stored_commit_id, stored.digest AS stored_digest, stored.move_count,
        coalesce(incoming.is_yanked, stored.is_yanked) AS is_yanked,
        coalesce(incoming.version, stored.version) AS version,
        CASE WHEN incoming.version IS NULL THEN stored.sort_key ELSE incoming.sort_key END AS sort_key,
        coalesce(incoming.variant, stored.variant) AS variant,
        CASE
          -- A tag that isn't a version, such as a branch, or that now names another version, gets the newly
          -- reported date.
          WHEN stored.id IS NULL OR incoming.sort_key IS NULL OR incoming.version <> stored.version
            THEN coalesce(reported_at, known_at)
          -- A date after the release was first seen is wrong, because the release already existed.
          WHEN known_at IS NULL AND reported_at > stored.discovered_at THEN NULL
          ELSE least(reported_at, known_at)
        END AS released_at,
        stored.released_at AS stored_released_at,
        coalesce(stored.discovered_at, pacekeeper_now()) AS discovered_at,
        coalesce(incoming.is_prerelease, stored.is_prerelease) AS is_prerelease,
        incoming.version IS NULL AND ${isCompleteList} AND NOT stored.is_withdrawn AS is_now_missing,
        incoming.version IS NOT NULL AND (stored.is_withdrawn
          OR (stored.version, stored.sort_key, stored.variant, stored.app_version, stored.is_prerelease,
              stored.is_yanked, stored.url)
            IS DISTINCT FROM (incoming.version, incoming.sort_key, incoming.variant, incoming.app_version,
              incoming.is_prerelease, incoming.is_yanked, incoming.url)) AS is_different,
        incoming.version IS NOT NULL AND stored.notes IS DISTINCT FROM incoming.notes AS has_other_notes
      FROM ${incoming.from} FULL JOIN stored USING (gather_job_id, tag)
      CROSS JOIN LATERAL (
        SELECT CASE WHEN ${isPlausible('incoming.released_at')} THEN incoming.released_at END AS reported_at,
          CASE WHEN incoming.version IS NULL OR ${isPlausible('stored.released_at')} THEN stored.released_at END AS known_at
      ) AS dates
    ), ranked AS (
      SELECT merged.*, max_releases, include_prereleases OR NOT is_prerelease AS is_wanted,
        row_number() OVER (
          PARTITION BY gather_job_id, include_prereleases OR NOT is_prerelease, sort_key IS NULL, variant
          ORDER BY sort_key DESC, released_at DESC NULLS LAST, tag COLLATE "C" DESC
        ) AS place
      FROM merged JOIN reading USING (gather_job_id)
    ), earliest AS (
      -- Starting with the highest release, selects each release that came out before all releases above it.
      -- For any deployed version, the first newer release of its variant is one of them, with or without
      -- pre-releases.
      SELECT gather_job_id, variant, tag, sort_key,
        lead(sort_key) OVER (PARTITION BY gather_job_id, variant, stable_only ORDER BY sort_key DESC, tag) AS next_key
      FROM (
        SELECT ranked.*, stable_only, coalesce(released_at, discovered_at) < coalesce(
          min(coalesce(released_at, discovered_at)) OVER (
            PARTITION BY gather_job_id, variant, stable_only ORDER BY sort_key DESC, tag
            ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING),
          'infinity') AS is_earliest
        FROM ranked CROSS JOIN (VALUES (true), (false)) AS rule (stable_only)
        WHERE is_wanted AND sort_key IS NOT NULL AND NOT is_yanked AND NOT (stable_only AND is_prerelease)
          AND gather_job_id IN (SELECT gather_job_id FROM deployed)
      ) AS newer
      WHERE is_earliest
    ), first_newer AS (
      SELECT DISTINCT earliest.gather_job_id, earliest.tag
      FROM earliest JOIN deployed USING (gather_job_id, variant)
      -- Excludes releases with the rank of the deployed version. The rank is a prefix of the sort key.
      WHERE earliest.sort_key > deployed.rank AND NOT starts_with(earliest.sort_key, deployed.rank)
        AND (next_key IS NULL OR next_key < deployed.rank OR starts_with(next_key, deployed.rank))
    ), decided AS (
      SELECT ranked.*, CASE
          WHEN NOT is_wanted OR NOT CASE
              WHEN place <= max_releases THEN true
              -- Checked only for releases above the limit. The rank is a prefix of the sort key.
              ELSE EXISTS (
                SELECT FROM deployed WHERE deployed.gather_job_id = ranked.gather_job_id
                  AND (deployed.version = ranked.version OR starts_with(ranked.sort_key, deployed.rank)))
                OR (gather_job_id, tag) IN (SELECT gather_job_id, tag FROM first_newer)
            END THEN CASE WHEN id IS NOT NULL THEN 'drop' END
          WHEN id IS NULL THEN 'add'
          WHEN is_now_missing THEN 'withdraw'
          WHEN is_different OR released_at IS DISTINCT FROM stored_released_at THEN 'update'
          WHEN has_other_notes OR is_digest_new OR is_commit_new THEN 'retell'
        END AS action
      FROM ranked
    ), dropped AS (
      DELETE FROM releases USING decided
      WHERE action = 'drop' AND releases.organization_id = ${organizationId} AND releases.id = decided.id
    ), withdrawn AS (
      UPDATE releases SET is_withdrawn = true, updated_at = pacekeeper_now() FROM decided
      WHERE action = 'withdraw' AND releases.organization_id = ${organizationId} AND releases.id = decided.id
    ), updated AS (
      UPDATE releases
      SET version = decided.version, sort_key = decided.sort_key, variant = decided.variant,
          app_version = decided.app_version, released_at = decided.released_at,
          is_prerelease = decided.is_prerelease, is_yanked = decided.is_yanked, is_withdrawn = false,
          url = decided.url, notes = decided.notes, digest = decided.digest, commit_id = decided.commit_id,
          updated_at = pacekeeper_now()
      FROM decided
      WHERE action IN ('update', 'retell') AND releases.organization_id = ${organizationId} AND releases.id = decided.id
    ), added AS (
      INSERT INTO releases (organization_id, gather_job_id, tag, version, sort_key, variant, app_version, released_at,
        is_prerelease, is_yanked, url, notes, digest, commit_id)
      SELECT ${organizationId}, gather_job_id, tag, version, sort_key, variant, app_version, released_at,
        is_prerelease, is_yanked, url, notes, digest, commit_id
      FROM decided WHERE action = 'add'
      -- Inserts in ascending order of versions, so that IDs ascend, too. Tasks contain the tags with the
      -- highest IDs, and agents stop reading when they reach one of them.
      ORDER BY gather_job_id, sort_key NULLS FIRST, tag COLLATE "C"
    )
    SELECT gather_job_id AS "jobId",
      count(*) FILTER (WHERE action = 'add') AS added,
      count(*) FILTER (WHERE action IN ('update', 'retell')) AS updated,
      count(*) FILTER (WHERE action = 'withdraw') AS withdrawn,
      bool_or(action <> 'retell' OR (is_digest_new OR is_commit_new) AND stored_commit_id IS NULL
        AND stored_digest IS NULL) AS "isSetChanged",
      bool_or(action IN ('add', 'update', 'retell') AND is_digest_new) AS "hasNewDigests",
      json_agg(json_build_object('id', id, 'tag', tag, 'version', version, 'kind', moved_kind,
          'from', CASE moved_kind WHEN 'commit' THEN stored_commit_id ELSE stored_digest END,
          'to', CASE moved_kind WHEN 'commit' THEN commit_id ELSE digest END, 'earlierMoves', move_count)
        ORDER BY is_prerelease, sort_key DESC NULLS LAST, tag COLLATE "C")
        FILTER (WHERE action IN ('update', 'retell') AND moved_kind IS NOT NULL) AS moved
    FROM decided WHERE action IS NOT NULL
    GROUP BY gather_job_id`.execute(tx);
  return rows;
}

/** SQL condition: true if a value of a release differs from the stored one and can be compared with it. */
function hasMoved(column: 'commit_id' | 'digest'): RawBuilder<boolean> {
  const [before, after] = [sql.ref(`stored.${column}`), sql.ref(`incoming.${column}`)];
  return sql<boolean>`${after} <> ${before} AND length(${after}) = length(${before})`;
}

/** SQL equivalent of `isPlausibleDate`. */
function isPlausible(column: string): RawBuilder<boolean> {
  return sql`${sql.raw(column)} BETWEEN ${sql.lit(earliestReleaseDate)}::timestamptz
    AND pacekeeper_now() + ${sql.lit(`${maxDaysAhead} days`)}::interval`;
}

/**
 * Returns the number of releases to keep. Sort keys from two parser versions can't be compared, so no
 * releases are deleted until all of them have been parsed again.
 */
function releaseLimitOf({ isOfThisReading, maxReleases }: JobToRecord): number {
  return isOfThisReading ? maxReleases : 2_147_483_647;
}

/**
 * Reads the deployed versions and the versions from which lag in days is counted, but only for jobs that have too many
 * releases.
 */
async function readVersionsToKeep(
  tx: Tx,
  organizationId: number,
  jobs: readonly JobToRecord[],
  incoming: IncomingReleases,
): Promise<{ jobId: number; version: string; rank: string | null; variant: string | null }[]> {
  const full = jobs.filter((job) => job.releaseCount + incoming.countsOf(job.jobId).taken > job.maxReleases);
  if (full.length === 0) return [];
  const schemes = new Map(full.map((job) => [job.jobId, versionScheme(job.scheme, job.platformWords)]));
  const deployed = await readVersionsUsedByConfigs(tx, organizationId, [...schemes.keys()]);
  return deployed.map(({ jobId, version }) => {
    const scheme = schemes.get(jobId);
    const parsed = scheme?.parse(version) ?? null;
    return { jobId, version, rank: parsed?.rank ?? null, variant: parsed && lineAndVariantOf(parsed) };
  });
}
