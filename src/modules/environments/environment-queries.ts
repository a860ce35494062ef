import { type RawBuilder, sql } from 'kysely';
import type { CurrentVersion } from '../../domain/environments/current-relations.ts';
import type { FirstSeen } from '../../domain/environments/promotions.ts';
import type { DeployedJob } from '../../domain/environments/service-cells.ts';
import type { Schemas } from '../../generated/client-api.ts';
import {
  containsWords,
  type Database,
  listOrder,
  type Page,
  type PageRequest,
  readPage,
} from '../../platform/database/index.ts';
import { hasLabel } from '../counts/index.ts';
import type { EnvironmentSettings } from './environment-settings.ts';

/** A row of the matrix. */
export interface ServiceKey {
  service: string;
  /** Empty for a service without components. */
  component: string;
}

export interface ServiceFilters {
  q?: string | undefined;
  /** Label of a scrape job, in the format `key=value`. */
  label?: string | undefined;
  service?: string | undefined;
}

/** Maximum number of changes compared for one job, newest first. */
const maxChanges = 2_000;
const minChanges = 20;

export interface EnvironmentNames {
  /** Names in alphabetical order. */
  names: readonly string[];
  /** False if there are more environments than the limit of the installation. */
  isComplete: boolean;
}

/**
 * Lists the names of the environments that have a service, up to the limit of the installation. Uses one index lookup
 * per environment.
 */
export async function listEnvironments(
  db: Database,
  organizationId: number,
  settings: EnvironmentSettings,
): Promise<EnvironmentNames> {
  const { environment, maxEnvironments } = settings;
  const next = (above: RawBuilder<unknown>) => sql`(
    SELECT ${environment} AS name FROM scrape_jobs j
    WHERE ${isOfService(organizationId, settings)} ${above}
    ORDER BY ${environment} LIMIT 1)`;
  const { rows } = await sql<{ name: string }>`
    WITH RECURSIVE environments AS (
      SELECT name, 1 AS place FROM ${next(sql``)} AS lowest
      UNION ALL
      SELECT higher.name, environments.place + 1
      FROM environments CROSS JOIN LATERAL ${next(sql`AND ${environment} > environments.name`)} AS higher
      WHERE environments.place <= ${sql.lit(maxEnvironments)}
    )
    SELECT name FROM environments`.execute(db);
  const names = rows.slice(0, maxEnvironments).map(({ name }) => name);
  return { names, isComplete: rows.length === names.length };
}

/** Lists the services and components of active scrape jobs, sorted by name. */
export async function listServices(
  db: Database,
  organizationId: number,
  settings: EnvironmentSettings,
  filters: ServiceFilters,
  page: PageRequest,
): Promise<Page<ServiceKey>> {
  const { service, component } = settings;
  const matching = db
    .selectFrom('scrape_jobs as j')
    .select([service.as('service'), component.as('component')])
    .where(isOfService(organizationId, settings, filters))
    .$if(filters.label !== undefined, (query) => query.where(hasLabel('j.labels', filters.label!)))
    .distinct();
  // Select the page from the materialized rows, because counting reads all matching services anyway.
  const services = db
    .with(
      (cte) => cte('matching').materialized(),
      () => matching,
    )
    .selectFrom('matching')
    .select(['service', 'component']);
  const order = listOrder([
    { column: 'service', isDescending: false },
    { column: 'component', isDescending: false },
  ]);
  return readPage(db, services, page, order, [sql`matching`], [matching]);
}

/** The two environments of a promotion. If one of them is omitted, any environment matches. */
export interface PromotionEnvironments {
  from?: string | undefined;
  to?: string | undefined;
}

/**
 * Lists services whose versions can be promoted, sorted by name: those in the given environments, or in at least two
 * environments if none are given.
 *
 * @param environments in the order in which versions are deployed
 */
export async function listPromotedServices(
  db: Database,
  organizationId: number,
  settings: EnvironmentSettings,
  filters: Pick<ServiceFilters, 'q' | 'service'>,
  {
    environments,
    from,
    to,
    limit,
  }: PromotionEnvironments & { environments: readonly string[]; limit: number },
): Promise<ServiceKey[]> {
  if (to !== undefined && !environments.includes(to)) return [];
  const { service, component, environment } = settings;
  const hasOneOf = (names: readonly string[]) => sql`bool_or(${environment} = ANY(${[...names]}::text[]))`;
  const isPromoted =
    from !== undefined
      ? to !== undefined
        ? hasOneOf([from])
        : sql`${hasOneOf([from])} AND ${hasOneOf(environments.slice(environments.indexOf(from) + 1))}`
      : to !== undefined
        ? hasOneOf(environments.slice(0, environments.indexOf(to)))
        : sql`min(${environment}) <> max(${environment})`;
  const { rows } = await sql<ServiceKey>`
    SELECT ${service} AS service, ${component} AS component
    FROM scrape_jobs j
    WHERE ${isOfService(organizationId, settings, filters)} AND j.latest_version IS NOT NULL
      AND ${environment} = ANY(${[...environments]}::text[])
    GROUP BY 1, 2
    HAVING ${isPromoted}
    ORDER BY 1, 2
    LIMIT ${sql.lit(limit)}`.execute(db);
  return rows;
}

