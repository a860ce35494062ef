import { type RawBuilder, sql } from 'kysely';
import type { ExpectedMoveReason } from '../../../domain/rules/expected-move-reason.ts';
import type { Schemas } from '../../../generated/client-api.ts';
import {
  containsWords,
  type Database,
  type ListOrder,
  listOrder,
  lookUpColumnSql,
  type Page,
  type PageRequest,
  readPage,
} from '../../../platform/database/index.ts';
import { isVisible, selectVisibleJobs, visibleOrganizations } from '../job-scope.ts';

type Scope = Schemas['Scope'];

export interface ReleaseRow {
  id: number;
  gather_job_id: number;
  artifact_name: string;
  source_type: Schemas['Release']['source_type'];
  version: string;
  tag: string;
  app_version: string | null;
  released_at: Date | null;
  is_prerelease: boolean;
  is_yanked: boolean;
  is_withdrawn: boolean;
  url: string | null;
  digest: string | null;
  commit: string | null;
  moved_from: string | null;
  move_noticed_at: Date | null;
  move_habit: ExpectedMoveReason | null;
  discovered_at: Date;
  created_at: Date;
  updated_at: Date;
}

export interface ReleaseFilters {
  gather_job_id?: number | undefined;
  artifact_name?: string | undefined;
  stable_only?: boolean | undefined;
  monitored_only?: boolean | undefined;
  scope?: Scope | undefined;
  since?: string | undefined;
  q?: string | undefined;
}

/**
 * Lists releases of the organization's jobs and of global jobs. Releases of a single job are sorted by
 * version, highest first, and all others by date, newest first.
 */
export async function listReleases(
  db: Database,
  organizationId: number,
  filters: ReleaseFilters,
  page: PageRequest,
): Promise<Page<ReleaseRow>> {
  const isOneJob = filters.gather_job_id !== undefined;
  // If only a few jobs match, `+ interval '0'` makes PostgreSQL use the index of jobs. The index for this
  // sort order contains the releases of all jobs, and a large number of other releases could precede the
  // matching ones.
  const isFewJobs = filters.artifact_name !== undefined;
  const { found, counted } = selectVisibleJobs(
    'releases',
    visibleOrganizations(organizationId, filters.scope),
    (organization) => [matches(organization, filters, organizationId)],
    isOneJob ? byVersion('sought') : byDate('sought', isFewJobs ? " + interval '0'" : ''),
    page,
  );
  const query = db.selectFrom(found.as('releases')).select(releaseColumns);
  return readPage(db, query, page, isOneJob ? byVersion('releases') : byDate('releases'), counted);
}

function byVersion(table: string): ListOrder {
  return listOrder([
    { column: `${table}.sort_key`, isDescending: true, nulls: 'last' },
    { column: `${table}.version COLLATE "C"`, isDescending: true },
    { column: `${table}.id`, isDescending: true },
  ]);
}

function byDate(table: string, suffix = ''): ListOrder {
  return listOrder([
    { column: `coalesce(${table}.released_at, ${table}.discovered_at)${suffix}`, isDescending: true },
    { column: `${table}.id`, isDescending: true },
  ]);
}

const gatherJob = { organizationId: 'releases.organization_id', id: 'releases.gather_job_id' };

const releaseColumns = [
  'releases.id',
  'releases.gather_job_id',
  lookUpColumnSql<string>('gather_jobs', 'artifact_name', gatherJob).as('artifact_name'),
  lookUpColumnSql<ReleaseRow['source_type']>('gather_jobs', 'source_type', gatherJob).as('source_type'),
  'releases.version',
  'releases.tag',
  'releases.app_version',
  'releases.released_at',
  'releases.is_prerelease',
  'releases.is_yanked',
  'releases.is_withdrawn',
  'releases.url',
  'releases.digest',
  'releases.commit_id as commit',
  'releases.moved_from',
  'releases.move_noticed_at',
  sql<ExpectedMoveReason | null>`releases.move_habit`.as('move_habit'),
  'releases.discovered_at',
  'releases.created_at',
  'releases.updated_at',
] as const;

