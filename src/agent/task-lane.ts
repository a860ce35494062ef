import type { AgentTask, HeldTask } from './agent-task.ts';
import { pause } from './back-off.ts';
import { LaneGroups, type LaneLimits, type TaskGroup } from './lane-groups.ts';

export interface LaneOptions<Task extends AgentTask> extends LaneLimits<Task> {
  /**
   * True to collect tasks: the tasks of a full claim wait for the next claims before they run, so that
   * related tasks run together. While the lane has few groups, these claims request up to four times
   * `maxClaimed` tasks, so that a thousand tasks of one group require only a few claims.
   */
  isCollecting: boolean;
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
 * Claims tasks of a few kinds and runs them in groups. When the signal is aborted, releases the tasks that
 * haven't started and resolves when all running tasks have ended.
 */
export function runLane<Task extends AgentTask>(options: LaneOptions<Task>): Promise<void> {
  return new Lane(options).run();
}

class Lane<Task extends AgentTask> {
  readonly #options: LaneOptions<Task>;
  readonly #groups: LaneGroups<Task>;
  readonly #running = new Set<Promise<void>>();
  #onChange = Promise.withResolvers<void>();
  #collectingSince: number | null = null;

  constructor(options: LaneOptions<Task>) {
    this.#options = options;
    this.#groups = new LaneGroups(options);
  }

  async run(): Promise<void> {
    const { signal } = this.#options;
    signal.addEventListener('abort', () => this.#onChange.resolve(), { once: true });
    while (!signal.aborted) {
      if (this.#capacity() > 0) await this.#claim();
      else {
        this.#endCollecting();
        while (this.#capacity() === 0 && !signal.aborted) await this.#waitForChange();
      }
    }
    await Promise.all([...this.#running, this.#releaseAll(this.#groups.takeWaiting())]);
  }

  async #claim(): Promise<void> {
    const { claim, isCollecting, signal } = this.#options;
    const max = this.#capacity();
    const exceptOrganizations = await this.#waitForOrganizationsAtLimit();
    if (signal.aborted) return;
    // The claim doesn't wait for new tasks while collected tasks are ready or excluded organizations will
    // soon have capacity.
    const requested = Math.min(max, this.#capacity());
    if (requested === 0) return;
    const tasks = await claim(requested, {
      isWaiting: this.#collectingSince === null && exceptOrganizations.length === 0,
      exceptOrganizations,
    });
    for (const task of tasks) this.#groups.add(task);
    const isFull = tasks.length === requested;
    if (isFull && isCollecting) this.#collectingSince ??= performance.now();
    const isCollectionOver = performance.now() - (this.#collectingSince ?? 0) > maxCollectMs;
    if (!isFull || isCollectionOver || this.#collectingSince === null) this.#endCollecting();
    if (!isFull && tasks.length > 0) await pause(partialClaimPauseMs, signal);
  }

  /**
   * If organizations are at their limit, waits a moment until none is, so that the next claim can include all of them.
   * Their tasks usually end quickly.
   *
   * @returns The organizations that are still at their limit.
   */
  async #waitForOrganizationsAtLimit(): Promise<number[]> {
    let atLimit = this.#groups.organizationsAtLimit();
    if (atLimit.length > 0 && this.#collectingSince !== null) this.#endCollecting();
    const until = performance.now() + pollIntervalMs;
    while (atLimit.length > 0 && performance.now() < until && !this.#options.signal.aborted) {
      await this.#waitForChange(until - performance.now());
      atLimit = this.#groups.organizationsAtLimit();
    }
    return atLimit;
  }

  #capacity(): number {
    return this.#groups.claimCapacity({ isCollecting: this.#collectingSince !== null });
  }

  #endCollecting(): void {
    this.#collectingSince = null;
    this.#start();
  }

  #start(): void {
    for (let group = this.#groups.startNext(); group; group = this.#groups.startNext()) this.#runGroup(group);
  }

  #runGroup(group: TaskGroup<Task>): void {
    const run = this.#options.runGroup(group.tasks).finally(() => {
      this.#running.delete(run);
      this.#groups.end(group);
      if (this.#collectingSince === null) this.#start();
      this.#onChange.resolve();
    });
    this.#running.add(run);
  }

  /** Waits until a group ends, the signal is aborted, or `maxMs` have passed. */
  async #waitForChange(maxMs?: number): Promise<void> {
    this.#onChange = Promise.withResolvers();
    const timer = maxMs === undefined ? undefined : setTimeout(this.#onChange.resolve, maxMs);
    await this.#onChange.promise;
    clearTimeout(timer);
  }

  async #releaseAll(tasks: HeldTask<Task>[]): Promise<void> {
    for (let at = 0; at < tasks.length; at += 16)
      await Promise.all(tasks.slice(at, at + 16).map((task) => this.#options.releaseTask(task)));
  }
}
