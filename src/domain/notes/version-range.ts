import { withEpochOf } from '../rules/find-deployed.ts';
import { lineAndVariantOf } from '../versions/match-release.ts';
import type { Version, VersionScheme } from '../versions/version-scheme.ts';

/** The releases after one version, up to and including another, as the order of stored keys has them. */
export interface VersionRange {
  /** The version after which releases count. `null`: from the first one. */
  readonly from: Version | null;
  readonly to: Version;
  /** Of `to`, whose releases it goes through. */
  readonly lineAndVariant: string;
  /** The lowest key, which is of `from` itself: its release names the tag of a comparison. */
  readonly lowestKey: string;
  /** Above all keys. */
  readonly endKey: string;
}

/** Keys are printable ASCII, so this follows all that begin with a rank. */
const afterKeys = '\u007f';

/** @returns `null` if one of them isn't a version, or `from` isn't below `to`. */
export function versionRange(scheme: VersionScheme, from: string | null, to: string): VersionRange | null {
  const end = scheme.parse(to);
  if (end === null) return null;
  const parsed = from === null ? null : scheme.parse(from);
  if (from !== null && parsed === null) return null;
  const start = parsed === null ? null : withEpochOf(parsed, end);
  if (start !== null && scheme.compare(start, end) >= 0) return null;
  return {
    from: start,
    to: end,
    lineAndVariant: lineAndVariantOf(end),
    lowestKey: start?.rank ?? '',
    endKey: end.rank + afterKeys,
  };
}

/** Where the keys of all releases of a rank are. */
export function keysOfRank(rank: string): { lowestKey: string; endKey: string } {
  return { lowestKey: rank, endKey: rank + afterKeys };
}

/**
 * The first number that went up from one version to the next, if such a step can break what uses it: the first, or below
 * 1.0 the second. Years aren't steps.
 */
export function breakingStep(before: Version, after: Version): 'major' | 'minor' | null {
  const [majorBefore = 0, minorBefore = 0] = before.numbers;
  const [major = 0, minor = 0] = after.numbers;
  if (before.isDate || after.isDate || major >= 1970) return null;
  if (major > majorBefore) return 'major';
  return major === majorBefore && Number(major) === 0 && minor > minorBefore ? 'minor' : null;
}
