import type { ForgeKind } from '../domain/artifacts/forges.ts';
import type { ListedRepository, RepositoryGroup } from '../domain/discovery/repository-group.ts';
import { RunError } from '../domain/runs/run-error.ts';
import { nextGiteaPage } from './gitea-releases.ts';
import { nextGithubPage } from './github-releases.ts';
import { nextGitlabPage } from './gitlab-releases.ts';
import { isLinkTooLong, longLinkWarning } from './link-header.ts';
import type { PagePosition } from './paged-releases.ts';
import type { SourceContext } from './release-source.ts';
import type { SourceResponse } from './source-http.ts';

/** Pages of earlier lists, so that requests for unchanged pages don't count toward a rate limit. */
export interface KnownPages {
  find(key: string): KnownPage | null;
  keep(key: string, page: KnownPage): void;
}

export interface KnownPage {
  /** Null if the forge sent none. */
  validators: SourceResponse['validators'];
  /** Headers that lead to the next page. */
  headers: SourceResponse['headers'];
  repositories: readonly ListedRepository[];
  entries: number;
}

export interface RepositoryListSummary {
  /**
   * True if the whole list was read, so that a repository that isn't in it doesn't exist or can't be read with this
   * credential.
   */
  isComplete: boolean;
  found: number;
  /** Sentences for the user: why the list isn't complete. */
  warnings: string[];
}

interface ListPages {
  /** Number of entries of a page. */
  size: number;
  accept: string;
  headers?: Readonly<Record<string, string>>;
  /** Returns the URL of the API. */
  api(host: string): string;
  /** Returns the path of the repository list of an organization or a group. */
  group(path: string): string;
  /** Returns the path of the repository list of a user account. */
  user(path: string): string;
  /**
   * Path of the list of all repositories that a credential can see. Only for forges whose list of a user account contains
   * only public repositories.
   */
  visible?: string;
  /** Returns the path of the repository with this ID. */
  repository(id: string): string;
  next(answer: SourceResponse, page: PagePosition): string | null | undefined;
}

/** Repositories are in the order of their creation, so that a push doesn't move one to another page. */
const forges: Readonly<Record<ForgeKind, ListPages>> = {
  github: {
    size: 100,
    accept: 'application/vnd.github+json',
    headers: { 'x-github-api-version': '2022-11-28' },
    api: (host) => (host === 'github.com' ? 'api.github.com' : `${host}/api/v3`),
    group: (path) => `orgs/${path}/repos?per_page=100&type=all&sort=created&direction=asc`,
    user: (path) => `users/${path}/repos?per_page=100&type=owner&sort=created&direction=asc`,
    visible: 'user/repos?per_page=100&affiliation=owner,collaborator&sort=created&direction=asc',
    repository: (id) => `repositories/${id}`,
    next: nextGithubPage,
  },
  gitlab: {
    size: 100,
    accept: 'application/json',
    api: (host) => `${host}/api/v4`,
    group: (path) =>
      `groups/${path}/projects?per_page=100&include_subgroups=true&with_shared=false&order_by=id&sort=asc`,
    user: (path) => `users/${path}/projects?per_page=100&order_by=id&sort=asc`,
    repository: (id) => `projects/${id}`,
    next: nextGitlabPage,
  },
  gitea: {
    size: 50,
    accept: 'application/json',
    api: (host) => `${host}/api/v1`,
    group: (path) => `orgs/${path}/repos?limit=50&page=1`,
    user: (path) => `users/${path}/repos?limit=50&page=1`,
    repository: (id) => `repositories/${id}`,
    next: nextGiteaPage,
  },
};

/** Maximum number of repositories of a group. */
export const maxRepositories = 20_000;
const maxPages = 1_000;
/** Maximum size of a page. GitLab returns 4 kB for a project, and GitHub 6 kB for a repository. */
const maxPageBytes = 16 * 1024 * 1024;

interface ListContext extends Pick<SourceContext, 'http' | 'read'> {
  /** True if requests have a credential. */
  hasCredential: boolean;
}

/**
 * Yields the repositories of an organization, a group, or a user account in parts of at most 500. A
 * repository that moves to another page while the list is read can be on both pages, but is yielded only
 * once.
 */
