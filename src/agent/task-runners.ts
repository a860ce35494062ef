import type { RunErrorCode } from '../domain/runs/run-error-codes.ts';
import type { Sandbox } from '../platform/sandbox/index.ts';
import { createKnownPages } from '../sources/list-repositories.ts';
import type { createSourceHttp } from '../sources/source-http.ts';
import type { AnyCredential } from './agent-credential.ts';
import type { AgentTask, HeldTask, TaskOf } from './agent-task.ts';
import type { StartBodyReading } from './body-reading.ts';
import type { OpenHost } from './docker/host-api.ts';
import type { RepositoryReader } from './git/repository-reader.ts';
import type { OpenCluster } from './kubernetes/cluster-api.ts';
import type { OpenCredential } from './open-credential.ts';
import { createOsvArchiveCache } from './osv-archives.ts';
import type { ParseFile } from './parse-files.ts';
import { createResponseCache } from './response-cache.ts';
import { runClusterDiscovery } from './run-cluster-discovery.ts';
import { runDiscovery } from './run-discovery.ts';
import { runGathers } from './run-gather.ts';
import { runHelmSync } from './run-helm-sync.ts';
import { runHostDiscovery } from './run-host-discovery.ts';
import { createSeriesCache } from './run-prometheus-scrape.ts';
import { runReference } from './run-reference.ts';
import { runRepositoryListing } from './run-repository-listing.ts';
import { runScrapes, scrapeKey } from './run-scrape.ts';

/** Functions that group and run tasks of every kind. */
export interface TaskRunners {
  /** Returns the key of tasks that run together. Tasks with the same key are of the same kind. */
  groupKey(task: AgentTask): string;
  /** Runs tasks with the same key. Never throws: each task ends as completed, failed, or lost. */
  runGroup(tasks: readonly HeldTask[]): Promise<void>;
  /** Returns the error code of a task whose result the server rejects. */
  rejectedCode(task: AgentTask): RunErrorCode;
}

export interface RunnerDeps {
  startReading: StartBodyReading;
  sourceHttp: ReturnType<typeof createSourceHttp>;
  repositories: RepositoryReader;
  openCluster: OpenCluster;
  openHost: OpenHost;
  parseFile: ParseFile;
  sandbox: Sandbox;
  /** Credentials of the agent. Scans of clusters and container hosts use them directly, without `openCredential`. */
  credentials: readonly AnyCredential[];
  openCredential: OpenCredential;
  /** Creates an empty directory for large downloads, which the caller deletes. */
  openFolder(): Promise<string>;
  /** Called for every failure of a task, before the failure is reported. */
  runFailed(task: AgentTask, error: unknown): void;
  clock: () => Date;
}

type SharedDeps = RunnerDeps & ReturnType<typeof createCaches>;

/** Functions for the tasks of one kind. */
interface TaskRunner<Task extends AgentTask> {
  groupKey(task: Task): string;
  runGroup(tasks: readonly HeldTask<Task>[], deps: SharedDeps): Promise<void>;
  rejectedCode: RunErrorCode;
}

const taskRunners: { [Kind in AgentTask['kind']]: TaskRunner<Extract<AgentTask, { kind: Kind }>> } = {
  gather: {
    groupKey: ({ spec }) => spec.share_key,
    runGroup: runGathers,
    rejectedCode: 'invalid_index',
  },
  scrape: { groupKey: scrapeKey, runGroup: runScrapes, rejectedCode: 'parse_failed' },
  helm_sync: runnerOfOne(runHelmSync),
  discovery: runnerOfOne(discover),
  reference: runnerOfOne(runReference),
};

/** Returns the runner of tasks that don't share anything. */
function runnerOfOne<Task extends AgentTask>(
  run: (held: HeldTask<Task>, deps: SharedDeps) => Promise<void>,
): TaskRunner<Task> {
  return {
    groupKey: ({ kind, task_id }) => `${kind} ${task_id}`,
    async runGroup(tasks, deps) {
      await Promise.all(tasks.map((held) => run(held, deps)));
    },
    rejectedCode: 'invalid_index',
  };
}

export function createTaskRunners(parts: RunnerDeps): TaskRunners {
  const watched = (held: HeldTask): HeldTask => ({
    ...held,
    fail(error) {
      parts.runFailed(held.task, error);
      return held.fail(error);
    },
  });
  const deps: SharedDeps = { ...parts, ...createCaches() };
  const runnerOf = ({ kind }: AgentTask): TaskRunner<AgentTask> => taskRunners[kind];
  return {
    groupKey: (task) => runnerOf(task).groupKey(task),
    rejectedCode: (task) => runnerOf(task).rejectedCode,
    async runGroup(tasks) {
      const [first] = tasks;
      if (first) await runnerOf(first.task).runGroup(tasks.map(watched), deps);
    },
  };
}

/** Creates the caches that all tasks of an agent share. */
function createCaches() {
  return {
    responseCache: createResponseCache(),
    knownPages: createKnownPages(),
    recentSeries: createSeriesCache(),
    archives: createOsvArchiveCache(),
  };
}

function discover(held: HeldTask<TaskOf<'discovery'>>, deps: SharedDeps): Promise<void> {
  const { cluster, host, group } = held.task.spec;
  if (group !== undefined) return runRepositoryListing(held, group, deps);
  if (host !== undefined) return runHostDiscovery(held, host, deps);
  return cluster === undefined ? runDiscovery(held, deps) : runClusterDiscovery(held, cluster, deps);
}
