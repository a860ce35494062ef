import { lagSinceRelease, notBehind, type VersionAgeRuleType } from '../rule-type.ts';
import { ascendingThresholds } from '../severity.ts';

/**
 * Whole days since the release date of the deployed version or of the first newer release. 0 if no newer
 * release counts, regardless of the age of the deployed version.
 */
export const daysBehind: VersionAgeRuleType = {
  kind: 'version_age',
  label: 'Days behind',
  description: 'Days since the first newer release (the default), or the age of the deployed release.',
  unit: ['day', 'days'],
  shortUnit: ['day', 'days'],
  lagPhrase: 'behind',
  reason: 'behind',
  thresholds: ascendingThresholds,

  measure({ rule, deployed, deployedRelease, candidates, set }) {
    const firstNewer = candidates.newer.firstReleased(deployed);
    if (firstNewer === null) return notBehind;
    if (rule.daysBasis === 'first_newer_release') return lagSinceRelease(firstNewer, 'first_newer_release');
    if (deployedRelease !== null) return lagSinceRelease(deployedRelease, 'deployed_release');
    const nearest = set.nearestBelow(deployed);
    if (nearest !== null) return lagSinceRelease(nearest, 'nearest_lower_release');
    return { kind: 'version_not_found' };
  },

  measureByDate({ rule, deployedRelease, candidates }) {
    const firstNewer = candidates.firstReleasedAfter(deployedRelease.dateMs);
    if (firstNewer === null) return notBehind;
    if (rule.daysBasis === 'first_newer_release') return lagSinceRelease(firstNewer, 'first_newer_release');
    return lagSinceRelease(deployedRelease, 'deployed_release');
  },
};
