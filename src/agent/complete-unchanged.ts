import { ApiCallError, type ApiClient } from '../client/api-client.ts';
import { LeaseLostError, type TaskSummary } from './agent-task.ts';

interface UnchangedTask {
  task_id: number;
  lease_token: string;
  summary: TaskSummary;
}

/** As many as the service takes at once. */
const maxTasks = 100;
/** A task waits so long for others: nobody waits for a run that found nothing new. */
const collectMs = 100;

/**
 * Ends tasks whose sources had nothing new, many with one call: of thousands of sources that are asked every hour nearly
 * all have nothing new.
 */
export function createUnchangedCompletions(api: ApiClient) {
  let waiting: { task: UnchangedTask; resolve: () => void; reject: (error: unknown) => void }[] = [];
  let timer: NodeJS.Timeout | undefined;

  async function send(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    const sent = waiting;
    waiting = [];
    try {
      const tasks = sent.map(({ task }) => task);
      const lost = new Set((await api.call('completeUnchangedTasks', { body: { tasks } })).lost);
      for (const { task, resolve, reject } of sent) {
        if (lost.has(task.task_id)) reject(new LeaseLostError());
        else resolve();
      }
    } catch (error) {
      const isRefused = error instanceof ApiCallError && error.status !== null && error.status < 429;
      // One that cannot be taken, or a service that does not know this call, is no reason to fail them all.
      for (const { task, resolve, reject } of sent) {
        if (isRefused) completeAlone(task).then(resolve, reject);
        else reject(error);
      }
    }
  }

  async function completeAlone({ task_id, ...end }: UnchangedTask): Promise<void> {
    await api.call('completeTask', { path: { id: task_id }, body: { ...end, parts: 0 } });
  }

  return {
    /** Resolves when the service has ended the task. @throws LeaseLostError, or why the call failed */
    complete(task: UnchangedTask): Promise<void> {
      return new Promise((resolve, reject) => {
        waiting.push({ task, resolve, reject });
        if (waiting.length >= maxTasks) void send();
        else timer ??= setTimeout(() => void send(), collectMs);
      });
    },
  };
}

export type UnchangedCompletions = ReturnType<typeof createUnchangedCompletions>;
