import {
  compareRanks,
  detailsKey,
  epochRank,
  numberListKey,
  numbersRank,
  stableRank,
  stagesRank,
  toExactNumber,
} from './precedence.ts';
import type { Version, VersionScheme } from './version-scheme.ts';
import {
  attachedStages,
  branchNames,
  codeNames,
  commitWords,
  emptyWords,
  namesWithDigits,
  ornamentWords,
  platformWords,
  revisionWords,
  snapshotWords,
  stagesWithNumber,
  stageWords,
  wholeStages,
} from './version-words.ts';

/**
 * Reads what projects really write: `v1.2.3`, `release-1.2`, `2024-01-15`, `1.2.3.4`, `curl-8_5_0`, `3.8.0b1-alpine`,
 * `1.25.3-debian-12-r3`, `v1.28.4+k3s1`, `controller-v1.11.2`, `1:9.18.24-1`.
 *
 * The parts of a version, in the order in which they are written:
 *
 *     line name · epoch and numbers · and behind them, in any order:
 *     flavor · platform numbers · pre-release stages with their numbers · describe count · revision
 *
 * The **line** says which thing of several it is, the **flavor** how it is built. Both are names and never newer than
 * another. The **rank** is what can be newer: epoch, numbers, stages, describe count, revision. The **key** of a list
 * is rank, flavor, platform numbers, line, string.
 *
 * All this is read from the string alone, so that what is stored of a release (variant, pre-release flag, key) doesn't
 * change when another release arrives. What depends on the other releases of a job is decided over them at each
 * judgement and never stored: which line and flavor a deployed version is compared with, tags that move, tags that name
 * only a platform, outliers, ended flavors. The one exception is two numbers joined by `_` or `-` (`isJoined`): `74-2`
 * is 74.2 here, but 74 with revision 2 in a line whose releases have dots, which `parseAmongDotted` reads.
 *
 * The words are data: see `version-words.ts`.
 */
export interface AutoSchemeOptions {
  /** Words that name a platform in addition to those of the list, in lower case. */
  readonly platformWords?: readonly string[];
}

export function createAutoScheme(options: AutoSchemeOptions = {}): VersionScheme {
  const added = options.platformWords ?? [];
  const platforms = added.length === 0 ? defaultPlatforms : new Set([...defaultPlatforms, ...added]);
  return {
    id: 'auto',
    parse: (text) => parseAuto(text, platforms, false),
    parseAmongDotted: (text) => parseAuto(text, platforms, true),
    compare: compareRanks,
    sortKey: (version) =>
      version.rank + detailsKey(version.flavor, version.platformNumbers, version.line, version.text),
  };
}

const defaultPlatforms: ReadonlySet<string> = new Set([...platformWords, ...codeNames]);

export const autoScheme: VersionScheme = createAutoScheme();

const maxLength = 256;
const none: readonly string[] = [];

function parseAuto(text: string, platforms: ReadonlySet<string>, isAmongDotted: boolean): Version | null {
  if (text.length > maxLength) return null;
  if (plainText.test(text)) return plainVersion(text);
  const { epoch, body } = withoutPins(text);
  if (isCommitId(body) || imageDigest.test(body)) return null;
  const start = findNumbers(body, platforms);
  if (start === -1) return null;
  const { components, end, joint } = readNumbers(body, start, isAmongDotted);
  const line = readLine(body.slice(0, start));
  const suffix = readSuffix(body.slice(end), platforms);
  const { stages, describe } = suffix;
  return {
    text,
    numbers: components.map(toExactNumber),
    isPrerelease: stages.length > 0 || describe !== null || isBranch(line),
    line,
    flavor: suffix.flavor.join('-'),
    platformNumbers: suffix.platformNumbers,
    platforms: suffix.platforms,
    revision: suffix.revision,
    stage: stages.at(-1)?.level ?? null,
    isStageNumbered: (stages.at(-1)?.numbers.length ?? 0) > 0,
    hasDots: joint === 'dots',
    isJoined: joint === 'joined',
    isDate: joint === 'date' || (components.length <= 2 && plainDate.test(components[0] ?? '')),
    rank:
      epochRank(epoch) +
      numbersRank(components) +
      stagesRank(stages) +
      numberListKey(describe === null ? none : [describe]) +
      numbersRank(suffix.ranked),
  };
}

