import type { Version } from './version-scheme.ts';

/**
 * Functions that build ranks and keys: strings whose character order is the order of versions. As a result,
 * the order is always total, the database sorts in the same way, and a comparison of two versions only
 * compares two short strings.
 *
 * Each list in a rank ends with `!`, which sorts before all characters with which the list could continue. As
 * a result, shorter lists are lower. In addition, no rank is a prefix of another rank, so text after a rank
 * affects only the order within that rank.
 */

const listEnd = '!';
/** Marks that follow the numbers, in ascending order. */
const prereleaseMark = '0';
const stableMark = '1';
/**
 * Mark before an epoch. It sorts after the first character of any number, so versions with an epoch are
 * higher than those without one.
 */
const epochMark = '{';
/** Marks before an identifier of a SemVer pre-release. A numeric identifier is lower than one with letters. */
const numericMark = '1';
const textMark = '2';

/** Compares only the ranks, which determine which version is newer. */
export function compareRanks(a: Version, b: Version): number {
  const left = a.rank;
  const right = b.rank;
  return left === right ? 0 : left < right ? -1 : 1;
}

export function compareKeys(a: string, b: string): number {
  return a === b ? 0 : a < b ? -1 : 1;
}

/** @param components Strings of digits. A missing component is treated as 0, so trailing zeros have no effect. */
export function numbersRank(components: readonly string[]): string {
  let length = components.length;
  while (length > 0 && isZero(components[length - 1] ?? '')) length -= 1;
  let key = '';
  for (let index = 0; index < length; index += 1) key += numberKey(components[index] ?? '');
  return key + listEnd;
}

/** Returns the part of a rank that contains its epoch and numbers. */
export function numbersOfRank(rank: string): string {
  return rank.slice(0, rank.indexOf(listEnd) + 1);
}

export function epochRank(epoch: string): string {
  return isZero(epoch) ? '' : epochMark + numberKey(epoch);
}

/** Returns the part of a rank that contains its epoch. Empty if the rank has no epoch. */
export function epochOfRank(rank: string): string {
  return /^\{(?:z[0-9]{3}|[a-y])[0-9]+/.exec(rank)?.[0] ?? '';
}

/**
 * Returns a rank that can be compared with ranks of another epoch: adds the epoch if the rank has none, and
 * removes the rank's own epoch if the others have none. Epochs differ because packages have an epoch that
 * upstream doesn't have, and deployed versions often omit the epoch of their releases.
 * @param epoch Epoch of the other ranks. Empty if they have none.
 */
export function withEpoch(rank: string, epoch: string): string {
  const own = epochOfRank(rank);
  return own !== '' && epoch !== '' ? rank : epoch + rank.slice(own.length);
}

/** Stage level of a commit before the first tag of its version. It's lower than all stages in the list. */
export const untaggedLevel = -1;

export interface Stage {
  /** Index in the list of stages, in which the lowest stage is first, or `untaggedLevel`. */
  readonly level: number;
  readonly numbers: string[];
}

/** Encodes stages with their numbers. A second stage makes the version lower: `2.0-M2-RC4` is lower than `2.0-M2`. */
export function stagesRank(stages: readonly Stage[]): string {
  let key = '';
  for (const { level, numbers } of stages) {
    key += prereleaseMark + String.fromCharCode(0x61 + level) + numberListSortKey(numbers);
  }
  return key + stableMark;
}

/**
 * Encodes the pre-release part according to section 11.4 of SemVer 2.0.0: identifiers are compared one by one, and if
 * all are equal, the version with fewer identifiers is lower.
 */
export function semverPrereleaseRank(identifiers: readonly string[]): string {
  let key = prereleaseMark;
  for (const identifier of identifiers) {
    key += isNumeric(identifier) ? numericMark + numberKey(identifier) : textMark + textSortKey(identifier);
  }
  return key + listEnd;
}

export const stableRank = stableMark;

/** Encodes numbers. A missing number is lower than 0: `rc` is lower than `rc0`. */
export function numberListSortKey(runs: readonly string[]): string {
  let key = '';
  for (const run of runs) key += numberKey(run);
  return key + listEnd;
}

/** Encodes text as printable ASCII, so that the results sort like the UTF-16 code units of the texts. */
export function textSortKey(text: string): string {
  return (plainText.test(text) ? text : text.replace(unplainCharacters, escapeCharacter)) + listEnd;
}

/**
 * Maximum length of a name in a key. Real names are shorter. Names with the same first 100 characters are ordered by
 * the string at the end of the key.
 */
const maxNameKey = 100;

/** Builds the key that orders versions within one rank: variant, platform numbers, line, string. */
export function detailsKey(
  variant: string,
  platformNumbers: readonly string[],
  line: string,
  text: string,
): string {
  return (
    textSortKey(variant.slice(0, maxNameKey)) +
    numberListSortKey(platformNumbers) +
    textSortKey(line.slice(0, maxNameKey)) +
    textSortKey(text)
  );
}

export function isNumeric(identifier: string): boolean {
  return allDigits.test(identifier);
}

const allDigits = /^[0-9]+$/;
// Printable ASCII between `"` and `~`. These two characters start escape sequences: `"` for characters that sort before
// this range, and `~` for those that sort after it.
const plainText = /^[#-}]*$/;
const unplainCharacters = /[^#-}]/g;

function escapeCharacter(character: string): string {
  const code = character.charCodeAt(0);
  if (code <= 0x22) return `"${code.toString(16).padStart(2, '0')}`;
  return `~${sixBits(code >> 12)}${sixBits(code >> 6)}${sixBits(code)}`;
}

/** Encodes six bits as one character, so that a code unit needs three characters instead of four in hexadecimal. */
function sixBits(value: number): string {
  return String.fromCharCode(0x30 + (value & 0x3f));
}

/**
 * Encodes a number as the number of its digits followed by the digits, so that numbers with more digits are
 * higher. Up to 25 digits, the number of digits is encoded as one letter.
 */
function numberKey(digits: string): string {
  return (digits.length <= 3 ? smallKeys[Number(digits)] : undefined) ?? writeNumberKey(digits);
}

/** Precomputed keys of the numbers below 1000, because most numbers in versions are in this range. */
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

/** Returns a number, or a bigint if a number would lose digits. */
export function toExactNumber(digits: string): number | bigint {
  const value = Number(digits);
  return Number.isSafeInteger(value) ? value : BigInt(digits);
}
