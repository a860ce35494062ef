import type { AgentTask, HeldTask } from './agent-task.ts';
import { pause } from './back-off.ts';

export interface LaneOptions<Task extends AgentTask> {
  /** Maximum number of groups that run at the same time. */
  maxRunning: number;
  /** Number of held tasks at which the lane stops claiming. */
  maxHeld: number;
  /** Number of waiting and running groups at which the lane stops claiming. */
  maxGroups: number;
  /** Maximum number of tasks per claim. See `isCollecting` for the exception. */
  maxClaimed: number;
  /**
   * True to collect tasks: the tasks of a full claim wait for the next claims before they run, so that
   * related tasks run together. While the lane has few groups, these claims request up to four times
   * `maxClaimed` tasks, so that a thousand tasks of one group require only a few claims.
   */
  isCollecting: boolean;
  /** Returns the key of a task. One call to `runGroup` runs all waiting tasks with the same key. */
  groupKey(task: Task): string;
  /**
   * Maximum share of one organization, as a fraction. It applies separately to the running groups, the held tasks, and
   * the groups of the lane.
   */
  share: number;
  /** Runs the tasks until each one has ended. Never throws. */
  runGroup(tasks: readonly HeldTask<Task>[]): Promise<void>;
  /** Releases a task that won't be started. Never throws. */
  releaseTask(task: HeldTask<Task>): Promise<void>;
  /** Claims and holds at most `max` tasks. Never throws: returns no tasks if the claim fails. */
  claim(
    max: number,
    options: { isWaiting: boolean; exceptOrganizations: readonly number[] },
  ): Promise<HeldTask<Task>[]>;
  /** Signal that stops claiming. */
  signal: AbortSignal;
}

/** Maximum duration of a collection, even if more tasks are available. */
const maxCollectMs = 2_000;

/**
 * Pause after a claim that returned fewer tasks than requested. Tasks that arrive in quick succession are
 * then claimed, run, and completed together.
 */
const partialClaimPauseMs = 50;

/** Interval between claims for the other organizations while one organization has reached its share. */
const pollIntervalMs = 1_000;

/**
 * Tasks with the same key. If several organizations follow the same source, a group can contain tasks of more
 * than one organization.
 */
interface Group<Task extends AgentTask> {
  tasks: HeldTask<Task>[];
  organizationIds: Set<number>;
  /**
   * Organization whose share the group uses. While the group waits, it's the organization of the first task.
   * While the group runs, it's the organization that had the fewest running groups at the start.
   */
  organizationId: number;
}

/**
 * Claims tasks of a few kinds and runs them in groups. When the signal is aborted, releases the tasks that
 * haven't started and resolves when all running tasks have ended.
 */
export async function runLane<Task extends AgentTask>(options: LaneOptions<Task>): Promise<void> {
  const { signal } = options;
  const waiting = new Map<string, Group<Task>>();
  /**
   * Keys of the waiting groups by organization. Each time that a group ends, the lane looks up the next one
   * here.
   */
  const waitingOf = new Map<number, Set<string>>();
  const running = new Set<Promise<void>>();
  /** Number of running groups per organization. */
  const runningOf = new Map<number, number>();
  /** Waiting and running groups and tasks of each organization in this lane. */
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

  function claimCapacity(): number {
    // A claim can return more tasks than an organization's share. The excess doesn't reduce the capacity of
    // the others.
    const shares = [...usage.values()];
    const groups = sum(shares.map((one) => Math.min(one.groups, maxGroupsOfOne)));
    if (groups >= options.maxGroups) return 0;
    const free = options.maxHeld - sum(shares.map((one) => Math.min(one.tasks, maxHeldOfOne)));
    // Wait for more free capacity, because a claim for a single task costs as much as a claim for many.
    if (free < Math.min(options.maxClaimed, options.maxHeld / 2)) return 0;
    const isBelowMinimum = collectingSince !== null && groups <= options.maxGroups / 4;
    return Math.min(free, options.maxClaimed * (isBelowMinimum ? 4 : 1));
  }

  /**
   * Returns the organizations that have reached their share of this lane. The remaining capacity is reserved
   * for others.
   */
  function organizationsAtLimit(): number[] {
    return [...usage].flatMap(([organizationId, { groups, tasks }]) =>
      groups >= maxGroupsOfOne || tasks >= maxHeldOfOne ? organizationId : [],
    );
  }

  function addToGroup(task: HeldTask<Task>): void {
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
    // The organization with the fewest running groups starts first. This loop runs at the end of each group,
    // so it must be fast.
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
      startGroup(takeFirstOf(next));
    }
  }

  function startGroup({ organizationId, tasks }: Group<Task>): void {
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

  /** Waits until a group ends, the signal is aborted, or `maxMs` have passed. */
  async function waitForChange(maxMs: number): Promise<void> {
    onChange = Promise.withResolvers();
    const timer = setTimeout(onChange.resolve, maxMs);
    await onChange.promise;
    clearTimeout(timer);
  }

  async function waitForCapacity(): Promise<void> {
    while (claimCapacity() === 0 && !signal.aborted) {
      onChange = Promise.withResolvers();
      await onChange.promise;
    }
  }

  signal.addEventListener('abort', () => onChange.resolve(), { once: true });
  while (!signal.aborted) {
    const max = claimCapacity();
    if (max === 0) {
      collectingSince = null;
      start();
      await waitForCapacity();
      continue;
    }
    let exceptOrganizations = organizationsAtLimit();
    if (exceptOrganizations.length > 0) {
      if (collectingSince !== null) {
        collectingSince = null;
        start();
      }
      const until = performance.now() + pollIntervalMs;
      // Wait until no organization is at its limit, so that the next claim can include all of them. The tasks
      // usually end quickly.
      while (exceptOrganizations.length > 0 && performance.now() < until && !signal.aborted) {
        await waitForChange(until - performance.now());
        exceptOrganizations = organizationsAtLimit();
      }
      if (signal.aborted) break;
      if (claimCapacity() === 0) continue;
    }
    // The claim doesn't wait for new tasks while collected tasks are ready or excluded organizations will
    // soon have capacity.
    const requested = Math.min(max, claimCapacity());
    const tasks = await options.claim(requested, {
      isWaiting: collectingSince === null && exceptOrganizations.length === 0,
      exceptOrganizations,
    });
    for (const task of tasks) addToGroup(task);
    const isFull = tasks.length === requested;
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
      await Promise.all(tasks.slice(at, at + 16).map((task) => options.releaseTask(task)));
    }
  }
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
