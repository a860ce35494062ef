import { type LabelMatcher, matchesLabels } from '../../../domain/routing/match-rule.ts';

/** A sandbox job: labels of open alerts, and the patterns of a silence. */
export interface CombinationsToMatch {
  readonly patterns: readonly LabelMatcher[];
  readonly names: readonly string[];
  /** A value for each name; null for a label that is missing. */
  readonly combinations: readonly (readonly (string | null)[])[];
}

/** Which of the combinations match. */
export function matchCombinations({ patterns, names, combinations }: CombinationsToMatch): boolean[] {
  return combinations.map((values) => {
    const labels = names.flatMap((name, index) => {
      const value = values[index];
      return typeof value === 'string' ? [[name, value] as const] : [];
    });
    return matchesLabels(patterns, Object.fromEntries(labels));
  });
}
