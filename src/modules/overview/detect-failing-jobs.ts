import { sql } from 'kysely';
import { staleAfterMs } from '../../domain/scheduling/cron-schedule.ts';
import type { Tx, WakeUps } from '../../platform/database/index.ts';
import { systemOrganizationId } from '../accounts/index.ts';
import { markScrapeJobFailing } from '../deployed/index.ts';
import { markDiscoveryFailing } from '../discovery/index.ts';
import { endTrouble, isoTime, lockEndedTroubles, planServiceEvent } from '../notifications/index.ts';
import { type JobKind, jobKinds, lastSuccessfulRunOf } from '../runs/index.ts';
import { markSourceFailing } from '../upstream/index.ts';

/** Kinds of jobs that are checked. Failures of reference data concern operators, not organizations. */
const watchedKinds = ['helm_sync', 'gather', 'scrape', 'discovery'] as const satisfies JobKind[];
type WatchedKind = (typeof watchedKinds)[number];

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
export async function detectFailingJobsAcrossOrganizations(
  tx: Tx,
  wakeUps: WakeUps,
  limit: number,
): Promise<number> {
  let count = 0;
  for (const kind of watchedKinds) {
    for await (const job of silentJobs(tx, kind)) {
      if (count >= limit) return count;
      if (job.now.getTime() - job.since.getTime() < staleAfterMs(job.cron_expression)) continue;
      count += await markFailing(tx, wakeUps, kind, job);
    }
  }
  return count;
}

/**
 * Notifies organizations of jobs that were reported as failing and have succeeded since, were deleted, or no longer
 * fail because of a change. A disabled job is still failing.
 *
 * @returns The highest number of reports of a kind of jobs. If it reaches `limit`, call again.
 */
export async function detectRecoveredJobsAcrossOrganizations(
  tx: Tx,
  wakeUps: WakeUps,
  limit: number,
): Promise<number> {
  let most = 0;
  for (const kind of watchedKinds) {
    const ended = await lockEndedTroubles(
      tx,
      null,
      {
        type: 'job.failing',
        subjectKind: kind,
        table: jobKinds[kind].table,
        // A version tracker that is now manual has no runs, so it can't succeed.
        isOver: sql<boolean>`(s.failing_since IS NULL OR s.cron_expression IS NULL)`,
        hasRecovered: sql<boolean>`(s.failing_since IS NULL AND s.last_success_at IS NOT NULL)`,
        changes: sql`jsonb_build_object('last_success_at', ${isoTime(sql`s.last_success_at`)})`,
      },
      limit,
    );
    // Without its mark, a job that fails again after the change is reported again.
    const reconfigured = ended.filter(({ resolution }) => resolution === 'reconfigured');
    await sql`
      UPDATE ${sql.table(jobKinds[kind].table)} SET failing_since = NULL
      WHERE failing_since IS NOT NULL AND (organization_id, id) IN (SELECT * FROM unnest(
        ${reconfigured.map((each) => each.subjectOrganizationId)}::bigint[],
        ${reconfigured.map((each) => each.subjectId)}::bigint[]))`.execute(tx);
    for (const each of ended) {
      const changes = { error_code: null, error_message: null, ...each.changes };
      await endTrouble(tx, wakeUps, { ...each, changes });
    }
    most = Math.max(most, ended.length);
  }
  return most;
}

/**
 * Reads, page by page, the jobs without a recorded success for `minFailingAge`. A job records a success only
 * if the previously recorded one is old, so the query also reads the last successful run.
 */
