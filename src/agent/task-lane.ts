import type { AgentTask, HeldTask } from './agent-task.ts';
import { pause } from './back-off.ts';

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
  /** Of groups that run, tasks that are held and groups that are there, one organization has this part at most. */
  share: number;
  /** Ends each of the tasks; never throws. */
  runGroup(tasks: HeldTask<Task>[]): Promise<void>;
  /** Ends a task that will not be begun; never throws. */
  giveBack(task: HeldTask<Task>): Promise<void>;
  /** Asks the service for at most so many tasks and takes them into hold. Never throws: no tasks when it fails. */
  claim(
    max: number,
    options: { isWaiting: boolean; exceptOrganizations: readonly number[] },
  ): Promise<HeldTask<Task>[]>;
  /** Ends the claiming. */
  signal: AbortSignal;
}

/** A collection ends after so long, however many tasks still come. */
const maxCollectMs = 2_000;

/**
 * The pause after a claim that brought fewer tasks than it could: tasks that come one after another are then claimed
 * together, and run and end together.
 */
const partialClaimPauseMs = 50;

/** While an organization has its share, tasks of others are asked for this often. */
const pollIntervalMs = 1_000;

/** Tasks of one key. Those of a source that several organizations follow may belong to more than one. */
interface Group<Task extends AgentTask> {
  tasks: HeldTask<Task>[];
  organizationIds: Set<number>;
  /** Whose share it takes: while it waits that of the first, then that of the one of which least is running. */
  organizationId: number;
}

/**
 * Claims tasks of a few kinds and runs them in groups. Resolves after the signal, when no task is left: those that
 * had not begun are given back.
 */
export async function runLane<Task extends AgentTask>(options: LaneOptions<Task>): Promise<void> {
  const { signal } = options;
  const waiting = new Map<string, Group<Task>>();
  const running = new Map<Promise<void>, Group<Task>>();
  /** Groups of each organization that run. */
  const runningOf = new Map<number, number>();
  const maxGroupsOfOne = options.maxGroups * options.share;
  const maxHeldOfOne = options.maxHeld * options.share;
  let onChange = Promise.withResolvers<void>();
  let collectingSince: number | null = null;

  /** What each organization has of this lane, waiting or running. */
  function usage(): Map<number, { groups: number; tasks: number }> {
    const usage = new Map<number, { groups: number; tasks: number }>();
    for (const { organizationId, tasks } of [...waiting.values(), ...running.values()]) {
      const before = usage.get(organizationId) ?? { groups: 0, tasks: 0 };
      usage.set(organizationId, { groups: before.groups + 1, tasks: before.tasks + tasks.length });
    }
    return usage;
  }

  function room(): number {
    // A claim may bring more than a share; what is beyond it is not charged to the others.
    const shares = [...usage().values()];
    const groups = sum(shares.map((one) => Math.min(one.groups, maxGroupsOfOne)));
    if (groups >= options.maxGroups) return 0;
    const free = options.maxHeld - sum(shares.map((one) => Math.min(one.tasks, maxHeldOfOne)));
    // Not one by one: a claim for a single place costs as much as one for many.
    if (free < Math.min(options.maxClaimed, options.maxHeld / 2)) return 0;
    const isBelowMinimum = collectingSince !== null && groups <= options.maxGroups / 4;
    return Math.min(free, options.maxClaimed * (isBelowMinimum ? 4 : 1));
  }

  /** Organizations that have their share of what this lane can hold, so that the rest is for others. */
  function served(): number[] {
    return [...usage()].flatMap(([organizationId, { groups, tasks }]) =>
      groups >= maxGroupsOfOne || tasks >= maxHeldOfOne ? organizationId : [],
    );
  }

  function start(): void {
    // Those of which least is running begin first. This happens at the end of each group, for all that wait.
    while (running.size < options.maxRunning) {
      let next: { key: string; organizationId: number } | null = null;
      let fewest = options.maxRunning * options.share;
      for (const [key, { organizationIds }] of waiting) {
        for (const organizationId of organizationIds) {
          const count = runningOf.get(organizationId) ?? 0;
          if (count >= fewest) continue;
          next = { key, organizationId };
          fewest = count;
        }
        if (fewest === 0) break;
      }
      if (!next) return;
      const group = waiting.get(next.key)!;
      waiting.delete(next.key);
      begin({ ...group, organizationId: next.organizationId });
    }
  }

  function begin(group: Group<Task>): void {
    const { organizationId } = group;
    runningOf.set(organizationId, (runningOf.get(organizationId) ?? 0) + 1);
    const run = options.runGroup(group.tasks).finally(() => {
      running.delete(run);
      const left = runningOf.get(organizationId)! - 1;
      if (left > 0) runningOf.set(organizationId, left);
      else runningOf.delete(organizationId);
      if (collectingSince === null) start();
      onChange.resolve();
    });
    running.set(run, group);
  }

  /** Until something ends, for a while at most. */
  async function untilChange(maxMs: number): Promise<void> {
    onChange = Promise.withResolvers();
    const timer = setTimeout(onChange.resolve, maxMs);
    await onChange.promise;
    clearTimeout(timer);
  }

  async function waitForCapacity(): Promise<void> {
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
      await waitForCapacity();
      continue;
    }
    let exceptOrganizations = served();
    if (exceptOrganizations.length > 0) {
      if (collectingSince !== null) {
        collectingSince = null;
        start();
      }
      const until = performance.now() + pollIntervalMs;
      // As a rule its tasks end at once, and the next claim is for all.
      while (exceptOrganizations.length > 0 && performance.now() < until && !signal.aborted) {
        await untilChange(until - performance.now());
        exceptOrganizations = served();
      }
      if (signal.aborted) break;
      if (room() === 0) continue;
    }
    // What is already collected does not wait for a task that may never come, nor one whose turn comes soon.
    const asked = Math.min(max, room());
    const tasks = await options.claim(asked, {
      isWaiting: collectingSince === null && exceptOrganizations.length === 0,
      exceptOrganizations,
    });
    for (const task of tasks) {
      const key = options.groupKey(task.task);
      const organizationId = task.task.organization_id;
      const group = waiting.get(key);
      if (group) {
        group.tasks.push(task);
        group.organizationIds.add(organizationId);
      } else {
        waiting.set(key, { tasks: [task], organizationIds: new Set([organizationId]), organizationId });
      }
    }
    const isFull = tasks.length === asked;
    if (isFull && options.isCollecting) collectingSince ??= performance.now();
    if (!isFull || performance.now() - (collectingSince ?? 0) > maxCollectMs) collectingSince = null;
    if (collectingSince === null) start();
    if (!isFull && tasks.length > 0) await pause(partialClaimPauseMs, signal);
  }

  const left = [...waiting.values()].flatMap(({ tasks }) => tasks);
  waiting.clear();
  await Promise.all([...running.keys(), releaseAll(left)]);

  async function releaseAll(tasks: HeldTask<Task>[]): Promise<void> {
    for (let at = 0; at < tasks.length; at += 16) {
      await Promise.all(tasks.slice(at, at + 16).map((task) => options.giveBack(task)));
    }
  }
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
