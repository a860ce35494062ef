import { createAutoScheme } from '../versions/auto-scheme.ts';
import { excludeCommitIds } from '../versions/exclude-commit-ids.ts';
import { numberListSortKey, numbersOfRank, numbersRank, stagesRank } from '../versions/precedence.ts';
import type { Version, VersionScheme } from '../versions/version-scheme.ts';
import { levelOfStage } from '../versions/version-words.ts';
import { findDevelopmentNumbers } from './development-numbers.ts';
import { findPlatformsByEvidence } from './platforms-by-evidence.ts';
import type { ComparableRelease } from './release-set.ts';
import { dayMs } from './stored-lag.ts';

/**
 * Interprets a parsed version in the context of the job's other releases. Returns the same object if the
 * other releases don't change its meaning, and `null` if they show that it isn't a version.
 */
export type ReadInContext = (version: Version) => Version | null;

/**
 * Returns how to interpret versions that are ambiguous without the job's other releases:
 *
 * - a commit ID that consists of digits, next to other commit IDs;
 * - a word that names a platform, because the number after it differs between releases of one version;
 * - a trial build, which is a pre-release of a version that was released later;
 * - a build of one commit, which is a pre-release of its version if the version has several such builds;
 * - a number that marks a development release, such as `.90` after `.5`.
 *
 * The results change as releases are added, so they aren't stored.
 *
 * @param options.unparsed The releases that aren't versions.
 */
export function createContextReader(
  scheme: VersionScheme,
  releases: readonly ComparableRelease[],
  { isImage = false, unparsed }: { readonly isImage?: boolean; readonly unparsed: readonly string[] },
): ReadInContext {
  const withoutIds = excludeCommitIds(scheme, [...releases.map(({ text }) => text), ...unparsed]);
  const found = findPlatformsByEvidence(releases.map(({ version }) => version));
  const extended = found.size === 0 ? scheme : createAutoScheme([...scheme.platforms, ...found]);
  const isCommit = (text: string) => withoutIds !== scheme && withoutIds.parse(text) === null;
  const hasFoundWord = ({ variant }: Version) => variant.split('-').some((word) => found.has(word));
  const read = (version: Version): Version | null => {
    if (isCommit(version.text)) return null;
    return found.size > 0 && hasFoundWord(version) ? extended.parse(version.text) : version;
  };
  const isRead = withoutIds === scheme && found.size === 0;
  const context = isRead
    ? releases
    : releases.flatMap((release) => {
        const version = read(release.version);
        return version === null ? [] : [{ ...release, version }];
      });
  // The plain tags of an image move to the newest build, so they don't show which builds came before the final release.
  const readBuild = isImage ? null : readBuildNumbers(context);
  const versions = context.map(({ version }) => version);
  const isCommitBuild = findCommitBuilds(versions);
  const isDevelopment = findDevelopmentNumbers(versions);
  if (isRead && !readBuild && !isCommitBuild && !isDevelopment) return readAsIs;
  return (parsed) => {
    const version = read(parsed);
    if (version === null || version.isPrerelease) return version;
    if (isCommitBuild?.(version) || isDevelopment?.(version)) return { ...version, isPrerelease: true };
    return readBuild?.(version) ?? version;
  };
}

export const readAsIs: ReadInContext = (version) => version;

/** Builds of one version that differ only in their `buildNumber`. */
interface Builds {
  /** Releases of the version without a build number. */
  readonly plain: ComparableRelease[];
  /** A build of the version, which identifies its line. */
  counted: ComparableRelease | null;
  /** Date of the last build. */
  lastMs: number;
  /** True if the source reports the date of every build. */
  isDated: boolean;
}

/**
 * Finds builds that were published before their version and changes them to pre-releases. That applies if the
 * version itself was published only once, on a later day than its last build. A build such as `17.1.r1` is
 * also a pre-release if its version doesn't exist yet, but most versions of its line exist without a build
 * number.
 */
