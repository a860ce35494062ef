import { sql } from 'kysely';
import { variantOf } from '../../../domain/versions/match-release.ts';
import type { VersionSchemeId } from '../../../domain/versions/version-scheme.ts';
import { versionReading, versionScheme } from '../../../domain/versions/versions.ts';
import type { Tx } from '../../../platform/database/index.ts';
import { refreshJobCounters } from './job-counters.ts';

interface JobToRead {
  organization_id: number;
  id: number;
  version_scheme: VersionSchemeId;
  is_image: boolean;
  version_reading_after: string | null;
}

interface StoredRelease {
  id: number;
  tag: string;
  version: string;
  sort_key: string | null;
  variant: string;
  is_prerelease: boolean;
}

/**
 * Reads stored versions again where a program before this one has read them in another way: sort key, variant, and
 * whether they are pre-releases. One job at a time, and of that at most `limit` releases. Judgements don't wait for it:
 * they read the versions themselves. What it affects is the order of lists and which releases are kept.
 *
 * A server of the program before may record releases in its own way meanwhile. The complete list of each source, once a
 * day, writes them as they are read then.
 *
 * @returns Whether there is more to read.
 */
export async function readVersionsAgainAcrossOrganizations(tx: Tx, limit: number): Promise<boolean> {
  const { rows: jobs } = await sql<JobToRead>`
    SELECT organization_id, id, version_scheme, source_type = 'oci_registry' AS is_image, version_reading_after
    FROM gather_jobs
    WHERE version_reading < ${versionReading}
    ORDER BY version_reading, organization_id, id
    -- One that is being recorded has its turn later.
    LIMIT 1 FOR NO KEY UPDATE SKIP LOCKED`.execute(tx);
  const [job] = jobs;
  if (job === undefined) return false;
  const { rows: releases } = await sql<StoredRelease>`
    SELECT id, tag, version, sort_key, variant, is_prerelease
    FROM releases
    WHERE organization_id = ${job.organization_id} AND gather_job_id = ${job.id}
      AND (${job.version_reading_after}::text IS NULL OR tag > ${job.version_reading_after}::text)
    ORDER BY tag LIMIT ${limit}`.execute(tx);
  await writeReadings(tx, job, releases);
  if (releases.length === limit) {
    await sql`
      UPDATE gather_jobs SET version_reading_after = ${releases.at(-1)?.tag ?? null}
      WHERE organization_id = ${job.organization_id} AND id = ${job.id}`.execute(tx);
    return true;
  }
  await sql`
    UPDATE gather_jobs SET version_reading = ${versionReading}, version_reading_after = NULL
    WHERE organization_id = ${job.organization_id} AND id = ${job.id}`.execute(tx);
  await refreshJobCounters(tx, job.organization_id, [
    { jobId: job.id, scheme: job.version_scheme, isImage: job.is_image },
  ]);
  return true;
}

async function writeReadings(tx: Tx, job: JobToRead, releases: readonly StoredRelease[]): Promise<void> {
  const scheme = versionScheme(job.version_scheme);
  const changed = releases.flatMap((release) => {
    const version = scheme.parse(release.version);
    const read = {
      id: release.id,
      sort_key: version && scheme.sortKey(version),
      variant: version === null ? '' : variantOf(version),
      // Whether the source said so isn't stored apart: what is one stays one until the source is read again.
      is_prerelease: release.is_prerelease || (version?.isPrerelease ?? false),
    };
    const isSame =
      read.sort_key === release.sort_key &&
      read.variant === release.variant &&
      read.is_prerelease === release.is_prerelease;
    return isSame ? [] : [read];
  });
  if (changed.length === 0) return;
  await sql`
    UPDATE releases SET sort_key = read.sort_key, variant = read.variant, is_prerelease = read.is_prerelease
    FROM json_to_recordset(${JSON.stringify(changed)}::json) AS read (
      id bigint, sort_key text, variant text, is_prerelease boolean)
    WHERE releases.organization_id = ${job.organization_id} AND releases.id = read.id`.execute(tx);
}
