import { sql } from 'kysely';
import { jobKinds } from '../../src/modules/agents/index.ts';
import {
  cancelRuns,
  failRun,
  type HeldRun,
  type JobKindName,
  requestRuns,
  succeedRuns,
} from '../../src/modules/runs/index.ts';
import type { Tx } from '../../src/platform/database/index.ts';

export type RunStatus = 'queued' | 'in_progress' | 'succeeded' | 'failed' | 'canceled';

/** Inserts runs of a job one after another and moves each to its status. */
export async function insertRuns(
  tx: Tx,
  kind: JobKindName,
  job: { organizationId: number; jobId: number },
  statuses: readonly RunStatus[],
): Promise<void> {
  for (const status of statuses) {
    await requestRuns(tx, jobKinds[kind], [{ ...job, credentialName: null }], 'schedule');
    await setRunStatus(tx, kind, job.jobId, status);
  }
}

/** Moves the open run of a job to a status, as an agent or a cancellation would. */
export async function setRunStatus(
  tx: Tx,
  kind: JobKindName,
  jobId: number,
  status: RunStatus,
): Promise<void> {
  const { rows } = await sql<HeldRun>`
    UPDATE runs SET status = ${status === 'queued' ? 'queued' : 'in_progress'}
    WHERE kind = ${kind} AND job_id = ${jobId} AND status IN ('queued', 'in_progress')
    RETURNING organization_id, id, kind, job_id, attempt, is_full, pacekeeper_now() AS now`.execute(tx);
  const run = rows[0]!;
  const failure = {
    code: 'file_not_found',
    message: 'No such file.',
    isRetryable: false,
    retryAt: null,
  } as const;
  if (status === 'succeeded') await succeedRuns(tx, jobKinds[kind], [{ run, summary: {} }]);
  else if (status === 'failed') await failRun(tx, jobKinds[kind], run, failure, 1);
  else if (status === 'canceled') await cancelRuns(tx, jobKinds[kind], run.organization_id, jobId);
}

/** Records that the sources of jobs have no changes, as the completion of their tasks would. */
export async function recordUnchanged(
  tx: Tx,
  kind: JobKindName,
  jobs: readonly { organizationId: number; jobId: number }[],
): Promise<void> {
  await jobKinds[kind].applyTogether(
    tx,
    { findVersions: () => Promise.reject(new Error('A list without changes has no tags.')) },
    jobs.map(({ organizationId, jobId }, index) => ({
      run: {
        organization_id: organizationId,
        id: index + 1,
        kind,
        job_id: jobId,
        attempt: 1,
        is_full: false,
        now: new Date('2026-01-01T00:00:00Z'),
      },
      summary: {
        not_modified: true,
        is_complete_list: true,
        validators: null,
        found: 0,
        skipped: 0,
        skipped_examples: [],
        requests: 1,
        waited_ms: 0,
      },
    })),
  );
}
