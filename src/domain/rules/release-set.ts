import { compareKeys } from '../versions/precedence.ts';
import type { Version, VersionScheme, VersionSchemeId } from '../versions/version-scheme.ts';
import { versionScheme } from '../versions/versions.ts';
import type { CandidateCache } from './candidates.ts';
import { MovingTags } from './moving-tags.ts';
import { findOutliers } from './outliers.ts';
import { findPlatformTags } from './platform-tags.ts';

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

/** `counted_at`: an outlier that an alert configuration counts since then. */
export type DateSource = 'released_at' | 'discovered_at' | 'counted_at';

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

export interface ReleaseSetOptions {
  /** The releases are tags of an image: some of them move. */
  readonly isImage?: boolean;
}

/** Reads all releases of a gather job once, for every configuration that compares with them. */
export function prepareReleases(
  schemeId: VersionSchemeId,
  rows: Iterable<ReleaseRow>,
  options: ReleaseSetOptions = {},
): ReleaseSet {
  return new ReleaseSet(versionScheme(schemeId), rows, options);
}

/**
 * All releases of one gather job, read and put in order. It never changes. What can be shared between
 * configurations (the order, the lines, the candidates under equal options) is made at first use and kept.
 *
 * What depends on the other releases of the job is decided here, over all of them whatever their flags, so that
 * withdrawing one changes nothing about the others: two numbers joined by a character, platform tags, moving tags,
 * outliers.
 */
export class ReleaseSet {
  readonly scheme: VersionScheme;
  readonly size: number;
  /** Owned by `candidates.ts`: what the same options selected before. */
  readonly candidateCache: CandidateCache = new Map();
  readonly #isImage: boolean;
  readonly #comparable: Release[] = [];
  readonly #incomparable: Release[] = [];
  readonly #byText = new Map<string, Release>();
  #contents: Contents | null = null;

  constructor(scheme: VersionScheme, rows: Iterable<ReleaseRow>, options: ReleaseSetOptions = {}) {
    this.scheme = scheme;
    this.#isImage = options.isImage ?? false;
    let size = 0;
    for (const row of rows) {
      const release = toRelease(scheme, row);
      (release.version === null ? this.#incomparable : this.#comparable).push(release);
      size++;
    }
    this.size = size;
  }

  /** Those whose version the scheme can read, the highest first; platform tags are none. */
  get comparable(): readonly ComparableRelease[] {
    return this.#read().comparable;
  }

  /** Those that have a date only, the newest first: the scheme cannot read them, or they are platform tags. */
  get incomparable(): readonly Release[] {
    return this.#read().incomparable;
  }

  /** The comparable ones by the name of their line. */
  get lines(): ReadonlyMap<string, Line> {
    return this.#read().lines;
  }

  withText(text: string): Release | null {
    this.#read();
    return this.#byText.get(text) ?? null;
  }

  isPlatformTag(version: Version): boolean {
    return this.#read().isPlatformTag(version);
  }

  /** The release that a tag of an image stands for; `null` for what doesn't move. */
  movesTo(version: Version): ComparableRelease | null {
    return this.#read().movingTags?.target(version) ?? null;
  }

  /** Every release of the same line, flavor and rank. */
  sameAs(version: Version): readonly ComparableRelease[] {
    const all = this.lines.get(version.line)?.releases ?? [];
    const same: ComparableRelease[] = [];
    for (let index = countAbove(this.scheme, all, version); index < all.length; index++) {
      const release = all[index];
      if (release === undefined || release.version.rank !== version.rank) break;
      if (release.version.flavor === version.flavor) same.push(release);
    }
    return same;
  }

  /**
   * The highest release below `version`, whatever its flags: of its own flavor, else of its line (a chart beside its
   * application may be years apart), else of any.
   */
  nearestBelow(version: Version): ComparableRelease | null {
    const line = this.lines.get(version.line)?.releases ?? [];
    const isOfFlavor = (release: ComparableRelease) => release.version.flavor === version.flavor;
    return (
      this.#firstBelow(line, version, isOfFlavor) ??
      this.#firstBelow(line, version) ??
      this.#firstBelow(this.comparable, version)
    );
  }

  /** Whether `version` is above every release of its line, whatever the flags of those; false without one. */
  isBelow(version: Version): boolean {
    const highest = this.lines.get(version.line)?.releases[0];
    return highest !== undefined && this.scheme.compare(version, highest.version) > 0;
  }

  #firstBelow(
    releases: readonly ComparableRelease[],
    version: Version,
    isWanted: (release: ComparableRelease) => boolean = () => true,
  ): ComparableRelease | null {
    for (let index = countAbove(this.scheme, releases, version); index < releases.length; index++) {
      const release = releases[index];
      if (release !== undefined && release.version.rank !== version.rank && isWanted(release)) return release;
    }
    return null;
  }

