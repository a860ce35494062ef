import { sql } from 'kysely';
import type { HookNames } from '../../domain/hooks/hook-names.ts';
import { type Database, dueTopic, type Tx, transaction, wake } from '../../platform/database/index.ts';
import {
  type Claim,
  type DueLoop,
  type DueTable,
  finishDueRows,
  handleIndividually,
  recoverDueRows,
  startDueLoop,
} from '../../platform/due-rows/index.ts';
import type { Log } from '../../platform/log.ts';
import { jobKinds } from '../agents/index.ts';
import { hasClaimedCheck, isRetrying, requestRuns } from '../runs/index.ts';

export const dueHookedJobsTable = {
  name: 'hooked_jobs',
  keys: { organization_id: 'bigint', kind: 'text', job_id: 'bigint' },
  turnOf: 'organization_id',
} as const satisfies DueTable;

type Kind = 'gather' | 'scrape' | 'discovery';

/** Minimum interval between runs of a job that hooks trigger. */
const minIntervalMs = 60_000;
const allowedAt = sql`greatest(pacekeeper_now(),
  hooked_jobs.last_run_at + ${sql.lit(minIntervalMs)} * interval '1 millisecond')`;
/**
 * Delay before checking again whether the current run has ended. The current run may have read its source
 * before the push, so another run must follow.
 */
const runCheckIntervalMs = 2_000;

/**
 * Schedules the active jobs of an organization that read the repositories or artifacts of an event. Jobs that
 * are already due stay due, so many events cause one run.
 *
 * @returns The number of jobs that match the event.
 */
export async function triggerHookedJobs(
  tx: Tx,
  organizationId: number,
  { repositories, artifacts, isRepositoryChange }: HookNames,
): Promise<number> {
  const { rows } = await sql<{ named: number; changed: number }>`
    WITH named AS MATERIALIZED (
      SELECT 'scrape' AS kind, id FROM scrape_jobs
      WHERE organization_id = ${organizationId} AND is_active AND parser_type <> 'discovered'
        AND repository_url = ANY(${repositories}::text[])
      UNION ALL
      SELECT 'discovery', id FROM discovery_jobs
      WHERE organization_id = ${organizationId} AND is_active AND repository_url = ANY(${repositories}::text[])
      UNION ALL
      -- After a change to a repository itself, its group must be listed again: the repository is new,
      -- renamed, or archived.
      SELECT 'discovery', id FROM discovery_jobs
      WHERE ${isRepositoryChange} AND organization_id = ${organizationId} AND is_active AND kind = 'repository_group'
        AND EXISTS (SELECT FROM unnest(${repositories}::text[]) AS url WHERE starts_with(lower(url), lower(group_url) || '/'))
      UNION ALL
      SELECT 'gather', id FROM gather_jobs
      WHERE organization_id = ${organizationId} AND is_active AND helm_sync_job_id IS NULL AND scrape_job_id IS NULL
        AND artifact_name = ANY(${artifacts}::text[])
    ), changed AS (
      INSERT INTO hooked_jobs (organization_id, kind, job_id, due_at, requested_seq)
      SELECT ${organizationId}::bigint, kind, id, pacekeeper_now(), 1 FROM named
      -- All requests lock the rows in this order, to avoid deadlocks.
      ORDER BY kind, id
      ON CONFLICT (organization_id, kind, job_id) DO UPDATE
      SET requested_seq = hooked_jobs.requested_seq + 1, due_at = least(hooked_jobs.due_at, ${allowedAt})
      -- A job that is due soon enough stays unchanged, unless it's being handled, because its run may have
      -- read the source before the event.
      WHERE hooked_jobs.lease_token IS NOT NULL OR hooked_jobs.due_at > ${allowedAt}
      RETURNING 1
    )
    SELECT (SELECT count(*)::int FROM named) AS named, (SELECT count(*)::int FROM changed) AS changed`.execute(
    tx,
  );
  const { named, changed } = rows[0]!;
  if (changed > 0) wake(tx, dueTopic(dueHookedJobsTable.name));
  return named;
}

interface DueJob {
  organization_id: number;
  kind: Kind;
  job_id: number;
  last_run_at: Date | null;
}

/**
 * Requests the runs of jobs that hooks have scheduled: at most one run per minute, and always one after the
 * last event.
 */
export function startHookLoop(deps: { db: Database; log: Log }): DueLoop {
  return startDueLoop<DueJob>({
    ...deps,
    table: dueHookedJobsTable,
    batchSize: 200,
    maxInFlight: 200,
    leaseMs: 30_000,
    columns: ['last_run_at'],
    handle: (claims) => handleIndividually(claims, (part) => transaction(deps.db, (tx) => runJobs(tx, part))),
  });
}

