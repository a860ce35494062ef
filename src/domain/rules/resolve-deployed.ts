import { canBeCommit } from '../versions/exclude-commit-ids.ts';
import { epochOfRank, numbersOfRank, withEpoch } from '../versions/precedence.ts';
import type { Version } from '../versions/version-scheme.ts';
import type { CandidatePattern } from './candidates.ts';
import { findMostActiveLine } from './own-latest.ts';
import type { ComparableRelease, Line, Release, ReleaseSet } from './release-set.ts';
import { dayMs } from './stored-lag.ts';

/** Relationship between a deployed string and the releases of the job. */
export type DeployedMatch =
  /** The string is the name of a release. */
  | 'exact'
  /** The string is another spelling of a release's version. */
  | 'same_version'
  /** The string is a moving tag that points to a release. */
  | 'moving_tag'
  /**
   * The string names a platform but no version. If a release has the same name, the string is compared by the
   * date of that release.
   */
  | 'platform_tag'
  /** The string is a version, but no release has that version. */
  | 'none'
  /**
   * The string isn't a version. If a release has the same name, the string is compared by the date of that
   * release.
   */
  | 'unparseable'
  | 'no_version';

/**
 * Result of resolving a deployed string. All code that evaluates or describes a deployed string uses this
 * result: lag rules, support, vulnerabilities, simulation, freshness, and release notes.
 */
export interface ResolvedDeployed {
  /** The deployed string. `null` if no version is known. */
  readonly text: string | null;
  readonly match: DeployedMatch;
  /** The release that the string names, or that a moving tag points to. */
  readonly release: Release | null;
  /**
   * The version in the context of a line of the job. For a moving tag, the numbers and the rank are those of
   * the release that the tag points to. `null` if the string is compared by date, because it isn't a version
   * or is a platform tag.
   */
  readonly version: Version | null;
  /**
   * The other line whose releases the version is compared with. `null` if it's compared with its own line.
   */
  readonly adoptedLine: string | null;
  /** The release that the deployed string points to, if it's a moving tag. */
  readonly movesTo: ComparableRelease | null;
  /** The parsed string if it's a platform tag. */
  readonly platformTag: Version | null;
}

/** Result if no version is known. */
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
 * Resolves the string of a deployed version to a release. Lookups in other data (lifecycles, vulnerabilities)
 * use this function too, so that all of them interpret the string in the same way.
 *
 * @param pattern Release lines without a release that matches this pattern are ignored.
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

/**
 * The parts of a resolved string that are needed for a lookup in other data. They are stored with
 * evaluations.
 */
export interface LookupTarget {
  readonly text: string | null;
  readonly match: DeployedMatch | 'nearest_lower' | 'no_releases';
  /** The name of the release. */
  readonly release: string | null;
}

/**
 * Returns the version to look up in data about support or vulnerabilities, or `null` if the deployed string
 * contains none.
 *
 * @param applicationVersions Application versions by chart release, if the data is about the application of a
 * chart.
 */
export function versionToLookUp(
  { text, match, release }: LookupTarget,
  applicationVersions: ReadonlyMap<string, string> | null,
): string | null {
  if (text === null || match === 'platform_tag') return null;
  // This string is probably a commit ID, but the lookup would interpret it as a number.
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
 * Returns the line that a version adopts, or `null` if the version remains in its own line. A version can
 * adopt another line in two cases: its own line has no releases (or none that match the pattern), or the
 * version is higher than all releases of its own line. It adopts the only other line with its numbers. If
 * several lines have its numbers, it adopts the most active of them, which must have continued for more than
 * a year after the version's own line. If no line has its numbers, a version whose own line has no releases
 * adopts the line without a name, otherwise the most active line.
 */
function findLine(set: ReleaseSet, version: Version, pattern: CandidatePattern | null): string | null {
  const lines = followedLines(set, pattern);
  const own = lines.get(version.line);
  if (own !== undefined && (lines.size === 1 || !isAbove(set, own, version))) return null;
  const others = [...lines.values()].filter((line) => line !== own);
  const withNumbers = others.filter(({ releases }) => hasNumbers(set, releases, version));
  if (withNumbers.length === 1) return withNumbers[0]?.name ?? null;
  if (withNumbers.length > 1) {
    const most = findMostActiveLine(withNumbers);
    if (own === undefined || (most !== null && continues(most, own))) return most?.name ?? null;
  }
  if (own !== undefined || others.length === 0) return null;
  return lines.has('') ? '' : (findMostActiveLine(others)?.name ?? null);
}

/**
 * True if a version is above all releases of its line. Excluded releases are ignored. However, if any
 * release has exactly this version, the version belongs to the line, and the result is false.
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
 * Adapts a version to the releases of a line. If the releases use dots, joined numbers are parsed as they are
 * among dotted versions. The epoch is replaced with that of the line.
 */
function asInLine(set: ReleaseSet, version: Version, name: string): Version {
  const line = set.lines.get(name);
  let read = version;
  if (version.isJoined && line?.hasDots === true) read = set.scheme.parseAmongDotted(version.text) ?? version;
  const highest = line?.releases[0]?.version;
  if (highest !== undefined) read = withEpochOf(read, highest);
  return read.line === name ? read : { ...read, line: name };
}

/** Returns the version with the epoch of `highest`, or without an epoch if `highest` has none. */
export function withEpochOf(version: Version, highest: Version): Version {
  const epoch = epochOfRank(highest.rank);
  const rank = withEpoch(version.rank, epoch);
  return rank === version.rank
    ? version
    : { ...version, rank, upstreamRank: withEpoch(version.upstreamRank, epoch) };
}
