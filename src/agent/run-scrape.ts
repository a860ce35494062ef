import { RunError } from '../domain/runs/run-error.ts';
import type { HeldTask, TaskOf } from './agent-task.ts';
import { type GitScrapeDeps, runGitScrapes } from './run-git-scrape.ts';
import { type HttpScrapeDeps, runHttpScrapes } from './run-http-scrape.ts';
import { type PrometheusScrapeDeps, runPrometheusScrapes } from './run-prometheus-scrape.ts';

export type ScrapeDeps = GitScrapeDeps & HttpScrapeDeps & PrometheusScrapeDeps;

/** Returns the key of a task. Tasks with the same key share one fetch or one request. */
export function scrapeKey({ organization_id, spec }: TaskOf<'scrape'>): string {
  const { source = 'git', repository_url, url = null, query = null, credential_name } = spec;
  return `scrape ${JSON.stringify([organization_id, source, repository_url, url, query, credential_name])}`;
}

/** Runs tasks that have the same key. Never throws: each task ends as completed, failed, or lost. */
export async function runScrapes(
  tasks: readonly HeldTask<TaskOf<'scrape'>>[],
  deps: ScrapeDeps,
): Promise<void> {
  const [first] = tasks;
  if (!first) return;
  const key = scrapeKey(first.task);
  const { source = 'git' } = first.task.spec;
  switch (source) {
    case 'git':
      return runGitScrapes(tasks, deps);
    case 'http':
      return runHttpScrapes(tasks, key, deps);
    case 'prometheus':
      return runPrometheusScrapes(tasks, key, deps);
    default: {
      // The task is from a newer server that doesn't check this agent's capabilities.
      const error = new RunError(
        'internal',
        `This agent doesn't support source ${String(source)}. Upgrade the agent.`,
      );
      await Promise.all(tasks.map((held) => held.fail(error)));
    }
  }
}
