import type { Version } from '../versions/version-scheme.ts';
import { type CountedOutliers, countedOutliers, withCountedDates } from './counted-outliers.ts';
import { findSuccessor } from './ended-variant.ts';
import { createReleaseExclusion, type Exclusion } from './exclusion.ts';
import { findJump, type Jump } from './jumps.ts';
import { ExclusionCounter, type LeftOut } from './left-out.ts';
import { NewerReleases } from './newer-releases.ts';
import { latestOfJob } from './own-latest.ts';
import type { ComparableRelease, Line, Release, ReleaseSet } from './release-set.ts';
import type { ResolvedDeployed } from './resolve-deployed.ts';
import { dayMs } from './stored-lag.ts';
import { textFingerprint } from './text-fingerprint.ts';

/** Settings of a rule and an alert configuration that determine which releases qualify. */
export interface CandidateOptions {
  readonly stableOnly: boolean;
  /** Minimum age in whole days. With 0, all releases qualify immediately. */
  readonly minReleaseAgeDays: number;
  readonly candidatePattern: CandidatePattern | null;
  /** Versions that never qualify, in any spelling. */
  readonly ignoredVersions: readonly string[];
  /** Outliers that qualify nevertheless, in any spelling. The default is none. */
  readonly countedVersions?: readonly CountedVersion[];
}

export interface CountedVersion {
  readonly version: string;
  /**
   * Time at which the version was added to the list. A deployed version is considered behind this version
   * from that time on, even if the release is older.
   */
  readonly sinceMs: number;
}

export interface CandidatePattern {
  /** Identifies the pattern. Two patterns with the same source must match the same versions. */
  readonly source: string;
  readonly matches: (version: string) => boolean;
}

/**
 * Determines which releases of its line the deployed version is compared with: those of its variant, or a
 * fallback.
 */
export type VariantRule = 'own_variant' | 'without_suffix' | 'all';

export type CandidateCache = Map<string, Candidates>;

/**
 * Returns the releases that qualify for comparison with a deployed version.
 *
 * @param deployed The result of `resolveDeployed`. If it has no version, releases are compared by date: a
 * platform tag with tags of the same shape, and any other text with all releases, including those that aren't
 * versions.
 */
export function selectCandidates(
  set: ReleaseSet,
  options: CandidateOptions,
  deployed: ResolvedDeployed,
  nowMs: number,
): Candidates {
  const latestAllowedDateMs =
    options.minReleaseAgeDays === 0 ? Infinity : nowMs - options.minReleaseAgeDays * dayMs;
  const key = cacheKey(set, options, deployed);
  const cached = set.candidateCache.get(key);
  if (cached?.isValidFor(latestAllowedDateMs)) return cached;
  const candidates = new Candidates(set, options, deployed, latestAllowedDateMs);
  set.candidateCache.delete(key);
  set.candidateCache.set(key, candidates);
  // The configurations of a job usually share a few sets of options. The limit is for thousands of
  // configurations that each have a separate list of ignored versions: they would keep thousands of copies of
  // the releases in memory.
  if (set.candidateCache.size > maxCached) {
    const [oldest] = set.candidateCache.keys();
    if (oldest !== undefined) set.candidateCache.delete(oldest);
  }
  return candidates;
}

const maxCached = 32;

/** Immutable set of the candidates at one time. It's valid until the next release reaches the minimum age. */
export class Candidates {
  readonly variantRule: VariantRule;
  /** Releases that can be compared by version, highest first. */
  readonly comparable: readonly ComparableRelease[];
  /**
   * Releases that can be compared only by date, newest first. Empty if the deployed version can be compared
   * as a version.
   */
  readonly incomparable: readonly Release[];
  /** The comparable releases above a version. */
  readonly newer: NewerReleases;
  readonly latest: Release | null;
  readonly latestStable: Release | null;
  readonly leftOut: readonly LeftOut[];
  /** Fingerprint that changes whenever `leftOut` changes. */
  readonly leftOutFingerprint: string;
  /** Time at which the next release reaches the minimum age, or `null` if none does. */
  readonly nextChangeAtMs: number | null;
  /** Outliers that qualify because the options list them: up to three, highest first. */
  readonly counted: readonly string[];
  readonly #set: ReleaseSet;
  readonly #exclusion: Exclusion;
  readonly #countedOutliers: CountedOutliers;
  /**
   * The candidates are valid for each `latestAllowedDateMs` from `#validFromMs` (inclusive) to `#validUntilMs`
   * (exclusive).
   */
  readonly #validFromMs: number;
  readonly #validUntilMs: number;
  #jump: Jump | null | undefined;
  #newestOfAll: Release | null | undefined;
  readonly #successors = new Map<string, ComparableRelease | null>();

