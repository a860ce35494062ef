/**
 * A character class in brackets: the position after it, and the number of character ranges that the compiler
 * reads for it.
 */
export interface ClassScan {
  end: number;
  ranges: number;
}

/** Number of ranges in the largest named class. */
const rangesOfName = 762;
const rangesOfShortName = 5;
/**
 * Number of ranges in short classes, such as `\w` and `[:alpha:]`, if case is ignored. Each letter counts as
 * one range.
 */
const foldedRangesOfShortName = 70;

/**
 * Returns an upper estimate of the ranges in an escape, such as `\pL`, `\d`, or `\x41`. If `folds` is true,
 * letters match regardless of case.
 */
export function rangesOfEscape(escape: string, folds: boolean): number {
  if (/^\\p/i.test(escape)) return folds ? 2 * rangesOfName : rangesOfName;
  if (/^\\[dsw]/i.test(escape)) return rangesOfShort(folds);
  return 1;
}

function rangesOfShort(folds: boolean): number {
  return folds ? foldedRangesOfShortName : rangesOfShortName;
}

/**
 * Returns the escape sequence at a position, such as `\pL`, `\p{Greek}`, `\x41`, `\x{1F600}`, `\101`, or
 * `\d`.
 */
export function escapeAt(source: string, at: number): string {
  const escape = /\\(?:[pP](?:\{[^}]*\}|.)|x(?:\{[^}]*\}|..)|[0-7]{1,3}|.)?/suy;
  escape.lastIndex = at;
  return escape.exec(source)?.[0] ?? '\\';
}

/** Scans a character class. A `]` in the first position is a member of the class. */
export function scanClass(source: string, start: number, folds: boolean): ClassScan {
  let at = start + 1;
  let ranges = 1;
  if (source[at] === '^') at += 1;
  for (let isFirst = true; at < source.length && (isFirst || source[at] !== ']'); isFirst = false) {
    const named = /^\[:\^?\w*:\]/.exec(source.slice(at, at + 20));
    if (named) {
      at += named[0].length;
      ranges += rangesOfShort(folds);
      continue;
    }
    const low = memberAt(source, at);
    at += low.length;
    if (source[at] === '-' && at + 1 < source.length && source[at + 1] !== ']' && !isNamed(low)) {
      const high = memberAt(source, at + 1);
      at += 1 + high.length;
      ranges += folds ? foldedRanges(characterOf(low), characterOf(high)) : 1;
    } else {
      ranges += rangesOfEscape(low, folds);
    }
  }
  return { end: at + 1, ranges };
}

function memberAt(source: string, at: number): string {
  return source[at] === '\\' ? escapeAt(source, at) : String.fromCodePoint(source.codePointAt(at) ?? 0);
}

function isNamed(member: string): boolean {
  return /^\\[pdsw]/i.test(member);
}

function characterOf(member: string): number {
  const [, hex, octal] = /^\\(?:x\{?([^}]*)|([0-7]+))/.exec(member) ?? [];
  if (hex !== undefined) return parseInt(hex, 16) || 0;
  if (octal !== undefined) return parseInt(octal, 8);
  return member.codePointAt(member.length > 1 && member.startsWith('\\') ? 1 : 0) ?? 0;
}

/** Lowest and highest code points with an uppercase or lowercase counterpart. */
const firstFolded = 0x41;
const lastFolded = 0x1e943;

/**
 * Estimates the cost of a case-insensitive range, as a number of ranges. The compiler looks up each character
 * of the range, which takes half as long as reading a range.
 */
function foldedRanges(low: number, high: number): number {
  const letters = Math.min(high, lastFolded) - Math.max(low, firstFolded) + 1;
  return 1 + Math.max(0, Math.ceil(letters / 2));
}
