import { excludeCommitIds } from '../versions/exclude-commit-ids.ts';
import { compareKeys } from '../versions/precedence.ts';
import type { Version, VersionScheme, VersionSchemeId } from '../versions/version-scheme.ts';
import { versionScheme } from '../versions/versions.ts';
import type { CandidateCache } from './candidates.ts';
import { MovingTags } from './moving-tags.ts';
import { findOutliers } from './outliers.ts';
import { findPlatformTags } from './platform-tags.ts';
import { createContextReader, type ReadInContext, readAsIs } from './read-in-context.ts';
import type { ReleaseChange } from './release-changes.ts';
import { markSharedDates } from './shared-dates.ts';

/** A stored release. Times are milliseconds since 1970, UTC. */
export interface ReleaseRow {
  readonly version: string;
  readonly releasedAtMs: number | null;
  /** Time when Pacekeeper first saw the release. Used as the date if the source doesn't report a release date. */
  readonly discoveredAtMs: number;
  /** Flag from the source. A pre-release suffix in the version has the same effect as this flag. */
  readonly isPrerelease: boolean;
  readonly isYanked: boolean;
  readonly isWithdrawn: boolean;
  readonly url: string | null;
  /**
   * Changes to the commit or digest that have no known reason, oldest first. `null` or absent if neither the
   * commit nor the digest is known, because changes can't be noticed then.
   */
  readonly moves?: readonly ReleaseChange[] | null;
}

/**
 * Source of a release's date. `counted_at`: the time from which an outlier counts as an ordinary release,
 * because a user chose that. `listed_at`: the date of an import or of a rebuilt index; the release itself can
 * be older.
 */
export type DateSource = 'released_at' | 'discovered_at' | 'counted_at' | 'listed_at';

export interface Release {
  readonly text: string;
  /** `null` if the text isn't a version in the scheme. */
  readonly version: Version | null;
  readonly dateMs: number;
  readonly dateSource: DateSource;
  /** Time when Pacekeeper first saw the release. */
  readonly seenMs: number;
  readonly isPrerelease: boolean;
  readonly isYanked: boolean;
  readonly isWithdrawn: boolean;
  readonly url: string | null;
  /**
   * Changes to the commit or digest that have no known reason, oldest first. `null` if neither the commit nor
   * the digest is known, because changes can't be noticed then. The changes can be later than the time of an
   * evaluation in the past.
   */
  readonly moves: readonly ReleaseChange[] | null;
}

/** Event from which a release is considered to exist: its release date, or the time when Pacekeeper first saw it. */
export type ExistenceStart = 'released' | 'seen';

export interface ReleaseSetOptions {
  /** True if the releases are image tags, so that some of them can move. */
  readonly isImage?: boolean;
  /**
   * True if the releases are versions that were deployed in another environment. Pre-releases are then considered
   * stable, no release is an outlier or a platform tag, and commits aren't versions.
   */
  readonly isDeployed?: boolean;
  /** Platform words in the format that `joinPlatformWords` returns. Default: none. */
  readonly platformWords?: string;
}

/** Parses all releases of a gather job once for all configurations that use them. */
export function prepareReleases(
  schemeId: VersionSchemeId,
  rows: Iterable<ReleaseRow>,
  options: ReleaseSetOptions = {},
): ReleaseSet {
  const steps = prepareInSteps(schemeId, rows, options);
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}

/** Number of releases parsed in one step. Parsing a release takes up to 0.1 ms. */
const parseBatchSize = 20;

/** Does the work of `prepareReleases` in short steps, because a job can have many thousands of releases. */
export function* prepareInSteps(
  schemeId: VersionSchemeId,
  rows: Iterable<ReleaseRow>,
  options: ReleaseSetOptions = {},
): Generator<void, ReleaseSet, void> {
  const releases = [...rows];
  const scheme =
    options.isDeployed === true
      ? deployedScheme(versionScheme(schemeId, options.platformWords), releases)
      : versionScheme(schemeId, options.platformWords);
  const parsed: ComparableRelease[] = [];
  const unparsed: Release[] = [];
  for (const [index, row] of releases.entries()) {
    if (index % parseBatchSize === 0) yield;
    const release = toRelease(scheme, row);
    if (isComparable(release)) parsed.push(release);
    else unparsed.push(release);
  }
  return new ReleaseSet(scheme, { parsed, unparsed, isSorted: false }, options);
}

function deployedScheme(scheme: VersionScheme, rows: readonly ReleaseRow[]): VersionScheme {
  const asStable = (version: Version | null) => version && { ...version, isPrerelease: false };
  const { parse, parseAmongDotted, ...rest } = excludeCommitIds(
    scheme,
    rows.map(({ version }) => version),
  );
  return {
    ...rest,
    parse: (text) => asStable(parse(text)),
    parseAmongDotted: (text) => asStable(parseAmongDotted(text)),
  };
}