/** A service that can have drift, and its versions in all environments. */
export interface DifferingService extends ServiceKey {
  versions: CurrentVersion[];
}

/**
 * Lists services that can have drift, sorted by name: those whose version strings differ, or that have no version in a
 * required environment. Reads the scrape jobs once in index order and groups them, which is faster than comparing all
 * services to find a few.
 */
export async function listDifferingServices(
  db: Database,
  organizationId: number,
  settings: EnvironmentSettings,
  { label, ...filters }: ServiceFilters,
  { required, limit }: { required: readonly string[]; limit: number },
): Promise<DifferingService[]> {
  const { service, component, environment } = settings;
  const place = sql`array_position(${[...required]}::text[], ${environment}) - 1`;
  const found = sql`coalesce(bit_or(1::bigint << (${place})) FILTER (WHERE j.latest_version IS NOT NULL), 0)`;
  const all = String((1n << BigInt(required.length)) - 1n);
  const lacksOne = required.length === 0 ? sql`` : sql`OR ${found} <> ${all}::bigint`;
  const isLabeled = label === undefined ? sql`` : sql`AND bool_or(${hasLabel('j.labels', label)})`;
  const { rows } = await sql<ServiceKey & { environments: string[]; versions: (string | null)[] }>`
    SELECT service, component, to_json(environments) AS environments, to_json(versions) AS versions
    FROM (
      SELECT ${service} AS service, ${component} AS component,
        array_agg(${environment}) AS environments, array_agg(j.latest_version) AS versions
      FROM scrape_jobs j
      WHERE ${isOfService(organizationId, settings, filters)}
      GROUP BY 1, 2
      HAVING (min(j.latest_version COLLATE "C") <> max(j.latest_version COLLATE "C") ${lacksOne}) ${isLabeled}
      ORDER BY 1, 2
      LIMIT ${sql.lit(limit)}
    ) AS differing`.execute(db);
  return rows.map(({ environments, versions, ...key }) => ({
    ...key,
    versions: versions.flatMap((version, index) =>
      version === null ? [] : [{ version, environment: environments[index]! }],
    ),
  }));
}

/** Condition for `scrape_jobs j`: true if the job is active, is in the matrix, and matches the filters. */
function isOfService(
  organizationId: number,
  { service, component, hasService, hasEnvironment }: EnvironmentSettings,
  filters: Omit<ServiceFilters, 'label'> = {},
): RawBuilder<boolean> {
  const conditions = [
    sql`j.organization_id = ${organizationId} AND ${hasService} AND ${hasEnvironment} AND j.is_active`,
  ];
  if (filters.service !== undefined) conditions.push(sql`${service} = ${filters.service}`);
  if (filters.q !== undefined) conditions.push(containsWords([service, component], filters.q));
  return sql<boolean>`${sql.join(conditions, sql` AND `)}`;
}

export interface DeployedServiceJob extends DeployedJob, ServiceKey {
  /** True if the version is set manually. New versions of such jobs are known without delay. */
  isManual: boolean;
  /** Schedule of the job or of the discovery job that feeds it. */
  schedule: string | null;
}

export interface ServiceJobs {
  jobs: readonly DeployedServiceJob[];
  /** False if the service has more jobs than the limit. */
  isComplete: boolean;
}

/**
 * Lists the active jobs that have a version, for each service that has such jobs.
 *
 * @param maxJobs Maximum number of jobs of a service.
 * @returns The jobs by `serviceKey`, in the order of the services.
 */
export async function listJobsOfServices(
  db: Database,
  organizationId: number,
  { service, component, environment, hasService }: EnvironmentSettings,
  services: readonly ServiceKey[],
  environments: readonly string[],
  maxJobs: number,
): Promise<ReadonlyMap<string, ServiceJobs>> {
  if (services.length === 0) return new Map();
  const { rows } = await sql<DeployedServiceJob>`
    SELECT job.id AS "scrapeJobId", page.service, page.component, job.environment, job.version,
      job.parser_type = 'manual' AS "isManual",
      CASE WHEN job.discovery_job_id IS NULL THEN job.cron_expression ELSE (
        SELECT cron_expression FROM discovery_jobs d
        WHERE d.organization_id = ${organizationId} AND d.id = job.discovery_job_id) END AS schedule,
      ${inMs(sql`coalesce((
        SELECT v.created_at FROM versions v
        WHERE v.organization_id = ${organizationId} AND v.scrape_job_id = job.id AND v.is_change
        ORDER BY v.id DESC LIMIT 1), job.latest_version_at)`)} AS "sinceMs"
    FROM unnest(${services.map((row) => row.service)}::text[], ${services.map((row) => row.component)}::text[])
      WITH ORDINALITY AS page (service, component, place)
    -- Because of the limit, PostgreSQL looks up the jobs of each service instead of joining all of them.
    CROSS JOIN LATERAL (
      SELECT j.id, ${environment} AS environment, j.latest_version AS version, j.latest_version_at, j.parser_type,
        j.discovery_job_id, j.cron_expression
      FROM scrape_jobs j
      WHERE j.organization_id = ${organizationId} AND ${hasService}
        AND ${service} = page.service COLLATE "C" AND ${component} = page.component COLLATE "C"
        AND ${environment} = ANY(${[...environments]}::text[]) AND j.is_active AND j.latest_version IS NOT NULL
      LIMIT ${sql.lit(maxJobs + 1)}
    ) AS job
    ORDER BY page.place, job.id`.execute(db);
  return new Map(
    [...Map.groupBy(rows, serviceKey)].map(([key, jobs]) => [
      key,
      { jobs: jobs.slice(0, maxJobs), isComplete: jobs.length <= maxJobs },
    ]),
  );
}

