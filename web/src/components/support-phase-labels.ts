import type { SupportPhase } from '../../../src/domain/support/support-phases.ts';

export const supportPhaseLabels: Record<SupportPhase, string> = {
  active_support: 'Active support',
  end_of_life: 'End of life',
  extended_support: 'Extended support',
};