/** Most versions that there are, read without looking for anything else. */
function plainVersion(text: string): Version {
  const components = (text.startsWith('v') ? text.slice(1) : text).split('.');
  return {
    text,
    numbers: components.map(toExactNumber),
    isPrerelease: false,
    line: '',
    flavor: '',
    platformNumbers: none,
    platforms: none,
    revision: none,
    stage: null,
    isStageNumbered: false,
    hasDots: components.length > 1,
    isJoined: false,
    isDate: components.length <= 2 && plainDate.test(components[0] ?? ''),
    rank: numbersRank(components) + plainRest,
  };
}

const plainText = /^v?[0-9]+(?:\.[0-9]+)*$/;
const plainRest = stableRank + numberListKey(none) + numbersRank(none);
/** A date, perhaps with a time, as one number. */
const plainDate =
  /^(?:19[7-9]|20[0-9]|21[0-9])[0-9](?:0[1-9]|1[0-2])(?:0[1-9]|[12][0-9]|3[01])(?:[0-9]{4}(?:[0-9]{2})?)?$/;

/** Without what pins or widens it: the digest of an image, the operator of a range; an epoch stands apart. */
function withoutPins(text: string): { epoch: string; body: string } {
  if (!mayBePinned.test(text)) return { epoch: '0', body: text };
  const match = pins.exec(text);
  return { epoch: match?.[1] ?? '0', body: (match?.[2] ?? text).trim() };
}
const mayBePinned = /[\s^~=>@:]/;
const pins = /^\s*(?:[\^~=>]+\s*)?(?:([0-9]+):)?(.*?)(?:@sha(?:256|512):[0-9a-f]*)?\s*$/su;

/** An abbreviated or whole SHA-1, as tags for images built from a commit and as `git describe` writes it. */
function isCommitId(token: string): boolean {
  return commitId.test(token) && /[a-f]/.test(token);
}
const commitId = /^[0-9a-f]{7,40}$/;
/** Signatures and attestations lie beside images under tags such as `sha256-….sig`. */
const imageDigest = /^(?:sha(?:256|512)[-:])?[0-9a-f]{64}(?![0-9A-Za-z])/;

/**
 * Where the numbers begin, or -1. Names have digits too (`k8s-1.2`, `x86_64-1.2.3`, `java17-22.3`), so a number that
 * stands at the start of a word, then one that is dotted, is taken before others. A single number behind letters counts
 * in the first word and behind a platform word only: `r58` is a version, `full-java17` a platform's.
 */
function findNumbers(text: string, platforms: ReadonlySet<string>): number {
  const leading = leadingOrnaments.exec(text)?.[0].length;
  if (leading !== undefined && !isName(wordAt(text, leading))) return leading;
  const firstWord = text.search(/[A-Za-z0-9]/);
  let best = -1;
  let bestRank = 0;
  for (const word of text.matchAll(/[A-Za-z0-9]+/g)) {
    if (isName(word[0].replace(/^g/, ''))) continue;
    // `tool-5-rc.1.2`, `tool-5-alpine-3.19`, `tool-5+1.2`: what follows says more of the version that was found.
    const isFound = bestRank > 2;
    if (isFound && (isStageOrPlatform(word[0], platforms) || text[word.index - 1] === '+')) break;
    for (const run of word[0].matchAll(/[0-9]+/g)) {
      const isWordStart = run.index === 0 || (run.index === 1 && /^[vV]/.test(word[0]));
      const position = word.index + run.index;
      if (isInsideDotted(text, position)) continue;
      const isDotted = afterNumber.test(text.slice(position + run[0].length, position + run[0].length + 2));
      const isOfPlatform = () => platforms.has(word[0].slice(0, run.index).toLowerCase());
      if (!isWordStart && !isDotted && word.index !== firstWord && !isOfPlatform()) continue;
      const rank = 1 + (isDotted ? 1 : 0) + (isWordStart ? 2 : 0);
      if (rank > bestRank) {
        best = position;
        bestRank = rank;
      }
    }
  }
  return best;
}

