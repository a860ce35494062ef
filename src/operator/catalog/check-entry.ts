import type { StartBodyReading } from '../../agent/body-reading.ts';
import type { RepositoryReader } from '../../agent/git/repository-reader.ts';
import type { OpenCredential } from '../../agent/open-credential.ts';
import { createReleaseFilter } from '../../agent/release-filter.ts';
import type { CatalogEntry } from '../../domain/catalog/catalog-entry.ts';
import { latestOfJob } from '../../domain/rules/own-latest.ts';
import { prepareReleases, type ReleaseRow } from '../../domain/rules/release-set.ts';
import { RunError } from '../../domain/runs/run-error.ts';
import { sourceTypes } from '../../domain/source-types/source-types.ts';
import { systemOrganizationId } from '../../modules/accounts/index.ts';
import { limitToFirstPages } from '../../sources/first-pages.ts';
import type { GatheredRelease, ReleaseSource, SourceContext } from '../../sources/release-source.ts';
import type { createSourceHttp } from '../../sources/source-http.ts';
import { sources } from '../../sources/sources.ts';
import { schemeOf } from './catalog-seeds.ts';

export type EntryCheck =
  | {
      ok: true;
      latestStable: string;
      /** Number of releases from the source that the entry keeps. */
      releaseCount: number;
      /** True if only the newest part of the list was read. */
      isPart: boolean;
    }
  | { ok: false; code: string; message: string };

export interface CheckDeps {
  sourceHttp: ReturnType<typeof createSourceHttp>;
  startReading: StartBodyReading;
  repositories: RepositoryReader;
  openCredential: OpenCredential;
  /** Name of the credential for GitHub. `null` for requests without a credential. */
  githubCredential: string | null;
  clock: () => Date;
  /** Timeout for one entry. */
  timeoutMs: number;
}

/**
 * Reads the source of an entry as an agent would. Requests only the first page from GitHub, because GitHub
 * allows 60 requests per hour without a token and a complete list takes up to 20. Requests all pages only if
 * the first page contains no stable release that the entry keeps.
 */
export async function checkEntry(entry: CatalogEntry, deps: CheckDeps): Promise<EntryCheck> {
  try {
    const isPaged = entry.source_type === 'github_releases';
    const first = await readEntry(entry, deps, { isFirstPageOnly: isPaged });
    return judge(first.isPart && first.latestStable === null ? await readEntry(entry, deps) : first);
  } catch (error) {
    if (error instanceof RunError) return { ok: false, code: error.code, message: error.message };
    if (error instanceof Error && error.name === 'TimeoutError') {
      return {
        ok: false,
        code: 'timeout',
        message: `No response within ${deps.timeoutMs / 1_000} s.`,
      };
    }
    throw error;
  }
}

interface EntryReading {
  latestStable: string | null;
  releaseCount: number;
  listedCount: number;
  isPart: boolean;
}

function judge({ latestStable, releaseCount, listedCount, isPart }: EntryReading): EntryCheck {
  if (latestStable !== null) return { ok: true, latestStable, releaseCount, isPart };
  return {
    ok: false,
    code: 'no_release',
    message: `It lists ${listedCount} releases, of which the entry keeps ${releaseCount}; none is a stable version.`,
  };
}

async function readEntry(
  entry: CatalogEntry,
  deps: CheckDeps,
  { isFirstPageOnly = false } = {},
): Promise<EntryReading> {
  const source: ReleaseSource = sources[entry.source_type];
  const name = sourceTypes[entry.source_type].normalizeArtifactName(entry.artifact_name);
  if (!name.ok) throw new RunError('not_found', `Invalid artifact name: ${name.message}.`);
  const credentialName = entry.source_type === 'github_releases' ? deps.githubCredential : null;
  const task = { organization_id: systemOrganizationId, spec: { credential_name: credentialName } };
  const credential = await deps.openCredential(task);
  const signal = AbortSignal.timeout(deps.timeoutMs);
  const fairKey = entry.name;
  const http = deps.sourceHttp.forJob({ credential, signal, fairKey });
  const page = isFirstPageOnly ? limitToFirstPages(http, { maxPages: 1 }) : null;
  const context: SourceContext = {
    http: page?.http ?? http,
    git: {
      listTags: (url, { signal: ending }) =>
        deps.repositories.listTags({ organizationId: systemOrganizationId, url, credential, signal: ending }),
    },
    read: deps.startReading({ fairKey, signal, criteria: null }).read,
    signal,
    now: deps.clock(),
  };
  const request = {
    artifactName: name.artifactName,
    sourceOptions: entry.source_options ?? {},
    validators: null,
    knownTags: [],
    isFull: true,
  };
  let listedCount = 0;
  const kept: ReleaseRow[] = [];
  try {
    for await (const { releases } of source.gather(request, context)) {
      listedCount += releases.length;
      kept.push(...selectKeptReleases(entry, releases));
    }
  } finally {
    http.end();
  }
  return {
    latestStable: latestStableOf(entry, kept),
    releaseCount: kept.length,
    listedCount,
    isPart: page?.hasMore() ?? false,
  };
}

/** Returns the latest stable release that the job of an entry would report for these releases. */
export function latestStableOf(entry: CatalogEntry, kept: readonly ReleaseRow[]): string | null {
  const { isImage } = sourceTypes[entry.source_type];
  const set = prepareReleases(schemeOf(entry), kept, { isImage });
  return latestOfJob(set, ({ isPrerelease }) => !isPrerelease)?.text ?? null;
}

/** Returns the releases that the job of an entry would keep. */
export function selectKeptReleases(entry: CatalogEntry, releases: readonly GatheredRelease[]): ReleaseRow[] {
  const filter = createReleaseFilter({
    version_pattern: entry.version_pattern ?? null,
    version_scheme: schemeOf(entry),
    include_prereleases: entry.include_prereleases ?? true,
  });
  return filter.keep(releases).map((item) => ({
    version: item.version ?? item.tag,
    releasedAtMs: item.released_at === null ? null : Date.parse(item.released_at),
    discoveredAtMs: 0,
    isPrerelease: item.is_prerelease,
    isYanked: item.is_yanked,
    isWithdrawn: false,
    url: null,
  }));
}
