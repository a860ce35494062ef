import type { Version, VersionScheme } from '../versions/version-scheme.ts';
import { type ComparableRelease, countAbove, type Release } from './release-set.ts';

/** The candidates, highest first, each with the date that the calculation needs. */
export interface DatedReleases {
  /** Candidates with the dates from which days behind are counted. */
  readonly counting: readonly ComparableRelease[];
  /** The same releases with the dates from which the minimum release age is counted. */
  readonly published: readonly ComparableRelease[];
  /** Releases that were candidates until upstream removed them. */
  readonly withdrawn: readonly ComparableRelease[];
}

/** Counts the releases above a version and finds their dates. Caches the intermediate results. */
export class NewerReleases {
  readonly #scheme: VersionScheme;
  readonly #releases: DatedReleases;
  #pairCounts: Uint32Array | null = null;
  #rankCounts: Uint32Array | null = null;
  #earliest: Uint32Array | null = null;
  #years: YearChange | null = null;
  readonly #dates = new Map<string, number | null>();

  constructor(scheme: VersionScheme, releases: DatedReleases) {
    this.#scheme = scheme;
    this.#releases = releases;
  }

  /** Returns the number of releases above `version`. */
  count(version: Version): number {
    return countAbove(this.#scheme, this.#releases.counting, version);
  }

  /**
   * Returns the earliest release above `version`, or `null` if no candidate is above it. Of several with the same date,
   * returns the lowest. Includes
   * withdrawn releases, because an upgrade was possible before upstream removed them. As a result, the lag
   * doesn't decrease when upstream replaces a release.
   */
  firstReleased(version: Version): Release | null {
    const count = this.count(version);
    if (count === 0) return null;
    this.#earliest ??= earliestSoFar(this.#releases.counting);
    let first = this.#releases.counting[this.#earliest[count - 1] ?? 0] ?? null;
    for (const release of this.#releases.withdrawn) {
      if (this.#scheme.compare(release.version, version) <= 0) break;
      if (first === null || release.dateMs < first.dateMs || this.#isLowerOfSameDate(release, first))
        first = release;
    }
    return first;
  }

  #isLowerOfSameDate(release: ComparableRelease, other: Release): boolean {
    return (
      release.dateMs === other.dateMs &&
      other.version !== null &&
      this.#scheme.compare(release.version, other.version) <= 0
    );
  }

  /** Returns the number of distinct (major, minor) pairs above `version`, excluding the pair of `version`. */
  countMinors(version: Version): number {
    const count = this.count(version);
    const lowest = this.#releases.counting[count - 1];
    if (lowest === undefined) return 0;
    this.#pairCounts ??= pairsSoFar(this.#releases.counting);
    // Equal pairs are adjacent, so only the lowest of these releases can have the same pair as `version`.
    return (this.#pairCounts[count - 1] ?? 0) - (isSamePair(lowest.version, version) ? 1 : 0);
  }

  /** Returns the number of distinct versions above `version`. Different spellings of a version count once. */
  countVersions(version: Version): number {
    const count = this.count(version);
    this.#rankCounts ??= ranksSoFar(this.#releases.counting);
    return this.#rankCounts[count - 1] ?? 0;
  }

  /**
   * Returns the position of a major version. The difference between two positions is the number of majors
   * between them. If upstream switched from small numbers to years, the first year follows the highest small
   * number, so the change from `3.8` to `2024.1` is one major version.
   */
  placeOfMajor(version: Version): bigint {
    this.#years ??= yearChange(this.#releases.counting);
    const major = BigInt(version.numbers[0] ?? 0);
    const { highestSmall, firstYear } = this.#years;
    if (highestSmall === null || firstYear === null || major < firstYear) return major;
    return major - firstYear + highestSmall + 1n;
  }

  /**
   * Returns the date of the earliest release whose `placeOfMajor` is at least `place`, or `null` if none
   * qualifies.
   */
  firstDateOfMajor(place: bigint): number | null {
    return this.#dateOnce(`major ${place}`, () => {
      let first = Infinity;
      for (const { version, dateMs } of this.#releases.published) {
        if (dateMs < first && this.placeOfMajor(version) >= place) first = dateMs;
      }
      return first === Infinity ? null : first;
    });
  }

  /**
   * Returns the date on which the number of minor versions in `countMinors` reached `count`, or `null` if
   * there are fewer. The date of a minor version is that of its earliest release above `version`.
   */
  dateOfMinor(version: Version, count: number): number | null {
    const above = this.count(version);
    const [major = 0, minor = 0] = version.numbers;
    return this.#dateOnce(`minor ${above} ${major} ${minor} ${count}`, () => {
      const firstDates: number[] = [];
      let previous = version;
      for (const release of this.#releases.published.slice(0, above)) {
        if (isSamePair(release.version, version)) continue;
        if (firstDates.length === 0 || !isSamePair(release.version, previous))
          firstDates.push(release.dateMs);
        else firstDates.push(Math.min(firstDates.pop() ?? Infinity, release.dateMs));
        previous = release.version;
      }
      return firstDates.toSorted((a, b) => a - b)[count - 1] ?? null;
    });
  }

  /** Caches dates, because the configurations of a job use only a few different deployed versions and thresholds. */
  #dateOnce(key: string, find: () => number | null): number | null {
    let date = this.#dates.get(key);
    if (date === undefined) {
      date = find();
      this.#dates.set(key, date);
    }
    return date;
  }
}

