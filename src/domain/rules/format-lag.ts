import { type RuleTypeId, ruleTypes } from './rule-types.ts';

const grouped = new Intl.NumberFormat('en-US');

/** "45 days", "1 major version", as `behind_by` and thresholds count. */
export function formatAmount(
  count: number,
  ruleType: RuleTypeId,
  size: 'unit' | 'shortUnit' = 'unit',
): string {
  const [one, many] = ruleTypes[ruleType][size];
  return `${grouped.format(count)} ${count === 1 ? one : many}`;
}

/** "45 days behind", "400 days since the newest release". */
export function formatLag(behindBy: number, ruleType: RuleTypeId, size?: 'unit' | 'shortUnit'): string {
  return `${formatAmount(behindBy, ruleType, size)} ${ruleTypes[ruleType].lagPhrase}`;
}
