import type { ForgeKind } from '../../../src/domain/artifacts/forges.ts';
import {
  paginate,
  sendJson,
  sendWithEtag,
  startUpstreamServer,
  type UpstreamServer,
} from './upstream-server.ts';

export interface FakeRepository {
  id: number;
  /** Path on the host: `acme/deploy`. */
  path: string;
  pushedAt: string;
  isArchived?: boolean;
  isFork?: boolean;
  isEmpty?: boolean;
  topics?: string[];
  language?: string;
}

export interface FakeForge extends UpstreamServer {
  forge: ForgeKind;
  /** URL of the organization or group. */
  groupUrl: string;
  /** Repositories of the group, oldest first. Tests change this list. */
  repositories: FakeRepository[];
  /** True if the group is a user account. */
  isUser: boolean;
  /**
   * Repositories that the credential can see, which GitHub lists for requests that specify no account. Null
   * if the credential belongs to no user.
   */
  visible: FakeRepository[] | null;
  /** Repositories outside the group, which the forge returns by their ID. */
  elsewhere: FakeRepository[];
  /** Headers that are added to each page of the list. */
  extraHeaders: Record<string, string>;
}

const names: Readonly<Record<ForgeKind, { path: RegExp; size: string; maxSize: number }>> = {
  github: { path: /^\/api\/v3\/(orgs|users)\/([^/]+)\/repos$/u, size: 'per_page', maxSize: 100 },
  gitlab: { path: /^\/api\/v4\/(groups|users)\/([^/]+)\/projects$/u, size: 'per_page', maxSize: 100 },
  gitea: { path: /^\/api\/v1\/(orgs|users)\/([^/]+)\/repos$/u, size: 'limit', maxSize: 50 },
};

/**
 * Starts a server that lists the repositories of one organization or group as GitHub Enterprise Server, GitLab, or Gitea
 * does, with the ETags, totals, and links of each.
 */
export async function startFakeForge(forge: ForgeKind, groupPath = 'acme'): Promise<FakeForge> {
  const { path, size, maxSize } = names[forge];
  const server = await startUpstreamServer((request, response, url) => {
    const [, kind, name] = path.exec(url.pathname) ?? [];
    const [, id] = /^\/api\/v\d\/(?:repositories|projects)\/(\d+)$/u.exec(url.pathname) ?? [];
    const single = [...fake.repositories, ...fake.elsewhere].find((each) => String(each.id) === id);
    if (single) return sendJson(response, 200, toJson(forge, single));
    const isVisibleList = forge === 'github' && url.pathname === '/api/v3/user/repos';
    if (isVisibleList && fake.visible === null) {
      sendJson(response, 403, { message: 'Resource not accessible by integration' });
      return;
    }
    const isOther = (kind === 'users') !== fake.isUser || decodeURIComponent(name ?? '') !== groupPath;
    if (isOther && !isVisibleList) {
      sendJson(response, 404, { message: 'Not Found' });
      return;
    }
    const repositories = isVisibleList ? (fake.visible ?? []) : fake.repositories;
    const page = paginate(repositories, url, { size, maxSize, defaultSize: 20 });
    const total = String(repositories.length);
    const headers = {
      'content-type': 'application/json',
      ...(forge === 'gitlab' && { 'x-total': total }),
      ...(forge === 'gitea' && { 'x-total-count': total }),
      ...(page.link !== null && { link: page.link }),
      ...fake.extraHeaders,
    };
    const body = JSON.stringify(page.items.map((repository) => toJson(forge, repository)));
    if (forge === 'gitea') response.writeHead(200, headers).end(body);
    else sendWithEtag(request, response, body, headers);
  });
  const fake: FakeForge = Object.assign(server, {
    forge,
    groupUrl: `http://${server.host}/${groupPath}`,
    repositories: [],
    isUser: false,
    visible: [],
    elsewhere: [],
    extraHeaders: {},
  });
  return fake;
}

/** Returns repositories `acme/repository-1` and so on. The last push to each of them was on the same day. */
export function manyRepositories(count: number, groupPath = 'acme'): FakeRepository[] {
  return Array.from({ length: count }, (_, index) => ({
    id: index + 1,
    path: `${groupPath}/repository-${index + 1}`,
    pushedAt: '2026-01-01T00:00:00Z',
  }));
}

function toJson(forge: ForgeKind, repository: FakeRepository) {
  const { id, path, pushedAt, isArchived = false, isFork = false, isEmpty = false, topics = [] } = repository;
  const language = repository.language ?? null;
  switch (forge) {
    case 'github':
      return {
        id,
        full_name: path,
        pushed_at: pushedAt,
        archived: isArchived,
        fork: isFork,
        topics,
        language,
      };
    case 'gitlab':
      return {
        id,
        path_with_namespace: path,
        last_activity_at: pushedAt,
        archived: isArchived,
        empty_repo: isEmpty,
        topics,
        ...(isFork && { forked_from_project: { id: 1 } }),
      };
    case 'gitea':
      return {
        id,
        full_name: path,
        updated_at: pushedAt,
        archived: isArchived,
        fork: isFork,
        empty: isEmpty,
        topics,
        language: language ?? '',
      };
  }
}
