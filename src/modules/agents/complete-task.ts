import type { Schemas } from '../../generated/agent-api.ts';
import {
  afterCommit,
  type Database,
  type Tx,
  transaction,
  type WakeUps,
} from '../../platform/database/index.ts';
import { ApiError } from '../../platform/errors.ts';
import { type FoundVersion, recordVersion } from '../deployed/index.ts';
import { type HeldRun, lockHeldRun, type OnRun, readParts, succeedRuns } from '../runs/index.ts';
import { type FindVersions, recordHelmSync, recordReleases, recordUnchanged } from '../upstream/index.ts';

export interface TaskDeps {
  db: Database;
  wakeUps: WakeUps;
  onRun: OnRun;
  findVersions: FindVersions;
}

type Completion = Schemas['CompleteTaskRequest'];

/** Applies all that an agent has found in one transaction, and ends the run. A late or foreign lease changes nothing. */
export async function completeTask(
  deps: TaskDeps,
  agentOrganizationId: number,
  runId: number,
  { lease_token: leaseToken, parts, summary }: Completion,
): Promise<void> {
  const { db, wakeUps, onRun } = deps;
  await transaction(db, async (tx) => {
    const run = await lockHeldRun(tx, agentOrganizationId, runId, leaseToken);
    const applied = await applyResults(tx, deps, run, leaseToken, parts, summary);
    await succeedRuns(tx, [{ run, summary: { ...summaryToKeep(summary), ...applied } }]);
    publishCompletion(tx, wakeUps, onRun, run, summary);
  });
}

async function applyResults(
  tx: Tx,
  deps: Pick<TaskDeps, 'wakeUps' | 'findVersions'>,
  run: HeldRun,
  leaseToken: string,
  partCount: number,
  summary: Completion['summary'],
): Promise<object> {
  const { wakeUps } = deps;
  const job = { organizationId: run.organization_id, jobId: run.job_id };
  const outcome = {
    isCompleteList: summary.is_complete_list ?? false,
    validators: summary.validators ?? null,
    skipped: summary.skipped,
    skippedExamples: summary.skipped_examples,
  };
  if (summary.not_modified) {
    if (run.kind === 'scrape') throw new ApiError('conflict', scrapeWithoutVersion);
    await recordUnchanged(tx, wakeUps, run.kind, [job]);
    return {};
  }
  switch (run.kind) {
    case 'gather':
      return recordReleases(tx, deps, job, readParts(tx, run, leaseToken, partCount), outcome);
    case 'helm_sync':
      return recordHelmSync(tx, deps, job, readParts(tx, run, leaseToken, partCount), outcome);
    case 'scrape': {
      let found: Schemas['ScrapeResultItem'] | undefined;
      for await (const items of readParts<Schemas['ScrapeResultItem']>(tx, run, leaseToken, partCount))
        found ??= items[0];
      if (!found) throw new ApiError('conflict', scrapeWithoutVersion);
      const recorded = await recordVersion(tx, wakeUps, 'agent', toFoundVersion(run, found));
      if (!recorded) throw new ApiError('conflict', 'The job was deleted.');
      return {};
    }
  }
}

export const scrapeWithoutVersion = 'A scrape task must be completed with a version.';

export function toFoundVersion(
  run: HeldRun,
  { raw_version, commit_sha }: Schemas['ScrapeResultItem'],
): FoundVersion {
  return {
    organizationId: run.organization_id,
    scrapeJobId: run.job_id,
    rawVersion: raw_version,
    commitSha: commit_sha,
  };
}

/** After the commit: whoever looks at the job is told, and the run is counted. */
export function publishCompletion(
  tx: Tx,
  wakeUps: WakeUps,
  onRun: OnRun,
  run: HeldRun,
  { not_modified: isUnchanged }: Completion['summary'],
): void {
  wakeUps.wakeAfterCommit(tx, `changes:${run.organization_id}/${run.kind}_job/${run.job_id}`);
  afterCommit(tx, () => onRun(run.kind, isUnchanged ? 'unchanged' : 'succeeded'));
}

/** What a run shows of itself: validators are the job's, and how long the agent waited is its own matter. */
export function summaryToKeep({
  validators: _validators,
  waited_ms: _waitedMs,
  ...summary
}: Completion['summary']): object {
  return summary;
}
