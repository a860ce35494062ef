import { formatAmount, formatLag } from '../../../src/domain/rules/format-lag.ts';
import { countsDays } from '../../../src/domain/rules/rule-type.ts';
import { ruleTypes } from '../../../src/domain/rules/rule-types.ts';
import { formatDaysLeft } from '../../../src/domain/support/format-support.ts';
import type { Schemas } from '../../../src/generated/client-api.ts';

type RuleTypeId = Schemas['MonitoringRuleType'];

/**
 * Formats a lag: "45 days", "1 major version", "400 days since the newest release".
 * @param behindBy Null if unknown.
 */
export function formatBehindBy(behindBy: number | null, ruleType: RuleTypeId): string {
  if (behindBy === null) return 'unknown';
  return isAboutUpstream(ruleType) ? formatLag(behindBy, ruleType) : formatAmount(behindBy, ruleType);
}

/**
 * Returns the heading for `formatLagOrSupport`.
 * @param ruleType Undefined while the rule loads.
 */
export function lagHeading(ruleType: RuleTypeId | undefined): string {
  if (ruleType === undefined) return 'Behind';
  if (isAboutFindings(ruleType))
    return countsDays(ruleTypes[ruleType]) ? 'Fix available for' : 'Vulnerabilities';
  if (isAboutMoves(ruleType)) return 'Changes to the release';
  return isAboutSupport(ruleType) ? 'Support period' : 'Behind';
}

/** Formats the lag of an alert, or the days left in the support period. */
export function formatLagOrSupport({
  behind_by,
  days_left,
  rule_type,
  is_estimate,
}: Pick<Schemas['Alert'], 'behind_by' | 'days_left' | 'rule_type' | 'is_estimate'>): string {
  if (isAboutSupport(rule_type)) return days_left === null ? 'ended' : formatDaysLeft(days_left);
  return `${is_estimate ? '~' : ''}${formatBehindBy(behind_by, rule_type)}`;
}

/**
 * Returns the label for `behind_since`.
 * @param ruleType Undefined while the rule loads.
 */
export function sinceLabel(ruleType: RuleTypeId | undefined): string {
  if (ruleType !== undefined && isAboutFindings(ruleType)) return 'Fix available since';
  return ruleType !== undefined && isAboutUpstream(ruleType) ? 'Newest release' : 'Behind since';
}

/**
 * Formats a lag as a phrase: "45 days behind", "400 days since the newest release".
 * @param behindBy Result of `formatBehindBy`.
 */
export function lagText(behindBy: string, ruleType: RuleTypeId | undefined): string {
  if (ruleType === undefined) return `${behindBy} behind`;
  const isWhole =
    isAboutUpstream(ruleType) ||
    isAboutSupport(ruleType) ||
    isAboutFindings(ruleType) ||
    isAboutMoves(ruleType);
  return isWhole ? behindBy : `${behindBy} behind`;
}

function isAboutSupport(ruleType: RuleTypeId): boolean {
  return ruleTypes[ruleType].kind === 'support';
}

/** Returns true if the rule type measures known vulnerabilities. */
export function isAboutFindings(ruleType: RuleTypeId): boolean {
  return ruleTypes[ruleType].kind === 'vulnerabilities';
}

function isAboutMoves(ruleType: RuleTypeId): boolean {
  return ruleTypes[ruleType].kind === 'release_moves';
}

function isAboutUpstream(ruleType: RuleTypeId): boolean {
  return ruleTypes[ruleType].kind === 'upstream_activity';
}