export async function* listRepositories(
  group: RepositoryGroup,
  context: ListContext,
  known: KnownPages,
): AsyncGenerator<ListedRepository[], RepositoryListSummary, undefined> {
  const forge = forges[group.forge];
  const list: RepositoryList = {
    group,
    base: `${context.http.schemeFor(group.host)}://${forge.api(group.host)}/`,
    seen: new Set(),
    warnings: [],
  };
  const path = encodeURIComponent(group.path);
  try {
    yield* listPages(forge.group(path), list, context, known);
  } catch (error) {
    const canBeUser = !group.path.includes('/') && list.seen.size === 0;
    if (!canBeUser || !(error instanceof RunError) || error.code !== 'not_found') throw error;
    yield* listUser(list, context, known);
  }
  const { seen, warnings } = list;
  return { isComplete: warnings.length === 0, found: seen.size, warnings };
}

/** Lists the repositories of a user account, including the private ones that the credential can see. */
async function* listUser(
  list: RepositoryList,
  context: ListContext,
  known: KnownPages,
): AsyncGenerator<ListedRepository[], void, undefined> {
  const forge = forges[list.group.forge];
  yield* listPages(forge.user(encodeURIComponent(list.group.path)), list, context, known);
  if (forge.visible === undefined || !context.hasCredential) return;
  try {
    yield* listPages(forge.visible, list, context, known);
  } catch (error) {
    if (!(error instanceof RunError) || !listDenials.has(error.code)) throw error;
    addWarning(
      list,
      `The credential can't list the private repositories of ${list.group.path}. Use a personal access token.`,
    );
  }
}

/**
 * Returns the repository with this ID, even if it's outside the group. Null if it doesn't exist, or if the
 * credential can't see it.
 */
export async function findRepository(
  group: RepositoryGroup,
  id: string,
  { http, read }: ListContext,
): Promise<ListedRepository | null> {
  const { api, accept, headers, repository } = forges[group.forge];
  const what = `the repository with the ID ${id}`;
  const url = `${http.schemeFor(group.host)}://${api(group.host)}/${repository(encodeURIComponent(id))}`;
  try {
    const answer = await http.get(url, {
      what,
      accept,
      maxBytes: maxPageBytes,
      authorization: 'bearer',
      ...(headers && { headers }),
    });
    const input = { forge: group.forge, host: new URL(answer.url).host, what, isSingle: true };
    const { value } = await read('repository_list', input, answer.body).next();
    const [found] = Array.isArray(value) ? value : [];
    // If the IDs differ, another repository has taken over the path of the requested one.
    return found?.forge_id === id ? found : null;
  } catch (error) {
    if (error instanceof RunError && listDenials.has(error.code)) return null;
    throw error;
  }
}

/**
 * Codes of the errors with which forges deny access: to repositories that a credential can't see, and to
 * lists for credentials that belong to no user, such as those of GitHub Apps.
 */
const listDenials: ReadonlySet<string> = new Set(['unauthorized', 'not_found']);

/** The list of a group, which can consist of several lists of its forge. */
interface RepositoryList {
  group: RepositoryGroup;
  /** URL of the API. */
  base: string;
  /** IDs of the repositories that were yielded. */
  seen: Set<string>;
  warnings: string[];
}

function addWarning({ warnings }: RepositoryList, text: string): void {
  if (!warnings.includes(text)) warnings.push(text);
}

