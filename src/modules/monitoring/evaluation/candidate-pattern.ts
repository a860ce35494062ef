import { compileCheapPattern } from '../../../domain/patterns/compile-pattern.ts';
import type { CandidateOptions } from '../../../domain/rules/candidates.ts';

type CandidatePattern = NonNullable<CandidateOptions['candidatePattern']>;

const compiled = new Map<string, CandidatePattern>();
const maxCompiled = 1_000;

/** The pattern of a configuration, compiled once. It was checked when it was saved: one that no longer compiles lets nothing pass. */
export function candidatePattern(source: string | null): CandidatePattern | null {
  if (source === null) return null;
  let pattern = compiled.get(source);
  if (!pattern) {
    const result = compileCheapPattern(source);
    pattern = { source, matches: result.ok ? (version) => result.pattern.test(version) : () => false };
    if (compiled.size >= maxCompiled) compiled.clear();
    compiled.set(source, pattern);
  }
  return pattern;
}
