import { lineAndVariantOf } from '../versions/match-release.ts';
import { numbersOfRank } from '../versions/precedence.ts';
import type { Version } from '../versions/version-scheme.ts';
import type { ComparableRelease, ReleaseSet } from './release-set.ts';
import { dayMs } from './stored-lag.ts';

/**
 * Finds the highest release that continues a version whose variant has ended. Another variant or line
 * continues the version if it meets three conditions: it has a release with the same numbers, it has higher
 * versions, and it has a release that is more than a year newer than the last one of the version's variant.
 *
 * If no variant meets these conditions, the project may have changed or dropped a prefix. So a line with
 * another name also continues the version, even without a release with the same numbers. The first release of
 * that line must be higher than the version, and within a year of the last release of the version's variant.
 * If several such lines exist, none of them is used. Only release dates from the source are compared.
 *
 * @param isCounted Returns `true` if a release can be the result.
 */
export function findSuccessor(
  set: ReleaseSet,
  version: Version,
  isCounted: (release: ComparableRelease) => boolean,
): ComparableRelease | null {
  const own = lineAndVariantOf(version);
  const numbers = numbersOfRank(version.rank);
  const variants = new Map<string, Variant>();
  for (const release of set.comparable) {
    const key = lineAndVariantOf(release.version);
    let variant = variants.get(key);
    if (variant === undefined) {
      variant = { newestMs: -Infinity, hasNumbers: false, highest: null, first: null };
      variants.set(key, variant);
    }
    if (release.dateSource === 'released_at') {
      variant.newestMs = Math.max(variant.newestMs, release.dateMs);
      if (variant.first === null || release.dateMs <= variant.first.dateMs) variant.first = release;
    }
    if (numbersOfRank(release.version.rank) === numbers) variant.hasNumbers = true;
    if (variant.highest === null && isCounted(release)) variant.highest = release;
  }
  const endedMs = variants.get(own)?.newestMs ?? -Infinity;
  if (endedMs === -Infinity) return null;
  let successor: ComparableRelease | null = null;
  const renamed: ComparableRelease[] = [];
  for (const [key, { newestMs, hasNumbers, highest, first }] of variants) {
    if (key === own || highest === null || newestMs <= endedMs + yearMs) continue;
    if (set.scheme.compare(highest.version, version) <= 0) continue;
    if (!hasNumbers) {
      if (first !== null && isRenamed(set, version, first, endedMs)) renamed.push(highest);
    } else if (successor === null || set.scheme.compare(highest.version, successor.version) > 0) {
      successor = highest;
    }
  }
  return successor ?? (renamed.length === 1 ? (renamed[0] ?? null) : null);
}

/** True if the line that begins with `first` can be the line of `version` under another name. */
function isRenamed(set: ReleaseSet, version: Version, first: ComparableRelease, endedMs: number): boolean {
  const { line, variant } = first.version;
  const isOtherName = line !== version.line && variant === version.variant;
  return (
    isOtherName &&
    Math.abs(first.dateMs - endedMs) <= yearMs &&
    set.scheme.compare(first.version, version) > 0
  );
}

interface Variant {
  newestMs: number;
  hasNumbers: boolean;
  highest: ComparableRelease | null;
  /** The earliest release. */
  first: ComparableRelease | null;
}

const yearMs = 365 * dayMs;
