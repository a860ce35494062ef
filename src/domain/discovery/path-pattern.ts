/** A pattern for paths in the syntax of CODEOWNERS and .gitignore. */
export interface PathPattern {
  segments: readonly string[];
  /** True if the pattern starts at the root of the repository. */
  isAnchored: boolean;
  /** Names of directories below which the pattern doesn't apply. Only for patterns that aren't anchored. */
  exceptBelow?: ReadonlySet<string>;
}

const maxPatternLength = 300;
/** Maximum number of combinations of a segment and a directory to check for one path. */
const maxCombinations = 10_000;

/** Parses a pattern. Returns null if the pattern is too long or negated. */
export function parsePathPattern(pattern: string): PathPattern | null {
  if (pattern.length > maxPatternLength || pattern.startsWith('!')) return null;
  const segments = pattern.split('/').filter((segment) => segment !== '');
  return { segments, isAnchored: pattern.replace(/\/+$/, '').includes('/') };
}

/** True if the pattern matches the file or a directory that contains it. */
export function matchesPath({ segments, isAnchored, exceptBelow }: PathPattern, path: string): boolean {
  const parts = path.split('/');
  if (segments.length === 0) return true;
  if (isAnchored) return matchesAt(segments, 0, parts, 0, new Set());
  const [only = ''] = segments;
  for (const part of parts) {
    if (matchesSegment(only, part)) return true;
    if (exceptBelow?.has(part.toLowerCase())) return false;
  }
  return false;
}

/**
 * @param failed Combinations that were checked without a match, so that several `**` don't check the same combination
 * repeatedly.
 */
function matchesAt(
  segments: readonly string[],
  at: number,
  path: readonly string[],
  depth: number,
  failed: Set<number>,
): boolean {
  if (at === segments.length) return true;
  const place = at * (path.length + 1) + depth;
  if (depth > path.length || failed.has(place) || failed.size >= maxCombinations) return false;
  failed.add(place);
  const segment = segments[at]!;
  if (segment === '**') {
    for (let next = depth; next <= path.length; next++)
      if (matchesAt(segments, at + 1, path, next, failed)) return true;
    return false;
  }
  const part = path[depth];
  if (part === undefined || !matchesSegment(segment, part)) return false;
  // `docs/*` matches the files in the directory, but not those in its subdirectories.
  if (segment === '*' && at === segments.length - 1) return depth === path.length - 1;
  return matchesAt(segments, at + 1, path, depth + 1, failed);
}

/** Matches one segment: `*` matches any characters and `?` matches one. Takes linear time for each star. */
function matchesSegment(pattern: string, text: string): boolean {
  let [at, from, star, mark] = [0, 0, -1, 0];
  while (from < text.length) {
    const character = pattern[at];
    if (character === '*') {
      star = at++;
      mark = from;
    } else if (character === '?' || character === text[from]) {
      at++;
      from++;
    } else if (star >= 0) {
      at = star + 1;
      from = ++mark;
    } else return false;
  }
  while (pattern[at] === '*') at++;
  return at === pattern.length;
}