function isStageOrPlatform(word: string, platforms: ReadonlySet<string>): boolean {
  const letters = /^[A-Za-z]+/.exec(word)?.[0].toLowerCase() ?? '';
  return platforms.has(letters) || (letters.length > 1 && levelOfStage.has(letters));
}

const nameSet: ReadonlySet<string> = new Set(namesWithDigits);
const leadingOrnaments = /^(?:(?:version|ver|v|release|rel)[-._/]?)*(?=[0-9])/i;
/** Goes on as a dotted number or as an update of Java: `8u302`. */
const afterNumber = /^(?:\.|[uU])[0-9]/;

/** Has digits, but no version: a commit id, or a name such as `x64` and `32bit`. */
function isName(word: string): boolean {
  return isCommitId(word) || nameSet.has(word.toLowerCase());
}

/** `22` of `go1.22` goes on with a number, it begins none. */
function isInsideDotted(text: string, position: number): boolean {
  return /^[0-9]\.$/.test(text.slice(Math.max(0, position - 2), position));
}

function wordAt(text: string, start: number): string {
  wordPattern.lastIndex = start;
  return wordPattern.exec(text)?.[0] ?? '';
}
const wordPattern = /[A-Za-z0-9]+/y;

type Joint = 'dots' | 'date' | 'joined' | 'none';

interface Numbers {
  readonly components: string[];
  readonly end: number;
  readonly joint: Joint;
}

/**
 * A date with dashes (then perhaps a time), dotted numbers, or numbers joined by `_` or `-`: at least three, which
 * nobody writes to mean a revision, or two where the line has no dots.
 */
function readNumbers(text: string, start: number, isAmongDotted: boolean): Numbers {
  dottedNumbers.lastIndex = start;
  const dotted = dottedNumbers.exec(text)?.[0] ?? '0';
  const next = text.charCodeAt(start + dotted.length);
  if (next === 0x2d || next === 0x5f) {
    const date = matchAt(dateNumbers, text, start);
    if (date !== null) {
      const components = date.replace(/[zZ]$/, '').split(/[-_.tT]/);
      return { components, end: start + date.length, joint: 'date' };
    }
    const joined = dotted.includes('.') ? null : matchAt(joinedNumbers, text, start);
    if (joined !== null && !describeAt(text, start + joined.length)) {
      const components = joined.split(/[-_]/);
      if (components.length > 2) return { components, end: start + joined.length, joint: 'none' };
      if (!isAmongDotted) return { components, end: start + joined.length, joint: 'joined' };
    }
  }
  const components = dotted.split('.');
  return { components, end: start + dotted.length, joint: components.length > 1 ? 'dots' : 'none' };
}

const day = '(?:19|20|21)[0-9]{2}([-_])(?:0[1-9]|1[0-2])(?:\\1(?:0[1-9]|[12][0-9]|3[01]))?';
const dateNumbers = new RegExp(
  `${day}(?:[tT][0-9]{2}-[0-9]{2}-[0-9]{2}[zZ]|(?:\\.[0-9]+)*)(?![0-9A-Za-z]|[-_][0-9])`,
  'y',
);
const dottedNumbers = /[0-9]+(?:\.[0-9]+)*/y;
// Numbers joined by one and the same character; behind `_` a letter may follow, as in `1_1_1w`.
const joinedNumbers = /[0-9]+(?:(?:_[0-9]+)+(?![0-9])|(?:-[0-9]+)+(?![0-9A-Za-z.]))/y;

