import type { CountedVersion } from './candidates.ts';
import type { ComparableRelease, Release, ReleaseSet } from './release-set.ts';
import { resolveDeployed } from './resolve-deployed.ts';

/**
 * Outliers that an alert configuration treats as ordinary releases, each with the time from which the
 * configuration does so.
 */
export type CountedOutliers = ReadonlyMap<Release, number>;

const noOutliers: CountedOutliers = new Map();

export function countedOutliers(set: ReleaseSet, listed: readonly CountedVersion[]): CountedOutliers {
  if (listed.length === 0) return noOutliers;
  const counted = new Map<Release, number>();
  for (const { version: text, sinceMs } of listed) {
    const { version } = resolveDeployed(text, set);
    if (version === null) continue;
    for (const release of set.sameAs(version)) {
      // Skip releases that aren't outliers anymore, because their actual date applies.
      if (!set.lines.get(version.line)?.isOutlier(release)) continue;
      counted.set(release, Math.min(sinceMs, counted.get(release) ?? Infinity));
    }
  }
  return counted;
}

/**
 * Replaces the date of each counted outlier with the time from which the configuration counts it, minus
 * `minAgeMs`. Before that time, no deployed version was considered behind the outlier. An outlier that was
 * released after that time keeps its date.
 */
export function withCountedDates(
  releases: readonly ComparableRelease[],
  counted: CountedOutliers,
  minAgeMs = 0,
): readonly ComparableRelease[] {
  if (counted.size === 0) return releases;
  return releases.map((release) => {
    const sinceMs = (counted.get(release) ?? -Infinity) - minAgeMs;
    return sinceMs <= release.dateMs ? release : { ...release, dateMs: sinceMs, dateSource: 'counted_at' };
  });
}
