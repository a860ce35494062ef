import type { Schemas } from '../../generated/agent-api.ts';
import {
  afterCommit,
  changeTopic,
  type Database,
  type Tx,
  transaction,
  wake,
  wakeNow,
} from '../../platform/database/index.ts';
import { ApiError } from '../../platform/errors.ts';
import {
  type AppliedResults,
  failRun,
  findHeldChecksAcrossOrganizations,
  giveRowsToChecks,
  type HeldCheck,
  type HeldRun,
  type JobKind,
  type LeaseHolder,
  lockHeldChecksAcrossOrganizations,
  lockHeldRunsAcrossOrganizations,
  lostLeaseError,
  type RunAttemptListener,
  succeedChecks,
  succeedRuns,
  succeedUnchangedChecks,
} from '../runs/index.ts';
import type { FindVersions } from '../upstream/index.ts';
import { checkedJobKinds, jobKinds } from './job-kinds.ts';

export interface TaskDeps {
  db: Database;
  onRun: RunAttemptListener;
  findVersions: FindVersions;
}

type BatchTask = Schemas['CompleteTasksRequest']['tasks'][number];

/** A task that its agent completes, with its result or after it submitted the result in parts. */
interface Completion extends Pick<BatchTask, 'summary' | 'item' | 'releases'> {
  runId: number;
  leaseToken: string;
  /** Number of submitted parts. Null if the completion contains the whole result or reports no changes. */
  partCount: number | null;
}

/** `lost` if the lease isn't valid, or `rejected` with the reason. In both cases, nothing was changed. */
type Outcome = 'completed' | 'lost' | { rejected: string };

/**
 * Applies all results of a task in one transaction and ends its run. A completion with an expired lease or the lease of
 * another agent changes nothing.
 */
export async function completeTask(
  deps: TaskDeps,
  holder: LeaseHolder,
  runId: number,
  { lease_token: leaseToken, parts, summary }: Schemas['CompleteTaskRequest'],
): Promise<void> {
  const partCount = summary.not_modified ? null : parts;
  const [outcome] = await completeTogether(deps, holder, [{ runId, leaseToken, partCount, summary }]);
  if (outcome === 'lost') throw await lostLeaseError(deps.db, holder, runId);
  if (typeof outcome === 'object') throw new ApiError('conflict', outcome.rejected);
}

/**
 * Maximum number of releases in all tasks of a batch. It limits how long their jobs are locked while the releases are
 * stored.
 */
const maxReleases = 1_000;

/**
 * Completes a batch of tasks in two transactions of a few statements each: one for tasks with releases, the other for
 * tasks with versions and for tasks whose sources reported no changes. Tasks whose lease is lost or whose results are
 * rejected stay unchanged and don't affect the others.
 */
export async function completeTasks(
  deps: TaskDeps,
  holder: LeaseHolder,
  tasks: readonly BatchTask[],
): Promise<Schemas['CompleteTasksResponse']> {
  const count = tasks.reduce((sum, { releases = [] }) => sum + releases.length, 0);
  if (count > maxReleases)
    throw new ApiError('payload_too_large', `Tasks can have at most ${maxReleases} releases together.`);
  // Each transaction must lock its jobs in the order of their IDs. Tasks that contain releases and all other
  // tasks lock their jobs in separate steps, so a single transaction for both kinds could lock jobs in the
  // wrong order.
  const answer: Schemas['CompleteTasksResponse'] = { lost: [], refused: [] };
  for (const part of [tasks.filter(hasReleases), tasks.filter((task) => !hasReleases(task))]) {
    const outcomes = await completeTogether(
      deps,
      holder,
      part.map(({ task_id: runId, lease_token: leaseToken, ...task }) => ({
        ...task,
        runId,
        leaseToken,
        partCount: null,
      })),
    );
    part.forEach(({ task_id }, index) => {
      const outcome = outcomes[index]!;
      if (outcome === 'lost') answer.lost.push(task_id);
      else if (outcome !== 'completed') answer.refused.push({ task_id, message: outcome.rejected });
    });
  }
  return answer;
}

function hasReleases({ releases }: BatchTask): boolean {
  return releases !== undefined;
}

