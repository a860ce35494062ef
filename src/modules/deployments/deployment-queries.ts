import { type RawBuilder, sql } from 'kysely';
import type { Actor } from '../../domain/audit/actor.ts';
import type { LabeledJob } from '../../domain/deployments/choose-job.ts';
import type { Schemas } from '../../generated/client-api.ts';
import {
  type Database,
  listOrder,
  lookUpColumnSql,
  type Page,
  type PageRequest,
  readPage,
  type Tx,
} from '../../platform/database/index.ts';
import type { EnvironmentSettings } from '../environments/index.ts';

export interface DeploymentRow {
  id: number;
  service: string;
  environment: string;
  version: string;
  scrape_job_id: number | null;
  scrape_job_name: string | null;
  artifact: string | null;
  commit_sha: string | null;
  url: string | null;
  labels: Record<string, string>;
  deployed_at: Date;
  is_late: boolean;
  is_current: boolean;
  actor_type: Actor['type'];
  actor_id: number | null;
  actor_name: string;
  created_at: Date;
}

export interface DeploymentFilters {
  service?: string | undefined;
  environment?: string | undefined;
  scrape_job_id?: number | undefined;
  since?: string | undefined;
  until?: string | undefined;
}

function selectDeployments(db: Database | Tx, organizationId: number) {
  return db
    .selectFrom('deployments as d')
    .select(['d.id', 'd.service', 'd.environment', 'd.version', 'd.scrape_job_id', 'd.artifact'])
    .select([
      'd.commit_sha',
      'd.url',
      'd.deployed_at',
      'd.is_late',
      'd.actor_id',
      'd.actor_name',
      'd.created_at',
    ])
    .select([
      lookUpColumnSql<string | null>('scrape_jobs', 'name', {
        organizationId: 'd.organization_id',
        id: 'd.scrape_job_id',
      }).as('scrape_job_name'),
      isCurrent.as('is_current'),
      sql<Actor['type']>`d.actor_type`.as('actor_type'),
      sql<Record<string, string>>`d.labels`.as('labels'),
    ])
    .where('d.organization_id', '=', organizationId);
}

/**
 * True if the scrape job still has the version of deployment `d`: no version was set without a report since
 * then, and `d` is the last of the reports with the same time.
 */
const isCurrent = sql<boolean>`coalesce(
  NOT d.is_late
    -- The comparisons use scalar subqueries, because PostgreSQL could read all rows of the organization for an EXISTS.
    AND d.deployed_at = (
      SELECT j.latest_deployed_at FROM scrape_jobs j
      WHERE j.organization_id = d.organization_id AND j.id = d.scrape_job_id)
    AND d.id = (
      SELECT same.id FROM deployments same
      WHERE same.organization_id = d.organization_id AND same.scrape_job_id = d.scrape_job_id
        AND same.deployed_at = d.deployed_at
      ORDER BY same.id DESC LIMIT 1), false)`;

/** Lists deployments, most recent first. */
export async function listDeployments(
  db: Database,
  organizationId: number,
  { service, environment, scrape_job_id, since, until }: DeploymentFilters,
  page: PageRequest,
): Promise<Page<DeploymentRow>> {
  const conditions: RawBuilder<unknown>[] = [sql`d.organization_id = ${organizationId}`];
  if (service !== undefined) conditions.push(sql`d.service = ${service}`);
  if (environment !== undefined) conditions.push(sql`d.environment = ${environment}`);
  if (scrape_job_id !== undefined) conditions.push(sql`d.scrape_job_id = ${scrape_job_id}`);
  if (since !== undefined) conditions.push(sql`d.deployed_at >= ${since}::timestamptz`);
  if (until !== undefined) conditions.push(sql`d.deployed_at < ${until}::timestamptz`);
  const matches = sql<boolean>`${sql.join(conditions, sql` AND `)}`;
  const order = listOrder([
    { column: 'd.deployed_at', isDescending: true },
    { column: 'd.id', isDescending: true },
  ]);
  return readPage(db, selectDeployments(db, organizationId).where(matches), page, order, [
    sql`(SELECT 1 FROM deployments d WHERE ${matches})`,
  ]);
}

export async function findDeployment(
  tx: Tx,
  organizationId: number,
  id: number,
): Promise<DeploymentRow | undefined> {
  return selectDeployments(tx, organizationId).where('d.id', '=', id).executeTakeFirst();
}

