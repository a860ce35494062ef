import { type RawBuilder, sql } from 'kysely';
import {
  hasChanges,
  noticeFields,
  noticesOf,
  type RunFigures,
} from '../../domain/runs/describe-run-result.ts';
import type { RunErrorCode } from '../../domain/runs/run-error-codes.ts';
import { runRetryAt } from '../../domain/scheduling/retry-schedule.ts';
import type { Database, Tx } from '../../platform/database/index.ts';
import { ApiError, notFound } from '../../platform/errors.ts';
import type { Caller } from '../../platform/http/index.ts';
import { readSettingsAcrossOrganizations } from '../settings/index.ts';
import type { JobKindName, JobTable } from './job-kind.ts';
import { successColumns } from './note-success.ts';
import { lastEndSql } from './run-queries.ts';

/** The caller of an agent's request. A limited key can't complete runs that it couldn't claim. */
export type LeaseHolder = Pick<Caller, 'organizationId' | 'agentLimits'>;

export async function renewRunLease(
  db: Database | Tx,
  holder: LeaseHolder,
  runId: number,
  leaseToken: string,
  leaseSeconds: number,
): Promise<Date> {
  const { rows } = await sql<{ lease_until: Date }>`
    UPDATE runs SET lease_until = pacekeeper_now() + ${leaseSeconds} * interval '1 second'
    WHERE id = ${runId} AND ${isLeasedTo(holder)} AND lease_token::text = ${leaseToken}
    RETURNING lease_until`.execute(db);
  if (!rows[0]) throw await lostLeaseError(db, holder, runId);
  return rows[0].lease_until;
}

export interface HeldRun {
  organization_id: number;
  id: number;
  kind: JobKindName;
  job_id: number;
  attempt: number;
  /** True if the run requested the complete list from the agent. */
  is_full: boolean;
  now: Date;
}

/** Returns the organization of a run, or undefined if the run doesn't exist. */
export async function findOrganizationOfRunAcrossOrganizations(
  db: Database,
  runId: number,
): Promise<number | undefined> {
  const { rows } = await sql<{ organization_id: number }>`
    SELECT organization_id FROM runs WHERE id = ${runId}`.execute(db);
  return rows[0]?.organization_id;
}

/**
 * Locks a run that is leased under this token.
 *
 * @throws ApiError `lease_lost` if the lease is no longer valid, 404 if neither the run nor its agent belongs
 * to the organization.
 */
export async function lockHeldRun(
  tx: Tx,
  holder: LeaseHolder,
  runId: number,
  leaseToken: string,
): Promise<HeldRun> {
  const [run] = await lockHeldRunsAcrossOrganizations(tx, holder, [{ runId, leaseToken }]);
  if (!run) throw await lostLeaseError(tx, holder, runId);
  return run;
}

/**
 * Locks the runs that are still leased under the given tokens, in the order of their IDs. Omits the other
 * runs.
 */
export async function lockHeldRunsAcrossOrganizations(
  tx: Tx,
  holder: LeaseHolder,
  leases: readonly { runId: number; leaseToken: string }[],
): Promise<HeldRun[]> {
  const { rows } = await sql<HeldRun>`
    SELECT runs.organization_id, runs.id, runs.kind, runs.attempt, runs.job_id, runs.is_full, pacekeeper_now() AS now
    FROM unnest(${leases.map((lease) => lease.runId)}::bigint[], ${leases.map((lease) => lease.leaseToken)}::text[])
      AS lease (run_id, token)
    JOIN runs ON runs.id = lease.run_id
    WHERE ${isLeasedTo(holder)} AND runs.lease_token::text = lease.token
    ORDER BY runs.id FOR UPDATE OF runs`.execute(tx);
  return rows;
}

/**
 * Checks the lease without the status, because only runs in progress have a lease. With the status in the
 * condition, PostgreSQL would search an index of all leased runs for each run; completing a hundred runs
 * among 4,000 leases took 40 ms.
 */
function isLeasedTo(holder: LeaseHolder): RawBuilder<boolean> {
  return sql<boolean>`(runs.agent_organization_id = ${holder.organizationId} AND runs.lease_until > pacekeeper_now()
    AND ${isWithinLimits(holder, sql`runs.capability`, sql`runs.credential_name`)})`;
}

