import {
  paginate,
  sendJson,
  sendWithEtag,
  startUpstreamServer,
  type UpstreamServer,
} from './upstream-server.ts';

export interface FakeRelease {
  tag: string;
  /** Publication time, or null for a draft. */
  publishedAt: string | null;
  isPrerelease?: boolean;
  notes?: string;
  /** Commit of the tag. Without it, the list of tags doesn't contain the tag. */
  commit?: string;
}

export interface FakeGithub extends UpstreamServer {
  /** Repositories by `owner/repo`, newest release first. Tests change this map to simulate new releases. */
  repositories: Map<string, FakeRelease[]>;
  /** Read-only repositories, as `owner/repo`. */
  archived: Set<string>;
  /** Tokens of private repositories, by `owner/repo`. Only the token of a repository can access it. */
  privateRepositories: Map<string, string>;
  /**
   * Number of requests that remain before the rate limit, or null for no limit. Responses with status 304
   * don't count.
   */
  remaining: number | null;
  /** Time when the rate limit resets, in seconds since the Unix epoch. */
  resetAt: number;
}

/**
 * Starts a server that lists releases and tags as GitHub Enterprise Server does, at
 * `/api/v3/repos/{owner}/{repo}/releases` and `…/tags`, and returns the repository's details. It implements pages with
 * `Link`, `ETag` with status 304, and rate limit headers.
 */
export async function startFakeGithub(options: { port?: number } = {}): Promise<FakeGithub> {
  const server = await startUpstreamServer((request, response, url) => {
    const limits = {
      'x-ratelimit-limit': '60',
      'x-ratelimit-remaining': String(github.remaining ?? 60),
      'x-ratelimit-reset': String(github.resetAt),
      'x-ratelimit-resource': 'core',
    };
    const [, owner, repo, list] =
      /^\/api\/v3\/repos\/([^/]+)\/([^/]+?)(\/(?:releases|tags))?$/u.exec(url.pathname) ?? [];
    if (github.remaining === 0) {
      sendJson(response, 403, { message: 'API rate limit exceeded for 127.0.0.1.' }, limits);
      return;
    }
    const token = request.headers.authorization?.replace(/^(?:Bearer|token) /iu, '');
    const name = `${decodeURIComponent(owner ?? '')}/${decodeURIComponent(repo ?? '')}`;
    const releases = github.repositories.get(name);
    const secret = github.privateRepositories.get(name);
    if (token !== undefined && token.startsWith('revoked')) {
      sendJson(response, 401, { message: 'Bad credentials' }, limits);
      return;
    }
    if (!releases || (secret !== undefined && token !== secret)) {
      sendJson(
        response,
        404,
        { message: 'Not Found', documentation_url: 'https://docs.github.com/rest' },
        limits,
      );
      return;
    }
    if (list === undefined) {
      if (github.remaining !== null) github.remaining -= 1;
      sendJson(response, 200, { full_name: name, archived: github.archived.has(name) }, limits);
      return;
    }
    const listed = list === '/tags' ? releases.filter(({ commit }) => commit !== undefined) : releases;
    const page = paginate(listed, url, { size: 'per_page', maxSize: 100, defaultSize: 30 });
    const toEntry = (release: FakeRelease) =>
      list === '/tags' ? toGithubTag(release) : toGithubRelease(release, server.host, name);
    const body = JSON.stringify(page.items.map(toEntry));
    const wasModified = request.headers['if-none-match'] === undefined;
    if (github.remaining !== null && wasModified) github.remaining -= 1;
    sendWithEtag(request, response, body, {
      'content-type': 'application/json; charset=utf-8',
      'cache-control': 'public, max-age=60, s-maxage=60',
      ...limits,
      ...(github.remaining === null ? {} : { 'x-ratelimit-remaining': String(github.remaining) }),
      ...(page.link === null ? {} : { link: page.link }),
    });
  }, options);
  const github: FakeGithub = Object.assign(server, {
    repositories: new Map<string, FakeRelease[]>(),
    archived: new Set<string>(),
    privateRepositories: new Map<string, string>(),
    remaining: null,
    resetAt: 4_102_444_800,
  });
  return github;
}

/** Returns a tag in the format of GitHub and Gitea. */
export function toGithubTag({ tag, commit }: FakeRelease) {
  return { name: tag, commit: { sha: commit, url: `https://api.example/commits/${commit}` } };
}

function toGithubRelease(release: FakeRelease, host: string, repository: string) {
  const isDraft = release.publishedAt === null;
  return {
    id: hashOf(release.tag),
    tag_name: release.tag,
    target_commitish: 'main',
    name: release.tag,
    draft: isDraft,
    prerelease: release.isPrerelease === true,
    created_at: release.publishedAt ?? '2026-01-01T00:00:00Z',
    published_at: release.publishedAt,
    html_url: `http://${host}/${repository}/releases/tag/${encodeURIComponent(release.tag)}`,
    url: `http://${host}/api/v3/repos/${repository}/releases/${hashOf(release.tag)}`,
    author: { login: 'octocat', id: 1 },
    assets: [],
    body: release.notes ?? null,
  };
}

function hashOf(text: string): number {
  let hash = 7;
  for (const char of text) hash = (hash * 31 + (char.codePointAt(0) ?? 0)) % 1_000_000_007;
  return hash;
}
