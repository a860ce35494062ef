import type { AgentTask, HeldTask } from './agent-task.ts';

export interface LaneOptions<Task extends AgentTask> {
  /** Groups that run at the same time. */
  maxRunning: number;
  /** No more tasks are claimed while so many are held. */
  maxHeld: number;
  /** Nor while so many groups are waiting or running. */
  maxGroups: number;
  /** How many tasks one claim brings at most. */
  maxClaimed: number;
  /**
   * Wait for the claims that follow a full one, so that what belongs together runs together. While that is in few groups
   * these bring up to four times as many: a thousand tasks of one group are claimed with a few calls.
   */
  isCollecting: boolean;
  /** Tasks with the same key are run together, by one call. */
  groupKey(task: Task): string;
  /** Ends each of the tasks; never throws. */
  runGroup(tasks: HeldTask<Task>[]): Promise<void>;
  /** Ends a task that will not be begun; never throws. */
  giveBack(task: HeldTask<Task>): Promise<void>;
  /** Asks the service for at most so many tasks and takes them into hold. Never throws: no tasks when it fails. */
  claim(max: number, options: { isWaiting: boolean }): Promise<HeldTask<Task>[]>;
  /** Ends the claiming. */
  signal: AbortSignal;
}

/** A collection ends after so long, however many tasks still come. */
const maxCollectMs = 2_000;

/**
 * Claims tasks of a few kinds and runs them in groups. Resolves after the signal, when no task is left: those that
 * had not begun are given back.
 */
export async function runLane<Task extends AgentTask>(options: LaneOptions<Task>): Promise<void> {
  const { signal } = options;
  const waiting = new Map<string, HeldTask<Task>[]>();
  const running = new Set<Promise<void>>();
  let held = 0;
  let onChange = Promise.withResolvers<void>();
  let collectingSince: number | null = null;

  function room(): number {
    const groups = waiting.size + running.size;
    if (groups >= options.maxGroups) return 0;
    const free = options.maxHeld - held;
    // Not one by one: a claim for a single place costs as much as one for many.
    if (free < Math.min(options.maxClaimed, options.maxHeld / 2)) return 0;
    const isFew = collectingSince !== null && groups <= options.maxGroups / 4;
    return Math.min(free, options.maxClaimed * (isFew ? 4 : 1));
  }

  function start(): void {
    for (const [key, group] of waiting) {
      if (running.size >= options.maxRunning) return;
      waiting.delete(key);
      const run = options.runGroup(group).finally(() => {
        held -= group.length;
        running.delete(run);
        if (collectingSince === null) start();
        onChange.resolve();
      });
      running.add(run);
    }
  }

  async function untilRoom(): Promise<void> {
    while (room() === 0 && !signal.aborted) {
      onChange = Promise.withResolvers();
      await onChange.promise;
    }
  }

  signal.addEventListener('abort', () => onChange.resolve(), { once: true });
  while (!signal.aborted) {
    const max = room();
    if (max === 0) {
      collectingSince = null;
      start();
      await untilRoom();
      continue;
    }
    // What is already collected does not wait for a task that may never come.
    const tasks = await options.claim(max, { isWaiting: collectingSince === null });
    held += tasks.length;
    for (const task of tasks) {
      const key = options.groupKey(task.task);
      const group = waiting.get(key);
      if (group) group.push(task);
      else waiting.set(key, [task]);
    }
    const isFull = tasks.length === max;
    if (isFull && options.isCollecting) collectingSince ??= performance.now();
    if (!isFull || performance.now() - (collectingSince ?? 0) > maxCollectMs) collectingSince = null;
    if (collectingSince === null) start();
  }

  const left = [...waiting.values()].flat();
  waiting.clear();
  await Promise.all([...running, giveBackAll(left)]);

  async function giveBackAll(tasks: HeldTask<Task>[]): Promise<void> {
    for (let at = 0; at < tasks.length; at += 16) {
      await Promise.all(tasks.slice(at, at + 16).map((task) => options.giveBack(task)));
    }
  }
}
