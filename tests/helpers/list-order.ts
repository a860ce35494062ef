import { compareKeys } from '../../src/domain/versions/precedence.ts';
import type { Version, VersionScheme } from '../../src/domain/versions/version-scheme.ts';

/**
 * Compares versions in list order, which the database gets from sort keys: by rank, then by key. Only equal
 * strings are equal.
 */
export function compareForListing(scheme: VersionScheme, a: Version, b: Version): number {
  return scheme.compare(a, b) || compareKeys(scheme.sortKey(a), scheme.sortKey(b));
}
