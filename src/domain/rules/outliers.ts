import type { Version } from '../versions/version-scheme.ts';
import type { ComparableRelease } from './release-set.ts';
import { dayMs } from './stored-lag.ts';

/**
 * Finds the releases that don't fit the other releases of their line. Most are mistakes:
 *
 * - a date in a line of dotted versions, until more than five dates follow each other with no dotted version
 *   in between;
 * - a whole number of at least seven digits in a line of dotted versions;
 * - a version whose number of components occurs in none of the 20 previous distinct versions, until one of
 *   the next 20 has the same number of components;
 * - a first number of at least a hundred times the next lower one, until more than five versions have such a
 *   number;
 * - the highest versions of a variant, if at least 20 distinct lower versions were released after each of
 *   them.
 *
 * Only in the last case can a new release turn an ordinary release into an outlier. Releases are ordered by
 * release date. If a source reports only some dates, releases without one are considered the oldest. If it
 * reports none, the discovery time is used.
 */
export function findOutliers(line: readonly ComparableRelease[]): ReadonlySet<ComparableRelease> {
  const outliers = new Set<ComparableRelease>();
  if (line.length < 2) return outliers;
  addBuildNumbers(line, outliers);
  if (!isOneShape(line)) {
    const inTime = byTime(line);
    addDates(inTime, outliers);
    addShapes(inTime, outliers);
  }
  addLeaps(line, outliers);
  addOvertaken(line, outliers);
  return outliers;
}

const window = 20;
const datesToSwitch = 5;
const versionsToJudge = 3;
const leastBuildNumber = 1_000_000;
const maxPerDay = 5;

interface Timed {
  readonly release: ComparableRelease;
  readonly timeMs: number;
}

/** True if all versions have the same number of components and none is a date. This is the case for most lines. */
function isOneShape(line: readonly ComparableRelease[]): boolean {
  const shape = line[0]?.version.numbers.length;
  return line.every(({ version }) => version.numbers.length === shape && !version.isDate);
}

function byTime(line: readonly ComparableRelease[]): Timed[] {
  const isDated = line.some((release) => release.dateSource === 'released_at');
  const timed = line.map((release) => ({
    release,
    timeMs: isDated && release.dateSource === 'discovered_at' ? -Infinity : release.dateMs,
  }));
  // The line is sorted highest first. Reversing it keeps releases with the same time in ascending order.
  return timed.reverse().sort((a, b) => (a.timeMs === b.timeMs ? 0 : a.timeMs - b.timeMs));
}

function addDates(inTime: readonly Timed[], outliers: Set<ComparableRelease>): void {
  const dotted = inTime.filter(({ release }) => !release.version.isDate && release.version.hasDots);
  const firstDotted = dotted[0];
  if (firstDotted === undefined) return;
  const dates = inTime.filter(({ release }) => release.version.isDate);
  let at = 0;
  let run: Timed[] = [];
  const endRun = () => {
    const distinct = new Set(run.map(({ release }) => release.version.rank)).size;
    if (distinct <= datesToSwitch) for (const { release } of run) outliers.add(release);
    run = [];
  };
  let before = -1;
  for (const date of dates) {
    // Dates before the first dotted version aren't outliers.
    if (firstDotted.timeMs > date.timeMs) continue;
    while (at < dotted.length && (dotted[at]?.timeMs ?? Infinity) <= date.timeMs) at += 1;
    const isSameTime = dotted[at - 1]?.timeMs === date.timeMs;
    if (at !== before || isSameTime) endRun();
    before = at;
    run.push(date);
  }
  endRun();
}

function addShapes(inTime: readonly Timed[], outliers: Set<ComparableRelease>): void {
  const last: { rank: string; shape: number; releases: ComparableRelease[]; isOutlier: boolean }[] = [];
  for (const { release } of inTime) {
    const { rank, numbers, isDate } = release.version;
    if (isDate) continue;
    const shape = numbers.length;
    const same = last.find((version) => version.rank === rank && version.shape === shape);
    if (same !== undefined) {
      same.releases.push(release);
      if (same.isOutlier) outliers.add(release);
      continue;
    }
    const alike = last.filter((version) => version.shape === shape);
    for (const version of alike) {
      if (!version.isOutlier) continue;
      version.isOutlier = false;
      for (const each of version.releases) outliers.delete(each);
    }
    const isOutlier = last.length === window && alike.length === 0;
    if (isOutlier) outliers.add(release);
    last.push({ rank, shape, releases: [release], isOutlier });
    if (last.length > window) last.shift();
  }
}

/**
 * Adds whole numbers of at least seven digits in a line where more versions have dots. Even without dates, such a
 * number is recognizable as a build number or an abbreviated commit ID.
 */
function addBuildNumbers(line: readonly ComparableRelease[], outliers: Set<ComparableRelease>): void {
  const isBuild = ({ version }: ComparableRelease) =>
    version.numbers.length === 1 && !version.isDate && (version.numbers[0] ?? 0) >= leastBuildNumber;
  const builds = line.filter(isBuild);
  const dotted = line.filter(({ version }) => version.hasDots).length;
  if (builds.length < dotted) for (const release of builds) outliers.add(release);
}

/**
 * Adds versions above an implausible step of the first number. A step is implausible if the higher number is
 * at least a hundred times the lower one, and is neither a year nor a year with a month. If more than five
 * versions are above the step, it's a new numbering instead.
 */
function addLeaps(highestFirst: readonly ComparableRelease[], outliers: Set<ComparableRelease>): void {
  const above: ComparableRelease[] = [];
  const ranks = new Set<string>();
  for (const release of highestFirst) {
    if (outliers.has(release)) continue;
    const last = above.at(-1);
    if (last !== undefined && isLeap(last.version, release.version)) {
      const below = new Set(
        highestFirst.slice(highestFirst.indexOf(release)).map(({ version }) => version.rank),
      );
      if (below.size >= versionsToJudge) for (const each of above) outliers.add(each);
      return;
    }
    above.push(release);
    if (ranks.add(release.version.rank).size > datesToSwitch) return;
  }
}

