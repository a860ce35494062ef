import { type RuleTypeId, ruleTypes } from './rule-types.ts';

const grouped = new Intl.NumberFormat('en-US');

/**
 * Formats an amount with the unit of the rule type, such as "45 days" or "1 major version". `behind_by` and
 * thresholds use this unit.
 */
export function formatAmount(
  count: number,
  ruleType: RuleTypeId,
  size: 'unit' | 'shortUnit' = 'unit',
): string {
  const [one, many] = ruleTypes[ruleType][size];
  return `${grouped.format(count)} ${count === 1 ? one : many}`;
}

/** Formats a lag, such as "45 days behind" or "400 days since the newest release". */
export function formatLag(behindBy: number, ruleType: RuleTypeId, size?: 'unit' | 'shortUnit'): string {
  return `${formatAmount(behindBy, ruleType, size)} ${ruleTypes[ruleType].lagPhrase}`;
}
