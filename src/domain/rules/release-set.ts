import type { Version, VersionScheme, VersionSchemeId } from '../versions/version-scheme.ts';
import { versionScheme } from '../versions/versions.ts';
import type { CandidateCache } from './candidates.ts';

/** A release as it is stored. Instants are milliseconds since 1970, UTC. */
export interface ReleaseRow {
  readonly version: string;
  readonly releasedAtMs: number | null;
  /** When it was first seen: stands in for a release date that the source does not tell. */
  readonly discoveredAtMs: number;
  /** What the source says; the version's own suffix is looked at here. */
  readonly isPrerelease: boolean;
  readonly isYanked: boolean;
  readonly isWithdrawn: boolean;
  readonly url: string | null;
}

export type DateSource = 'released_at' | 'discovered_at';

export interface Release {
  readonly text: string;
  /** `null` when the text is no version of the scheme. */
  readonly version: Version | null;
  readonly dateMs: number;
  readonly dateSource: DateSource;
  readonly isPrerelease: boolean;
  readonly isYanked: boolean;
  readonly isWithdrawn: boolean;
  readonly url: string | null;
}

/** Reads all releases of a gather job once, for every configuration that compares with them. */
export function prepareReleases(schemeId: VersionSchemeId, rows: Iterable<ReleaseRow>): ReleaseSet {
  return new ReleaseSet(versionScheme(schemeId), rows);
}

/**
 * All releases of one gather job, read and put in order. It never changes. What can be shared between
 * configurations (the order, the candidates under equal options) is made at first use and kept.
 */
export class ReleaseSet {
  readonly scheme: VersionScheme;
  readonly size: number;
  /** Owned by `candidates.ts`: what the same options selected before. */
  readonly candidateCache: CandidateCache = new Map();
  readonly #comparable: Release[] = [];
  readonly #incomparable: Release[] = [];
  readonly #byText = new Map<string, Release>();
  #isSorted = false;

  constructor(scheme: VersionScheme, rows: Iterable<ReleaseRow>) {
    this.scheme = scheme;
    let size = 0;
    for (const row of rows) {
      const release = toRelease(scheme, row);
      (release.version === null ? this.#incomparable : this.#comparable).push(release);
      const known = this.#byText.get(release.text);
      if (known === undefined || comparePreference(release, known) < 0)
        this.#byText.set(release.text, release);
      size++;
    }
    this.size = size;
  }

  /** Those whose version the scheme can read, the highest first. */
  get comparable(): readonly ComparableRelease[] {
    this.#sort();
    return this.#comparable as ComparableRelease[];
  }

  /** Those whose version the scheme cannot read, the newest first. */
  get incomparable(): readonly Release[] {
    this.#sort();
    return this.#incomparable;
  }

  withText(text: string): Release | null {
    return this.#byText.get(text) ?? null;
  }

  /** Every release that is this version of this variant, however it is written. */
  sameAs(version: Version): readonly ComparableRelease[] {
    const all = this.comparable;
    const first = this.#countAbove(version);
    let end = first;
    while (end < all.length && this.#compareAt(end, version) === 0) end++;
    return all.slice(first, end);
  }

  /**
   * The highest release below `version`, whatever its flags: of its own variant if there is one, for another
   * variant (a chart beside its application) may be years apart; else of any.
   */
  nearestBelow(version: Version): ComparableRelease | null {
    const all = this.comparable;
    let nearest: ComparableRelease | null = null;
    for (let index = this.#countAbove(version); index < all.length; index++) {
      const release = all[index];
      if (release === undefined || this.scheme.compare(release.version, version) === 0) continue;
      if (release.version.variant === version.variant) return release;
      nearest ??= release;
    }
    return nearest;
  }

  /** Whether `version` is above every release that can be compared, whatever the flags of those; false without one. */
  isBelow(version: Version): boolean {
    const highest = this.comparable[0];
    return highest !== undefined && this.scheme.compare(version, highest.version) > 0;
  }

  #countAbove(version: Version): number {
    return countAbove(this.scheme, this.comparable, version);
  }

  #compareAt(index: number, version: Version): number {
    const release = this.comparable[index];
    return release === undefined ? -1 : this.scheme.compare(release.version, version);
  }

  #sort(): void {
    if (this.#isSorted) return;
    const { compare } = this.scheme;
    (this.#comparable as ComparableRelease[]).sort(
      (a, b) => compare(b.version, a.version) || comparePreference(a, b),
    );
    this.#incomparable.sort((a, b) => b.dateMs - a.dateMs || comparePreference(a, b));
    this.#isSorted = true;
  }
}

export interface ComparableRelease extends Release {
  readonly version: Version;
}

/** How many of `highestFirst` are above `version`: they are its first ones. */
export function countAbove(
  scheme: VersionScheme,
  highestFirst: readonly ComparableRelease[],
  version: Version,
): number {
  let low = 0;
  let high = highestFirst.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const release = highestFirst[middle];
    if (release !== undefined && scheme.compare(release.version, version) > 0) low = middle + 1;
    else high = middle;
  }
  return low;
}

function toRelease(scheme: VersionScheme, row: ReleaseRow): Release {
  const version = scheme.parse(row.version);
  return {
    text: row.version,
    version,
    dateMs: row.releasedAtMs ?? row.discoveredAtMs,
    dateSource: row.releasedAtMs === null ? 'discovered_at' : 'released_at',
    isPrerelease: row.isPrerelease || (version?.isPrerelease ?? false),
    isYanked: row.isYanked,
    isWithdrawn: row.isWithdrawn,
    url: row.url,
  };
}

/** Orders equal versions, so that nothing depends on the order in which a database returns rows. */
function comparePreference(a: Release, b: Release): number {
  return (
    compareStrings(a.text, b.text) ||
    compareStrings(b.dateSource, a.dateSource) ||
    a.dateMs - b.dateMs ||
    compareStrings(a.url ?? '', b.url ?? '')
  );
}

function compareStrings(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
