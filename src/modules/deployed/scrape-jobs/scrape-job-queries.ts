import { type RawBuilder, sql } from 'kysely';
import type { Schemas } from '../../../generated/client-api.ts';
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

type ScrapeJob = Schemas['ScrapeJob'];

export interface ScrapeJobRow {
  id: number;
  name: string;
  parser_type: ScrapeJob['parser_type'];
  repository_url: string | null;
  ref: string | null;
  target_file: string | null;
  parse_expression: string | null;
  version_transform: ScrapeJob['version_transform'];
  credential_name: string | null;
  cron_expression: string | null;
  cron_timezone: string;
  history_limit: number;
  is_active: boolean;
  waiting_for: ScrapeJob['waiting_for'];
  next_run_at: Date | null;
  last_run: RunJson | null;
  latest_version: string | null;
  latest_version_at: Date | null;
  created_at: Date;
  updated_at: Date;
  revision: number;
}

/** What a job is made of, as it is written. */
export type ScrapeJobValues = Pick<ScrapeJobRow, (typeof requestFields)['createScrapeJob'][number]>;

const sorts = {
  created_at: 'jobs.created_at',
  updated_at: 'jobs.updated_at',
  name: 'lower(jobs.name)',
  next_run_at: 'jobs.due_at',
};

function selectJobs(db: Database | Tx, organizationId: number) {
  return db
    .selectFrom('scrape_jobs as jobs')
    .select([
      'jobs.id',
      'jobs.name',
      'jobs.repository_url',
      'jobs.ref',
      'jobs.target_file',
      'jobs.parse_expression',
    ])
    .select([
      'jobs.credential_name',
      'jobs.cron_expression',
      'jobs.cron_timezone',
      'jobs.history_limit',
      'jobs.is_active',
    ])
    .select(['jobs.latest_version', 'jobs.latest_version_at', 'jobs.created_at', 'jobs.updated_at'])
    .select('jobs.revision')
    .select([
      sql<ScrapeJob['parser_type']>`jobs.parser_type`.as('parser_type'),
      sql<ScrapeJob['version_transform']>`jobs.version_transform`.as('version_transform'),
      sql<Date | null>`nullif(jobs.due_at, 'infinity')`.as('next_run_at'),
      lastRunOf('scrape').as('last_run'),
      waitingForOf('scrape').as('waiting_for'),
    ])
    .where('jobs.organization_id', '=', organizationId);
}

export interface ScrapeJobFilters {
  q?: string | undefined;
  status?: string | undefined;
  is_active?: boolean | undefined;
  parser_type?: string | undefined;
  sort?: string | undefined;
}

export async function listScrapeJobs(
  db: Database,
  organizationId: number,
  filters: ScrapeJobFilters,
  page: PageRequest,
): Promise<Page<ScrapeJobRow>> {
  const query = selectJobs(db, organizationId)
    .where(matches(organizationId, filters))
    .orderBy(sortOrder(filters.sort ?? '-created_at', sorts, 'jobs.id'));
  return readPage(db, query, page);
}

function matches(
  organizationId: number,
  { q, status, is_active, parser_type }: ScrapeJobFilters,
): RawBuilder<boolean> {
  const conditions = [sql`true`];
  if (q !== undefined) conditions.push(contains(`jobs.name || ' ' || coalesce(jobs.repository_url, '')`, q));
  if (is_active !== undefined) conditions.push(is_active ? sql`jobs.is_active` : sql`NOT jobs.is_active`);
  if (parser_type !== undefined) conditions.push(sql`jobs.parser_type = ${parser_type}`);
  if (status !== undefined) conditions.push(hasStatus(organizationId, status));
  return sql<boolean>`${sql.join(conditions, sql` AND `)}`;
}

