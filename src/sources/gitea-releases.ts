import { normalizeGiteaName } from '../domain/artifacts/forge-names.ts';
import { splitHostPath } from '../domain/artifacts/host-path.ts';
import { gatherPages, nextLink } from './paged-releases.ts';
import type { ReleaseSource } from './release-source.ts';
import type { SourceAnswer } from './source-http.ts';
import { unknownOptions } from './unknown-options.ts';

/** Servers give 50 at most unless their owner says otherwise. */
const pageSize = 50;

/** Releases of Gitea and of Forgejo, such as `codeberg.org`. */
export const giteaReleases: ReleaseSource = {
  sourceType: 'gitea_releases',
  defaultVersionScheme: 'auto',

  normalizeArtifactName: normalizeGiteaName,

  checkOptions: (sourceOptions) => unknownOptions(sourceOptions, [], 'gitea_releases'),

  sharedRequestKey: ({ artifactName }) => `gitea_releases ${apiPath(artifactName)}`,

  gather(request, context) {
    const { host, segments } = splitHostPath(request.artifactName);
    const repository = segments.join('/');
    const path = apiPath(request.artifactName);
    return gatherPages(request, context, {
      firstUrl: `${context.http.schemeFor(host)}://${path}&page=1`,
      what: `the repository ${repository}`,
      accept: 'application/json',
      platform: 'github',
      nextUrl,
      emptyWarning: `The repository ${repository} has no releases. If it only uses tags, use source type git_tags.`,
    });
  },
};

function apiPath(artifactName: string): string {
  const { host, segments } = splitHostPath(artifactName);
  return `${host}/api/v1/repos/${segments.map(encodeURIComponent).join('/')}/releases?limit=${pageSize}`;
}

/**
 * `Link` holds the address that the server believes to have, which behind a proxy is often wrong. So only
 * whether there is a next page is taken from it, and the address is our own.
 */
function nextUrl(answer: SourceAnswer, page: number, count: number): string | null {
  if (count === 0) return null;
  const total = Number(answer.headers['x-total-count'] ?? Number.NaN);
  const hasNext =
    nextLink(answer) !== null || (answer.headers['link'] === undefined && total > page * pageSize);
  if (!hasNext) return null;
  const next = new URL(answer.url);
  next.searchParams.set('page', String(page + 1));
  return next.href;
}
