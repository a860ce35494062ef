/**
 * Creates a filter from globs of chart names: `*` matches any number of characters, and `?` matches one. A
 * chart passes if a glob matches its full name. Without globs, every chart passes.
 */
export function createChartFilter(globs: readonly string[]): (chart: string) => boolean {
  return (chart) => globs.length === 0 || globs.some((glob) => matchesGlob(chart, glob));
}

/** Returns the reason why a glob is invalid, as a sentence, or `null` if it's valid. */
export function checkGlob(glob: string): string | null {
  const sign = /[[\]{}!\\|()+,\s/]/u.exec(glob);
  if (!sign) return null;
  return `"${sign[0]}" isn't supported; use * (any characters) and ? (one character)`;
}

/**
 * Returns true if the glob matches the text. Backtracks only to the last `*`, because that one can match
 * everything that an earlier `*` could. The time is therefore at most the product of both lengths.
 */
function matchesGlob(text: string, glob: string): boolean {
  let at = 0;
  let globAt = 0;
  let star = -1;
  let starEnd = 0;
  while (at < text.length) {
    if (glob[globAt] === '*') {
      star = globAt;
      starEnd = at;
      globAt += 1;
    } else if (globAt < glob.length && (glob[globAt] === '?' || glob[globAt] === text[at])) {
      at += 1;
      globAt += 1;
    } else if (star >= 0) {
      starEnd += 1;
      at = starEnd;
      globAt = star + 1;
    } else {
      return false;
    }
  }
  while (glob[globAt] === '*') globAt += 1;
  return globAt === glob.length;
}
