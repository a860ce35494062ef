import type { AlertSeverity } from '../rules/severity.ts';

/** Suggested first rule for discovered versions, for organizations without a rule. */
export const suggestedRule = {
  name: 'Discovered versions',
  description: 'Alerts when a newer release has been available for a month.',
  rule_type: 'days_behind',
  thresholds: { moderate: 30, high: 90, critical: 180 } satisfies Record<AlertSeverity, number>,
} as const;