/** SQL condition: true if the key of the agent allows this capability and credential. */
export function isWithinLimits(
  { agentLimits }: LeaseHolder,
  capability: RawBuilder<unknown>,
  credentialName: RawBuilder<unknown>,
): RawBuilder<boolean> {
  const { capabilities = null, credentialNames = null } = agentLimits ?? {};
  return sql<boolean>`(${sql.join(
    [
      sql`true`,
      ...(capabilities === null ? [] : [sql`${capability} = ANY(${[...capabilities]}::text[])`]),
      ...(credentialNames === null
        ? []
        : [sql`(${credentialName} IS NULL OR ${credentialName} = ANY(${[...credentialNames]}::text[]))`]),
    ],
    sql` AND `,
  )})`;
}

/**
 * Returns the error for a run whose lease is lost, or 404 if neither the run nor its agent belongs to the organization. A
 * run that another row counts has no row, so its error is 404 too. Agents treat both errors alike.
 */
export async function lostLeaseError(
  db: Database | Tx,
  { organizationId }: LeaseHolder,
  runId: number,
): Promise<ApiError> {
  const { rows } = await sql`
    SELECT FROM runs
    WHERE id = ${runId} AND ${organizationId}::bigint IN (agent_organization_id, organization_id)
    UNION ALL
    SELECT FROM check_claims WHERE ${runId} = ANY(run_ids) AND organization_id = ${organizationId}`.execute(
    db,
  );
  return rows.length === 0 ? notFound() : new ApiError('lease_lost');
}

/**
 * Ends runs of one kind successfully, each with its summary, and deletes their parts. A run that needs no row of its own
 * is counted in the newest row of its job instead.
 */
export async function succeedRuns(
  tx: Tx,
  kind: JobTable,
  ended: readonly { run: Pick<HeldRun, 'organization_id' | 'id' | 'job_id'>; summary: RunFigures }[],
): Promise<void> {
  if (ended.length === 0) return;
  const runs = ended.map(({ run }) => run);
  const table = sql.table(kind.table);
  await sql`
      WITH ended AS (
        SELECT * FROM unnest(
          ${runs.map((run) => run.organization_id)}::bigint[], ${runs.map((run) => run.id)}::bigint[],
          ${runs.map((run) => run.job_id)}::bigint[], ${summaryColumns(ended)}
        ) AS ended (organization_id, run_id, job_id, summary, notices_if_unchanged)
      ), dropped AS (
        DELETE FROM run_parts USING ended
        WHERE run_parts.organization_id = ended.organization_id AND run_parts.run_id = ended.run_id
      ), locked AS MATERIALIZED (
        SELECT organization_id, id, ${sql.join(countColumns.map((column) => sql.ref(column)))} FROM ${table}
        WHERE (organization_id, id) IN (SELECT organization_id, job_id FROM ended)
        ORDER BY organization_id, id FOR NO KEY UPDATE
      ), counted AS MATERIALIZED (
        ${runsToCount(
          kind,
          sql`locked`,
          sql<boolean>`EXISTS (
          SELECT FROM runs AS own
          WHERE own.organization_id = ended.organization_id AND own.id = ended.run_id
            AND own.trigger = 'schedule' AND own.attempt <= 1)`,
        )}
      ), turned AS (
        UPDATE ${table} AS jobs
        SET ${successColumns(sql`jobs`)}, ${countedColumns}
        FROM ended LEFT JOIN counted USING (organization_id, run_id)
        WHERE jobs.organization_id = ended.organization_id AND jobs.id = ended.job_id
          AND (jobs.last_outcome <> 'succeeded' OR counted.row_id IS NOT NULL)
        RETURNING 1
      ), added AS (
        ${addEarlierCounts}
      ), removed AS (
        DELETE FROM runs USING counted
        WHERE runs.organization_id = counted.organization_id AND runs.id = counted.run_id
      )
      UPDATE runs SET status = 'succeeded', summary = ended.summary, ${ending}
      FROM ended, ${jobsFirst}
      WHERE runs.organization_id = ended.organization_id AND runs.id = ended.run_id
        AND NOT EXISTS (SELECT FROM counted WHERE counted.run_id = ended.run_id)`.execute(tx);
}

/** Returns arrays with the summaries of runs, and with their notices if the runs found no changes. */
export function summaryColumns(ended: readonly { summary: RunFigures }[]): RawBuilder<unknown> {
  return sql`${ended.map(({ summary }) => JSON.stringify(summary))}::jsonb[],
    ${ended.map(({ summary }) => (hasChanges(summary) ? null : JSON.stringify(noticesOf(summary))))}::jsonb[]`;
}

