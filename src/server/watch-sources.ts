import { sql } from 'kysely';
import { staleAfterMs } from '../domain/scheduling/cron-schedule.ts';
import { markScrapeJobFailing } from '../modules/deployed/index.ts';
import { planServiceEvent } from '../modules/notifications/index.ts';
import { type JobKind, jobKinds } from '../modules/runs/index.ts';
import { markSourceFailing } from '../modules/upstream/index.ts';
import type { Tx, WakeUps } from '../platform/database/index.ts';

interface SilentJob {
  organization_id: number;
  id: number;
  name: string;
  cron_expression: string;
  last_success_at: Date | null;
  /** The last success, or the last time that somebody changed the job, which gives it another chance. */
  since: Date;
  now: Date;
}

/** Nothing counts as stale before that. */
const neverBefore = sql`interval '2 days'`;

/**
 * Jobs with a schedule that have not succeeded for three of their intervals, and for two days at least: what hangs on
 * them is stale, and their organization is told, once until the next success. Gather jobs that a helm sync feeds have
 * no schedule: they stand and fall with the sync.
 *
 * @returns how many; `limit` when there may be more
 */
export async function watchSourcesAcrossOrganizations(
  tx: Tx,
  wakeUps: WakeUps,
  limit: number,
): Promise<number> {
  let count = 0;
  for (const kind of ['helm_sync', 'gather', 'scrape'] as const) {
    for await (const job of silentJobs(tx, kind)) {
      if (count === limit) return count;
      if (job.now.getTime() - job.since.getTime() < staleAfterMs(job.cron_expression)) continue;
      if (await markFailing(tx, wakeUps, kind, job)) count++;
    }
  }
  return count;
}

/** Reads those without success for long enough for the shortest schedule, page by page, the longest first. */
async function* silentJobs(tx: Tx, kind: JobKind): AsyncGenerator<SilentJob> {
  const since = sql`greatest(coalesce(last_success_at, created_at), updated_at)`;
  let last: SilentJob | undefined;
  const pageSize = 500;
  for (;;) {
    const isAfter = last
      ? sql`(${since}, organization_id, id) > (${last.since.toISOString()}::timestamptz, ${last.organization_id}::bigint, ${last.id}::bigint)`
      : sql`true`;
    const { rows } = await sql<SilentJob>`
      SELECT organization_id, id, name, cron_expression, last_success_at, ${since} AS since, pacekeeper_now() AS now
      FROM ${sql.table(jobKinds[kind].table)}
      WHERE is_active AND cron_expression IS NOT NULL AND failing_since IS NULL
        AND ${since} <= pacekeeper_now() - ${neverBefore} AND ${isAfter}
      ORDER BY ${since}, organization_id, id LIMIT ${pageSize}`.execute(tx);
    yield* rows;
    last = rows.at(-1);
    if (rows.length < pageSize) return;
  }
}

async function markFailing(tx: Tx, wakeUps: WakeUps, kind: JobKind, job: SilentJob): Promise<boolean> {
  const { organization_id: organizationId, id, name, last_success_at: lastSuccessAt } = job;
  const isNews =
    kind === 'scrape'
      ? await markScrapeJobFailing(tx, wakeUps, organizationId, id, lastSuccessAt)
      : await markSourceFailing(tx, wakeUps, kind, organizationId, id, lastSuccessAt);
  if (!isNews) return false;
  const error = await readLastError(tx, kind, organizationId, id);
  const data = { job: { id, kind, name, ...error, last_success_at: lastSuccessAt?.toISOString() ?? null } };
  await planServiceEvent(tx, organizationId, { type: 'job.failing', data }, wakeUps);
  return true;
}

/** Why its newest run failed, or was tried again; nothing when no agent took it. */
async function readLastError(
  tx: Tx,
  kind: JobKind,
  organizationId: number,
  jobId: number,
): Promise<{ error_code: string | null; error_message: string | null }> {
  const { rows } = await sql<{ error_code: string | null; error_message: string | null }>`
    SELECT error_code, error_message FROM runs
    WHERE organization_id = ${organizationId} AND ${sql.ref(jobKinds[kind].runColumn)} = ${jobId} AND error_code IS NOT NULL
    ORDER BY id DESC LIMIT 1`.execute(tx);
  return rows[0] ?? { error_code: null, error_message: null };
}
