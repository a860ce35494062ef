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
  /** The same by organization: the end of each group looks for the next one. */
  const waitingOf = new Map<number, Set<string>>();
  const running = new Set<Promise<void>>();
  /** Groups of each organization that run. */
  const runningOf = new Map<number, number>();
  /** What each organization has of this lane, waiting or running. */
  const usage = new Map<number, { groups: number; tasks: number }>();
  const maxGroupsOfOne = options.maxGroups * options.share;
  const maxHeldOfOne = options.maxHeld * options.share;
  let onChange = Promise.withResolvers<void>();
  let collectingSince: number | null = null;

  function charge(organizationId: number, groups: number, tasks: number): void {
    const before = usage.get(organizationId) ?? { groups: 0, tasks: 0 };
    const after = { groups: before.groups + groups, tasks: before.tasks + tasks };
    if (after.groups === 0) usage.delete(organizationId);
    else usage.set(organizationId, after);
  }

  function room(): number {
    // A claim may bring more than a share; what is beyond it is not charged to the others.
    const shares = [...usage.values()];
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
    return [...usage].flatMap(([organizationId, { groups, tasks }]) =>
      groups >= maxGroupsOfOne || tasks >= maxHeldOfOne ? organizationId : [],
    );
  }

  function wait(task: HeldTask<Task>): void {
    const key = options.groupKey(task.task);
    const organizationId = task.task.organization_id;
    const group = waiting.get(key) ?? { tasks: [], organizationIds: new Set(), organizationId };
    charge(group.organizationId, waiting.has(key) ? 0 : 1, 1);
    group.tasks.push(task);
    group.organizationIds.add(organizationId);
    waiting.set(key, group);
    const keys = waitingOf.get(organizationId) ?? new Set();
    waitingOf.set(organizationId, keys.add(key));
  }

  function takeFirstOf(organizationId: number): Group<Task> {
    const [key = ''] = waitingOf.get(organizationId)!;
    const group = waiting.get(key)!;
    waiting.delete(key);
    for (const each of group.organizationIds) {
      const keys = waitingOf.get(each)!;
      keys.delete(key);
      if (keys.size === 0) waitingOf.delete(each);
    }
    charge(group.organizationId, -1, -group.tasks.length);
    return { ...group, organizationId };
  }

  function start(): void {
    // Those of which least is running begin first. This happens at the end of each group, for all that wait.
    while (running.size < options.maxRunning) {
      let next: number | null = null;
      let fewest = options.maxRunning * options.share;
      for (const organizationId of waitingOf.keys()) {
        const count = runningOf.get(organizationId) ?? 0;
        if (count >= fewest) continue;
        next = organizationId;
        fewest = count;
        if (fewest === 0) break;
      }
      if (next === null) return;
      begin(takeFirstOf(next));
    }
  }

  function begin({ organizationId, tasks }: Group<Task>): void {
    charge(organizationId, 1, tasks.length);
    runningOf.set(organizationId, (runningOf.get(organizationId) ?? 0) + 1);
    const run = options.runGroup(tasks).finally(() => {
      running.delete(run);
      charge(organizationId, -1, -tasks.length);
      const left = runningOf.get(organizationId)! - 1;
      if (left > 0) runningOf.set(organizationId, left);
      else runningOf.delete(organizationId);
      if (collectingSince === null) start();
      onChange.resolve();
    });
    running.add(run);
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
    for (const task of tasks) wait(task);
    const isFull = tasks.length === asked;
    if (isFull && options.isCollecting) collectingSince ??= performance.now();
    if (!isFull || performance.now() - (collectingSince ?? 0) > maxCollectMs) collectingSince = null;
    if (collectingSince === null) start();
    if (!isFull && tasks.length > 0) await pause(partialClaimPauseMs, signal);
  }

  const left = [...waiting.values()].flatMap(({ tasks }) => tasks);
  waiting.clear();
  waitingOf.clear();
  await Promise.all([...running, releaseAll(left)]);

  async function releaseAll(tasks: HeldTask<Task>[]): Promise<void> {
    for (let at = 0; at < tasks.length; at += 16) {
      await Promise.all(tasks.slice(at, at + 16).map((task) => options.giveBack(task)));
    }
  }
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
