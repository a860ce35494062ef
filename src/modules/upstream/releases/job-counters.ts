import { sql } from 'kysely';
import { type LatestCandidate, latestOf } from '../../../domain/versions/match-release.ts';
import type { VersionSchemeId } from '../../../domain/versions/version-scheme.ts';
import { versionScheme } from '../../../domain/versions/versions.ts';
import type { Tx } from '../../../platform/database/index.ts';

/** Jobs whose releases are read together. */
const batchSize = 100;

/** After the set of releases of jobs changed: its revision, how many there are, and which is the latest. */
export async function refreshJobCounters(
  tx: Tx,
  organizationId: number,
  jobs: readonly { jobId: number; scheme: VersionSchemeId }[],
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
  prereleases: boolean[] | null;
}

async function refreshBatch(
  tx: Tx,
  organizationId: number,
  jobs: readonly { jobId: number; scheme: VersionSchemeId }[],
): Promise<void> {
  const { rows } = await sql<ReleaseColumns>`
    SELECT gather_job_id, count(*) AS release_count, count(*) FILTER (WHERE NOT is_prerelease) AS stable_count,
      min(released_at) AS first_released_at,
      array_agg(version) FILTER (WHERE is_offered) AS versions,
      array_agg((extract(epoch FROM released_at) * 1000)::bigint) FILTER (WHERE is_offered) AS released_at_ms,
      array_agg(is_prerelease) FILTER (WHERE is_offered) AS prereleases
    FROM releases, LATERAL (SELECT NOT is_withdrawn AND NOT is_yanked AND sort_key IS NOT NULL AS is_offered) AS offered
    WHERE organization_id = ${organizationId} AND gather_job_id = ANY(${jobs.map((job) => job.jobId)}::bigint[])
    GROUP BY gather_job_id`.execute(tx);
  const byJob = new Map(rows.map((row) => [row.gather_job_id, row]));
  const written = jobs.map(({ jobId, scheme }) => {
    const row = byJob.get(jobId);
    const { latest, latestStable } = latestOf(versionScheme(scheme), row ? candidatesOf(scheme, row) : []);
    return {
      id: jobId,
      release_count: row?.release_count ?? 0,
      stable_count: row?.stable_count ?? 0,
      latest_version: latest?.version.text ?? null,
      latest_stable_version: latestStable?.version.text ?? null,
      latest_released_at: latest?.releasedAtMs == null ? null : new Date(latest.releasedAtMs).toISOString(),
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

interface Candidate extends LatestCandidate {
  releasedAtMs: number | null;
}

function candidatesOf(schemeId: VersionSchemeId, row: ReleaseColumns): Candidate[] {
  const scheme = versionScheme(schemeId);
  return (row.versions ?? []).flatMap((text, index) => {
    const version = scheme.parse(text);
    if (!version) return [];
    const isPrerelease = row.prereleases?.[index] ?? false;
    return { version, isPrerelease, isExcluded: false, releasedAtMs: row.released_at_ms?.[index] ?? null };
  });
}
