import { sql } from 'kysely';
import { type ArtifactAlias, upstreamOf } from '../../../domain/identity/artifact-aliases.ts';
import { helmSourceType } from '../../../domain/source-types/helm-source-type.ts';
import { parserVersion } from '../../../domain/versions/versions.ts';
import type { Tx } from '../../../platform/database/index.ts';
import { readAliasesToStore } from '../../settings/index.ts';
import { readPlatformWords } from '../releases/platform-word-queries.ts';

/** A chart and the artifact name of the gather job that the sync manages for it. */
export interface ChartToManage {
  chart: string;
  artifactName: string;
}

/**
 * Creates gather jobs for charts that have none, or reuses the job that the sync already has for the same
 * artifact.
 *
 * @returns The ID of the job of each chart, and the IDs of the new jobs.
 */
export async function createManagedJobs(
  tx: Tx,
  organizationId: number,
  helmSyncJobId: number,
  charts: readonly ChartToManage[],
): Promise<{ jobIds: Map<string, number>; newIds: number[] }> {
  if (charts.length === 0) return { jobIds: new Map(), newIds: [] };
  const aliases = await readAliasesToStore(tx, organizationId);
  const identities = charts.map(({ artifactName }) => identityOfChart(artifactName, aliases));
  const { rows } = await sql<{ chart: string; id: number; is_new: boolean }>`
    WITH wanted AS (
      SELECT * FROM unnest(
        ${charts.map(({ chart }) => chart)}::text[], ${charts.map(({ artifactName }) => artifactName)}::text[],
        ${identities.map(({ purl }) => purl)}::text[], ${identities.map(({ mirrorOf }) => mirrorOf)}::text[]
      ) AS wanted (chart, artifact_name, purl, mirror_of)
    ), known AS (
      SELECT DISTINCT ON (artifact_name) artifact_name, id FROM gather_jobs
      WHERE organization_id = ${organizationId} AND helm_sync_job_id = ${helmSyncJobId}
      ORDER BY artifact_name, id
    ), made AS (
      INSERT INTO gather_jobs (organization_id, name, source_type, artifact_name, version_scheme, credential_name,
        helm_sync_job_id, version_reading, platform_words, purls, mirror_of)
      SELECT ${organizationId}, left(chart, 200), 'helm_repository', artifact_name, 'semver', sync.credential_name, sync.id,
        ${parserVersion}, ${await readPlatformWords(tx, organizationId)}, ARRAY[purl], mirror_of
      FROM wanted
      JOIN helm_sync_jobs AS sync ON sync.organization_id = ${organizationId} AND sync.id = ${helmSyncJobId}
      WHERE artifact_name NOT IN (SELECT artifact_name FROM known)
      RETURNING artifact_name, id
    ), followed AS (
      SELECT chart, coalesce(known.id, made.id) AS id, made.id IS NOT NULL AS is_new
      FROM wanted LEFT JOIN known USING (artifact_name) LEFT JOIN made USING (artifact_name)
    )
    UPDATE helm_charts SET gather_job_id = followed.id FROM followed
    WHERE helm_charts.organization_id = ${organizationId} AND helm_sync_job_id = ${helmSyncJobId}
      AND helm_charts.name = followed.chart
    RETURNING followed.chart, followed.id, followed.is_new`.execute(tx);
  return {
    jobIds: new Map(rows.map((row) => [row.chart, row.id])),
    newIds: rows.filter((row) => row.is_new).map((row) => row.id),
  };
}

/**
 * Locks all gather jobs that a sync manages, in ascending order of ID. The lock also prevents other
 * transactions from inserting rows that refer to these jobs.
 */
export async function lockManagedJobs(
  tx: Tx,
  organizationId: number,
  helmSyncJobId: number,
): Promise<{ id: number; chart: string; is_active: boolean }[]> {
  const { rows } = await sql<{ id: number; artifact_name: string; is_active: boolean }>`
    SELECT id, artifact_name, is_active FROM gather_jobs
    WHERE organization_id = ${organizationId} AND helm_sync_job_id = ${helmSyncJobId}
    ORDER BY id FOR UPDATE`.execute(tx);
  return rows.map(({ artifact_name, ...row }) => ({ ...row, chart: artifact_name.split('/').at(-1) ?? '' }));
}

/** Converts gather jobs that a sync manages to independent jobs with this schedule. */
export async function convertToIndependentJobs(
  tx: Tx,
  organizationId: number,
  ids: readonly number[],
  schedule: { cron_expression: string | null; cron_timezone: string; is_active: boolean },
): Promise<void> {
  await sql`
    UPDATE helm_charts SET gather_job_id = NULL
    WHERE organization_id = ${organizationId} AND gather_job_id = ANY(${[...ids]}::bigint[])`.execute(tx);
  await sql`
    UPDATE gather_jobs
    SET helm_sync_job_id = NULL, cron_expression = ${schedule.cron_expression}, cron_timezone = ${schedule.cron_timezone},
        is_active = is_active AND ${schedule.is_active}, validators = NULL, last_full_at = NULL, updated_at = pacekeeper_now()
    WHERE organization_id = ${organizationId} AND id = ANY(${[...ids]}::bigint[])`.execute(tx);
}

export async function moveManagedJobs(
  tx: Tx,
  organizationId: number,
  jobs: readonly { id: number; artifactName: string }[],
): Promise<void> {
  const aliases = await readAliasesToStore(tx, organizationId);
  const identities = jobs.map(({ artifactName }) => identityOfChart(artifactName, aliases));
  await sql`
    UPDATE gather_jobs
    SET artifact_name = moved.artifact_name, updated_at = pacekeeper_now(),
      purls = CASE WHEN purls_source = 'set' THEN purls ELSE ARRAY[moved.purl] END, mirror_of = moved.mirror_of
    FROM unnest(${jobs.map((job) => job.id)}::bigint[], ${jobs.map((job) => job.artifactName)}::text[],
      ${identities.map(({ purl }) => purl)}::text[], ${identities.map(({ mirrorOf }) => mirrorOf)}::text[])
      AS moved (id, artifact_name, purl, mirror_of)
    WHERE gather_jobs.organization_id = ${organizationId} AND gather_jobs.id = moved.id`.execute(tx);
}

export async function setCredentialOfManagedJobs(
  tx: Tx,
  organizationId: number,
  helmSyncJobId: number,
  credentialName: string | null,
): Promise<void> {
  await sql`
    UPDATE gather_jobs SET credential_name = ${credentialName}, updated_at = pacekeeper_now()
    WHERE organization_id = ${organizationId} AND helm_sync_job_id = ${helmSyncJobId}`.execute(tx);
}

/** Returns the package URL of a chart, or that of the chart that its repository mirrors. */
function identityOfChart(
  artifactName: string,
  aliases: readonly ArtifactAlias[],
): { purl: string | null; mirrorOf: string | null } {
  const source = { source_type: 'helm_repository', artifact_name: artifactName } as const;
  const mirrorOf = upstreamOf(source, aliases)?.artifact_name ?? null;
  return { purl: helmSourceType.purlOf(mirrorOf ?? artifactName), mirrorOf };
}