/** Service, component, and environment of a report. */
export interface DeploymentTarget {
  service: string;
  /** Empty if the report contains no component. */
  component: string;
  environment: string;
}

/**
 * Makes other reports of the same target wait until the transaction ends, so that two reports can't both
 * create its scrape job. Reports of other targets don't wait.
 */
export async function lockDeploymentTarget(
  tx: Tx,
  organizationId: number,
  { service, component, environment }: DeploymentTarget,
): Promise<void> {
  const place = JSON.stringify([organizationId, service, component, environment]);
  await sql`SELECT pg_advisory_xact_lock(hashtext('pacekeeper deployments'), hashtext(${place}))`.execute(tx);
}

/**
 * Lists the manual scrape jobs of a target whose labels don't contradict the given ones: no label has another
 * value. Jobs with all of the labels come first, then the oldest ones.
 */
export async function listJobsOfTarget(
  db: Database | Tx,
  organizationId: number,
  settings: EnvironmentSettings,
  place: DeploymentTarget,
  labels: Record<string, string>,
): Promise<(LabeledJob & { name: string; labels: Record<string, string> })[]> {
  const { service, component, environment, hasService } = settings;
  const reported = sql`${JSON.stringify(labels)}::jsonb`;
  const { rows } = await sql<LabeledJob & { name: string; labels: Record<string, string> }>`
    SELECT j.id, j.name, j.labels FROM scrape_jobs j
    WHERE j.organization_id = ${organizationId} AND ${hasService} AND ${service} = ${place.service}
      AND ${component} = ${place.component} AND ${environment} = ${place.environment} AND j.parser_type = 'manual'
      AND NOT EXISTS (SELECT FROM jsonb_each_text(${reported}) AS other WHERE j.labels ->> other.key <> other.value)
    ORDER BY j.labels @> ${reported} DESC, j.id LIMIT ${sql.lit(maxListedJobs)}`.execute(db);
  return rows;
}

/** Maximum number of listed jobs. Two show that the labels are ambiguous, and the others are only counted. */
const maxListedJobs = 100;

/**
 * Finds the oldest enabled scrape job of any type that is compared with a gather job, has the same service and
 * environment as a report, and no other value for one of the other labels, such as `cluster`.
 */
export async function findJobWithSameUpstream(
  tx: Tx,
  organizationId: number,
  { service, environment, hasService }: EnvironmentSettings,
  {
    place,
    labels,
    scrapeJobId,
    gatherJobId,
  }: { place: DeploymentTarget; labels: Record<string, string>; scrapeJobId: number; gatherJobId: number },
): Promise<{ id: number; name: string; isManual: boolean } | undefined> {
  const reported = sql`${JSON.stringify(labels)}::jsonb`;
  const { rows } = await sql<{ id: number; name: string; isManual: boolean }>`
    SELECT j.id, j.name, j.parser_type = 'manual' AS "isManual" FROM scrape_jobs j
    WHERE j.organization_id = ${organizationId} AND ${hasService} AND ${service} = ${place.service}
      AND ${environment} = ${place.environment} AND j.is_active AND j.id <> ${scrapeJobId}
      AND NOT EXISTS (SELECT FROM jsonb_each_text(${reported}) AS other WHERE j.labels ->> other.key <> other.value)
      AND EXISTS (
        SELECT FROM alert_configs config
        WHERE config.organization_id = j.organization_id AND config.scrape_job_id = j.id
          AND config.gather_job_id = ${gatherJobId})
    ORDER BY j.id LIMIT 1`.execute(tx);
  return rows[0];
}

interface LockedVersion {
  labels: Record<string, string>;
  /** Time at which the version was deployed. Null if the job has no version. */
  deployed_at: Date | null;
}

/** Locks a scrape job so that no one else can set its version. Returns undefined if it was deleted. */
export async function lockVersion(
  tx: Tx,
  organizationId: number,
  scrapeJobId: number,
): Promise<LockedVersion | undefined> {
  const { rows } = await sql<LockedVersion>`
    SELECT labels, coalesce(latest_deployed_at, latest_version_at) AS deployed_at FROM scrape_jobs
    WHERE organization_id = ${organizationId} AND id = ${scrapeJobId} FOR NO KEY UPDATE`.execute(tx);
  return rows[0];
}

