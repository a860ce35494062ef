import type { RawBuilder } from 'kysely';
import type { RunFigures } from '../../domain/runs/describe-run-result.ts';
import type { Schemas } from '../../generated/agent-api.ts';
import type { Database, Tx } from '../../platform/database/index.ts';
import type { DueLoop, DueTable } from '../../platform/due-rows/index.ts';
import type { Log } from '../../platform/log.ts';
import type { ClaimedRun } from './claim-runs.ts';
import type { HeldRun, RunFailure } from './lease-runs.ts';

type Task = Schemas['ClaimTasksResponse']['tasks'][number];

/** Name of a kind of jobs. The contract with agents defines the names. */
export type JobKindName = Task['kind'];

/** The jobs of one kind. The due rows of their table are their schedules. */
export interface JobTable {
  readonly name: JobKindName;
  readonly table: string;
  /** Column in `runs` that refers to the table. */
  readonly runColumn: string;
  /** Capability that an agent needs to run a job, as an expression over the table, which has the alias `jobs`. */
  readonly capability: RawBuilder<string>;
  /** True if agents claim jobs that are due directly, so that a scheduled check has no row in `runs` until it ends. */
  readonly isClaimedWhenDue: boolean;
}

/**
 * A kind of jobs: what an agent does for a job, and what its results change. Each kind is implemented in the module
 * that owns its jobs. Code that handles runs of every kind uses only this contract.
 *
 * @template Deps Dependencies of applying the results of this kind.
 */
export interface JobKind<Deps = unknown> extends JobTable {
  /** Fields that identify results of this kind. Results of other kinds don't have them. */
  readonly resultFields: readonly string[];
  /**
   * Field in which a completion can contain the whole result, so that many tasks can be completed together
   * without parts. If the field is `item`, every completion must contain it, even if nothing changed. Null if
   * all results are submitted in parts.
   */
  readonly wholeResult: 'item' | 'releases' | null;
  /** Behavior of jobs that organizations have. Null if only operators have jobs of this kind. */
  readonly ofOrganizations: OrganizationJobs | null;

  /** Starts the loop that queues runs according to the schedules of the jobs. */
  startSchedules(deps: { db: Database; log: Log }): DueLoop;

  /**
   * Reads the specifications of claimed runs, in one statement for all of them.
   * @returns The specifications by `jobKey`. Deleted jobs have none.
   */
  describe(db: Database, runs: readonly ClaimedRun[]): Promise<ReadonlyMap<string, TaskBody>>;

  /**
   * Applies the results that an agent submitted in parts.
   * @throws ApiError 409 if a part is missing, and other errors for results that can't be applied.
   */
  applyParts(tx: Tx, deps: Deps, run: HeldRun, results: SubmittedParts): Promise<AppliedResults>;

  /**
   * Applies the results of many runs with the same number of statements as for one. Each run has the whole result of
   * its kind, or no changes. Checks without changes whose job isn't failing end without it.
   *
   * @returns The outcome of each task, in the order of `tasks`. A rejected task doesn't affect the others.
   */
  applyTogether(
    tx: Tx,
    deps: Deps,
    tasks: readonly CompletedTask[],
  ): Promise<(AppliedResults | { rejected: string })[]>;
}

/** The part of a task that depends on its kind. */
export type TaskBody = {
  [Name in JobKindName]: Pick<Extract<Task, { kind: Name }>, 'kind' | 'spec'>;
}[JobKindName];

/** Jobs that are resources of organizations, and whose failures are reported to them. */
export interface OrganizationJobs {
  /** True if the overview lists the next runs of these jobs. */
  readonly isListedAsNext: boolean;
  /**
   * Triggers the evaluations that use the data of a job that was just marked as failing, because the data is
   * stale.
   */
  evaluateStale(tx: Tx, organizationId: number, jobId: number): Promise<void>;
  /**
   * Returns true if the failure isn't reported separately, because it's part of another failure that is
   * reported.
   */
  isReportedElsewhere(tx: Tx, organizationId: number, jobId: number): Promise<boolean>;
  /** Returns the other organizations that use the data of a global job, in ascending order. */
  listUsersOfGlobalJob(tx: Tx, jobId: number): Promise<number[]>;
}

/** Results that were submitted in parts. */
export interface SubmittedParts {
  leaseToken: string;
  partCount: number;
  summary: Schemas['TaskSummary'];
}

/** A task without parts. */
export type CompletedTask = { run: HeldRun } & Pick<
  Schemas['CompleteTasksRequest']['tasks'][number],
  'summary' | 'item' | 'releases'
>;

/** Figures of the changes. Only reference data has `changed`. */
type AppliedFigures = RunFigures & { changed?: number };

export interface AppliedResults {
  /**
   * Fields to add to the summary of the run. They contain the figures of every change: a scheduled run without changes
   * has no row of its own.
   */
  applied: AppliedFigures;
  /** Reason why the results can't be used. If set, nothing was changed, and the run fails. */
  failure?: RunFailure;
  /** Additional work for a separate transaction after the commit. */
  afterwards?: ((tx: Tx) => Promise<void>) | undefined;
}

/** Returns the key of a job in the maps of its kind. */
export function jobKey(organizationId: number, jobId: number): string {
  return `${organizationId}/${jobId}`;
}

/** Returns the due table of a kind of jobs, which become due according to their schedules. */
export function dueSchedulesTable({ table }: JobTable) {
  return {
    name: table,
    keys: { organization_id: 'bigint', id: 'bigint' },
    turnOf: 'organization_id',
  } as const satisfies DueTable;
}

/**
 * Outcome of an attempt at a run: it found data (`succeeded`) or no changes (`unchanged`), failed permanently
 * (`failed`), will be retried later (`put_off`), or its lease expired (`lost`).
 */
export type RunOutcome = 'succeeded' | 'unchanged' | 'failed' | 'put_off' | 'lost';

/** Counts an attempt. Called after the end of the attempt is committed. */
export type RunAttemptListener = (kind: JobKindName, outcome: RunOutcome) => void;
