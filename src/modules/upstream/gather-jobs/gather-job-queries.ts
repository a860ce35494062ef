import { type RawBuilder, type Selectable, sql } from 'kysely';
import { versionReading } from '../../../domain/versions/versions.ts';
import type { Schemas } from '../../../generated/client-api.ts';
import type { DB } from '../../../generated/database.ts';
import type { requestFields } from '../../../generated/request-fields.ts';
import {
  contains,
  type Database,
  maxChoices,
  type Page,
  type PageRequest,
  readPage,
  sortOrder,
  type Tx,
} from '../../../platform/database/index.ts';
import { hasJobStatus, lastRunOf, type RunJson, waitingForOf } from '../../runs/index.ts';
import { isVisible, organizationsOf, scopeOf, selectVisibleJobs } from '../job-scope.ts';

type GatherJob = Schemas['GatherJob'];

export interface GatherJobRow {
  organization_id: number;
  id: number;
  name: string;
  source_type: GatherJob['source_type'];
  artifact_name: string;
  source_options: GatherJob['source_options'];
  version_scheme: GatherJob['version_scheme'];
  version_pattern: string | null;
  include_prereleases: boolean;
  max_releases: number | null;
  credential_name: string | null;
  cron_expression: string | null;
  cron_timezone: string;
  is_active: boolean;
  helm_sync_job_id: number | null;
  waiting_for: GatherJob['waiting_for'];
  next_run_at: Date | null;
  last_run: RunJson | null;
  release_count: number;
  latest_version: string | null;
  latest_stable_version: string | null;
  latest_released_at: Date | null;
  created_at: Date;
  updated_at: Date;
  revision: number;
}

/** What a job is made of, as it is written. */
export type GatherJobValues = Pick<GatherJobRow, (typeof requestFields)['createGatherJob'][number]>;

const sorts = { created_at: 'jobs.created_at', name: 'lower(jobs.name)' };

