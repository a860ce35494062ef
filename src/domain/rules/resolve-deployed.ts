import { epochOfRank, numbersOfRank, withEpoch } from '../versions/precedence.ts';
import type { Version } from '../versions/version-scheme.ts';
import { canBeCommit } from '../versions/without-commits.ts';
import type { CandidatePattern } from './candidates.ts';
import { mostFrequent } from './own-latest.ts';
import type { ComparableRelease, Line, Release, ReleaseSet } from './release-set.ts';
import { dayMs } from './stored-lag.ts';

/** Kind of a deployed text among the releases of the job. */
export type DeployedMatch =
  /** The text is that of a release. */
  | 'exact'
  /** A release has the same version in another spelling. */
  | 'same_version'
  /** The text is a moving tag that points to a release. */
  | 'moving_tag'
  /** The text names a platform and no version. It's compared by the date of its tag. */
  | 'platform_tag'
  /** The text is a version that no release has. */
  | 'none'
  /** The text isn't a version. If a release has the text, it's compared by its date. */
  | 'unparseable'
  | 'no_version';

/**
 * Result of resolving a deployed text. All code that reports something about a deployed text uses it: lag
 * rules, support, vulnerabilities, simulation, freshness, and release notes.
 */
export interface ResolvedDeployed {
  /** The deployed text. `null` if no version is known. */
  readonly text: string | null;
  readonly match: DeployedMatch;
  /** The release that the text is, or that a moving tag points to. */
  readonly release: Release | null;
  /**
   * The version, assigned to a line of the job, with the rank of the release that a moving tag points to.
   * `null` if the text isn't a version or is a platform tag, both of which are compared by date.
   */
  readonly version: Version | null;
  /** The line whose releases the version is compared with, if it isn't the version's own line. */
  readonly adoptedLine: string | null;
  /** The release that the version points to, if it's a moving tag. */
  readonly movesTo: ComparableRelease | null;
  /** The parsed string if it's a platform tag. */
  readonly platformTag: Version | null;
}

/** Result for a missing version. */
export const notComparable: ResolvedDeployed = {
  text: null,
  match: 'no_version',
  release: null,
  version: null,
  adoptedLine: null,
  movesTo: null,
  platformTag: null,
};

/**
 * Determines what a deployed text means. No other code parses a deployed text for a lookup.
 *
 * @param pattern Lines without a release that matches this pattern are ignored.
 */
export function resolveDeployed(
  text: string,
  releases: ReleaseSet,
  pattern: CandidatePattern | null = null,
): ResolvedDeployed {
  const parsed = releases.parse(text);
  const exact = releases.withText(text);
  const unresolved = { ...notComparable, text, release: exact };
  if (parsed === null) return { ...unresolved, match: 'unparseable' };
  if (releases.isPlatformTag(parsed)) return { ...unresolved, match: 'platform_tag', platformTag: parsed };
  const adoptedLine = findLine(releases, parsed, pattern);
  const version = asInLine(releases, parsed, adoptedLine ?? parsed.line);
  const movesTo = releases.movesTo(version);
  if (movesTo !== null) {
    const moved = { ...version, ...placeOf(movesTo.version) };
    return { ...unresolved, match: 'moving_tag', release: movesTo, version: moved, adoptedLine, movesTo };
  }
  const release = exact ?? releases.sameAs(version)[0] ?? null;
  const match = exact !== null ? 'exact' : release === null ? 'none' : 'same_version';
  return { ...unresolved, match, release, version, adoptedLine };
}

/** The parts of a resolved text that a lookup in other data needs. Evaluations store them. */
export interface LookedUp {
  readonly text: string | null;
  readonly match: DeployedMatch | 'nearest_lower' | 'no_releases';
  /** The text of the release. */
  readonly release: string | null;
}

/**
 * Returns the version to look up in data about support or vulnerabilities, or `null` if the deployed text names
 * none.
 *
 * @param applicationVersions Application versions by release, if the data is about the application of a chart.
 */
export function lookupVersion(
  { text, match, release }: LookedUp,
  applicationVersions: ReadonlyMap<string, string> | null,
): string | null {
  if (text === null || match === 'platform_tag') return null;
  // The other releases, or their absence, show that this is a commit ID, which other data would read as a number.
  if ((match === 'unparseable' || match === 'no_releases') && canBeCommit(text)) return null;
  if (applicationVersions !== null)
    return (
      (match === 'moving_tag' ? undefined : applicationVersions.get(text)) ??
      (release === null || match === 'nearest_lower' ? undefined : applicationVersions.get(release)) ??
      null
    );
  return match === 'moving_tag' ? release : text;
}

