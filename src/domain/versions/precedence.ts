import type { Version } from './version-scheme.ts';

/**
 * Builds strings whose character order is the order of versions. The order is total by construction, the database sorts
 * the same way, and comparing two versions means comparing two short strings.
 *
 * A list ends with `!`, which sorts before all characters that can follow instead. So shorter lists are lower, and no
 * rank is a prefix of another rank: what follows a rank sorts within that rank only.
 */

const listEnd = '!';
/** The character after the numbers, in ascending order. */
const prereleaseMark = '0';
const stableMark = '1';
/** Higher than the digit count of any number, so versions with an epoch are higher than those without one. */
const epochMark = '{';
/** In SemVer, a numeric identifier of a pre-release is lower than one with letters. */
const numericMark = '1';
const textMark = '2';

/** Compares by rank only: which version is newer. */
export function compareRanks(a: Version, b: Version): number {
  const left = a.rank;
  const right = b.rank;
  return left === right ? 0 : left < right ? -1 : 1;
}

export function compareKeys(a: string, b: string): number {
  return a === b ? 0 : a < b ? -1 : 1;
}

/** @param components Runs of digits. A missing one counts as 0, so trailing zeros have no effect. */
export function numbersRank(components: readonly string[]): string {
  let length = components.length;
  while (length > 0 && isZero(components[length - 1] ?? '')) length -= 1;
  let key = '';
  for (let index = 0; index < length; index += 1) key += numberKey(components[index] ?? '');
  return key + listEnd;
}

/** The part of a rank that contains its epoch and numbers. */
export function numbersOfRank(rank: string): string {
  return rank.slice(0, rank.indexOf(listEnd) + 1);
}

export function epochRank(epoch: string): string {
  return isZero(epoch) ? '' : epochMark + numberKey(epoch);
}

/** Empty if the rank has no epoch. */
export function epochOfRank(rank: string): string {
  return /^\{(?:z[0-9]{3}|[a-y])[0-9]+/.exec(rank)?.[0] ?? '';
}

/**
 * The rank as it compares with others of an epoch: packages have one that upstream doesn't, and deployed versions are often
 * written without the one that their releases have.
 * @param epoch Of the others, empty if they have none.
 */
export function withEpoch(rank: string, epoch: string): string {
  const own = epochOfRank(rank);
  return own !== '' && epoch !== '' ? rank : epoch + rank.slice(own.length);
}

/** Below all in the list of stages: a commit before the first tag of its version. */
export const untaggedLevel = -1;

export interface Stage {
  /** The index in the list of stages, which starts with the lowest, or `untaggedLevel`. */
  readonly level: number;
  readonly numbers: string[];
}

/** Stages with their numbers. A stage within another is lower: `2.0-M2-RC4` is lower than `2.0-M2`. */
export function stagesRank(stages: readonly Stage[]): string {
  let key = '';
  for (const { level, numbers } of stages) {
    key += prereleaseMark + String.fromCharCode(0x61 + level) + numberListKey(numbers);
  }
  return key + stableMark;
}

/** The pre-release part as in SemVer 2.0.0, 11.4: identifiers are compared one by one, and fewer are lower. */
export function semverPrereleaseRank(identifiers: readonly string[]): string {
  let key = prereleaseMark;
  for (const identifier of identifiers) {
    key += isNumeric(identifier) ? numericMark + numberKey(identifier) : textMark + textKey(identifier);
  }
  return key + listEnd;
}

export const stableRank = stableMark;

/** Numbers, where a missing one is lower than 0: `rc` is lower than `rc0`. */
export function numberListKey(runs: readonly string[]): string {
  let key = '';
  for (const run of runs) key += numberKey(run);
  return key + listEnd;
}

/** Any text, by its UTF-16 code units, in printable ASCII. */
export function textKey(text: string): string {
  return (plainText.test(text) ? text : text.replace(unplainCharacters, escapeCharacter)) + listEnd;
}

/** Longer than real names. Names that differ only after it are ordered by the string at the end of a key. */
const maxNameKey = 100;

/** What orders a list within one rank: variant, platform numbers, line, string. */
export function detailsKey(
  variant: string,
  platformNumbers: readonly string[],
  line: string,
  text: string,
): string {
  return (
    textKey(variant.slice(0, maxNameKey)) +
    numberListKey(platformNumbers) +
    textKey(line.slice(0, maxNameKey)) +
    textKey(text)
  );
}

export function isNumeric(identifier: string): boolean {
  return allDigits.test(identifier);
}

const allDigits = /^[0-9]+$/;
// Printable ASCII above `"` and below `~`. These two start escaped characters that sort before and after the rest.
const plainText = /^[#-}]*$/;
const unplainCharacters = /[^#-}]/g;

function escapeCharacter(character: string): string {
  const code = character.charCodeAt(0);
  if (code <= 0x22) return `"${code.toString(16).padStart(2, '0')}`;
  return `~${sixBits(code >> 12)}${sixBits(code >> 6)}${sixBits(code)}`;
}

/** Six bits as one character. Three hold a code unit, where hexadecimal needs four. */
function sixBits(value: number): string {
  return String.fromCharCode(0x30 + (value & 0x3f));
}

/** The digits, after their count, so that numbers with more digits are higher. Up to 25, the count is one letter. */
function numberKey(digits: string): string {
  return (digits.length <= 3 ? smallKeys[Number(digits)] : undefined) ?? writeNumberKey(digits);
}

/** Most numbers of versions are below 1000, so their keys are made once. */
const smallKeys: readonly string[] = Array.from({ length: 1000 }, (_, value) =>
  writeNumberKey(String(value)),
);

function writeNumberKey(digits: string): string {
  const significant = withoutLeadingZeros(digits);
  const count = significant.length;
  if (count <= 25) return String.fromCharCode(0x60 + count) + significant;
  return `z${String(count).padStart(3, '0')}${significant}`;
}

function withoutLeadingZeros(digits: string): string {
  let start = 0;
  while (start < digits.length - 1 && digits.charCodeAt(start) === 0x30) start += 1;
  return start === 0 ? digits : digits.slice(start);
}

export function isZero(digits: string): boolean {
  return withoutLeadingZeros(digits) === '0';
}

/** A bigint if a number would lose digits. */
export function toExactNumber(digits: string): number | bigint {
  const value = Number(digits);
  return Number.isSafeInteger(value) ? value : BigInt(digits);
}