/** Whether the last number before `end` is the count of `git describe`. */
function describeAt(text: string, end: number): boolean {
  return /^-g[0-9a-f]{4,40}(?![0-9a-z])/i.test(text.slice(end, end + 43));
}

function matchAt(pattern: RegExp, text: string, start: number): string | null {
  pattern.lastIndex = start;
  return pattern.exec(text)?.[0] ?? null;
}

/** `controller-v`, `Controller/` and `release-controller-` are one name. */
function readLine(prefix: string): string {
  if (prefix === '') return '';
  // Not `toLowerCase` of the whole: a letter of another script may become two.
  const words = (prefix.match(/[A-Za-z0-9\u0080-\uffff]+/g) ?? []).map((word) =>
    word.replace(/[A-Z]+/g, (letters) => letters.toLowerCase()),
  );
  let first = 0;
  let last = words.length;
  while (first < last && ornamentWords.has(words[first] ?? '')) first += 1;
  while (last > first && ornamentWords.has(words[last - 1] ?? '')) last -= 1;
  return words.slice(first, last).join('-');
}

/**
 * `main-20240501`, `nightly-2024-01-15`, `rc/v4.1`: the whole name is the word. `test-utils-1.2` is a name.
 * `swift-DEVELOPMENT-SNAPSHOT-2024-06-13-a` says it at the end of the name.
 */
function isBranch(line: string): boolean {
  if (line === '') return false;
  if (branchNames.has(line) || (levelOfStage.has(line) && line.length > 1)) return true;
  return snapshotWords.has(line.slice(line.lastIndexOf('-') + 1));
}

const levelOfStage: ReadonlyMap<string, number> = new Map(
  stageWords.flatMap((all, level) => [...all].map((word): [string, number] => [word, level])),
);

interface Suffix {
  readonly flavor: string[];
  readonly platforms: string[];
  readonly platformNumbers: string[];
  readonly stages: { level: number; numbers: string[] }[];
  describe: string | null;
  readonly revision: string[];
  /** The revision with its letters as numbers. */
  readonly ranked: string[];
}

/** What a number that follows belongs to. */
type Owner = 'revision' | 'platform' | 'platform with its number' | 'stage';

