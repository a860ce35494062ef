import { catalogue } from '../../domain/catalog/catalogue.ts';
import type { CatalogueEntry } from '../../domain/catalog/catalogue-entry.ts';
import { derivePurls } from '../../domain/identity/job-identity.ts';

/**
 * Returns the keys that connect jobs to matching catalog entries. The keys are package URLs, or the source
 * type and artifact name, because not every source has package URLs.
 */
export function catalogKeys(matches: (entry: CatalogueEntry) => boolean): string[] {
  return [...new Set(catalogue.filter(matches).flatMap(keysOfEntry))].toSorted();
}

export function keysOfEntry(entry: CatalogueEntry): string[] {
  const purls = derivePurls(entry);
  return purls.length > 0 ? purls : [`${entry.source_type} ${entry.artifact_name}`];
}
