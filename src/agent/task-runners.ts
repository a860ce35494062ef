import type { Sandbox } from '../platform/sandbox/index.ts';
import { createKnownPages, type KnownPages } from '../sources/list-repositories.ts';
import type { createSourceHttp } from '../sources/source-http.ts';
import type { AnyCredential } from './agent-credential.ts';
import type {
  AgentTask,
  DiscoveryTask,
  GatherTask,
  HeldTask,
  HelmSyncTask,
  ReferenceTask,
  ScrapeTask,
} from './agent-task.ts';
import type { StartBodyReading } from './body-reading.ts';
import type { OpenHost } from './docker/host-api.ts';
import type { RepositoryReader } from './git/repository-reader.ts';
import { createResponseCache } from './known-answers.ts';
import type { OpenCluster } from './kubernetes/cluster-api.ts';
import type { OpenCredential } from './open-credential.ts';
import { createOsvArchiveCache } from './osv-archives.ts';
import type { ParseFile } from './parse-files.ts';
import { runClusterDiscovery } from './run-cluster-discovery.ts';
import { runDiscovery } from './run-discovery.ts';
import { runGathers } from './run-gather.ts';
import { runHelmSync } from './run-helm-sync.ts';
import { runHostDiscovery } from './run-host-discovery.ts';
import { createSeriesCache } from './run-prometheus-scrape.ts';
import { runReference } from './run-reference.ts';
import { runRepositoryListing } from './run-repository-listing.ts';
import { runScrapes, scrapeKey } from './run-scrape.ts';

/** Functions that group and run tasks. None of them throws: each task ends as completed, failed, or lost. */
export interface TaskRunners {
  gatherKey(task: GatherTask): string;
  runGathers(tasks: HeldTask<GatherTask>[]): Promise<void>;
  readKey(task: ReadTask): string;
  runReads(tasks: HeldTask<ReadTask>[]): Promise<void>;
}

type ReadTask = ScrapeTask | HelmSyncTask | DiscoveryTask | ReferenceTask;

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

export function createTaskRunners(parts: RunnerDeps): TaskRunners {
  const watched = <Task extends AgentTask>(held: HeldTask<Task>): HeldTask<Task> => ({
    ...held,
    fail(error) {
      parts.runFailed(held.task, error);
      return held.fail(error);
    },
  });
  const deps = {
    ...parts,
    knownAnswers: createResponseCache(),
    knownPages: createKnownPages(),
    recentSeries: createSeriesCache(),
    archives: createOsvArchiveCache(),
  };
  return {
    gatherKey: (task) => task.spec.share_key,
    runGathers: (tasks) => runGathers(tasks.map(watched), deps),
    readKey: (task) => (task.kind === 'scrape' ? scrapeKey(task) : `${task.kind} ${task.task_id}`),
    async runReads(given) {
      const tasks = given.map(watched);
      await Promise.all([
        runScrapes(tasks.filter(isScrape), deps),
        ...tasks.filter(isHelmSync).map((task) => runHelmSync(task, deps)),
        ...tasks.filter(isDiscovery).map((task) => discover(task, deps)),
        ...tasks.filter(isReference).map((task) => runReference(task, deps)),
      ]);
    },
  };
}

function discover(
  held: HeldTask<DiscoveryTask>,
  deps: RunnerDeps & { knownPages: KnownPages },
): Promise<void> {
  const { cluster, host, group } = held.task.spec;
  if (group !== undefined) return runRepositoryListing(held, group, deps);
  if (host !== undefined) return runHostDiscovery(held, host, deps);
  return cluster === undefined ? runDiscovery(held, deps) : runClusterDiscovery(held, cluster, deps);
}

function isScrape(held: HeldTask<ReadTask>): held is HeldTask<ScrapeTask> {
  return held.task.kind === 'scrape';
}

function isHelmSync(held: HeldTask<ReadTask>): held is HeldTask<HelmSyncTask> {
  return held.task.kind === 'helm_sync';
}

function isDiscovery(held: HeldTask<ReadTask>): held is HeldTask<DiscoveryTask> {
  return held.task.kind === 'discovery';
}

function isReference(held: HeldTask<ReadTask>): held is HeldTask<ReferenceTask> {
  return held.task.kind === 'reference';
}