/** A manual job has no runs: it is completed once it has a version. */
function hasStatus(organizationId: number, status: string): RawBuilder<boolean> {
  const byRun = hasJobStatus('scrape', sql`${organizationId}`, sql`jobs.id`, status);
  const isSetByHand = sql`jobs.parser_type = 'manual' AND jobs.latest_version IS NOT NULL`;
  if (status === 'completed') return sql<boolean>`(${byRun} OR ${isSetByHand})`;
  if (status === 'pending') return sql<boolean>`(${byRun} AND NOT (${isSetByHand}))`;
  return byRun;
}

export async function findScrapeJob(
  db: Database | Tx,
  organizationId: number,
  id: number,
): Promise<ScrapeJobRow | undefined> {
  return selectJobs(db, organizationId).where('jobs.id', '=', id).executeTakeFirst();
}

/**
 * For a change: nobody else changes the job or records a version of it before this transaction ends. Its open run comes
 * first, as where a run is completed.
 */
export async function lockScrapeJob(
  tx: Tx,
  organizationId: number,
  id: number,
  { toDelete = false } = {},
): Promise<boolean> {
  await sql`
    SELECT id FROM runs
    WHERE organization_id = ${organizationId} AND scrape_job_id = ${id} AND status IN ('queued', 'in_progress')
    FOR UPDATE`.execute(tx);
  const row = await tx
    .selectFrom('scrape_jobs')
    .select('id')
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .$if(toDelete, (query) => query.forUpdate())
    .$if(!toDelete, (query) => query.forNoKeyUpdate())
    .executeTakeFirst();
  return row !== undefined;
}

/** The rows with these IDs, in ascending order. */
export async function listScrapeJobsById(
  tx: Tx,
  organizationId: number,
  ids: readonly number[],
): Promise<ScrapeJobRow[]> {
  return selectJobs(tx, organizationId)
    .where(sql<boolean>`jobs.id = ANY(${ids}::bigint[])`)
    .orderBy('jobs.id')
    .execute();
}

/** @returns The IDs, in the same order. */
export async function insertScrapeJobs(
  tx: Tx,
  organizationId: number,
  jobs: readonly ScrapeJobValues[],
): Promise<{ ids: number[]; now: Date }> {
  const rows = await tx
    .insertInto('scrape_jobs')
    .values(jobs.map((values) => ({ organization_id: organizationId, ...values })))
    .returning(['id', 'created_at'])
    .execute();
  // A single statement assigns IDs in the order of its values.
  return { ids: rows.map(({ id }) => id).toSorted((a, b) => a - b), now: rows[0]!.created_at };
}

export async function updateScrapeJob(
  tx: Tx,
  organizationId: number,
  id: number,
  values: Partial<ScrapeJobValues>,
): Promise<void> {
  await tx
    .updateTable('scrape_jobs')
    .set(values)
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .execute();
}

export async function deleteScrapeJob(tx: Tx, organizationId: number, id: number): Promise<void> {
  await tx
    .deleteFrom('scrape_jobs')
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .execute();
}

/** The configurations that use a job, in ascending order. */
export async function listUsingConfigs(
  tx: Tx,
  organizationId: number,
  scrapeJobId: number,
): Promise<number[]> {
  const rows = await tx
    .selectFrom('alert_configs')
    .select('id')
    .where('organization_id', '=', organizationId)
    .where('scrape_job_id', '=', scrapeJobId)
    .orderBy('id')
    .forUpdate()
    .execute();
  return rows.map((row) => row.id);
}

export async function listScrapeJobChoices(
  db: Database,
  organizationId: number,
): Promise<Schemas['ScrapeJobDropdownItem'][]> {
  return db
    .selectFrom('scrape_jobs')
    .select(['id', 'name', 'latest_version', sql<ScrapeJob['parser_type']>`parser_type`.as('parser_type')])
    .where('organization_id', '=', organizationId)
    .orderBy(sql`lower(name)`)
    .orderBy('id')
    .limit(sql.lit(maxChoices))
    .execute();
}
