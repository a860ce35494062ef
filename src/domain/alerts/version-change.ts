import { isSameVersion } from '../versions/match-release.ts';
import type { VersionScheme } from '../versions/version-scheme.ts';

/** Another version, not only another spelling of the same. `null`: none is known. */
export function isOtherVersion(scheme: VersionScheme, before: string | null, after: string | null): boolean {
  if (before === after) return false;
  if (before === null || after === null) return true;
  const a = scheme.parse(before);
  const b = scheme.parse(after);
  return a === null || b === null || !isSameVersion(scheme, a, b);
}

/** Whether `after` is above `before`; what cannot be compared is no step forward. */
export function isStepForward(scheme: VersionScheme, before: string, after: string): boolean {
  const a = scheme.parse(before);
  const b = scheme.parse(after);
  return a !== null && b !== null && scheme.compare(b, a) > 0;
}
