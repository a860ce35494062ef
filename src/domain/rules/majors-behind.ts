import type { Version } from '../versions/version-scheme.ts';
import { notBehind, type RuleType } from './rule-type.ts';

/** The difference of the major numbers of the latest release and the deployed version. */
export const majorsBehind: RuleType = {
  id: 'majors_behind',

  measure({ deployed, candidates }) {
    const latest = candidates.latest?.version;
    if (latest == null) return notBehind;
    return {
      kind: 'count',
      behindBy: Math.min(maxCount, Math.max(0, majorsBetween(latest, deployed))),
      reachedAtMs: (threshold) => candidates.firstDateOfMajor(majorOf(deployed) + BigInt(threshold)),
    };
  },

  measureByDate: null,
};

/** Versions made of timestamps differ by more than a 32-bit column holds. */
const maxCount = 2_147_483_647;

function majorsBetween(high: Version, low: Version): number {
  return Number(majorOf(high) - majorOf(low));
}

function majorOf(version: Version): bigint {
  return BigInt(version.numbers[0] ?? 0);
}
