import { type RawBuilder, sql } from 'kysely';
import type { ListCompleteness } from '../../../domain/runs/list-completeness.ts';
import type { SourceTypeId } from '../../../domain/source-types/source-types.ts';
import { joinPlatformWords } from '../../../domain/versions/platform-words.ts';
import type { VersionSchemeId } from '../../../domain/versions/version-scheme.ts';
import { parserVersion } from '../../../domain/versions/versions.ts';
import type { Schemas } from '../../../generated/agent-api.ts';
import type { Tx } from '../../../platform/database/index.ts';
import { type JobTable, shouldRecordSuccess } from '../../runs/index.ts';
import { readSettings } from '../../settings/index.ts';
import type { JobReadOptions } from './incoming-releases.ts';
import { writePlatformWords } from './platform-word-queries.ts';

/** A gather job whose releases are being recorded. The job is locked, so its parsing options can't change. */
export interface JobToRecord extends JobReadOptions {
  sourceType: SourceTypeId;
  artifactName: string;
  /** The upstream that the artifact mirrors, otherwise the artifact. */
  upstreamName: string;
  maxReleases: number;
  releaseCount: number;
  isFailing: boolean;
  listCompleteness: ListCompleteness | null;
  /**
   * True if the current parser rules were used for all stored releases, so their sort keys can be compared.
   */
  isOfThisReading: boolean;
}

/**
 * Locks and returns gather jobs by ID, or all enabled jobs that a helm sync job manages. Locks the jobs in
 * ascending order of ID.
 */
export async function lockJobsToRecord(
  tx: Tx,
  organizationId: number,
  of: { jobIds: readonly number[] } | { helmSyncJobId: number },
): Promise<JobToRecord[]> {
  const { rows } = await sql<{
    id: number;
    source_type: SourceTypeId;
    artifact_name: string;
    upstream_name: string;
    version_scheme: VersionSchemeId;
    version_pattern: string | null;
    include_prereleases: boolean;
    max_releases: number | null;
    release_count: number;
    platform_words: string;
    is_failing: boolean;
    list_completeness: ListCompleteness | null;
    is_of_this_reading: boolean;
  }>`
    SELECT id, source_type, artifact_name, coalesce(mirror_of, artifact_name) AS upstream_name, version_scheme, version_pattern, include_prereleases, max_releases, release_count,
      platform_words, list_completeness, failing_since IS NOT NULL AS is_failing,
      version_reading = ${parserVersion} AS is_of_this_reading
    FROM gather_jobs
    WHERE organization_id = ${organizationId}
      AND ${'jobIds' in of ? sql`id = ANY(${[...of.jobIds]}::bigint[])` : sql`helm_sync_job_id = ${of.helmSyncJobId} AND is_active`}
    ORDER BY id FOR NO KEY UPDATE`.execute(tx);
  // Read the settings after locking the jobs, to include platform words that were saved while this call
  // waited for the locks.
  const settings = await readSettings(tx, organizationId);
  const words = joinPlatformWords(settings['versions.platform_words']);
  // A job can have outdated platform words, for example if it was created while the setting changed.
  const isOther = (row: (typeof rows)[number]) => row.platform_words !== words;
  const others = rows.filter(isOther).map((row) => row.id);
  if (others.length > 0) await writePlatformWords(tx, organizationId, others, words);
  return rows.map((row) => ({
    jobId: row.id,
    sourceType: row.source_type,
    artifactName: row.artifact_name,
    upstreamName: row.upstream_name,
    scheme: row.version_scheme,
    versionPattern: row.version_pattern,
    includePrereleases: row.include_prereleases,
    maxReleases: row.max_releases ?? settings['gather.max_releases'],
    releaseCount: row.release_count,
    platformWords: words,
    isFailing: row.is_failing,
    listCompleteness: row.list_completeness,
    isOfThisReading: row.is_of_this_reading && !(isOther(row) && row.version_scheme !== 'semver'),
  }));
}

/**
 * Returns the current and previous deployed versions of alert configurations that use these jobs, and the
 * releases that their lag in days is counted from. Retention keeps all of them, because age and lag depend on
 * them.
 */
export async function readVersionsUsedByConfigs(
  tx: Tx,
  organizationId: number,
  jobIds: readonly number[],
): Promise<{ jobId: number; version: string }[]> {
  const { rows } = await sql<{ jobId: number; version: string }>`
    SELECT DISTINCT c.gather_job_id AS "jobId", deployed.version
    FROM alert_configs c
    JOIN scrape_jobs s ON s.organization_id = c.organization_id AND s.id = c.scrape_job_id
    LEFT JOIN alert_config_explanations e ON c.behind_since IS NOT NULL
      AND e.organization_id = c.organization_id AND e.alert_config_id = c.id
    CROSS JOIN LATERAL (
      VALUES (s.latest_version), (s.previous_version), (e.explanation #>> '{date_used,version}')) AS deployed (version)
    WHERE c.gather_organization_id = ${organizationId} AND c.gather_job_id = ANY(${[...jobIds]}::bigint[])
      AND deployed.version IS NOT NULL`.execute(tx);
  return rows;
}

/**
 * Schedules all releases of these jobs to be parsed again, because two versions of Pacekeeper have parsed
 * them.
 */
export async function scheduleReparse(
  tx: Tx,
  organizationId: number,
  jobIds: readonly number[],
): Promise<void> {
  if (jobIds.length === 0) return;
  await sql`
    UPDATE gather_jobs SET version_reading = 0, version_reading_after = NULL
    WHERE organization_id = ${organizationId} AND id = ANY(${[...jobIds]}::bigint[])`.execute(tx);
}

