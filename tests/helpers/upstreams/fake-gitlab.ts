import {
  paginate,
  sendJson,
  sendWithEtag,
  startUpstreamServer,
  type UpstreamServer,
} from './upstream-server.ts';

export interface FakeGitlabRelease {
  tag: string;
  releasedAt: string;
  /** True if the release is announced for a later date. */
  isUpcoming?: boolean;
  notes?: string;
  /** Commit of the tag. Without it, the list of tags doesn't contain the tag. */
  commit?: string;
}

export interface FakeGitlab extends UpstreamServer {
  /** Projects by path (`group/subgroup/project`), newest release first. */
  projects: Map<string, FakeGitlabRelease[]>;
  /** Paths of read-only projects. */
  archived: Set<string>;
  /** Tokens of private projects, by path. Only the token of a project can access it. */
  privateProjects: Map<string, string>;
}

/**
 * Starts a server that lists releases and tags as GitLab does, at `/api/v4/projects/{path}/releases` and
 * `…/repository/tags`.
 */
export async function startFakeGitlab(options: { port?: number } = {}): Promise<FakeGitlab> {
  const server = await startUpstreamServer((request, response, url) => {
    const [, id = '', list] =
      /^\/api\/v4\/projects\/([^/]+)(\/releases|\/repository\/tags)?$/u.exec(url.pathname) ?? [];
    const path = decodeURIComponent(id);
    const token = request.headers.authorization?.replace(/^Bearer /u, '') ?? request.headers['private-token'];
    const releases = gitlab.projects.get(path);
    const secret = gitlab.privateProjects.get(path);
    if (typeof token === 'string' && token.startsWith('revoked')) {
      sendJson(response, 401, { message: '401 Unauthorized' });
      return;
    }
    if (!releases || (secret !== undefined && token !== secret)) {
      sendJson(response, 404, { message: '404 Project Not Found' });
      return;
    }
    if (list === undefined) {
      sendJson(response, 200, { path_with_namespace: path, archived: gitlab.archived.has(path) });
      return;
    }
    const isTags = list === '/repository/tags';
    const listed = isTags ? releases.filter(({ commit }) => commit !== undefined) : releases;
    const page = paginate(listed, url, { size: 'per_page', maxSize: 100, defaultSize: 20 });
    const toEntry = (release: FakeGitlabRelease) =>
      isTags ? toGitlabTag(release) : toGitlabRelease(release, gitlab.host, path);
    const body = JSON.stringify(page.items.map(toEntry));
    sendWithEtag(request, response, body, {
      'content-type': 'application/json',
      'x-page': String(page.page),
      'x-per-page': String(page.size),
      'x-total': String(listed.length),
      'ratelimit-limit': '2000',
      'ratelimit-remaining': '1999',
      'ratelimit-reset': '60',
      ...(page.link === null ? {} : { link: page.link }),
    });
  }, options);
  const gitlab: FakeGitlab = Object.assign(server, {
    projects: new Map<string, FakeGitlabRelease[]>(),
    archived: new Set<string>(),
    privateProjects: new Map<string, string>(),
  });
  return gitlab;
}

/** The target of an annotated tag is the tag object, not its commit. */
function toGitlabTag({ tag, commit }: FakeGitlabRelease) {
  return { name: tag, message: 'Release', target: 'f'.repeat(40), commit: { id: commit } };
}

function toGitlabRelease(release: FakeGitlabRelease, host: string, path: string) {
  return {
    name: release.tag,
    tag_name: release.tag,
    description: release.notes ?? null,
    created_at: release.releasedAt,
    released_at: release.releasedAt,
    upcoming_release: release.isUpcoming === true,
    commit: { id: '2695effb5807a22ff3d138d593fd856244e155e7' },
    assets: { count: 0, sources: [], links: [] },
    _links: { self: `http://${host}/${path}/-/releases/${encodeURIComponent(release.tag)}` },
  };
}
