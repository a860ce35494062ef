import { RunError } from '../domain/runs/run-error.ts';
import type { SourceTypeId } from '../domain/source-types/source-types.ts';
import type { Schemas } from '../generated/agent-api.ts';
import type { GatherSummary, ReleaseSource, Validators } from '../sources/release-source.ts';
import { shareResponses } from '../sources/share-responses.ts';
import { sourceFingerprint } from '../sources/source-fingerprint.ts';
import type { createSourceHttp, SourceHttp } from '../sources/source-http.ts';
import { sources } from '../sources/sources.ts';
import type { HeldTask, TaskOf, TaskSummary } from './agent-task.ts';
import type { BodyReading, StartBodyReading } from './body-reading.ts';
import type { RepositoryReader } from './git/repository-reader.ts';
import { createNewestTagFinder } from './newest-tag.ts';
import type { OpenCredential } from './open-credential.ts';
import { sendChangelog } from './send-changelog.ts';
import { submitPartsUnlessShort } from './submit-parts.ts';

export interface GatherDeps {
  sourceHttp: ReturnType<typeof createSourceHttp>;
  repositories: RepositoryReader;
  startReading: StartBodyReading;
  openCredential: OpenCredential;
  clock: () => Date;
}

type Spec = Schemas['GatherTaskSpec'];

const allSources: Partial<Record<SourceTypeId, ReleaseSource>> = sources;

/**
 * Runs tasks with the same share key, which share one set of requests. The tasks of one organization run one
 * after another; those of different organizations run concurrently. A task that fails or is lost doesn't
 * affect the others.
 */
export async function runGathers(
  tasks: readonly HeldTask<TaskOf<'gather'>>[],
  deps: GatherDeps,
): Promise<void> {
  const [first] = tasks;
  if (!first) return;
  // All tasks share the requests, which are aborted when the last task is no longer held.
  const ended = new AbortController();
  const signal = tasks.length === 1 ? first.signal : ended.signal;
  for (const task of tasks) {
    task.signal.addEventListener('abort', () => {
      if (tasks.every((other) => other.signal.aborted)) ended.abort(task.signal.reason);
    });
  }
  const byOrganization = Map.groupBy(tasks, ({ task }) => task.organization_id);
  // Requests for several organizations don't count toward the share of any of them, so an organization that
  // has used up its share can't delay the others.
  const fairKey = byOrganization.size === 1 ? String(first.task.organization_id) : first.task.spec.share_key;
  let http: SourceHttp | null = null;
  try {
    const credential = await deps.openCredential(first.task);
    http = deps.sourceHttp.forJob({ credential, signal, fairKey });
    const own = http;
    const shared = tasks.length > 1 ? shareResponses(own) : null;
    const canSendConditionalRequests = haveSameValidators(tasks.map(({ task }) => task.spec));
    await Promise.all(
      [...byOrganization.values()].map(async (ofOne) => {
        for (const held of ofOne) {
          try {
            held.signal.throwIfAborted();
            await runOne(held, shared?.forJob() ?? own, canSendConditionalRequests, deps, signal);
          } catch (error) {
            await held.fail(error);
          }
        }
      }),
    );
  } catch (error) {
    await Promise.all(tasks.map((task) => task.fail(error)));
  } finally {
    http?.end();
  }
}

