import { type RawBuilder, sql } from 'kysely';
import {
  type Database,
  dueTopic,
  isDatabaseUnavailable,
  type Tx,
  transaction,
  wake,
} from '../../platform/database/index.ts';
import {
  type Claim,
  type DueLoop,
  type DueTable,
  finishDueRows,
  startDueLoop,
} from '../../platform/due-rows/index.ts';
import type { TurnScheduler } from '../../platform/fairness/index.ts';
import type { Log } from '../../platform/log.ts';
import { systemOrganizationId } from '../accounts/index.ts';
import {
  createEvaluationTurnScheduler,
  triggerEvaluation,
  triggerEvaluationsAcrossOrganizations,
} from '../monitoring/index.ts';

/**
 * Gather jobs whose releases have changed. They are due until all configurations that use them are marked for
 * evaluation.
 */
export const dueFanOutsTable = {
  name: 'release_fan_outs',
  keys: { organization_id: 'bigint', gather_job_id: 'bigint' },
  turnOf: 'organization_id',
} as const satisfies DueTable;

export interface DueFanOut {
  organization_id: number;
  gather_job_id: number;
  cursor_organization_id: number;
  cursor_alert_config_id: number;
}

export const fanOutColumns = ['cursor_organization_id', 'cursor_alert_config_id'] as const;

/**
 * Triggers an evaluation of every configuration that uses one of these jobs. A fan-out that is already in
 * progress starts from the beginning. If a job reads a mirror, the configurations that compare with the
 * original are included, because they also show the releases of the mirror.
 */
export async function triggerFanOuts(
  tx: Tx,
  organizationId: number,
  jobIds: readonly number[],
): Promise<void> {
  if (jobIds.length === 0) return;
  const { rows } = await sql<{ id: number }>`
    WITH originals AS MATERIALIZED (${originalsOf(organizationId, jobIds)}), marked AS (
      INSERT INTO release_fan_outs (organization_id, gather_job_id, due_at, requested_seq)
      SELECT ${organizationId}, id, pacekeeper_now(), 1 FROM (
        SELECT id FROM unnest(${[...jobIds]}::bigint[]) AS id
        UNION SELECT id FROM originals WHERE organization_id = ${organizationId}
      ) AS changed
      ORDER BY id
      ON CONFLICT (organization_id, gather_job_id) DO UPDATE
      SET requested_seq = release_fan_outs.requested_seq + 1, due_at = least(release_fan_outs.due_at, EXCLUDED.due_at),
          cursor_organization_id = 0, cursor_alert_config_id = 0
    )
    SELECT id FROM originals WHERE organization_id <> ${organizationId}`.execute(tx);
  wake(tx, dueTopic(dueFanOutsTable.name, organizationId));
  // Trigger only the evaluations of this organization, because a fan-out of a global job evaluates those of
  // all organizations.
  const globalJobIds = rows.map(({ id }) => id);
  if (globalJobIds.length > 0) await triggerEvaluation(tx, { organizationId, globalJobIds });
}

/**
 * For jobs that read mirrors, selects the jobs that read the originals: those of the organization, and global
 * ones. The selected jobs can't be deleted until the transaction ends.
 */
function originalsOf(organizationId: number, jobIds: readonly number[]): RawBuilder<unknown> {
  return sql`
    SELECT original.organization_id, original.id
    FROM (
      SELECT DISTINCT repository_address(mirror_of) AS address FROM gather_jobs
      WHERE organization_id = ${organizationId} AND id = ANY(${[...jobIds]}::bigint[]) AND mirror_of IS NOT NULL
    ) AS mirrored CROSS JOIN LATERAL (
      -- A subquery with a lock runs once for each address. A join could read all jobs even if there's no mirror.
      SELECT organization_id, id FROM gather_jobs
      WHERE organization_id IN (${organizationId}, ${systemOrganizationId})
        AND repository_address(artifact_name) = mirrored.address
      ORDER BY organization_id, id FOR KEY SHARE
    ) AS original
    ORDER BY original.organization_id, original.id`;
}

const configBatchSize = 1_000;
/** Maximum time that a step waits for locks while other jobs of the same claim wait for the step. */
const maxLockWaitMs = 1_000;