function readBuildNumbers(releases: readonly ComparableRelease[]): ((version: Version) => Version) | null {
  if (!releases.some(({ version }) => version.buildNumber !== null)) return null;
  const builds = new Map<string, Builds>();
  for (const release of releases) {
    const { version } = release;
    const isCounted = version.buildNumber !== null;
    if (!isCounted && (version.revision.length > 0 || version.isPrerelease || !isBare(version))) continue;
    const key = keyOf(version);
    const entry = builds.get(key) ?? { plain: [], counted: null, lastMs: -Infinity, isDated: true };
    builds.set(key, entry);
    if (isCounted) {
      entry.counted ??= release;
      entry.lastMs = Math.max(entry.lastMs, release.dateMs);
      entry.isDated &&= isDated(release);
    } else entry.plain.push(release);
  }
  const isUsuallyPlain = linesOfPlainVersions(builds);
  const isTrial = (version: Version) => {
    const entry = builds.get(keyOf(version));
    if (entry === undefined || entry.plain.length === 0)
      return dotted.test(version.text) && isUsuallyPlain(version);
    const [plain, ...others] = entry.plain;
    if (plain === undefined || others.length > 0 || !isDated(plain) || !entry.isDated) return false;
    return Math.floor(plain.dateMs / dayMs) > Math.floor(entry.lastMs / dayMs);
  };
  return (version) => (version.buildNumber !== null && isTrial(version) ? toPrerelease(version) : version);
}

function isDated({ dateSource }: ComparableRelease): boolean {
  return dateSource === 'released_at';
}

/** A suffix with a `buildNumber` that can also be a stage, such as `.b1` for a beta. */
const dotted = /\.[br][0-9]*$/i;

function linesOfPlainVersions(builds: ReadonlyMap<string, Builds>): (version: Version) => boolean {
  const counts = new Map<string, { plain: number; all: number }>();
  for (const { plain, counted } of builds.values()) {
    const line = (plain[0] ?? counted)?.version.line ?? '';
    const count = counts.get(line) ?? { plain: 0, all: 0 };
    count.all += 1;
    if (plain.length > 0) count.plain += 1;
    counts.set(line, count);
  }
  return ({ line }) => {
    const count = counts.get(line);
    return count !== undefined && count.plain * 2 > count.all;
  };
}

function isBare({ variant, rank, upstreamRank }: Version): boolean {
  return variant === '' && rank === upstreamRank;
}

function keyOf({ line, rank }: Version): string {
  return `${line}\0${numbersOfRank(rank)}`;
}

/**
 * Converts a build to a pre-release with the number of the build: a beta for `.b`, otherwise a release
 * candidate.
 */
function toPrerelease(version: Version): Version {
  const level = levelOfStage.get(/\.b[0-9]*$/i.test(version.text) ? 'beta' : 'rc') ?? 0;
  const stage = { level, numbers: version.buildNumber === '' ? [] : [version.buildNumber ?? '0'] };
  const rank = numbersOfRank(version.rank) + stagesRank([stage]) + numberListSortKey([]) + numbersRank([]);
  return {
    ...version,
    isPrerelease: true,
    revision: [],
    stage: level,
    isStageNumbered: stage.numbers.length > 0,
    rank,
    upstreamRank: rank,
  };
}

/**
 * Finds builds of a branch. A version has such builds if it has builds of several commits, such as
 * `2.14.0-1aabbccd` and `2.14.0-2bbccdde`, or one build in addition to the version itself. If each version
 * has a single release that ends with a commit, as in `1.43.3.10861-07dfddaeb`, that's a normal release.
 */
function findCommitBuilds(versions: readonly Version[]): ((version: Version) => boolean) | null {
  const counts = new Map<string, number>();
  for (const version of versions) {
    if (!endsWithCommit(version)) continue;
    const key = commitKeyOf(version);
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  if (counts.size === 0) return null;
  for (const version of versions) {
    const key = commitKeyOf(version);
    const count = counts.get(key);
    if (count !== undefined && !version.isPrerelease && !endsWithCommit(version)) counts.set(key, count + 1);
  }
  return (version) => endsWithCommit(version) && (counts.get(commitKeyOf(version)) ?? 0) > 1;
}

const commitSuffix = /[0-9][-_.+](?=[0-9a-f]*[a-f])[0-9a-f]{7,40}$/;

const shortestCommit = 7;

function endsWithCommit({ text, isPrerelease }: Version): boolean {
  return !isPrerelease && text.length > shortestCommit && commitSuffix.test(text);
}

function commitKeyOf({ line, variant, rank }: Version): string {
  return `${line}\0${variant}\0${rank}`;
}
