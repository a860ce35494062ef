import type { Version } from '../versions/version-scheme.ts';
import { dayMs } from './behind-days.ts';
import { findSuccessor } from './ended-flavor.ts';
import { type DeployedInLine, findDeployed } from './find-deployed.ts';
import { type LeftOut, type LeftOutReason, LeftOutTally } from './left-out.ts';
import { ownLatest } from './own-latest.ts';
import {
  type ComparableRelease,
  countAbove,
  type Line,
  type Release,
  type ReleaseSet,
} from './release-set.ts';
import { textFingerprint } from './text-fingerprint.ts';

/** What a rule and a configuration say about which releases count. */
export interface CandidateOptions {
  readonly stableOnly: boolean;
  /** Whole days; 0 lets every release count at once. */
  readonly minReleaseAgeDays: number;
  /** `source` names the pattern: two with the same source have to match the same versions. */
  readonly candidatePattern: {
    readonly source: string;
    readonly matches: (version: string) => boolean;
  } | null;
  /** As written or the same version in another spelling. */
  readonly ignoredVersions: readonly string[];
  /** Outliers that count nevertheless, in any spelling too. None without it. */
  readonly countedVersions?: readonly CountedVersion[];
}

export interface CountedVersion {
  readonly version: string;
  /** When it was chosen: days count from then on, however old the release is. */
  readonly sinceMs: number;
}

/** Which releases of its line the deployed version is compared with: those of its flavor, or a fallback. */
export type VariantRule = 'own_variant' | 'without_suffix' | 'all';

export type CandidateCache = Map<string, Candidates>;

/**
 * The releases that count for a deployed version.
 *
 * @param deployed As `findDeployed` reads it. One that can't be compared is compared by dates: the tag of a platform
 *   with those of its shape, anything else with all releases, also with what is no version at all.
 */
export function selectCandidates(
  set: ReleaseSet,
  options: CandidateOptions,
  deployed: DeployedInLine,
  nowMs: number,
): Candidates {
  const bornBeforeMs = options.minReleaseAgeDays === 0 ? Infinity : nowMs - options.minReleaseAgeDays * dayMs;
  const key = cacheKey(set, options, deployed);
  const cached = set.candidateCache.get(key);
  if (cached?.isValidFor(bornBeforeMs)) return cached;
  const candidates = new Candidates(set, options, deployed, bornBeforeMs);
  set.candidateCache.delete(key);
  set.candidateCache.set(key, candidates);
  // Configurations of one job share few sets of options; without an end, a job of thousands with a list of
  // ignored versions each would keep its releases thousands of times.
  if (set.candidateCache.size > maxCached) {
    const [oldest] = set.candidateCache.keys();
    if (oldest !== undefined) set.candidateCache.delete(oldest);
  }
  return candidates;
}

const maxCached = 32;

/** Candidates at one time: valid until another release reaches the minimum age. It never changes. */
export class Candidates {
  readonly variantRule: VariantRule;
  /** Those that can be compared, the highest first. */
  readonly comparable: readonly ComparableRelease[];
  /** Those that have a date only, the newest first; none where the deployed version can be compared. */
  readonly incomparable: readonly Release[];
  readonly latest: Release | null;
  readonly latestStable: Release | null;
  readonly leftOut: readonly LeftOut[];
  /** Differs when `leftOut` does. */
  readonly leftOutFingerprint: string;
  /** When the next release reaches the minimum age and so changes what is here; `null` for never. */
  readonly nextChangeAtMs: number | null;
  /** Outliers that count because the options list them: up to three, the highest first. */
  readonly counted: readonly string[];
  readonly #set: ReleaseSet;
  readonly #refusal: Refusal;
  /** `comparable`, with the dates that days count from. */
  readonly #dated: readonly ComparableRelease[];
  /** `comparable`, with the dates from which on they could count once they reach the minimum age. */
  readonly #published: readonly ComparableRelease[];
  /** Would count if they had not been withdrawn: what was newer once keeps its date. The highest first. */
  readonly #withdrawn: readonly ComparableRelease[];
  /** Holds for every limit of birth from the first up to, not including, the second. */
  readonly #validFromMs: number;
  readonly #validUntilMs: number;
  #pairCounts: Uint32Array | null = null;
  #earliest: Uint32Array | null = null;
  #years: YearChange | null = null;
  readonly #dates = new Map<string, number | null>();
  readonly #successors = new Map<string, ComparableRelease | null>();

