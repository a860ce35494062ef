import type { Schemas } from '../../generated/agent-api.ts';
import { type Database, type Tx, transaction, type WakeUps } from '../../platform/database/index.ts';
import { ApiError } from '../../platform/errors.ts';
import { lockJobToRecord, recordVersion } from '../deployed/index.ts';
import { type HeldRun, lockHeldRun, readParts, succeedRun } from '../runs/index.ts';
import { recordHelmSync, recordReleases, recordUnchanged } from '../upstream/index.ts';

export interface TaskDeps {
  db: Database;
  wakeUps: WakeUps;
}

type Completion = Schemas['CompleteTaskRequest'];

/** Applies all that an agent has found in one transaction, and ends the run. A late or foreign lease changes nothing. */
export async function completeTask(
  { db, wakeUps }: TaskDeps,
  agentOrganizationId: number,
  runId: number,
  { lease_token: leaseToken, parts, summary }: Completion,
): Promise<void> {
  await transaction(db, async (tx) => {
    const run = await lockHeldRun(tx, agentOrganizationId, runId, leaseToken);
    const applied = await applyResults(tx, wakeUps, run, leaseToken, parts, summary);
    await succeedRun(tx, run, { ...summaryToKeep(summary), ...applied });
    wakeUps.wakeAfterCommit(tx, `changes:${run.organization_id}/${run.kind}_job/${run.job_id}`);
  });
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
    if (run.kind === 'scrape') throw new ApiError('conflict', 'A scrape task always has a version.');
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
      const scrapeJob = await lockJobToRecord(tx, run.organization_id, run.job_id);
      if (!scrapeJob) throw new ApiError('conflict', 'The job is gone.');
      await recordVersion(tx, wakeUps, scrapeJob, {
        rawVersion: found.raw_version,
        source: 'agent',
        commitSha: found.commit_sha,
      });
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
