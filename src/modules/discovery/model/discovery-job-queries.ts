import { type RawBuilder, sql } from 'kysely';
import type { IgnoreRule } from '../../../domain/discovery/ignore-rules.ts';
import type { Exclusion, RepositoryFilter } from '../../../domain/discovery/repository-group.ts';
import type { Schemas } from '../../../generated/client-api.ts';
import { requestFields } from '../../../generated/request-fields.ts';
import {
  containsWords,
  type Database,
  type Page,
  type PageRequest,
  readPage,
  sortOrder,
  type Tx,
} from '../../../platform/database/index.ts';
import { hasJobStatus, type JobRow, type JobTable, jobColumns, jobStateColumns } from '../../runs/index.ts';
import { endDuplicationSql } from './item-queries.ts';

type DiscoveryJob = Schemas['DiscoveryJob'];

export const discoveryJobs: JobTable = {
  name: 'discovery',
  table: 'discovery_jobs',
  runColumn: 'discovery_job_id',
  capability: sql`CASE jobs.kind WHEN 'kubernetes_cluster' THEN 'discovery:kubernetes'
    WHEN 'container_host' THEN 'discovery:docker' ELSE 'discovery' END`,
  // Other discovery jobs, such as the one of a group, read which scans are open.
  isClaimedWhenDue: false,
};

export type DiscoveryJobRow = Omit<
  JobRow<DiscoveryJob>,
  | 'label_rules'
  | 'custom_extractors'
  | 'ignore_rules'
  | 'source_credentials'
  | 'item_counts'
  | 'gone_held'
  | 'coverage'
  | 'repository_filter'
  | 'unlisted'
> & {
  repository_filter: { [Field in keyof RepositoryFilter]: RepositoryFilter[Field] } | null;
  unlisted_since: Date | null;
  unlisted_reason: Exclusion | null;
  moved_to: string | null;
  removal: 'held' | 'confirmed' | null;
  is_removed: boolean;
  label_rules: { pattern: string; labels: Record<string, string> }[];
  custom_extractors: { name: string; path: string; pattern: string; templates: Record<string, string> }[];
  ignore_rules: { [Field in keyof IgnoreRule]: IgnoreRule[Field] }[];
  source_credentials: { host: string; credential_name: string }[];
  /** Number of items by status. New items without an upstream count as `unresolved`. */
  counts: Partial<Record<keyof DiscoveryJob['item_counts'], number>>;
  gone_held_at: Date | null;
  gone_held_count: number | null;
};

/** Columns of a job that requests can write. */
export type DiscoveryJobValues = Pick<DiscoveryJobRow, (typeof requestFields)['createDiscoveryJob'][number]>;

const sorts = { created_at: 'jobs.created_at', name: 'lower(jobs.name)' };

/**
 * Selects the item counts of all jobs in one query. Triggers store differences, which are summed up here. The counts of a
 * group are the sums over its repositories.
 */
function countsOf(organizationId: number) {
  return sql<{ job_id: number; counts: DiscoveryJobRow['counts'] }>`(
    WITH of_kind AS (
      SELECT split_part(kind, ' ', 1)::bigint AS job_id, split_part(kind, ' ', 2) AS status, sum(amount)::bigint AS amount
      FROM row_counts WHERE organization_id = ${organizationId} AND subject = 'discovered_items'
      GROUP BY kind
    )
    SELECT job_id, jsonb_object_agg(status, amount) AS counts
    FROM (
      SELECT * FROM of_kind
      UNION ALL
      SELECT member.group_job_id, status, sum(amount)::bigint FROM of_kind
      JOIN discovery_jobs AS member ON member.organization_id = ${organizationId} AND member.id = of_kind.job_id
        AND member.group_job_id IS NOT NULL
      GROUP BY member.group_job_id, status
    ) AS of_job
    GROUP BY job_id)`.as('counted');
}

/** Number of a group's repositories by state. Null for jobs of other kinds. */
const repositoryCounts = sql<
  DiscoveryJob['repository_counts']
