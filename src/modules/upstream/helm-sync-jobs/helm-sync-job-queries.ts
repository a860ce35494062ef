import { type RawBuilder, type Selectable, sql } from 'kysely';
import type { Schemas } from '../../../generated/client-api.ts';
import type { DB } from '../../../generated/database.ts';
import type { requestFields } from '../../../generated/request-fields.ts';
import {
  contains,
  type Database,
  type Page,
  type PageRequest,
  readPage,
  sortOrder,
  type Tx,
} from '../../../platform/database/index.ts';
import { hasJobStatus, lastRunOf, type RunJson, waitingForOf } from '../../runs/index.ts';
import { isVisible, organizationsOf, selectVisibleJobs } from '../job-scope.ts';

type HelmSyncJob = Schemas['HelmSyncJob'];

export interface HelmSyncJobRow {
  organization_id: number;
  id: number;
  name: string;
  repository_url: string;
  chart_filter: string[];
  create_gather_jobs: boolean;
  credential_name: string | null;
  cron_expression: string | null;
  cron_timezone: string;
  is_active: boolean;
  waiting_for: HelmSyncJob['waiting_for'];
  next_run_at: Date | null;
  last_run: RunJson | null;
  chart_count: number;
  created_at: Date;
  updated_at: Date;
  revision: number;
}

/** What a job is made of, as it is written. */
export type HelmSyncJobValues = Pick<HelmSyncJobRow, (typeof requestFields)['createHelmSyncJob'][number]>;

const sorts = { created_at: 'jobs.created_at', name: 'lower(jobs.name)' };

function selectJobs(
  db: Database | Tx,
  among: RawBuilder<Selectable<DB['helm_sync_jobs']>> = sql`helm_sync_jobs`,
) {
  return db
    .selectFrom(among.as('jobs'))
    .select([
      'jobs.organization_id',
      'jobs.id',
      'jobs.name',
      'jobs.repository_url',
      'jobs.create_gather_jobs',
    ])
    .select(['jobs.credential_name', 'jobs.cron_expression', 'jobs.cron_timezone', 'jobs.is_active'])
    .select(['jobs.chart_count', 'jobs.created_at', 'jobs.updated_at', 'jobs.revision'])
    .select([
      sql<string[]>`coalesce(jobs.chart_filter, '{}')`.as('chart_filter'),
      sql<Date | null>`nullif(jobs.due_at, 'infinity')`.as('next_run_at'),
      lastRunOf('helm_sync').as('last_run'),
      waitingForOf('helm_sync').as('waiting_for'),
    ]);
}

export interface HelmSyncJobFilters {
  q?: string | undefined;
  scope?: Schemas['Scope'] | undefined;
  status?: string | undefined;
  is_active?: boolean | undefined;
  sort?: string | undefined;
}

/** Own and global ones. */
export async function listHelmSyncJobs(
  db: Database,
  organizationId: number,
  filters: HelmSyncJobFilters,
  page: PageRequest,
): Promise<Page<HelmSyncJobRow>> {
  const { sort = '-created_at', scope } = filters;
  const { found, counted } = selectVisibleJobs(
    'helm_sync_jobs',
    organizationsOf(organizationId, scope),
    (organization) => [matches(organization, filters)],
    sortOrder(sort, { created_at: 'sought.created_at', name: 'lower(sought.name)' }, 'sought.id'),
    page,
  );
  const query = selectJobs(db, found).orderBy(sortOrder(sort, sorts, 'jobs.id'));
  return readPage(db, query, page, counted);
}

function matches(
  organization: RawBuilder<unknown>,
  { q, status, is_active }: HelmSyncJobFilters,
): RawBuilder<unknown> {
  const conditions = [sql`true`];
  if (q !== undefined) conditions.push(contains(`sought.name || ' ' || sought.repository_url`, q));
  if (status !== undefined) conditions.push(hasJobStatus('helm_sync', organization, sql`sought.id`, status));
  if (is_active !== undefined) conditions.push(sql`sought.is_active = ${is_active}`);
  return sql.join(conditions, sql` AND `);
}

/** An own or a global one. */
export async function findHelmSyncJob(
  db: Database | Tx,
  organizationId: number,
  id: number,
): Promise<HelmSyncJobRow | undefined> {
  return selectJobs(db)
    .where(isVisible('jobs.organization_id', organizationId))
    .where('jobs.id', '=', id)
    .executeTakeFirst();
}

/**
 * For a change of the organization's own job: its open run first, like everybody who applies a run, then the job.
 * False when it is gone.
 */
export async function lockHelmSyncJob(
  tx: Tx,
  organizationId: number,
  id: number,
): Promise<{ hasSucceeded: boolean; now: Date } | undefined> {
  await sql`
    SELECT 1 FROM runs
    WHERE organization_id = ${organizationId} AND helm_sync_job_id = ${id} AND status IN ('queued', 'in_progress')
    FOR UPDATE`.execute(tx);
  const { rows } = await sql<{ hasSucceeded: boolean; now: Date }>`
    SELECT last_success_at IS NOT NULL AS "hasSucceeded", pacekeeper_now() AS now FROM helm_sync_jobs
    WHERE organization_id = ${organizationId} AND id = ${id} FOR UPDATE`.execute(tx);
  return rows[0];
}

/** Those of the organization, in ascending order. */
export async function listHelmSyncJobsById(
  tx: Tx,
  organizationId: number,
  ids: readonly number[],
): Promise<HelmSyncJobRow[]> {
  return selectJobs(tx)
    .where('jobs.organization_id', '=', organizationId)
    .where(sql<boolean>`jobs.id = ANY(${ids}::bigint[])`)
    .orderBy('jobs.id')
    .execute();
}

/** @returns The IDs, in the same order. */
export async function insertHelmSyncJobs(
  tx: Tx,
  organizationId: number,
  jobs: readonly HelmSyncJobValues[],
): Promise<{ ids: number[]; now: Date }> {
  const rows = await tx
    .insertInto('helm_sync_jobs')
    .values(jobs.map((values) => ({ organization_id: organizationId, ...values })))
    .returning(['id', 'created_at'])
    .execute();
  // A single statement assigns IDs in the order of its values.
  return { ids: rows.map(({ id }) => id).toSorted((a, b) => a - b), now: rows[0]!.created_at };
}

export async function updateHelmSyncJob(
  tx: Tx,
  organizationId: number,
  id: number,
  values: HelmSyncJobValues & { validators?: null },
): Promise<void> {
  await tx
    .updateTable('helm_sync_jobs')
    .set(values)
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .execute();
}

export async function deleteHelmSyncJob(tx: Tx, organizationId: number, id: number): Promise<void> {
  await tx
    .deleteFrom('helm_sync_jobs')
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .execute();
}
