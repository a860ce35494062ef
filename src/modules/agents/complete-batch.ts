import type { Schemas } from '../../generated/agent-api.ts';
import { type Tx, transaction, type WakeUps } from '../../platform/database/index.ts';
import { ApiError } from '../../platform/errors.ts';
import { recordVersionsAcrossOrganizations } from '../deployed/index.ts';
import { applyUnchangedDiscovery } from '../discovery/index.ts';
import { applyUnchangedReferences } from '../reference/index.ts';
import {
  type HeldRun,
  type LeaseHolder,
  lockHeldRunsAcrossOrganizations,
  succeedRuns,
} from '../runs/index.ts';
import { recordReleasesOfJobs, recordUnchanged } from '../upstream/index.ts';
import {
  publishCompletion,
  scrapeWithoutVersion,
  summaryToKeep,
  type TaskDeps,
  toFoundVersion,
  toReadOutcome,
} from './complete-task.ts';

type Task = Schemas['CompleteTasksRequest']['tasks'][number];
type Answer = Schemas['CompleteTasksResponse'];

/**
 * Maximum number of releases in all tasks of a batch. It limits how long their jobs are locked while the releases are
 * stored.
 */
const maxReleases = 1_000;

interface HeldTask {
  run: HeldRun;
  task: Task;
}

/**
 * Completes a batch of tasks in two transactions of a few statements each: one for gather tasks with
 * releases, the other for scrape tasks with versions and for tasks whose sources reported no changes. Tasks
 * whose lease is lost or whose results are rejected stay unchanged and don't affect the others.
 */
export async function completeTasks(
  deps: TaskDeps,
  holder: LeaseHolder,
  tasks: readonly Task[],
): Promise<Answer> {
  const count = tasks.reduce((sum, { releases = [] }) => sum + releases.length, 0);
  if (count > maxReleases)
    throw new ApiError('payload_too_large', `Tasks can have at most ${maxReleases} releases together.`);
  // Each transaction must lock its jobs in the order of their IDs. Tasks with and without releases lock their
  // jobs in separate steps, so a single transaction for both could lock jobs out of order.
  const [listed, others] = [tasks.filter(hasReleases), tasks.filter((task) => !hasReleases(task))];
  const answers = [
    await completeTogether(deps, holder, listed, recordLists),
    await completeTogether(deps, holder, others, recordOthers),
  ];
  return {
    lost: answers.flatMap(({ lost }) => lost),
    refused: answers.flatMap(({ refused }) => refused),
  };
}

function hasReleases({ releases }: Task): boolean {
  return releases !== undefined;
}

interface RecordedTasks {
  refused: Answer['refused'];
  /** Fields to add to the summaries of runs, by run ID. */
  applied: ReadonlyMap<number, object>;
}

async function completeTogether(
  deps: TaskDeps,
  holder: LeaseHolder,
  tasks: readonly Task[],
  record: (tx: Tx, deps: TaskDeps, held: readonly HeldTask[]) => Promise<RecordedTasks>,
): Promise<Answer> {
  if (tasks.length === 0) return { lost: [], refused: [] };
  const { db, wakeUps, onRun } = deps;
  const leases = tasks.map((task) => ({ runId: task.task_id, leaseToken: task.lease_token }));
  return transaction(db, async (tx) => {
    const runs = await lockHeldRunsAcrossOrganizations(tx, holder, leases);
    const runById = new Map(runs.map((run) => [run.id, run]));
    const lost: number[] = [];
    const refused: Answer['refused'] = [];
    const held: HeldTask[] = [];
    for (const task of tasks) {
      const run = runById.get(task.task_id);
      const reason = run && batchRefusalReason(run, task);
      if (!run) lost.push(task.task_id);
      else if (reason) refused.push({ task_id: task.task_id, message: reason });
      else held.push({ run, task });
    }
    const recorded = await record(tx, deps, held);
    const isUnfit = new Set(recorded.refused.map((each) => each.task_id));
    const ended = held.filter(({ run }) => !isUnfit.has(run.id));
    await succeedRuns(
      tx,
      ended.map(({ run, task }) => ({
        run,
        summary: { ...summaryToKeep(task.summary), ...recorded.applied.get(run.id) },
      })),
    );
    for (const { run, task } of ended) publishCompletion(tx, wakeUps, onRun, run, task.summary);
    return { lost, refused: [...refused, ...recorded.refused] };
  });
}

