import { RunError } from '../domain/runs/run-error.ts';
import { type AgentCredential, findCredential } from './agent-credential.ts';
import type { HeldTask, ScrapeTask } from './agent-task.ts';
import type { FileContent, FileWant } from './git/repository-access.ts';
import type { RepositoryReader } from './git/repository-reader.ts';
import { createLimit } from './limit.ts';
import type { ParseFile } from './parse-files.ts';

export interface ScrapeDeps {
  repositories: RepositoryReader;
  parseFile: ParseFile;
  credentials: readonly AgentCredential[];
}

/** Tasks with the same key are read with one fetch. */
export function scrapeKey({ organization_id, spec }: ScrapeTask): string {
  return `scrape ${JSON.stringify([organization_id, spec.repository_url, spec.credential_name])}`;
}

/** Failures that are told at the same time; each is a call. */
const maxAtOnce = 8;

/** Runs tasks of one repository, organization and credential: one fetch, then file by file. */
export async function runScrapes(tasks: readonly HeldTask<ScrapeTask>[], deps: ScrapeDeps): Promise<void> {
  const [first] = tasks;
  if (!first) return;
  // The fetch serves all of them: it ends with the last one that is still held.
  const ended = new AbortController();
  for (const held of tasks) {
    held.signal.addEventListener('abort', () => {
      if (tasks.every((other) => other.signal.aborted)) ended.abort(held.signal.reason);
    });
  }
  const byFile = new Map<FileWant, HeldTask<ScrapeTask>[]>();
  const wants = new Map<string, FileWant>();
  for (const held of tasks) {
    const { ref, target_file: file } = held.task.spec;
    const key = JSON.stringify([ref, file]);
    const want = wants.get(key) ?? { ref, file };
    wants.set(key, want);
    const same = byFile.get(want);
    if (same) same.push(held);
    else byFile.set(want, [held]);
  }
  const failing = createLimit(maxAtOnce);
  const fail = (held: HeldTask<ScrapeTask>, error: unknown) => failing.run(() => held.fail(error));
  try {
    const access = {
      organizationId: first.task.organization_id,
      url: first.task.spec.repository_url,
      credential: findCredential(deps.credentials, first.task),
      signal: ended.signal,
    };
    await deps.repositories.readFiles(access, [...wants.values()], async (want, result) => {
      const same = byFile.get(want) ?? [];
      await Promise.all(
        same.map((held) => finish(held, result, deps).catch((error: unknown) => fail(held, error))),
      );
    });
  } catch (error) {
    // Those that are done already do nothing.
    await Promise.all(tasks.map((held) => fail(held, error)));
  }
}

/** @throws why there is no version */
async function finish(
  held: HeldTask<ScrapeTask>,
  result: FileContent | Error,
  deps: ScrapeDeps,
): Promise<void> {
  held.signal.throwIfAborted();
  if (result instanceof Error) throw result;
  const { spec, organization_id } = held.task;
  const parsed = await deps.parseFile(
    {
      parserType: spec.parser_type,
      expression: spec.parse_expression,
      transform: spec.version_transform,
      content: result.text,
    },
    String(organization_id),
  );
  if (!parsed.ok) {
    throw new RunError('parse_failed', `${spec.target_file}: at ${parsed.step}: ${parsed.message}`);
  }
  await held.complete(
    {
      not_modified: false,
      is_complete_list: true,
      validators: null,
      found: 1,
      skipped: 0,
      skipped_examples: [],
      requests: 1,
      waited_ms: 0,
    },
    { raw_version: parsed.rawVersion, version: parsed.version, commit_sha: result.commitSha },
  );
}
