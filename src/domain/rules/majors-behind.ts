import { notBehind, type RuleType } from './rule-type.ts';

/** The difference of the major numbers of the latest release and the deployed version; a change to years is one. */
export const majorsBehind: RuleType = {
  id: 'majors_behind',

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

  measureByDate: null,
};

/** Versions made of timestamps differ by more than a 32-bit column holds. */
const maxCount = 2_147_483_647;
