import { isCommitId } from './commit-id.ts';
import { type NumberingSchemeId, numberingSchemes } from './numbering-schemes.ts';
import {
  compareRanks,
  detailsKey,
  epochRank,
  isZero,
  numberListSortKey,
  numbersRank,
  stableRank,
  stagesRank,
  toExactNumber,
} from './precedence.ts';
import { maxVersionLength } from './skip-reasons.ts';
import { findNumbers, type Numbers, readNumbers } from './version-numbers.ts';
import type { Version, VersionScheme } from './version-scheme.ts';
import { readSuffix, type Suffix } from './version-suffix.ts';
import { branchNames, ignoredWords, levelOfStage, platformNames, snapshotWords } from './version-words.ts';

/**
 * Parses the version strings that projects use: `v1.2.3`, `release-1.2`, `2024-01-15`, `1.2.3.4`, `curl-8_5_0`,
 * `3.8.0b1-alpine`, `1.25.3-debian-12-r3`, `v1.28.4+k3s1`, `controller-v1.11.2`, `1:9.18.24-1`.
 *
 * A version has these parts, in this order:
 *
 * line name · epoch and numbers · suffix
 *
 * The suffix has these parts, in any order:
 *
 * variant · platform numbers · pre-release stages with their numbers · describe count · revision
 *
 * The **line** identifies one of several products in a source, and the **variant** one of several builds. Neither
 * affects which version is newer. The **rank** determines which version is newer: epoch, numbers, stages, describe
 * count (the number of commits in `git describe`), revision. The **key** sorts lists: rank, variant, platform numbers,
 * line, string.
 *
 * The parser uses only the string, so the stored variant, pre-release flag, and key of a release don't change when
 * another release is published. Some properties depend on the other releases of a job, so they are determined at each
 * evaluation and aren't stored: the line and variant to compare with, moving tags, platform tags, outliers, ended
 * variants. This also applies to two numbers joined by `_` or `-` (`isJoined`): `74-2` is parsed as 74.2 here, but as
 * 74 with revision 2 in a line whose releases have dots (`parseAmongDotted`).
 *
 * The word lists are in `version-words.ts`. An organization can add platform words.
 */
export const autoScheme: VersionScheme = createAutoScheme([]);

/**
 * @param platformWords Platform words in addition to the built-in ones.
 * @param numbering The numbering scheme of the project, if it marks development releases by their numbers.
 */
export function createAutoScheme(
  platformWords: readonly string[],
  numbering?: NumberingSchemeId,
): VersionScheme {
  const platforms =
    platformWords.length === 0 ? platformNames : new Set([...platformNames, ...platformWords]);
  const parse = (isAmongDotted: boolean) => (text: string) => {
    const version = parseAuto(text, platforms, isAmongDotted);
    if (numbering === undefined || version === null || version.isPrerelease) return version;
    return numberingSchemes[numbering](version.numbers) ? { ...version, isPrerelease: true } : version;
  };
  return {
    id: numbering ?? 'auto',
    platforms,
    parse: parse(false),
    parseAmongDotted: parse(true),
    compare: compareRanks,
    sortKey: ({ rank, variant, platformNumbers, line, text }) =>
      rank + detailsKey(variant, platformNumbers, line, text),
  };
}

const none: readonly string[] = [];

function parseAuto(text: string, platforms: ReadonlySet<string>, isAmongDotted: boolean): Version | null {
  if (text.length > maxVersionLength) return null;
  if (plainText.test(text)) return plainVersion(text);
  const parts = readParts(text, platforms, isAmongDotted);
  if (parts === null) return null;
  const { components, joint, line, isTimed, suffix } = parts;
  const { stages, describe, ranked, upstream } = suffix;
  const rank = rankOf(parts, ranked);
  return {
    text,
    numbers: components.map(toExactNumber),
    isPrerelease: stages.length > 0 || describe !== null || (isBranch(line) && !isTimed),
    line,
    variant: suffix.variant.join('-'),
    platformNumbers: suffix.platformNumbers,
    platforms: suffix.platforms,
    revision: suffix.revision,
    stage: stages.at(-1)?.level ?? null,
    isStageNumbered: (stages.at(-1)?.numbers.length ?? 0) > 0,
    buildNumber: suffix.buildNumber,
    hasDots: joint === 'dots',
    isJoined: joint === 'joined',
    isDate: isTimed || joint === 'date' || (components.length <= 2 && plainDate.test(components[0] ?? '')),
    rank,
    upstreamRank: upstream.length === ranked.length ? rank : rankOf(parts, upstream),
  };
}

/** Returns the `upstreamRank` of a version, or `null` if the text isn't a version. */
export function upstreamRank(text: string): string | null {
  return autoScheme.parse(text)?.upstreamRank ?? null;
}

interface VersionParts {
  readonly epoch: string;
  readonly components: readonly string[];
  readonly joint: Numbers['joint'];
  readonly line: string;
  /** True if the numbers are a time next to a commit ID, as in `main-1a2b3c4-1718000000`. */
  readonly isTimed: boolean;
  readonly suffix: Suffix;
}