async function runJobs(tx: Tx, claims: readonly Claim<DueJob>[]): Promise<void> {
  const states = await readStates(
    tx,
    claims.map(({ row }) => row),
  );
  const decided = claims.map((claim) => ({
    claim,
    ...decide(claim.row, states.get(keyOf(claim.row)), claim.now),
  }));
  const held = await finishDueRows(tx, dueHookedJobsTable, decided);
  const starting = decided.filter(({ claim, isStarting }) => isStarting && held.has(claim.leaseToken));
  for (const [kind, of] of Map.groupBy(starting, ({ claim }) => claim.row.kind)) {
    const jobs = of.map(({ claim: { row } }) => ({
      organizationId: row.organization_id,
      jobId: row.job_id,
      credentialName: states.get(keyOf(row))?.credential_name ?? null,
    }));
    await requestRuns(tx, jobKinds[kind], jobs, 'hook');
  }
  await sql`
    UPDATE hooked_jobs SET last_run_at = pacekeeper_now()
    FROM unnest(
      ${starting.map(({ claim }) => claim.row.organization_id)}::bigint[],
      ${starting.map(({ claim }) => claim.row.kind)}::text[],
      ${starting.map(({ claim }) => claim.row.job_id)}::bigint[]
    ) AS started (organization_id, kind, job_id)
    WHERE hooked_jobs.organization_id = started.organization_id AND hooked_jobs.kind = started.kind
      AND hooked_jobs.job_id = started.job_id`.execute(tx);
}

/**
 * Recovers hooked jobs after the clock was set back. Otherwise, jobs with a last run in the future would
 * ignore hooks until that time.
 *
 * @param backMs how far the clock was set back
 */
export async function recoverHookedJobsAcrossOrganizations(tx: Tx, backMs: number): Promise<void> {
  await recoverDueRows(tx, dueHookedJobsTable, { backMs, isSchedule: true });
  await sql`UPDATE hooked_jobs SET last_run_at = NULL WHERE last_run_at > pacekeeper_now()`.execute(tx);
}

interface JobState {
  is_active: boolean;
  credential_name: string | null;
  /**
   * Status of the unfinished run, or null if there's none. `retrying` means that the run waits after a
   * failure.
   */
  open_run: 'queued' | 'retrying' | 'in_progress' | null;
}

function decide(
  row: DueJob,
  state: JobState | undefined,
  now: Date,
): { isStarting: boolean; nextDueAt: Date | null } {
  // Don't start a run if the job was deleted or disabled after the event, or if a run is already queued, because that
  // run will read the pushed changes.
  if (!state?.is_active || state.open_run === 'queued') return { isStarting: false, nextDueAt: null };
  const allowedAtMs = (row.last_run_at?.getTime() ?? 0) + minIntervalMs;
  if (allowedAtMs > now.getTime()) return { isStarting: false, nextDueAt: new Date(allowedAtMs) };
  if (state.open_run === 'in_progress')
    return { isStarting: false, nextDueAt: new Date(now.getTime() + runCheckIntervalMs) };
  return { isStarting: true, nextDueAt: null };
}

async function readStates(tx: Tx, rows: readonly DueJob[]): Promise<Map<string, JobState>> {
  const read = await sql<JobState & { organization_id: number; kind: Kind; job_id: number }>`
    WITH due AS (
      SELECT * FROM unnest(
        ${rows.map((row) => row.organization_id)}::bigint[], ${rows.map((row) => row.kind)}::text[],
        ${rows.map((row) => row.job_id)}::bigint[]) AS due (organization_id, kind, job_id)
    ), states AS (
      ${sql.join(
        [jobKinds.scrape, jobKinds.discovery, jobKinds.gather].map(
          (kind) => sql`
      SELECT due.*, is_active, credential_name, ${hasClaimedCheck(kind)} AS is_checked
      FROM due JOIN ${sql.table(kind.table)} AS jobs
        ON due.kind = ${sql.lit(kind.name)} AND jobs.organization_id = due.organization_id AND jobs.id = due.job_id`,
        ),
        sql` UNION ALL `,
      )}
    )
    SELECT organization_id, kind, job_id, is_active, credential_name, CASE WHEN is_checked THEN 'in_progress' ELSE (
      SELECT CASE WHEN ${isRetrying} THEN 'retrying' ELSE status END FROM runs
      WHERE runs.organization_id = states.organization_id AND runs.kind = states.kind AND runs.job_id = states.job_id
        AND runs.status IN ('queued', 'in_progress')
    ) END AS open_run
    FROM states`.execute(tx);
  return new Map(read.rows.map((row) => [keyOf(row), row]));
}

function keyOf({
  organization_id,
  kind,
  job_id,
}: Pick<DueJob, 'organization_id' | 'kind' | 'job_id'>): string {
  return `${organization_id}/${kind}/${job_id}`;
}
