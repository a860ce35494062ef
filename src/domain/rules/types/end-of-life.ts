import type { SupportRuleType } from '../rule-type.ts';
import { descendingThresholds } from '../severity.ts';

/**
 * Days until support for the deployed release line ends. This type doesn't compare versions with releases.
 */
export const endOfLife: SupportRuleType = {
  kind: 'support',
  label: 'End of life',
  description:
    'Days until support for the deployed version ends. 0 is the end itself; negative numbers are days after it.',
  unit: ['day', 'days'],
  shortUnit: ['day', 'days'],
  lagPhrase: 'to the end of support',
  reason: 'end_of_life',
  thresholds: descendingThresholds,
};
