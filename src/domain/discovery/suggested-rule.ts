import type { AlertSeverity } from '../rules/severity.ts';

/** Suggested first rule for discovered versions, for organizations without a rule. */
export const suggestedRule = {
  name: 'Discovered versions',
  description: 'Alerts when a newer release has been available for a month.',
  rule_type: 'days_behind',
  thresholds: { moderate: 30, high: 90, critical: 180 } satisfies Record<AlertSeverity, number>,
} as const;

/** Suggested first rule for managed services, which have support dates and no releases. */
export const suggestedLifecycleRule = {
  name: 'End of support',
  description: 'Alerts before the support for a deployed version ends.',
  rule_type: 'end_of_life',
  thresholds: { moderate: 180, high: 60, critical: 0 } satisfies Record<AlertSeverity, number>,
} as const;
