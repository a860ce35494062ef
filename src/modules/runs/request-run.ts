import { sql } from 'kysely';
import type { Schemas } from '../../generated/client-api.ts';
import { runsTopic, type Tx, wake } from '../../platform/database/index.ts';
import { publishChanges } from '../audit/index.ts';
import type { JobTable } from './job-kind.ts';
import { giveRowsToChecksOfJobs } from './scheduled-checks.ts';

export type RunTrigger = Schemas['Run']['trigger'];

interface JobToRun {
  organizationId: number;
  jobId: number;
  credentialName: string | null;
  /** Delay of the run, so that many at once leave room for other jobs. Default 0. */
  delayMs?: number;
}

export function toJobToRun(
  organizationId: number,
  { id, credential_name }: { id: number; credential_name: string | null },
): JobToRun {
  return { organizationId, jobId: id, credentialName: credential_name };
}

/**
 * Queues a run of each job that has no open run, in one statement. Jobs that already have a queued run or a
 * run in progress are skipped without an error.
 *
 * @returns The number of queued runs.
 */
export async function requestRuns(
  tx: Tx,
  kind: JobTable,
  jobs: readonly JobToRun[],
  trigger: RunTrigger,
): Promise<number> {
  if (jobs.length === 0) return 0;
  if (trigger === 'hook') await lockRetryingRuns(tx, kind, jobs);
  // Only an inactive job gets a run when it's created or activated, and the schedule skips jobs with a check in progress.
  if (trigger !== 'created' && trigger !== 'schedule') await giveRowsToChecksOfJobs(tx, kind, jobs);
  if (trigger !== 'created') await clearFailures(tx, kind, jobs);
  const result = await sql`
    INSERT INTO runs (organization_id, kind, ${sql.ref(kind.runColumn)}, trigger, credential_name, capability, due_at)
    SELECT job.organization_id, ${kind.name}, job.job_id, ${trigger}, job.credential_name, ${kind.capability},
      pacekeeper_now() + job.delay_ms * interval '1 millisecond'
    FROM unnest(
      ${jobs.map((job) => job.organizationId)}::bigint[], ${jobs.map((job) => job.jobId)}::bigint[],
      ${jobs.map((job) => job.credentialName)}::text[], ${jobs.map((job) => job.delayMs ?? 0)}::integer[]
    ) AS job (organization_id, job_id, credential_name, delay_ms)
    -- The join skips jobs that were deleted in the meantime.
    JOIN ${sql.table(kind.table)} AS jobs ON jobs.organization_id = job.organization_id AND jobs.id = job.job_id
    ON CONFLICT DO NOTHING`.execute(tx);
  if (trigger === 'manual') {
    await expediteQueuedRuns(tx, kind, jobs);
    await adoptScheduledRuns(tx, kind, jobs);
  }
  if (trigger === 'hook') await retryFailedRunsNow(tx, kind, jobs);
  for (const [organizationId, of] of Map.groupBy(jobs, (job) => job.organizationId)) {
    wake(tx, runsTopic({ organizationId, kind: kind.name }));
    const ids = of.map((job) => job.jobId);
    publishChanges(tx, organizationId, `${kind.name}_job`, ids, 'updated');
  }
  return Number(result.numAffectedRows ?? 0);
}

/**
 * Clears the failed outcome of jobs, because a job with an open run isn't considered failed. Jobs are updated
 * before their runs are inserted. Schedules also lock jobs first, so the opposite order could deadlock.
 */
async function clearFailures(tx: Tx, kind: JobTable, jobs: readonly JobToRun[]): Promise<void> {
  await sql`
    WITH locked AS (
      SELECT organization_id, id FROM ${sql.table(kind.table)}
      WHERE (organization_id, id) IN (SELECT * FROM unnest(
          ${jobs.map((job) => job.organizationId)}::bigint[], ${jobs.map((job) => job.jobId)}::bigint[]))
        AND last_outcome = 'failed'
      ORDER BY organization_id, id FOR NO KEY UPDATE
    )
    UPDATE ${sql.table(kind.table)} AS jobs SET last_outcome = 'none', last_outcome_at = NULL
    FROM locked WHERE jobs.organization_id = locked.organization_id AND jobs.id = locked.id`.execute(tx);
}

/**
 * Makes queued runs due immediately and marks them as manual, because a manual run must read everything. This
 * includes runs that were queued by a schedule and runs that wait for a retry.
 */
async function expediteQueuedRuns(tx: Tx, kind: JobTable, jobs: readonly JobToRun[]): Promise<void> {
  await sql`
    UPDATE runs SET trigger = 'manual', due_at = least(due_at, pacekeeper_now()), updated_at = pacekeeper_now()
    FROM unnest(${jobs.map((job) => job.organizationId)}::bigint[], ${jobs.map((job) => job.jobId)}::bigint[])
      AS job (organization_id, job_id)
    WHERE runs.organization_id = job.organization_id AND runs.kind = ${kind.name} AND runs.job_id = job.job_id
      AND runs.status = 'queued'`.execute(tx);
}