>`CASE WHEN jobs.kind = 'repository_group' THEN (
  SELECT jsonb_build_object(
    'read', count(*) FILTER (WHERE unlisted_since IS NULL AND last_outcome = 'succeeded'),
    'waiting', count(*) FILTER (WHERE unlisted_since IS NULL AND last_outcome = 'none'),
    'failed', count(*) FILTER (WHERE unlisted_since IS NULL AND last_outcome = 'failed'),
    'unlisted', count(*) FILTER (WHERE unlisted_since IS NOT NULL AND NOT is_removed),
    'moved', count(*) FILTER (WHERE moved_to IS NOT NULL AND NOT is_removed),
    'confirmed', count(*) FILTER (WHERE removal = 'confirmed'),
    'removed', count(*) FILTER (WHERE is_removed))
  FROM discovery_jobs AS member
  WHERE member.organization_id = jobs.organization_id AND member.group_job_id = jobs.id) END`;

/** Options that the job of a group sets for the jobs of its repositories. */
export const groupOptions = [
  ...(['include', 'exclude', 'extractors', 'label_rules', 'custom_extractors', 'ignore_rules'] as const),
  ...(['accept', 'accept_roles', 'default_rule_id', 'credential_name', 'source_credentials'] as const),
  ...(['cron_expression', 'cron_timezone', 'is_active'] as const),
] as const;

/**
 * Copies the options of a group to the jobs of its repositories, and makes the next list request scans of all of them.
 *
 * @param options.readsAgain True if the new options can change the items that scans find. The scans then read
 * all files.
 */
export async function updateGroupedJobs(
  tx: Tx,
  organizationId: number,
  groupId: number,
  { readsAgain }: { readsAgain: boolean },
): Promise<void> {
  const readAgain = sql`, validators = NULL, is_loss_expected = true, gone_held_at = NULL, gone_held_count = NULL`;
  await sql`
    UPDATE discovery_jobs AS member
    SET ${sql.join(groupOptions.map((column) => sql`${sql.ref(column)} = jobs.${sql.ref(column)}`))},
      read_push = NULL ${readsAgain ? readAgain : sql``}
    FROM discovery_jobs AS jobs
    WHERE jobs.organization_id = ${organizationId} AND jobs.id = ${groupId}
      AND member.organization_id = ${organizationId} AND member.group_job_id = ${groupId}
      AND NOT member.is_removed`.execute(tx);
}

/** Returns the IDs of the jobs of a group's repositories, or only of those with an open run. */
export async function listGroupedJobs(
  tx: Tx,
  organizationId: number,
  groupId: number,
  { withOpenRun = false } = {},
): Promise<number[]> {
  const isRunning = sql`EXISTS (
    SELECT FROM runs WHERE runs.organization_id = ${organizationId} AND runs.kind = 'discovery'
      AND runs.discovery_job_id = jobs.id AND runs.status IN ('queued', 'in_progress'))`;
  const { rows } = await sql<{ id: number }>`
    SELECT id FROM discovery_jobs AS jobs
    WHERE organization_id = ${organizationId} AND group_job_id = ${groupId}
      AND ${withOpenRun ? isRunning : sql`true`}
    ORDER BY id`.execute(tx);
  return rows.map(({ id }) => id);
}

function selectJobs(db: Database | Tx, organizationId: number) {
  return db
    .selectFrom('discovery_jobs as jobs')
    .leftJoin(countsOf(organizationId), (join) => join.onRef('counted.job_id', '=', 'jobs.id'))
    .select(jobColumns(requestFields.createDiscoveryJob))
    .select(['jobs.cluster_uid', 'jobs.host_uid', 'jobs.gone_held_at', 'jobs.gone_held_count'])
    .select(['jobs.group_job_id', 'jobs.unlisted_since', 'jobs.unlisted_reason', 'jobs.is_removed'])
    .select(['jobs.moved_to', sql<DiscoveryJobRow['removal']>`jobs.removal`.as('removal')])
    .select(repositoryCounts.as('repository_counts'))
    .select(sql<DiscoveryJobRow['counts']>`coalesce(counted.counts, '{}')`.as('counts'))
    .select(jobStateColumns(discoveryJobs))
    .$narrowType<
      Pick<
        DiscoveryJobRow,
        | 'kind'
        | 'extractors'
        | 'accept'
        | 'accept_roles'
        | 'label_rules'
        | 'custom_extractors'
        | 'ignore_rules'
        | 'source_credentials'
        | 'forge'
        | 'repository_filter'
        | 'unlisted_reason'
      >
    >()
    .where('jobs.organization_id', '=', organizationId);
}

