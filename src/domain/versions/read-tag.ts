import { platformNames, revisionWords, stageWords } from './version-words.ts';

/**
 * The kind of an image tag. `version`: its numbers order releases. `moving`: it's republished with each
 * version. `commit`: a single build that can't be ordered. `other`: a branch, a preview, or a word, which
 * isn't related to a release.
 */
export type TagKind = 'version' | 'moving' | 'commit' | 'other';

/** Classifies a tag. The tag must not contain template expressions. */
export function readTag(tag: string): TagKind {
  if (isShortCommit(tag) || /^(?:sha|git|commit)-?[0-9a-f]{7,64}$/i.test(tag)) return 'commit';
  if (isPlatformOnly(tag) || /(?:^|\.)[x*](?:[.-]|$)|-(?:latest|nightly|edge)$/i.test(tag)) return 'moving';
  if (isPreview(tag) || isArchitecture(tag)) return 'other';
  const [first = '', ...rest] = tag.split('-');
  if (channels.has(first.toLowerCase()) || branches.has(first.toLowerCase()))
    return readAfterWord(first, rest);
  if (isNumberedBuild(tag)) return 'version';
  if (isMajor(first)) return rest.length === 0 || !isFixedVariant(rest) ? 'moving' : 'version';
  if (!/\d/.test(tag)) return 'moving';
  if (/^[a-z][a-z.]*$/i.test(first) && rest.length === 1 && isShortCommit(rest[0]!)) return 'commit';
  return hasOrderedNumber(tag) ? 'version' : 'other';
}

/**
 * Words for the newest build of a channel, such as `latest` or `stable`. A major version after such a word is
 * also a moving tag.
 */
const channels: ReadonlySet<string> = new Set([
  'latest',
  'mainline',
  'edge',
  'nightly',
  'canary',
  'stable',
  'lts',
  'current',
]);
/** Branches from which images are built. A number after such a word is a build number. */
const branches: ReadonlySet<string> = new Set(['main', 'master', 'trunk', 'develop', 'dev', 'head']);

/**
 * Classifies a tag by the part after its moving word. If that part is a version, a date, or a build number,
 * the tag identifies one fixed build.
 */
function readAfterWord(word: string, rest: readonly string[]): TagKind {
  const tail = rest.join('-');
  if (tail === '') return 'moving';
  if (rest.length === 1 && isShortCommit(tail)) return 'commit';
  if (/^v?\d+\.\d|\d{6,}|^\d{4}-\d\d/.test(tail)) return 'version';
  if (isNumberedBuild(tail)) return 'version';
  return branches.has(word.toLowerCase()) && /^\d+(?:\.\d+)*$/.test(tail) ? 'version' : 'moving';
}

/** True for a build number with its commit, such as `1234-abcdef1`, and optionally a word before them. */
function isNumberedBuild(tag: string): boolean {
  const [, commit] = /^(?:[a-z][a-z0-9_.]*-)?\d{1,9}-([0-9a-f]{7,40})$/.exec(tag) ?? [];
  return commit !== undefined && isShortCommit(commit);
}

function isArchitecture(tag: string): boolean {
  return /^(?:linux[-_])?(?:x86[-_]64|x64|amd64|i?386|i686|aarch64|arm64|arm32|arm|ppc64le|s390x|riscv64)(?:v\d)?$/i.test(
    tag,
  );
}

/**
 * True for tags of changes in progress: a pull request, a ticket, or a branch of a change. They can end with
 * a time, but a later time doesn't mean a newer release.
 */
function isPreview(tag: string): boolean {
  return (
    /^(?:pr|pull|pull-request|mr|merge-request|preview|snapshot-pr)[-_.]?\d/i.test(tag) ||
    /^(?:feat|feature|features|fix|bugfix|chore|wip|tickets?|issues?|users?|dependabot|renovate|branch|topic)[-_]/i.test(
      tag,
    ) ||
    /^[A-Z]{2,10}-\d{1,6}(?:[-_]|$)/.test(tag)
  );
}

/** True if the numbers of a tag order releases: a dotted number, a date, a build number, or a leading number. */
function hasOrderedNumber(tag: string): boolean {
  return (
    /\d\.\d|\d{4}/.test(tag) ||
    // A version, a revision, or a build: `v12`, `r58`, `b95`, `12-rc1`.
    /^[vrb]?\d+(?:[-_+]|$)/i.test(tag) ||
    /^v?\d+(?:alpha|beta|rc|u|p|r)\d*/i.test(tag) ||
    // A version whose parts are separated by other characters: `1_2_3`, `REL9_6`, `v1-2`.
    /(?:^|[^\d])\d+[-_]\d+(?:[-_]|$)/.test(tag) ||
    // A word with a number: `build-95`, `release-12`, `rc1`.
    /^[a-z]+[-_]\d{2,}$/i.test(tag) ||
    countsAfterWord(tag)
  );
}

function countsAfterWord(tag: string): boolean {
  const word = /^([a-z]+)[-_.]?\d+$/i.exec(tag)?.[1]?.toLowerCase();
  return (
    word !== undefined &&
    // A single letter before one number can be the name of a variant, such as `s6`.
    word.length > 1 &&
    (revisionWords.has(word) ||
      stageWords.some((words) => words.has(word)) ||
      /^(?:v|ver|version|rel|release)$/.test(word))
  );
}

/** True for a version line such as `4`, `v4`, or the year 2022. Larger numbers are build numbers or dates. */
function isMajor(version: string): boolean {
  return /^v?(?:\d{1,3}|20\d\d)$/i.test(version);
}