/** Columns of a job with the runs that its newest row in `runs` doesn't count yet. */
const countColumns = [
  'counted_in_run_id',
  'counted_checks',
  'last_counted_run_id',
  'last_counted_at',
] as const;

/**
 * Returns a query for the runs of `ended` that are counted in the newest other row of their job, without a row of their
 * own, because they found no changes and the same problems. `row_id` is the ID of that row; the other columns are what
 * their job counts so far. The row must be a success of the same UTC day: the first success of a day, and the first one
 * after a failure, have their own rows. A row that ended later than now was written before the clock was set back.
 *
 * @param jobs The locked jobs.
 * @param isFirstAttempt Condition for scheduled runs without a failed attempt.
 */
export function runsToCount(
  kind: JobTable,
  jobs: RawBuilder<unknown>,
  isFirstAttempt: RawBuilder<boolean>,
): RawBuilder<unknown> {
  return sql`
    SELECT ended.organization_id, ended.run_id, newest.id AS row_id,
      ${sql.join(countColumns.map((column) => sql.ref(`jobs.${column}`)))}
    FROM ended
    JOIN ${jobs} AS jobs ON jobs.organization_id = ended.organization_id AND jobs.id = ended.job_id
    CROSS JOIN LATERAL (
      SELECT id, status, summary, finished_at, last_finished_at FROM runs
      WHERE runs.organization_id = ended.organization_id AND runs.${sql.ref(kind.runColumn)} = ended.job_id
        AND runs.id < ended.run_id
      ORDER BY runs.id DESC LIMIT 1
    ) AS newest
    WHERE ${isFirstAttempt} AND newest.status = 'succeeded' AND ended.notices_if_unchanged = (
        SELECT coalesce(jsonb_object_agg(key, value), '{}') FROM jsonb_each(newest.summary)
        WHERE key = ANY(${[...noticeFields]}::text[]) AND value NOT IN ('[]', '0', 'null', 'false'))
      AND ${lastEndSql('newest')} BETWEEN date_trunc('day', pacekeeper_now(), 'UTC') AND pacekeeper_now()`;
}

/**
 * Assignments to `jobs` that count a run of `counted`. The row in `runs` isn't written, because the row of the job is
 * written anyway. Without a run to count, the columns keep their values.
 */
export const countedColumns = sql`
  counted_in_run_id = coalesce(counted.row_id, jobs.counted_in_run_id),
  counted_checks = CASE WHEN counted.row_id IS NULL OR counted.row_id = jobs.counted_in_run_id THEN jobs.counted_checks ELSE 0 END
    + CASE WHEN counted.row_id IS NULL THEN 0 ELSE 1 END,
  last_counted_run_id = CASE WHEN counted.row_id IS NULL THEN jobs.last_counted_run_id ELSE counted.run_id END,
  last_counted_at = CASE WHEN counted.row_id IS NULL THEN jobs.last_counted_at ELSE pacekeeper_now() END`;

/** Adds what jobs have counted so far to an earlier row in `runs`, when a run of `counted` is counted in a later row. */
export const addEarlierCounts = sql`
  UPDATE runs SET checks = runs.checks + counted.counted_checks, last_run_id = counted.last_counted_run_id,
    last_finished_at = counted.last_counted_at, updated_at = pacekeeper_now()
  FROM counted
  WHERE runs.organization_id = counted.organization_id AND runs.id = counted.counted_in_run_id
    AND counted.counted_in_run_id <> counted.row_id`;

/**
 * Updates jobs before their runs. Schedules also lock jobs before they insert runs, so the opposite order
 * could deadlock.
 */
const jobsFirst = sql`(SELECT count(*) FROM turned) AS jobs_first`;

/** Columns that every run sets when it ends. */
const ending = sql`finished_at = pacekeeper_now(), lease_token = NULL, lease_until = NULL, updated_at = pacekeeper_now()`;

export interface RunFailure {
  code: RunErrorCode;
  message: string;
  isRetryable: boolean;
  /** Earliest time of the retry, as requested by a source with a rate limit. */
  retryAt: Date | null;
}

/**
 * Ends a failed attempt. Queues the run again for a later time if it's retryable and has attempts left;
 * otherwise, the run fails. A rate limit of the host doesn't count as an attempt, because the host specifies
 * when to retry.
 *
 * @returns True if the run has failed permanently.
 */