export interface DiscoveryJobFilters {
  group_job_id?: number | undefined;
  q?: string | undefined;
  status?: string | undefined;
  is_active?: boolean | undefined;
  sort?: string | undefined;
}

export async function listDiscoveryJobs(
  db: Database,
  organizationId: number,
  { group_job_id, q, status, is_active, sort = '-created_at' }: DiscoveryJobFilters,
  page: PageRequest,
): Promise<Page<DiscoveryJobRow>> {
  const conditions = [
    group_job_id === undefined ? sql`jobs.group_job_id IS NULL` : sql`jobs.group_job_id = ${group_job_id}`,
  ];
  if (q !== undefined)
    conditions.push(
      containsWords(
        ['jobs.name', `coalesce(jobs.repository_url, jobs.cluster_name, jobs.host_name, jobs.group_url, '')`],
        q,
      ),
    );
  if (is_active !== undefined) conditions.push(is_active ? sql`jobs.is_active` : sql`NOT jobs.is_active`);
  if (status !== undefined)
    conditions.push(hasJobStatus(discoveryJobs, sql`${organizationId}`, 'jobs', status));
  const matches = sql<boolean>`${sql.join(conditions, sql` AND `)}`;
  const query = selectJobs(db, organizationId).where(matches);
  const counted = sql`(SELECT 1 FROM discovery_jobs AS jobs WHERE organization_id = ${organizationId} AND ${matches})`;
  return readPage(db, query, page, sortOrder(sort, sorts, 'jobs.id'), [counted]);
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
  const { rows } = await sql<{ coverage: Schemas['DiscoveryCoverage'] | null; kind: DiscoveryJob['kind'] }>`
    SELECT coverage, kind FROM discovery_jobs WHERE organization_id = ${organizationId} AND id = ${id}`.execute(
    db,
  );
  const [job] = rows;
  return job?.kind === 'repository_group' ? sumCoverage(db, organizationId, id) : (job?.coverage ?? null);
}

