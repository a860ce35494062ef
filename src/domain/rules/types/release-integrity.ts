import { maxReleaseMoves } from '../release-changes.ts';
import type { ReleaseMovesRuleType } from '../rule-type.ts';
import { ascendingThresholds } from '../severity.ts';

/** Changes to the deployed release after it was published. Releases are used only to suggest an upgrade. */
export const releaseIntegrity: ReleaseMovesRuleType = {
  kind: 'release_moves',
  label: 'Release integrity',
  description:
    "Number of times that the commit or digest of the deployed release changed after it was published. Regular rebuilds and moving tags don't count.",
  unit: ['change', 'changes'],
  shortUnit: ['change', 'changes'],
  lagPhrase: 'of the published release',
  reason: 'release_moved',
  thresholds: { ...ascendingThresholds, max: maxReleaseMoves },
};
