import { type RawBuilder, type Selectable, sql } from 'kysely';
import type { Schemas } from '../../../generated/client-api.ts';
import type { DB } from '../../../generated/database.ts';
import { requestFields } from '../../../generated/request-fields.ts';
import {
  containsWords,
  type Database,
  defineTable,
  maxChoices,
  type Page,
  type PageRequest,
  precompileQuery,
  readPage,
  sortOrder,
  type Tx,
} from '../../../platform/database/index.ts';
import type { Insertion } from '../../audit/index.ts';
import {
  type JobRow,
  type JobTable,
  jobColumns,
  jobStateColumns,
  jobStatusConditions,
} from '../../runs/index.ts';
import { selectVisibleJobs } from '../../upstream/index.ts';

type ScrapeJob = Schemas['ScrapeJob'];

export const scrapeJobs: JobTable = {
  name: 'scrape',
  table: 'scrape_jobs',
  runColumn: 'scrape_job_id',
  // Git was the first source of scrape jobs, so its capability has no suffix.
  capability: sql`CASE jobs.source WHEN 'git' THEN 'scrape' ELSE 'scrape:' || jobs.source END`,
  isClaimedWhenDue: true,
};

export type ScrapeJobRow = JobRow<ScrapeJob>;

/** Columns of a job that requests can write. */
export type ScrapeJobValues = Omit<
  Pick<ScrapeJobRow, (typeof requestFields)['createScrapeJob'][number]>,
  'parser_type'
> & { parser_type: Schemas['ParserType'] };

/** Returns the columns by which jobs can be sorted, qualified with the table alias `jobs`. */
const sorts = (jobs: string) => ({
  created_at: `${jobs}.created_at`,
  updated_at: `${jobs}.updated_at`,
  name: `lower(${jobs}.name)`,
  next_run_at: `${jobs}.due_at`,
});

function selectJobs(db: Database | Tx, among: RawBuilder<Selectable<DB['scrape_jobs']>> = sql`scrape_jobs`) {
  return db
    .selectFrom(among.as('jobs'))
    .select(jobColumns(requestFields.createScrapeJob))
    .select(['jobs.latest_version', 'jobs.latest_version_at', 'jobs.match', 'jobs.discovery_job_id'])
    .select(
      sql<string | null>`(
        SELECT discovery_jobs.name FROM discovery_jobs
        WHERE discovery_jobs.organization_id = jobs.organization_id
          AND discovery_jobs.id = jobs.discovery_job_id)`.as('discovery_job_name'),
    )
    .select(jobStateColumns(scrapeJobs))
    .$narrowType<
      Pick<ScrapeJob, 'parser_type' | 'source' | 'version_transform' | 'labels' | 'series' | 'match'>
    >();
}

export const {
  find: findScrapeJob,
  listById: listScrapeJobsById,
  update: updateScrapeJob,
  delete: deleteScrapeJob,
} = defineTable('scrape_jobs', (db) => selectJobs(db), {
  toColumns: ({ labels, series, ...values }: Partial<ScrapeJobValues>) => ({
    ...values,
    ...(labels && { labels: JSON.stringify(labels) }),
    ...(series && { series: JSON.stringify(series) }),
  }),
});

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
  const { sort = '-created_at' } = filters;
  const { found, counted } = selectVisibleJobs(
    'scrape_jobs',
    [organizationId],
    (organization) => matches(organization, filters),
    sortOrder(sort, sorts('sought'), 'sought.id'),
    page,
  );
  const query = selectJobs(db, found).where('jobs.organization_id', '=', organizationId);
  return readPage(db, query, page, sortOrder(sort, sorts('jobs'), 'jobs.id'), counted);
}

function matches(
  organization: RawBuilder<unknown>,
  { q, status, is_active, parser_type }: ScrapeJobFilters,
): RawBuilder<unknown>[] {
  const conditions = [sql`true`];
  if (q !== undefined)
    conditions.push(containsWords(['sought.name', `coalesce(sought.repository_url, sought.url, '')`], q));
  if (is_active !== undefined) conditions.push(is_active ? sql`sought.is_active` : sql`NOT sought.is_active`);
  if (parser_type !== undefined) conditions.push(sql`sought.parser_type = ${parser_type}`);
  const matching = sql.join(conditions, sql` AND `);
  if (status === undefined) return [matching];
  return jobStatusConditions(scrapeJobs, organization, 'sought', status).map(
    (hasStatus) => sql`${matching} AND ${hasStatus}`,
  );
}

const readCreated = precompileQuery((db) => selectJobs(db, sql`created`).orderBy('jobs.id'));

export function scrapeJobInsertion(
  tx: Tx,
  organizationId: number,
  jobs: readonly ScrapeJobValues[],
): Insertion<ScrapeJobRow> {
  return {
    insert: tx
      .insertInto('scrape_jobs')
      .values(
        jobs.map(({ labels, series, ...values }) => ({
          organization_id: organizationId,
          ...values,
          labels: JSON.stringify(labels),
          series: JSON.stringify(series),
        })),
      )
      .returningAll(),
    read: readCreated(),
  };
}

/** Locks the alert configurations that use a job and returns their IDs in ascending order. */
export async function lockAlertConfigsUsingJob(
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