/** Releases whose version strings were parsed independently of each other. */
interface Parsed {
  readonly parsed: readonly ComparableRelease[];
  readonly unparsed: readonly Release[];
  /**
   * True if `parsed` is already sorted. Parsing strings in the context of other releases can change the
   * order.
   */
  readonly isSorted: boolean;
}

/**
 * All releases of a gather job, parsed and sorted. Immutable. Data that configurations can share (the order,
 * the lines, the candidates for equal options) is computed at first use and cached.
 *
 * Joined numbers, platform tags, moving tags, and outliers depend on the other releases of the job. They're
 * determined from all releases, even withdrawn ones, so that withdrawing one release doesn't affect the
 * others.
 */
export class ReleaseSet {
  readonly scheme: VersionScheme;
  readonly size: number;
  /** Candidates by options. `candidates.ts` adds them. */
  readonly candidateCache: CandidateCache = new Map();
  /** Lines with a matching release, by pattern. `resolve-deployed.ts` adds them. */
  readonly followedLines = new Map<string, ReadonlyMap<string, Line>>();
  readonly #options: ReleaseSetOptions;
  #source: Parsed;
  #contents: Contents | null = null;

  constructor(scheme: VersionScheme, source: Parsed, options: ReleaseSetOptions = {}) {
    this.scheme = scheme;
    this.size = source.parsed.length + source.unparsed.length;
    this.#source = source;
    this.#options = options;
  }

  /**
   * Returns the releases that existed at a given time as a separate set. Properties that depend on other
   * releases are determined only from that set. The version strings aren't parsed again, and the order is
   * kept.
   */
  asOf(atMs: number, existenceStart: ExistenceStart): ReleaseSet {
    this.#read();
    const { parsed, unparsed, isSorted } = this.#source;
    const isBorn = (release: Release) => existsFromMs(release, existenceStart) <= atMs;
    const born = { parsed: parsed.filter(isBorn), unparsed: unparsed.filter(isBorn), isSorted };
    return new ReleaseSet(this.scheme, born, this.#options);
  }

  /**
   * Returns the times in (`fromMs`, `toMs`] at which releases started to exist or changed, earliest first.
   */
  changesBetween(fromMs: number, toMs: number, existenceStart: ExistenceStart): number[] {
    const changes = new Set<number>();
    for (const releases of [this.#source.parsed, this.#source.unparsed]) {
      for (const release of releases) {
        const atMs = existsFromMs(release, existenceStart);
        for (const changedAtMs of [atMs, ...(release.moves ?? []).map((move) => move.atMs)])
          if (changedAtMs > fromMs && changedAtMs <= toMs) changes.add(changedAtMs);
      }
    }
    return [...changes].sort((a, b) => a - b);
  }

  /** True if the releases are versions that were deployed in another environment. */
  get isDeployed(): boolean {
    return this.#options.isDeployed === true;
  }

  /** True if the releases are tags of an image. */
  get isImage(): boolean {
    return this.#options.isImage === true;
  }

  /** Releases that can be compared by version, highest first. Excludes platform tags. */
  get comparable(): readonly ComparableRelease[] {
    return this.#read().comparable;
  }

  /**
   * Releases that can be compared only by date, newest first: platform tags, and strings that aren't versions
   * in the scheme.
   */
  get incomparable(): readonly Release[] {
    return this.#read().incomparable;
  }

  /** The lines of the comparable releases, by name. */
  get lines(): ReadonlyMap<string, Line> {
    return this.#read().lines;
  }

  withText(text: string): Release | null {
    const contents = this.#read();
    contents.byText ??= indexTexts(contents);
    return contents.byText.get(text) ?? null;
  }

  /** Parses a string in the context of the releases. Returns `null` if it isn't a version. */
  parse(text: string): Version | null {
    const parsed = this.scheme.parse(text);
    return parsed === null ? null : this.#read().read(parsed);
  }

  isPlatformTag(version: Version): boolean {
    return this.#read().isPlatformTag(version);
  }

  /** Returns the release that an image tag points to, or `null` if the tag doesn't move. */
  movesTo(version: Version): ComparableRelease | null {
    return this.#read().movingTags?.target(version) ?? null;
  }

  /** Returns all releases with the same line, variant, and rank. */
  sameAs(version: Version): readonly ComparableRelease[] {
    const all = this.lines.get(version.line)?.releases ?? [];
    const same: ComparableRelease[] = [];
    for (let index = countAbove(this.scheme, all, version); index < all.length; index++) {
      const release = all[index];
      if (release === undefined || release.version.rank !== version.rank) break;
      if (release.version.variant === version.variant) same.push(release);
    }
    return same;
  }

  /**
   * Returns the highest release below `version`, regardless of flags. Prefers releases of the same variant,
   * then of the same line, then of any line. A release of another line is the last choice, because a chart
   * and its application can be years apart.
   */
  nearestBelow(version: Version): ComparableRelease | null {
    const line = this.lines.get(version.line)?.releases ?? [];
    const isOfVariant = (release: ComparableRelease) => release.version.variant === version.variant;
    return (
      this.#firstBelow(line, version, isOfVariant) ??
      this.#firstBelow(line, version) ??
      this.#firstBelow(this.comparable, version)
    );
  }

  /**
   * True if `version` is above all releases of its line, regardless of flags. `1.2.3-1.el9` isn't above
   * 1.2.3, because it's a package of that version. That doesn't apply if the releases are packages, too.
   * False if the line has no releases.
   *
   * @param isCounted Releases for which this function returns false are ignored.
   */
  isBelow(version: Version, isCounted: (release: ComparableRelease) => boolean = () => true): boolean {
    const highest = this.lines.get(version.line)?.releases.find(isCounted)?.version;
    if (highest === undefined || this.scheme.compare(version, highest) <= 0) return false;
    return highest.rank !== highest.upstreamRank || version.upstreamRank > highest.rank;
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

  #createContextReader(): ReadInContext {
    const { parsed, unparsed } = this.#source;
    return createContextReader(this.scheme, parsed, {
      isImage: this.#options.isImage === true,
      unparsed: unparsed.map(({ text }) => text),
    });
  }

  /**
   * True if version strings are parsed loosely, so that the other releases can change the meaning of a
   * string.
   */
  get #isLoose(): boolean {
    return this.scheme.id !== 'semver' && !this.isDeployed;
  }

  #read(): Contents {
    this.#contents ??= this.#arrange();
    return this.#contents;
  }

