import type { RuleType } from './rule-type.ts';

/**
 * The number of distinct (major, minor) pairs above the deployed version. Patches of its own pair don't count. The latest
 * release is the upper end.
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
