import { matchAt } from './match-at.ts';
import { type Stage, untaggedLevel } from './precedence.ts';
import {
  commitWords,
  delimitedStages,
  distTags,
  fixWords,
  ignoredSuffixWords,
  ignoredWords,
  infixStages,
  levelOfStage,
  namesWithDigits,
  revisionWords,
  stagesWithNumber,
} from './version-words.ts';

export interface Suffix {
  readonly variant: string[];
  readonly platforms: string[];
  readonly platformNumbers: string[];
  readonly stages: Stage[];
  describe: string | null;
  readonly revision: string[];
  /** The numbers of the revision for the rank. Letters are converted to numbers. */
  readonly ranked: string[];
  /**
   * The part of `ranked` that upstream assigns, without the numbers of packages and builds. Empty for `-debian-12-r3`.
   */
  readonly upstream: string[];
  /** Same as `buildNumber` of `Version`. */
  buildNumber: string | null;
}

/** Part of the suffix that the next number belongs to. */
type Owner = 'revision' | 'platform' | 'platform with its number' | 'stage';

/** Properties of the version before the suffix. */
interface BeforeSuffix {
  /** True if the version has three numbers and the last two are zero: `0.0.0`, `2.0.0`. */
  readonly isMajorOnly: boolean;
  /** True if the version has an epoch. Only packages of distributions have epochs. */
  readonly hasEpoch: boolean;
}

/**
 * Parses the text after the numbers, word by word. A number belongs to the word before it.
 * @param platforms Platform words.
 */
export function readSuffix(
  suffix: string,
  platforms: ReadonlySet<string>,
  { isMajorOnly, hasEpoch }: BeforeSuffix,
): Suffix {
  const read: Suffix = {
    variant: [],
    platforms: [],
    platformNumbers: [],
    stages: [],
    describe: null,
    revision: [],
    ranked: [],
    upstream: [],
    buildNumber: buildNumber.exec(suffix)?.[1] ?? null,
  };
  if (suffix === '') return read;
  let rest = suffix;
  const untagged = untaggedBuild.exec(suffix) ?? (isMajorOnly ? firstUntaggedBuild.exec(suffix) : null);
  const build = untagged ?? commitBuild.exec(suffix);
  if (build !== null) rest = suffix.slice(0, build.index) + suffix.slice(build.index + build[0].length);
  const unstable = unstableDate.exec(rest);
  if (unstable !== null) {
    read.describe = digitsOf(unstable[1]);
    rest = rest.slice(unstable[0].length);
  }
  const snapshot = mavenSnapshot.exec(rest);
  if (snapshot !== null) {
    read.stages.push({ level: snapshotLevel, numbers: snapshot.slice(1) });
    rest = rest.slice(snapshot[0].length);
  }
  let owner: Owner = 'revision';
  /** True if upstream assigns the next revision number: a number without a word, or after a word for fixes. */
  let isUpstream = true;
  /**
   * Length of `upstream` before the last number that directly follows a hyphen. That number can be the revision of a
   * package.
   */
  let beforePackage: number | null = null;
  /**
   * True from the revision of a package on: the `3` of `-3ubuntu0.10`, `-3.el8`, `-3~deb12u1`, and `-3~jammy`, and all
   * later numbers.
   */
  let isPackage = false;
  let isAfterNumber = false;
  /** Maximum number of further numbers after a dot that still belong to the platform. */
  let platformDots = Infinity;
  /** End of the previous token in `rest`. */
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
      // The token consists only of letters or only of digits, so it isn't a commit ID.
      tokens.lastIndex = match.index;
      const again = matchAt(run, rest, match.index) ?? token;
      end = match.index + again.length;
      tokens.lastIndex = end;
      owner = readRun(again, between, isFirst);
    } else if (name !== undefined) {
      read.variant.push(name.toLowerCase());
      owner = 'revision';
      isUpstream = false;
    } else {
      owner = readRun(token, between, isFirst);
    }
  }
  if (build !== null) placeBuild(digitsOf(build.slice(1).find((date) => date !== undefined)));
  if (hasEpoch) excludePackageRevision();
  return read;

  function placeBuild(count: string): void {
    if (untagged !== null) read.stages.push({ level: untaggedLevel, numbers: [count] });
    else if (build?.[3] !== undefined && read.stages.length > 0) read.stages.at(-1)?.numbers.push('0', count);
    else read.describe = count;
  }

  function readRun(text: string, between: string, isFirst: boolean): Owner {
    const isNumber = text.charCodeAt(0) <= 0x39;
    const next = isNumber ? takeNumber(text, between) : takeWord(text.toLowerCase(), between, isFirst);
    isAfterNumber = isNumber;
    return next;
  }

  function excludePackageRevision(): void {
    isPackage = true;
    if (beforePackage !== null) read.upstream.length = Math.min(read.upstream.length, beforePackage);
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
    const isOfPlatform = between === '_' || (between === '.' && platformDots-- > 0);
    if (owner === 'platform with its number' && isOfPlatform) {
      read.platformNumbers.push(number);
      return owner;
    }
    if (between === '-') beforePackage = read.upstream.length;
    read.revision.push(number);
    read.ranked.push(number);
    if (isUpstream && !isPackage) read.upstream.push(number);
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
    if (ignoredSuffixWords.has(word) || ignoredWords.has(word)) return 'revision';
    if (commitWords.has(word) && followedByCommit.test(rest.slice(end))) return 'revision';
    isUpstream = fixWords.has(word);
    const isPlatform = platforms.has(word);
    const isOfPackage =
      isAfterNumber && owner === 'revision' && (hasNumber ? /^[.~+]?$/ : /^[.~+]$/).test(between);
    if (isOfPackage && (isPlatform || word === 'build')) excludePackageRevision();
    if (isPlatform) {
      read.variant.push(word);
      read.platforms.push(word);
      // After the platform of a package, its revision can continue: `.el9.1`, `~ubuntu22.04.1`.
      platformDots = !isOfPackage ? Infinity : word === 'ubuntu' ? 1 : distTags.has(word) ? 0 : Infinity;
      const isRevision =
        word === 'ubuntu' && between === '' && hasNumber && !ubuntuRelease.test(rest.slice(end));
      return isRevision ? 'revision' : 'platform';
    }
    if (!revisionWords.has(word)) read.variant.push(word);
    return 'revision';
  }

  function isStage(word: string, isAttached: boolean, hasNumber: boolean): boolean {
    if (infixStages.has(word)) return isAttached && hasNumber;
    if (stagesWithNumber.has(word) && !hasNumber) return false;
    return !delimitedStages.has(word) || !isLetter(rest.charCodeAt(end + digitsAt(rest, end)));
  }
}

