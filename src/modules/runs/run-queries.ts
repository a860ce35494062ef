import { type RawBuilder, sql } from 'kysely';
import type { Schemas } from '../../generated/client-api.ts';
import {
  type Database,
  listOrder,
  type Page,
  type PageRequest,
  readPage,
  toApiTimestamp,
} from '../../platform/database/index.ts';
import { checkInProgressSql } from './claimed-checks.ts';
import type { JobTable } from './job-kind.ts';

type Run = Schemas['Run'];

/** A run as a JSON value within another row. Times are strings. */
export interface RunJson {
  id: number;
  status: Run['status'];
  trigger: Run['trigger'];
  created_at: string;
  started_at: string | null;
  finished_at: string | null;
  checks: number;
  /** Null if the row counts only one run, as is the time of its end. */
  last_run_id: number | null;
  last_finished_at: string | null;
  agent_id: number | null;
  attempt: number;
  error_code: NonNullable<Run['error']>['code'] | null;
  error_message: string | null;
  summary: Run['summary'];
  due_at: string;
  credential_name: string | null;
}

/** Returns a run as JSON. Includes the runs that only its job counts, whose table has the alias `jobs`. */
function runJson(alias: string): RawBuilder<RunJson> {
  // Keep this expression short, because statements that are too long aren't prepared.
  return sql<RunJson>`run_json(${sql.raw(alias)}, jobs.counted_in_run_id, jobs.counted_checks, jobs.last_counted_run_id, jobs.last_counted_at)`;
}

/** Selects the end of the last run that a row in `runs` or its job counts. The table of the job has the alias `jobs`. */
export function lastEndSql(runs: string): RawBuilder<Date | null> {
  const [id, lastEnd, end] = ['id', 'last_finished_at', 'finished_at'].map((column) =>
    sql.ref(`${runs}.${column}`),
  );
  return sql<Date | null>`(CASE jobs.counted_in_run_id WHEN ${id} THEN jobs.last_counted_at ELSE coalesce(${lastEnd}, ${end}) END)`;
}

/**
 * Selects the check in progress or the newest run of a job of the outer query, whose table has the alias `jobs`, or
 * `null` if the job has no runs.
 */
export function lastRunSql(kind: JobTable): RawBuilder<RunJson | null> {
  return sql<RunJson | null>`coalesce(${checkInProgressSql<RunJson>(kind, 'jobs')}, (
    SELECT ${runJson('last_run')} FROM runs AS last_run
    WHERE last_run.organization_id = jobs.organization_id
      AND last_run.${sql.ref(kind.runColumn)} = jobs.id
    ORDER BY last_run.id DESC LIMIT 1))`;
}

/**
 * Selects the end of the newest successful run of a job of the outer query, whose table has the alias `jobs`.
 */
export function lastSuccessfulRunSql(kind: JobTable): RawBuilder<Date | null> {
  return sql<Date | null>`(
    SELECT ${lastEndSql('runs')} FROM runs
    WHERE runs.organization_id = jobs.organization_id AND runs.${sql.ref(kind.runColumn)} = jobs.id
      AND runs.status = 'succeeded'
    ORDER BY runs.id DESC LIMIT 1)`;
}

/**
 * Selects what the open run of a job is waiting for, in this order: the rate limit of its host, its due time (the delay
 * after a failure), or an online agent that can run it. `null` if the run isn't waiting.
 */
export function waitingForSql(kind: JobTable): RawBuilder<Schemas['GatherJob']['waiting_for']> {
  return sql<Schemas['GatherJob']['waiting_for']>`(
    SELECT CASE
      WHEN waiting.due_at > pacekeeper_now() AND waiting.error_code = 'rate_limited' THEN 'host_limit'
      WHEN waiting.due_at > pacekeeper_now() THEN 'time'
      WHEN NOT EXISTS (
        SELECT 1 FROM agents
        WHERE agents.last_heartbeat_at > pacekeeper_now() - interval '60 seconds'
          AND waiting.capability = ANY(agents.capabilities) AND ${canClaim(sql`agents`, sql`waiting`)}
      ) THEN 'agent' END
    FROM runs AS waiting
    WHERE waiting.organization_id = jobs.organization_id AND waiting.kind = ${sql.lit(kind.name)} AND waiting.job_id = jobs.id
      AND waiting.status = 'queued')`;
}

