import type { Schemas } from '../../generated/agent-api.ts';
import { type Tx, transaction, type WakeUps } from '../../platform/database/index.ts';
import { recordVersionsAcrossOrganizations } from '../deployed/index.ts';
import { applyUnchangedDiscovery } from '../discovery/index.ts';
import { applyUnchangedReferences } from '../reference/index.ts';
import { type HeldRun, lockHeldRunsAcrossOrganizations, succeedRuns } from '../runs/index.ts';
import { recordUnchanged } from '../upstream/index.ts';
import {
  publishCompletion,
  scrapeWithoutVersion,
  summaryToKeep,
  type TaskDeps,
  toFoundVersion,
} from './complete-task.ts';

type Task = Schemas['CompleteTasksRequest']['tasks'][number];
type Answer = Schemas['CompleteTasksResponse'];

interface HeldTask {
  run: HeldRun;
  task: Task;
}

/**
 * Ends many tasks in one transaction of a few statements: scrapes, each with its version, and those whose sources said
 * that nothing changed. One that is lost or cannot be taken stays as it is and is no hindrance to the others.
 */
export async function completeTasks(
  { db, wakeUps, onRun }: Omit<TaskDeps, 'findVersions'>,
  agentOrganizationId: number,
  tasks: readonly Task[],
): Promise<Answer> {
  const leases = tasks.map((task) => ({ runId: task.task_id, leaseToken: task.lease_token }));
  return transaction(db, async (tx) => {
    const runs = await lockHeldRunsAcrossOrganizations(tx, agentOrganizationId, leases);
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
    // In the order in which locks are taken elsewhere: configurations of an alert before what is fanned out to them.
    const unfit = await recordFound(tx, wakeUps, held);
    refused.push(...unfit);
    for (const kind of ['gather', 'helm_sync'] as const) {
      const jobs = held
        .filter(({ run }) => run.kind === kind)
        .map(({ run }) => ({ organizationId: run.organization_id, jobId: run.job_id }));
      if (jobs.length > 0) await recordUnchanged(tx, wakeUps, kind, jobs);
    }
    const discoveries = held.filter(({ run }) => run.kind === 'discovery');
    await applyUnchangedDiscovery(
      tx,
      wakeUps,
      discoveries.map(({ run }) => ({ organizationId: run.organization_id, jobId: run.job_id })),
    );
    const references = held.filter(({ run }) => run.kind === 'reference');
    await applyUnchangedReferences(
      tx,
      references.map(({ run }) => run.job_id),
    );
    const isUnfit = new Set(unfit.map((each) => each.task_id));
    const ended = held.filter(({ run }) => !isUnfit.has(run.id));
    await succeedRuns(
      tx,
      ended.map(({ run, task }) => ({ run, summary: summaryToKeep(task.summary) })),
    );
    for (const { run, task } of ended) publishCompletion(tx, wakeUps, onRun, run, task.summary);
    return { lost, refused };
  });
}

function batchRefusalReason({ kind }: HeldRun, { item, summary }: Task): string | null {
  if (kind === 'scrape') return item && !summary.not_modified ? null : scrapeWithoutVersion;
  if (item) return `A ${kind} task can't have a version.`;
  return summary.not_modified ? null : 'Submit result parts before completing a task that has changes.';
}

/** @returns those whose version cannot be stored */
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
