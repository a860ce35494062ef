import type { Version, VersionScheme } from './version-scheme.ts';

/**
 * True if two versions have the same line, variant, and rank: `v1.2.3` and `1.2.3.Final` are the same
 * version, but `1.2.3-alpine` is a different one.
 */
export function isSameVersion(scheme: VersionScheme, a: Version, b: Version): boolean {
  return a.line === b.line && a.variant === b.variant && scheme.compare(a, b) === 0;
}

/**
 * Returns the line and variant as one string for comparisons. The limit on the number of stored releases
 * applies to each combination separately.
 */
export function lineAndVariantOf(version: Version): string {
  return version.line === '' ? version.variant : `${version.line}/${version.variant}`;
}
