import { type ForgeKind, forgeOfHost, isOtherForge } from '../artifacts/forges.ts';
import { parseRepositoryUrl } from '../artifacts/repository-url.ts';
import { matchesPath, parsePathPattern } from './path-pattern.ts';

/** An organization of GitHub, Gitea, or Forgejo, a group of GitLab, or a user account. */
export interface RepositoryGroup {
  /** URL without a trailing slash. */
  url: string;
  host: string;
  /** Path of the group on its host. Only groups of GitLab have several segments. */
  path: string;
  forge: ForgeKind;
}

export type GroupResult =
  | { ok: true; group: RepositoryGroup }
  | { ok: false; field: 'group_url' | 'forge'; message: string };

/**
 * Parses the URL of an organization, a group, or a user account.
 *
 * @param forge Null if the host determines the forge.
 */
export function parseRepositoryGroup(text: string, forge: ForgeKind | null): GroupResult {
  const parsed = parseRepositoryUrl(text);
  if (!parsed.ok || parsed.scheme === 'ssh')
    return invalid('group_url', 'must be a URL such as https://github.com/acme');
  const { url, host } = parsed;
  const path = decodeURIComponent(new URL(url).pathname).slice(1);
  const hostname = new URL(url).hostname;
  const kind = forge ?? forgeOfHost(hostname);
  if (kind === null)
    return invalid('forge', `is required, because the name ${host} doesn't show which forge it is`);
  if (isOtherForge(hostname, kind)) return invalid('forge', `doesn't fit ${host}`);
  const segments = path.split('/');
  if (segments.some((segment) => !/^[\w.-]+$/u.test(segment)))
    return invalid('group_url', 'must end with the path of an organization, group, or user');
  if (kind !== 'gitlab' && segments.length > 1)
    return invalid('group_url', `must name an organization, such as https://${host}/${segments[0]}`);
  return { ok: true, group: { url, host, path, forge: kind } };
}

function invalid(field: 'group_url' | 'forge', message: string): GroupResult {
  return { ok: false, field, message };
}

/** Filter that chooses the repositories of a group to read. */
export interface RepositoryFilter {
  /** Patterns for the paths below the group. If empty, all repositories match. */
  include: string[];
  exclude: string[];
  /** A repository needs one of these topics. If empty, topics don't matter. */
  topics: string[];
  /** A repository needs one of these main languages, in any case. If empty, languages don't matter. */
  languages: string[];
  archived: boolean;
  forks: boolean;
}

/** Returns the filter with its defaults. */
export function toRepositoryFilter({
  include = [],
  exclude = [],
  topics = [],
  languages = [],
  archived = false,
  forks = false,
}: { [Field in keyof RepositoryFilter]?: RepositoryFilter[Field] | undefined }): RepositoryFilter {
  return {
    include: [...include],
    exclude: [...exclude],
    topics: [...topics],
    languages: [...languages],
    archived,
    forks,
  };
}

/** A repository in the list of a forge. Null fields are unknown, because the forge doesn't state them. */
export interface ListedRepository {
  /** ID on the forge, which stays the same if the repository is renamed or transferred. */
  forge_id: string;
  /** Path on the host, such as `acme/deploy`. */
  path: string;
  /** Time of the last push, or of the last activity if the forge lists no pushes. */
  pushed_at: string | null;
  is_archived: boolean;
  is_fork: boolean;
  /** True if the repository has no commits. */
  is_empty: boolean;
  topics: readonly string[] | null;
  language: string | null;
}

/** Reasons for which the filter excludes a repository. */
export const exclusions = ['name', 'archived', 'fork', 'topic', 'language', 'empty'] as const;
/** Reason that a repository isn't read: the filter excludes it, or it was moved out of the group. */
export type Exclusion = (typeof exclusions)[number] | 'moved';

/**
 * Returns a function that returns the reason why a repository isn't read, or null if it's read.
 *
 * @param groupPath Path of the group. Patterns are matched with the part of a path after the group.
 */
export function createExclusionCheck(
  filter: RepositoryFilter,
  groupPath: string,
): (repository: ListedRepository) => Exclusion | null {
  const include = toPatterns(filter.include);
  const exclude = toPatterns(filter.exclude);
  const topics = new Set(filter.topics.map((topic) => topic.toLowerCase()));
  const languages = new Set(filter.languages.map((language) => language.toLowerCase()));
  const prefix = `${groupPath.toLowerCase()}/`;
  return ({ path, is_archived, is_fork, is_empty, topics: has, language }) => {
    const name = path.toLowerCase().startsWith(prefix) ? path.slice(prefix.length) : path;
    if (include.length > 0 && !include.some((pattern) => matchesPath(pattern, name))) return 'name';
    if (exclude.some((pattern) => matchesPath(pattern, name))) return 'name';
    if (is_archived && !filter.archived) return 'archived';
    if (is_fork && !filter.forks) return 'fork';
    if (topics.size > 0 && !(has ?? []).some((topic) => topics.has(topic.toLowerCase()))) return 'topic';
    if (languages.size > 0 && !languages.has(language?.toLowerCase() ?? '')) return 'language';
    return is_empty ? 'empty' : null;
  };
}

function toPatterns(patterns: readonly string[]) {
  return patterns.flatMap((pattern) => parsePathPattern(pattern) ?? []);
}

/**
 * Time after a push during which another push may not be detectable by its time in the list. On GitHub and
 * Gitea, times have no fractions of seconds, so two pushes in the same second have the same time. GitLab
 * updates the time of the last activity at most once an hour. The values are higher than that to allow for
 * clock differences.
 */
const quietMs: Readonly<Record<ForgeKind, number>> = {
  github: 60_000,
  gitea: 60_000,
  gitlab: 65 * 60_000,
};

/**
 * True if every later push changes the time in the list. If false, an unchanged time doesn't prove that there
 * was no push.
 */
export function isNextPushDetectable(forge: ForgeKind, pushedAt: Date, now: Date): boolean {
  return now.getTime() - pushedAt.getTime() >= quietMs[forge];
}