/** Returns the ID of the stored report with the same scrape job, time, and version. */
export async function findSameReport(
  tx: Tx,
  organizationId: number,
  { scrape_job_id, deployed_at, version }: NewDeployment,
): Promise<number | undefined> {
  const { rows } = await sql<{ id: number }>`
    SELECT id FROM deployments
    WHERE organization_id = ${organizationId} AND scrape_job_id = ${scrape_job_id} AND deployed_at = ${deployed_at}
      AND version = ${version}
    ORDER BY id LIMIT 1`.execute(tx);
  return rows[0]?.id;
}

/**
 * Returns the ID of the last report of a scrape job if the new report is a retry of it: the last report is
 * current, arrived in the last five minutes, and is equal to the new one except for its time.
 */
export async function findRetriedReport(
  tx: Tx,
  organizationId: number,
  { scrape_job_id, version, artifact, commit_sha, url, labels }: NewDeployment,
): Promise<number | undefined> {
  const { rows } = await sql<{ id: number }>`
    SELECT d.id FROM (
      SELECT * FROM deployments
      WHERE organization_id = ${organizationId} AND scrape_job_id = ${scrape_job_id}
      ORDER BY deployed_at DESC, id DESC LIMIT 1
    ) AS d
    WHERE ${isCurrent} AND d.version = ${version} AND d.created_at > pacekeeper_now() - interval '5 minutes'
      AND (d.artifact, d.commit_sha, d.url) IS NOT DISTINCT FROM (${artifact}::text, ${commit_sha}::text, ${url}::text)
      AND d.labels = ${JSON.stringify(labels)}::jsonb`.execute(tx);
  return rows[0]?.id;
}

export interface NewDeployment
  extends Pick<DeploymentRow, 'service' | 'environment' | 'version' | 'deployed_at' | 'is_late'>,
    Pick<Schemas['Deployment'], 'artifact' | 'url' | 'labels'> {
  scrape_job_id: number;
  commit_sha: string | null;
  event_key: Buffer | null;
}

/** Returns the deployment that an event has reported, unless its scrape job was deleted. */
export async function findReportOfEvent(
  tx: Tx,
  organizationId: number,
  eventKey: Buffer,
): Promise<(DeploymentRow & { scrape_job_id: number }) | undefined> {
  const row = await selectDeployments(tx, organizationId)
    .where('d.event_key', '=', eventKey)
    .where('d.scrape_job_id', 'is not', null)
    .executeTakeFirst();
  return row as (DeploymentRow & { scrape_job_id: number }) | undefined;
}

export async function insertDeployment(
  tx: Tx,
  organizationId: number,
  { labels, ...values }: NewDeployment,
  actor: Actor,
): Promise<number> {
  const { id } = await tx
    .insertInto('deployments')
    .values({
      organization_id: organizationId,
      ...values,
      labels: JSON.stringify(labels),
      actor_type: actor.type,
      actor_id: actor.id,
      actor_name: actor.name,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

interface ComparingConfig {
  id: number;
  name: string;
  gather_job_id: number;
}

/** Lists the alert configurations of a scrape job, the oldest first. */
export async function listAlertConfigsOfJob(
  tx: Tx,
  organizationId: number,
  scrapeJobId: number,
): Promise<ComparingConfig[]> {
  return tx
    .selectFrom('alert_configs')
    .select(['id', 'name', 'gather_job_id'])
    .where('organization_id', '=', organizationId)
    .where('scrape_job_id', '=', scrapeJobId)
    .orderBy('id')
    .execute();
}

interface Comparison {
  scrape_job_id: number;
  gather_job_id: number;
}

/** True if a report has created an alert configuration for the comparison, and its rule still exists. */
export async function hadAlertConfig(
  tx: Tx,
  organizationId: number,
  { scrape_job_id, gather_job_id }: Comparison,
): Promise<boolean> {
  const row = await tx
    .selectFrom('deployment_comparisons')
    .select('rule_id')
    .where('organization_id', '=', organizationId)
    .where('scrape_job_id', '=', scrape_job_id)
    .where('gather_job_id', '=', gather_job_id)
    .executeTakeFirst();
  return row !== undefined;
}

export async function recordAlertConfig(
  tx: Tx,
  organizationId: number,
  comparison: Comparison & { rule_id: number },
): Promise<void> {
  await tx
    .insertInto('deployment_comparisons')
    .values({ organization_id: organizationId, ...comparison })
    .execute();
}