/**
 * Marks scheduled runs in progress as manual, because the request starts no second run. The result is then listed
 * even if nothing changed. Skips runs that are ending at this moment, so that the request doesn't wait for them.
 */
async function adoptScheduledRuns(tx: Tx, kind: JobTable, jobs: readonly JobToRun[]): Promise<void> {
  await sql`
    WITH running AS (
      SELECT organization_id, id FROM runs
      WHERE (organization_id, job_id) IN (SELECT * FROM unnest(
          ${jobs.map((job) => job.organizationId)}::bigint[], ${jobs.map((job) => job.jobId)}::bigint[]))
        AND kind = ${kind.name} AND status = 'in_progress' AND trigger = 'schedule'
      FOR UPDATE SKIP LOCKED
    )
    UPDATE runs SET trigger = 'manual', updated_at = pacekeeper_now()
    FROM running WHERE runs.organization_id = running.organization_id AND runs.id = running.id`.execute(tx);
}

/** Locks the runs that wait for a retry. Runs are always locked before jobs. */
async function lockRetryingRuns(tx: Tx, kind: JobTable, jobs: readonly JobToRun[]): Promise<void> {
  await sql`
    SELECT FROM runs
    WHERE (organization_id, job_id) IN (SELECT * FROM unnest(
        ${jobs.map((job) => job.organizationId)}::bigint[], ${jobs.map((job) => job.jobId)}::bigint[]))
      AND kind = ${kind.name} AND ${isRetrying}
    ORDER BY id FOR UPDATE`.execute(tx);
}

/**
 * Retries failed runs immediately, because the push that triggered this request can have fixed the failure. The host's
 * rate limit still applies.
 */
async function retryFailedRunsNow(tx: Tx, kind: JobTable, jobs: readonly JobToRun[]): Promise<void> {
  await sql`
    UPDATE runs SET due_at = pacekeeper_now(), updated_at = pacekeeper_now()
    FROM unnest(${jobs.map((job) => job.organizationId)}::bigint[], ${jobs.map((job) => job.jobId)}::bigint[])
      AS job (organization_id, job_id)
    WHERE runs.organization_id = job.organization_id AND runs.kind = ${kind.name} AND runs.job_id = job.job_id
      AND ${isRetrying}`.execute(tx);
}

/** True if a run in `runs` waits for a retry after a failure other than a rate limit of the host. */
export const isRetrying = sql<boolean>`(runs.status = 'queued' AND runs.due_at > pacekeeper_now()
  AND runs.error_code <> 'rate_limited')`;

/**
 * Cancels the open run of a job whose source, file, or expression has changed, because that run reads the
 * wrong data and its result must be ignored. Then queues a new run.
 */
export async function requestRunAfterChange(tx: Tx, kind: JobTable, job: JobToRun): Promise<void> {
  // Another transaction can be inserting a run of the job as it was before the change. The insert waits for
  // that transaction. The next attempt then cancels that run too.
  for (let tries = 0; tries < 3; tries++) {
    await cancelRuns(tx, kind, job.organizationId, job.jobId);
    if ((await requestRuns(tx, kind, [job], 'changed')) > 0) return;
  }
}

/** Cancels the open run or the check in progress of a job, and deletes its staged results. The job then has no outcome. */
export async function cancelRuns(
  tx: Tx,
  kind: JobTable,
  organizationId: number,
  jobId: number,
): Promise<void> {
  await giveRowsToChecksOfJobs(tx, kind, [{ organizationId, jobId }]);
  await sql`
    WITH forgotten AS (
      UPDATE ${sql.table(kind.table)} AS jobs SET last_outcome = 'none', last_outcome_at = NULL
      WHERE organization_id = ${organizationId} AND id = ${jobId} AND last_outcome <> 'none'
        AND EXISTS (
          SELECT FROM runs
          WHERE runs.organization_id = jobs.organization_id AND runs.kind = ${kind.name} AND runs.job_id = jobs.id
            AND runs.status IN ('queued', 'in_progress'))
      RETURNING 1
    ), canceled AS (
      UPDATE runs
      SET status = 'canceled', lease_token = NULL, lease_until = NULL, finished_at = pacekeeper_now(),
          updated_at = pacekeeper_now()
      -- Update the job before its runs, in the same order as when a run ends.
      FROM (SELECT count(*) FROM forgotten) AS job_first
      WHERE organization_id = ${organizationId} AND kind = ${kind.name} AND job_id = ${jobId}
        AND status IN ('queued', 'in_progress')
      RETURNING id
    )
    DELETE FROM run_parts USING canceled
    WHERE run_parts.organization_id = ${organizationId} AND run_parts.run_id = canceled.id`.execute(tx);
}
