import type { Version } from './version-scheme.ts';

/**
 * Places in an order as strings: each part is written so that comparing the strings character by character compares
 * the parts in turn. The order is then total by construction, the database's order is the same one, and a comparison
 * costs no more than that of two short strings.
 *
 * A list ends with `!`, which is below every character that may stand in its place, so that what is shorter is lower,
 * and no rank is the beginning of another rank: whatever is written behind a rank orders within that rank only.
 */

const listEnd = '!';
/** What stands between the numbers and the rest, in ascending order. */
const prereleaseMark = '0';
const stableMark = '1';
/** Above every digit count of a number: what has an epoch is above what has none. */
const epochMark = '{';
/** In SemVer a numeric identifier of a pre-release is below one with letters. */
const numericMark = '1';
const textMark = '2';

/** Which of two is newer: by rank alone. */
export function compareRanks(a: Version, b: Version): number {
  const left = a.rank;
  const right = b.rank;
  return left === right ? 0 : left < right ? -1 : 1;
}

export function compareKeys(a: string, b: string): number {
  return a === b ? 0 : a < b ? -1 : 1;
}

/** Numeric components as runs of digits. A missing one is 0, so zeros at the end say nothing. */
export function numbersRank(components: readonly string[]): string {
  let length = components.length;
  while (length > 0 && isZero(components[length - 1] ?? '')) length -= 1;
  let key = '';
  for (let index = 0; index < length; index += 1) key += numberKey(components[index] ?? '');
  return key + listEnd;
}

/** The part of a rank that its epoch and numbers make. */
export function numbersOfRank(rank: string): string {
  return rank.slice(0, rank.indexOf(listEnd) + 1);
}

export function epochRank(epoch: string): string {
  return isZero(epoch) ? '' : epochMark + numberKey(epoch);
}

export interface Stage {
  /** Its place among the stages, the lowest 0. */
  readonly level: number;
  readonly numbers: string[];
}

/** Stages with their numbers; one within another is below it: `2.0-M2-RC4` is below `2.0-M2`. */
export function stagesRank(stages: readonly Stage[]): string {
  let key = '';
  for (const { level, numbers } of stages) {
    key += prereleaseMark + String.fromCharCode(0x61 + level) + numberListKey(numbers);
  }
  return key + stableMark;
}

/** The pre-release part by the rules of SemVer 2.0.0, 11.4: its identifiers one by one, fewer below more. */
export function semverPrereleaseRank(identifiers: readonly string[]): string {
  let key = prereleaseMark;
  for (const identifier of identifiers) {
    key += isNumeric(identifier) ? numericMark + numberKey(identifier) : textMark + textKey(identifier);
  }
  return key + listEnd;
}

export const stableRank = stableMark;

/** Numbers where a missing one is below 0: `rc` is below `rc0`. */
export function numberListKey(runs: readonly string[]): string {
  let key = '';
  for (const run of runs) key += numberKey(run);
  return key + listEnd;
}

/** Any text, by its UTF-16 code units, in printable ASCII. */
export function textKey(text: string): string {
  return (plainText.test(text) ? text : text.replace(unplainCharacters, escapeCharacter)) + listEnd;
}

/** Long enough for every name there is; two that differ behind it are told apart by the string at the end of a key. */
const maxNameKey = 100;

/** What orders a list within one rank: flavor, platform numbers, line, string. */
export function detailsKey(
  flavor: string,
  platformNumbers: readonly string[],
  line: string,
  text: string,
): string {
  return (
    textKey(flavor.slice(0, maxNameKey)) +
    numberListKey(platformNumbers) +
    textKey(line.slice(0, maxNameKey)) +
    textKey(text)
  );
}

export function isNumeric(identifier: string): boolean {
  return allDigits.test(identifier);
}

const allDigits = /^[0-9]+$/;
// All of ASCII but what is at or below `"`, and `~`: these two introduce what is escaped below and above the rest.
const plainText = /^[#-}]*$/;
const unplainCharacters = /[^#-}]/g;

function escapeCharacter(character: string): string {
  const code = character.charCodeAt(0);
  if (code <= 0x22) return `"${code.toString(16).padStart(2, '0')}`;
  return `~${sixBits(code >> 12)}${sixBits(code >> 6)}${sixBits(code)}`;
}

/** Six bits as one character; three hold a code unit, where hexadecimal digits would take four. */
function sixBits(value: number): string {
  return String.fromCharCode(0x30 + (value & 0x3f));
}

/** The digits behind their count: what has more digits is higher. Up to 25 digits the count is one letter. */
function numberKey(digits: string): string {
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

/** Exact: a bigint where a number would lose digits. */
export function toExactNumber(digits: string): number | bigint {
  const value = Number(digits);
  return Number.isSafeInteger(value) ? value : BigInt(digits);
}
