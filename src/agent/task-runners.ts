import type { createSourceHttp } from '../sources/source-http.ts';
import type { AgentCredential } from './agent-credential.ts';
import type { GatherTask, HeldTask, HelmSyncTask, ScrapeTask } from './agent-task.ts';
import type { StartBodyReading } from './body-reading.ts';
import type { RepositoryReader } from './git/repository-reader.ts';
import type { ParseFile } from './parse-files.ts';
import { runGathers } from './run-gather.ts';
import { runHelmSync } from './run-helm-sync.ts';
import { runScrapes, scrapeKey } from './run-scrape.ts';

/** How tasks are grouped and done. Nothing of it throws: each task ends completed, failed or lost. */
export interface TaskRunners {
  gatherKey(task: GatherTask): string;
  runGathers(tasks: HeldTask<GatherTask>[]): Promise<void>;
  readKey(task: ScrapeTask | HelmSyncTask): string;
  runReads(tasks: HeldTask<ScrapeTask | HelmSyncTask>[]): Promise<void>;
}

export interface RunnerDeps {
  startReading: StartBodyReading;
  sourceHttp: ReturnType<typeof createSourceHttp>;
  repositories: RepositoryReader;
  parseFile: ParseFile;
  credentials: readonly AgentCredential[];
  clock: () => Date;
}

export function createTaskRunners(deps: RunnerDeps): TaskRunners {
  return {
    gatherKey: (task) => task.spec.share_key,
    runGathers: (tasks) => runGathers(tasks, deps),
    readKey: (task) => (task.kind === 'scrape' ? scrapeKey(task) : `helm_sync ${task.task_id}`),
    async runReads(tasks) {
      await Promise.all([
        runScrapes(tasks.filter(isScrape), deps),
        ...tasks.filter(isHelmSync).map((task) => runHelmSync(task, deps)),
      ]);
    },
  };
}

function isScrape(held: HeldTask<ScrapeTask | HelmSyncTask>): held is HeldTask<ScrapeTask> {
  return held.task.kind === 'scrape';
}

function isHelmSync(held: HeldTask<ScrapeTask | HelmSyncTask>): held is HeldTask<HelmSyncTask> {
  return held.task.kind === 'helm_sync';
}
