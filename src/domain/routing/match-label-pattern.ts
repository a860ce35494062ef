import { compileCheapPattern, type Pattern } from '../patterns/compile-pattern.ts';

/** Those of several organizations with as many as they can have; a compiled pattern is a few KiB. */
const compiledLimit = 2_000;
/** `null` for a pattern that is refused. The least recently used comes first. */
const compiled = new Map<string, Pattern | null>();

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
  let pattern = compiled.get(source);
  if (pattern === undefined) {
    const result = compileAnchored(source);
    pattern = result.ok ? result.pattern : null;
    if (compiled.size >= compiledLimit) compiled.delete(compiled.keys().next().value!);
  } else {
    compiled.delete(source);
  }
  compiled.set(source, pattern);
  return pattern;
}

/** Why a pattern cannot be saved as the value of `=~` or `!~`; `null` when it can. */
export function checkLabelPattern(source: string): string | null {
  const result = compileAnchored(source);
  return result.ok ? null : result.message;
}

function compileAnchored(source: string): ReturnType<typeof compileCheapPattern> {
  // By itself first: `a)|(b` would compile inside of the anchors and get around them.
  const bare = source === '' ? null : compileCheapPattern(source);
  return bare !== null && !bare.ok ? bare : compileCheapPattern(`^(?:${source})$`);
}
