import { type CandidateOptions, type Candidates, selectCandidates } from '../rules/candidates.ts';
import type { ComparableRelease, Release, ReleaseSet } from '../rules/release-set.ts';
import { resolveDeployed } from '../rules/resolve-deployed.ts';
import { majorsBehind } from '../rules/types/majors-behind.ts';

/**
 * Options that are taken from the alert configuration that compares the version. The other options are fixed:
 * only stable releases count, regardless of their age.
 */
export type FreshnessOptions = Pick<
  CandidateOptions,
  'candidatePattern' | 'ignoredVersions' | 'countedVersions'
>;

/** Lag of a deployed version. The figures stay the same until the version or the releases change. */
export interface FreshnessFigures {
  /** The highest stable release among the candidates, or the version itself if none is newer. */
  readonly latestVersion: string | null;
  /**
   * Time from the date of the deployed release to the date of the latest release. `null` if either date is
   * unknown.
   */
  readonly lagMs: number | null;
  /** Time when the first newer release was published. `null` if no release is newer. */
  readonly exposedSinceMs: number | null;
  /** Number of newer major versions. `null` if versions can be compared only by date. */
  readonly majors: number | null;
  readonly minors: number | null;
  /** Number of distinct newer versions. */
  readonly releases: number | null;
  /**
   * True if a date is the one when Pacekeeper first saw the release, or the date of the closest earlier
   * release.
   */
  readonly isEstimate: boolean;
  /** True if newer releases may be missing from the list, so the version can be further behind. */
  readonly isLowerBound: boolean;
}

/**
 * Measures the lag of a deployed version.
 *
 * @param isDoubted True if newer releases may be missing from the list. In this case, the list can prove that
 * a version is behind, but not that it's up to date.
 * @returns The figures. `null` if the version can't be compared with the releases, or if a list that may be
 * incomplete contains nothing newer.
 */
export function measureFreshness(
  set: ReleaseSet,
  options: FreshnessOptions,
  deployedVersion: string,
  isDoubted = false,
): FreshnessFigures | null {
  const figures = measure(set, options, deployedVersion);
  if (figures === null || !isDoubted) return figures;
  return figures.exposedSinceMs === null ? null : { ...figures, isEstimate: true, isLowerBound: true };
}

function measure(
  set: ReleaseSet,
  options: FreshnessOptions,
  deployedVersion: string,
): FreshnessFigures | null {
  if (set.size === 0) return null;
  const deployed = resolveDeployed(deployedVersion, set, options.candidatePattern);
  // Releases of any age are candidates, so time alone doesn't change the candidates.
  const candidates = selectCandidates(
    set,
    { ...options, stableOnly: true, minReleaseAgeDays: 0 },
    deployed,
    0,
  );
  const { version, release } = deployed;
  if (version === null) return release === null ? null : byDate(release, candidates);
  // Upstream no longer uses the numbering of this version: later releases have lower numbers, so only dates
  // can be compared.
  if (release !== null && candidates.numberingAfter(version) !== null) return byDate(release, candidates);
  return byVersion(set, version, release, candidates);
}

function byVersion(
  set: ReleaseSet,
  version: ComparableRelease['version'],
  own: Release | null,
  candidates: Candidates,
): FreshnessFigures {
  const { newer } = candidates;
  const firstNewer = newer.firstReleased(version);
  const latest = candidates.latestStable;
  if (firstNewer === null || latest === null) return upToDate(version.text);
  const dated = own ?? set.nearestBelow(version);
  const majors = majorsBehind.measure({
    rule: majorsRule,
    deployed: version,
    deployedRelease: own,
    candidates,
    set,
  });
  return {
    latestVersion: latest.text,
    lagMs: dated === null ? null : Math.max(0, firstDateOf(latest, candidates) - dated.dateMs),
    exposedSinceMs: firstNewer.dateMs,
    majors: majors.kind === 'count' ? majors.behindBy : 0,
    minors: newer.countMinors(version),
    releases: newer.countVersions(version),
    isEstimate: own === null || [own, latest, firstNewer].some(isFirstSeen),
    isLowerBound: false,
  };
}

/**
 * Returns the date when the version was first published. Republishing the version under another spelling
 * doesn't change the date.
 */
function firstDateOf({ version, dateMs }: Release, { comparable }: Candidates): number {
  let first = dateMs;
  for (const other of comparable) {
    if (version === null || other.version.rank < version.rank) break;
    if (other.version.rank === version.rank) first = Math.min(first, other.dateMs);
  }
  return first;
}

/** Measures by date only. Rolling tags and platform tags can be compared only by date. */
function byDate(own: Release, candidates: Candidates): FreshnessFigures {
  const firstNewer = candidates.firstReleasedAfter(own.dateMs);
  if (firstNewer === null) return { ...upToDate(own.text), majors: null, minors: null, releases: null };
  const latest = newestOf(candidates, firstNewer);
  return {
    latestVersion: latest.text,
    lagMs: latest.dateMs - own.dateMs,
    exposedSinceMs: firstNewer.dateMs,
    majors: null,
    minors: null,
    releases: null,
    isEstimate: [own, latest, firstNewer].some(isFirstSeen),
    isLowerBound: false,
  };
}

function newestOf({ comparable, incomparable }: Candidates, first: Release): Release {
  let newest = first;
  for (const release of [...comparable, ...incomparable])
    if (release.dateMs > newest.dateMs) newest = release;
  return newest;
}

function upToDate(version: string): FreshnessFigures {
  return {
    latestVersion: version,
    lagMs: 0,
    exposedSinceMs: null,
    majors: 0,
    minors: 0,
    releases: 0,
    isEstimate: false,
    isLowerBound: false,
  };
}

function isFirstSeen({ dateSource }: Release): boolean {
  return dateSource !== 'released_at';
}

const majorsRule = {
  type: 'majors_behind',
  thresholds: { moderate: 1 },
  stableOnly: true,
  daysBasis: null,
  minReleaseAgeDays: 0,
} as const;
