import { type RawBuilder, sql } from 'kysely';
import type { Schemas } from '../../../generated/client-api.ts';
import {
  contains,
  type Database,
  type Page,
  type PageRequest,
  readPage,
} from '../../../platform/database/index.ts';
import { isVisible, organizationsOf } from '../job-scope.ts';

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
  discovered_at: Date;
  created_at: Date;
  updated_at: Date;
}

export interface ReleaseFilters {
  gather_job_id?: number | undefined;
  artifact_name?: string | undefined;
  stable_only?: boolean | undefined;
  scope?: Scope | undefined;
  since?: string | undefined;
  q?: string | undefined;
}

/**
 * Releases of own and global jobs: of one job the highest first, else the newest first. Ids of the page are sought
 * first, in the order of an index for each organization, so that a page costs the same however many there are.
 */
export async function listReleases(
  db: Database,
  organizationId: number,
  filters: ReleaseFilters,
  page: PageRequest,
): Promise<Page<ReleaseRow>> {
  const isOneJob = filters.gather_job_id !== undefined;
  const conditions = matches(filters);
  const reach = page.limit + page.offset;
  const order = isOneJob
    ? sql`sort_key DESC NULLS LAST, version COLLATE "C" DESC, id DESC`
    : sql`coalesce(released_at, discovered_at) DESC, id DESC`;
  const organizations = organizationsOf(organizationId, filters.scope);
  if (organizations.length === 0)
    return { items: [], total: 0, total_is_exact: true, limit: page.limit, offset: page.offset };
  const parts = organizations.map(
    (organization) => sql`(
      SELECT organization_id, id, sort_key, version, released_at, discovered_at FROM releases
      WHERE organization_id = ${organization} AND ${conditions(organization)}
      ORDER BY ${order} LIMIT ${reach})`,
  );
  const counted = organizations.map(
    (organization) =>
      sql`SELECT 1 FROM releases WHERE organization_id = ${organization} AND ${conditions(organization)}`,
  );
  const found = sql<{ organization_id: number; id: number }>`(${sql.join(parts, sql` UNION ALL `)})`;
  const query = db
    .selectFrom(found.as('found'))
    .innerJoin('releases', (join) =>
      join
        .onRef('releases.organization_id', '=', 'found.organization_id')
        .onRef('releases.id', '=', 'found.id'),
    )
    .innerJoin('gather_jobs as jobs', (join) =>
      join
        .onRef('jobs.organization_id', '=', 'releases.organization_id')
        .onRef('jobs.id', '=', 'releases.gather_job_id'),
    )
    .select(releaseColumns)
    .orderBy(
      isOneJob
        ? sql`releases.sort_key DESC NULLS LAST, releases.version COLLATE "C" DESC, releases.id DESC`
        : sql`coalesce(releases.released_at, releases.discovered_at) DESC, releases.id DESC`,
    );
  return readPage(db, query, page, sql`(${sql.join(counted, sql` UNION ALL `)})`);
}

const releaseColumns = [
  'releases.id',
  'releases.gather_job_id',
  'jobs.artifact_name',
  sql<ReleaseRow['source_type']>`jobs.source_type`.as('source_type'),
  'releases.version',
  'releases.tag',
  'releases.app_version',
  'releases.released_at',
  'releases.is_prerelease',
  'releases.is_yanked',
  'releases.is_withdrawn',
  'releases.url',
  'releases.discovered_at',
  'releases.created_at',
  'releases.updated_at',
] as const;

function matches(filters: ReleaseFilters): (organizationId: number) => RawBuilder<unknown> {
  const { gather_job_id, artifact_name, stable_only, since, q } = filters;
  return (organizationId) => {
    const conditions = [sql`true`];
    if (gather_job_id !== undefined) conditions.push(sql`gather_job_id = ${gather_job_id}`);
    if (artifact_name !== undefined) {
      conditions.push(sql`gather_job_id IN (
        SELECT id FROM gather_jobs WHERE organization_id = ${organizationId} AND artifact_name = ${artifact_name})`);
    }
    if (stable_only) conditions.push(sql`NOT is_prerelease`);
    if (since !== undefined)
      conditions.push(sql`coalesce(released_at, discovered_at) >= ${since}::timestamptz`);
    if (q !== undefined) conditions.push(contains(`version || ' ' || tag`, q));
    return sql.join(conditions, sql` AND `);
  };
}

export async function findRelease(
  db: Database,
  organizationId: number,
  id: number,
): Promise<(ReleaseRow & { notes: string | null }) | undefined> {
  return db
    .selectFrom('releases')
    .innerJoin('gather_jobs as jobs', (join) =>
      join
        .onRef('jobs.organization_id', '=', 'releases.organization_id')
        .onRef('jobs.id', '=', 'releases.gather_job_id'),
    )
    .select(releaseColumns)
    .select('releases.notes')
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

/** One row for each gather job, the newest job first. The counts stand in the job. */
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
  const query = db
    .selectFrom('gather_jobs')
    .select(['organization_id', 'id as gather_job_id', 'artifact_name', 'release_count', 'stable_count'])
    .select(['latest_version', 'latest_stable_version', 'latest_released_at', 'first_released_at'])
    .where(isVisible('organization_id', organizationId, scope))
    .$if(gather_job_id !== undefined, (query) => query.where('id', '=', gather_job_id!))
    .$if(q !== undefined, (query) => query.where(contains(`name || ' ' || artifact_name`, q!)))
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc');
  return readPage(db, query, page);
}