/** Returns a key that is unambiguous, because labels can't contain NUL. */
export function serviceKey({ service, component }: ServiceKey): string {
  return `${service}\0${component}`;
}

/**
 * Returns the version changes of each job, newest first.
 * @param maxRows maximum number of rows, divided equally among the jobs
 */
export async function listChanges(
  db: Database,
  organizationId: number,
  scrapeJobIds: readonly number[],
  maxRows: number,
): Promise<Map<number, FirstSeen[]>> {
  if (scrapeJobIds.length === 0) return new Map();
  const share = Math.floor(maxRows / scrapeJobIds.length);
  const limit = Math.max(minChanges, Math.min(share, maxChanges));
  const { rows } = await sql<{ id: number; versions: string[]; times: number[] }>`
    SELECT given.id, job.versions, job.times
    FROM unnest(${[...scrapeJobIds]}::bigint[]) AS given (id)
    CROSS JOIN LATERAL (
      SELECT json_agg(change.version) AS versions, json_agg(change.at_ms) AS times
      FROM (
        SELECT v.version, ${inMs(sql`v.created_at`)} AS at_ms FROM versions v
        WHERE v.organization_id = ${organizationId} AND v.scrape_job_id = given.id AND v.is_change
        ORDER BY v.id DESC LIMIT ${limit}::integer
      ) AS change
    ) AS job
    WHERE job.versions IS NOT NULL`.execute(db);
  return new Map(
    rows.map(({ id, versions, times }) => [
      id,
      versions.map((version, index) => ({
        version,
        atMs: times[index]!,
        // The versions are sorted newest first. If the list is complete, the last one is the oldest stored
        // version, whose start wasn't observed.
        isUnobserved: index === versions.length - 1 && versions.length < limit,
      })),
    ]),
  );
}

/**
 * Converts a time to whole milliseconds, the precision of all stored times. `date_part` computes in double precision,
 * while `extract` returns the slower `numeric`.
 */
function inMs(time: RawBuilder<unknown>): RawBuilder<number> {
  return sql<number>`round(date_part('epoch', ${time}) * 1000)`;
}

export interface CellConfig {
  scrape_job_id: number;
  id: number;
  state: Schemas['AlertConfigState'];
  severity: 'moderate' | 'high' | 'critical' | null;
  /** True if the configuration compares with another environment, false if with an upstream artifact. */
  is_drift: boolean;
  latest_version: string | null;
  /** Null if unknown, such as before the freshness of the deployed version is measured. */
  releases_behind: number | null;
  days_behind: number | null;
}

/** Lists the active alert configurations that compare these jobs, least severe and least behind first. */
export async function listCellConfigs(
  db: Database,
  organizationId: number,
  scrapeJobIds: readonly number[],
): Promise<CellConfig[]> {
  if (scrapeJobIds.length === 0) return [];
  // If newer releases might be missing from the list, a count of zero is returned as unknown.
  const { rows } = await sql<CellConfig>`
    SELECT c.scrape_job_id, c.id, c.state, c.severity, g.source_type = 'deployed_versions' AS is_drift,
      coalesce(t.latest_version, c.latest_stable_version, c.latest_version) AS latest_version,
      CASE WHEN t.releases > 0 OR NOT t.is_lower_bound THEN t.releases END AS releases_behind,
      floor(date_part('epoch', pacekeeper_now() - t.exposed_since) / 86400)::int AS days_behind
    FROM alert_configs c
    JOIN gather_jobs g ON g.organization_id = c.gather_organization_id AND g.id = c.gather_job_id
    LEFT JOIN freshness_things t ON t.organization_id = c.organization_id AND t.alert_config_id = c.id
      AND t.deployed_version = c.deployed_version
    WHERE c.organization_id = ${organizationId} AND c.scrape_job_id = ANY(${[...scrapeJobIds]}::bigint[])
      AND (c.is_active OR g.source_type = 'deployed_versions')
    ORDER BY coalesce(array_position(ARRAY['moderate', 'high', 'critical'], c.severity), 0),
      t.releases NULLS FIRST, c.id DESC`.execute(db);
  return rows;
}
