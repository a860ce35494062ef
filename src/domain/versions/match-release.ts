import { compareKeys } from './precedence.ts';
import type { Version, VersionScheme } from './version-scheme.ts';

/** The same version of the same line and flavor, however each is spelled: `v1.2.3` and `1.2.3.Final` are, `1.2.3-alpine` is not. */
export function isSameVersion(scheme: VersionScheme, a: Version, b: Version): boolean {
  return a.line === b.line && a.flavor === b.flavor && scheme.compare(a, b) === 0;
}

/** By key: an order for lists, in which only equal strings are equal. */
export function compareForListing(scheme: VersionScheme, a: Version, b: Version): number {
  return scheme.compare(a, b) || compareKeys(scheme.sortKey(a), scheme.sortKey(b));
}

/**
 * What a release is kept with when only so many are kept: the others of its line and flavor. One text, because nothing
 * else is asked of it than whether two are equal.
 */
export function variantOf(version: Version): string {
  return version.line === '' ? version.flavor : `${version.line}/${version.flavor}`;
}
