import { epochOfRank, numbersOfRank, withEpoch } from '../versions/precedence.ts';
import type { Version } from '../versions/version-scheme.ts';
import type { CandidatePattern } from './candidates.ts';
import { mostFrequent } from './own-latest.ts';
import type { ComparableRelease, Line, ReleaseSet } from './release-set.ts';

/**
 * A deployed version in the form in which it's compared: assigned to a line of the job, and with the rank of
 * the release that a moving tag points to.
 */
export interface DeployedInLine {
  /**
   * The parsed version. `null` if the string isn't a version or is a platform tag, both of which are compared
   * by date.
   */
  readonly version: Version | null;
  /** The line whose releases the version is compared with, if it isn't the version's own line. */
  readonly adoptedLine: string | null;
  /** The release that the version points to, if it's a moving tag. */
  readonly movesTo: ComparableRelease | null;
  /** The parsed string if it's a platform tag. */
  readonly platformTag: Version | null;
}

/** Result for a missing version, or for a string that isn't a version. */
export const notComparable: DeployedInLine = {
  version: null,
  adoptedLine: null,
  movesTo: null,
  platformTag: null,
};

/**
 * Parses a deployed version and assigns it to a line of the job.
 * @param pattern Lines without a release that matches this pattern are ignored.
 */
export function findDeployed(
  set: ReleaseSet,
  text: string,
  pattern: CandidatePattern | null = null,
): DeployedInLine {
  const parsed = set.scheme.parse(text);
  if (parsed === null) return notComparable;
  if (set.isPlatformTag(parsed)) return { ...notComparable, platformTag: parsed };
  const adoptedLine = findLine(set, parsed, pattern);
  const version = asInLine(set, parsed, adoptedLine ?? parsed.line);
  const movesTo = set.movesTo(version);
  return {
    version: movesTo === null ? version : { ...version, ...placeOf(movesTo.version) },
    adoptedLine,
    movesTo,
    platformTag: null,
  };
}

function placeOf({ rank, upstreamRank, numbers, isPrerelease }: Version): Partial<Version> {
  return { rank, upstreamRank, numbers, isPrerelease };
}

/**
 * Returns the line that a version adopts, or `null` if it stays in its own line. A version adopts another
 * line if its own line has no releases (or none that match the pattern), or if the version is higher than all
 * of them and exactly one other line has its numbers.
 */
function findLine(set: ReleaseSet, version: Version, pattern: CandidatePattern | null): string | null {
  const lines = followedLines(set, pattern);
  const own = lines.get(version.line);
  if (own !== undefined && (lines.size === 1 || !set.isBelow(asInLine(set, version, own.name)))) return null;
  const others = [...lines.values()].filter((line) => line !== own);
  const withNumbers = others.filter(({ releases }) => hasNumbers(set, releases, version));
  if (withNumbers.length === 1) return withNumbers[0]?.name ?? null;
  if (own !== undefined || others.length === 0) return null;
  return lines.has('') ? '' : (mostFrequent(others)?.name ?? null);
}

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
