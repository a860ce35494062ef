import { sql } from 'kysely';
import { staleAfterMs } from '../../domain/scheduling/cron-schedule.ts';
import type { Tx } from '../../platform/database/index.ts';
import { systemOrganizationId } from '../accounts/index.ts';
import { endProblem, isoTime, lockEndedProblems, planServiceEvent } from '../notifications/index.ts';
import { type JobTable, lastSuccessfulRunSql, markJobFailing } from '../runs/index.ts';
import { type OrganizationJobKind, organizationJobKinds } from './job-kinds.ts';

interface SilentJob {
  organization_id: number;
  id: number;
  name: string;
  cron_expression: string;
  last_success_at: Date | null;
  /** Time of the last success or of the last change to the job, which restarts the period. */
  since: Date;
  now: Date;
}

/** Minimum time without a success before a job is reported as failing. */
const minFailingAge = sql`interval '2 days'`;

/**
 * Notifies organizations of scheduled jobs without a success for three of their intervals and at least two
 * days, because their data is stale. Notifies once until the next success. Gather jobs that a helm sync job
 * manages have no schedule; only the helm sync job is reported.
 *
 * For a global job, notifies the system organization and every organization that compares versions with the
 * job's data.
 *
 * @returns The number of organizations notified. If it reaches `limit`, there can be more.
 */
export async function detectFailingJobsAcrossOrganizations(tx: Tx, limit: number): Promise<number> {
  let count = 0;
  for (const kind of organizationJobKinds) {
    for await (const job of silentJobs(tx, kind)) {
      if (count >= limit) return count;
      if (job.now.getTime() - job.since.getTime() < staleAfterMs(job.cron_expression)) continue;
      count += await markFailing(tx, kind, job);
    }
  }
  return count;
}

/**
 * Notifies organizations of jobs that were reported as failing and have succeeded since, were deleted, or no
 * longer fail because of a change. A disabled job is still failing.
 *
 * @returns The number of reports of the kind of job that has the most. If it reaches `limit`, call again.
 */
export async function detectRecoveredJobsAcrossOrganizations(tx: Tx, limit: number): Promise<number> {
  let most = 0;
  for (const kind of organizationJobKinds) {
    const ended = await lockEndedProblems(
      tx,
      null,
      {
        type: 'job.failing',
        subjectKind: kind.name,
        table: kind.table,
        // A version tracker that is now manual has no runs, so it can't succeed.
        isOver: sql<boolean>`(s.failing_since IS NULL OR s.cron_expression IS NULL)`,
        hasRecovered: sql<boolean>`(s.failing_since IS NULL AND s.last_success_at IS NOT NULL)`,
        changes: sql`jsonb_build_object('last_success_at', ${isoTime(sql`s.last_success_at`)})`,
      },
      limit,
    );
    // Remove the mark of a job that was changed, so that the job is reported again if it still fails after
    // the change.
    const reconfigured = ended.filter(({ resolution }) => resolution === 'reconfigured');
    await sql`
      UPDATE ${sql.table(kind.table)} SET failing_since = NULL
      WHERE failing_since IS NOT NULL AND (organization_id, id) IN (SELECT * FROM unnest(
        ${reconfigured.map((each) => each.subjectOrganizationId)}::bigint[],
        ${reconfigured.map((each) => each.subjectId)}::bigint[]))`.execute(tx);
    for (const each of ended) {
      const changes = { error_code: null, error_message: null, ...each.changes };
      await endProblem(tx, { ...each, changes });
    }
    most = Math.max(most, ended.length);
  }
  return most;
}

/**
 * Reads, page by page, the jobs without a recorded success for `minFailingAge`. A job records a success only
 * if the previously recorded one is old, so the query also reads the last successful run.
 */
async function* silentJobs(tx: Tx, kind: JobTable): AsyncGenerator<SilentJob> {
  const recordedSince = sql`greatest(coalesce(last_success_at, created_at), updated_at)`;
  let last: (SilentJob & { noted_since: Date }) | undefined;
  const pageSize = 500;
  for (;;) {
    const isAfter = last
      ? sql`(${recordedSince}, organization_id, id) > (${last.noted_since.toISOString()}::timestamptz, ${last.organization_id}::bigint, ${last.id}::bigint)`
      : sql`true`;
    const { rows } = await sql<SilentJob & { noted_since: Date }>`
      SELECT organization_id, id, name, cron_expression, greatest(last_success_at, last_run_at) AS last_success_at,
        greatest(noted_since, last_run_at) AS since, noted_since, pacekeeper_now() AS now
      FROM (
        SELECT organization_id, id, name, cron_expression, last_success_at, counted_in_run_id, last_counted_at,
          ${recordedSince} AS noted_since
        FROM ${sql.table(kind.table)}
        WHERE is_active AND cron_expression IS NOT NULL AND failing_since IS NULL
          AND ${recordedSince} <= pacekeeper_now() - ${minFailingAge} AND ${isAfter}
        ORDER BY ${recordedSince}, organization_id, id LIMIT ${pageSize}
      ) AS jobs CROSS JOIN LATERAL (SELECT ${lastSuccessfulRunSql(kind)} AS last_run_at) AS run
      ORDER BY noted_since, organization_id, id`.execute(tx);
    yield* rows;
    last = rows.at(-1);
    if (rows.length < pageSize) return;
  }
}

/**
 * @returns The number of organizations notified, or 0 if the job was already marked as failing or no longer
 * qualifies.
 */
async function markFailing(
  tx: Tx,
  kind: OrganizationJobKind,
  { organization_id: organizationId, id, name, last_success_at: lastSuccessAt }: SilentJob,
): Promise<number> {
  const { ofOrganizations: jobs } = kind;
  if (!(await markJobFailing(tx, kind, organizationId, id, lastSuccessAt))) return 0;
  await jobs.evaluateStale(tx, organizationId, id);
  if (await jobs.isReportedElsewhere(tx, organizationId, id)) return 0;
  const error = await readLastError(tx, kind, organizationId, id);
  const job = { id, kind: kind.name, name, ...error, last_success_at: lastSuccessAt?.toISOString() ?? null };
  const users = organizationId === systemOrganizationId ? await jobs.listUsersOfGlobalJob(tx, id) : [];
  for (const recipientId of [organizationId, ...users])
    await planServiceEvent(tx, recipientId, {
      type: 'job.failing',
      data: { job },
      subjectOrganizationId: organizationId,
    });
  return 1 + users.length;
}

/**
 * Returns the error of the newest run that failed or was retried. Both fields are null if no run has an
 * error, for example because no agent claimed it.
 */
async function readLastError(
  tx: Tx,
  { runColumn }: JobTable,
  organizationId: number,
  jobId: number,
): Promise<{ error_code: string | null; error_message: string | null }> {
  const { rows } = await sql<{ error_code: string | null; error_message: string | null }>`
    SELECT error_code, error_message FROM runs
    WHERE organization_id = ${organizationId} AND ${sql.ref(runColumn)} = ${jobId} AND error_code IS NOT NULL
    ORDER BY id DESC LIMIT 1`.execute(tx);
  return rows[0] ?? { error_code: null, error_message: null };
}
