import { isCommitId } from './commit-id.ts';
import { matchAt } from './match-at.ts';
import { ignoredSuffixWords, levelOfStage, namesWithDigits, revisionWords } from './version-words.ts';

/**
 * Returns the index at which the numbers of a version start, or -1. Names can also contain digits (`k8s-1.2`,
 * `x86_64-1.2.3`, `java17-22.3`), so a number at the start of a word is preferred, and next a number with
 * dots. A single number after letters is considered only in the first word, such as `r58`, and after a
 * platform word, such as `full-java17`.
 *
 * @param platforms Platform words.
 */
export function findNumbers(text: string, platforms: ReadonlySet<string>): number {
  const leading = leadingOrnaments.exec(text)?.[0].length;
  if (leading !== undefined && !isName(matchAt(wordPattern, text, leading) ?? ''))
    return leading + nameLength(text, leading, platforms);
  const firstWord = text.search(/[A-Za-z0-9]/);
  let best = -1;
  let bestRank = 0;
  for (const word of text.matchAll(/[A-Za-z0-9]+/g)) {
    if (isName(word[0].replace(/^g/, ''))) continue;
    // The version was already found before this word, which is part of its suffix: `tool-5-rc.1.2`,
    // `tool-5-alpine-3.19`, `tool-5+1.2`.
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

/**
 * Returns the length of a name before the version, if the name begins with a number: `389-ds-base-3.0.2`,
 * `v4l-utils-1.26`, `v3/integrations/nrpq/v1.1.1`. Returns 0 if that number is the version itself, as in
 * `8-jdk-alpine-3.20`.
 */
function nameLength(text: string, start: number, platforms: ReadonlySet<string>): number {
  const rest = text.slice(start);
  const [name, words = '', separator] = namedVersion.exec(rest) ?? [];
  if (name === undefined || dateFirst.test(rest)) return 0;
  if (readNumbers(text, start, false).components.length > 1) return 0;
  const isSuffix = separator !== '/' && words.split(/[-_/]/).some((word) => isSuffixWord(word, platforms));
  return isSuffix ? 0 : name.length;
}

function isSuffixWord(word: string, platforms: ReadonlySet<string>): boolean {
  const letters = lettersOf(word);
  return [platforms, levelOfStage, revisionWords, ignoredSuffixWords].some((known) => known.has(letters));
}

function isStageOrPlatform(word: string, platforms: ReadonlySet<string>): boolean {
  const letters = lettersOf(word);
  return platforms.has(letters) || (letters.length > 1 && levelOfStage.has(letters));
}

function lettersOf(word: string): string {
  return /^[A-Za-z]+/.exec(word)?.[0].toLowerCase() ?? '';
}

const nameSet: ReadonlySet<string> = new Set(namesWithDigits);
const wordPattern = /[A-Za-z0-9]+/y;
const leadingOrnaments = /^(?:(?:version|ver|v|release|rel)[-._/]?)*(?=[0-9])/i;
/** Matches a number and words before a dotted number, with the separator between them. */
const namedVersion =
  /^[0-9]+[-_/]?([A-Za-z][A-Za-z0-9]*(?:[-_/][A-Za-z][A-Za-z0-9]*)*)([-_/@])[vV]?(?=[0-9]+\.[0-9])/;
const dateFirst = /^(?:19|20)[0-9]{2}(?:0[1-9]|1[0-2])(?:0[1-9]|[12][0-9]|3[01])(?:[0-9]{2}){0,3}(?![0-9])/;
/** Matches text after a number that continues it: a dotted number, or a Java update such as `u302` in `8u302`. */
const afterNumber = /^(?:\.|[uU])[0-9]/;

/** True if a word is a commit ID or a name with digits, such as `x64` or `32bit`. */
function isName(word: string): boolean {
  return isCommitId(word) || nameSet.has(word.toLowerCase());
}

/** True if the number at `position` continues a dotted number, such as `22` in `go1.22`. */
function isInsideDotted(text: string, position: number): boolean {
  return /^[0-9]\.$/.test(text.slice(Math.max(0, position - 2), position));
}

type Joint = 'dots' | 'date' | 'joined' | 'none';

export interface Numbers {
  readonly components: string[];
  readonly end: number;
  readonly joint: Joint;
}

/**
 * Parses a date with dashes (optionally with a time), dotted numbers, or numbers joined by `_` or `-`. Three
 * or more joined numbers all belong to the version. Of two joined numbers, the second is the revision if
 * `isAmongDotted` is true; otherwise, it belongs to the version, too.
 */
export function readNumbers(text: string, start: number, isAmongDotted: boolean): Numbers {
  const dotted = matchAt(dottedNumbers, text, start) ?? '0';
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
// Numbers joined by the same character. With `_`, a letter can follow the last number, as in `1_1_1w`.
const joinedNumbers = /[0-9]+(?:(?:_[0-9]+)+(?![0-9])|(?:-[0-9]+)+(?![0-9A-Za-z.]))/y;

/** True if the last number before `end` is the commit count in the output of `git describe`. */
function describeAt(text: string, end: number): boolean {
  return /^-g[0-9a-f]{4,40}(?![0-9a-z])/i.test(text.slice(end, end + 43));
}
