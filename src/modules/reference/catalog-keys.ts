import { catalog } from '../../domain/catalog/catalog.ts';
import type { CatalogEntry } from '../../domain/catalog/catalog-entry.ts';
import { type KnownSoftware, knownSoftware } from '../../domain/catalog/software.ts';
import { derivePurls } from '../../domain/identity/job-identity.ts';

/**
 * Returns the keys that connect jobs to matching catalog entries and known software. The keys are package URLs, or the source
 * type and artifact name, because not every source has package URLs.
 */
export function catalogKeys(matches: (entry: CatalogEntry | KnownSoftware) => boolean): string[] {
  const keys = [
    ...catalog.filter(matches).flatMap(keysOfEntry),
    ...knownSoftware.filter(matches).flatMap(({ purls }) => purls),
  ];
  return [...new Set(keys)].toSorted();
}

export function keysOfEntry(entry: CatalogEntry): string[] {
  const purls = derivePurls(entry);
  return purls.length > 0 ? purls : [`${entry.source_type} ${entry.artifact_name}`];
}
