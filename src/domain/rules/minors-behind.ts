import type { RuleType } from './rule-type.ts';

/**
 * The number of distinct pairs of major and minor number above the deployed version. Patches of its own pair
 * do not count; a new major counts as one more pair. Nothing is above the latest, so that is the upper end.
 */
export const minorsBehind: RuleType = {
  id: 'minors_behind',

  measure({ deployed, candidates }) {
    return {
      kind: 'count',
      behindBy: candidates.newer.countMinors(deployed),
      reachedAtMs: (threshold) => candidates.newer.dateOfMinor(deployed, threshold),
    };
  },

  measureByDate: null,
};
