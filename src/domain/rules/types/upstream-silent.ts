import { lagSinceRelease, notBehind, type UpstreamActivityRuleType } from '../rule-type.ts';
import { ascendingThresholds } from '../severity.ts';

/**
 * Whole days since the newest release of the software. Releases of all lines and variants are considered,
 * because a fix for an old line shows that the software is still maintained. The minimum release age doesn't
 * apply: a release that is too new to be compared also shows that the software is maintained.
 */
export const upstreamSilent: UpstreamActivityRuleType = {
  kind: 'upstream_activity',
  label: 'Upstream silent',
  description: 'Days since the newest release. Finds software that upstream no longer maintains.',
  unit: ['day', 'days'],
  shortUnit: ['day', 'days'],
  lagPhrase: 'since the newest release',
  reason: 'upstream_silent',
  thresholds: ascendingThresholds,
  measure: ({ newestOfAll }) =>
    newestOfAll === null ? notBehind : lagSinceRelease(newestOfAll, 'newest_release'),
};
