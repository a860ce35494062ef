import { splitHostPath } from '../domain/artifacts/host-path.ts';
import { linkHeader, nextLink } from './link-header.ts';
import { gatherPages, isUsualPageSize, type PagePosition } from './paged-releases.ts';
import type { ReleaseSource } from './release-source.ts';
import type { SourceResponse } from './source-http.ts';

const pageSize = 100;

/** Reads releases from `gitlab.com` or any other GitLab host. Groups can be nested. */
export const gitlabReleases: ReleaseSource = {
  sourceType: 'gitlab_releases',

  sharedRequestKey: ({ artifactName }) => `gitlab_releases ${releasesPath(artifactName, pageSize)}`,

  gather(request, context) {
    const { host, segments } = splitHostPath(request.artifactName);
    const project = segments.join('/');
    const scheme = context.http.schemeFor(host);
    return gatherPages(request, context, {
      pageUrl: (size, page) =>
        `${scheme}://${releasesPath(request.artifactName, size)}${page === 1 ? '' : `&page=${page}`}`,
      pageSize,
      what: `the project ${project}`,
      repositoryUrl: `${scheme}://${apiPath(request.artifactName)}`,
      tagsUrl: `${scheme}://${apiPath(request.artifactName)}/repository/tags?per_page=${pageSize}`,
      accept: 'application/json',
      platform: 'gitlab',
      nextUrl: nextGitlabPage,
      emptyWarning: `The project ${project} has no releases. If it only uses tags, use source type git_tags.`,
    });
  },
};

function apiPath(artifactName: string): string {
  const { host, segments } = splitHostPath(artifactName);
  const id = encodeURIComponent(segments.join('/'));
  return `${host}/api/v4/projects/${id}`;
}

function releasesPath(artifactName: string, size: number): string {
  return `${apiPath(artifactName)}/releases?per_page=${size}&order_by=released_at&sort=desc`;
}

/**
 * Returns the URL of the next page. Only the query of `Link` is used, because `Link` contains the external
 * URL of the server, which is often wrong behind a proxy.
 */
export function nextGitlabPage(answer: SourceResponse, { count }: PagePosition): string | null | undefined {
  const next = new URL(answer.url);
  const link = nextLink(answer);
  if (link !== null && URL.canParse(link, answer.url)) {
    next.search = new URL(link, answer.url).search;
    return next.href;
  }
  const page = answer.headers['x-next-page'];
  // A proxy can drop the headers, so another page can follow a page of a usual size.
  if (page === undefined && linkHeader(answer) === undefined)
    return isUsualPageSize(count) ? undefined : null;
  if (page === undefined) return null;
  if (!/^\d{1,9}$/u.test(page)) return null;
  next.searchParams.set('page', page);
  return next.href;
}
