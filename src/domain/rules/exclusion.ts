import type { Version } from '../versions/version-scheme.ts';
import type { CandidateOptions } from './candidates.ts';
import type { CountedOutliers } from './counted-outliers.ts';
import type { LeftOutReason } from './left-out.ts';
import type { Release, ReleaseSet } from './release-set.ts';
import { resolveDeployed } from './resolve-deployed.ts';

/**
 * Returns the reason why a release is excluded, or `null` if it isn't. Variant, age, and withdrawal are
 * checked separately.
 */
export type Exclusion = (release: Release) => LeftOutReason | null;

export function createReleaseExclusion(
  set: ReleaseSet,
  options: CandidateOptions,
  deployed: Version | null,
  counted: CountedOutliers,
): Exclusion {
  const { stableOnly, candidatePattern, ignoredVersions } = options;
  const isIgnored = createIgnoredReleaseMatcher(set, ignoredVersions);
  const exclusion: Exclusion = (release) => {
    if (release.isYanked) return 'yanked';
    if (stableOnly && release.isPrerelease) return 'prerelease';
    if (isIgnored !== null && isIgnored(release)) return 'ignored';
    if (candidatePattern !== null && !candidatePattern.matches(release.text)) return 'candidate_pattern';
    return null;
  };
  // Fast path, because most jobs have neither moving tags nor outliers.
  if (![...set.lines.values()].some((line) => line.hasMovingTags || line.hasOutliers)) return exclusion;
  return (release) => {
    const line = release.version === null ? undefined : set.lines.get(release.version.line);
    if (line?.isMoving(release)) return 'moving_tag';
    const reason = exclusion(release);
    if (reason !== null) return reason;
    if (!line?.isOutlier(release) || counted.has(release)) return null;
    return release.version?.rank === deployed?.rank ? null : 'outlier';
  };
}

/**
 * Returns a function that detects releases listed in `texts` in any spelling, or `null` if no release is
 * listed.
 */
export function createIgnoredReleaseMatcher(
  set: ReleaseSet,
  texts: readonly string[],
): ((release: Release) => boolean) | null {
  if (texts.length === 0) return null;
  const ignored = new Set<Release>();
  for (const text of texts) {
    const { version } = resolveDeployed(text, set);
    if (version !== null) for (const release of set.sameAs(version)) ignored.add(release);
  }
  if (ignored.size === 0 && texts.every((text) => set.withText(text) === null)) return null;
  return (release) => ignored.has(release) || texts.includes(release.text);
}