/**
 * @param organization Organization of the releases: that of the caller, or the global one.
 * @param callerId Organization of the caller, whose alert configurations can use both.
 */
function matches(
  organization: RawBuilder<unknown>,
  filters: ReleaseFilters,
  callerId: number,
): RawBuilder<unknown> {
  const { gather_job_id, artifact_name, stable_only, monitored_only, since, q } = filters;
  const conditions = [sql`true`];
  if (gather_job_id !== undefined) conditions.push(sql`sought.gather_job_id = ${gather_job_id}`);
  if (artifact_name !== undefined) {
    conditions.push(sql`sought.gather_job_id = ANY(ARRAY(
      SELECT id FROM gather_jobs WHERE organization_id = ${organization} AND artifact_name = ${artifact_name}))`);
  }
  if (stable_only) conditions.push(sql`NOT sought.is_prerelease`);
  if (monitored_only) {
    // `OFFSET 0` keeps PostgreSQL from joining all configurations of the organization instead of looking up those of a
    // release's job.
    conditions.push(sql`EXISTS (
      SELECT FROM alert_configs AS used
      WHERE used.gather_organization_id = sought.organization_id AND used.gather_job_id = sought.gather_job_id
        AND used.organization_id = ${callerId} AND used.is_active OFFSET 0)`);
  }
  if (since !== undefined)
    conditions.push(sql`coalesce(sought.released_at, sought.discovered_at) >= ${since}::timestamptz`);
  if (q !== undefined) conditions.push(containsWords(['sought.version', 'sought.tag'], q));
  return sql.join(conditions, sql` AND `);
}

export async function findRelease(
  db: Database,
  organizationId: number,
  id: number,
): Promise<(ReleaseRow & { notes: string | null }) | undefined> {
  return db
    .selectFrom('releases')
    .select(releaseColumns)
    .select(({ fn }) => fn.coalesce('releases.notes', 'releases.changelog_notes').as('notes'))
    .where(isVisible('releases.organization_id', organizationId))
    .where('releases.id', '=', id)
    .executeTakeFirst();
}

export interface ReleaseSummaryRow {
  organization_id: number;
  gather_job_id: number;
  artifact_name: string;
  release_count: number;
  stable_count: number;
  latest_version: string | null;
  latest_stable_version: string | null;
  latest_released_at: Date | null;
  first_released_at: Date | null;
}

/** Returns one row for each gather job, newest job first. The counts are columns of the job. */
export async function summarizeReleases(
  db: Database,
  organizationId: number,
  {
    gather_job_id,
    scope,
    q,
  }: { gather_job_id?: number | undefined; scope?: Scope | undefined; q?: string | undefined },
  page: PageRequest,
): Promise<Page<ReleaseSummaryRow>> {
  const conditions = [sql`true`];
  if (gather_job_id !== undefined) conditions.push(sql`sought.id = ${gather_job_id}`);
  if (q !== undefined) conditions.push(containsWords(['sought.name', 'sought.artifact_name'], q));
  const { found, counted } = selectVisibleJobs(
    'gather_jobs',
    visibleOrganizations(organizationId, scope),
    () => [sql.join(conditions, sql` AND `)],
    newestJobFirst('sought'),
    page,
  );
  const query = db
    .selectFrom(found.as('jobs'))
    .select(['jobs.organization_id', 'jobs.id as gather_job_id', 'jobs.artifact_name', 'jobs.release_count'])
    .select(['jobs.stable_count', 'jobs.latest_version', 'jobs.latest_stable_version'])
    .select(['jobs.latest_released_at', 'jobs.first_released_at']);
  return readPage(db, query, page, newestJobFirst('jobs'), counted);
}

function newestJobFirst(table: string): ListOrder {
  return listOrder([
    { column: `${table}.created_at`, isDescending: true },
    { column: `${table}.id`, isDescending: true },
  ]);
}
