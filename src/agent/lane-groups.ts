import { Counts } from '../platform/fairness/index.ts';
import type { AgentTask, HeldTask } from './agent-task.ts';

export interface LaneLimits<Task extends AgentTask> {
  /** Maximum number of groups that run at the same time. */
  maxRunning: number;
  /** Number of held tasks at which the lane stops claiming. */
  maxHeld: number;
  /** Number of waiting and running groups at which the lane stops claiming. */
  maxGroups: number;
  /** Maximum number of tasks per claim. See `isCollecting` for the exception. */
  maxClaimed: number;
  /** Returns the key of a task. One call to `runGroup` runs all waiting tasks with the same key. */
  groupKey(task: Task): string;
  /**
   * Maximum share of one organization, as a fraction. It applies separately to the running groups, the held tasks, and
   * the groups of the lane.
   */
  share: number;
}

/**
 * Tasks with the same key. If several organizations follow the same source, a group can contain tasks of more
 * than one organization.
 */
export interface TaskGroup<Task extends AgentTask> {
  tasks: HeldTask<Task>[];
  organizationIds: Set<number>;
  /**
   * Organization whose share the group uses. While the group waits, it's the organization of the first task.
   * While the group runs, it's the organization that had the fewest running groups at the start.
   */
  organizationId: number;
}

/** The waiting and running groups of a lane. Decides which group is next, and how many tasks the lane can claim. */
export class LaneGroups<Task extends AgentTask> {
  readonly #limits: LaneLimits<Task>;
  readonly #maxGroupsOfOne: number;
  readonly #maxHeldOfOne: number;
  readonly #waiting = new Map<string, TaskGroup<Task>>();
  /**
   * Keys of the waiting groups by organization. Each time that a group ends, the lane looks up the next one
   * here.
   */
  readonly #waitingOf = new Map<number, Set<string>>();
  #running = 0;
  /** Number of running groups per organization. */
  readonly #runningOf = new Counts<number>();
  /** Waiting and running groups and tasks of each organization in this lane. */
  readonly #usage = new Map<number, { groups: number; tasks: number }>();

  constructor(limits: LaneLimits<Task>) {
    this.#limits = limits;
    this.#maxGroupsOfOne = limits.maxGroups * limits.share;
    this.#maxHeldOfOne = limits.maxHeld * limits.share;
  }

  /** Returns the number of tasks that the lane can claim now. */
  claimCapacity({ isCollecting }: { isCollecting: boolean }): number {
    const { maxGroups, maxHeld, maxClaimed } = this.#limits;
    // A claim can return more tasks than an organization's share. The excess doesn't reduce the capacity of
    // the others.
    const shares = [...this.#usage.values()];
    const groups = sum(shares.map((one) => Math.min(one.groups, this.#maxGroupsOfOne)));
    if (groups >= maxGroups) return 0;
    const free = maxHeld - sum(shares.map((one) => Math.min(one.tasks, this.#maxHeldOfOne)));
    // Wait for more free capacity, because a claim for a single task costs as much as a claim for many.
    if (free < Math.min(maxClaimed, maxHeld / 2)) return 0;
    const isBelowMinimum = isCollecting && groups <= maxGroups / 4;
    return Math.min(free, maxClaimed * (isBelowMinimum ? 4 : 1));
  }

  /**
   * Returns the organizations that have reached their share of this lane. The remaining capacity is reserved
   * for others.
   */
  organizationsAtLimit(): number[] {
    return [...this.#usage].flatMap(([organizationId, { groups, tasks }]) =>
      groups >= this.#maxGroupsOfOne || tasks >= this.#maxHeldOfOne ? organizationId : [],
    );
  }

  add(task: HeldTask<Task>): void {
    const key = this.#limits.groupKey(task.task);
    const organizationId = task.task.organization_id;
    const group = this.#waiting.get(key) ?? { tasks: [], organizationIds: new Set(), organizationId };
    this.#charge(group.organizationId, this.#waiting.has(key) ? 0 : 1, 1);
    group.tasks.push(task);
    group.organizationIds.add(organizationId);
    this.#waiting.set(key, group);
    const keys = this.#waitingOf.get(organizationId) ?? new Set();
    this.#waitingOf.set(organizationId, keys.add(key));
  }

  /**
   * Takes the next group to run: one of the organization with the fewest running groups. Called at the end of each group,
   * so it must be fast.
   *
   * @returns Null if no group can start.
   */
  startNext(): TaskGroup<Task> | null {
    const { maxRunning, share } = this.#limits;
    if (this.#running >= maxRunning) return null;
    let next: number | null = null;
    let fewest = maxRunning * share;
    for (const organizationId of this.#waitingOf.keys()) {
      const count = this.#runningOf.of(organizationId);
      if (count >= fewest) continue;
      next = organizationId;
      fewest = count;
      if (fewest === 0) break;
    }
    if (next === null) return null;
    const group = this.#takeFirstOf(next);
    this.#charge(next, 1, group.tasks.length);
    this.#runningOf.add(next, 1);
    this.#running += 1;
    return group;
  }

  end({ organizationId, tasks }: TaskGroup<Task>): void {
    this.#charge(organizationId, -1, -tasks.length);
    this.#runningOf.add(organizationId, -1);
    this.#running -= 1;
  }

  /** Removes and returns all waiting tasks. */
  takeWaiting(): HeldTask<Task>[] {
    const tasks = [...this.#waiting.values()].flatMap((group) => group.tasks);
    this.#waiting.clear();
    this.#waitingOf.clear();
    return tasks;
  }

  #takeFirstOf(organizationId: number): TaskGroup<Task> {
    const [key = ''] = this.#waitingOf.get(organizationId)!;
    const group = this.#waiting.get(key)!;
    this.#waiting.delete(key);
    for (const each of group.organizationIds) {
      const keys = this.#waitingOf.get(each)!;
      keys.delete(key);
      if (keys.size === 0) this.#waitingOf.delete(each);
    }
    this.#charge(group.organizationId, -1, -group.tasks.length);
    return { ...group, organizationId };
  }

  #charge(organizationId: number, groups: number, tasks: number): void {
    const before = this.#usage.get(organizationId) ?? { groups: 0, tasks: 0 };
    const after = { groups: before.groups + groups, tasks: before.tasks + tasks };
    if (after.groups === 0) this.#usage.delete(organizationId);
    else this.#usage.set(organizationId, after);
  }
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
