import { defaultDaysBasis, type RuleType, usesExploitData } from '../../../../src/domain/rules/rule-type.ts';
import { ruleTypes } from '../../../../src/domain/rules/rule-types.ts';
import type { AlertSeverity } from '../../../../src/domain/rules/severity.ts';
import { defaultSupportPhase, type SupportPhase } from '../../../../src/domain/support/support-phases.ts';
import { bodyDefaults } from '../../../../src/generated/body-defaults.ts';
import type { Schemas } from '../../../../src/generated/client-api.ts';

/** Values of the rule form. */
export interface RuleFieldValues {
  rule_type: Schemas['MonitoringRuleType'];
  thresholds: Record<AlertSeverity, number | ''>;
  stable_only: boolean;
  days_basis: Schemas['DaysBasis'];
  support_phase: SupportPhase;
  /** Grace period in days, or a string if the input isn't a number. */
  min_release_age_days: number | string;
  /** Empty for no separate deadline. */
  known_exploited_days: number | '';
  /** Empty if all vulnerabilities count. */
  min_epss: number | '';
}

const inDays = { moderate: 30, high: 60, critical: 90 };
const inVersions = { moderate: 1, high: 2, critical: 3 };
const beforeEnd = { moderate: 180, high: 60, critical: 0 };
const counts = { moderate: 5, high: 1, critical: 1 };
const anyChange = { moderate: '', high: '', critical: 1 } as const;

/**
 * Returns the suggested thresholds in the unit of the rule type. Days before the end of support descend with
 * severity, and vulnerability counts have no order. Any change to a published release is critical. All others
 * ascend.
 */
export function suggestedThresholds(type: Schemas['MonitoringRuleType']): Record<AlertSeverity, number | ''> {
  const ruleType: RuleType = ruleTypes[type];
  switch (ruleType.kind) {
    case 'version_count':
      return inVersions;
    case 'version_age':
    case 'upstream_activity':
      return inDays;
    case 'support':
      return beforeEnd;
    case 'vulnerabilities':
      return ruleType.counts === 'days' ? inDays : counts;
    case 'release_moves':
      return anyChange;
  }
}

/** Returns the form values of a stored rule, or the defaults for a new one. */
export function ruleFieldValues(rule?: Schemas['MonitoringRule']): RuleFieldValues {
  const start = rule ?? bodyDefaults.createRule;
  return {
    rule_type: rule?.rule_type ?? 'days_behind',
    thresholds: { moderate: '', high: '', critical: '', ...(rule?.thresholds ?? inDays) },
    stable_only: start.stable_only,
    days_basis: rule?.days_basis ?? defaultDaysBasis,
    support_phase: rule?.support_phase ?? defaultSupportPhase,
    min_release_age_days: start.min_release_age_days,
    known_exploited_days: rule?.known_exploited_days ?? '',
    min_epss: rule?.min_epss ?? '',
  };
}

/** Returns the request body, with only the fields that apply to the rule type. */
export function toRuleBody({ rule_type, thresholds, ...values }: RuleFieldValues) {
  const { stable_only, days_basis, support_phase, min_release_age_days, known_exploited_days, min_epss } =
    values;
  const ruleType = ruleTypes[rule_type];
  const given = Object.entries(thresholds).filter(([, value]) => value !== '');
  return {
    rule_type,
    stable_only,
    thresholds: Object.fromEntries(given) as Schemas['MonitoringThresholds'],
    // An invalid value is sent as a string, because the server rejects it with an error for this field.
    min_release_age_days: min_release_age_days as number,
    ...(ruleType.kind === 'version_age' && { days_basis }),
    ...(ruleType.kind === 'support' && { support_phase }),
    ...(usesExploitData(ruleType) && {
      known_exploited_days: known_exploited_days === '' ? null : known_exploited_days,
      min_epss: min_epss === '' ? null : min_epss,
    }),
  };
}