  #read(): Contents {
    this.#contents ??= this.#arrange();
    return this.#contents;
  }

  #arrange(): Contents {
    const { scheme } = this;
    const all = this.#comparable as ComparableRelease[];
    rereadJoined(scheme, all);
    const isPlatformTag = findPlatformTags(all.map(({ version }) => version));
    const comparable: ComparableRelease[] = [];
    const incomparable = this.#incomparable;
    for (const release of all) (isPlatformTag(release.version) ? incomparable : comparable).push(release);
    comparable.sort(
      (a, b) => scheme.compare(b.version, a.version) || comparePreference(scheme, a, b) || compareRows(a, b),
    );
    incomparable.sort((a, b) => b.dateMs - a.dateMs || compareRows(a, b));
    for (const list of [comparable, incomparable]) {
      for (const release of list) {
        const known = this.#byText.get(release.text);
        if (known === undefined || compareRows(release, known) < 0) this.#byText.set(release.text, release);
      }
    }
    const lines = toLines(comparable);
    const movingTags = this.#isImage ? new MovingTags(comparable) : null;
    for (const line of lines.values()) line.arrange(scheme, movingTags);
    return { comparable, incomparable, lines, isPlatformTag, movingTags };
  }
}

interface Contents {
  readonly comparable: readonly ComparableRelease[];
  readonly incomparable: readonly Release[];
  readonly lines: ReadonlyMap<string, Line>;
  readonly isPlatformTag: (version: Version) => boolean;
  readonly movingTags: MovingTags | null;
}

export interface ComparableRelease extends Release {
  readonly version: Version;
}

/** The releases with one name before the numbers. */
export class Line {
  readonly name: string;
  /** The highest first. */
  readonly releases: ComparableRelease[] = [];
  hasDots = false;
  #moving: ReadonlySet<Release> = noReleases;
  #outliers: ReadonlySet<Release> | null = null;
  #isLoose = false;

  constructor(name: string) {
    this.name = name;
  }

  arrange(scheme: VersionScheme, movingTags: MovingTags | null): void {
    this.#isLoose = scheme.id === 'auto';
    if (movingTags === null) return;
    this.#moving = new Set(this.releases.filter(({ version }) => movingTags.target(version) !== null));
  }

  /** A tag that stands for another one and is no release of its own. */
  isMoving(release: Release): boolean {
    return this.#moving.has(release);
  }

  get hasMovingTags(): boolean {
    return this.#moving.size > 0;
  }

  get hasOutliers(): boolean {
    return this.#findOutliers().size > 0;
  }

  /** A release that doesn't fit the line; the scheme `semver` leaves nothing to doubt. */
  isOutlier(release: Release): boolean {
    return this.#findOutliers().has(release);
  }

  #findOutliers(): ReadonlySet<Release> {
    // Moving tags too: a tag that began to move must not make the others look different.
    this.#outliers ??= this.#isLoose ? findOutliers(this.releases) : noReleases;
    return this.#outliers;
  }
}

const noReleases: ReadonlySet<Release> = new Set();

function toLines(highestFirst: readonly ComparableRelease[]): Map<string, Line> {
  const lines = new Map<string, Line>();
  let line = new Line('');
  for (const release of highestFirst) {
    const { version } = release;
    if (line.name !== version.line || line.releases.length === 0) {
      line = lines.get(version.line) ?? new Line(version.line);
      lines.set(version.line, line);
    }
    line.releases.push(release);
    line.hasDots ||= version.hasDots;
  }
  return lines;
}

/**
 * Two numbers joined by `_` or `-` are a number and its revision in a line whose releases have dots. This alone of what
 * a string says changes with the other releases; it is read again here and not stored.
 */
function rereadJoined(scheme: VersionScheme, releases: ComparableRelease[]): void {
  if (!releases.some(({ version }) => version.isJoined)) return;
  const dotted = new Set(
    releases.filter(({ version }) => version.hasDots).map(({ version }) => version.line),
  );
  for (const [index, release] of releases.entries()) {
    if (!release.version.isJoined || !dotted.has(release.version.line)) continue;
    const version = scheme.parseAmongDotted(release.text);
    if (version !== null) releases[index] = { ...release, version };
  }
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

/** Of equal rank the most complete one comes first, then the highest by key. */
function comparePreference(scheme: VersionScheme, a: ComparableRelease, b: ComparableRelease): number {
  return (
    completeness(b.version) - completeness(a.version) ||
    (a.text === b.text ? 0 : compareKeys(scheme.sortKey(b.version), scheme.sortKey(a.version)))
  );
}

/** How much a tag says: `25.0.0-0` more than `25.0.0`, and that more than `25.0`. */
function completeness(version: Version): number {
  return version.numbers.length + version.revision.length + version.platformNumbers.length;
}

/** Orders rows of one text, so that nothing depends on the order in which a database returns them. */
function compareRows(a: Release, b: Release): number {
  return (
    compareKeys(a.text, b.text) ||
    compareKeys(b.dateSource, a.dateSource) ||
    a.dateMs - b.dateMs ||
    compareKeys(a.url ?? '', b.url ?? '')
  );
}