interface YearChange {
  readonly highestSmall: bigint | null;
  readonly firstYear: bigint | null;
}

/** Finds the point at which a project switched from small major versions to years. */
function yearChange(highestFirst: readonly ComparableRelease[]): YearChange {
  // Years are higher than all small numbers, so the highest release shows whether there are any years.
  if ((highestFirst[0]?.version.numbers[0] ?? 0) < 1970) return { highestSmall: null, firstYear: null };
  let highestSmall: bigint | null = null;
  let firstYear: bigint | null = null;
  for (const { version } of highestFirst) {
    const major = BigInt(version.numbers[0] ?? 0);
    if (major >= 1970n && major < 2200n) {
      if (firstYear === null || major < firstYear) firstYear = major;
    } else if (major < 1000n && (highestSmall === null || major > highestSmall)) {
      highestSmall = major;
    }
  }
  return { highestSmall, firstYear };
}

/**
 * Returns, for each index, the index of the earliest release up to that index. Of releases with the same date, it's the
 * last one, which is the lowest: all releases of a source without dates are first seen at the same time.
 */
function earliestSoFar(releases: readonly Release[]): Uint32Array {
  const places = new Uint32Array(releases.length);
  let earliestMs = Infinity;
  let earliest = 0;
  for (const [index, release] of releases.entries()) {
    if (release.dateMs <= earliestMs) {
      earliestMs = release.dateMs;
      earliest = index;
    }
    places[index] = earliest;
  }
  return places;
}

/** Returns, for each index, the number of distinct (major, minor) pairs up to that index. */
function pairsSoFar(highestFirst: readonly ComparableRelease[]): Uint32Array {
  const counts = new Uint32Array(highestFirst.length);
  let count = 0;
  let previous: Version | null = null;
  for (const [index, { version }] of highestFirst.entries()) {
    if (previous === null || !isSamePair(previous, version)) count++;
    counts[index] = count;
    previous = version;
  }
  return counts;
}

/** Returns, for each index, the number of distinct ranks up to that index. */
function ranksSoFar(highestFirst: readonly ComparableRelease[]): Uint32Array {
  const counts = new Uint32Array(highestFirst.length);
  let count = 0;
  let previous: string | null = null;
  for (const [index, { version }] of highestFirst.entries()) {
    if (version.rank !== previous) count++;
    counts[index] = count;
    previous = version.rank;
  }
  return counts;
}

function isSamePair(a: Version, b: Version): boolean {
  return (a.numbers[0] ?? 0) === (b.numbers[0] ?? 0) && (a.numbers[1] ?? 0) === (b.numbers[1] ?? 0);
}
