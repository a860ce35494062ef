import { compileWholePattern, type Pattern } from '../patterns/compile-pattern.ts';
import { PatternCache } from '../patterns/pattern-cache.ts';

const compiled = new PatternCache(compileWholePattern);

/**
 * Checks whether an RE2 pattern matches the whole value, with the same anchoring as Alertmanager: `api`
 * doesn't match `api-2`. Returns `null` for an invalid pattern. Patterns are validated when they're saved,
 * but if a stored pattern is invalid anyway, it matches nothing.
 */
export type MatchesWholeValue = (source: string, value: string) => boolean | null;

export const matchesWholeValue: MatchesWholeValue = (source, value) => patternOf(source)?.test(value) ?? null;

/**
 * Returns a cached matcher for one batch of alerts. Each pattern is compiled once and compared with each
 * distinct value once.
 */
export function createCachedMatcher(): MatchesWholeValue {
  const patterns = new Map<string, { pattern: Pattern | null; matches: Map<string, boolean | null> }>();
  return (source, value) => {
    let known = patterns.get(source);
    if (known === undefined) {
      known = { pattern: patternOf(source), matches: new Map() };
      patterns.set(source, known);
    }
    let isMatch = known.matches.get(value);
    if (isMatch === undefined) {
      isMatch = known.pattern?.test(value) ?? null;
      known.matches.set(value, isMatch);
    }
    return isMatch;
  };
}

function patternOf(source: string): Pattern | null {
  const result = compiled.get(source);
  return result.ok ? result.pattern : null;
}

/** Returns the reason why a pattern can't be saved as the value of `=~` or `!~`, or `null` if it's valid. */
export function checkLabelPattern(source: string): string | null {
  const result = compiled.get(source);
  return result.ok ? null : result.message;
}