  constructor(set: ReleaseSet, options: CandidateOptions, deployed: DeployedInLine, bornBeforeMs: number) {
    this.#set = set;
    const tally = new LeftOutTally();
    const { version } = deployed;
    const own = version === null ? null : (set.lines.get(version.line) ?? null);
    // Without a line of its own it is compared with all.
    const releases = version === null ? set.comparable : (own?.releases ?? set.comparable);
    const counted = countedOutliers(set, options.countedVersions ?? []);
    this.#refusal = refusing(set, options, version, counted);
    const { passing: comparable, withdrawn } = sortOut(releases, this.#refusal, tally);
    let incomparable: readonly Release[] = [];
    if (version === null) {
      const platformTag = deployed.platformTag;
      const alike = set.incomparable.filter((release) => {
        if (isOfShape(release, platformTag)) return true;
        tally.add(release.version === null ? 'not_a_version' : 'platform_tag', release);
        return false;
      });
      incomparable = sortOut(alike, this.#refusal, tally).passing;
    } else {
      for (const release of set.incomparable)
        tally.add(release.version === null ? 'not_a_version' : 'platform_tag', release);
      if (own !== null) tallyOtherLines(set, own, tally);
    }

    this.variantRule = chooseVariantRule(comparable, version, bornBeforeMs);
    const flavor = version?.flavor ?? '';
    const old: ComparableRelease[] = [];
    const oldIncomparable: Release[] = [];
    let maxReleaseDateMs = -Infinity;
    let oldestYoungMs = Infinity;
    const isOld = (release: Release): boolean => {
      if (release.dateMs <= bornBeforeMs) {
        maxReleaseDateMs = Math.max(maxReleaseDateMs, release.dateMs);
        return true;
      }
      oldestYoungMs = Math.min(oldestYoungMs, release.dateMs);
      return false;
    };
    for (const release of comparable) {
      if (!isWatched(release.version, this.variantRule, flavor)) tally.add('other_variant', release);
      else if (isOld(release)) old.push(release);
      else tally.add('too_young', release);
    }
    for (const release of incomparable) {
      if (isOld(release)) oldIncomparable.push(release);
      else tally.add('too_young', release);
    }

    // The tag of a platform is behind tags of its shape only; the others say what the latest is.
    this.comparable = deployed.platformTag === null ? old : [];
    this.incomparable = oldIncomparable;
    // Of any age: one that is too young is younger than whatever else is above and counts.
    this.#withdrawn = withDates(
      withdrawn.filter((release) => isWatched(release.version, this.variantRule, flavor)),
      counted,
    );
    this.#dated = withDates(this.comparable, counted);
    this.#published = withDates(this.comparable, counted, options.minReleaseAgeDays * dayMs);
    this.counted = this.comparable
      .filter((release) => counted.has(release))
      .slice(0, 3)
      .map(({ text }) => text);
    this.#validFromMs = maxReleaseDateMs;
    this.#validUntilMs = oldestYoungMs;
    this.nextChangeAtMs =
      oldestYoungMs === Infinity ? null : oldestYoungMs + options.minReleaseAgeDays * dayMs;
    this.latest = this.#latestAmong(old, version, counted, () => true);
    this.latestStable = this.#latestAmong(old, version, counted, (release) => !release.isPrerelease);
    this.leftOut = tally.list();
    this.leftOutFingerprint = textFingerprint(JSON.stringify(this.leftOut));
  }

  get size(): number {
    return this.comparable.length + this.incomparable.length;
  }

  isValidFor(bornBeforeMs: number): boolean {
    const isEndless = this.#validUntilMs === Infinity;
    return bornBeforeMs >= this.#validFromMs && (isEndless || bornBeforeMs < this.#validUntilMs);
  }

  /** How many are above `version`; they are the first of `comparable`. */
  countAbove(version: Version): number {
    return countAbove(this.#set.scheme, this.comparable, version);
  }

  /**
   * The one that came out first among those above `version`, also among those that were withdrawn since: whoever could
   * have upgraded then is not less behind because another release took its place. `null` when nothing that counts is
   * above.
   */
  firstReleasedAbove(version: Version): Release | null {
    const count = this.countAbove(version);
    if (count === 0) return null;
    this.#earliest ??= earliestSoFar(this.#dated);
    let first = this.#dated[this.#earliest[count - 1] ?? 0] ?? null;
    for (const release of this.#withdrawn) {
      if (this.#set.scheme.compare(release.version, version) <= 0) break;
      if (first === null || release.dateMs < first.dateMs) first = release;
    }
    return first;
  }

  /** The distinct pairs of major and minor number above `version`, without its own. */
  countMinorsAbove(version: Version): number {
    const count = this.countAbove(version);
    const lowest = this.comparable[count - 1];
    if (lowest === undefined) return 0;
    this.#pairCounts ??= pairsSoFar(this.comparable);
    // Equal pairs stand together in the order of precedence, so its own can only be that of the lowest.
    return (this.#pairCounts[count - 1] ?? 0) - (isSamePair(lowest.version, version) ? 1 : 0);
  }

  /**
   * The place of a major version among those that are counted: its number, but years go on where small numbers end, so
   * that a change from `3.8` to `2024.1` is one major version.
   */
  placeOfMajor(version: Version): bigint {
    this.#years ??= yearChange(this.comparable);
    const major = BigInt(version.numbers[0] ?? 0);
    const { highestSmall, firstYear } = this.#years;
    if (highestSmall === null || firstYear === null || major < firstYear) return major;
    return major - firstYear + highestSmall + 1n;
  }

  /** When the first one came out whose major version is at this place or above; `null` when there is none. */
  firstDateOfMajor(place: bigint): number | null {
    return this.#dateOnce(`major ${place}`, () => {
      let first = Infinity;
      for (const { version, dateMs } of this.#published) {
        if (dateMs < first && this.placeOfMajor(version) >= place) first = dateMs;
      }
      return first === Infinity ? null : first;
    });
  }

  /** Where the software goes on when `version` tops a flavor that has ended; `null` where it hasn't. */
  successorOf(version: Version): ComparableRelease | null {
    if (this.variantRule !== 'own_variant') return null;
    const key = `${version.flavor} ${version.rank}`;
    let successor = this.#successors.get(key);
    if (successor === undefined) {
      successor = findSuccessor(this.#set, version, (release) => {
        return !release.isWithdrawn && this.#refusal(release) === null;
      });
      this.#successors.set(key, successor);
    }
    return successor;
  }

  /**
   * When the `count`th of the pairs that `countMinorsAbove` counts came out; `null` when there are fewer. A pair
   * comes out with its first release above `version`.
   */
  dateOfMinorAbove(version: Version, count: number): number | null {
    const above = this.countAbove(version);
    const [major = 0, minor = 0] = version.numbers;
    return this.#dateOnce(`minor ${above} ${major} ${minor} ${count}`, () => {
      const firstDates: number[] = [];
      let previous = version;
      for (const release of this.#published.slice(0, above)) {
        if (isSamePair(release.version, version)) continue;
        if (firstDates.length === 0 || !isSamePair(release.version, previous))
          firstDates.push(release.dateMs);
        else firstDates.push(Math.min(firstDates.pop() ?? Infinity, release.dateMs));
        previous = release.version;
      }
      return firstDates.toSorted((a, b) => a - b)[count - 1] ?? null;
    });
  }

  /** Configurations of one job share few deployed versions and thresholds. */
  #dateOnce(key: string, find: () => number | null): number | null {
    let date = this.#dates.get(key);
    if (date === undefined) {
      date = find();
      this.#dates.set(key, date);
    }
    return date;
  }

  /** The one that came out first of those that came out after `dateMs`, whatever their versions. */
  firstReleasedAfter(dateMs: number): Release | null {
    let first: Release | null = null;
    for (const list of [this.comparable, this.incomparable]) {
      for (const release of list) {
        if (release.dateMs > dateMs && (first === null || release.dateMs < first.dateMs)) first = release;
      }
    }
    return first;
  }

  /** Where all lines count, the job's own latest; where all flavors do, one without. */
  #latestAmong(
    comparable: readonly ComparableRelease[],
    deployed: Version | null,
    counted: CountedOutliers,
    isWanted: (release: Release) => boolean,
  ): Release | null {
    const byDate = this.incomparable.find((release) => release.version === null && isWanted(release)) ?? null;
    if (deployed === null) {
      const wanted = new Set(comparable.filter(isWanted));
      return ownLatest(this.#set, (release) => wanted.has(release), counted) ?? byDate;
    }
    const isPlain = (release: ComparableRelease) => release.version.flavor === '' && isWanted(release);
    const plain = this.variantRule === 'all' ? comparable.find(isPlain) : undefined;
    return plain ?? comparable.find(isWanted) ?? byDate;
  }
}

