import type { VersionCountRuleType } from '../rule-type.ts';
import { ascendingThresholds } from '../severity.ts';

/**
 * Number of distinct (major, minor) pairs above the deployed version, up to the latest release. Patch
 * releases of the deployed version's own pair aren't included.
 */
export const minorsBehind: VersionCountRuleType = {
  kind: 'version_count',
  label: 'Minor versions behind',
  description: 'Number of newer minor versions, across all majors.',
  unit: ['minor version', 'minor versions'],
  shortUnit: ['minor', 'minors'],
  lagPhrase: 'behind',
  reason: 'behind',
  thresholds: ascendingThresholds,

  measure({ deployed, candidates }) {
    return {
      kind: 'count',
      behindBy: candidates.newer.countMinors(deployed),
      reachedAtMs: (threshold) => candidates.newer.dateOfMinor(deployed, threshold),
    };
  },
};
