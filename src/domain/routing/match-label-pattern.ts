import { compileCheapPattern, type Pattern } from '../patterns/compile-pattern.ts';

/** Enough for the label patterns of a busy installation; a compiled pattern is a few KiB. */
const compiledLimit = 500;
/** `null` for a pattern that is refused. */
const compiled = new Map<string, Pattern | null>();

/**
 * Whether an RE2 pattern matches the whole value, as Alertmanager anchors it: `api` does not match `api-2`.
 * `null` for a pattern that is refused: it was checked when saved, and matches nothing should it ever fail.
 */
export function matchesWholeValue(source: string, value: string): boolean | null {
  let pattern = compiled.get(source);
  if (pattern === undefined) {
    const result = compileAnchored(source);
    pattern = result.ok ? result.pattern : null;
    if (compiled.size >= compiledLimit) compiled.clear();
    compiled.set(source, pattern);
  }
  return pattern?.test(value) ?? null;
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
