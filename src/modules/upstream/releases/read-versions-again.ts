import { type RawBuilder, sql } from 'kysely';
import { excludeCommitIds } from '../../../domain/versions/exclude-commit-ids.ts';
import { lineAndVariantOf } from '../../../domain/versions/match-release.ts';
import type { VersionSchemeId } from '../../../domain/versions/version-scheme.ts';
import { parserVersion, versionScheme } from '../../../domain/versions/versions.ts';
import { changeTopic, type Tx, wake } from '../../../platform/database/index.ts';
import { isOldestRunningParser } from '../../monitoring/index.ts';
import { triggerFanOuts } from '../fan-out-evaluation.ts';
import { refreshJobCounters } from './job-counters.ts';
import { applyPlatformWordsAcrossOrganizations } from './platform-word-queries.ts';

interface JobToRead {
  organization_id: number;
  id: number;
  version_scheme: VersionSchemeId;
  platform_words: string;
  version_reading_after: string | null;
  /**
   * True if the releases of the job are versions of a scrape job. Their pre-releases are then treated as stable, and
   * commits aren't treated as versions.
   */
  is_deployed: boolean;
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
 * Parses stored versions again if an earlier version of Pacekeeper parsed them differently, or if the
 * platform words of the organization have changed. Updates sort key, variant, and pre-release flag. Processes
 * one job at a time, and at most `limit` releases of that job. Evaluations don't depend on this update,
 * because they parse versions themselves. It affects only the order of lists and retention. When all releases
 * of a job have been parsed, its alert configurations are evaluated.
 *
 * Waits until no server runs the earlier version of Pacekeeper. A job whose releases were stored by servers
 * of both versions is also parsed again.
 *
 * @returns True if there can be more versions to parse.
 */
export async function reparseVersionsAcrossOrganizations(tx: Tx, limit: number): Promise<boolean> {
  if (await applyPlatformWordsAcrossOrganizations(tx, limit)) return true;
  // Jobs with a higher value were parsed by a later version of Pacekeeper, which this version has replaced.
  const job =
    (await findJobToRead(tx, sql`version_reading < ${parserVersion}`)) ??
    (await findJobToRead(tx, sql`version_reading > ${parserVersion}`));
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
    UPDATE gather_jobs SET version_reading = ${parserVersion}, version_reading_after = NULL
    WHERE organization_id = ${job.organization_id} AND id = ${job.id}`.execute(tx);
  await refreshJobCounters(tx, job.organization_id, [job.id]);
  await triggerFanOuts(tx, job.organization_id, [job.id]);
  wake(tx, changeTopic(job.organization_id, 'gather_job', job.id));
  return true;
}

async function findJobToRead(tx: Tx, where: RawBuilder<unknown>): Promise<JobToRead | undefined> {
  const { rows } = await sql<JobToRead>`
    SELECT organization_id, id, version_scheme, platform_words, version_reading_after,
      scrape_job_id IS NOT NULL AS is_deployed
    FROM gather_jobs
    WHERE ${where} AND ${isOldestRunningParser}
    ORDER BY version_reading, organization_id, id
    -- Skips jobs whose releases are being recorded. They are processed later.
    LIMIT 1 FOR NO KEY UPDATE SKIP LOCKED`.execute(tx);
  return rows[0];
}

async function writeReadings(tx: Tx, job: JobToRead, releases: readonly StoredRelease[]): Promise<void> {
  const scheme = versionScheme(job.version_scheme, job.platform_words);
  const { parse } = job.is_deployed
    ? excludeCommitIds(
        scheme,
        releases.map(({ version }) => version),
      )
    : scheme;
  const changed = releases.flatMap((release) => {
    const version = parse(release.version);
    const read = {
      id: release.id,
      sort_key: version && scheme.sortKey(version),
      variant: version === null ? '' : lineAndVariantOf(version),
      // The pre-release flag of the source isn't stored separately, so a pre-release keeps its flag until the
      // next full refresh.
      is_prerelease: !job.is_deployed && (release.is_prerelease || (version?.isPrerelease ?? false)),
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