function readParts(
  text: string,
  platforms: ReadonlySet<string>,
  isAmongDotted: boolean,
): VersionParts | null {
  const { epoch, body } = withoutPins(text);
  if (isCommitId(body) || imageDigest.test(body)) return null;
  const start = findNumbers(body, platforms);
  if (start === -1) return null;
  // The first digits of a commit ID aren't numbers of the version, as in `2026-08-22-1a2b3c4`.
  const commit = commitAtEnd.exec(body)?.index ?? body.length;
  const numbered = commit > start ? body.slice(0, commit) : body;
  const { components, end, joint } = readNumbers(numbered, start, isAmongDotted);
  const words = readWords(body.slice(0, start));
  const rest = body.slice(end);
  const isAfterCommit = isTimeAfterCommit(words, components);
  const isTimed = isAfterCommit || isTimeBeforeCommit(components, joint, rest);
  const line = nameOf(isAfterCommit ? words.slice(0, -1) : words);
  const isMajorOnly = components.length === 3 && components.slice(1).every(isZero);
  const before = { isMajorOnly, hasEpoch: !isZero(epoch) };
  return { epoch, components, joint, line, isTimed, suffix: readSuffix(rest, platforms, before) };
}

function rankOf({ epoch, components, suffix }: VersionParts, revision: readonly string[]): string {
  const { stages, describe } = suffix;
  return (
    epochRank(epoch) +
    numbersRank(components) +
    stagesRank(stages) +
    numberListSortKey(describe === null ? none : [describe]) +
    numbersRank(revision)
  );
}

/** Creates a version that consists only of numbers. This is the fast path for most versions. */
function plainVersion(text: string): Version {
  const components = (text.startsWith('v') ? text.slice(1) : text).split('.');
  const rank = numbersRank(components) + plainRest;
  return {
    text,
    numbers: components.map(toExactNumber),
    isPrerelease: false,
    line: '',
    variant: '',
    platformNumbers: none,
    platforms: none,
    revision: none,
    stage: null,
    isStageNumbered: false,
    buildNumber: null,
    hasDots: components.length > 1,
    isJoined: false,
    isDate: components.length <= 2 && plainDate.test(components[0] ?? ''),
    rank,
    upstreamRank: rank,
  };
}

const plainText = /^v?[0-9]+(?:\.[0-9]+)*$/;
const plainRest = stableRank + numberListSortKey(none) + numbersRank(none);
/** A date, optionally with a time, as one number. */
const plainDate =
  /^(?:19[7-9]|20[0-9]|21[0-9])[0-9](?:0[1-9]|1[0-2])(?:0[1-9]|[12][0-9]|3[01])(?:[0-9]{4}(?:[0-9]{2})?)?$/;

/** Removes the digest of an image and the operator of a range, and splits off the epoch. */
function withoutPins(text: string): { epoch: string; body: string } {
  if (!mayBePinned.test(text)) return { epoch: '0', body: text };
  const match = pins.exec(text.trim());
  return { epoch: match?.[1] ?? '0', body: (match?.[2] ?? text).trim() };
}
const mayBePinned = /[\s^~=>@:]/;
const pins = /^(?:[\^~=>]+\s*)?(?:([0-9]+):)?(.*?)(?:@sha(?:256|512):[0-9a-f]*)?$/su;

const commitAtEnd = /[-_.](?=[0-9]+[a-f])[0-9a-f]{7,40}$/;

/** Matches the digest in tags such as `sha256-….sig`, under which registries store signatures and attestations. */
const imageDigest = /^(?:sha(?:256|512)[-:])?[0-9a-f]{64}(?![0-9A-Za-z])/;

function readWords(prefix: string): string[] {
  if (prefix === '' || prefix === 'v') return [];
  // Only ASCII letters are converted, because `toLowerCase` can convert one letter of another script to two.
  return (prefix.match(/[A-Za-z0-9\u0080-\uffff]+/g) ?? []).map((word) =>
    word.replace(/[A-Z]+/g, (letters) => letters.toLowerCase()),
  );
}

/**
 * True if the numbers are a time after a commit ID, in seconds or milliseconds since 1970 or as a date:
 * `main-1a2b3c4-1718000000`, `prod-e58c8f4-20260820093417`. In this case, the name before the commit ID is
 * the line, whose builds are ordered by time, and a build of `main` isn't a pre-release.
 */
function isTimeAfterCommit(words: readonly string[], [first = '', ...others]: readonly string[]): boolean {
  const commit = words.at(-1);
  if (commit === undefined || others.length > 0 || !/^[0-9a-f]{7,40}$/.test(commit)) return false;
  return unixTime.test(first) || plainDate.test(first);
}
/** True if the numbers are a time, and only a commit ID follows them, as in `main-20240820-1a2b3c4`. */
function isTimeBeforeCommit(components: readonly string[], joint: Numbers['joint'], rest: string): boolean {
  const [first = '', ...others] = components;
  const isTime = joint === 'date' || (others.length === 0 && (unixTime.test(first) || plainDate.test(first)));
  return isTime && /^[-_.]/.test(rest) && isCommitId(rest.slice(1));
}
/** Seconds or milliseconds since 1970, for times after September 2001. */
const unixTime = /^1[0-9]{9}(?:[0-9]{3})?$/;

/** Normalizes a line name: `controller-v`, `Controller/`, and `release-controller-` are the same name. */
function nameOf(words: readonly string[]): string {
  let first = 0;
  let last = words.length;
  while (first < last && ignoredWords.has(words[first] ?? '')) first += 1;
  while (last > first && ignoredWords.has(words[last - 1] ?? '')) last -= 1;
  return words.slice(first, last).join('-');
}

/**
 * True if the line name marks builds of a branch: the whole name is a branch or stage word (`main-20240501`,
 * `nightly-2024-01-15`, `rc/v4.1`, but not `test-utils-1.2`), or it ends with a snapshot word
 * (`swift-DEVELOPMENT-SNAPSHOT-2024-06-13-a`).
 */
function isBranch(line: string): boolean {
  if (line === '') return false;
  if (branchNames.has(line) || (levelOfStage.has(line) && line.length > 1)) return true;
  return snapshotWords.has(line.slice(line.lastIndexOf('-') + 1));
}
