import type { Schemas } from '../generated/agent-api.ts';

export type AgentTask = Schemas['ClaimTasksResponse']['tasks'][number];
export type GatherTask = Extract<AgentTask, { kind: 'gather' }>;
export type ScrapeTask = Extract<AgentTask, { kind: 'scrape' }>;
export type HelmSyncTask = Extract<AgentTask, { kind: 'helm_sync' }>;
export type DiscoveryTask = Extract<AgentTask, { kind: 'discovery' }>;
export type ReferenceTask = Extract<AgentTask, { kind: 'reference' }>;
export type TaskSummary = Schemas['CompleteTaskRequest']['summary'];
/** What the end of a task can hand in by itself, instead of in parts. */
export type WholeResult = Pick<Schemas['CompleteTasksRequest']['tasks'][number], 'item' | 'releases'>;
export type ResultItem = Schemas['SubmitTaskResultsRequest']['items'][number];

/** A task that this agent holds: its lease is renewed from the claim on until it is completed, failed or lost. */
export interface HeldTask<Task extends AgentTask = AgentTask> {
  readonly task: Task;
  /** Aborted when the lease is lost, when the run takes too long, or when the agent stops and the time to finish is over. */
  readonly signal: AbortSignal;
  /** Starts the time limit. When it expires, the run fails with `timeout`. */
  limitTime(maxMs: number): void;
  /** For tasks that fetch vulnerabilities: the packages, those first that matter most. */
  listPackages(): Promise<Schemas['ListTaskPackagesResponse']['packages']>;
  /** For tasks that fetch vulnerabilities: which of these records the server doesn't have as they are. */
  findMissingRecords(
    packages: Schemas['ListedPackage'][],
  ): Promise<Schemas['FindMissingRecordsResponse']['records']>;
  /** Hands in a part: at most 1,000 items and 6 MiB. Parts are numbered as they come. */
  sendPart(items: ResultItem[]): Promise<void>;
  /**
   * Without parts, the end of a task that found nothing new, or that has its whole result with it, is handed in together
   * with others, after this has resolved.
   */
  complete(summary: TaskSummary, whole?: WholeResult): Promise<void>;
  /** Ends the task with the reason why it could not be done. Never throws. */
  fail(error: unknown): Promise<void>;
  /** Resolves when the task is no longer held. */
  readonly ended: Promise<void>;
}

/** The task was given to another agent or canceled. Nothing that this agent still does for it has an effect. */
export class LeaseLostError extends Error {
  override name = 'LeaseLostError';

  constructor() {
    super('task lease lost');
  }
}

/** The server doesn't accept the results of the task and would reject them again. The message says why. */
export class RejectedResultError extends Error {
  override name = 'RejectedResultError';
}

/** The agent stops and gives the task back. */
export class AgentStoppedError extends Error {
  override name = 'AgentStoppedError';

  constructor() {
    super('the agent was stopped');
  }
}