/**
 * True if the text after a major version identifies one build: `12-main-0a1b2c3`, `v4-rc.1`,
 * `2019-CU31-ubuntu-20.04`, `7-alpine-20240226`, `11-debian-11-r123`, and `14-vectorchord0.4.3`. The version
 * of a platform isn't enough.
 */
function isFixedVariant(variant: readonly string[]): boolean {
  if (!/^[a-z]/i.test(variant[0]!)) return true;
  if (isShortCommit(variant.at(-1)!)) return true;
  if (/^(?:g[0-9a-f]{7}|(?:alpha|beta|rc|pre|build)\.?\d)/i.test(variant[0]!)) return true;
  // A distribution with its revision, such as `debian-11-r123`.
  if (
    /^r\d+$/.test(variant.at(-1)!) &&
    variant.slice(0, -1).some((part) => platformNames.has(part.toLowerCase()))
  )
    return true;
  return variant.some((part) => {
    if (/^20\d{6,12}$|^\d{9,}$/.test(part)) return true;
    const [, word = '', number = ''] = /^([a-z]+)[.]?(\d[\w.]*)$/i.exec(part) ?? [];
    if (number === '' || platformNames.has(word.toLowerCase())) return false;
    return (
      (word.length > 1 && revisionWords.has(word.toLowerCase())) ||
      /^gdr$/i.test(word) ||
      /^\d+\.\d+\.\d/.test(number)
    );
  });
}

/**
 * True for tags that contain only names of platforms, each with at most two numbers, and no version of the
 * software: `pg16`, `bookworm-20`. Tags with more numbers or a date identify one build: `jdk-21.0.4`,
 * `bookworm-20240701`.
 */
function isPlatformOnly(tag: string): boolean {
  const parts = tag.toLowerCase().split(/[-_]/);
  return parts.every((part, at) => {
    const word = /^([a-z]*)\d{0,5}(?:\.\d{1,5})?$/.exec(part)?.[1];
    if (word === undefined || part === '') return false;
    if (word === '') return /^[a-z]+$/.test(parts[at - 1] ?? '') && platformNames.has(parts[at - 1]!);
    return platformNames.has(word);
  });
}

/**
 * True for hexadecimal digits with at least one letter. A plain number of seven digits is a build or a date.
 */
export function isShortCommit(version: string): boolean {
  return /^[0-9a-f]{7,64}$/.test(version) && /[a-f]/.test(version) && /\d/.test(version);
}

/**
 * Returns the pattern for the tags that are ordered together with this one, if the tag contains a commit or a
 * branch and then a time or number that orders it. The pattern requires the word of this tag, because tags
 * with another word are for another environment.
 */
export function versionPatternOf(tag: string): string | null {
  const byTime = patternOfTime(tag);
  if (byTime !== null) return byTime;
  const [, word, build, commit] = /^(?:([a-z][a-z0-9_.]*)-)?(\d{1,9})-([0-9a-f]{7,40})$/.exec(tag) ?? [];
  if (build !== undefined && isShortCommit(commit!)) return `^${prefixOf(word)}([0-9]+)-[a-f0-9]+$`;
  const byNumber = /^([a-z]+)-(\d+)$/.exec(tag);
  return byNumber && !channels.has(byNumber[1]!) && !platformNames.has(byNumber[1]!)
    ? `^${prefixOf(byNumber[1])}([0-9]+)$`
    : null;
}

/**
 * Times in tags: `20240820`, `20240820093417`, `20240820-0934`, `2024-08-20`, `2024-08-20T09-34-17Z`, and
 * Unix times.
 */
const timeInTag = String.raw`\d{8}(?:[-_.T]?\d{4}(?:\d\d)?)?Z?|\d{10}|\d{4}-\d\d-\d\d(?:[-_T]\d\d-?\d\d(?:-?\d\d)?Z?)?`;
const commitThenTime = new RegExp(`^(?:([a-z][a-z0-9_.]*)[-.])?([0-9a-f]{7,40})[-.](${timeInTag})$`);
const timeThenCommit = new RegExp(`^(?:([a-z][a-z0-9_.]*)[-.])?(${timeInTag})[-.]([0-9a-f]{7,40})$`);

/** Returns the pattern for tags that contain a commit and a time. */
function patternOfTime(tag: string): string | null {
  const [, before, first, after] = commitThenTime.exec(tag) ?? [];
  if (after !== undefined && isShortCommit(first!)) {
    const separators = separatorsOf(tag, before, first!);
    return `^${separators.word}[a-f0-9]+${separators.middle}(${/^\d+$/.test(after) ? '[0-9]+' : digitsOf(after)})$`;
  }
  const [, word, time, commit] = timeThenCommit.exec(tag) ?? [];
  if (time === undefined || !isShortCommit(commit!)) return null;
  const separators = separatorsOf(tag, word, time);
  return `^${separators.word}(${digitsOf(time)})${separators.middle}[a-f0-9]+$`;
}

/** Returns the word of a tag with the separator after it, and the separator after the next part, as patterns. */
function separatorsOf(tag: string, word: string | undefined, next: string) {
  const at = word === undefined ? 0 : word.length + 1;
  return {
    word: word === undefined ? '' : escaped(tag.slice(0, at)),
    middle: escaped(tag[at + next.length]!),
  };
}

/** Returns a pattern for times in the same format. */
function digitsOf(time: string): string {
  return escaped(time).replaceAll(/\d+/g, (digits) => `[0-9]{${digits.length}}`);
}

function escaped(text: string): string {
  return text.replaceAll('.', '[.]');
}

function prefixOf(word: string | undefined): string {
  return word === undefined ? '' : `${escaped(word)}-`;
}
