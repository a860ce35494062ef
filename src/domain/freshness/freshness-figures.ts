import { type CandidateOptions, type Candidates, selectCandidates } from '../rules/candidates.ts';
import { type DeployedInLine, findDeployed } from '../rules/find-deployed.ts';
import type { ComparableRelease, Release, ReleaseSet } from '../rules/release-set.ts';
import { majorsBehind } from '../rules/types/majors-behind.ts';

/** Of the alert configuration that compares. Only stable releases of any age count. */
export type FreshnessOptions = Pick<
  CandidateOptions,
  'candidatePattern' | 'ignoredVersions' | 'countedVersions'
>;

/** How far a deployed version is behind, as long as neither it nor the releases change. */
export interface FreshnessFigures {
  /** The highest stable release that counts, or the version itself if none is newer. */
  readonly latestVersion: string | null;
  /** From the date of the deployed release to that of the latest one. `null` if either is unknown. */
  readonly lagMs: number | null;
  /** When the first newer release came out. `null` if there is none. */
  readonly exposedSinceMs: number | null;
  /** `null` if versions can only be compared by date. */
  readonly majors: number | null;
  readonly minors: number | null;
  /** Distinct newer versions. */
  readonly releases: number | null;
  /** A date is the one on which Pacekeeper first saw the release, or that of the closest earlier release. */
  readonly isEstimate: boolean;
}

/** @returns `null` if the version can't be compared with the releases. */
export function measureFreshness(
  set: ReleaseSet,
  options: FreshnessOptions,
  deployedVersion: string,
): FreshnessFigures | null {
  if (set.size === 0) return null;
  const deployed = findDeployed(set, deployedVersion, options.candidatePattern);
  // Any age counts, so time alone changes no candidate.
  const candidates = selectCandidates(
    set,
    { ...options, stableOnly: true, minReleaseAgeDays: 0 },
    deployed,
    0,
  );
  const exact = set.withText(deployedVersion);
  if (deployed.version === null) return exact === null ? null : byDate(exact, candidates);
  return byVersion(set, deployed as DeployedVersion, exact, candidates);
}

type DeployedVersion = DeployedInLine & { readonly version: ComparableRelease['version'] };

function byVersion(
  set: ReleaseSet,
  { version, movesTo }: DeployedVersion,
  exact: Release | null,
  candidates: Candidates,
): FreshnessFigures {
  const { newer } = candidates;
  const firstNewer = newer.firstReleased(version);
  const latest = candidates.latestStable;
  if (firstNewer === null || latest === null) return upToDate(version.text);
  const own = movesTo ?? exact ?? set.sameAs(version)[0] ?? null;
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
  };
}

/** When the version was first published. Publishing it again under another spelling changes nothing. */
function firstDateOf({ version, dateMs }: Release, { comparable }: Candidates): number {
  let first = dateMs;
  for (const other of comparable) {
    if (version === null || other.version.rank < version.rank) break;
    if (other.version.rank === version.rank) first = Math.min(first, other.dateMs);
  }
  return first;
}

/** Both a rolling tag and a platform tag have only a date. */
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
