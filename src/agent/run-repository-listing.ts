import {
  createExclusionCheck,
  type Exclusion,
  exclusions,
  parseRepositoryGroup,
  type RepositoryGroup,
  toRepositoryFilter,
} from '../domain/discovery/repository-group.ts';
import { RunError } from '../domain/runs/run-error.ts';
import type { Schemas } from '../generated/agent-api.ts';
import { findRepository, type KnownPages, listRepositories } from '../sources/list-repositories.ts';
import type { createSourceHttp, SourceHttp } from '../sources/source-http.ts';
import type { HeldTask, TaskOf } from './agent-task.ts';
import type { StartBodyReading } from './body-reading.ts';
import type { OpenCredential } from './open-credential.ts';
import { submitParts } from './submit-parts.ts';

export interface RepositoryListingDeps {
  sourceHttp: ReturnType<typeof createSourceHttp>;
  startReading: StartBodyReading;
  openCredential: OpenCredential;
  knownPages: KnownPages;
}

type GroupSpec = NonNullable<TaskOf<'discovery'>['spec']['group']>;

/** Lists the repositories of a group and submits each one, with a reason for those that the job's filter excludes. */
export async function runRepositoryListing(
  held: HeldTask<TaskOf<'discovery'>>,
  spec: GroupSpec,
  deps: RepositoryListingDeps,
): Promise<void> {
  const fairKey = String(held.task.organization_id);
  let http: SourceHttp | null = null;
  try {
    const parsed = parseRepositoryGroup(spec.url, spec.forge);
    if (!parsed.ok) throw new RunError('target_not_allowed', `The URL of the group ${parsed.message}.`);
    const credential = await deps.openCredential(held.task);
    http = deps.sourceHttp.forJob({ credential, signal: held.signal, fairKey });
    const { read } = deps.startReading({ fairKey, signal: held.signal, criteria: null });
    await listWith(
      held,
      parsed.group,
      spec,
      { http, read, hasCredential: credential !== null },
      deps.knownPages,
    );
  } catch (error) {
    await held.fail(error);
  } finally {
    http?.end();
  }
}

async function listWith(
  held: HeldTask<TaskOf<'discovery'>>,
  group: RepositoryGroup,
  { filter: givenFilter, unlisted = [] }: GroupSpec,
  context: Parameters<typeof listRepositories>[1],
  knownPages: KnownPages,
): Promise<void> {
  const filter = toRepositoryFilter(givenFilter);
  const exclusionOf = createExclusionCheck(filter, group.path);
  const counts = new Map<Exclusion, number>();
  const summary = await submitParts(held, listRepositories(group, context, knownPages), (repositories) =>
    repositories.map((repository) => {
      if (filter.topics.length > 0 && repository.topics === null)
        throw new RunError(
          'invalid_index',
          `${group.host} doesn't list the topics of repositories. Remove the topics from the filter.`,
        );
      const excluded = exclusionOf(repository);
      if (excluded !== null) counts.set(excluded, (counts.get(excluded) ?? 0) + 1);
      const { forge_id, path, pushed_at } = repository;
      return { forge_id, path, pushed_at, excluded };
    }),
  );
  const warnings = [...summary.warnings];
  const moved = await findMoved(group, unlisted, context);
  if (moved.repositories.length > 0) await held.sendPart(moved.repositories);
  if (moved.error !== null)
    warnings.push(`Couldn't check if repositories were moved: ${moved.error.message}`.slice(0, 500));
  const { usage } = context.http;
  const skipped = [...counts.values()].reduce((sum, count) => sum + count, 0);
  await held.complete({
    not_modified: false,
    is_complete_list: summary.isComplete,
    validators: null,
    found: summary.found - skipped,
    skipped,
    skipped_examples: [],
    reasons: Object.fromEntries(
      exclusions.flatMap((exclusion) =>
        counts.has(exclusion) ? [[`excluded_${exclusion}`, counts.get(exclusion)!]] : [],
      ),
    ),
    ...(warnings.length > 0 && { warnings }),
    requests: usage.requests,
    waited_ms: Math.round(usage.waitedMs),
  });
}

/** Looks up repositories that the group doesn't list anymore. Returns those that are outside the group now. */
async function findMoved(
  group: RepositoryGroup,
  ids: readonly string[],
  context: Parameters<typeof listRepositories>[1],
) {
  const repositories: Schemas['RepositoryResultItem'][] = [];
  const prefix = `${group.path.toLowerCase()}/`;
  try {
    for (const id of ids) {
      const repository = await findRepository(group, id, context);
      if (repository === null || repository.path.toLowerCase().startsWith(prefix)) continue;
      const { forge_id, path, pushed_at } = repository;
      repositories.push({ forge_id, path, pushed_at, excluded: 'moved' });
    }
  } catch (error) {
    // Return this error instead of throwing it, because the list itself is complete.
    if (!(error instanceof RunError)) throw error;
    return { repositories, error };
  }
  return { repositories, error: null };
}
