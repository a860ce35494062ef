import type { Version } from '../versions/version-scheme.ts';
import type { ComparableRelease } from './release-set.ts';

/**
 * Image tags that move with each release: `20-alpine`, `10`, or `24.0.5` next to `24.0.5-1`. A tag moves if
 * it's a prefix of other tags of its line and variant, which have more numbers, a revision, or a number after
 * the stage. It points to the highest of these longer tags, but to a pre-release only if all of them are
 * pre-releases. If a tag without a variant isn't a prefix of any other tag without a variant, it points to a
 * tag of any variant with more numbers.
 *
 * A tag such as `1.9.0` next to `1.9.0-rc.1` is the final release of that candidate and doesn't move.
 * However, `10` next to `10-beta1` moves if the releases below it have more numbers, as 9.6.3 does. The final
 * release is then 10.0, not 10.
 */
export class MovingTags {
  /** Release that a tag points to, by the key of the tag. */
  readonly #targets = new Map<string, ComparableRelease>();

  /** @param highestFirst All comparable releases of an image, highest first. */
  constructor(highestFirst: readonly ComparableRelease[]) {
    const coveredKeys = new Set<string>();
    for (const { version } of highestFirst) for (const key of shorterKeys(version)) coveredKeys.add(key);
    const isCovered = ({ version }: ComparableRelease) => keysOf(version).some((key) => coveredKeys.has(key));
    const whole = highestFirst.filter((release) => !isCovered(release));
    const short = findShort(whole);
    for (const release of whole) {
      const { version } = release;
      const isOfShort = short.has(ownKey(version));
      // This tag moves, so no other tag points to it.
      if (isOfShort && !version.isPrerelease) continue;
      for (const key of shorterKeys(version)) this.#keep(key, release);
      if (isOfShort) this.#keep(ownKey(version), release);
    }
  }

  /** Returns the release that a tag points to, or `null` if the tag doesn't move. */
  target(version: Version): ComparableRelease | null {
    for (const key of keysOf(version)) {
      const target = this.#targets.get(key);
      if (target !== undefined) return target;
    }
    return null;
  }

  /**
   * Stores the release that a tag points to. Prefers releases that aren't withdrawn or yanked, then stable
   * ones. Of several equally preferred releases, keeps the first one, which has the highest version.
   */
  #keep(key: string, release: ComparableRelease): void {
    const known = this.#targets.get(key);
    if (known === undefined || quality(release) > quality(known)) this.#targets.set(key, release);
  }
}

/** Number of previous stable versions to compare with, as in `outliers.ts`. */
const window = 20;

/**
 * Finds pre-releases with fewer numbers than the stable releases below them: `10-beta1` has one number, and
 * 9.6.3 has three. Returns the keys of their numbers (`10`). A tag with only these numbers, such as `10`,
 * isn't the final release of such a pre-release, because the final release has more numbers.
 *
 * @param whole All releases that aren't a prefix of others, highest first.
 */
function findShort(whole: readonly ComparableRelease[]): Set<string> {
  const short = new Set<string>();
  /** Number of components of each stable version, by line and variant, lowest version first. */
  const countsOfGroup = new Map<string, number[]>();
  for (const { version } of whole.toReversed()) {
    const { line, numbers } = version;
    const group = groupOf(version);
    if (version.isPrerelease) {
      const counts = countsOfGroup.get(group) ?? countsOfGroup.get(`${line}\0\0`) ?? [];
      const isShort = counts.length > 0 && counts.slice(-window).every((count) => count > numbers.length);
      if (isShort) short.add(ownKey(version));
    } else {
      const counts = countsOfGroup.get(group) ?? [];
      counts.push(numbers.length);
      countsOfGroup.set(group, counts);
    }
  }
  return short;
}

function quality(release: ComparableRelease): number {
  return (release.isPrerelease ? 0 : 1) + (release.isWithdrawn || release.isYanked ? 0 : 2);
}

/** Returns the keys of a tag, most specific first. Returns an empty list if the tag is too specific to move. */
function keysOf(version: Version): string[] {
  const { numbers, revision, stage, variant, isPrerelease, isStageNumbered } = version;
  // A pre-release without a stage is the build of a commit, and such tags don't move.
  if (isStageNumbered || (isPrerelease && stage === null)) return [];
  let key = '';
  for (const number of numbers) key += `.${number}`;
  for (const number of revision) key += `-${number}`;
  if (stage !== null) key += ` ${stage}`;
  const own = groupOf(version) + key;
  return variant === '' ? [own, anyVariantOf(version) + key] : [own];
}

/** Returns the keys of all tags that could point to a version. */
function shorterKeys(version: Version): string[] {
  const groups = version.variant === '' ? [groupOf(version)] : [groupOf(version), anyVariantOf(version)];
  const keys = groups.flatMap((group) => fewerNumbers(group, version));
  keys.push(...keysWithoutSuffix(groupOf(version), version));
  // A single number without a variant, such as `8` next to `8u502-b07-jdk`, usually names a series rather than one
  // version.
  if (version.variant !== '' && version.numbers.length === 1) {
    keys.push(...keysWithoutSuffix(anyVariantOf(version), version));
  }
  return keys;
}

/**
 * Maximum number of components in the key of a moving tag. Real tags have at most three. The limit bounds the
 * memory use for an upstream that has many tags with up to 60 numbers, each a prefix of others.
 */
const maxPrefix = 8;

function fewerNumbers(group: string, { numbers, stage }: Version): string[] {
  const keys: string[] = [];
  let key = group;
  for (const number of numbers.slice(0, -1).slice(0, maxPrefix)) {
    key += `.${number}`;
    keys.push(key);
    if (stage !== null) keys.push(`${key} ${stage}`);
  }
  return keys;
}

function keysWithoutSuffix(group: string, version: Version): string[] {
  const { numbers, revision, stage, isPrerelease, isStageNumbered } = version;
  if (revision.length === 0 && !isPrerelease) return [];
  let key = group;
  for (const number of numbers) key += `.${number}`;
  const keys = isPrerelease ? [] : [key];
  if (stage !== null && isStageNumbered) keys.push(`${key} ${stage}`);
  for (const number of revision.slice(0, -1).slice(0, maxPrefix)) {
    key += `-${number}`;
    keys.push(key);
  }
  return keys;
}

/** Returns the key of the numbers alone, which a pre-release shares with its final release. */
function ownKey(version: Version): string {
  let key = groupOf(version);
  for (const number of version.numbers) key += `.${number}`;
  return key;
}

function groupOf(version: Version): string {
  return `${version.line}\0${version.variant}\0`;
}

function anyVariantOf(version: Version): string {
  return `${version.line}\0*\0`;
}