function isLeap(above: Version, below: Version): boolean {
  if (above.isDate || below.isDate) return false;
  const major = Number(above.numbers[0] ?? 0);
  const isYear = major >= 1970 && major < 2200;
  const isMonth = major > 1000 && major < 4000 && major % 100 >= 1 && major % 100 <= 12;
  return !isYear && !isMonth && major >= 100 * Math.max(1, Number(below.numbers[0] ?? 0));
}

/**
 * Adds the versions of a line and variant from the highest downward, until a version was followed by fewer
 * than 20 distinct lower versions. The added versions are mistakes or belong to a numbering that the project
 * has abandoned.
 *
 * The comparison uses dates from the source. A version without a date is compared by the time at which it was
 * first seen. Versions that were first seen at the same time have no order.
 */
function addOvertaken(highestFirst: readonly ComparableRelease[], outliers: Set<ComparableRelease>): void {
  if (!mayBeOvertaken(highestFirst, outliers)) return;
  const groups = Map.groupBy(
    highestFirst.filter((release) => !outliers.has(release)),
    ({ version }) => version.variant,
  );
  for (const releases of groups.values()) {
    const versions = distinctVersions(releases);
    if (versions.length <= window) continue;
    const released = new LatestTimes();
    const seen = new LatestTimes();
    const overtaken = versions.map(() => false);
    for (let index = versions.length - 1; index >= 0; index--) {
      const { lastReleasedMs, lastSeenMs, firstReleasedMs, firstSeenMs } = versions[index]!;
      const isDated = lastReleasedMs > -Infinity;
      overtaken[index] = isDated ? released.smallest > lastReleasedMs : seen.smallest > lastSeenMs;
      if (firstReleasedMs < Infinity) released.add(firstReleasedMs);
      seen.add(firstSeenMs);
    }
    for (const [index, version] of versions.entries()) {
      if (!overtaken[index]) {
        if (version.releases.some(({ isPrerelease }) => !isPrerelease)) break;
        continue;
      }
      for (const release of version.releases) outliers.add(release);
    }
  }
}

/**
 * Returns false for most lines, which then skip the search. A line can skip it if fewer than 20 releases came
 * after the highest stable release of each variant.
 */
function mayBeOvertaken(
  highestFirst: readonly ComparableRelease[],
  outliers: ReadonlySet<ComparableRelease>,
): boolean {
  if (highestFirst.length <= window) return false;
  const highest = new Map<string, { release: ComparableRelease; later: number }>();
  for (const release of highestFirst) {
    if (outliers.has(release)) continue;
    const { variant } = release.version;
    const known = highest.get(variant);
    if (known !== undefined) {
      if (isLater(release, known.release) && ++known.later >= window) return true;
    } else if (!release.isPrerelease) {
      highest.set(variant, { release, later: 0 });
    }
  }
  return false;
}

function isLater(a: ComparableRelease, b: ComparableRelease): boolean {
  return a.dateMs > b.dateMs || a.seenMs > b.seenMs;
}

/**
 * The 20 latest of the times that were added. Includes at most five times per day, because all old versions
 * get the same date when a project republishes them or moves to another host.
 */
class LatestTimes {
  readonly #times: number[] = [];

  /** The earliest of the 20 latest times. -Infinity if fewer than 20 are included. */
  get smallest(): number {
    return this.#times.length < window ? -Infinity : (this.#times[0] ?? -Infinity);
  }

  add(timeMs: number): void {
    const times = this.#times;
    if (times.length === window && timeMs <= (times[0] ?? -Infinity)) return;
    let at = times.length;
    while (at > 0 && (times[at - 1] ?? 0) > timeMs) at--;
    const day = Math.floor(timeMs / dayMs);
    const isSameDay = (index: number) => Math.floor((times[index] ?? -Infinity) / dayMs) === day;
    let count = 0;
    for (let index = at - 1; isSameDay(index); index--) count++;
    for (let index = at; isSameDay(index); index++) count++;
    if (count >= maxPerDay) return;
    times.splice(at, 0, timeMs);
    if (times.length > window) times.shift();
  }
}

/** The releases of one upstream version. Packages and rebuilds of a version aren't considered separate versions. */
interface DistinctVersion {
  readonly upstreamRank: string;
  readonly releases: ComparableRelease[];
  firstReleasedMs: number;
  lastReleasedMs: number;
  firstSeenMs: number;
  lastSeenMs: number;
}

function distinctVersions(highestFirst: readonly ComparableRelease[]): DistinctVersion[] {
  const versions: DistinctVersion[] = [];
  for (const release of highestFirst) {
    const last = versions.at(-1);
    const { upstreamRank } = release.version;
    if (last === undefined || last.upstreamRank !== upstreamRank) {
      versions.push({
        upstreamRank,
        releases: [release],
        firstReleasedMs: Infinity,
        lastReleasedMs: -Infinity,
        firstSeenMs: Infinity,
        lastSeenMs: -Infinity,
      });
    } else {
      last.releases.push(release);
    }
    const version = versions.at(-1)!;
    if (release.dateSource === 'released_at') {
      version.firstReleasedMs = Math.min(version.firstReleasedMs, release.dateMs);
      version.lastReleasedMs = Math.max(version.lastReleasedMs, release.dateMs);
    }
    version.firstSeenMs = Math.min(version.firstSeenMs, release.seenMs);
    version.lastSeenMs = Math.max(version.lastSeenMs, release.seenMs);
  }
  return versions;
}
