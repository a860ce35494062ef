import { splitHostPath } from '../domain/artifacts/host-path.ts';
import { gatherPages, nextLink } from './paged-releases.ts';
import type { ReleaseSource } from './release-source.ts';
import type { SourceResponse } from './source-http.ts';

/** Reads releases from `gitlab.com` or any other GitLab host. Groups can be nested. */
export const gitlabReleases: ReleaseSource = {
  sourceType: 'gitlab_releases',

  sharedRequestKey: ({ artifactName }) => `gitlab_releases ${releasesPath(artifactName)}`,

  gather(request, context) {
    const { host, segments } = splitHostPath(request.artifactName);
    const project = segments.join('/');
    const scheme = context.http.schemeFor(host);
    return gatherPages(request, context, {
      firstUrl: `${scheme}://${releasesPath(request.artifactName)}`,
      what: `the project ${project}`,
      repositoryUrl: `${scheme}://${apiPath(request.artifactName)}`,
      accept: 'application/json',
      platform: 'gitlab',
      nextUrl,
      emptyWarning: `The project ${project} has no releases. If it only uses tags, use source type git_tags.`,
    });
  },
};

function apiPath(artifactName: string): string {
  const { host, segments } = splitHostPath(artifactName);
  const id = encodeURIComponent(segments.join('/'));
  return `${host}/api/v4/projects/${id}`;
}

function releasesPath(artifactName: string): string {
  return `${apiPath(artifactName)}/releases?per_page=100&order_by=released_at&sort=desc`;
}

/**
 * Returns the URL of the next page. Only the query of `Link` is used, because `Link` contains the external
 * URL of the server, which is often wrong behind a proxy.
 */
function nextUrl(answer: SourceResponse): string | null {
  const next = new URL(answer.url);
  const link = nextLink(answer);
  if (link !== null && URL.canParse(link, answer.url)) {
    next.search = new URL(link, answer.url).search;
    return next.href;
  }
  const page = answer.headers['x-next-page'] ?? '';
  if (!/^\d{1,9}$/u.test(page)) return null;
  next.searchParams.set('page', page);
  return next.href;
}
