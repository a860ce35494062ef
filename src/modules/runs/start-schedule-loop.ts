import { type RawBuilder, sql } from 'kysely';
import { type Database, type Tx, transaction } from '../../platform/database/index.ts';
import {
  type Claim,
  type DueLoop,
  finishDueRows,
  finishLockedRows,
  handleIndividually,
  startDueLoop,
} from '../../platform/due-rows/index.ts';
import type { Log } from '../../platform/log.ts';
import { isUnclaimed } from './claimed-checks.ts';
import { dueSchedulesTable, type JobTable } from './job-kind.ts';
import { nextRunOf, type ScheduledJob } from './next-run.ts';
import { requestRuns, toJobToRun } from './request-run.ts';
import { canClaim } from './run-queries.ts';

interface DueJob extends ScheduledJob {
  organization_id: number;
  credential_name: string | null;
}

/**
 * Starts a loop that queues runs of one kind of jobs according to their schedules, unless agents claim the due jobs
 * directly. After a long outage, each missed job runs once.
 */
export function startScheduleLoop(kind: JobTable, deps: { db: Database; log: Log }): DueLoop {
  const table = dueSchedulesTable(kind);
  return startDueLoop<DueJob>({
    ...deps,
    table,
    batchSize: 500,
    maxInFlight: 500,
    leaseMs: 30_000,
    columns: ['credential_name', 'cron_expression', 'cron_timezone', 'is_active'],
    ...(kind.isClaimedWhenDue && { where: () => isLeftByAgents(kind) }),
    async handleLocked(tx, jobs) {
      await finishLockedRows(
        tx,
        table,
        jobs.map(({ row, now }) => ({ row, nextDueAt: nextRunOf(kind, row, now) })),
      );
      await requestScheduled(
        tx,
        jobs.map(({ row }) => row),
      );
    },
    handle: (claims) => handleIndividually(claims, queueRuns),
  });

  async function queueRuns(claims: readonly Claim<DueJob>[]): Promise<void> {
    await transaction(deps.db, async (tx) => {
      const held = await finishDueRows(
        tx,
        table,
        claims.map((claim) => ({ claim, nextDueAt: nextRunOf(kind, claim.row, claim.now) })),
      );
      await requestScheduled(
        tx,
        claims.filter((claim) => held.has(claim.leaseToken)).map(({ row }) => row),
      );
    });
  }

  async function requestScheduled(tx: Tx, jobs: readonly DueJob[]): Promise<void> {
    // Filter only by `is_active`, because a job without a schedule is also due once if its last scan left items to
    // derive.
    const scheduled = jobs.filter((job) => job.is_active);
    const toRun = scheduled.map((job) => toJobToRun(job.organization_id, job));
    await requestRuns(tx, kind, toRun, 'schedule');
  }
}

/**
 * Time in which agents can claim due jobs directly. Jobs that they leave, for example because they are busy, are queued as
 * runs.
 */
const graceInterval = '5 seconds';

/**
 * True if a due job must be queued as a run: no agent checks it, and none that is online can claim it soon. A job that
 * failed is queued immediately, because the next run clears its failure.
 */
function isLeftByAgents(kind: JobTable): RawBuilder<boolean> {
  const job = sql.table(kind.table);
  return sql<boolean>`(${isUnclaimed(kind, undefined, job)} AND (
    due_at <= pacekeeper_now() - ${sql.lit(graceInterval)}::interval OR NOT is_active OR last_outcome = 'failed' OR NOT EXISTS (
      SELECT FROM agents CROSS JOIN LATERAL (SELECT ${job}.*) AS jobs
      WHERE agents.last_heartbeat_at > pacekeeper_now() - interval '60 seconds'
        AND ${kind.capability} = ANY(agents.capabilities) AND ${canClaim(sql`agents`, sql`jobs`)})))`;
}
