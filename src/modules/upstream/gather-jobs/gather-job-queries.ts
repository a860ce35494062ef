import { type RawBuilder, type Selectable, sql } from 'kysely';
import { parserVersion } from '../../../domain/versions/versions.ts';
import type { Schemas } from '../../../generated/client-api.ts';
import type { DB } from '../../../generated/database.ts';
import { requestFields } from '../../../generated/request-fields.ts';
import {
  containsWords,
  type Database,
  maxChoices,
  type Page,
  type PageRequest,
  precompileQuery,
  readPage,
  sortOrder,
  type Tx,
} from '../../../platform/database/index.ts';
import {
  countedSinceSql,
  type DerivedPackages,
  type DerivedProduct,
  derivedPackagesSql,
  derivedProductSql,
  type MirrorRow,
  mirrorColumns,
} from '../../monitoring/index.ts';
import {
  hasJobStatus,
  type JobRow,
  jobColumns,
  jobStatusConditions,
  lastRunSql,
  waitingForSql,
} from '../../runs/index.ts';
import { readAliasesToStore } from '../../settings/index.ts';
import { isVisible, managedBy, scopeOf, selectVisibleJobs, visibleOrganizations } from '../job-scope.ts';
import { platformWordsOf } from '../releases/platform-word-queries.ts';
import { gatherJobs, helmSyncJobs } from '../source-jobs.ts';
import { followedScrapeJobId } from './followed-scrape-jobs.ts';
import { resolveIdentity } from './resolve-identity.ts';

type GatherJob = Schemas['GatherJob'];

export type GatherJobRow = Omit<
  JobRow<GatherJob>,
  | 'platform_words'
  | 'purls'
  | 'mirror'
  | 'lifecycle_product_source'
  | 'vulnerability_packages'
  | 'vulnerability_packages_source'
> & {
  organization_id: number;
  purls: string[];
  mirror: MirrorRow | null;
  /** Platform words in the format that `joinPlatformWords` returns. */
  platform_words: string;
  /** Derived product, used if `lifecycle_product` is null. */
  derived_product: DerivedProduct | null;
  /** `null` if the packages are derived. */
  vulnerability_packages: string[] | null;
  /** Derived packages, used if `vulnerability_packages` is null. */
  derived_packages: DerivedPackages | null;
  /** True if the job only names a lifecycle, and the reference data contains its product. */
  has_lifecycle: boolean;
};

/** Fields of a gather job that requests can set. */
export type GatherJobValues = Omit<
  Pick<GatherJobRow, (typeof requestFields)['createGatherJob'][number]>,
  'purls'
> & {
  /** `null` if the package URLs are derived from the source. */
  purls: string[] | null;
};

export type NewGatherJobValues = GatherJobValues & {
  helm_sync_job_id?: number;
  /** The discovery job whose accepted items require the job. */
  discovery_job_id?: number;
};

const sorts = { created_at: 'jobs.created_at', name: 'lower(jobs.name)' };

/**
 * Returns `ofSync` for jobs that a helm sync manages, because the runs of the sync store their releases, and `own` for
 * all others.
 */
function ofManagingSync<T>(own: RawBuilder<T>, ofSync: RawBuilder<T>): RawBuilder<T> {
  return sql<T>`CASE WHEN jobs.helm_sync_job_id IS NULL THEN ${own} ELSE (
    SELECT of_sync.value
    FROM (SELECT jobs.organization_id, jobs.helm_sync_job_id) AS fed (organization_id, helm_sync_job_id), LATERAL (
      SELECT ${ofSync} AS value FROM helm_sync_jobs AS jobs
      WHERE jobs.organization_id = fed.organization_id AND jobs.id = fed.helm_sync_job_id
    ) AS of_sync) END`;
}

function selectJobs(db: Database | Tx, among: RawBuilder<Selectable<DB['gather_jobs']>> = sql`gather_jobs`) {
  return db
    .selectFrom(among.as('jobs'))
    .select(jobColumns(requestFields.createGatherJob))
    .select(['jobs.organization_id', 'jobs.helm_sync_job_id', 'jobs.release_count', 'jobs.platform_words'])
    .select(managedBy)
    .select([
      'jobs.mirror_of',
      'jobs.purls_source',
      'jobs.project_url_source',
      derivedProductSql('jobs').as('derived_product'),
    ])
    .select(
      sql<MirrorRow | null>`CASE WHEN jobs.mirror_of IS NULL THEN (
        SELECT ${mirrorColumns(sql`m.latest_version`)} FROM gather_jobs AS m
        WHERE m.organization_id = jobs.organization_id AND m.mirror_of IS NOT NULL
          AND repository_address(m.mirror_of) = repository_address(jobs.artifact_name)
        ORDER BY m.id LIMIT 1) END`.as('mirror'),
    )
    .select([derivedPackagesSql('jobs').as('derived_packages'), hasLifecycle('jobs').as('has_lifecycle')])
    .select([
      'jobs.latest_version',
      'jobs.latest_stable_version',
      'jobs.latest_released_at',
      'jobs.is_archived',
      'jobs.is_deprecated',
      'jobs.list_completeness',
    ])
    .select([
      ofManagingSync(waitingForSql(gatherJobs), waitingForSql(helmSyncJobs)).as('waiting_for'),
      ofManagingSync<Date | null>(
        sql`nullif(jobs.due_at, 'infinity')`,
        sql`nullif(jobs.due_at, 'infinity')`,
      ).as('next_run_at'),
      ofManagingSync(lastRunSql(gatherJobs), lastRunSql(helmSyncJobs)).as('last_run'),
    ])
    .$narrowType<
      Pick<
        GatherJob,
        | 'source_type'
        | 'source_options'
        | 'version_scheme'
        | 'version_of'
        | 'list_completeness'
        | 'purls_source'
        | 'project_url_source'
      >
    >();
}

