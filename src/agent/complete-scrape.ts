import type { ParseContentInput } from '../domain/parsers/parse-content.ts';
import { RunError } from '../domain/runs/run-error.ts';
import { createLimit } from '../platform/fairness/index.ts';
import type { SourceUsage } from '../sources/source-http.ts';
import type { HeldTask, TaskOf } from './agent-task.ts';
import type { ParseFile } from './parse-files.ts';

/** Maximum number of failures that are reported concurrently. Each is one request. */
const maxFailing = 8;

/** Reports failures of tasks that were read together, a few at a time. */
export function createFailureReporter() {
  const limit = createLimit(maxFailing);
  return (held: HeldTask<TaskOf<'scrape'>>, error: unknown) => limit.run(() => held.fail(error));
}

/**
 * Returns a signal that is aborted when the agent no longer holds any of these tasks. The tasks share one
 * read, which continues while the agent holds at least one of them.
 */
export function createSharedSignal(tasks: readonly HeldTask[]): AbortSignal {
  const ended = new AbortController();
  for (const held of tasks) {
    held.signal.addEventListener('abort', () => {
      if (tasks.every((other) => other.signal.aborted)) ended.abort(held.signal.reason);
    });
  }
  return ended.signal;
}

/**
 * Parses the version in content that was read for a task.
 * @throws RunError with the location (`place`) and the reason if the content contains no version
 */
export async function parseScrapedVersion(
  { task: { spec, organization_id: organizationId } }: HeldTask<TaskOf<'scrape'>>,
  { content, place }: { content: string; place: string },
  parseFile: ParseFile,
): Promise<{ rawVersion: string; version: string }> {
  // If the job has no expression, the whole content is the version.
  const how: Pick<ParseContentInput, 'parserType' | 'expression'> =
    spec.parse_expression === null
      ? { parserType: 'manual', expression: '' }
      : { parserType: spec.parser_type, expression: spec.parse_expression };
  const parsed = await parseFile(
    { ...how, transform: spec.version_transform, content },
    String(organizationId),
  );
  if (!parsed.ok) throw new RunError('parse_failed', `${place}: ${parsed.message}`);
  return parsed;
}

/** Submits the version of a task. */
export async function completeScrape(
  held: HeldTask<TaskOf<'scrape'>>,
  { rawVersion, version }: { rawVersion: string; version: string },
  { commitSha, usage }: { commitSha: string | null; usage: SourceUsage },
): Promise<void> {
  await held.complete(
    {
      not_modified: false,
      is_complete_list: true,
      validators: null,
      found: 1,
      skipped: 0,
      skipped_examples: [],
      requests: usage.requests,
      waited_ms: Math.round(usage.waitedMs),
    },
    { item: { raw_version: rawVersion, version, commit_sha: commitSha } },
  );
}
