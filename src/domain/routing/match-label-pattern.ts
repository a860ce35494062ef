import { compileWholePattern, type Pattern } from '../patterns/compile-pattern.ts';
import { PatternCache } from '../patterns/pattern-cache.ts';

const compiled = new PatternCache(compileWholePattern);

/**
 * Whether an RE2 pattern matches the whole value, as Alertmanager anchors it: `api` does not match `api-2`.
 * `null` for a pattern that is refused: it was checked when saved, and matches nothing should it ever fail.
 */
export type MatchesWholeValue = (source: string, value: string) => boolean | null;

export const matchesWholeValue: MatchesWholeValue = (source, value) => patternOf(source)?.test(value) ?? null;

/** For one batch of alerts: each pattern is compiled once and compared with each value once, however many there are. */
export function rememberMatches(): MatchesWholeValue {
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

/** Why a pattern cannot be saved as the value of `=~` or `!~`; `null` when it can. */
export function checkLabelPattern(source: string): string | null {
  const result = compiled.get(source);
  return result.ok ? null : result.message;
}
