import { compileCheapPattern } from '../../../domain/patterns/compile-pattern.ts';
import { PatternCache } from '../../../domain/patterns/pattern-cache.ts';
import type { CandidateOptions } from '../../../domain/rules/candidates.ts';

type CandidatePattern = NonNullable<CandidateOptions['candidatePattern']>;

const compiled = new PatternCache(compileCheapPattern);

/** The pattern of a configuration, compiled once. It was checked when it was saved: one that no longer compiles lets nothing pass. */
export function candidatePattern(source: string | null): CandidatePattern | null {
  if (source === null) return null;
  const result = compiled.get(source);
  return { source, matches: result.ok ? (version) => result.pattern.test(version) : () => false };
}
