import { forgeOfHost } from '../artifacts/forges.ts';
import type { SourceTypeId } from '../source-types/source-types.ts';
import { withoutTrailing } from '../text/trailing.ts';

/** The website that shows the code of a gather job's artifact. */
export interface RepositoryPage {
  readonly url: string;
  /** Path for comparing two tags. */
  readonly comparePath: '/compare/' | '/-/compare/';
}

/**
 * @returns The page, or `null` if the artifact isn't a repository or the page format of its host is unknown.
 */
export function repositoryPage(sourceType: SourceTypeId, artifactName: string): RepositoryPage | null {
  switch (sourceType) {
    case 'github_releases':
    case 'gitea_releases':
      return pageOf(`https://${artifactName}`, '/compare/');
    case 'gitlab_releases':
      return pageOf(`https://${artifactName}`, '/-/compare/');
    case 'git_tags': {
      if (!/^https?:/i.test(artifactName) || !URL.canParse(artifactName)) return null;
      const forge = forgeOfHost(new URL(artifactName).hostname);
      if (forge === null) return null;
      return pageOf(artifactName, forge === 'gitlab' ? '/-/compare/' : '/compare/');
    }
    default:
      return null;
  }
}

function pageOf(address: string, comparePath: RepositoryPage['comparePath']): RepositoryPage | null {
  if (!URL.canParse(address)) return null;
  const { protocol, host, pathname } = new URL(address);
  if (protocol !== 'https:' && protocol !== 'http:') return null;
  return { url: `${protocol}//${host}${withoutTrailing(pathname, '/').replace(/\.git$/, '')}`, comparePath };
}

/** Returns the URL of the forge's comparison of two tags. */
export function compareUrl(
  { url, comparePath }: RepositoryPage,
  fromTag: string,
  toTag: string,
): string | null {
  // Three dots separate the tags, so the URL could be split in the wrong place if a tag contained two dots in
  // a row. Git doesn't allow such tags, so no valid tag is excluded.
  if (fromTag.includes('..') || toTag.includes('..')) return null;
  const compared = `${url}${comparePath}${encodeURIComponent(fromTag)}...${encodeURIComponent(toTag)}`;
  return compared.length <= 2_000 ? compared : null;
}
