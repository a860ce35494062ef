import { type RawBuilder, type Selectable, sql } from 'kysely';
import type { Schemas } from '../../../generated/client-api.ts';
import type { DB } from '../../../generated/database.ts';
import { requestFields } from '../../../generated/request-fields.ts';
import {
  containsWords,
  type Database,
  defineTable,
  type Page,
  type PageRequest,
  readPage,
  sortOrder,
  type Tx,
} from '../../../platform/database/index.ts';
import { hasJobStatus, type JobRow, jobColumns, jobStateColumns } from '../../runs/index.ts';
import { isVisible, managedBy, selectVisibleJobs, visibleOrganizations } from '../job-scope.ts';
import { helmSyncJobs } from '../source-jobs.ts';

type HelmSyncJob = Schemas['HelmSyncJob'];

export type HelmSyncJobRow = JobRow<HelmSyncJob> & { organization_id: number };

/** Fields of a helm sync job that requests can set. */
export type HelmSyncJobValues = Pick<HelmSyncJobRow, (typeof requestFields)['createHelmSyncJob'][number]>;

const sorts = { created_at: 'jobs.created_at', name: 'lower(jobs.name)' };

function selectJobs(
  db: Database | Tx,
  among: RawBuilder<Selectable<DB['helm_sync_jobs']>> = sql`helm_sync_jobs`,
) {
  return db
    .selectFrom(among.as('jobs'))
    .select(jobColumns(requestFields.createHelmSyncJob.filter((field) => field !== 'chart_filter')))
    .select(['jobs.organization_id', 'jobs.chart_count'])
    .select(managedBy)
    .select(sql<string[]>`coalesce(jobs.chart_filter, '{}')`.as('chart_filter'))
    .select(jobStateColumns(helmSyncJobs));
}

export const {
  listById: listHelmSyncJobsById,
  update: updateHelmSyncJob,
  delete: deleteHelmSyncJob,
} = defineTable('helm_sync_jobs', (db) => selectJobs(db));

export interface HelmSyncJobFilters {
  q?: string | undefined;
  scope?: Schemas['Scope'] | undefined;
  status?: string | undefined;
  is_active?: boolean | undefined;
  sort?: string | undefined;
}

/** Lists the jobs of the organization and the global jobs. */
export async function listHelmSyncJobs(
  db: Database,
  organizationId: number,
  filters: HelmSyncJobFilters,
  page: PageRequest,
): Promise<Page<HelmSyncJobRow>> {
  const { sort = '-created_at', scope } = filters;
  const { found, counted } = selectVisibleJobs(
    'helm_sync_jobs',
    visibleOrganizations(organizationId, scope),
    (organization) => [matches(organization, filters)],
    sortOrder(sort, { created_at: 'sought.created_at', name: 'lower(sought.name)' }, 'sought.id'),
    page,
  );
  const order = sortOrder(sort, sorts, 'jobs.id');
  return readPage(db, selectJobs(db, found), page, order, counted);
}

function matches(
  organization: RawBuilder<unknown>,
  { q, status, is_active }: HelmSyncJobFilters,
): RawBuilder<unknown> {
  const conditions = [sql`true`];
  if (q !== undefined) conditions.push(containsWords(['sought.name', 'sought.repository_url'], q));
  if (status !== undefined) conditions.push(hasJobStatus(helmSyncJobs, organization, 'sought', status));
  if (is_active !== undefined) conditions.push(sql`sought.is_active = ${is_active}`);
  return sql.join(conditions, sql` AND `);
}

/** Finds a job of the organization or a global job. */
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

/** @returns The IDs, in the order of `jobs`, and the time of creation. */
export async function insertHelmSyncJobs(
  tx: Tx,
  organizationId: number,
  jobs: readonly (HelmSyncJobValues & { discovery_job_id?: number })[],
): Promise<{ ids: number[]; now: Date }> {
  const rows = await tx
    .insertInto('helm_sync_jobs')
    .values(jobs.map((values) => ({ organization_id: organizationId, ...values })))
    .returning(['id', 'created_at'])
    .execute();
  // A single statement assigns IDs in the order of its values.
  return { ids: rows.map(({ id }) => id).toSorted((a, b) => a - b), now: rows[0]!.created_at };
}