async function runOne(
  held: HeldTask<TaskOf<'gather'>>,
  http: SourceHttp,
  canSendConditionalRequests: boolean,
  deps: GatherDeps,
  signal: AbortSignal,
): Promise<void> {
  const { spec } = held.task;
  const source = allSources[spec.source_type];
  if (!source)
    throw new RunError(
      'internal',
      `This agent doesn't support source type ${spec.source_type}. Upgrade the agent.`,
    );
  const credential = await deps.openCredential(held.task);
  const organizationId = held.task.organization_id;
  const fingerprint = fingerprintOf(spec);
  const reading = deps.startReading({ fairKey: String(organizationId), signal: held.signal, criteria: spec });
  const parts = source.gather(
    {
      artifactName: spec.artifact_name,
      sourceOptions: spec.source_options,
      validators: canSendConditionalRequests ? usableValidators(spec, fingerprint) : null,
      knownTags: spec.known_hint?.tags ?? [],
      undatedTags: spec.undated_tags ?? [],
      isFull: spec.is_full,
      checksComplete: spec.is_full,
      checksArchived: spec.checks_archived ?? false,
      readsDigests: spec.reads_digests ?? false,
      readsCommits: spec.reads_commits ?? false,
    },
    {
      http,
      git: {
        listTags: (url, { signal: ending }) =>
          deps.repositories.listTags({ organizationId, url, credential, signal: ending }),
      },
      read: reading.read,
      signal,
      now: deps.clock(),
    },
  );
  const newest = createNewestTagFinder(spec);
  const { summary, short } = await submitPartsUnlessShort(
    held,
    parts,
    (part) => {
      if (spec.changelog_path !== undefined) newest.see(part.releases);
      return part.releases;
    },
    // Tasks with a changelog or a user-defined pattern aren't completed in a batch: a changelog is submitted
    // as a separate part, and the server spends additional time on matching the pattern.
    (releases) => spec.changelog_path === undefined && spec.version_pattern === null && isShortList(releases),
  );
  const warning = await sendChangelog(held, newest.tag(), http, deps);
  const warnings = warning === null ? summary.warnings : [warning, ...summary.warnings];
  await held.complete(
    summarize({ ...summary, warnings }, fingerprint, reading, http.usage),
    short ? { releases: short } : undefined,
  );
}

/**
 * Limits of a list that is submitted when its task completes. A hundred tasks with lists of this size result
 * in a call of 3 MB.
 */
const shortList = { releases: 100, characters: 32_768 };

function isShortList(releases: readonly Schemas['GatherResultItem'][]): boolean {
  return releases.length <= shortList.releases && JSON.stringify(releases).length <= shortList.characters;
}

function summarize(
  summary: GatherSummary,
  fingerprint: string,
  reading: BodyReading,
  usage: SourceHttp['usage'],
): TaskSummary {
  const { validators } = summary;
  const found = reading.kept();
  const isAllRefused = found === 0 && summary.found > 0;
  return {
    not_modified: summary.isNotModified,
    is_complete_list: summary.isCompleteList,
    ...(summary.listCut && { list_cut: summary.listCut }),
    validators: validators && {
      etag: validators.etag,
      last_modified: validators.lastModified,
      fingerprint,
    },
    found,
    skipped: summary.skipped + reading.skipped.count(),
    skipped_examples: [...summary.skippedExamples, ...reading.skipped.examples].slice(0, 10),
    warnings: [
      ...summary.warnings,
      ...(isAllRefused ? [`None of the ${summary.found} releases match this job's filters.`] : []),
    ].slice(0, 10),
    ...(summary.project && { project: summary.project }),
    ...(summary.isArchived !== undefined && { is_archived: summary.isArchived }),
    ...(summary.isDeprecated !== undefined && { is_deprecated: summary.isDeprecated }),
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

/**
 * Returns the stored validators if they're from the same request that the job would send now, otherwise null.
 */
function usableValidators({ validators }: Spec, fingerprint: string): Validators | null {
  if (!validators || validators.fingerprint !== fingerprint) return null;
  return { etag: validators.etag, lastModified: validators.last_modified };
}

/**
 * True if all tasks can share a conditional request. If their validators differ, the request would have to be
 * sent once per validator. If a task has no validators, it requires the full response anyway.
 */
function haveSameValidators(specs: readonly Spec[]): boolean {
  if (specs.length === 1) return true;
  const requestKeys = specs.map((spec) =>
    JSON.stringify([usableValidators(spec, fingerprintOf(spec)), spec.is_full]),
  );
  return requestKeys.every((question) => question === requestKeys[0]);
}
