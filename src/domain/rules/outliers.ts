import type { ComparableRelease } from './release-set.ts';

/**
 * Finds the releases of a line that don't fit it. Most are mistakes:
 *
 * - a date in a line of dotted versions, until five more dates follow with no dotted version in between;
 * - a number of components that none of the 20 previous distinct versions has, until one of the next 20 has it;
 * - a major version with a single version and 20 later distinct versions below it.
 *
 * The first two never exclude a release that counted when it came out. Releases are ordered by release date. If a source
 * reports some dates, releases without one count as the oldest. If it reports none, the discovery time is used.
 */
export function findOutliers(line: readonly ComparableRelease[]): ReadonlySet<ComparableRelease> {
  const outliers = new Set<ComparableRelease>();
  if (!mayHaveOutliers(line)) return outliers;
  const inTime = byTime(line);
  addDates(inTime, outliers);
  addShapes(inTime, outliers);
  addLoneMajors(inTime, outliers);
  return outliers;
}

const window = 20;
const datesToSwitch = 5;

interface Timed {
  readonly release: ComparableRelease;
  readonly timeMs: number;
}

/** Skips the search for most lines, which have one shape and several releases of each major version. */
function mayHaveOutliers(line: readonly ComparableRelease[]): boolean {
  if (line.length < 2) return false;
  const shape = line[0]?.version.numbers.length;
  let isOneShape = true;
  let loneMajors = 0;
  for (const [index, { version }] of line.entries()) {
    if (version.numbers.length !== shape || version.isDate) isOneShape = false;
    const major = version.numbers[0];
    const isLone =
      line[index - 1]?.version.numbers[0] !== major && line[index + 1]?.version.numbers[0] !== major;
    if (isLone) loneMajors += 1;
  }
  return !isOneShape || (loneMajors > 0 && line.length > window);
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

function addLoneMajors(inTime: readonly Timed[], outliers: Set<ComparableRelease>): void {
  const versionsOfMajor = new Map<number | bigint, Set<string>>();
  for (const { release } of inTime) {
    const { numbers, rank } = release.version;
    const major = numbers[0] ?? 0;
    const ranks = versionsOfMajor.get(major) ?? new Set();
    versionsOfMajor.set(major, ranks.add(rank));
  }
  // Iterate from newest to oldest, and keep the lowest ranks of the newer releases.
  let lowest: string[] = [];
  for (let end = inTime.length; end > 0; ) {
    let start = end - 1;
    while (start > 0 && inTime[start - 1]?.timeMs === inTime[end - 1]?.timeMs) start -= 1;
    const together = inTime.slice(start, end).map(({ release }) => release);
    for (const release of together) {
      const { numbers, rank } = release.version;
      const isLone = versionsOfMajor.get(numbers[0] ?? 0)?.size === 1;
      if (isLone && (lowest[window - 1] ?? '~') < rank) outliers.add(release);
    }
    lowest = lowestOf([...lowest, ...together.map(({ version }) => version.rank)]);
    end = start;
  }
}

function lowestOf(ranks: readonly string[]): string[] {
  return [...new Set(ranks)].sort((a, b) => (a < b ? -1 : 1)).slice(0, window);
}