/**
 * Minimum time between updates of the time when a source was last read. Applies where users see this time, or where
 * it's compared with a number of days.
 */
const seenRecently = sql`interval '1 hour'`;

/**
 * True if the last full read was more than a day ago. Sources are read completely once a day to detect
 * removed releases.
 */
export const isFullReadDue = sql<boolean>`coalesce(last_full_at < pacekeeper_now() - interval '1 day', true)`;

/**
 * Stores the validators of jobs that were read, and clears their failures. A full read that was due is recorded even if
 * it reached a limit, because repeating it at every run would reach the limit at the same place.
 */
export async function recordSuccessfulRead(
  tx: Tx,
  organizationId: number,
  jobIds: readonly number[],
  {
    isCompleteList,
    completeness,
    validatorsOf,
    isFull,
    hasUpdates,
  }: {
    isCompleteList: boolean;
    /** `null` if the read doesn't show how complete the stored list is. */
    completeness: ListCompleteness | null;
    validatorsOf: (jobId: number) => Schemas['SourceValidators'] | null;
    /**
     * True if the read requested the complete list. Otherwise, it skipped releases that were known when it started, which
     * may have been cleared since.
     */
    isFull: (jobId: number) => boolean;
    /** True if stored releases changed. The next run then requests missing dates again. */
    hasUpdates: (jobId: number) => boolean;
  },
): Promise<void> {
  const stored = jobIds.map((jobId) => {
    const validators = validatorsOf(jobId);
    return validators && JSON.stringify(validators);
  });
  await sql`
    UPDATE gather_jobs
    SET last_success_at = CASE WHEN ${shouldRecordSuccess(sql`last_success_at`)} THEN pacekeeper_now() ELSE last_success_at END,
        failing_since = NULL, validators = read.validators,
        list_completeness = coalesce(${completeness}, list_completeness),
        list_incomplete_since = CASE coalesce(${completeness}, list_completeness)
          WHEN 'incomplete' THEN coalesce(list_incomplete_since, pacekeeper_now()) END,
        dates_due_at = CASE WHEN has_updates THEN NULL ELSE dates_due_at END,
        last_full_at = CASE
          WHEN ${isCompleteList} AND last_full_at IS NOT NULL OR ${isFullReadDue} AND is_full THEN pacekeeper_now()
          ELSE last_full_at
        END
    FROM unnest(${[...jobIds]}::bigint[], ${stored}::jsonb[], ${jobIds.map(isFull)}::boolean[],
        ${jobIds.map(hasUpdates)}::boolean[]) AS read (job_id, validators, is_full, has_updates)
    WHERE organization_id = ${organizationId} AND id = ANY(${[...jobIds]}::bigint[]) AND id = read.job_id
      AND (failing_since IS NOT NULL OR gather_jobs.validators IS DISTINCT FROM read.validators
        OR ${shouldRecordSuccess(sql`last_success_at`)}
        OR list_completeness IS DISTINCT FROM coalesce(${completeness}, list_completeness)
        OR (has_updates AND dates_due_at IS NOT NULL)
        OR ${isFullReadDue} AND is_full
        OR (${isCompleteList} AND coalesce(last_full_at <= pacekeeper_now() - ${seenRecently}, true)))`.execute(
    tx,
  );
}

/**
 * True if a helm sync without changes updates the time of its last success. Charts show the time when their repository
 * was last read, so it's updated more often than the time of a gather job.
 */
export const isSyncShownAsOld = sql<boolean>`coalesce(last_success_at <= pacekeeper_now() - ${seenRecently}, true)`;

/**
 * Records that the sources of these jobs reported no changes.
 *
 * @param isNoted True if the time of the last success of a job is updated.
 * @returns The jobs that were failing until now.
 */
export async function writeUnchangedAcrossOrganizations(
  tx: Tx,
  kind: JobTable,
  isNoted: RawBuilder<boolean>,
  jobs: readonly { organization_id: number; job_id: number }[],
): Promise<{ organizationId: number; jobId: number }[]> {
  const table = sql.table(kind.table);
  const { rows } = await sql<{ organizationId: number; jobId: number; was_failing: boolean }>`
    WITH locked AS (
      SELECT organization_id, id, failing_since IS NOT NULL AS was_failing FROM ${table}
      WHERE (organization_id, id) IN (SELECT * FROM unnest(
          ${jobs.map((job) => job.organization_id)}::bigint[], ${jobs.map((job) => job.job_id)}::bigint[]))
        AND (failing_since IS NOT NULL OR ${isNoted})
      ORDER BY organization_id, id FOR NO KEY UPDATE
    )
    UPDATE ${table} AS job SET last_success_at = pacekeeper_now(), failing_since = NULL
    FROM locked WHERE job.organization_id = locked.organization_id AND job.id = locked.id
    RETURNING job.organization_id AS "organizationId", job.id AS "jobId", was_failing`.execute(tx);
  return rows
    .filter((row) => row.was_failing)
    .map(({ organizationId, jobId }) => ({ organizationId, jobId }));
}

/** Returns the IDs of the gather jobs that these helm sync jobs manage. */
export async function listManagedGatherJobs(
  tx: Tx,
  organizationId: number,
  helmSyncJobIds: readonly number[],
): Promise<number[]> {
  const rows = await tx
    .selectFrom('gather_jobs')
    .select('id')
    .where('organization_id', '=', organizationId)
    .where(sql<boolean>`helm_sync_job_id = ANY(${[...helmSyncJobIds]}::bigint[])`)
    .execute();
  return rows.map((row) => row.id);
}
