import type { Version } from './version-scheme.ts';

/**
 * Precedence as one string: each part of the order is written so that comparing the strings character by character
 * compares the parts in turn. The order is then total by construction, the database's order is the same one, and a
 * comparison costs no more than that of two short strings.
 *
 * A list ends with `!`, which is below every character that may stand in its place, so that what is shorter is lower.
 */

const listEnd = '!';
/** What stands between the numbers and the rest, in ascending order. */
const prereleaseMark = '0';
const stableMark = '1';
/** A numeric identifier of a pre-release is below one with letters. */
const numericMark = '1';
const textMark = '2';

export function comparePrecedence(a: Version, b: Version): number {
  const left = a.precedence;
  const right = b.precedence;
  return left === right ? 0 : left < right ? -1 : 1;
}

/** Numeric components as runs of digits. A missing one is 0, so zeros at the end say nothing. */
export function numbersPrecedence(components: readonly string[]): string {
  let length = components.length;
  while (length > 0 && isZero(components[length - 1] ?? '')) length -= 1;
  let key = '';
  for (let index = 0; index < length; index += 1) key += numberKey(components[index] ?? '');
  return key + listEnd;
}

/** The pre-release part by the rules of SemVer 2.0.0, 11.4: its identifiers one by one, fewer below more. */
export function prereleasePrecedence(identifiers: readonly string[]): string {
  let key = prereleaseMark;
  for (const identifier of identifiers) {
    key += isNumeric(identifier) ? numericMark + numberKey(identifier) : textMark + textKey(identifier);
  }
  return key + listEnd;
}

export const stablePrecedence = stableMark;

/** Numbers where a missing one is below 0: `-alpine` is below `-alpine0`. */
export function numberListKey(runs: readonly string[]): string {
  let key = '';
  for (const run of runs) key += numberKey(run);
  return key + listEnd;
}

/** Any text, by its UTF-16 code units, in printable ASCII. */
export function textKey(text: string): string {
  return (plainText.test(text) ? text : text.replace(unplainCharacters, escapeCharacter)) + listEnd;
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

function isZero(digits: string): boolean {
  return withoutLeadingZeros(digits) === '0';
}

/** Exact: a bigint where a number would lose digits. */
export function toExactNumber(digits: string): number | bigint {
  const value = Number(digits);
  return Number.isSafeInteger(value) ? value : BigInt(digits);
}
