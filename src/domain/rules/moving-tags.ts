import type { Version } from '../versions/version-scheme.ts';
import type { ComparableRelease } from './release-set.ts';

/**
 * Tags of images that are set again with each release: `20-alpine`, `10`, `24.0.5` next to `24.0.5-1`. A tag with fewer
 * numbers than others of its line and flavor that begin with them, or without their numeric revision or stage, stands
 * for the highest of those: for a pre-release only where all are. Where none of its own flavor begins with it, a tag
 * without flavor stands for others of any flavor that have more numbers.
 */
export class MovingTags {
  /** By what a tag says, the release that it stands for. */
  readonly #targets = new Map<string, ComparableRelease>();

  /** @param highestFirst All releases of an image that are versions. */
  constructor(highestFirst: readonly ComparableRelease[]) {
    const said = new Set<string>();
    for (const { version } of highestFirst) for (const key of shorterKeys(version)) said.add(key);
    for (const release of highestFirst) {
      // What moves itself stands for something else.
      if (keysOf(release.version).some((key) => said.has(key))) continue;
      for (const key of shorterKeys(release.version)) this.#keep(key, release);
    }
  }

  /** The release that a tag stands for; `null` for a tag that doesn't move. */
  target(version: Version): ComparableRelease | null {
    for (const key of keysOf(version)) {
      const target = this.#targets.get(key);
      if (target !== undefined) return target;
    }
    return null;
  }

  /** The first is the highest; a later one is better only by being stable, or by being there at all. */
  #keep(key: string, release: ComparableRelease): void {
    const known = this.#targets.get(key);
    if (known === undefined || quality(release) > quality(known)) this.#targets.set(key, release);
  }
}

function quality(release: ComparableRelease): number {
  return (release.isPrerelease ? 0 : 1) + (release.isWithdrawn || release.isYanked ? 0 : 2);
}

/** What a tag says of a release, the closest first; nothing where it says too much to move. */
function keysOf(version: Version): string[] {
  const { numbers, revision, stage, flavor, isPrerelease, isStageNumbered } = version;
  // A build of a commit is a pre-release without a stage.
  if (isStageNumbered || (isPrerelease && stage === null)) return [];
  let key = '';
  for (const number of numbers) key += `.${number}`;
  for (const number of revision) key += `-${number}`;
  if (stage !== null) key += ` ${stage}`;
  const own = groupOf(version) + key;
  return flavor === '' ? [own, anyFlavorOf(version) + key] : [own];
}

/** Everything that a tag could say which stands for a version. */
function shorterKeys(version: Version): string[] {
  const groups = version.flavor === '' ? [groupOf(version)] : [groupOf(version), anyFlavorOf(version)];
  const keys = groups.flatMap((group) => fewerNumbers(group, version));
  keys.push(...lessBehind(groupOf(version), version));
  // `8` next to `8u502-b07-jdk`: one number alone is a line of versions more often than one of them.
  if (version.flavor !== '' && version.numbers.length === 1) {
    keys.push(...lessBehind(anyFlavorOf(version), version));
  }
  return keys;
}

function fewerNumbers(group: string, { numbers, stage }: Version): string[] {
  const keys: string[] = [];
  let key = group;
  for (const number of numbers.slice(0, -1)) {
    key += `.${number}`;
    keys.push(key);
    if (stage !== null) keys.push(`${key} ${stage}`);
  }
  return keys;
}

function lessBehind(group: string, version: Version): string[] {
  const { numbers, revision, stage, isPrerelease, isStageNumbered } = version;
  if (revision.length === 0 && !isPrerelease) return [];
  let key = group;
  for (const number of numbers) key += `.${number}`;
  const keys = [key];
  if (stage !== null && isStageNumbered) keys.push(`${key} ${stage}`);
  for (const number of revision.slice(0, -1)) {
    key += `-${number}`;
    keys.push(key);
  }
  return keys;
}

function groupOf(version: Version): string {
  return `${version.line}\0${version.flavor}\0`;
}

function anyFlavorOf(version: Version): string {
  return `${version.line}\0*\0`;
}
