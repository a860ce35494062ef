import { isSameVersion } from '../versions/match-release.ts';
import type { VersionScheme } from '../versions/version-scheme.ts';

/** True if the versions differ in more than spelling. `null` means that no version is known. */
export function isOtherVersion(scheme: VersionScheme, before: string | null, after: string | null): boolean {
  if (before === after) return false;
  if (before === null || after === null) return true;
  const a = scheme.parse(before);
  const b = scheme.parse(after);
  return a === null || b === null || !isSameVersion(scheme, a, b);
}

/** True if `after` is higher than `before`. Returns `false` if the two can't be compared. */
export function isUpgrade(scheme: VersionScheme, before: string, after: string): boolean {
  const a = scheme.parse(before);
  const b = scheme.parse(after);
  return a !== null && b !== null && scheme.compare(b, a) > 0;
}