/** Returns the sums of the coverage of a group's repositories, or null before the first scan. */
async function sumCoverage(
  db: Database,
  organizationId: number,
  groupId: number,
): Promise<Schemas['DiscoveryCoverage'] | null> {
  const examples = (value: RawBuilder<unknown>, count: number) => sql`to_jsonb(coalesce(
    (array_agg(left(${value}, 200)) FILTER (WHERE ${value} IS NOT NULL))[1:${sql.lit(count)}], '{}'))`;
  const { rows } = await sql<{ coverage: Schemas['DiscoveryCoverage'] | null }>`
    WITH member AS MATERIALIZED (
      SELECT name, coverage FROM discovery_jobs
      WHERE organization_id = ${organizationId} AND group_job_id = ${groupId} AND NOT is_removed
        AND coverage IS NOT NULL
    ), silent AS (
      SELECT silent ->> 'kind' AS kind, silent ->> 'reason' AS reason, sum((silent ->> 'count')::integer) AS count,
        ${examples(sql`name || '/' || (silent #>> '{examples,0}')`, 3)} AS examples
      FROM member, jsonb_array_elements(coverage -> 'silent_files') AS silent
      GROUP BY 1, 2 ORDER BY 3 DESC, 1, 2 LIMIT 150
    )
    SELECT jsonb_build_object(
      'files', sum((coverage ->> 'files')::integer),
      'silent_files', (SELECT coalesce(jsonb_agg(to_jsonb(silent)), '[]') FROM silent),
      'skipped_directories', jsonb_build_object(
        'count', sum((coverage #>> '{skipped_directories,count}')::integer),
        'examples', ${examples(sql`name || '/' || (coverage #>> '{skipped_directories,examples,0}')`, 20)}),
      'pattern_problems', (
        SELECT coalesce(jsonb_agg(problem), '[]') FROM (
          SELECT problem FROM member, jsonb_array_elements(coverage -> 'pattern_problems') AS problem LIMIT 50
        ) AS problems)) AS coverage
    FROM member HAVING count(*) > 0`.execute(db);
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
      // A group must not expect a loss, because the removal of its repositories always requires a person's
      // confirmation.
      ...(readsAgain && (values.kind === 'repository_group' ? { validators: null } : fullReadColumns)),
      // Forget the cluster or host, because another credential may give access to another one.
      ...(isOtherAccess && {
        cluster_uid: null,
        host_uid: null,
      }),
      // The results of a disabled job no longer count as running versions.
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

/** Makes the job of a repository that was moved out of its group independent of the group. */
export async function leaveGroup(tx: Tx, organizationId: number, id: number): Promise<void> {
  await sql`
    UPDATE discovery_jobs
    SET group_job_id = NULL, forge_id = NULL, pushed_at = NULL, read_push = NULL, unlisted_since = NULL,
        unlisted_reason = NULL, moved_to = NULL, removal = NULL
    WHERE organization_id = ${organizationId} AND id = ${id}`.execute(tx);
}

/** Clears the validators, so the next scan reads all files even if nothing has changed. */
export async function clearValidators(tx: Tx, organizationId: number, id: number): Promise<void> {
  await sql`
    UPDATE discovery_jobs SET validators = NULL
    WHERE organization_id = ${organizationId} AND id = ${id}`.execute(tx);
}

/**
 * Confirms a pending loss. The next scan of a job can then lose any number of items, and the held removals of
 * a group's repositories are confirmed.
 *
 * @returns `false` if no confirmation is pending.
 */
export async function confirmItemLoss(tx: Tx, organizationId: number, id: number): Promise<boolean> {
  const result = await sql`
    UPDATE discovery_jobs
    SET validators = NULL, gone_held_at = NULL, gone_held_count = NULL,
        is_loss_expected = kind <> 'repository_group'
    WHERE organization_id = ${organizationId} AND id = ${id} AND gone_held_at IS NOT NULL`.execute(tx);
  if (result.numAffectedRows !== 1n) return false;
  await sql`
    WITH held AS MATERIALIZED (
      SELECT id FROM discovery_jobs
      WHERE organization_id = ${organizationId} AND group_job_id = ${id} AND removal = 'held'
      ORDER BY id FOR NO KEY UPDATE
    )
    UPDATE discovery_jobs AS member SET removal = 'confirmed'
    FROM held WHERE member.organization_id = ${organizationId} AND member.id = held.id`.execute(tx);
  return true;
}

function toColumns({
  label_rules,
  custom_extractors,
  ignore_rules,
  source_credentials,
  repository_filter,
  ...values
}: DiscoveryJobValues) {
  return {
    ...values,
    label_rules: JSON.stringify(label_rules),
    custom_extractors: JSON.stringify(custom_extractors),
    ignore_rules: JSON.stringify(ignore_rules),
    source_credentials: JSON.stringify(source_credentials),
    repository_filter: repository_filter && JSON.stringify(repository_filter),
  };
}

export async function deleteDiscoveryJobs(
  tx: Tx,
  organizationId: number,
  ids: readonly number[],
): Promise<void> {
  await sql`
    DELETE FROM discovery_jobs
    WHERE organization_id = ${organizationId} AND id = ANY(${[...ids]}::bigint[])`.execute(tx);
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
 * Deletes the items of jobs that will be deleted. Items of other jobs that were ignored as duplicates of
 * them become new again.
 */
export async function deleteItemsOfJobs(
  tx: Tx,
  organizationId: number,
  discoveryJobIds: readonly number[],
): Promise<void> {
  await sql`
    WITH gone AS (
      DELETE FROM discovered_items
      WHERE organization_id = ${organizationId} AND discovery_job_id = ANY(${[...discoveryJobIds]}::bigint[])
      RETURNING id
    )
    UPDATE discovered_items AS other SET ${endDuplicationSql('other')}
    FROM gone
    WHERE other.organization_id = ${organizationId} AND other.duplicate_of_id = gone.id
      AND other.discovery_job_id <> ALL(${[...discoveryJobIds]}::bigint[])`.execute(tx);
}

/**
 * Locks all discovery jobs of an organization, then the organization. Call it before changing data that scans
 * read. A scan that is being applied finishes before the change, and the next scan reads the changed data.
 */
export async function lockAllJobs(tx: Tx, organizationId: number): Promise<void> {
  await sql`
    SELECT FROM discovery_jobs WHERE organization_id = ${organizationId} ORDER BY id FOR NO KEY UPDATE`.execute(
    tx,
  );
  await sql`SELECT FROM organizations WHERE id = ${organizationId} FOR NO KEY UPDATE`.execute(tx);
}
