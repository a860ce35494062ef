import { splitHostPath } from '../domain/artifacts/host-path.ts';
import { linkHeader, nextLink } from './link-header.ts';
import { gatherPages, type PagePosition } from './paged-releases.ts';
import type { ReleaseSource } from './release-source.ts';
import type { SourceResponse } from './source-http.ts';

const pageSize = 100;

/** Reads releases from GitHub (`github.com`) and GitHub Enterprise Server (any other host). */
export const githubReleases: ReleaseSource = {
  sourceType: 'github_releases',

  sharedRequestKey: ({ artifactName }) => `github_releases ${apiPath(artifactName)}/releases`,

  gather(request, context) {
    const { host, segments } = splitHostPath(request.artifactName);
    const repository = segments.join('/');
    const repositoryUrl = `${context.http.schemeFor(host)}://${apiPath(request.artifactName)}`;
    const api = `${repositoryUrl}/releases`;
    return gatherPages(request, context, {
      pageUrl: (size, page) => `${api}?per_page=${size}${page === 1 ? '' : `&page=${page}`}`,
      pageSize,
      what: `the repository ${repository}`,
      repositoryUrl,
      tagsUrl: `${repositoryUrl}/tags?per_page=${pageSize}`,
      accept: 'application/vnd.github+json',
      headers: { 'x-github-api-version': '2022-11-28' },
      platform: 'github',
      nextUrl: nextGithubPage,
      entryUrl,
      emptyWarning: `The repository ${repository} has no releases. If it only uses tags, use source type git_tags.`,
    });
  },
};

/**
 * Returns the URL of the next page. If the `Link` header is missing, either the list has only one page or a
 * proxy dropped the header. Another page can therefore follow a full page.
 */
export function nextGithubPage(
  answer: SourceResponse,
  { count, size }: PagePosition,
): string | null | undefined {
  if (linkHeader(answer) !== undefined) return nextLink(answer);
  return count >= size ? undefined : null;
}

function entryUrl(answer: SourceResponse, position: number): string {
  const url = new URL(answer.url);
  url.searchParams.set('per_page', '1');
  url.searchParams.set('page', String(position));
  return url.href;
}

function apiPath(artifactName: string): string {
  const { host, segments } = splitHostPath(artifactName);
  const api = host === 'github.com' ? 'api.github.com' : `${host}/api/v3`;
  return `${api}/repos/${segments.map(encodeURIComponent).join('/')}`;
}
