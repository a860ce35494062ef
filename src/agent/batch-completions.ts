import { ApiCallError, type ApiClient } from '../client/api-client.ts';
import type { Schemas } from '../generated/agent-api.ts';
import { createLimit } from '../platform/fairness/index.ts';
import { LeaseLostError, RejectedResultError } from './agent-task.ts';

type EndedTask = Schemas['CompleteTasksRequest']['tasks'][number];

interface Waiting {
  task: EndedTask;
  resolve: () => void;
  reject: (error: unknown) => void;
}

/** Maximum number of tasks that the server accepts in one call. */
const maxTasks = 100;
/**
 * Maximum number of releases in one call, across all tasks in it. The server locks their jobs in one
 * transaction and parses their releases together.
 */
const maxReleases = 1_000;
/** Maximum time that a completion waits for the completions of other tasks that the agent holds. */
const collectMs = 100;
/**
 * Maximum number of concurrent calls. Each is a transaction over many rows and must leave database capacity
 * for others.
 */
const maxCalls = 2;

interface BatchOptions {
  /**
   * Returns the number of tasks that the agent holds, including those whose completion was submitted here.
   */
  countHeld: () => number;
  /**
   * True if release lists are compressed. False if the server is on the same machine, where compression isn't
   * worthwhile.
   */
  isCompressed: boolean;
}

/**
 * Completes many tasks in one call, if their results don't have to be submitted in parts. That applies to
 * most tasks: nearly all sources that are checked every hour have nothing new, new sources have short lists,
 * and the files of a repository are read together.
 */
export function createBatchCompletions(api: ApiClient, { countHeld, isCompressed }: BatchOptions) {
  const calls = createLimit(maxCalls);
  const waiting: Waiting[] = [];
  /** Number of calls that haven't started. Completions submitted before a call starts are included in it. */
  let planned = 0;
  /**
   * Number of completions that are waiting or in flight. If it equals the number of tasks that the agent
   * holds, waiting longer wouldn't add a task to the batch.
   */
  let submitted = 0;
  let timer: NodeJS.Timeout | undefined;

  function send(): void {
    clearTimeout(timer);
    timer = undefined;
    planned += 1;
    void calls.run(async () => {
      planned -= 1;
      const batch = takeBatch();
      if (waiting.length > 0 && planned === 0) send();
      if (batch.length > 0) await complete(batch);
    });
  }

  /**
   * Takes the completions that have waited longest. A batch contains only tasks with releases or only tasks
   * without, because the server doesn't complete both in one transaction.
   */
  function takeBatch(): Waiting[] {
    const batch: Waiting[] = [];
    const hasReleases = waiting[0]?.task.releases !== undefined;
    let releases = 0;
    for (const entry of waiting) {
      if ((entry.task.releases !== undefined) !== hasReleases) continue;
      releases += entry.task.releases?.length ?? 0;
      if (batch.length === maxTasks || releases > maxReleases) break;
      batch.push(entry);
    }
    const isTaken = new Set(batch);
    waiting.splice(0, waiting.length, ...waiting.filter((entry) => !isTaken.has(entry)));
    return batch;
  }

  /** Completes a batch. Never throws, because the promise of each task reports its result. */
  async function complete(batch: readonly Waiting[]): Promise<void> {
    try {
      const body = { tasks: batch.map(({ task }) => task) };
      const gzip = isCompressed && batch.some(({ task }) => task.releases !== undefined);
      const answer = await api.call('completeTasks', { body, gzip });
      const lost = new Set(answer.lost);
      const refusals = new Map(answer.refused.map(({ task_id, message }) => [task_id, message]));
      for (const { task, resolve, reject } of batch) {
        const refusal = refusals.get(task.task_id);
        if (lost.has(task.task_id)) reject(new LeaseLostError());
        else if (refusal !== undefined) reject(new RejectedResultError(refusal));
        else resolve();
      }
    } catch (error) {
      // Split the batch, so that a task that causes a server error doesn't delay the others while it's
      // retried.
      if (error instanceof ApiCallError && error.status === 500 && batch.length > 1) {
        const middle = Math.ceil(batch.length / 2);
        await complete(batch.slice(0, middle));
        return complete(batch.slice(middle));
      }
      const isRefused = error instanceof ApiCallError && error.status !== null && error.status < 429;
      // The batch may be too large, or the server may be too old for batches. Neither is a reason for the
      // tasks to fail, so complete them one by one.
      for (const { task, resolve, reject } of batch) {
        if (isRefused) completeAlone(task).then(resolve, reject);
        else reject(error);
      }
    }
  }

  async function completeAlone({ task_id, item, releases, ...end }: EndedTask): Promise<void> {
    const path = { id: task_id };
    const { lease_token } = end;
    const items = item ? [item] : releases;
    if (items) await api.call('submitTaskResults', { path, body: { lease_token, sequence: 1, items } });
    await api.call('completeTask', { path, body: { ...end, parts: items ? 1 : 0 } });
  }

  return {
    /**
     * Resolves when the server has completed the task.
     * @throws LeaseLostError, RejectedResultError, or the error of the call
     */
    complete(task: EndedTask): Promise<void> {
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      waiting.push({ task, resolve, reject });
      submitted += 1;
      const isEnough = waiting.length >= (planned + 1) * maxTasks;
      if (isEnough || (planned === 0 && submitted >= countHeld())) send();
      else timer ??= setTimeout(send, collectMs);
      return promise.finally(() => (submitted -= 1));
    },
  };
}

export type BatchCompletions = ReturnType<typeof createBatchCompletions>;
