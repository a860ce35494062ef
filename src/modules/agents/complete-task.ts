import type { Schemas } from '../../generated/agent-api.ts';
import {
  afterCommit,
  type Database,
  type Tx,
  transaction,
  type WakeUps,
} from '../../platform/database/index.ts';
import { ApiError } from '../../platform/errors.ts';
import { recordVersion } from '../deployed/index.ts';
import {
  type HeldRun,
  lockHeldRun,
  type OnRun,
  readParts,
  succeedRun,
  succeedUnchangedRunsAcrossOrganizations,
} from '../runs/index.ts';
import { recordHelmSync, recordReleases, recordUnchanged } from '../upstream/index.ts';

export interface TaskDeps {
  db: Database;
  wakeUps: WakeUps;
  onRun: OnRun;
}

type Completion = Schemas['CompleteTaskRequest'];

/** Applies all that an agent has found in one transaction, and ends the run. A late or foreign lease changes nothing. */
export async function completeTask(
  { db, wakeUps, onRun }: TaskDeps,
  agentOrganizationId: number,
  runId: number,
  { lease_token: leaseToken, parts, summary }: Completion,
): Promise<void> {
  await transaction(db, async (tx) => {
    const run = await lockHeldRun(tx, agentOrganizationId, runId, leaseToken);
    const applied = await applyResults(tx, wakeUps, run, leaseToken, parts, summary);
    await succeedRun(tx, run, { ...summaryToKeep(summary), ...applied });
    wakeUps.wakeAfterCommit(tx, `changes:${run.organization_id}/${run.kind}_job/${run.job_id}`);
    afterCommit(tx, () => onRun(run.kind, summary.not_modified ? 'unchanged' : 'succeeded'));
  });
}

/**
 * Ends runs whose sources said that nothing changed, all in one transaction of a few statements.
 *
 * @returns those whose lease is lost or foreign: nothing of them is changed
 */
export async function completeUnchangedTasks(
  { db, wakeUps, onRun }: TaskDeps,
  agentOrganizationId: number,
  tasks: Schemas['CompleteUnchangedTasksRequest']['tasks'],
): Promise<number[]> {
  const ended = tasks.map(({ task_id, lease_token, summary }) => ({
    runId: task_id,
    leaseToken: lease_token,
    summary: summaryToKeep(summary),
  }));
  return transaction(db, async (tx) => {
    const runs = await succeedUnchangedRunsAcrossOrganizations(tx, agentOrganizationId, ended);
    for (const [kind, ofKind] of Map.groupBy(runs, (run) => run.kind)) {
      if (kind === 'scrape') throw scrapeWithoutVersion();
      const jobs = ofKind.map((run) => ({ organizationId: run.organization_id, jobId: run.job_id }));
      await recordUnchanged(tx, wakeUps, kind, jobs);
    }
    for (const run of runs) {
      wakeUps.wakeAfterCommit(tx, `changes:${run.organization_id}/${run.kind}_job/${run.job_id}`);
      afterCommit(tx, () => onRun(run.kind, 'unchanged'));
    }
    const done = new Set(runs.map((run) => run.id));
    return tasks.map((task) => task.task_id).filter((id) => !done.has(id));
  });
}

function scrapeWithoutVersion(): ApiError {
  return new ApiError('conflict', 'A scrape task always has a version.');
}

async function applyResults(
  tx: Tx,
  wakeUps: WakeUps,
  run: HeldRun,
  leaseToken: string,
  partCount: number,
  summary: Completion['summary'],
): Promise<object> {
  const job = { organizationId: run.organization_id, jobId: run.job_id };
  const outcome = {
    isCompleteList: summary.is_complete_list ?? false,
    validators: summary.validators ?? null,
    skipped: summary.skipped,
    skippedExamples: summary.skipped_examples,
  };
  if (summary.not_modified) {
    if (run.kind === 'scrape') throw scrapeWithoutVersion();
    await recordUnchanged(tx, wakeUps, run.kind, [job]);
    return {};
  }
  switch (run.kind) {
    case 'gather':
      return recordReleases(tx, wakeUps, job, readParts(tx, run, leaseToken, partCount), outcome);
    case 'helm_sync':
      return recordHelmSync(tx, wakeUps, job, readParts(tx, run, leaseToken, partCount), outcome);
    case 'scrape': {
      let found: Schemas['ScrapeResultItem'] | undefined;
      for await (const items of readParts<Schemas['ScrapeResultItem']>(tx, run, leaseToken, partCount))
        found ??= items[0];
      if (!found)
        throw new ApiError('conflict', 'A scrape task is completed with the version that it found.');
      const recorded = await recordVersion(tx, wakeUps, run.organization_id, run.job_id, {
        rawVersion: found.raw_version,
        source: 'agent',
        commitSha: found.commit_sha,
      });
      if (!recorded) throw new ApiError('conflict', 'The job is gone.');
      return {};
    }
  }
}

/** What a run shows of itself: validators are the job's, and how long the agent waited is its own matter. */
function summaryToKeep({
  validators: _validators,
  waited_ms: _waitedMs,
  ...summary
}: Completion['summary']): object {
  return summary;
}