/**
 * True if an agent can claim a run. A remote agent must belong to the same organization and have the
 * credential. The embedded agent can claim runs of every organization that uses it, with the credentials for
 * that organization.
 */
export function canClaim(agents: RawBuilder<unknown>, runs: RawBuilder<unknown>): RawBuilder<boolean> {
  return sql<boolean>`(
    (${agents}.kind = 'remote' AND ${agents}.organization_id = ${runs}.organization_id
      AND (${runs}.credential_name IS NULL OR ${runs}.credential_name = ANY(${agents}.credential_names)))
    OR (${agents}.kind = 'embedded'
      AND (${runs}.credential_name IS NULL OR
        ${agents}.credential_names_by_organization -> ${runs}.organization_id::text ? ${runs}.credential_name)
      AND NOT EXISTS (
        SELECT 1 FROM settings
        WHERE settings.organization_id = ${runs}.organization_id AND settings.key = 'agents.use_embedded'
          AND settings.value = 'false'::jsonb)))`;
}

/** Returns the status of a job from its newest run. */
export function toJobStatus(run: RunJson | null): Schemas['GatherJob']['status'] {
  switch (run?.status) {
    case undefined:
    case 'queued':
    case 'canceled':
      return 'pending';
    case 'in_progress':
      return 'in_progress';
    case 'succeeded':
      return 'completed';
    case 'failed':
      return 'failed';
  }
}

/**
 * Returns SQL conditions equivalent to `toJobStatus`, for filters of lists. No job meets more than one of
 * them, so each can use an index. While a job has an open run, it keeps only the outcome `succeeded` of its
 * previous run, so a job with the outcome `failed` has no open run, and no check in progress either.
 *
 * @param jobs Alias of the table of jobs.
 */
export function jobStatusConditions(
  kind: JobTable,
  organizationId: RawBuilder<unknown>,
  jobs: string,
  status: string,
): RawBuilder<boolean>[] {
  const [jobId, outcome] = [sql.ref(`${jobs}.id`), sql.ref(`${jobs}.last_outcome`)];
  // Keep this query short, because lists repeat it up to sixteen times, and statements that are too long
  // aren't prepared.
  const withOpenRun = (statuses: readonly Run['status'][]) =>
    sql`SELECT job_id FROM runs WHERE organization_id = ${organizationId} AND kind = ${sql.lit(kind.name)} AND status IN (${sql.join(statuses.map((each) => sql.lit(each)))})`;
  const inCheck = sql`SELECT ${sql.id(`${kind.name}_in_check`)}(${organizationId})`;
  const exceptInCheck = kind.isClaimedWhenDue ? sql` EXCEPT ${inCheck}` : sql``;
  const orInCheck = kind.isClaimedWhenDue ? sql` UNION ALL ${inCheck}` : sql``;
  switch (status) {
    case 'in_progress': {
      const isRunning = sql<boolean>`${jobId} IN (${withOpenRun(['in_progress'])})`;
      return kind.isClaimedWhenDue
        ? [isRunning, sql<boolean>`${jobId} IN (${inCheck}) AND NOT ${isRunning}`]
        : [isRunning];
    }
    case 'completed':
      return [
        sql<boolean>`${outcome} = 'succeeded' AND ${jobId} NOT IN (${withOpenRun(['queued', 'in_progress'])}${orInCheck})`,
      ];
    case 'failed':
      return [sql<boolean>`${outcome} = 'failed'`];
    default:
      // These conditions also match jobs without runs.
      return [
        sql<boolean>`${outcome} = 'none' AND ${jobId} NOT IN (${withOpenRun(['in_progress'])}${orInCheck})`,
        sql<boolean>`${outcome} = 'succeeded' AND ${jobId} IN (${withOpenRun(['queued'])}${exceptInCheck})`,
      ];
  }
}