/** Why a release doesn't count whatever its flavor and age; `null` where it may. Withdrawing one is another matter. */
type Refusal = (release: Release) => LeftOutReason | null;

function refusing(
  set: ReleaseSet,
  options: CandidateOptions,
  deployed: Version | null,
  counted: CountedOutliers,
): Refusal {
  const { stableOnly, candidatePattern, ignoredVersions } = options;
  const isIgnored = ignoring(set, ignoredVersions);
  const refusal: Refusal = (release) => {
    if (release.isYanked) return 'yanked';
    if (stableOnly && release.isPrerelease) return 'prerelease';
    if (isIgnored !== null && isIgnored(release)) return 'ignored';
    if (candidatePattern !== null && !candidatePattern.matches(release.text)) return 'candidate_pattern';
    return null;
  };
  // Most jobs have neither moving tags nor outliers.
  if (![...set.lines.values()].some((line) => line.hasMovingTags || line.hasOutliers)) return refusal;
  return (release) => {
    const line = release.version === null ? undefined : set.lines.get(release.version.line);
    if (line?.isMoving(release)) return 'moving_tag';
    const reason = refusal(release);
    if (reason !== null) return reason;
    if (!line?.isOutlier(release) || counted.has(release)) return null;
    return release.version?.rank === deployed?.rank ? null : 'outlier';
  };
}