export async function failRun(
  tx: Tx,
  kind: JobTable,
  run: HeldRun,
  failure: RunFailure,
  maxAttempts: number,
): Promise<boolean> {
  const isLimited = failure.code === 'rate_limited' && failure.retryAt !== null;
  const error = sql`error_code = ${failure.code}, error_message = ${failure.message.slice(0, 2_000)}`;
  if (!failure.isRetryable || (run.attempt >= maxAttempts && !isLimited)) {
    await endInFailure(tx, kind, run, error);
    return true;
  }
  const planned = runRetryAt(run.attempt, run.now);
  const dueAt = failure.retryAt && failure.retryAt > planned ? failure.retryAt : planned;
  await deleteParts(tx, run);
  await sql`
    UPDATE runs
    SET status = 'queued', due_at = least(${dueAt.toISOString()}::timestamptz, pacekeeper_now() + interval '1 day'), ${error},
        attempt = attempt - ${isLimited ? 1 : 0}, lease_token = NULL, lease_until = NULL, updated_at = pacekeeper_now()
    WHERE organization_id = ${run.organization_id} AND id = ${run.id}`.execute(tx);
  return false;
}

async function endInFailure(tx: Tx, kind: JobTable, run: HeldRun, error: RawBuilder<unknown>): Promise<void> {
  await deleteParts(tx, run);
  await sql`
    WITH turned AS (
      UPDATE ${sql.table(kind.table)} SET last_outcome = 'failed', last_outcome_at = pacekeeper_now()
      WHERE organization_id = ${run.organization_id} AND id = ${run.job_id} AND last_outcome <> 'failed' RETURNING 1
    )
    UPDATE runs SET status = 'failed', ${error}, ${ending}
    FROM ${jobsFirst}
    WHERE organization_id = ${run.organization_id} AND id = ${run.id}`.execute(tx);
}

async function deleteParts(tx: Tx, run: HeldRun): Promise<void> {
  await sql`DELETE FROM run_parts WHERE organization_id = ${run.organization_id} AND run_id = ${run.id}`.execute(
    tx,
  );
}

/**
 * Queues runs with expired leases again, or fails them if no attempts allowed by their organization are left.
 *
 * @returns All runs with expired leases, and the failed ones among them. If the number of runs reaches
 * `limit`, there can be more.
 */
export async function requeueExpiredRunsAcrossOrganizations(
  tx: Tx,
  kinds: Readonly<Record<JobKindName, JobTable>>,
  limit: number,
): Promise<{ lost: HeldRun[]; failed: HeldRun[] }> {
  const { rows } = await sql<HeldRun>`
    SELECT organization_id, id, kind, attempt, job_id, is_full, pacekeeper_now() AS now
    FROM runs WHERE status = 'in_progress' AND lease_until <= pacekeeper_now()
    ORDER BY lease_until LIMIT ${limit} FOR UPDATE SKIP LOCKED`.execute(tx);
  const failed: HeldRun[] = [];
  if (rows.length === 0) return { lost: rows, failed };
  const settings = await readSettingsAcrossOrganizations(tx, [
    ...new Set(rows.map((run) => run.organization_id)),
  ]);
  for (const run of rows) {
    if (run.attempt >= settings.get(run.organization_id)!['task.max_attempts']) {
      await endInFailure(
        tx,
        kinds[run.kind],
        run,
        sql`error_code = 'agent_lost',
        error_message = ${`The agent stopped responding ${run.attempt} times during this run.`}`,
      );
      failed.push(run);
      continue;
    }
    await deleteParts(tx, run);
    await sql`
      UPDATE runs SET status = 'queued', due_at = pacekeeper_now(), lease_token = NULL, lease_until = NULL,
        error_code = 'agent_lost', error_message = 'The agent stopped answering.', updated_at = pacekeeper_now()
      WHERE organization_id = ${run.organization_id} AND id = ${run.id}`.execute(tx);
  }
  return { lost: rows, failed };
}

/** Maximum amount of staged data, several times the size of the longest release lists. */
const stagingLimits = {
  partsOfRun: 2_000,
  bytesOfRun: 256 * 1024 * 1024,
  bytesOfOrganization: 1024 * 1024 * 1024,
};

/**
 * Stores a part of a run's results until the run is completed. A part with the same sequence is replaced.
 * @param items JSON array of items.
 * @throws ApiError 413 with the limit that the part would exceed.
 */
