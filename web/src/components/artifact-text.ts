import { scrapeJobOf } from '../../../src/domain/source-types/deployed-versions-source-type.ts';

/** The name of an artifact as people know it: a source that follows a version tracker names its ID. */
export function artifactText(artifactName: string): string {
  const id = scrapeJobOf(artifactName);
  return id === null ? artifactName : `version tracker ${id}`;
}