/** Since when an outlier counts that is listed. */
type CountedOutliers = ReadonlyMap<Release, number>;

const noOutliers: CountedOutliers = new Map();

function countedOutliers(set: ReleaseSet, listed: readonly CountedVersion[]): CountedOutliers {
  if (listed.length === 0) return noOutliers;
  const counted = new Map<Release, number>();
  for (const { version: text, sinceMs } of listed) {
    const { version } = findDeployed(set, text);
    if (version === null) continue;
    for (const release of set.sameAs(version)) {
      // What fits its line counts from its own date, also where it didn't fit once.
      if (!set.lines.get(version.line)?.isOutlier(release)) continue;
      counted.set(release, Math.min(sinceMs, counted.get(release) ?? Infinity));
    }
  }
  return counted;
}

/** An outlier that is listed counts from then on: nobody was behind it before. */
function withDates(
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

/** Those that may count in time, whatever the flavor; the others are tallied. */
function sortOut<R extends Release>(
  releases: readonly R[],
  refusal: Refusal,
  tally: LeftOutTally,
): { passing: R[]; withdrawn: R[] } {
  const passing: R[] = [];
  const withdrawn: R[] = [];
  for (const release of releases) {
    const reason = refusal(release);
    if (release.isWithdrawn) tally.add('withdrawn', release);
    else if (reason !== null) tally.add(reason, release);
    if (reason === null) (release.isWithdrawn ? withdrawn : passing).push(release);
  }
  return { passing, withdrawn };
}

function tallyOtherLines(set: ReleaseSet, own: Line, tally: LeftOutTally): void {
  if (set.lines.size === 1) return;
  const examples = set.comparable.filter(({ version }) => version.line !== own.name);
  tally.addAll('other_line', examples.length, examples);
}

/** Whether what has a date only is compared with the deployed version: a platform tag with those of its shape. */
function isOfShape(release: Release, platformTag: Version | null): boolean {
  if (platformTag === null) return release.version === null;
  const { version } = release;
  return version !== null && version.line === platformTag.line && version.flavor === platformTag.flavor;
}

function ignoring(set: ReleaseSet, texts: readonly string[]): ((release: Release) => boolean) | null {
  if (texts.length === 0) return null;
  const ignored = new Set<Release>();
  for (const text of texts) {
    const { version } = findDeployed(set, text);
    if (version !== null) for (const release of set.sameAs(version)) ignored.add(release);
  }
  if (ignored.size === 0 && texts.every((text) => set.withText(text) === null)) return null;
  return (release) => ignored.has(release) || texts.includes(release.text);
}

/** The deployed version's own flavor; if nothing has it, what has none; if everything has one, all. */
function chooseVariantRule(
  releases: readonly ComparableRelease[],
  deployed: Version | null,
  bornBeforeMs: number,
): VariantRule {
  if (deployed === null) return 'all';
  let isPlainThere = false;
  for (const { version, dateMs } of releases) {
    if (dateMs > bornBeforeMs) continue;
    if (version.flavor === deployed.flavor) return 'own_variant';
    if (version.flavor === '') isPlainThere = true;
  }
  return isPlainThere ? 'without_suffix' : 'all';
}

/**
 * Whether a release counts once it is old enough. A fallback watches the own flavor as well: none of that is
 * old enough yet, and the first that is ends the fallback.
 */
function isWatched(version: Version, rule: VariantRule, ownFlavor: string): boolean {
  switch (rule) {
    case 'own_variant':
      return version.flavor === ownFlavor;
    case 'without_suffix':
      return version.flavor === '' || version.flavor === ownFlavor;
    case 'all':
      return true;
  }
}

function cacheKey(set: ReleaseSet, options: CandidateOptions, deployed: DeployedInLine): string {
  const { version, platformTag } = deployed;
  return JSON.stringify([
    version === null ? null : [version.line, version.flavor, outlierRank(set, version)],
    platformTag === null ? null : [platformTag.line, platformTag.flavor],
    options.stableOnly,
    options.minReleaseAgeDays,
    options.candidatePattern?.source ?? null,
    options.ignoredVersions,
    options.countedVersions?.map(({ version: text, sinceMs }) => [text, sinceMs]) ?? [],
  ]);
}

/** An outlier counts where it is deployed, so that its candidates are its own. */
function outlierRank(set: ReleaseSet, version: Version): string {
  const line = set.lines.get(version.line);
  if (line === undefined || !line.hasOutliers) return '';
  return set.sameAs(version).some((release) => line.isOutlier(release)) ? version.rank : '';
}

interface YearChange {
  readonly highestSmall: bigint | null;
  readonly firstYear: bigint | null;
}

/** Where a project went over from small numbers to years. */
function yearChange(highestFirst: readonly ComparableRelease[]): YearChange {
  // Years are above all small numbers.
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

/** At each place, the place of the one that came out first among those up to it. */
function earliestSoFar(releases: readonly Release[]): Uint32Array {
  const places = new Uint32Array(releases.length);
  let earliestMs = Infinity;
  let earliest = 0;
  for (const [index, release] of releases.entries()) {
    if (release.dateMs < earliestMs) {
      earliestMs = release.dateMs;
      earliest = index;
    }
    places[index] = earliest;
  }
  return places;
}

/** At each place, the number of distinct pairs of major and minor number up to it. */
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

function isSamePair(a: Version, b: Version): boolean {
  return (a.numbers[0] ?? 0) === (b.numbers[0] ?? 0) && (a.numbers[1] ?? 0) === (b.numbers[1] ?? 0);
}