/** True if a job only names a lifecycle, and the reference data contains its product. */
function hasLifecycle(job: string): RawBuilder<boolean> {
  const product = sql.ref(`${job}.lifecycle_product`);
  return sql<boolean>`${sql.ref(`${job}.source_type`)} = 'lifecycle' AND EXISTS (
    SELECT FROM lifecycle_products WHERE organization_id = 1 AND name = ${product})`;
}

export interface GatherJobFilters {
  q?: string | undefined;
  scope?: Schemas['Scope'] | undefined;
  status?: string | undefined;
  is_active?: boolean | undefined;
  source_type?: string | undefined;
  helm_sync_job_id?: number | undefined;
  sort?: string | undefined;
}

/** Lists the jobs of the organization and the global jobs. */
export async function listGatherJobs(
  db: Database,
  organizationId: number,
  filters: GatherJobFilters,
  page: PageRequest,
): Promise<Page<GatherJobRow>> {
  const { sort = '-created_at', scope } = filters;
  const { found, counted } = selectVisibleJobs(
    'gather_jobs',
    visibleOrganizations(organizationId, scope),
    (organization) => matches(organization, filters),
    sortOrder(sort, { created_at: 'sought.created_at', name: 'lower(sought.name)' }, 'sought.id'),
    page,
  );
  const order = sortOrder(sort, sorts, 'jobs.id');
  return readPage(db, selectJobs(db, found), page, order, counted);
}

/**
 * Returns the conditions of the filters. A job matches if one of the conditions is true. A status filter uses
 * the status of the job itself, or the status of the helm sync for jobs that a sync manages.
 */
function matches(organization: RawBuilder<unknown>, filters: GatherJobFilters): RawBuilder<unknown>[] {
  const { q, status, is_active, source_type, helm_sync_job_id } = filters;
  const conditions = [sql`true`];
  if (q !== undefined) conditions.push(containsWords(['sought.name', 'sought.artifact_name'], q));
  if (is_active !== undefined) conditions.push(is_active ? sql`sought.is_active` : sql`NOT sought.is_active`);
  if (source_type !== undefined) conditions.push(sql`sought.source_type = ${source_type}`);
  if (helm_sync_job_id !== undefined) conditions.push(sql`sought.helm_sync_job_id = ${helm_sync_job_id}`);
  const matching = sql.join(conditions, sql` AND `);
  if (status === undefined) return [matching];
  return [
    ...ownStatusConditions(organization, status).map(
      (hasStatus) => sql`${matching} AND sought.helm_sync_job_id IS NULL AND ${hasStatus}`,
    ),
    sql`${matching} AND sought.helm_sync_job_id IN (
        SELECT syncs.id FROM helm_sync_jobs AS syncs
        WHERE syncs.organization_id = ${organization} AND ${hasJobStatus(helmSyncJobs, organization, 'syncs', status)})`,
  ];
}

/**
 * Returns the status conditions for jobs that no sync manages. A job without runs is completed when it has the releases
 * of a scrape job or the lifecycle of a product. The conditions are separate, because each has its own index.
 */
function ownStatusConditions(organization: RawBuilder<unknown>, status: string): RawBuilder<boolean>[] {
  const byRun = jobStatusConditions(gatherJobs, organization, 'sought', status);
  const filled = [
    sql<boolean>`sought.scrape_job_id IS NOT NULL AND sought.release_count > 0`,
    hasLifecycle('sought'),
  ];
  if (status === 'completed')
    return [
      ...byRun,
      ...byRun.flatMap((hasStatus) => filled.map((is) => sql<boolean>`${is} AND NOT (${hasStatus})`)),
    ];
  const isFilled = sql.join(filled, sql` OR `);
  if (status === 'pending') return byRun.map((hasStatus) => sql<boolean>`${hasStatus} AND NOT (${isFilled})`);
  return byRun;
}

/** Lists the jobs of the organization by name, including disabled ones. */
export async function listGatherJobChoices(
  db: Database,
  organizationId: number,
): Promise<Schemas['GatherJobDropdownItem'][]> {
  const rows = await db
    .selectFrom('gather_jobs')
    .select(['id', 'name', 'artifact_name', 'latest_version'])
    .select(sql<GatherJob['source_type']>`source_type`.as('source_type'))
    .where('organization_id', '=', organizationId)
    .orderBy(sql`lower(name)`)
    .orderBy('id')
    .limit(sql.lit(maxChoices))
    .execute();
  return rows.map((row) => ({ ...row, scope: scopeOf(organizationId) }));
}

