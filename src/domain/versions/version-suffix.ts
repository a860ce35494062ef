import { matchAt } from './match-at.ts';
import type { Stage } from './precedence.ts';
import {
  attachedStages,
  commitWords,
  emptyWords,
  fixWords,
  levelOfStage,
  namesWithDigits,
  ornamentWords,
  revisionWords,
  stagesWithNumber,
  wholeStages,
} from './version-words.ts';

export interface Suffix {
  readonly variant: string[];
  readonly platforms: string[];
  readonly platformNumbers: string[];
  readonly stages: Stage[];
  describe: string | null;
  readonly revision: string[];
  /** The revision with its letters as numbers. */
  readonly ranked: string[];
  /** The part of `ranked` that upstream counts, without the numbers of packages and builds: none in `-debian-12-r3`. */
  readonly upstream: string[];
}

/** What the next number belongs to. */
type Owner = 'revision' | 'platform' | 'platform with its number' | 'stage';

/** Reads what follows the numbers, word by word. A number belongs to the word before it. @param platforms Platform words. */
export function readSuffix(suffix: string, platforms: ReadonlySet<string>): Suffix {
  const read: Suffix = {
    variant: [],
    platforms: [],
    platformNumbers: [],
    stages: [],
    describe: null,
    revision: [],
    ranked: [],
    upstream: [],
  };
  if (suffix === '') return read;
  let rest = suffix;
  const build = commitBuild.exec(suffix);
  if (build !== null) {
    read.describe = build[1] ?? (build[2] ?? '').replace(/\D/g, '');
    rest = suffix.slice(0, build.index) + suffix.slice(build.index + build[0].length);
  }
  let owner: Owner = 'revision';
  /** Whether the next revision is one of upstream: a number without a word, or after a word for fixes. */
  let isUpstream = true;
  /** The end of the previous token. */
  let end = 0;
  const tokens = mayHaveMixed.test(rest) ? allTokens : runTokens;
  tokens.lastIndex = 0;
  for (let match = tokens.exec(rest); match !== null; match = tokens.exec(rest)) {
    const [token, commit, name] = match;
    const between = rest.slice(end, match.index);
    const isFirst = end === 0;
    end = match.index + token.length;
    if (between.includes('+')) {
      owner = 'revision';
      isUpstream = false;
    }
    if (commit !== undefined) {
      if (/[0-9]/.test(commit) && /[a-f]/i.test(commit.replace(/^g/i, ''))) {
        owner = 'revision';
        continue;
      }
      // Only letters or only digits, so it isn't a commit ID.
      tokens.lastIndex = match.index;
      const again = matchAt(run, rest, match.index) ?? token;
      end = match.index + again.length;
      tokens.lastIndex = end;
      owner = takeRun(again, between, isFirst);
    } else if (name !== undefined) {
      read.variant.push(name.toLowerCase());
      owner = 'revision';
      isUpstream = false;
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
    if (isUpstream) read.upstream.push(number);
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
      read.upstream.push(String(letterNumber(word)));
      return 'revision';
    }
    if (emptyWords.has(word) || ornamentWords.has(word)) return 'revision';
    if (commitWords.has(word) && commitAhead.test(rest.slice(end))) return 'revision';
    isUpstream = fixWords.has(word);
    if (platforms.has(word)) {
      read.variant.push(word);
      read.platforms.push(word);
      return 'platform';
    }
    if (!revisionWords.has(word)) read.variant.push(word);
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
/** A possible commit ID or a name with digits, both at the start of a word, then letters or digits. */
const allTokens = new RegExp(
  `(?<![A-Za-z0-9])(g?[0-9a-f]{7,40})(?![0-9A-Za-z])|(?<![A-Za-z0-9])(${knownNames})|[A-Za-z]+|[0-9]+`,
  'gi',
);
/** Letters or digits. Finds the same tokens, and faster, in a suffix without commit IDs and names with digits. */
const runTokens = /[A-Za-z]+|[0-9]+/g;
const mayHaveMixed = /[0-9][A-Za-z]|[A-Za-z][0-9]|[0-9A-Fa-f]{7}/;
const run = /[0-9]+|[A-Za-z]+/y;
const patchLetter = /^z?[a-z]$/;
const commitAhead = /^[-._]?[0-9a-f]{7,40}(?![0-9A-Za-z])/i;

/** `a` is 1 and `z` is 26. After `z`, projects continue with `za`. */
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