export async function stagePart(
  tx: Tx,
  run: HeldRun,
  leaseToken: string,
  sequence: number,
  items: string,
): Promise<void> {
  const { partsOfRun, bytesOfRun, bytesOfOrganization } = stagingLimits;
  const bytes = Buffer.byteLength(items);
  const { rows } = await sql<{ is_staged: boolean; parts_of_run: number; bytes_of_run: number }>`
    WITH others AS (
      SELECT count(*) FILTER (WHERE run_id = ${run.id}) AS parts_of_run,
        coalesce(sum(bytes) FILTER (WHERE run_id = ${run.id}), 0) AS bytes_of_run, coalesce(sum(bytes), 0) AS bytes_of_all
      FROM run_parts
      WHERE organization_id = ${run.organization_id}
        AND NOT (run_id = ${run.id} AND lease_token = ${leaseToken} AND sequence = ${sequence})
    ), staged AS (
      INSERT INTO run_parts (organization_id, run_id, lease_token, sequence, items, bytes)
      SELECT ${run.organization_id}, ${run.id}, ${leaseToken}::uuid, ${sequence}::integer, ${items}::jsonb, ${bytes}::integer
      FROM others
      WHERE parts_of_run < ${partsOfRun} AND bytes_of_run + ${bytes} <= ${bytesOfRun}
        AND bytes_of_all + ${bytes} <= ${bytesOfOrganization}
      ON CONFLICT (organization_id, run_id, lease_token, sequence)
        DO UPDATE SET items = EXCLUDED.items, bytes = EXCLUDED.bytes
      RETURNING 1
    )
    SELECT parts_of_run::integer, bytes_of_run::float8, EXISTS (SELECT FROM staged) AS is_staged FROM others`.execute(
    tx,
  );
  const [others] = rows;
  if (!others || others.is_staged) return;
  if (others.parts_of_run >= partsOfRun)
    throw new ApiError('payload_too_large', `A task can have at most ${partsOfRun} parts.`);
  throw new ApiError(
    'payload_too_large',
    others.bytes_of_run + bytes > bytesOfRun
      ? `The parts of a task can have at most ${bytesOfRun} bytes.`
      : `The parts of all tasks of an organization can have at most ${bytesOfOrganization} bytes. Complete other tasks first.`,
  );
}

/**
 * Returns the sequences of a run's parts, starting at 1.
 * @throws ApiError 409 if a part is missing.
 */
export async function checkParts(
  tx: Tx,
  run: HeldRun,
  leaseToken: string,
  count: number,
): Promise<{ sequence: number }[]> {
  const { rows } = await sql<{ sequence: number }>`
    SELECT sequence FROM run_parts
    WHERE organization_id = ${run.organization_id} AND run_id = ${run.id} AND lease_token = ${leaseToken}
    ORDER BY sequence`.execute(tx);
  if (rows.length !== count)
    throw new ApiError('conflict', `Expected ${count} parts, received ${rows.length}.`);
  const missing = rows.findIndex((row, index) => row.sequence !== index + 1);
  if (missing >= 0) throw new ApiError('conflict', `Part ${missing + 1} is missing.`);
  return rows;
}

/**
 * Returns a subquery for all staged items of a run, with the `sequence` of the part, the `number` of the item
 * in it, and the `item`.
 */
export function stagedItems(run: HeldRun, leaseToken: string): RawBuilder<unknown> {
  return sql`(
    SELECT sequence, element.number, element.item
    FROM run_parts, jsonb_array_elements(items) WITH ORDINALITY AS element (item, number)
    WHERE organization_id = ${run.organization_id} AND run_id = ${run.id} AND lease_token = ${leaseToken})`;
}

/**
 * Reads the parts of a run one after another, in order of their sequence, starting at 1.
 * @throws ApiError 409 if a part is missing.
 */
export async function* readParts<Item>(
  tx: Tx,
  run: HeldRun,
  leaseToken: string,
  count: number,
): AsyncGenerator<Item[]> {
  for (const { sequence } of await checkParts(tx, run, leaseToken, count)) {
    // Select one row per item, so that rows are parsed as they arrive, not as a single string of 8 MiB.
    const part = await sql<{ item: Item }>`
      SELECT element.item FROM run_parts, jsonb_array_elements(items) WITH ORDINALITY AS element (item, number)
      WHERE organization_id = ${run.organization_id} AND run_id = ${run.id} AND lease_token = ${leaseToken}
        AND sequence = ${sequence}
      ORDER BY element.number`.execute(tx);
    yield part.rows.map(({ item }) => item);
  }
}
