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
import { applyDiscoveryRun, applyUnchangedDiscovery } from '../discovery/index.ts';
import { applyReferenceRun, applyUnchangedReferences } from '../reference/index.ts';
import {
  failRun,
  type HeldRun,
  type LeaseHolder,
  lockHeldRun,
  type RunAttemptListener,
  type RunFailure,
  readParts,
  succeedRuns,
} from '../runs/index.ts';
import {
  type FindVersions,
  type ReadOutcome,
  recordHelmSync,
  recordReleases,
  recordUnchanged,
} from '../upstream/index.ts';

export interface TaskDeps {
  db: Database;
  wakeUps: WakeUps;
  onRun: RunAttemptListener;
  findVersions: FindVersions;
}

type Completion = Schemas['CompleteTaskRequest'];

/**
 * Applies all results of an agent in one transaction and ends the run. A completion with an expired lease or
 * the lease of another agent changes nothing.
 */
export async function completeTask(
  deps: TaskDeps,
  holder: LeaseHolder,
  runId: number,
  { lease_token: leaseToken, parts, summary }: Completion,
): Promise<void> {
  const { db, wakeUps, onRun } = deps;
  const afterwards = await transaction(db, async (tx) => {
    const run = await lockHeldRun(tx, holder, runId, leaseToken);
    const { applied, failure, afterwards } = await applyResults(tx, deps, run, leaseToken, parts, summary);
    if (failure) {
      await failRun(tx, run, failure, run.attempt);
      wakeUps.wakeAfterCommit(tx, `changes:${run.organization_id}/${run.kind}_job/${run.job_id}`);
      afterCommit(tx, () => onRun(run.kind, 'failed'));
      return undefined;
    }
    await succeedRuns(tx, [{ run, summary: { ...summaryToKeep(summary), ...applied } }]);
    publishCompletion(tx, wakeUps, onRun, run, summary);
    return afterwards;
  });
  if (afterwards) await transaction(db, afterwards);
}

interface AppliedResults {
  /** Fields to add to the summary of the run. */
  applied: object;
  /** Reason why the results can't be used. If set, nothing was changed. */
  failure?: RunFailure;
  /** Additional work for a separate transaction after the commit. */
  afterwards?: ((tx: Tx) => Promise<void>) | undefined;
}

async function applyResults(
  tx: Tx,
  deps: Pick<TaskDeps, 'wakeUps' | 'findVersions'>,
  run: HeldRun,
  leaseToken: string,
  partCount: number,
  summary: Completion['summary'],
): Promise<AppliedResults> {
  const { wakeUps } = deps;
  const job = { organizationId: run.organization_id, jobId: run.job_id };
  const outcome = toReadOutcome(summary);
  if (summary.not_modified) {
    if (run.kind === 'scrape') throw new ApiError('conflict', scrapeWithoutVersion);
    if (run.kind === 'discovery') {
      const [figures = {}] = await applyUnchangedDiscovery(tx, wakeUps, [job]);
      return { applied: figures };
    }
    if (run.kind === 'reference') await applyUnchangedReferences(tx, [job.jobId]);
    else await recordUnchanged(tx, wakeUps, run.kind, [job]);
    return { applied: {} };
  }
  switch (run.kind) {
    case 'gather':
      return {
        applied: await recordReleases(tx, deps, job, readParts(tx, run, leaseToken, partCount), outcome),
      };
    case 'helm_sync':
      return {
        applied: await recordHelmSync(tx, deps, job, readParts(tx, run, leaseToken, partCount), outcome),
      };
    case 'discovery':
      return { applied: await applyDiscoveryRun(tx, wakeUps, run, leaseToken, partCount, summary) };
    case 'reference':
      return applyReferenceRun(tx, wakeUps, run, leaseToken, partCount, summary);
    case 'scrape': {
      let found: Schemas['ScrapeResultItem'] | undefined;
      for await (const items of readParts<Schemas['ScrapeResultItem']>(tx, run, leaseToken, partCount))
        found ??= items[0];
      if (!found) throw new ApiError('conflict', scrapeWithoutVersion);
      const recorded = await recordVersion(tx, wakeUps, 'agent', toFoundVersion(run, found), {
        endsRun: true,
      });
      if (!recorded) throw new ApiError('conflict', 'The job was deleted.');
      return { applied: {} };
    }
  }
}

export function toReadOutcome(summary: Completion['summary']): ReadOutcome {
  return {
    isCompleteList: summary.is_complete_list ?? false,
    listCut: summary.list_cut,
    validators: summary.validators ?? null,
    skipped: summary.skipped,
    skippedExamples: summary.skipped_examples,
    project: summary.project,
    isArchived: summary.is_archived,
    isDeprecated: summary.is_deprecated,
  };
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

/** Notifies open pages about the job and counts the run, both after the commit. */
export function publishCompletion(
  tx: Tx,
  wakeUps: WakeUps,
  onRun: RunAttemptListener,
  run: HeldRun,
  { not_modified: isUnchanged }: Completion['summary'],
): void {
  wakeUps.wakeAfterCommit(tx, `changes:${run.organization_id}/${run.kind}_job/${run.job_id}`);
  afterCommit(tx, () => onRun(run.kind, isUnchanged ? 'unchanged' : 'succeeded'));
}

/**
 * Returns the part of a summary that is stored with the run. The rest is stored elsewhere or isn't needed. Validators,
 * the project, the archived state, the deprecation, the cluster or host, and the files without versions are stored with
 * the job. Files that weren't read are stored with their items, and the skipped items contain the examples. The
 * warnings include the resource kinds that the agent wasn't allowed to list. The agent's wait time is irrelevant to
 * users.
 */
export function summaryToKeep({
  validators: _validators,
  waited_ms: _waitedMs,
  project: _project,
  is_archived: _isArchived,
  is_deprecated: _isDeprecated,
  cluster_uid: _clusterUid,
  host_uid: _hostUid,
  unread_kinds: _unreadKinds,
  unread_files: _unreadFiles,
  silent_files: silentFiles,
  skipped_directories: _skippedDirectories,
  pattern_problems: _patternProblems,
  ...summary
}: Completion['summary']): object {
  return {
    ...summary,
    ...(silentFiles && { silent_count: silentFiles.reduce((sum, { count }) => sum + count, 0) }),
  };
}
