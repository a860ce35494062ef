import { withEpochOf } from '../rules/resolve-deployed.ts';
import { lineAndVariantOf } from '../versions/match-release.ts';
import type { Version, VersionScheme } from '../versions/version-scheme.ts';

/** Range of releases after one version, up to and including another, in the order of the stored keys. */
export interface VersionRange {
  /** Exclusive start of the range. `null` means that the range starts at the first release. */
  readonly from: Version | null;
  readonly to: Version;
  /** Line and variant of `to`. The range contains only their releases. */
  readonly lineAndVariant: string;
  /**
   * Lowest key of the range. This is the key of `from` itself, because a comparison needs the tag of that
   * release.
   */
  readonly lowestKey: string;
  /** Upper bound, greater than every key in the range. */
  readonly endKey: string;
}

/** Suffix that sorts after all keys with the same rank, because keys are printable ASCII. */
const afterKeys = '\u007f';

/** @returns `null` if `from` or `to` isn't a version, or if `from` isn't lower than `to`. */
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

/** Returns the bounds of the keys of all releases with this rank. */
export function keyRangeOfRank(rank: string): { lowestKey: string; endKey: string } {
  return { lowestKey: rank, endKey: rank + afterKeys };
}

/**
 * Returns the increased part of a version that indicates breaking changes: the major number, or the minor
 * number below 1.0. Returns `null` if neither increased, or if the major number is a year.
 */
export function breakingStep(before: Version, after: Version): 'major' | 'minor' | null {
  const [majorBefore = 0, minorBefore = 0] = before.numbers;
  const [major = 0, minor = 0] = after.numbers;
  if (before.isDate || after.isDate || major >= 1970) return null;
  if (major > majorBefore) return 'major';
  return major === majorBefore && Number(major) === 0 && minor > minorBefore ? 'minor' : null;
}
