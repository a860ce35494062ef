import { compileCheapPattern } from '../../../domain/patterns/compile-pattern.ts';
import { PatternCache } from '../../../domain/patterns/pattern-cache.ts';
import type { CandidateOptions } from '../../../domain/rules/candidates.ts';

type CandidatePattern = NonNullable<CandidateOptions['candidatePattern']>;

const compiled = new PatternCache(compileCheapPattern);

/**
 * Returns the pattern of a configuration, which is compiled once. Patterns are checked when they are saved. A
 * pattern that no longer compiles doesn't match any version.
 */
export function candidatePattern(source: string | null): CandidatePattern | null {
  if (source === null) return null;
  const result = compiled.get(source);
  return { source, matches: result.ok ? (version) => result.pattern.test(version) : () => false };
}
