import { splitHostPath } from '../domain/artifacts/host-path.ts';
import { gatherPages, nextLink } from './paged-releases.ts';
import type { ReleaseSource } from './release-source.ts';
import type { SourceResponse } from './source-http.ts';

/** Default maximum page size of a server. */
const pageSize = 50;

/** Reads releases from Gitea and Forgejo servers, such as `codeberg.org`. */
export const giteaReleases: ReleaseSource = {
  sourceType: 'gitea_releases',

  sharedRequestKey: ({ artifactName }) => `gitea_releases ${releasesPath(artifactName)}`,

  gather(request, context) {
    const { host, segments } = splitHostPath(request.artifactName);
    const repository = segments.join('/');
    const scheme = context.http.schemeFor(host);
    return gatherPages(request, context, {
      firstUrl: `${scheme}://${releasesPath(request.artifactName)}&page=1`,
      what: `the repository ${repository}`,
      repositoryUrl: `${scheme}://${apiPath(request.artifactName)}`,
      accept: 'application/json',
      platform: 'github',
      nextUrl,
      emptyWarning: `The repository ${repository} has no releases. If it only uses tags, use source type git_tags.`,
    });
  },
};

function apiPath(artifactName: string): string {
  const { host, segments } = splitHostPath(artifactName);
  return `${host}/api/v1/repos/${segments.map(encodeURIComponent).join('/')}`;
}

function releasesPath(artifactName: string): string {
  return `${apiPath(artifactName)}/releases?limit=${pageSize}`;
}

/**
 * Returns the URL of the next page. `Link` contains the external URL of the server, which is often wrong
 * behind a proxy, so it only indicates whether a next page exists.
 */
function nextUrl(answer: SourceResponse, page: number, count: number): string | null {
  if (count === 0) return null;
  const total = Number(answer.headers['x-total-count'] ?? Number.NaN);
  const hasNext =
    nextLink(answer) !== null || (answer.headers['link'] === undefined && total > page * pageSize);
  if (!hasNext) return null;
  const next = new URL(answer.url);
  next.searchParams.set('page', String(page + 1));
  return next.href;
}
