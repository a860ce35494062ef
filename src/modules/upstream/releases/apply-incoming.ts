import { sql } from 'kysely';
import { versionScheme } from '../../../domain/versions/versions.ts';
import type { Tx } from '../../../platform/database/index.ts';
import type { Incoming } from './incoming-releases.ts';
import { type JobToRecord, readDeployedVersions } from './job-record-queries.ts';

/** What recording did to the releases of one job. Jobs to which nothing happened have none. */
export interface AppliedChanges {
  jobId: number;
  added: number;
  updated: number;
  withdrawn: number;
  /** Something changed that an evaluation looks at. */
  isSetChanged: boolean;
}

/**
 * Makes the stored releases of these jobs what their sources say, in one statement however many there are:
 *
 * - a release is written only if something of it differs;
 * - of a complete list, what is missing is withdrawn, and what comes back is withdrawn no longer;
 * - of each variant the highest are kept, and those that are deployed. What is below never comes in, so that reading
 *   the same list again writes nothing;
 * - a date once known stays when the source stops telling it, as for tags whose details are not asked again.
 *
 * The caller has locked the jobs.
 */
export async function applyIncoming(
  tx: Tx,
  organizationId: number,
  jobs: readonly JobToRecord[],
  incoming: Incoming,
  { isCompleteList }: { isCompleteList: boolean },
): Promise<AppliedChanges[]> {
  const deployed = await readVersionsToKeep(tx, organizationId, jobs, incoming);
  const { rows } = await sql<AppliedChanges>`
    WITH reading AS (
      SELECT * FROM unnest(
        ${jobs.map((job) => job.jobId)}::bigint[], ${jobs.map((job) => job.maxReleases)}::integer[],
        ${jobs.map((job) => job.includePrereleases)}::boolean[]
      ) AS reading (gather_job_id, max_releases, include_prereleases)
    ), deployed AS (
      SELECT * FROM unnest(
        ${deployed.map((one) => one.jobId)}::bigint[], ${deployed.map((one) => one.version)}::text[],
        ${deployed.map((one) => one.rank)}::text[]
      ) AS deployed (gather_job_id, version, rank)
    ), stored AS (
      SELECT * FROM releases
      WHERE organization_id = ${organizationId} AND gather_job_id = ANY(${jobs.map((job) => job.jobId)}::bigint[])
    ), merged AS (
      SELECT gather_job_id, tag, stored.id, incoming.app_version, incoming.is_yanked, incoming.url, incoming.notes,
        coalesce(incoming.version, stored.version) AS version,
        CASE WHEN incoming.version IS NULL THEN stored.sort_key ELSE incoming.sort_key END AS sort_key,
        coalesce(incoming.variant, stored.variant) AS variant,
        coalesce(incoming.released_at, stored.released_at) AS released_at,
        coalesce(incoming.is_prerelease, stored.is_prerelease) AS is_prerelease,
        incoming.version IS NULL AND ${isCompleteList} AND NOT stored.is_withdrawn AS is_now_missing,
        incoming.version IS NOT NULL AND (stored.is_withdrawn
          OR (stored.version, stored.sort_key, stored.variant, stored.is_prerelease, stored.is_yanked, stored.url)
            IS DISTINCT FROM (incoming.version, incoming.sort_key, incoming.variant, incoming.is_prerelease,
              incoming.is_yanked, incoming.url)
          OR stored.released_at IS DISTINCT FROM coalesce(incoming.released_at, stored.released_at)) AS is_different,
        incoming.version IS NOT NULL
          AND (stored.app_version, stored.notes) IS DISTINCT FROM (incoming.app_version, incoming.notes) AS is_told_otherwise
      FROM ${incoming.from} FULL JOIN stored USING (gather_job_id, tag)
    ), ranked AS (
      SELECT merged.*, max_releases, include_prereleases OR NOT is_prerelease AS is_wanted,
        row_number() OVER (
          PARTITION BY gather_job_id, include_prereleases OR NOT is_prerelease, sort_key IS NULL, variant
          ORDER BY sort_key DESC, released_at DESC NULLS LAST, tag COLLATE "C" DESC
        ) AS place
      FROM merged JOIN reading USING (gather_job_id)
    ), decided AS (
      SELECT ranked.*, CASE
          WHEN NOT is_wanted OR NOT CASE
              WHEN place <= max_releases THEN true
              -- Asked of what would go only. The rank is the beginning of the key.
              ELSE EXISTS (
                SELECT FROM deployed WHERE deployed.gather_job_id = ranked.gather_job_id
                  AND (deployed.version = ranked.version OR starts_with(ranked.sort_key, deployed.rank)))
            END THEN CASE WHEN id IS NOT NULL THEN 'drop' END
          WHEN id IS NULL THEN 'add'
          WHEN is_now_missing THEN 'withdraw'
          WHEN is_different THEN 'update'
          WHEN is_told_otherwise THEN 'retell'
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
          url = decided.url, notes = decided.notes, updated_at = pacekeeper_now()
      FROM decided
      WHERE action IN ('update', 'retell') AND releases.organization_id = ${organizationId} AND releases.id = decided.id
    ), added AS (
      INSERT INTO releases (organization_id, gather_job_id, tag, version, sort_key, variant, app_version, released_at,
        is_prerelease, is_yanked, url, notes)
      SELECT ${organizationId}, gather_job_id, tag, version, sort_key, variant, app_version, released_at,
        is_prerelease, is_yanked, url, notes
      FROM decided WHERE action = 'add'
      -- Ids ascend with versions: agents are told of the tags with the highest ids, to stop reading there.
      ORDER BY gather_job_id, sort_key NULLS FIRST, tag COLLATE "C"
    )
    SELECT gather_job_id AS "jobId",
      count(*) FILTER (WHERE action = 'add') AS added,
      count(*) FILTER (WHERE action IN ('update', 'retell')) AS updated,
      count(*) FILTER (WHERE action = 'withdraw') AS withdrawn,
      bool_or(action <> 'retell') AS "isSetChanged"
    FROM decided WHERE action IS NOT NULL
    GROUP BY gather_job_id`.execute(tx);
  return rows;
}

/** Only asked for when something has to go. */
async function readVersionsToKeep(
  tx: Tx,
  organizationId: number,
  jobs: readonly JobToRecord[],
  incoming: Incoming,
): Promise<{ jobId: number; version: string; rank: string | null }[]> {
  const full = jobs.filter((job) => job.releaseCount + incoming.countOfJob(job.jobId) > job.maxReleases);
  if (full.length === 0) return [];
  const schemes = new Map(full.map((job) => [job.jobId, versionScheme(job.scheme)]));
  const deployed = await readDeployedVersions(tx, organizationId, [...schemes.keys()]);
  return deployed.map(({ jobId, version }) => {
    const scheme = schemes.get(jobId);
    const parsed = scheme?.parse(version) ?? null;
    return { jobId, version, rank: parsed?.rank ?? null };
  });
}