function batchRefusalReason({ kind }: HeldRun, { item, releases, summary }: Task): string | null {
  if (kind === 'scrape') return item && !releases && !summary.not_modified ? null : scrapeWithoutVersion;
  if (item) return `A ${kind} task can't have a version.`;
  if (releases && kind !== 'gather') return `A ${kind} task can't have releases.`;
  if (releases && summary.not_modified) return "A task without changes can't have releases.";
  return releases || summary.not_modified
    ? null
    : 'Submit result parts before completing a task that has changes.';
}

/** Stores the releases of gather tasks. */
async function recordLists(tx: Tx, deps: TaskDeps, held: readonly HeldTask[]): Promise<RecordedTasks> {
  const applied = new Map<number, object>();
  const byOrganization = Map.groupBy(held, ({ run }) => run.organization_id);
  for (const [organizationId, ofOne] of [...byOrganization].sort(([one], [other]) => one - other)) {
    const recorded = await recordReleasesOfJobs(
      tx,
      deps,
      organizationId,
      ofOne.map(({ run, task }) => ({
        jobId: run.job_id,
        releases: task.releases ?? [],
        outcome: toReadOutcome(task.summary),
      })),
    );
    ofOne.forEach(({ run }, index) => applied.set(run.id, recorded[index]!));
  }
  return { refused: [], applied };
}

async function recordOthers(
  tx: Tx,
  { wakeUps }: TaskDeps,
  held: readonly HeldTask[],
): Promise<RecordedTasks> {
  // Follows the lock order of other transactions: alert configurations before gather jobs and their fan-outs.
  const refused = await recordFound(tx, wakeUps, held);
  for (const kind of ['gather', 'helm_sync'] as const) {
    const jobs = held
      .filter(({ run }) => run.kind === kind)
      .map(({ run }) => ({ organizationId: run.organization_id, jobId: run.job_id }));
    if (jobs.length > 0) await recordUnchanged(tx, wakeUps, kind, jobs);
  }
  const discoveries = held.filter(({ run }) => run.kind === 'discovery');
  const figures = await applyUnchangedDiscovery(
    tx,
    wakeUps,
    discoveries.map(({ run }) => ({ organizationId: run.organization_id, jobId: run.job_id })),
  );
  const references = held.filter(({ run }) => run.kind === 'reference');
  await applyUnchangedReferences(
    tx,
    references.map(({ run }) => run.job_id),
  );
  return { refused, applied: new Map(discoveries.map(({ run }, index) => [run.id, figures[index]!])) };
}

/**
 * Stores the versions of scrape tasks.
 * @returns The tasks whose version can't be stored.
 */
async function recordFound(tx: Tx, wakeUps: WakeUps, held: readonly HeldTask[]): Promise<Answer['refused']> {
  const scrapes = held.flatMap(({ run, task }) =>
    task.item ? [{ run, found: toFoundVersion(run, task.item) }] : [],
  );
  const outcomes = await recordVersionsAcrossOrganizations(
    tx,
    wakeUps,
    'agent',
    scrapes.map(({ found }) => found),
    { endsRun: true },
  );
  return scrapes.flatMap(({ run }, index) => {
    const outcome = outcomes[index];
    if (outcome && 'recorded' in outcome) return [];
    const message =
      outcome && 'noVersion' in outcome ? `The version ${outcome.noVersion}` : 'The job was deleted.';
    return [{ task_id: run.id, message }];
  });
}