/** Finds a job of the organization or a global job. */
export async function findGatherJob(
  db: Database | Tx,
  organizationId: number,
  id: number,
): Promise<GatherJobRow | undefined> {
  return selectJobs(db)
    .where(isVisible('jobs.organization_id', organizationId))
    .where('jobs.id', '=', id)
    .executeTakeFirst();
}

/** Lists the jobs of the organization that have these IDs, in ascending order of ID. */
export async function listGatherJobsById(
  tx: Tx,
  organizationId: number,
  ids: readonly number[],
): Promise<GatherJobRow[]> {
  return selectJobs(tx)
    .where('jobs.organization_id', '=', organizationId)
    .where(sql<boolean>`jobs.id = ANY(${ids}::bigint[])`)
    .orderBy('jobs.id')
    .execute();
}

const readCreated = precompileQuery((db) => selectJobs(db, sql`created`).orderBy('jobs.id'));

/** @returns The created rows, in the order of `jobs`. */
export async function insertGatherJobs(
  tx: Tx,
  organizationId: number,
  jobs: readonly NewGatherJobValues[],
): Promise<GatherJobRow[]> {
  const aliases = await readAliasesToStore(tx, organizationId);
  const insert = tx
    .with('own', (db) => db.selectNoFrom(platformWordsOf(organizationId).as('platform_words')))
    .insertInto('gather_jobs')
    .values((values) =>
      jobs.map((job) => ({
        organization_id: organizationId,
        ...job,
        ...resolveIdentity(job, aliases),
        source_options: JSON.stringify(job.source_options),
        counted_since: sql<
          Date[]
        >`array_fill(pacekeeper_now(), ARRAY[${job.counted_versions.length}::integer])`,
        version_reading: parserVersion,
        platform_words: values.selectFrom('own').select('platform_words'),
        scrape_job_id: followedScrapeJobId(job),
      })),
    )
    .returningAll();
  // A single statement assigns IDs in the order of its values.
  const { rows } = await sql<GatherJobRow>`
    WITH created AS (${insert}) ${readCreated()}`.execute(tx);
  return rows;
}

export async function updateGatherJob(
  tx: Tx,
  organizationId: number,
  before: GatherJobRow,
  values: GatherJobValues,
): Promise<void> {
  const aliases = await readAliasesToStore(tx, organizationId);
  await tx
    .updateTable('gather_jobs')
    .set({
      ...values,
      ...resolveIdentity(values, aliases, before),
      source_options: JSON.stringify(values.source_options),
      counted_since: countedSinceSql(values.counted_versions),
      // Reset these states, because they describe the previous repository.
      ...((values.source_type !== before.source_type || values.artifact_name !== before.artifact_name) && {
        is_archived: null,
        archived_checked_at: null,
        is_deprecated: null,
        list_completeness: null,
        list_incomplete_since: null,
      }),
    })
    .where('organization_id', '=', organizationId)
    .where('id', '=', before.id)
    .execute();
}

/** Clears the validators of a job, so that its next request is unconditional and reads the complete list. */
export async function dropValidators(tx: Tx, organizationId: number, id: number): Promise<void> {
  await sql`
    UPDATE gather_jobs SET validators = NULL, last_full_at = NULL
    WHERE organization_id = ${organizationId} AND id = ${id}`.execute(tx);
}

export async function deleteGatherJobs(
  tx: Tx,
  organizationId: number,
  ids: readonly number[],
): Promise<void> {
  await sql`
    UPDATE helm_charts SET gather_job_id = NULL
    WHERE organization_id = ${organizationId} AND gather_job_id = ANY(${[...ids]}::bigint[])`.execute(tx);
  await sql`
    DELETE FROM gather_jobs WHERE organization_id = ${organizationId} AND id = ANY(${[...ids]}::bigint[])`.execute(
    tx,
  );
}

/**
 * Finds the alert configurations that use these jobs: the IDs of those in the jobs' organization, in
 * ascending order, and whether other organizations have any.
 */
export async function findConfigsUsingGatherJobs(
  tx: Tx,
  organizationId: number,
  ids: readonly number[],
): Promise<{ ownConfigIds: number[]; isUsedByOthers: boolean; usedJobIds: Set<number> }> {
  const { rows } = await sql<{ organization_id: number; id: number; gather_job_id: number }>`
    SELECT organization_id, id, gather_job_id FROM alert_configs
    WHERE gather_organization_id = ${organizationId} AND gather_job_id = ANY(${[...ids]}::bigint[])
    ORDER BY organization_id, id`.execute(tx);
  return {
    ownConfigIds: rows.filter((row) => row.organization_id === organizationId).map((row) => row.id),
    isUsedByOthers: rows.some((row) => row.organization_id !== organizationId),
    usedJobIds: new Set(rows.map((row) => row.gather_job_id)),
  };
}
