import { sql } from 'kysely';
import type { Schemas } from '../../../generated/client-api.ts';
import { requestFields } from '../../../generated/request-fields.ts';
import {
  contains,
  type Database,
  type Page,
  type PageRequest,
  readPage,
  sortOrder,
  type Tx,
} from '../../../platform/database/index.ts';
import { hasJobStatus, type JobRow, jobColumns, jobState } from '../../runs/index.ts';

type DiscoveryJob = Schemas['DiscoveryJob'];

export type DiscoveryJobRow = Omit<
  JobRow<DiscoveryJob>,
  'label_rules' | 'custom_extractors' | 'source_credentials' | 'item_counts' | 'gone_held' | 'coverage'
> & {
  label_rules: { pattern: string; labels: Record<string, string> }[];
  custom_extractors: { name: string; path: string; pattern: string; templates: Record<string, string> }[];
  source_credentials: { host: string; credential_name: string }[];
  /** Number of items by status. New items without an upstream count as `unresolved`. */
  counts: Partial<Record<keyof DiscoveryJob['item_counts'], number>>;
  gone_held_at: Date | null;
  gone_held_count: number | null;
};

/** Columns of a job that requests can write. */
export type DiscoveryJobValues = Pick<DiscoveryJobRow, (typeof requestFields)['createDiscoveryJob'][number]>;

const sorts = { created_at: 'jobs.created_at', name: 'lower(jobs.name)' };

/** Selects the item counts of all jobs in one query. Triggers store differences, which are summed up here. */
function countsOf(organizationId: number) {
  return sql<{ job_id: number; counts: DiscoveryJobRow['counts'] }>`(
    SELECT job_id, jsonb_object_agg(status, amount) AS counts
    FROM (
      SELECT split_part(kind, ' ', 1)::bigint AS job_id, split_part(kind, ' ', 2) AS status, sum(amount)::bigint AS amount
      FROM row_counts WHERE organization_id = ${organizationId} AND subject = 'discovered_items'
      GROUP BY kind
    ) AS of_kind
    GROUP BY job_id)`.as('counted');
}

function selectJobs(db: Database | Tx, organizationId: number) {
  return db
    .selectFrom('discovery_jobs as jobs')
    .leftJoin(countsOf(organizationId), (join) => join.onRef('counted.job_id', '=', 'jobs.id'))
    .select(jobColumns(requestFields.createDiscoveryJob))
    .select(['jobs.cluster_uid', 'jobs.host_uid', 'jobs.gone_held_at', 'jobs.gone_held_count'])
    .select(sql<DiscoveryJobRow['counts']>`coalesce(counted.counts, '{}')`.as('counts'))
    .select(jobState('discovery'))
    .$narrowType<
      Pick<
        DiscoveryJobRow,
        | 'kind'
        | 'extractors'
        | 'accept'
        | 'accept_roles'
        | 'label_rules'
        | 'custom_extractors'
        | 'source_credentials'
      >
    >()
    .where('jobs.organization_id', '=', organizationId);
}

export interface DiscoveryJobFilters {
  q?: string | undefined;
  status?: string | undefined;
  is_active?: boolean | undefined;
  sort?: string | undefined;
}

export async function listDiscoveryJobs(
  db: Database,
  organizationId: number,
  { q, status, is_active, sort = '-created_at' }: DiscoveryJobFilters,
  page: PageRequest,
): Promise<Page<DiscoveryJobRow>> {
  const conditions = [sql`true`];
  if (q !== undefined)
    conditions.push(
      contains(`jobs.name || ' ' || coalesce(jobs.repository_url, jobs.cluster_name, jobs.host_name, '')`, q),
    );
  if (is_active !== undefined) conditions.push(is_active ? sql`jobs.is_active` : sql`NOT jobs.is_active`);
  if (status !== undefined)
    conditions.push(hasJobStatus('discovery', sql`${organizationId}`, 'jobs', status));
  const matches = sql<boolean>`${sql.join(conditions, sql` AND `)}`;
  const query = selectJobs(db, organizationId)
    .where(matches)
    .orderBy(sortOrder(sort, sorts, 'jobs.id'));
  const counted = sql`(SELECT 1 FROM discovery_jobs AS jobs WHERE organization_id = ${organizationId} AND ${matches})`;
  return readPage(db, query, page, [counted]);
}

export async function findDiscoveryJob(
  db: Database | Tx,
  organizationId: number,
  id: number,
): Promise<DiscoveryJobRow | undefined> {
  return selectJobs(db, organizationId).where('jobs.id', '=', id).executeTakeFirst();
}

/** Returns the coverage of the last scan, or null before the first one. */
export async function readCoverage(
  db: Database,
  organizationId: number,
  id: number,
): Promise<Schemas['DiscoveryCoverage'] | null> {
  const { rows } = await sql<{ coverage: Schemas['DiscoveryCoverage'] | null }>`
    SELECT coverage FROM discovery_jobs WHERE organization_id = ${organizationId} AND id = ${id}`.execute(db);
  return rows[0]?.coverage ?? null;
}