  #arrange(): Contents {
    const { scheme } = this;
    const { parsed, unparsed: withoutVersion, isSorted } = this.#source;
    const read = this.#isLoose ? this.#createContextReader() : readAsIs;
    const { comparable: inContext, incomparable: unparsed } = applyContext(read, parsed, withoutVersion);
    const reread = rereadJoined(scheme, inContext);
    const all = reread === parsed && isSorted ? parsed : reread.toSorted(compareIn(scheme));
    // If other releases changed how a string is parsed, keep the original versions, because a subset of this
    // set may not contain those releases.
    if (reread === parsed) this.#source = { parsed: all, unparsed: withoutVersion, isSorted: true };
    const isPlatformTag = this.isDeployed
      ? () => false
      : findPlatformTags(
          all.map(({ version }) => version),
          scheme.platforms,
        );
    const comparable: ComparableRelease[] = [];
    const incomparable = [...unparsed];
    for (const release of markSharedDates(all))
      (isPlatformTag(release.version) ? incomparable : comparable).push(release);
    incomparable.sort((a, b) => b.dateMs - a.dateMs || compareRows(a, b));
    const lines = toLines(comparable);
    const movingTags = this.#options.isImage === true ? new MovingTags(comparable) : null;
    for (const line of lines.values()) line.arrange({ isLoose: this.#isLoose, movingTags });
    return { comparable, incomparable, lines, read, isPlatformTag, movingTags, byText: null };
  }
}

interface Contents {
  readonly comparable: readonly ComparableRelease[];
  readonly incomparable: readonly Release[];
  readonly lines: ReadonlyMap<string, Line>;
  readonly read: ReadInContext;
  readonly isPlatformTag: (version: Version) => boolean;
  readonly movingTags: MovingTags | null;
  byText: ReadonlyMap<string, Release> | null;
}

export interface ComparableRelease extends Release {
  readonly version: Version;
}

/** Releases with the same name before the version numbers. */
export class Line {
  readonly name: string;
  /** Releases of the line, highest first. */
  readonly releases: ComparableRelease[] = [];
  hasDots = false;
  #moving: ReadonlySet<Release> = noReleases;
  #outliers: ReadonlySet<Release> | null = null;
  #isLoose = false;

  constructor(name: string) {
    this.name = name;
  }

  arrange({ isLoose, movingTags }: { isLoose: boolean; movingTags: MovingTags | null }): void {
    this.#isLoose = isLoose;
    if (movingTags === null) return;
    this.#moving = new Set(this.releases.filter(({ version }) => movingTags.target(version) !== null));
  }

