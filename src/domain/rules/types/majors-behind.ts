import { notBehind, type VersionCountRuleType } from '../rule-type.ts';
import { ascendingThresholds } from '../severity.ts';

/**
 * Number of major versions between the deployed version and the latest release. A change from small numbers to years is
 * one major version.
 */
export const majorsBehind: VersionCountRuleType = {
  kind: 'version_count',
  label: 'Major versions behind',
  description: 'Number of newer major versions.',
  unit: ['major version', 'major versions'],
  shortUnit: ['major', 'majors'],
  lagPhrase: 'behind',
  reason: 'behind',
  thresholds: ascendingThresholds,

  measure({ deployed, candidates }) {
    const latest = candidates.latest?.version;
    if (latest == null) return notBehind;
    const place = candidates.newer.placeOfMajor(deployed);
    const behindBy = Number(candidates.newer.placeOfMajor(latest) - place);
    return {
      kind: 'count',
      behindBy: Math.min(maxCount, Math.max(0, behindBy)),
      reachedAtMs: (threshold) => candidates.newer.firstDateOfMajor(place + BigInt(threshold)),
    };
  },
};

/** Maximum count, because the count is stored in a 32-bit column. Versions that are timestamps can differ by more. */
const maxCount = 2_147_483_647;