/** Returns the rows with these IDs, in ascending order. */
export async function listDiscoveryJobsById(
  tx: Tx,
  organizationId: number,
  ids: readonly number[],
): Promise<DiscoveryJobRow[]> {
  return selectJobs(tx, organizationId)
    .where(sql<boolean>`jobs.id = ANY(${ids}::bigint[])`)
    .orderBy('jobs.id')
    .execute();
}

/** @returns The IDs in the order of `jobs`, and the creation time. */
export async function insertDiscoveryJobs(
  tx: Tx,
  organizationId: number,
  jobs: readonly DiscoveryJobValues[],
): Promise<{ ids: number[]; now: Date }> {
  const rows = await tx
    .insertInto('discovery_jobs')
    .values(jobs.map((values) => ({ organization_id: organizationId, ...toColumns(values) })))
    .returning(['id', 'created_at'])
    .execute();
  // A single statement assigns IDs in the order of its values.
  return { ids: rows.map(({ id }) => id).toSorted((a, b) => a - b), now: rows[0]!.created_at };
}

export async function updateDiscoveryJob(
  tx: Tx,
  organizationId: number,
  id: number,
  values: DiscoveryJobValues,
  { readsAgain, isOtherAccess }: { readsAgain: boolean; isOtherAccess: boolean },
): Promise<void> {
  await tx
    .updateTable('discovery_jobs')
    .set({
      ...toColumns(values),
      ...(readsAgain && fullReadColumns),
      // Another credential may give access to another cluster or host.
      ...(isOtherAccess && {
        cluster_uid: null,
        host_uid: null,
      }),
      // An inactive job's results no longer describe what is running.
      ...(!values.is_active && { live_until: sql<Date>`least(live_until, pacekeeper_now())` }),
    })
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .execute();
}

/**
 * Columns that make the next scan read everything and allow it to miss any number of items.
 */
const fullReadColumns = {
  validators: null,
  is_loss_expected: true,
  gone_held_at: null,
  gone_held_count: null,
};

/** Clears the validators, so the next scan reads all files even if nothing has changed. */
export async function clearValidators(tx: Tx, organizationId: number, id: number): Promise<void> {
  await sql`
    UPDATE discovery_jobs SET validators = NULL
    WHERE organization_id = ${organizationId} AND id = ${id}`.execute(tx);
}

/**
 * Confirms the loss of items in the next scan.
 * @returns `false` if no confirmation is pending.
 */
export async function confirmLoss(tx: Tx, organizationId: number, id: number): Promise<boolean> {
  const result = await tx
    .updateTable('discovery_jobs')
    .set(fullReadColumns)
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .where('gone_held_at', 'is not', null)
    .executeTakeFirst();
  return result.numUpdatedRows === 1n;
}

function toColumns({ label_rules, custom_extractors, source_credentials, ...values }: DiscoveryJobValues) {
  return {
    ...values,
    label_rules: JSON.stringify(label_rules),
    custom_extractors: JSON.stringify(custom_extractors),
    source_credentials: JSON.stringify(source_credentials),
  };
}

export async function deleteDiscoveryJob(tx: Tx, organizationId: number, id: number): Promise<void> {
  await tx
    .deleteFrom('discovery_jobs')
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .execute();
}

/**
 * Returns the rules that belong to the organization and locks them, so they can't be deleted before the end
 * of the transaction.
 */
export async function lockRules(
  tx: Tx,
  organizationId: number,
  ids: readonly number[],
): Promise<Set<number>> {
  if (ids.length === 0) return new Set();
  const { rows } = await sql<{ id: number }>`
    SELECT id FROM rules WHERE organization_id = ${organizationId} AND id = ANY(${[...ids]}::bigint[])
    ORDER BY id FOR KEY SHARE`.execute(tx);
  return new Set(rows.map(({ id }) => id));
}

/**
 * Deletes the items of a job that will be deleted. Items of other jobs that were ignored as duplicates of
 * them become new again.
 */
export async function deleteItemsOfJob(
  tx: Tx,
  organizationId: number,
  discoveryJobId: number,
): Promise<void> {
  await sql`
    WITH gone AS (
      DELETE FROM discovered_items
      WHERE organization_id = ${organizationId} AND discovery_job_id = ${discoveryJobId}
      RETURNING id
    )
    UPDATE discovered_items AS other
    SET status = 'new', duplicate_of_id = NULL, updated_at = pacekeeper_now()
    FROM gone
    WHERE other.organization_id = ${organizationId} AND other.duplicate_of_id = gone.id
      AND other.discovery_job_id <> ${discoveryJobId} AND other.status = 'ignored'`.execute(tx);
}