  /** True if the release is a moving tag, which only points to another release. */
  isMoving(release: Release): boolean {
    return this.#moving.has(release);
  }

  get hasMovingTags(): boolean {
    return this.#moving.size > 0;
  }

  get hasOutliers(): boolean {
    return this.#findOutliers().size > 0;
  }

  /** True if the release doesn't fit the line. Always false in the `semver` scheme. */
  isOutlier(release: Release): boolean {
    return this.#findOutliers().has(release);
  }

  #findOutliers(): ReadonlySet<Release> {
    // Moving tags are included, so that a tag that starts to move doesn't change which other releases are outliers.
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

/** Reinterprets the releases in their context. Returns the same lists if the context changes nothing. */
function applyContext(
  read: ReadInContext,
  parsed: readonly ComparableRelease[],
  unparsed: readonly Release[],
): { comparable: readonly ComparableRelease[]; incomparable: readonly Release[] } {
  if (read === readAsIs) return { comparable: parsed, incomparable: unparsed };
  const comparable: ComparableRelease[] = [];
  const incomparable = [...unparsed];
  for (const release of parsed) {
    const version = read(release.version);
    if (version === null) incomparable.push({ ...release, version });
    else if (version === release.version) comparable.push(release);
    else comparable.push({ ...release, version, isPrerelease: release.isPrerelease || version.isPrerelease });
  }
  return { comparable, incomparable };
}

/**
 * Parses two numbers joined by `_` or `-` as a number and its revision, in lines whose releases have dots. This depends
 * on the other releases, so the result isn't stored.
 *
 * @returns `releases` itself if no release is parsed differently.
 */
function rereadJoined(
  scheme: VersionScheme,
  releases: readonly ComparableRelease[],
): readonly ComparableRelease[] {
  if (!releases.some(({ version }) => version.isJoined)) return releases;
  const dotted = new Set(
    releases.filter(({ version }) => version.hasDots).map(({ version }) => version.line),
  );
  return releases.map((release) => {
    if (!release.version.isJoined || !dotted.has(release.version.line)) return release;
    const version = scheme.parseAmongDotted(release.text);
    return version === null ? release : { ...release, version };
  });
}

/** Indexes releases by text. If several have the same text, uses the first in the order of `compareRows`. */
function indexTexts({ comparable, incomparable }: Contents): ReadonlyMap<string, Release> {
  const byText = new Map<string, Release>();
  for (const list of [comparable, incomparable]) {
    for (const release of list) {
      const known = byText.get(release.text);
      if (known === undefined || compareRows(release, known) < 0) byText.set(release.text, release);
    }
  }
  return byText;
}

/**
 * Returns the time when a release started to exist. For releases without a release date, `dateMs` is the time when they
 * were first seen.
 */
function existsFromMs(release: Release, existenceStart: ExistenceStart): number {
  return existenceStart === 'released' ? release.dateMs : release.seenMs;
}

/** Returns the number of releases above `version`, which is also the index of the first release that isn't above it. */
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
    seenMs: row.discoveredAtMs,
    isPrerelease: row.isPrerelease || (version?.isPrerelease ?? false),
    isYanked: row.isYanked,
    isWithdrawn: row.isWithdrawn,
    url: row.url,
    moves: row.moves ?? null,
  };
}

function isComparable(release: Release): release is ComparableRelease {
  return release.version !== null;
}

/** Returns a comparison function that orders the highest release first. */
function compareIn(scheme: VersionScheme) {
  return (a: ComparableRelease, b: ComparableRelease) =>
    scheme.compare(b.version, a.version) || comparePreference(scheme, a, b) || compareRows(a, b);
}

/** Orders releases of equal rank: the most specific first, then the highest key. */
function comparePreference(scheme: VersionScheme, a: ComparableRelease, b: ComparableRelease): number {
  return (
    completeness(b.version) - completeness(a.version) ||
    (a.text === b.text ? 0 : compareKeys(scheme.sortKey(b.version), scheme.sortKey(a.version)))
  );
}

/** Returns how specific a tag is: `25.0.0-0` is more specific than `25.0.0`, which is more specific than `25.0`. */
function completeness(version: Version): number {
  return version.numbers.length + version.revision.length + version.platformNumbers.length;
}

/**
 * Compares releases by text, then by date and URL, so that results don't depend on the order in which the database
 * returns the rows.
 */
function compareRows(a: Release, b: Release): number {
  return (
    compareKeys(a.text, b.text) ||
    compareKeys(b.dateSource, a.dateSource) ||
    a.dateMs - b.dateMs ||
    compareKeys(a.url ?? '', b.url ?? '')
  );
}