/** Returns the conditions of `jobStatusConditions` as one condition. */
export function hasJobStatus(...filter: Parameters<typeof jobStatusConditions>): RawBuilder<boolean> {
  return sql<boolean>`(${sql.join(jobStatusConditions(...filter), sql` OR `)})`;
}

export function toRun(run: RunJson): Run {
  const { error_code, error_message, due_at: _dueAt, credential_name: _credentialName, ...rest } = run;
  const startedAt = run.started_at && toApiTimestamp(run.started_at);
  const finishedAt = run.finished_at && toApiTimestamp(run.finished_at);
  return {
    ...rest,
    last_run_id: run.last_run_id ?? run.id,
    last_finished_at: run.last_finished_at === null ? finishedAt : toApiTimestamp(run.last_finished_at),
    created_at: toApiTimestamp(run.created_at),
    started_at: startedAt,
    finished_at: finishedAt,
    duration_ms: startedAt && finishedAt ? Math.max(0, Date.parse(finishedAt) - Date.parse(startedAt)) : null,
    error: error_code === null ? null : { code: error_code, message: error_message ?? '' },
  };
}

/**
 * Lists the runs of a job, newest first.
 *
 * @param options.run_id Only the run with this ID, or the one that counts it.
 */
export async function listRuns(
  db: Database,
  organizationId: number,
  kind: JobTable,
  jobId: number,
  {
    status,
    run_id: runId,
    ...page
  }: PageRequest & { status?: Run['status'] | undefined; run_id?: number | undefined },
): Promise<Page<Run>> {
  const lastRunId = sql`CASE jobs.counted_in_run_id WHEN runs.id THEN jobs.last_counted_run_id ELSE coalesce(runs.last_run_id, runs.id) END`;
  const conditions = [
    sql<boolean>`true`,
    ...(status === undefined ? [] : [sql<boolean>`runs.status = ${status}`]),
    ...(runId === undefined
      ? []
      : [
          sql<boolean>`runs.id = (
        SELECT id FROM runs
        WHERE organization_id = ${organizationId} AND ${sql.ref(kind.runColumn)} = ${jobId} AND id <= ${runId}
        ORDER BY id DESC LIMIT 1) AND ${lastRunId} >= ${runId}`,
        ]),
  ];
  const hasCheck = kind.isClaimedWhenDue && (status === undefined || status === 'in_progress');
  const ofCheck = sql`
    UNION ALL
    SELECT (run ->> 'id')::bigint, run
    FROM job AS jobs CROSS JOIN LATERAL (SELECT ${checkInProgressSql<RunJson>(kind, 'jobs')} AS run) AS of_check
    WHERE run IS NOT NULL AND ${runId === undefined ? sql`true` : sql`(run ->> 'id')::bigint = ${runId}`}`;
  const found = sql<{ id: number; run: RunJson }>`(
    WITH job AS (
      SELECT * FROM ${sql.table(kind.table)} WHERE organization_id = ${organizationId} AND id = ${jobId}
    )
    SELECT runs.id, ${runJson('runs')} AS run FROM runs CROSS JOIN job AS jobs
    WHERE runs.organization_id = ${organizationId} AND ${sql.ref(`runs.${kind.runColumn}`)} = ${jobId}
      AND ${sql.join(conditions, sql` AND `)}
    ${hasCheck ? ofCheck : sql``})`;
  const query = db.selectFrom(found.as('runs')).select('run');
  const { items, ...rest } = await readPage(
    db,
    query,
    page,
    listOrder([{ column: 'id', isDescending: true }]),
  );
  return { ...rest, items: items.map(({ run }) => toRun(run)) };
}
