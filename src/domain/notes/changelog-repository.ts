import { splitHostPath } from '../artifacts/host-path.ts';
import type { SourceTypeId } from '../source-types/source-types.ts';

/**
 * Returns the Git repository whose changelog a gather job can read, or `null` if the source of the job isn't
 * a repository.
 *
 * @param schemeFor Returns the scheme for requests to a host.
 */
export function changelogRepository(
  sourceType: SourceTypeId,
  artifactName: string,
  schemeFor: (host: string) => 'http' | 'https' = () => 'https',
): string | null {
  switch (sourceType) {
    case 'github_releases':
    case 'gitlab_releases':
    case 'gitea_releases':
      return `${schemeFor(splitHostPath(artifactName).host)}://${artifactName}`;
    case 'git_tags':
      return artifactName;
    default:
      return null;
  }
}
