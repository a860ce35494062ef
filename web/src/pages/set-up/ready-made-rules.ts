import type { Schemas } from '../../../../src/generated/client-api.ts';

type RuleBody = Schemas['CreateMonitoringRuleRequest'];

export interface ReadyMadeRule {
  about: string;
  body: RuleBody;
}

/** Rule presets for new organizations. */
export const readyMadeRules: readonly ReadyMadeRule[] = [
  {
    about: 'Alerts when a newer release has been available for 30 days. Escalates at 60 and 90 days.',
    body: {
      name: 'Ninety days',
      rule_type: 'days_behind',
      thresholds: { moderate: 30, high: 60, critical: 90 },
      days_basis: 'first_newer_release',
    },
  },
  {
    about: 'Alerts when a new major version is released.',
    body: {
      name: 'Major versions',
      rule_type: 'majors_behind',
      thresholds: { moderate: 1, high: 2, critical: 3 },
    },
  },
  {
    about: "Alerts when you're several minor versions behind.",
    body: {
      name: 'Minor versions',
      rule_type: 'minors_behind',
      thresholds: { moderate: 2, high: 4, critical: 8 },
    },
  },
];
