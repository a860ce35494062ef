/** A class in brackets: the place behind it, and how many ranges of characters the compiler reads for it. */
export interface ClassScan {
  end: number;
  ranges: number;
}

/** As many as the largest named class has. */
const rangesOfName = 762;
const rangesOfShortName = 5;
/** Per letter in it, for those such as `\w` and `[:alpha:]`. */
const foldedRangesOfShortName = 70;

/** An upper estimate for an escape: `\pL`, `\d`, `\x41`. `folds`: letters of either case match. */
export function rangesOfEscape(escape: string, folds: boolean): number {
  if (/^\\p/i.test(escape)) return folds ? 2 * rangesOfName : rangesOfName;
  if (/^\\[dsw]/i.test(escape)) return rangesOfShort(folds);
  return 1;
}

function rangesOfShort(folds: boolean): number {
  return folds ? foldedRangesOfShortName : rangesOfShortName;
}

/** `\pL`, `\p{Greek}`, `\x41`, `\x{1F600}`, `\101`, `\d`. */
export function escapeAt(source: string, at: number): string {
  const escape = /\\(?:[pP](?:\{[^}]*\}|.)|x(?:\{[^}]*\}|..)|[0-7]{1,3}|.)?/suy;
  escape.lastIndex = at;
  return escape.exec(source)?.[0] ?? '\\';
}

/** A `]` that comes first is a member of the class. */
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

/** The first and the last code point that has another case. */
const firstFolded = 0x41;
const lastFolded = 0x1e943;

/** The compiler looks up each character in such a range, which takes half as long as a range. */
function foldedRanges(low: number, high: number): number {
  const letters = Math.min(high, lastFolded) - Math.max(low, firstFolded) + 1;
  return 1 + Math.max(0, Math.ceil(letters / 2));
}