/** @returns The outcome of each completion, in the same order. */
async function completeTogether(
  deps: TaskDeps,
  holder: LeaseHolder,
  completions: readonly Completion[],
): Promise<Outcome[]> {
  if (completions.length === 0) return [];
  const found = await findHeldChecksAcrossOrganizations(deps.db, checkedJobKinds, holder, completions);
  const outcomes = await completeUnchanged(deps, holder, completions, found);
  // All runs are locked before the first job is. Checks have only jobs, which are locked kind by kind, so a single
  // transaction for runs and checks could lock jobs in the wrong order.
  const kindsOfChecks = new Map(found.map((check) => [check.id, check.kind]));
  const ofChecks = completions.filter(({ runId }) => kindsOfChecks.has(runId) && !outcomes.has(runId));
  const outcomesOfChecks = await applyCompletions(deps, ofChecks, async (tx) => async (kind) => {
    const ofKind = ofChecks.filter(({ runId }) => kindsOfChecks.get(runId) === kind.name);
    return ofKind.length === 0 ? [] : lockHeldChecksAcrossOrganizations(tx, kind, holder, ofKind);
  });
  for (const [runId, outcome] of outcomesOfChecks) outcomes.set(runId, outcome);
  // A check that isn't held any more can have been given a row in the meantime.
  const ofRuns = completions.filter(({ runId }) => !outcomes.has(runId));
  const outcomesOfRuns = await applyCompletions(deps, ofRuns, async (tx) => {
    const runs = await lockHeldRunsAcrossOrganizations(tx, holder, ofRuns);
    return async (kind) => runs.filter((run) => run.kind === kind.name);
  });
  return completions.map(({ runId }) => outcomes.get(runId) ?? outcomesOfRuns.get(runId) ?? 'lost');
}

/**
 * Completes checks whose sources reported no changes, without a transaction of several statements. Skips those that
 * require one, for example because they clear a failure.
 */
async function completeUnchanged(
  deps: TaskDeps,
  holder: LeaseHolder,
  completions: readonly Completion[],
  found: readonly HeldCheck[],
): Promise<Map<number, Outcome>> {
  const outcomes = new Map<number, Outcome>();
  const completionOf = new Map(completions.map((completion) => [completion.runId, completion]));
  for (const [kindName, checks] of Map.groupBy(found, (check) => check.kind)) {
    const kind = jobKinds[kindName];
    const unchanged = checks.flatMap((check) => {
      const completion = completionOf.get(check.id)!;
      const { summary } = completion;
      if (!summary.not_modified || problemOf(kind, completion)) return [];
      return [{ check, summary: summaryToKeep(summary) }];
    });
    const ended = await succeedUnchangedChecks(deps.db, kind, holder, unchanged);
    for (const { check } of unchanged) {
      if (!ended.has(check.id)) continue;
      outcomes.set(check.id, 'completed');
      wakeNow(deps.db, topicOf(check));
      deps.onRun(kind.name, 'unchanged');
    }
  }
  return outcomes;
}

/** Returns the topic of open pages about the job of a run. */
function topicOf({ organization_id, kind, job_id }: HeldRun) {
  return changeTopic(organization_id, `${kind}_job`, job_id);
}

/** Locks and returns the runs or checks of one kind. Each kind is locked after the previous one was applied. */
type LockKind = (kind: JobKind<TaskDeps>) => Promise<(HeldRun | HeldCheck)[]>;

/**
 * Applies completions in one transaction.
 * @returns The outcomes by run ID, without those whose lease is lost.
 */
async function applyCompletions(
  deps: TaskDeps,
  completions: readonly Completion[],
  lock: (tx: Tx) => Promise<LockKind>,
): Promise<Map<number, Outcome>> {
  if (completions.length === 0) return new Map();
  const completionOf = new Map(completions.map((completion) => [completion.runId, completion]));
  const { outcomes, afterwards } = await transaction(deps.db, async (tx) => {
    const outcomes = new Map<number, Outcome>();
    const applied: AppliedTask[] = [];
    const lockKind = await lock(tx);
    for (const kind of Object.values(jobKinds)) {
      const accepted: HeldCompletion[] = [];
      for (const run of await lockKind(kind)) {
        const completion = completionOf.get(run.id)!;
        const problem = problemOf(kind, completion);
        if (problem) outcomes.set(run.id, { rejected: problem });
        else accepted.push({ ...completion, run });
      }
      const tasks = await giveRowsToParts(tx, kind, accepted);
      for (const [index, results] of (await applyResults(tx, deps, kind, tasks)).entries()) {
        const { run, summary } = tasks[index]!;
        if ('rejected' in results) outcomes.set(run.id, results);
        else applied.push({ kind, run, summary, results });
      }
    }
    await endRuns(tx, deps, applied);
    for (const { run } of applied) outcomes.set(run.id, 'completed');
    return { outcomes, afterwards: applied.flatMap(({ results }) => results.afterwards ?? []) };
  });
  for (const work of afterwards) await transaction(deps.db, work);
  return outcomes;
}