async function* silentJobs(tx: Tx, kind: WatchedKind): AsyncGenerator<SilentJob> {
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
        SELECT organization_id, id, name, cron_expression, last_success_at, ${recordedSince} AS noted_since
        FROM ${sql.table(jobKinds[kind].table)}
        WHERE is_active AND cron_expression IS NOT NULL AND failing_since IS NULL
          AND ${recordedSince} <= pacekeeper_now() - ${minFailingAge} AND ${isAfter}
        ORDER BY ${recordedSince}, organization_id, id LIMIT ${pageSize}
      ) AS jobs CROSS JOIN LATERAL (SELECT ${lastSuccessfulRunOf(kind)} AS last_run_at) AS run
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
async function markFailing(tx: Tx, wakeUps: WakeUps, kind: WatchedKind, job: SilentJob): Promise<number> {
  const { organization_id: organizationId, id, name, last_success_at: lastSuccessAt } = job;
  const isNewlyFailing = await markJobFailing();
  if (!isNewlyFailing) return 0;
  if (kind === 'discovery' && (await waitsForList(tx, organizationId, id))) return 0;
  const error = await readLastError(tx, kind, organizationId, id);
  const data = { job: { id, kind, name, ...error, last_success_at: lastSuccessAt?.toISOString() ?? null } };
  const users = organizationId === systemOrganizationId ? await listUsersOfGlobalJob(tx, kind, id) : [];
  for (const recipientId of [organizationId, ...users])
    await planServiceEvent(
      tx,
      recipientId,
      { type: 'job.failing', data, subjectOrganizationId: organizationId },
      wakeUps,
    );
  return 1 + users.length;

  function markJobFailing(): Promise<boolean> {
    if (kind === 'scrape') return markScrapeJobFailing(tx, wakeUps, organizationId, id, lastSuccessAt);
    if (kind === 'discovery') return markDiscoveryFailing(tx, wakeUps, organizationId, id, lastSuccessAt);
    return markSourceFailing(tx, wakeUps, kind, organizationId, id, lastSuccessAt);
  }
}

/**
 * True if a repository in a group isn't scanned because the group's list fails or no longer contains the repository. In
 * this case, only the group is reported. Reads the last finished run instead of the outcome of the job, because each
 * list that requests a scan clears the outcome.
 */
async function waitsForList(tx: Tx, organizationId: number, id: number): Promise<boolean> {
  const { rows } = await sql`
    SELECT FROM discovery_jobs jobs
    WHERE organization_id = ${organizationId} AND id = ${id} AND group_job_id IS NOT NULL
      AND (unlisted_since IS NOT NULL OR (
        SELECT status FROM runs
        WHERE runs.organization_id = jobs.organization_id AND runs.discovery_job_id = jobs.id
          AND runs.status IN ('succeeded', 'failed')
        ORDER BY runs.id DESC LIMIT 1) IS DISTINCT FROM 'failed')`.execute(tx);
  return rows.length > 0;
}

/**
 * Returns the organizations that compare versions with a global gather job, or with one that a global helm
 * sync job manages.
 */
async function listUsersOfGlobalJob(tx: Tx, kind: WatchedKind, jobId: number): Promise<number[]> {
  const { rows } = await sql<{ organization_id: number }>`
    SELECT DISTINCT c.organization_id
    FROM gather_jobs g
    JOIN alert_configs c ON c.gather_organization_id = g.organization_id AND c.gather_job_id = g.id
    WHERE g.organization_id = ${systemOrganizationId} AND c.organization_id <> ${systemOrganizationId} AND c.is_active
      AND ${sql.ref(kind === 'helm_sync' ? 'g.helm_sync_job_id' : 'g.id')} = ${jobId}
    ORDER BY c.organization_id`.execute(tx);
  return rows.map((row) => row.organization_id);
}

/**
 * Returns the error of the newest run that failed or was retried. Both fields are null if no run has an
 * error, for example because no agent claimed it.
 */
async function readLastError(
  tx: Tx,
  kind: WatchedKind,
  organizationId: number,
  jobId: number,
): Promise<{ error_code: string | null; error_message: string | null }> {
  const { rows } = await sql<{ error_code: string | null; error_message: string | null }>`
    SELECT error_code, error_message FROM runs
    WHERE organization_id = ${organizationId} AND ${sql.ref(jobKinds[kind].runColumn)} = ${jobId} AND error_code IS NOT NULL
    ORDER BY id DESC LIMIT 1`.execute(tx);
  return rows[0] ?? { error_code: null, error_message: null };
}
