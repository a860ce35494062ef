import { scrapeJobOf } from '../../../src/domain/source-types/deployed-versions-source-type.ts';

/**
 * Returns the display name of an artifact. The artifact name of a source that follows a version tracker
 * contains only the tracker's ID.
 */
export function artifactText(artifactName: string): string {
  const id = scrapeJobOf(artifactName);
  return id === null ? artifactName : `version tracker ${id}`;
}
