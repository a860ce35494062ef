import type { Schemas } from '../generated/agent-api.ts';

export type AgentTask = Schemas['ClaimTasksResponse']['tasks'][number];
/** Tasks of one kind. */
export type TaskOf<Kind extends AgentTask['kind']> = Extract<AgentTask, { kind: Kind }>;
export type TaskSummary = Schemas['CompleteTaskRequest']['summary'];
/** Result that is submitted together with the completion of a task, instead of in parts. */
export type InlineResult = Pick<Schemas['CompleteTasksRequest']['tasks'][number], 'item' | 'releases'>;
export type ResultItem = Schemas['SubmitTaskResultsRequest']['items'][number];

/**
 * A task that this agent holds. Its lease is renewed from the claim until the task is completed, failed, or
 * lost.
 */
export interface HeldTask<Task extends AgentTask = AgentTask> {
  readonly task: Task;
  /**
   * Aborted when the lease is lost, when the run takes too long, or when the agent's time to stop expires.
   */
  readonly signal: AbortSignal;
  /** Starts the time limit. When it expires, the run fails with `timeout`. */
  limitTime(maxMs: number): void;
  /** Lists the packages for a task that fetches vulnerabilities, with the most important packages first. */
  listPackages(): Promise<Schemas['ListTaskPackagesResponse']['packages']>;
  /** Lists the CVE IDs whose scores the server stores, for a task that fetches EPSS scores. */
  listCves(): Promise<string[]>;
  /**
   * Returns the records that the server is missing or has in a different version, for a task that fetches
   * vulnerabilities.
   */
  findMissingRecords(
    packages: Schemas['ListedPackage'][],
  ): Promise<Schemas['FindMissingRecordsResponse']['records']>;
  /**
   * Submits a part of the result: at most 1,000 items and 6 MiB. Parts are numbered in the order of the
   * calls.
   */
  sendPart(items: ResultItem[]): Promise<void>;
  /**
   * Completes the task. If no parts were submitted and none are needed (the source is unmodified, or `whole`
   * contains the entire result), the promise resolves immediately, and the task is completed later in a batch
   * with others.
   */
  complete(summary: TaskSummary, whole?: InlineResult): Promise<void>;
  /** Fails the task with the given error. Never throws. */
  fail(error: unknown): Promise<void>;
  /** Resolves when the task is no longer held. */
  readonly ended: Promise<void>;
}

/** The task was assigned to another agent or canceled, so further work on it has no effect. */
export class LeaseLostError extends Error {
  override name = 'LeaseLostError';

  constructor() {
    super('task lease lost');
  }
}

/**
 * The server doesn't accept the results of the task and would reject them again. The message contains the
 * reason.
 */
export class RejectedResultError extends Error {
  override name = 'RejectedResultError';
}

/** The agent is stopping and releases the task. */
export class AgentStoppedError extends Error {
  override name = 'AgentStoppedError';

  constructor() {
    super('the agent was stopped');
  }
}