type HeldCompletion = Completion & { run: HeldRun | HeldCheck };

/** Gives checks that are completed with parts a row in `runs`, which parts refer to. Their number can be 0. */
async function giveRowsToParts(
  tx: Tx,
  kind: JobKind<TaskDeps>,
  completions: readonly HeldCompletion[],
): Promise<HeldCompletion[]> {
  const needing = completions.flatMap(({ run, partCount }) =>
    partCount !== null && isCheck(run) ? [run] : [],
  );
  if (needing.length === 0) return [...completions];
  const rows = new Map((await giveRowsToChecks(tx, kind, needing)).map((run) => [run.id, run]));
  return completions.flatMap((completion) => {
    const run = needing.some(({ id }) => id === completion.runId)
      ? rows.get(completion.runId)
      : completion.run;
    return run ? [{ ...completion, run }] : [];
  });
}

/** Returns the reason why a task of this kind can't have this result, or null. */
function problemOf(
  { name, wholeResult }: JobKind<TaskDeps>,
  { partCount, item, releases, summary }: Completion,
): string | null {
  if (partCount !== null) return null;
  const isUnchanged = summary.not_modified ?? false;
  if (wholeResult === 'item')
    return item && !releases && !isUnchanged ? null : `A ${name} task must be completed with a version.`;
  if (item) return `A ${name} task can't have a version.`;
  if (releases && wholeResult !== 'releases') return `A ${name} task can't have releases.`;
  if (releases && isUnchanged) return "A task without changes can't have releases.";
  return releases || isUnchanged ? null : 'Submit result parts before completing a task that has changes.';
}

async function applyResults(
  tx: Tx,
  deps: TaskDeps,
  kind: JobKind<TaskDeps>,
  tasks: readonly HeldCompletion[],
): Promise<(AppliedResults | { rejected: string })[]> {
  const whole = tasks.filter(({ partCount }) => partCount === null);
  const together = whole.length > 0 ? await kind.applyTogether(tx, deps, whole) : [];
  const results = new Map(whole.map(({ run }, index) => [run.id, together[index]!]));
  for (const { run, leaseToken, partCount, summary } of tasks) {
    if (partCount !== null)
      results.set(run.id, await kind.applyParts(tx, deps, run, { leaseToken, partCount, summary }));
  }
  return tasks.map(({ run }) => results.get(run.id)!);
}

interface AppliedTask extends Pick<HeldCompletion, 'run' | 'summary'> {
  kind: JobKind<TaskDeps>;
  results: AppliedResults;
}

/** True if a task has no row in `runs`. */
function isCheck(run: HeldRun | HeldCheck): run is HeldCheck {
  return 'next_due_at' in run;
}

/** Ends the runs. After the commit, notifies open pages about their jobs, and counts the runs. */
async function endRuns(tx: Tx, { onRun }: TaskDeps, tasks: readonly AppliedTask[]): Promise<void> {
  for (const { kind, run, results } of tasks)
    if (results.failure) await failRun(tx, kind, run, results.failure, run.attempt);
  const succeeded = tasks.filter(({ results }) => !results.failure);
  for (const [kind, ofKind] of Map.groupBy(succeeded, (task) => task.kind)) {
    const ended = ofKind.map(({ run, summary, results }) => ({
      run,
      summary: { ...summaryToKeep(summary), ...results.applied },
    }));
    await succeedRuns(
      tx,
      kind,
      ended.filter(({ run }) => !isCheck(run)),
    );
    await succeedChecks(
      tx,
      kind,
      ended.flatMap(({ run, summary }) => (isCheck(run) ? [{ check: run, summary }] : [])),
    );
  }
  for (const { run, summary, results } of tasks) {
    wake(tx, topicOf(run));
    const outcome = results.failure ? 'failed' : summary.not_modified ? 'unchanged' : 'succeeded';
    afterCommit(tx, () => onRun(run.kind, outcome));
  }
}

/**
 * Returns the part of a summary that is stored with the run. The rest is stored elsewhere or isn't needed:
 * - Validators, the project, the archived state, the deprecation, the cluster or host, the skipped
 *   directories, the problems with patterns, and the files without versions are stored with the job. Only the
 *   number of these files is kept here, too.
 * - Files that weren't read are stored with their items.
 * - The warnings already include the resource kinds that the agent wasn't allowed to list.
 * - The agent's wait time is irrelevant to users.
 */
function summaryToKeep({
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
}: Schemas['TaskSummary']): object {
  return {
    ...summary,
    ...(silentFiles && { silent_count: silentFiles.reduce((sum, { count }) => sum + count, 0) }),
  };
}
