import { type LabelMatcher, matchesLabels } from '../../../domain/routing/match-rule.ts';

/** Input of a sandbox job: the patterns of a silence, and combinations of label values of open alerts. */
export interface CombinationsToMatch {
  readonly patterns: readonly LabelMatcher[];
  readonly names: readonly string[];
  /** A value for each name, or null for a missing label. */
  readonly combinations: readonly (readonly (string | null)[])[];
}

/** Checks, for each combination, if it matches all patterns. */
export function matchCombinations({ patterns, names, combinations }: CombinationsToMatch): boolean[] {
  return combinations.map((values) => {
    const labels = names.flatMap((name, index) => {
      const value = values[index];
      return typeof value === 'string' ? [[name, value] as const] : [];
    });
    return matchesLabels(patterns, Object.fromEntries(labels));
  });
}
