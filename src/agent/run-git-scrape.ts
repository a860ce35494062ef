import { RunError } from '../domain/runs/run-error.ts';
import type { HeldTask, TaskOf } from './agent-task.ts';
import {
  completeScrape,
  createFailureReporter,
  createSharedSignal,
  parseScrapedVersion,
} from './complete-scrape.ts';
import type { FileContent, FileWant } from './git/repository-access.ts';
import type { RepositoryReader } from './git/repository-reader.ts';
import type { OpenCredential } from './open-credential.ts';
import type { ParseFile } from './parse-files.ts';

export interface GitScrapeDeps {
  repositories: RepositoryReader;
  parseFile: ParseFile;
  openCredential: OpenCredential;
}

/** Runs tasks of one repository, organization, and credential with one fetch, then file by file. */
export async function runGitScrapes(
  tasks: readonly HeldTask<TaskOf<'scrape'>>[],
  deps: GitScrapeDeps,
): Promise<void> {
  const [first] = tasks;
  if (!first) return;
  const byFile = new Map<FileWant, HeldTask<TaskOf<'scrape'>>[]>();
  const wants = new Map<string, FileWant>();
  const fail = createFailureReporter();
  try {
    const { repository_url: url } = first.task.spec;
    if (url === null) throw new RunError('internal', 'The task names no repository.');
    for (const held of tasks) {
      const { ref, target_file: file } = held.task.spec;
      if (ref === null || file === null) throw new RunError('internal', 'The task names no file.');
      const key = JSON.stringify([ref, file]);
      const want = wants.get(key) ?? { ref, file };
      wants.set(key, want);
      const same = byFile.get(want);
      if (same) same.push(held);
      else byFile.set(want, [held]);
    }
    const access = {
      organizationId: first.task.organization_id,
      url,
      credential: await deps.openCredential(first.task),
      signal: createSharedSignal(tasks),
    };
    await deps.repositories.readFiles(access, [...wants.values()], async (want, result) => {
      const same = byFile.get(want) ?? [];
      await Promise.all(
        same.map((held) => finish(held, want, result, deps).catch((error: unknown) => fail(held, error))),
      );
    });
  } catch (error) {
    // Failing a task that has already ended has no effect.
    await Promise.all(tasks.map((held) => fail(held, error)));
  }
}

/**
 * Completes a task with the version in a file.
 * @throws RunError with the reason if no version was found
 */
async function finish(
  held: HeldTask<TaskOf<'scrape'>>,
  { file }: FileWant,
  result: FileContent | Error,
  deps: GitScrapeDeps,
): Promise<void> {
  held.signal.throwIfAborted();
  if (result instanceof Error) throw result;
  const found = await parseScrapedVersion(held, { content: result.text, place: file }, deps.parseFile);
  await completeScrape(held, found, { commitSha: result.commitSha, usage: { requests: 1, waitedMs: 0 } });
}