function placeOf({ rank, upstreamRank, numbers, isPrerelease }: Version): Partial<Version> {
  return { rank, upstreamRank, numbers, isPrerelease };
}

/**
 * Returns the line that a version adopts, or `null` if it stays in its own line. A version adopts another
 * line if its own line has no releases (or none that match the pattern), or if the version is higher than all
 * of them and exactly one other line has its numbers. Of several such lines, it adopts the most frequent one, if
 * that line continued for more than a year after the version's own line.
 */
function findLine(set: ReleaseSet, version: Version, pattern: CandidatePattern | null): string | null {
  const lines = followedLines(set, pattern);
  const own = lines.get(version.line);
  if (own !== undefined && (lines.size === 1 || !isAbove(set, own, version))) return null;
  const others = [...lines.values()].filter((line) => line !== own);
  const withNumbers = others.filter(({ releases }) => hasNumbers(set, releases, version));
  if (withNumbers.length === 1) return withNumbers[0]?.name ?? null;
  if (withNumbers.length > 1) {
    const most = mostFrequent(withNumbers);
    if (own === undefined || (most !== null && continues(most, own))) return most?.name ?? null;
  }
  if (own !== undefined || others.length === 0) return null;
  return lines.has('') ? '' : (mostFrequent(others)?.name ?? null);
}

/**
 * True if a version is above all releases of its line. Of those above it, only the ones that count matter. A
 * release that has the version keeps it in the line, even if that release doesn't count.
 */
function isAbove(set: ReleaseSet, line: Line, version: Version): boolean {
  const inLine = asInLine(set, version, line.name);
  if (set.sameAs(inLine).length > 0) return false;
  const counts = (release: ComparableRelease) =>
    (!release.isPrerelease || version.isPrerelease) && !line.isOutlier(release);
  return set.isBelow(inLine, counts) || !line.releases.some(counts);
}

/** True if a line has a stable release more than a year after the newest stable release of another line. */
function continues(line: Line, ended: Line): boolean {
  return newestStableMs(line) > newestStableMs(ended) + yearMs;
}

function newestStableMs({ releases }: Line): number {
  return releases.reduce(
    (newest, { dateMs, isPrerelease }) => (isPrerelease ? newest : Math.max(newest, dateMs)),
    -Infinity,
  );
}

const yearMs = 365 * dayMs;

/** Returns the lines with releases that match the pattern, or all lines if no release matches. */
function followedLines(set: ReleaseSet, pattern: CandidatePattern | null): ReadonlyMap<string, Line> {
  if (pattern === null || set.lines.size === 1) return set.lines;
  let followed = set.followedLines.get(pattern.source);
  if (followed === undefined) {
    followed = new Map([...set.lines].filter(([, { releases }]) => hasMatch(releases, pattern)));
    if (set.followedLines.size >= maxCachedPatterns) set.followedLines.clear();
    set.followedLines.set(pattern.source, followed);
  }
  return followed.size === 0 ? set.lines : followed;
}

const maxCachedPatterns = 32;

function hasMatch(releases: readonly ComparableRelease[], pattern: CandidatePattern): boolean {
  return releases.some(({ text }) => pattern.matches(text));
}

function hasNumbers(set: ReleaseSet, releases: readonly ComparableRelease[], version: Version): boolean {
  const highest = releases[0]?.version;
  if (highest === undefined) return false;
  const numbers = numbersOfRank(withEpochOf(version, highest).rank);
  let low = 0;
  let high = releases.length;
  // Releases with the same numbers are adjacent, so a binary search is enough.
  while (low < high) {
    const middle = (low + high) >>> 1;
    const other = numbersOfRank(releases[middle]?.version.rank ?? '');
    if (other === numbers) return true;
    if (other > numbers) low = middle + 1;
    else high = middle;
  }
  return false;
}

/**
 * Adapts the version to the releases of the line: joined numbers are parsed as dotted ones if the releases
 * use dots, and the epoch is the line's epoch.
 */
function asInLine(set: ReleaseSet, version: Version, name: string): Version {
  const line = set.lines.get(name);
  let read = version;
  if (version.isJoined && line?.hasDots === true) read = set.scheme.parseAmongDotted(version.text) ?? version;
  const highest = line?.releases[0]?.version;
  if (highest !== undefined) read = withEpochOf(read, highest);
  return read.line === name ? read : { ...read, line: name };
}

/**
 * Returns the version with the epoch of the highest release, or without an epoch if that release has none.
 */
export function withEpochOf(version: Version, highest: Version): Version {
  const epoch = epochOfRank(highest.rank);
  const rank = withEpoch(version.rank, epoch);
  return rank === version.rank
    ? version
    : { ...version, rank, upstreamRank: withEpoch(version.upstreamRank, epoch) };
}
