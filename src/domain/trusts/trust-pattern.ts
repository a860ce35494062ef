/**
 * Pattern for a claim, a service, or an environment: an exact value, or a value with one `*` in a segment. Segments are
 * separated by `/` and `:`, which separate the parts of repositories, refs, and subjects. Because `*` never matches a
 * separator, a value that someone else can choose, such as the name of a branch, can't match a pattern for another part.
 */
const separators = /([/:])/;

/** Returns the segments and separators of a string, in order. Segments have even indexes. */
function partsOf(text: string): string[] {
  return text.split(separators);
}

/** Returns the reason why a string isn't a pattern, or `null`. */
export function patternProblem(pattern: string): string | null {
  return segmentsOf(pattern).some((segment) => segment.split('*').length > 2)
    ? 'can have only one * between two separators (/ and :)'
    : null;
}

export function segmentsOf(pattern: string): string[] {
  return partsOf(pattern).filter((_, index) => index % 2 === 0);
}

/** True if the text matches the pattern. `*` stands for at least one character. */
export function matchesPattern(pattern: string, text: string): boolean {
  const parts = partsOf(pattern);
  const given = partsOf(text);
  return parts.length === given.length && parts.every((part, index) => matchesPart(part, given[index]!));
}

export function matchesAny(patterns: readonly string[], text: string): boolean {
  return patterns.some((pattern) => matchesPattern(pattern, text));
}

function matchesPart(part: string, text: string): boolean {
  const star = part.indexOf('*');
  if (star === -1) return part === text;
  const before = part.slice(0, star);
  const after = part.slice(star + 1);
  return text.length >= part.length && text.startsWith(before) && text.endsWith(after);
}
