import { RunError } from '../domain/runs/run-error.ts';
import { maxBomBytes, maxScrapeBytes, requestText } from '../sources/scrape-requests.ts';
import type { createSourceHttp, SourceHttp } from '../sources/source-http.ts';
import type { HeldTask, TaskOf } from './agent-task.ts';
import {
  completeScrape,
  createFailureReporter,
  createSharedSignal,
  parseScrapedVersion,
} from './complete-scrape.ts';
import type { OpenCredential } from './open-credential.ts';
import type { ParseFile } from './parse-files.ts';
import type { CachedResponse, KnownVersion, ResponseCache } from './response-cache.ts';

export interface HttpScrapeDeps {
  sourceHttp: ReturnType<typeof createSourceHttp>;
  parseFile: ParseFile;
  responseCache: ResponseCache;
  openCredential: OpenCredential;
}

/**
 * Runs tasks of one URL, organization, and credential with one request.
 * @param key Key that the tasks have in common.
 */
export async function runHttpScrapes(
  tasks: readonly HeldTask<TaskOf<'scrape'>>[],
  key: string,
  deps: HttpScrapeDeps,
): Promise<void> {
  const [first] = tasks;
  if (!first) return;
  const fail = createFailureReporter();
  let http: SourceHttp | null = null;
  try {
    const { url } = first.task.spec;
    if (url == null) throw new RunError('internal', 'The task names no URL.');
    http = deps.sourceHttp.forJob({
      credential: await deps.openCredential(first.task),
      signal: createSharedSignal(tasks),
      fairKey: String(first.task.organization_id),
    });
    // A conditional request helps only if the previous response contained the version of every task.
    const before = deps.responseCache.find(key);
    const isKnown = before !== null && tasks.every((held) => before.versions.has(questionOf(held)));
    const isBom = tasks.some(({ task }) => task.spec.parser_type === 'sbom');
    const { text, validators } = await requestText(
      http,
      url,
      isKnown ? before.validators : null,
      isBom ? maxBomBytes : maxScrapeBytes,
    );
    const answer: CachedResponse =
      text === null && before ? before : { validators, versions: new Map<string, KnownVersion>() };
    const { usage } = http;
    await Promise.all(
      tasks.map(async (held) => {
        try {
          held.signal.throwIfAborted();
          const found =
            answer.versions.get(questionOf(held)) ??
            (await parseScrapedVersion(
              held,
              { content: text ?? '', place: new URL(url).host },
              deps.parseFile,
            ));
          answer.versions.set(questionOf(held), found);
          await completeScrape(held, found, { commitSha: null, usage });
        } catch (error) {
          await fail(held, error);
        }
      }),
    );
    deps.responseCache.keep(key, answer);
  } catch (error) {
    await Promise.all(tasks.map((held) => fail(held, error)));
  } finally {
    http?.end();
  }
}

function questionOf({ task: { spec } }: HeldTask<TaskOf<'scrape'>>): string {
  return JSON.stringify([spec.parser_type, spec.parse_expression, spec.version_transform]);
}