  constructor(
    set: ReleaseSet,
    options: CandidateOptions,
    deployed: ResolvedDeployed,
    latestAllowedDateMs: number,
  ) {
    this.#set = set;
    const tally = new ExclusionCounter();
    const { version } = deployed;
    const own = version === null ? null : (set.lines.get(version.line) ?? null);
    // If the deployed version has no line, compare it with all releases.
    const releases = version === null ? set.comparable : (own?.releases ?? set.comparable);
    const counted = countedOutliers(set, options.countedVersions ?? []);
    this.#countedOutliers = counted;
    this.#exclusion = createReleaseExclusion(set, options, version, counted);
    const { passing: comparable, withdrawn } = partitionReleases(releases, this.#exclusion, tally);
    const comparableByDate: Release[] = [];
    for (const release of set.incomparable) {
      if (version === null && hasShapeOf(release, deployed.platformTag)) comparableByDate.push(release);
      else tally.add(release.version === null ? 'not_a_version' : 'platform_tag', release);
    }
    const { passing: incomparable } = partitionReleases(comparableByDate, this.#exclusion, tally);
    if (own !== null) tallyOtherLines(set, own, tally);

    this.variantRule = chooseVariantRule(comparable, version, latestAllowedDateMs);
    const variant = version?.variant ?? '';
    const old: ComparableRelease[] = [];
    const oldIncomparable: Release[] = [];
    let maxReleaseDateMs = -Infinity;
    let minTooYoungDateMs = Infinity;
    const isOld = (release: Release): boolean => {
      if (release.dateMs <= latestAllowedDateMs) {
        maxReleaseDateMs = Math.max(maxReleaseDateMs, release.dateMs);
        return true;
      }
      minTooYoungDateMs = Math.min(minTooYoungDateMs, release.dateMs);
      return false;
    };
    for (const release of comparable) {
      if (!isWatched(release.version, this.variantRule, variant)) tally.add('other_variant', release);
      else if (isOld(release)) old.push(release);
      else tally.add('too_young', release);
    }
    for (const release of incomparable) {
      if (isOld(release)) oldIncomparable.push(release);
      else tally.add('too_young', release);
    }

    // A platform tag is compared only with tags of the same shape, so releases with a version aren't candidates. They
    // only determine the latest release.
    this.comparable = deployed.platformTag === null ? old : [];
    this.incomparable = oldIncomparable;
    this.newer = new NewerReleases(set.scheme, {
      counting: withCountedDates(this.comparable, counted),
      published: withCountedDates(this.comparable, counted, options.minReleaseAgeDays * dayMs),
      // Withdrawn releases are included at any age. All candidates have reached the minimum age, so they were
      // released before any release that hasn't. The first release above a version is therefore never a
      // withdrawn one below the minimum age.
      withdrawn: withCountedDates(
        withdrawn.filter((release) => isWatched(release.version, this.variantRule, variant)),
        counted,
      ),
    });
    this.counted = this.comparable
      .filter((release) => counted.has(release))
      .slice(0, 3)
      .map(({ text }) => text);
    this.#validFromMs = maxReleaseDateMs;
    this.#validUntilMs = minTooYoungDateMs;
    this.nextChangeAtMs =
      minTooYoungDateMs === Infinity ? null : minTooYoungDateMs + options.minReleaseAgeDays * dayMs;
    this.latest = this.#latestAmong(old, version, counted, () => true);
    this.latestStable = this.#latestAmong(old, version, counted, (release) => !release.isPrerelease);
    this.leftOut = tally.list();
    this.leftOutFingerprint = textFingerprint(JSON.stringify(this.leftOut));
  }

  get size(): number {
    return this.comparable.length + this.incomparable.length;
  }

  isValidFor(latestAllowedDateMs: number): boolean {
    const isEndless = this.#validUntilMs === Infinity;
    return (
      latestAllowedDateMs >= this.#validFromMs && (isEndless || latestAllowedDateMs < this.#validUntilMs)
    );
  }

  /** Returns the unusual jump to the latest release if `version` is below it. */
  jumpAbove(version: Version): Jump | null {
    if (this.#jump === undefined) this.#jump = findJump(this.comparable);
    const first = this.#jump?.above.at(-1);
    return first !== undefined && this.#set.scheme.compare(first.version, version) > 0
      ? (this.#jump ?? null)
      : null;
  }

  /**
   * Returns the release that continues `version` if `version` is the last release of a variant that has
   * ended, otherwise `null`.
   */
  successorOf(version: Version): ComparableRelease | null {
    if (this.variantRule !== 'own_variant') return null;
    const key = `${version.variant} ${version.rank}`;
    let successor = this.#successors.get(key);
    if (successor === undefined) {
      successor = findSuccessor(this.#set, version, (release) => {
        return !release.isWithdrawn && this.#exclusion(release) === null;
      });
      this.#successors.set(key, successor);
    }
    return successor;
  }

  /**
   * Returns the highest other candidate if upstream has ended the numbering of `version`. That's the case if
   * the version is an outlier that qualifies only because it's deployed, and no candidate is higher. For
   * example, `2015.1.4` is deployed, and upstream continues with 28.0.0. Otherwise, returns `null`.
   */
  numberingAfter(version: Version): ComparableRelease | null {
    const line = this.#set.lines.get(version.line);
    if (line === undefined || !line.hasOutliers || this.newer.count(version) > 0) return null;
    const own = this.#set.sameAs(version);
    if (!own.some((release) => line.isOutlier(release))) return null;
    if (own.some((release) => this.#countedOutliers.has(release))) return null;
    return this.comparable.find((release) => release.version.rank !== version.rank) ?? null;
  }

  /**
   * The most recent release of any line, variant, and age, or `null`. Outliers are included, because they
   * also show that upstream is active. Tags that aren't versions are included only if no versions exist,
   * because some tags move every day.
   */
  get newestOfAll(): Release | null {
    if (this.#newestOfAll === undefined) {
      this.#newestOfAll =
        this.#newestAmong(this.#set.comparable) ?? this.#newestAmong(this.#set.incomparable);
    }
    return this.#newestOfAll;
  }

  #newestAmong(releases: readonly Release[]): Release | null {
    let newest: Release | null = null;
    for (const release of releases) {
      if (release.isWithdrawn || (newest !== null && release.dateMs <= newest.dateMs)) continue;
      const reason = this.#exclusion(release);
      if (reason === null || reason === 'outlier') newest = release;
    }
    return newest;
  }

  /** Returns the first release after `dateMs`, regardless of its version. */
  firstReleasedAfter(dateMs: number): Release | null {
    let first: Release | null = null;
    for (const list of [this.comparable, this.incomparable]) {
      for (const release of list) {
        if (release.dateMs > dateMs && (first === null || release.dateMs < first.dateMs)) first = release;
      }
    }
    return first;
  }

  /**
   * Returns the latest release. If the deployed version can't be compared, the latest release can be in any
   * line. If releases of all variants are candidates, prefers a release without a variant.
   */
  #latestAmong(
    comparable: readonly ComparableRelease[],
    deployed: Version | null,
    counted: CountedOutliers,
    isEligible: (release: Release) => boolean,
  ): Release | null {
    const byDate =
      this.incomparable.find((release) => release.version === null && isEligible(release)) ?? null;
    if (deployed === null) {
      const wanted = new Set(comparable.filter(isEligible));
      return latestOfJob(this.#set, (release) => wanted.has(release), counted) ?? byDate;
    }
    const isPlain = (release: ComparableRelease) => release.version.variant === '' && isEligible(release);
    const plain = this.variantRule === 'all' ? comparable.find(isPlain) : undefined;
    return plain ?? findHighestInSameFormat(deployed, comparable, isEligible) ?? byDate;
  }
}

/**
 * Returns the highest release. Among equal releases, prefers the one whose platform has the same format as
 * that of the deployed version: 1.25.4-alpine for 1.25.3-alpine, and 1.25.4-alpine3.20 for 1.25.3-alpine3.19.
 */
function findHighestInSameFormat(
  deployed: Version,
  highestFirst: readonly ComparableRelease[],
  isEligible: (release: Release) => boolean,
): ComparableRelease | null {
  let highest: ComparableRelease | null = null;
  for (const release of highestFirst) {
    if (highest !== null && release.version.rank !== highest.version.rank) break;
    if (!isEligible(release)) continue;
    if (release.version.platformNumbers.length === deployed.platformNumbers.length) return release;
    highest ??= release;
  }
  return highest;
}

/** Selects the releases that qualify once they are old enough, regardless of variant. Tallies all others. */
function partitionReleases<R extends Release>(
  releases: readonly R[],
  exclusion: Exclusion,
  tally: ExclusionCounter,
): { passing: R[]; withdrawn: R[] } {
  const passing: R[] = [];
  const withdrawn: R[] = [];
  for (const release of releases) {
    const reason = exclusion(release);
    if (release.isWithdrawn) tally.add('withdrawn', release);
    else if (reason !== null) tally.add(reason, release);
    if (reason === null) (release.isWithdrawn ? withdrawn : passing).push(release);
  }
  return { passing, withdrawn };
}

function tallyOtherLines(set: ReleaseSet, own: Line, tally: ExclusionCounter): void {
  if (set.lines.size === 1) return;
  const examples = set.comparable.filter(({ version }) => version.line !== own.name);
  tally.addAll('other_line', examples.length, examples);
}

/**
 * True if a release can be compared only by date. If a platform tag is deployed, this applies to releases of
 * the same shape, otherwise to releases that aren't versions.
 */
function hasShapeOf(release: Release, platformTag: Version | null): boolean {
  if (platformTag === null) return release.version === null;
  const { version } = release;
  return version !== null && version.line === platformTag.line && version.variant === platformTag.variant;
}

/**
 * Returns `own_variant` if a release has the deployed version's variant. Otherwise, falls back to releases
 * without a variant, or to all releases if every release has a variant.
 */
function chooseVariantRule(
  releases: readonly ComparableRelease[],
  deployed: Version | null,
  latestAllowedDateMs: number,
): VariantRule {
  if (deployed === null) return 'all';
  let hasPlainRelease = false;
  for (const { version, dateMs } of releases) {
    if (dateMs > latestAllowedDateMs) continue;
    if (version.variant === deployed.variant) return 'own_variant';
    if (version.variant === '') hasPlainRelease = true;
  }
  return hasPlainRelease ? 'without_suffix' : 'all';
}

/**
 * True if a release qualifies, or will qualify when it's old enough. With a fallback, this includes the
 * releases of the deployed version's variant. They're all too young, and the first one that reaches the
 * minimum age ends the fallback.
 */
function isWatched(version: Version, rule: VariantRule, ownVariant: string): boolean {
  switch (rule) {
    case 'own_variant':
      return version.variant === ownVariant;
    case 'without_suffix':
      return version.variant === '' || version.variant === ownVariant;
    case 'all':
      return true;
  }
}

function cacheKey(set: ReleaseSet, options: CandidateOptions, deployed: ResolvedDeployed): string {
  const { version, platformTag } = deployed;
  return JSON.stringify([
    version === null
      ? null
      : [version.line, version.variant, version.platformNumbers.length, outlierRank(set, version)],
    platformTag === null ? null : [platformTag.line, platformTag.variant],
    options.stableOnly,
    options.minReleaseAgeDays,
    options.candidatePattern?.source ?? null,
    options.ignoredVersions,
    options.countedVersions?.map(({ version: text, sinceMs }) => [text, sinceMs]) ?? [],
  ]);
}

/**
 * Part of the cache key for deployed outliers. A deployed outlier qualifies, so its candidates differ from
 * those of other versions.
 */
function outlierRank(set: ReleaseSet, version: Version): string {
  const line = set.lines.get(version.line);
  if (line === undefined || !line.hasOutliers) return '';
  return set.sameAs(version).some((release) => line.isOutlier(release)) ? version.rank : '';
}
