import { sql } from 'kysely';
import {
  cancelRuns,
  failRun,
  type HeldRun,
  type JobKind,
  requestRuns,
  succeedRuns,
} from '../../src/modules/runs/index.ts';
import type { Tx } from '../../src/platform/database/index.ts';
import { noWakeUps } from './no-wake-ups.ts';

export type RunStatus = 'queued' | 'in_progress' | 'succeeded' | 'failed' | 'canceled';

/** Inserts runs of a job one after another and moves each to its status. */
export async function insertRuns(
  tx: Tx,
  kind: JobKind,
  job: { organizationId: number; jobId: number },
  statuses: readonly RunStatus[],
): Promise<void> {
  for (const status of statuses) {
    await requestRuns(tx, noWakeUps, kind, [{ ...job, credentialName: null }], 'schedule');
    await setRunStatus(tx, kind, job.jobId, status);
  }
}

/** Moves the open run of a job to a status, as an agent or a cancellation would. */
export async function setRunStatus(tx: Tx, kind: JobKind, jobId: number, status: RunStatus): Promise<void> {
  const { rows } = await sql<HeldRun>`
    UPDATE runs SET status = ${status === 'queued' ? 'queued' : 'in_progress'}
    WHERE kind = ${kind} AND job_id = ${jobId} AND status IN ('queued', 'in_progress')
    RETURNING organization_id, id, kind, job_id, attempt, pacekeeper_now() AS now`.execute(tx);
  const run = rows[0]!;
  const failure = {
    code: 'file_not_found',
    message: 'No such file.',
    isRetryable: false,
    retryAt: null,
  } as const;
  if (status === 'succeeded') await succeedRuns(tx, [{ run, summary: {} }]);
  else if (status === 'failed') await failRun(tx, run, failure, 1);
  else if (status === 'canceled') await cancelRuns(tx, kind, run.organization_id, jobId);
}
