import { type FakeRelease, toGithubTag } from './fake-github.ts';
import { paginate, sendJson, startUpstreamServer, type UpstreamServer } from './upstream-server.ts';

export interface FakeGitea extends UpstreamServer {
  /** Repositories by `owner/repo`, newest release first. */
  repositories: Map<string, FakeRelease[]>;
  /** Read-only repositories, as `owner/repo`. */
  archived: Set<string>;
  /** Tokens of private repositories, by `owner/repo`. Only the token of a repository can access it. */
  privateRepositories: Map<string, string>;
}

/**
 * Starts a server that lists releases and tags as Gitea and Forgejo do, at `/api/v1/repos/{owner}/{repo}/releases` and
 * `…/tags`:
 * with at most 50 releases per page, without `ETag`, and with `Link` URLs that contain the server's
 * configured host instead of its actual one.
 */
export async function startFakeGitea(options: { port?: number } = {}): Promise<FakeGitea> {
  const server = await startUpstreamServer((request, response, url) => {
    const [, owner = '', repo = '', list] =
      /^\/api\/v1\/repos\/([^/]+)\/([^/]+?)(\/(?:releases|tags))?$/u.exec(url.pathname) ?? [];
    const name = `${decodeURIComponent(owner)}/${decodeURIComponent(repo)}`;
    const token = request.headers.authorization?.replace(/^(?:Bearer|token) /u, '');
    const releases = gitea.repositories.get(name);
    const secret = gitea.privateRepositories.get(name);
    if (token?.startsWith('revoked')) {
      sendJson(response, 401, { message: 'invalid username, password or token' });
      return;
    }
    if (!releases || (secret !== undefined && token !== secret)) {
      sendJson(response, 404, { message: "The target couldn't be found.", errors: [] });
      return;
    }
    if (list === undefined) {
      sendJson(response, 200, { full_name: name, archived: gitea.archived.has(name) });
      return;
    }
    const isTags = list === '/tags';
    const visible = releases.filter(({ publishedAt, commit }) =>
      isTags ? commit !== undefined : publishedAt !== null,
    );
    const page = paginate(visible, url, { size: 'limit', maxSize: 50, defaultSize: 30 });
    sendJson(
      response,
      200,
      page.items.map((release, index) =>
        isTags ? toGithubTag(release) : toGiteaRelease(release, index, gitea.host, name),
      ),
      {
        'x-total-count': String(visible.length),
        ...(page.link === null ? {} : { link: page.link.replaceAll(gitea.host, 'localhost:3000') }),
      },
    );
  }, options);
  const gitea: FakeGitea = Object.assign(server, {
    repositories: new Map<string, FakeRelease[]>(),
    archived: new Set<string>(),
    privateRepositories: new Map<string, string>(),
  });
  return gitea;
}

function toGiteaRelease(release: FakeRelease, index: number, host: string, repository: string) {
  return {
    id: index + 1,
    tag_name: release.tag,
    name: release.tag,
    body: release.notes ?? '',
    url: `http://${host}/api/v1/repos/${repository}/releases/${index + 1}`,
    html_url: `http://${host}/${repository}/releases/tag/${encodeURIComponent(release.tag)}`,
    draft: release.publishedAt === null,
    prerelease: release.isPrerelease === true,
    created_at: release.publishedAt,
    published_at: release.publishedAt,
    assets: [],
  };
}
