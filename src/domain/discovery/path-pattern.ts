import { withoutTrailing } from '../text/trailing.ts';

/** A pattern for paths in the syntax of CODEOWNERS and .gitignore. */
export interface PathPattern {
  segments: readonly string[];
  /** True if the pattern starts at the root of the repository. */
  isAnchored: boolean;
  /**
   * Names of directories below which the pattern doesn't apply, each with the number of levels. Only for
   * patterns that aren't anchored.
   */
  exceptBelow?: ReadonlyMap<string, number>;
}

const maxPatternLength = 300;

/** Parses a pattern. Returns null if the pattern is too long or negated. */
export function parsePathPattern(pattern: string): PathPattern | null {
  if (pattern.length > maxPatternLength || pattern.startsWith('!')) return null;
  const segments = pattern.split('/').filter((segment) => segment !== '');
  return { segments, isAnchored: withoutTrailing(pattern, '/').includes('/') };
}

/** True if the pattern matches the file or a directory that contains it. */
export function matchesPath({ segments, isAnchored, exceptBelow }: PathPattern, path: string): boolean {
  const parts = path.split('/');
  if (segments.length === 0) return true;
  if (isAnchored) return matchesSegments(segments, parts);
  const [only = ''] = segments;
  let exceptUpTo = -1;
  for (const [at, part] of parts.entries()) {
    if (at > exceptUpTo && matchesSegment(only, part)) return true;
    const levels = exceptBelow && levelsBelow(exceptBelow, part.toLowerCase());
    if (levels !== undefined) exceptUpTo = Math.max(exceptUpTo, at + levels);
  }
  return false;
}

/** Returns the levels of a directory, or of the last word in its name, such as `apps` in `k8s-apps`. */
function levelsBelow(exceptBelow: ReadonlyMap<string, number>, name: string): number | undefined {
  return exceptBelow.get(name) ?? exceptBelow.get(name.slice(name.lastIndexOf('-') + 1));
}

/**
 * Matches the segments of an anchored pattern: `**` matches any number of directories. If the segments after
 * a `**` don't match, only the last `**` is retried with one more directory. Retrying an earlier `**` can't
 * help, because its first match already leaves the most directories for the rest of the pattern. So the
 * number of steps is at most the product of the lengths of the pattern and the path.
 */
function matchesSegments(segments: readonly string[], parts: readonly string[]): boolean {
  let [at, depth, star, mark] = [0, 0, -1, 0];
  while (at < segments.length) {
    const segment = segments[at]!;
    if (segment === '**') {
      star = at++;
      mark = depth;
      continue;
    }
    // The pattern needs more directories than the path has left. A retry would leave even fewer.
    if (depth === parts.length) return false;
    // `docs/*` matches the files in the directory, but not those in its subdirectories.
    const isFileOnly = segment === '*' && at === segments.length - 1;
    if ((!isFileOnly || depth === parts.length - 1) && matchesSegment(segment, parts[depth]!)) {
      at++;
      depth++;
    } else if (star >= 0) {
      at = star + 1;
      depth = ++mark;
    } else return false;
  }
  return true;
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