/** What a helm sync feeds has the runs of the sync: they are what fills it. */
function ofFeeder<T>(own: RawBuilder<T>, ofSync: RawBuilder<T>): RawBuilder<T> {
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
    .select(['jobs.organization_id', 'jobs.id', 'jobs.name', 'jobs.artifact_name', 'jobs.version_pattern'])
    .select(['jobs.include_prereleases', 'jobs.max_releases', 'jobs.credential_name', 'jobs.cron_expression'])
    .select(['jobs.cron_timezone', 'jobs.is_active', 'jobs.helm_sync_job_id', 'jobs.release_count'])
    .select(['jobs.latest_version', 'jobs.latest_stable_version', 'jobs.latest_released_at'])
    .select(['jobs.created_at', 'jobs.updated_at', 'jobs.revision'])
    .select([
      sql<GatherJob['source_type']>`jobs.source_type`.as('source_type'),
      sql<GatherJob['source_options']>`jobs.source_options`.as('source_options'),
      sql<GatherJob['version_scheme']>`jobs.version_scheme`.as('version_scheme'),
      ofFeeder(waitingForOf('gather'), waitingForOf('helm_sync')).as('waiting_for'),
      ofFeeder<Date | null>(sql`nullif(jobs.due_at, 'infinity')`, sql`nullif(jobs.due_at, 'infinity')`).as(
        'next_run_at',
      ),
      ofFeeder(lastRunOf('gather'), lastRunOf('helm_sync')).as('last_run'),
    ]);
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

/** Own and global ones. */
export async function listGatherJobs(
  db: Database,
  organizationId: number,
  filters: GatherJobFilters,
  page: PageRequest,
): Promise<Page<GatherJobRow>> {
  const { sort = '-created_at', scope } = filters;
  const { found, counted } = selectVisibleJobs(
    'gather_jobs',
    organizationsOf(organizationId, scope),
    (organization) => matches(organization, filters),
    sortOrder(sort, { created_at: 'sought.created_at', name: 'lower(sought.name)' }, 'sought.id'),
    page,
  );
  const query = selectJobs(db, found).orderBy(sortOrder(sort, sorts, 'jobs.id'));
  return readPage(db, query, page, counted);
}

/** With a state asked for: those with runs of their own, and those that a sync feeds, whose state is that of the sync. */
function matches(organization: RawBuilder<unknown>, filters: GatherJobFilters): RawBuilder<unknown>[] {
  const { q, status, is_active, source_type, helm_sync_job_id } = filters;
  const conditions = [sql`true`];
  if (q !== undefined) conditions.push(contains(`sought.name || ' ' || sought.artifact_name`, q));
  if (is_active !== undefined) conditions.push(is_active ? sql`sought.is_active` : sql`NOT sought.is_active`);
  if (source_type !== undefined) conditions.push(sql`sought.source_type = ${source_type}`);
  if (helm_sync_job_id !== undefined) conditions.push(sql`sought.helm_sync_job_id = ${helm_sync_job_id}`);
  const matching = sql.join(conditions, sql` AND `);
  if (status === undefined) return [matching];
  return [
    sql`${matching} AND sought.helm_sync_job_id IS NULL
      AND ${hasJobStatus('gather', organization, sql`sought.id`, status)}`,
    sql`${matching} AND sought.helm_sync_job_id IS NOT NULL
      AND ${hasJobStatus('helm_sync', organization, sql`sought.helm_sync_job_id`, status)}`,
  ];
}

/** By name; inactive ones included. */
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

/** An own or a global one. */
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

/**
 * For a change of the organization's own job: its open run first, like everybody who applies a run, then the job. Who
 * makes a configuration that uses it meanwhile does not wait, unless the job is to be deleted.
 */
export async function lockGatherJob(
  tx: Tx,
  organizationId: number,
  id: number,
  { toDelete = false } = {},
): Promise<{ isInProgress: boolean; hasSucceeded: boolean; now: Date } | undefined> {
  const { rows: runs } = await sql<{ status: string }>`
    SELECT status FROM runs
    WHERE organization_id = ${organizationId} AND gather_job_id = ${id} AND status IN ('queued', 'in_progress')
    FOR UPDATE`.execute(tx);
  const { rows } = await sql<{ has_succeeded: boolean; now: Date }>`
    SELECT last_success_at IS NOT NULL AS has_succeeded, pacekeeper_now() AS now FROM gather_jobs
    WHERE organization_id = ${organizationId} AND id = ${id}
    ${toDelete ? sql`FOR UPDATE` : sql`FOR NO KEY UPDATE`}`.execute(tx);
  const [row] = rows;
  return (
    row && {
      isInProgress: runs.some((run) => run.status === 'in_progress'),
      hasSucceeded: row.has_succeeded,
      now: row.now,
    }
  );
}

/** Those of the organization, in ascending order. */
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

/** @returns The IDs, in the same order. */
export async function insertGatherJobs(
  tx: Tx,
  organizationId: number,
  jobs: readonly (GatherJobValues & { helm_sync_job_id?: number })[],
): Promise<{ ids: number[]; now: Date }> {
  const rows = await tx
    .insertInto('gather_jobs')
    .values(
      jobs.map((values) => ({
        organization_id: organizationId,
        ...values,
        source_options: JSON.stringify(values.source_options),
        version_reading: versionReading,
      })),
    )
    .returning(['id', 'created_at'])
    .execute();
  // A single statement assigns IDs in the order of its values.
  return { ids: rows.map(({ id }) => id).toSorted((a, b) => a - b), now: rows[0]!.created_at };
}

export async function updateGatherJob(
  tx: Tx,
  organizationId: number,
  id: number,
  values: GatherJobValues,
): Promise<void> {
  await tx
    .updateTable('gather_jobs')
    .set({ ...values, source_options: JSON.stringify(values.source_options) })
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .execute();
}

/** The next request asks without condition, and for the whole list. */
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

/** Configurations that use these jobs: those of the jobs' organization by ascending id, and whether others have some. */
export async function findUsersOfGatherJobs(
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