/** A suffix that contains only a build number. */
const buildNumber = /^(?:-(?:build|b|r)?(?=[0-9])|\.[br])([0-9]*)$/i;

const commitDate = '((?:19|20)[0-9]{2}-?[01][0-9]-?[0-3][0-9](?:[0-9]{6})?)';
const commitId = '(?=[0-9a-f]*[a-f])(?=[a-f]*[0-9])[0-9a-f]{7,40}(?![0-9a-z])';
const goBuild = '([0-9]{14})-[0-9a-f]{12}(?![0-9a-z])';
/**
 * Build of a commit: from `git describe` (`-12-gdef5678`), with a date and the commit ID (`-2026-02-06-03fffb2`), or of
 * a Go module after a pre-release (`-pre.0.20191109021931-daa7c04131f5`).
 */
const commitBuild = new RegExp(
  `-([0-9]+)-g[0-9a-f]{4,40}(?![0-9a-z])(?:-dirty)?|^[-+.](?:0\\.)?${commitDate}[-.]${commitId}|\\.0\\.${goBuild}`,
  'i',
);
/**
 * Build of a commit before the version with these numbers, as in Go: `1.2.4-0.20191109021931-daa7c04131f5` is
 * higher than 1.2.3, but lower than 1.2.4 and its pre-releases. https://go.dev/ref/mod#pseudo-versions
 */
const untaggedBuild = new RegExp(`^-0\\.(?:${goBuild}|${commitDate}[-.]${commitId})`, 'i');
/** Build of a Go module that has no tag with its major version yet: `v0.0.0-20191109021931-daa7c04131f5`. */
const firstUntaggedBuild = new RegExp(`^-${goBuild}`, 'i');
/** Suffix that Maven uses when it deploys a `-SNAPSHOT` version: `-20240101.123456-7`. */
const mavenSnapshot =
  /^-((?:19|20)[0-9]{2}[01][0-9][0-3][0-9])\.([0-2][0-9][0-5][0-9][0-5][0-9])-([0-9]+)(?![0-9A-Za-z])/;
/** Suffix of a commit after a version, as in Nixpkgs: `-unstable-2024-06-06`. */
const unstableDate = /^[-+.]unstable[-.]((?:19|20)[0-9]{2}-[01][0-9]-[0-3][0-9])(?![0-9A-Za-z])/i;
const snapshotLevel = levelOfStage.get('snapshot') ?? 0;
/**
 * The number after `ubuntu` is a distribution release only if it ends with `.04`, because packages have revisions such
 * as `ubuntu13.10`.
 */
const ubuntuRelease = /^[0-9]{2}\.04(?![0-9])/;
const knownNames = namesWithDigits.map((name) => `${name}(?![a-z])`).join('|');
/**
 * Matches a possible commit ID or a name with digits, each at the start of a word, or else a run of letters or of
 * digits.
 */
const allTokens = new RegExp(
  `(?<![A-Za-z0-9])(g?[0-9a-f]{7,40})(?![0-9A-Za-z])|(?<![A-Za-z0-9])(${knownNames})|[A-Za-z]+|[0-9]+`,
  'gi',
);
/**
 * Matches a run of letters or of digits. For a suffix that contains neither commit IDs nor names with digits,
 * this pattern finds the same tokens as `allTokens`, but faster.
 */
const runTokens = /[A-Za-z]+|[0-9]+/g;
const mayHaveMixed = /[0-9][A-Za-z]|[A-Za-z][0-9]|[0-9A-Fa-f]{7}/;
const run = /[0-9]+|[A-Za-z]+/y;
const patchLetter = /^z?[a-z]$/;
const followedByCommit = /^[-._]?[0-9a-f]{7,40}(?![0-9A-Za-z])/i;

/** Converts letters to a number: `a` is 1 and `z` is 26. After `z`, projects continue with `za`, which is 27. */
function letterNumber(letters: string): number {
  let sum = 0;
  for (let index = 0; index < letters.length; index += 1) sum += letters.charCodeAt(index) - 0x60;
  return sum;
}

function digitsOf(text = ''): string {
  return text.replace(/\D/g, '');
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
