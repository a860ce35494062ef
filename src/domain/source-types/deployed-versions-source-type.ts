import type { SourceType } from './source-type.ts';

/**
 * Source type for another environment as upstream. The releases are the versions that a scrape job reported, so no
 * agent collects them.
 */
export const deployedVersionsSourceType: SourceType = {
  label: 'Another environment',
  about: 'Versions that another version tracker has reported, such as those of staging.',
  shape: 'scrape-job / ID',
  example: 'scrape-job/42',
  defaultVersionScheme: 'auto',
  isImage: false,
  needsGit: false,
  options: [],
  normalizeArtifactName(text) {
    const artifactName = text.trim();
    return scrapeJobOf(artifactName) === null
      ? { ok: false, message: 'must be scrape-job/ and the ID of a scrape job, such as scrape-job/42' }
      : { ok: true, artifactName };
  },
  recognize: () => null,
  purlOf: () => null,
};

export function artifactOfScrapeJob(id: number): string {
  return `scrape-job/${id}`;
}

/** Returns the ID of the scrape job from an artifact name, or `null` for any other text. */
export function scrapeJobOf(artifactName: string): number | null {
  const id = /^scrape-job\/([1-9]\d{0,14})$/.exec(artifactName)?.[1];
  return id === undefined ? null : Number(id);
}
