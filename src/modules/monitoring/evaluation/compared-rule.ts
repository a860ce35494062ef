import type { Rule } from '../../../domain/rules/rule-type.ts';
import type { RuleRow } from '../rules/rule-queries.ts';

type RuleColumns = Pick<
  RuleRow,
  | 'rule_type'
  | 'threshold_moderate'
  | 'threshold_high'
  | 'threshold_critical'
  | 'stable_only'
  | 'days_basis'
  | 'min_release_age_days'
  | 'support_phase'
  | 'known_exploited_days'
  | 'min_epss'
>;

/** Converts a stored rule to the rule used in comparisons. */
export function toComparedRule(row: RuleColumns): Rule {
  return {
    type: row.rule_type,
    thresholds: {
      moderate: row.threshold_moderate,
      high: row.threshold_high,
      critical: row.threshold_critical,
    },
    stableOnly: row.stable_only,
    daysBasis: row.days_basis,
    minReleaseAgeDays: row.min_release_age_days,
    supportPhase: row.support_phase,
    knownExploitedDays: row.known_exploited_days,
    minEpss: row.min_epss,
  };
}
