import type { Schemas } from '../generated/agent-api.ts';
import { RunError } from '../platform/errors.ts';
import type {
  GatherSummary,
  ReleaseSource,
  ReleaseSourceType,
  Validators,
} from '../sources/release-source.ts';
import { shareAnswers } from '../sources/share-answers.ts';
import { sourceFingerprint } from '../sources/source-fingerprint.ts';
import type { createSourceHttp, SourceHttp } from '../sources/source-http.ts';
import { sources } from '../sources/sources.ts';
import { type AgentCredential, findCredential } from './agent-credential.ts';
import type { GatherTask, HeldTask, TaskSummary } from './agent-task.ts';
import type { RepositoryReader } from './git/repository-reader.ts';
import { createReleaseFilter } from './keep-matching.ts';
import type { LargeAnswers } from './large-answers.ts';

export interface GatherDeps {
  sourceHttp: ReturnType<typeof createSourceHttp>;
  repositories: RepositoryReader;
  largeAnswers: LargeAnswers;
  credentials: readonly AgentCredential[];
  clock: () => Date;
}

type Spec = Schemas['GatherTaskSpec'];

const allSources: Partial<Record<ReleaseSourceType, ReleaseSource>> = sources;

/**
 * Runs tasks of one share key one after another over one set of requests. A task that fails or is lost does not
 * touch the others.
 */
export async function runGathers(tasks: readonly HeldTask<GatherTask>[], deps: GatherDeps): Promise<void> {
  const [first] = tasks;
  if (!first) return;
  let endRun = (): void => {};
  // The requests serve all of them: they end with the last one that is still held.
  const ended = new AbortController();
  const signal = tasks.length === 1 ? first.signal : ended.signal;
  for (const task of tasks) {
    task.signal.addEventListener('abort', () => {
      if (tasks.every((other) => other.signal.aborted)) ended.abort(task.signal.reason);
    });
  }
  try {
    const credential = findCredential(deps.credentials, first.task);
    const run = deps.largeAnswers.forRun(deps.sourceHttp.forJob({ credential, signal }));
    endRun = run.end;
    const shared = tasks.length > 1 ? shareAnswers(run.http) : null;
    const canAskIfChanged = haveSameValidators(tasks.map(({ task }) => task.spec));
    for (const held of tasks) {
      try {
        held.signal.throwIfAborted();
        await runOne(held, shared ? shared.forJob() : run.http, canAskIfChanged, deps, signal);
      } catch (error) {
        await held.fail(error);
      }
    }
  } catch (error) {
    await Promise.all(tasks.map((task) => task.fail(error)));
  } finally {
    endRun();
  }
}

async function runOne(
  held: HeldTask<GatherTask>,
  http: SourceHttp,
  canAskIfChanged: boolean,
  deps: GatherDeps,
  signal: AbortSignal,
): Promise<void> {
  const { spec } = held.task;
  const source = allSources[spec.source_type];
  if (!source) throw new RunError('internal', `This agent does not know the source ${spec.source_type}.`);
  const filter = createReleaseFilter(spec);
  const credential = findCredential(deps.credentials, held.task);
  const organizationId = held.task.organization_id;
  const parts = source.gather(
    {
      artifactName: spec.artifact_name,
      sourceOptions: spec.source_options,
      validators: canAskIfChanged ? usableValidators(spec) : null,
      knownTags: spec.known_hint?.tags ?? [],
      isFull: spec.is_full,
    },
    {
      http,
      git: {
        listTags: (url, { signal: ending }) =>
          deps.repositories.listTags({ organizationId, url, credential, signal: ending }),
      },
      signal,
      now: deps.clock(),
    },
  );
  let part = await parts.next();
  while (!part.done) {
    held.signal.throwIfAborted();
    const items = filter.keep(part.value.releases);
    if (items.length > 0) await held.sendPart(items);
    part = await parts.next();
  }
  held.signal.throwIfAborted();
  await held.complete(summarize(part.value, spec, filter, http.usage));
}

function summarize(
  summary: GatherSummary,
  spec: Spec,
  filter: ReturnType<typeof createReleaseFilter>,
  usage: SourceHttp['usage'],
): TaskSummary {
  const { validators } = summary;
  const found = filter.kept();
  const isAllRefused = found === 0 && summary.found > 0;
  return {
    not_modified: summary.isNotModified,
    is_complete_list: summary.isCompleteList,
    validators: validators && {
      etag: validators.etag,
      last_modified: validators.lastModified,
      fingerprint: fingerprintOf(spec),
    },
    found,
    skipped: summary.skipped + filter.skipped.count(),
    skipped_examples: [...summary.skippedExamples, ...filter.skipped.examples].slice(0, 10),
    warnings: [
      ...summary.warnings,
      ...(isAllRefused ? [`None of the ${summary.found} releases is one that this job wants.`] : []),
    ].slice(0, 10),
    requests: usage.requests,
    waited_ms: Math.round(usage.waitedMs),
  };
}

function fingerprintOf(spec: Spec): string {
  return sourceFingerprint({
    sourceType: spec.source_type,
    artifactName: spec.artifact_name,
    sourceOptions: spec.source_options,
    versionPattern: spec.version_pattern,
    includePrereleases: spec.include_prereleases,
  });
}

/** Those that belong to the very question that the job asks now. */
function usableValidators(spec: Spec): Validators | null {
  if (!spec.validators || spec.validators.fingerprint !== fingerprintOf(spec)) return null;
  return { etag: spec.validators.etag, lastModified: spec.validators.last_modified };
}

/** With different ones the same question would be sent twice, and one that has none needs the whole answer anyway. */
function haveSameValidators(specs: readonly Spec[]): boolean {
  const questions = specs.map((spec) => JSON.stringify([usableValidators(spec), spec.is_full]));
  return questions.every((question) => question === questions[0]);
}