/** Starts a loop that marks the configurations of changed gather jobs, step by step. */
export function startFanOutLoop(deps: {
  db: Database;
  log: Log;
  /** Scheduler of turns, which the loop shares with evaluations. */
  evaluationTurns?: TurnScheduler;
}): DueLoop {
  const turns = deps.evaluationTurns ?? createEvaluationTurnScheduler();
  return startDueLoop<DueFanOut>({
    ...deps,
    table: dueFanOutsTable,
    batchSize: 20,
    maxInFlight: 20,
    quickRows: 2,
    beginTurn: (signal) => turns.begin('fan-outs', signal),
    leaseMs: 60_000,
    columns: fanOutColumns,
    async handle(claims) {
      const used = await listUsed(deps.db, claims);
      const unused = claims.filter((claim) => !used.has(claim.leaseToken));
      await finishDueRows(
        deps.db,
        dueFanOutsTable,
        unused.map((claim) => ({ claim, nextDueAt: null })),
      );
      const failures: unknown[] = [];
      for (const claim of claims.filter((each) => used.has(each.leaseToken))) {
        await transaction(deps.db, async (tx) => {
          if (claims.length > 1) await sql`SET LOCAL lock_timeout = ${sql.lit(maxLockWaitMs)}`.execute(tx);
          await fanOutStep(tx, claim, configBatchSize);
        }).catch((error: unknown) => {
          if (isDatabaseUnavailable(error)) throw error;
          failures.push(error);
        });
      }
      // Throw only after all jobs were processed, because a failing job must not delay the others, whose
      // leases have already ended.
      if (failures.length > 0) throw failures[0];
    },
  });
}

/**
 * Returns the leases of jobs that at least one configuration uses. In a large installation, most jobs are
 * unused. A configuration that starts to use a job in the meantime becomes due automatically.
 */
async function listUsed(db: Database, claims: readonly Claim<DueFanOut>[]): Promise<Set<string>> {
  const { rows } = await sql<{ lease: string }>`
    SELECT lease FROM unnest(
      ${claims.map(({ row }) => row.organization_id)}::bigint[], ${claims.map(({ row }) => row.gather_job_id)}::bigint[],
      ${claims.map((claim) => claim.leaseToken)}::text[]
    ) AS job (organization_id, id, lease)
    WHERE EXISTS (
      SELECT 1 FROM alert_configs
      WHERE gather_organization_id = job.organization_id AND gather_job_id = job.id)`.execute(db);
  return new Set(rows.map((row) => row.lease));
}

/** Processes one step of a job. If configurations remain, the job moves to the end of the queue. */
export async function fanOutStep(tx: Tx, claim: Claim<DueFanOut>, limit: number): Promise<void> {
  const next = await markNextConfigs(tx, claim, limit);
  await finishFanOutStep(tx, claim, next);
}

interface Cursor {
  organizationId: number;
  alertConfigId: number;
}

/** @returns The position of the last marked configuration, or null if none are left. */
export async function markNextConfigs(
  tx: Tx,
  { row: job, requestedSeq }: Pick<Claim<DueFanOut>, 'row' | 'requestedSeq'>,
  limit: number,
): Promise<Cursor | null> {
  const { rows } = await sql<{ organization_id: number; id: number }>`
    SELECT organization_id, id FROM alert_configs
    WHERE gather_organization_id = ${job.organization_id} AND gather_job_id = ${job.gather_job_id}
      AND (organization_id, id) > (${job.cursor_organization_id}, ${job.cursor_alert_config_id})
    ORDER BY organization_id, id LIMIT ${limit}`.execute(tx);
  await triggerEvaluationsAcrossOrganizations(
    tx,
    rows.map((row) => ({ organizationId: row.organization_id, id: row.id })),
    // Each change to the releases is a separate cause, so that alerts don't wait for configurations that only
    // a later change makes due.
    `release ${job.organization_id}/${job.gather_job_id}/${requestedSeq}`,
  );
  const last = rows.at(-1);
  return last && rows.length === limit
    ? { organizationId: last.organization_id, alertConfigId: last.id }
    : null;
}

/** Completes a step. If a trigger has reset the cursor since the claim, the reset cursor is kept. */
export async function finishFanOutStep(tx: Tx, claim: Claim<DueFanOut>, next: Cursor | null): Promise<void> {
  const cursor = next ?? { organizationId: 0, alertConfigId: 0 };
  const isUnchanged = sql`due_row.requested_seq = finished_requested_seq`;
  await finishDueRows(tx, dueFanOutsTable, [{ claim, nextDueAt: next && claim.now }], {
    alsoSet: sql`
      cursor_organization_id = CASE WHEN ${isUnchanged} THEN ${cursor.organizationId}::bigint
        ELSE due_row.cursor_organization_id END,
      cursor_alert_config_id = CASE WHEN ${isUnchanged} THEN ${cursor.alertConfigId}::bigint
        ELSE due_row.cursor_alert_config_id END`,
  });
}
