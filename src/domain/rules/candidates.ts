import type { Version } from '../versions/version-scheme.ts';
import { dayMs } from './behind-days.ts';
import { type LeftOut, LeftOutTally } from './left-out.ts';
import { type ComparableRelease, countAbove, type Release, type ReleaseSet } from './release-set.ts';
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
}

/** Which releases the deployed version is compared with: those of its variant, or a fallback. */
export type VariantRule = 'own_variant' | 'without_suffix' | 'all';

export type CandidateCache = Map<string, Candidates>;

/**
 * The releases that count for a deployed version.
 *
 * @param deployed `null` when there is none that can be compared: then every variant counts, and also what
 *   is no version at all.
 */
export function selectCandidates(
  set: ReleaseSet,
  options: CandidateOptions,
  deployed: Version | null,
  nowMs: number,
): Candidates {
  const bornBeforeMs = options.minReleaseAgeDays === 0 ? Infinity : nowMs - options.minReleaseAgeDays * dayMs;
  const key = cacheKey(options, deployed);
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
  readonly #set: ReleaseSet;
  /** Holds for every limit of birth from the first up to, not including, the second. */
  readonly #validFromMs: number;
  readonly #validUntilMs: number;
  #pairCounts: Uint32Array | null = null;
  #earliest: Uint32Array | null = null;
  readonly #dates = new Map<string, number | null>();

  constructor(set: ReleaseSet, options: CandidateOptions, deployed: Version | null, bornBeforeMs: number) {
    this.#set = set;
    const tally = new LeftOutTally();
    const comparable = withoutRefused(set.comparable, set, options, tally);
    let incomparable: readonly Release[] = [];
    if (deployed === null) incomparable = withoutRefused(set.incomparable, set, options, tally);
    else for (const release of set.incomparable) tally.add('not_a_version', release);

    this.variantRule = chooseVariantRule(comparable, deployed, bornBeforeMs);
    const variant = deployed?.variant ?? '';
    const old: ComparableRelease[] = [];
    const oldIncomparable: Release[] = [];
    let youngestOldMs = -Infinity;
    let oldestYoungMs = Infinity;
    const isOld = (release: Release): boolean => {
      if (release.dateMs <= bornBeforeMs) {
        youngestOldMs = Math.max(youngestOldMs, release.dateMs);
        return true;
      }
      oldestYoungMs = Math.min(oldestYoungMs, release.dateMs);
      tally.add('too_young', release);
      return false;
    };
    for (const release of comparable) {
      if (!isWatched(release.version, this.variantRule, variant)) tally.add('other_variant', release);
      else if (isOld(release)) old.push(release);
    }
    for (const release of incomparable) if (isOld(release)) oldIncomparable.push(release);

    this.comparable = old;
    this.incomparable = oldIncomparable;
    this.#validFromMs = youngestOldMs;
    this.#validUntilMs = oldestYoungMs;
    this.nextChangeAtMs =
      oldestYoungMs === Infinity ? null : oldestYoungMs + options.minReleaseAgeDays * dayMs;
    this.latest = this.#latestAmong(() => true);
    this.latestStable = this.#latestAmong((release) => !release.isPrerelease);
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

  /** The one that came out first among those above `version`. */
  firstReleasedAbove(version: Version): Release | null {
    const count = this.countAbove(version);
    if (count === 0) return null;
    this.#earliest ??= earliestSoFar(this.comparable);
    return this.comparable[this.#earliest[count - 1] ?? 0] ?? null;
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

  /** When the first one came out whose major number is at least `major`; `null` when there is none. */
  firstDateOfMajor(major: bigint): number | null {
    return this.#dateOnce(`major ${major}`, () => {
      let first = Infinity;
      for (const { version, dateMs } of this.comparable) {
        if (dateMs < first && BigInt(version.numbers[0] ?? 0) >= major) first = dateMs;
      }
      return first === Infinity ? null : first;
    });
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
      for (const release of this.comparable.slice(0, above)) {
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

  /** By precedence. Where all variants count, one without suffix is what a reader would call the latest. */
  #latestAmong(isWanted: (release: Release) => boolean): Release | null {
    const isPlain = (release: ComparableRelease) => !release.version.hasSuffix && isWanted(release);
    const plain = this.variantRule === 'all' ? this.comparable.find(isPlain) : undefined;
    return plain ?? this.comparable.find(isWanted) ?? this.incomparable.find(isWanted) ?? null;
  }
}

/** Those that may count in time, whatever is deployed; the others are tallied. */
function withoutRefused<R extends Release>(
  releases: readonly R[],
  set: ReleaseSet,
  { stableOnly, candidatePattern, ignoredVersions }: CandidateOptions,
  tally: LeftOutTally,
): R[] {
  const isIgnored = ignoring(set, ignoredVersions);
  const passing: R[] = [];
  for (const release of releases) {
    if (release.isWithdrawn) tally.add('withdrawn', release);
    else if (release.isYanked) tally.add('yanked', release);
    else if (stableOnly && release.isPrerelease) tally.add('prerelease', release);
    else if (isIgnored?.(release)) tally.add('ignored', release);
    else if (candidatePattern?.matches(release.text) === false) tally.add('candidate_pattern', release);
    else passing.push(release);
  }
  return passing;
}

function ignoring(set: ReleaseSet, texts: readonly string[]): ((release: Release) => boolean) | null {
  if (texts.length === 0) return null;
  const ignored = new Set<Release>();
  for (const text of texts) {
    const version = set.scheme.parse(text);
    if (version !== null) for (const release of set.sameAs(version)) ignored.add(release);
  }
  return (release) => ignored.has(release) || (release.version === null && texts.includes(release.text));
}

/** The deployed version's own variant; if nothing has it, what has no suffix; if nothing is without, all. */
function chooseVariantRule(
  releases: readonly ComparableRelease[],
  deployed: Version | null,
  bornBeforeMs: number,
): VariantRule {
  if (deployed === null) return 'all';
  let isPlainThere = false;
  for (const { version, dateMs } of releases) {
    if (dateMs > bornBeforeMs) continue;
    if (version.variant === deployed.variant) return 'own_variant';
    if (!version.hasSuffix) isPlainThere = true;
  }
  return isPlainThere ? 'without_suffix' : 'all';
}

/**
 * Whether a release counts once it is old enough. A fallback watches the own variant as well: none of that is
 * old enough yet, and the first that is ends the fallback.
 */
function isWatched(version: Version, rule: VariantRule, ownVariant: string): boolean {
  switch (rule) {
    case 'own_variant':
      return version.variant === ownVariant;
    case 'without_suffix':
      return !version.hasSuffix || version.variant === ownVariant;
    case 'all':
      return true;
  }
}

function cacheKey(options: CandidateOptions, deployed: Version | null): string {
  return JSON.stringify([
    deployed?.variant ?? null,
    options.stableOnly,
    options.minReleaseAgeDays,
    options.candidatePattern?.source ?? null,
    options.ignoredVersions,
  ]);
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