async function* listPages(
  path: string,
  list: RepositoryList,
  { http, read }: ListContext,
  known: KnownPages,
): AsyncGenerator<ListedRepository[], void, undefined> {
  const { group, seen } = list;
  const pages = forges[group.forge];
  const what = `${group.forge === 'gitlab' ? 'the group' : 'the organization'} or user ${group.path}`;
  const prefix = `${group.path.toLowerCase()}/`;
  const listed = new Set<string>();
  let entries = 0;
  let isRepeated = false;
  let unread = 0;
  let total: string | undefined;
  let url = list.base + path;
  let from: SourceResponse | undefined;

  for (let page = 1; ; page += 1) {
    const key = `${http.scope} ${url}`;
    const before = known.find(key);
    const answer = await http.get(url, {
      what,
      accept: pages.accept,
      maxBytes: maxPageBytes,
      authorization: 'bearer',
      validators: before?.validators ?? null,
      ...(pages.headers && { headers: pages.headers }),
      ...(from && { from }),
    });
    const isSame = answer.status === 304 && before !== null;
    const current = isSame ? before : await readPage(answer);
    known.keep(key, current);
    // A proxy can omit the headers of a response without a body, so the headers of the earlier response
    // replace missing ones.
    const shown = isSame ? { ...answer, headers: { ...current.headers, ...answer.headers } } : answer;
    total ??= totalOf(answer);
    entries += current.entries;
    unread += current.entries - current.repositories.length;
    const added = current.repositories.filter(({ forge_id: id }) => !listed.has(id));
    isRepeated ||= added.length < current.repositories.length;
    for (const { forge_id: id } of added) listed.add(id);
    const isMember = (repository: ListedRepository) =>
      path !== pages.visible || repository.path.toLowerCase().startsWith(prefix);
    const found = added.filter((repository) => !seen.has(repository.forge_id) && isMember(repository));
    for (const { forge_id: id } of found) seen.add(id);
    if (found.length > 0) yield found;
    if (shown.headers['x-github-sso'] !== undefined)
      addWarning(
        list,
        "GitHub excluded repositories, because the credential isn't authorized for single sign-on.",
      );
    const position = { page, size: pages.size, count: current.entries, read: entries };
    let next = pages.next(shown, position);
    // The next page may have been added after the headers were stored.
    if (next === null && isSame) next = pages.next(answer, position);
    if (next === null) {
      if (isLinkTooLong(shown)) addWarning(list, longLinkWarning(shown));
      break;
    }
    if (current.entries === 0 || added.length === 0) {
      if (next !== undefined)
        addWarning(list, `Page ${page} of the list only repeated earlier repositories.`);
      break;
    }
    if (seen.size >= maxRepositories || page >= maxPages) {
      addWarning(list, `Only the first ${seen.size.toLocaleString('en-US')} repositories were listed.`);
      break;
    }
    url = next ?? pageAfter(shown.url, page);
    from = shown;
  }
  if (unread > 0)
    addWarning(
      list,
      `${unread} ${unread === 1 ? 'repository' : 'repositories'} couldn't be read from the list.`,
    );
  if (isRepeated || (total !== undefined && Number(total) !== entries))
    addWarning(list, 'The list changed while it was read.');

  async function readPage(answer: SourceResponse): Promise<KnownPage> {
    const repositories: ListedRepository[] = [];
    const input = { forge: group.forge, host: new URL(answer.url).host, what };
    const parts = read('repository_list', input, answer.body);
    for (;;) {
      const { done, value } = await parts.next();
      if (done)
        return {
          validators: answer.validators,
          headers: pick(answer.headers),
          repositories,
          entries: value.entries,
        };
      repositories.push(...value);
    }
  }
}

const leading = ['link', 'x-next-page', 'x-total', 'x-total-count', 'x-github-sso'] as const;

function pick(headers: SourceResponse['headers']): SourceResponse['headers'] {
  return Object.fromEntries(
    leading.flatMap((name) => (headers[name] === undefined ? [] : [[name, headers[name]]])),
  );
}

function totalOf({ headers }: SourceResponse): string | undefined {
  return headers['x-total'] ?? headers['x-total-count'];
}

function pageAfter(url: string, page: number): string {
  const next = new URL(url);
  next.searchParams.set('page', String(page + 1));
  return next.href;
}

/** Maximum number of repositories in kept pages, at about 300 bytes each. */
const maxKnownRepositories = 50_000;

/** Keeps the pages of the latest lists in memory. The least recently used pages are dropped first. */
export function createKnownPages(): KnownPages {
  const pages = new Map<string, KnownPage>();
  let count = 0;

  function drop(key: string): void {
    const page = pages.get(key);
    if (page && pages.delete(key)) count -= page.entries + 1;
  }

  return {
    find: (key) => pages.get(key) ?? null,
    keep(key, page) {
      drop(key);
      if (page.validators === null) return;
      pages.set(key, page);
      count += page.entries + 1;
      for (const oldest of pages.keys()) {
        if (count <= maxKnownRepositories) return;
        drop(oldest);
      }
    },
  };
}
