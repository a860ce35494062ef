import { createHash } from 'node:crypto';
import type { SourceResponse } from '../sources/source-http.ts';

export interface ArchiveListing {
  /** Records by package. Packages without records have an empty list. */
  readonly records: ReadonlyMap<string, { readonly id: string; readonly modified: string }[]>;
  /** IDs of the records that can't be read. The packages that they affect aren't known. */
  readonly unreadable: ReadonlySet<string>;
}

interface KnownArchive {
  readonly validators: SourceResponse['validators'];
  /** Identifies the packages that the listing contains. */
  readonly fingerprint: string;
  readonly listing: ArchiveListing;
}

/** Maximum number of records in one remembered listing, at about 100 bytes each. */
const maxRecords = 100_000;
/** Maximum number of remembered archives: OSV has about fifty ecosystems. */
const maxArchives = 64;

/**
 * Creates a cache of the listings of archives, so that an agent downloads an archive again only if the
 * archive or the set of followed packages has changed. The cache is in memory only, so the first request
 * after a restart is unconditional.
 */
export function createOsvArchiveCache() {
  const archives = new Map<string, KnownArchive>();
  return {
    find(url: string, packages: readonly string[]): KnownArchive | null {
      const known = archives.get(url);
      return known?.fingerprint === fingerprintOf(packages) ? known : null;
    },
    keep(
      url: string,
      packages: readonly string[],
      { validators }: Pick<SourceResponse, 'validators'>,
      listing: ArchiveListing,
    ): void {
      archives.delete(url);
      const { records, unreadable } = listing;
      const count = [...records.values()].reduce((sum, { length }) => sum + length, unreadable.size);
      if (validators === null || count > maxRecords) return;
      archives.set(url, { validators, fingerprint: fingerprintOf(packages), listing });
      const [oldest] = archives.keys();
      if (archives.size > maxArchives && oldest !== undefined) archives.delete(oldest);
    },
  };
}

export type OsvArchiveCache = ReturnType<typeof createOsvArchiveCache>;

function fingerprintOf(packages: readonly string[]): string {
  return createHash('sha256').update(JSON.stringify(packages.toSorted())).digest('base64url');
}
