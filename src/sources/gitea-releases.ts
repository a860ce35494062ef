import { splitHostPath } from '../domain/artifacts/host-path.ts';
import { linkHeader, nextLink } from './link-header.ts';
import { gatherPages, isUsualPageSize, type PagePosition } from './paged-releases.ts';
import type { ReleaseSource } from './release-source.ts';
import type { SourceResponse } from './source-http.ts';

/** Requested page size, which is the default maximum of a server. */
const pageSize = 50;

/** Reads releases from Gitea and Forgejo servers, such as `codeberg.org`. */
export const giteaReleases: ReleaseSource = {
  sourceType: 'gitea_releases',

  sharedRequestKey: ({ artifactName }) => `gitea_releases ${releasesPath(artifactName, pageSize)}`,

  gather(request, context) {
    const { host, segments } = splitHostPath(request.artifactName);
    const repository = segments.join('/');
    const scheme = context.http.schemeFor(host);
    return gatherPages(request, context, {
      pageUrl: (size, page) => `${scheme}://${releasesPath(request.artifactName, size)}&page=${page}`,
      pageSize,
      what: `the repository ${repository}`,
      repositoryUrl: `${scheme}://${apiPath(request.artifactName)}`,
      tagsUrl: `${scheme}://${apiPath(request.artifactName)}/tags?limit=${pageSize}`,
      accept: 'application/json',
      platform: 'github',
      nextUrl: nextGiteaPage,
      emptyWarning: `The repository ${repository} has no releases. If it only uses tags, use source type git_tags.`,
    });
  },
};

function apiPath(artifactName: string): string {
  const { host, segments } = splitHostPath(artifactName);
  return `${host}/api/v1/repos/${segments.map(encodeURIComponent).join('/')}`;
}

function releasesPath(artifactName: string, size: number): string {
  return `${apiPath(artifactName)}/releases?limit=${size}`;
}

/**
 * Returns the URL of the next page. `Link` contains the external URL of the server, which is often wrong
 * behind a proxy, so the header only indicates whether a next page exists. Servers can return smaller pages
 * than requested, so the total is compared with the number of entries that were read, not with the number of
 * pages.
 */
export function nextGiteaPage(
  answer: SourceResponse,
  { page, count, read }: PagePosition,
): string | null | undefined {
  if (count === 0) return null;
  const link = linkHeader(answer);
  const total = answer.headers['x-total-count'];
  if (link === undefined && total === undefined) return isUsualPageSize(count) ? undefined : null;
  const hasNext = nextLink(answer) !== null || (link === undefined && Number(total) > read);
  if (!hasNext) return null;
  const next = new URL(answer.url);
  next.searchParams.set('page', String(page + 1));
  return next.href;
}