/** What stands behind the numbers, word by word. A number belongs to the word before it. */
function readSuffix(suffix: string, platforms: ReadonlySet<string>): Suffix {
  const read: Suffix = {
    flavor: [],
    platforms: [],
    platformNumbers: [],
    stages: [],
    describe: null,
    revision: [],
    ranked: [],
  };
  if (suffix === '') return read;
  let rest = suffix;
  const build = commitBuild.exec(suffix);
  if (build !== null) {
    read.describe = build[1] ?? (build[2] ?? '').replace(/\D/g, '');
    rest = suffix.slice(0, build.index) + suffix.slice(build.index + build[0].length);
  }
  let owner: Owner = 'revision';
  /** Where the token before ended. */
  let end = 0;
  tokens.lastIndex = 0;
  for (let match = tokens.exec(rest); match !== null; match = tokens.exec(rest)) {
    const [token, commit, name, letters] = match;
    const between = rest.slice(end, match.index);
    const isFirst = end === 0;
    end = match.index + token.length;
    if (between.includes('+')) owner = 'revision';
    if (commit !== undefined) {
      if (/[0-9]/.test(commit) && /[a-f]/i.test(commit.replace(/^g/i, ''))) {
        owner = 'revision';
        continue;
      }
      // Only letters or only digits: read as what it is.
      tokens.lastIndex = match.index;
      const again = matchAt(run, rest, match.index) ?? token;
      end = match.index + again.length;
      tokens.lastIndex = end;
      owner = takeRun(again, between, isFirst);
    } else if (name !== undefined) {
      read.flavor.push(name.toLowerCase());
      owner = 'revision';
    } else if (letters !== undefined) {
      owner = takeRun(letters, between, isFirst);
    } else {
      owner = takeRun(token, between, isFirst);
    }
  }
  return read;

  function takeRun(text: string, between: string, isFirst: boolean): Owner {
    const code = text.charCodeAt(0);
    return code <= 0x39 ? takeNumber(text, between) : takeWord(text.toLowerCase(), between, isFirst);
  }

  function takeNumber(number: string, between: string): Owner {
    if (owner === 'stage') {
      read.stages.at(-1)?.numbers.push(number);
      return 'stage';
    }
    if (owner === 'platform') {
      read.platformNumbers.push(number);
      return 'platform with its number';
    }
    if (owner === 'platform with its number' && (between === '.' || between === '_')) {
      read.platformNumbers.push(number);
      return owner;
    }
    read.revision.push(number);
    read.ranked.push(number);
    return 'revision';
  }

  function takeWord(word: string, between: string, isFirst: boolean): Owner {
    const isAttached = isFirst && between === '';
    const hasNumber = isDigit(rest.charCodeAt(end));
    const level = levelOfStage.get(word);
    if (level !== undefined && isStage(word, isAttached, hasNumber)) {
      read.stages.push({ level, numbers: [] });
      return 'stage';
    }
    if (isAttached && !hasNumber && patchLetter.test(word) && !isLetter(rest.charCodeAt(end))) {
      read.ranked.push(String(letterNumber(word)));
      return 'revision';
    }
    if (emptyWords.has(word) || ornamentWords.has(word)) return 'revision';
    if (commitWords.has(word) && commitAhead.test(rest.slice(end))) return 'revision';
    if (platforms.has(word)) {
      read.flavor.push(word);
      read.platforms.push(word);
      return 'platform';
    }
    if (!revisionWords.has(word)) read.flavor.push(word);
    return 'revision';
  }

  function isStage(word: string, isAttached: boolean, hasNumber: boolean): boolean {
    if (attachedStages.has(word)) return isAttached && hasNumber;
    if (stagesWithNumber.has(word) && !hasNumber) return false;
    return !wholeStages.has(word) || !isLetter(rest.charCodeAt(end + digitsAt(rest, end)));
  }
}

/** A build of `git describe` (`-12-gdef5678`), or of a commit with its date (`-2026-02-06-03fffb2`). */
const commitBuild =
  /-([0-9]+)-g[0-9a-f]{4,40}(?![0-9a-z])(?:-dirty)?|^[-+.](?:0\.)?((?:19|20)[0-9]{2}-?[01][0-9]-?[0-3][0-9](?:[0-9]{6})?)[-.](?=[0-9a-f]*[a-f])(?=[a-f]*[0-9])[0-9a-f]{7,40}(?![0-9a-z])/i;
const knownNames = namesWithDigits.map((name) => `${name}(?![a-z])`).join('|');
/** What may be a commit id, a name with digits, letters, digits. The first two begin where a word begins. */
const tokens = new RegExp(
  `(?<![A-Za-z0-9])(g?[0-9a-f]{7,40})(?![0-9A-Za-z])|(?<![A-Za-z0-9])(${knownNames})|([A-Za-z]+)|[0-9]+`,
  'gi',
);
const run = /[0-9]+|[A-Za-z]+/y;
const patchLetter = /^z?[a-z]$/;
const commitAhead = /^[-._]?[0-9a-f]{7,40}(?![0-9A-Za-z])/i;

/** `a` is 1, `z` is 26; behind `z` projects went on with `za`. */
function letterNumber(letters: string): number {
  let sum = 0;
  for (let index = 0; index < letters.length; index += 1) sum += letters.charCodeAt(index) - 0x60;
  return sum;
}

function digitsAt(text: string, start: number): number {
  let count = 0;
  while (isDigit(text.charCodeAt(start + count))) count += 1;
  return count;
}

function isDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39;
}

function isLetter(code: number): boolean {
  const lower = code | 0x20;
  return lower >= 0x61 && lower <= 0x7a;
}
