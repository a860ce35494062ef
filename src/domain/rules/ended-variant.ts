import { lineAndVariantOf } from '../versions/match-release.ts';
import { numbersOfRank } from '../versions/precedence.ts';
import type { Version } from '../versions/version-scheme.ts';
import { dayMs } from './behind-days.ts';
import type { ComparableRelease, ReleaseSet } from './release-set.ts';

/**
 * Finds the release that continues a version whose variant has ended. A variant has ended if another variant
 * or line also has the version's numbers, has higher versions, and has a release that is more than a year
 * newer. Only release dates from the source are compared. If several releases qualify, the highest one is
 * returned.
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
      variant = { newestMs: -Infinity, hasNumbers: false, highest: null };
      variants.set(key, variant);
    }
    if (release.dateSource === 'released_at') variant.newestMs = Math.max(variant.newestMs, release.dateMs);
    if (numbersOfRank(release.version.rank) === numbers) variant.hasNumbers = true;
    if (variant.highest === null && isCounted(release)) variant.highest = release;
  }
  const endedMs = variants.get(own)?.newestMs ?? -Infinity;
  if (endedMs === -Infinity) return null;
  let successor: ComparableRelease | null = null;
  for (const [key, { newestMs, hasNumbers, highest }] of variants) {
    if (key === own || !hasNumbers || highest === null || newestMs <= endedMs + yearMs) continue;
    if (set.scheme.compare(highest.version, version) <= 0) continue;
    if (successor === null || set.scheme.compare(highest.version, successor.version) > 0) successor = highest;
  }
  return successor;
}

interface Variant {
  newestMs: number;
  hasNumbers: boolean;
  highest: ComparableRelease | null;
}

const yearMs = 365 * dayMs;
