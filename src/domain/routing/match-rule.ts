import { ownValue } from '../json/own-value.ts';
import type { AlertSeverity } from '../rules/severity.ts';
import { type MatchesWholeValue, matchesWholeValue } from './match-label-pattern.ts';
import type { EventType } from './notification-event.ts';
import { eventTypes } from './notification-event.ts';

export type LabelOperator = '=' | '!=' | '=~' | '!~';

export interface LabelMatcher {
  label: string;
  operator: LabelOperator;
  value: string;
}

/** A notification rule. A criterion with an empty list matches everything. */
export interface RoutingRule {
  id: number;
  /** Evaluation order. Rules with lower numbers are evaluated first. */
  priority: number;
  isActive: boolean;
  severities: readonly AlertSeverity[];
  eventTypes: readonly EventType[];
  /** IDs of the monitoring rules whose alerts match. */
  ruleIds: readonly number[];
  alertConfigIds: readonly number[];
  labelMatchers: readonly LabelMatcher[];
  /** IDs of the channels. `null` means the default channel of the organization. */
  channelIds: readonly number[] | null;
  /**
   * True if the rule notifies the channels of the alert's owner. `channelIds` is then the fallback for owners
   * without a channel.
   */
  routesToOwner: boolean;
  stopProcessing: boolean;
}

/** Properties of an event that rules match against. Properties that the event doesn't have are `null`. */
export interface RoutingSubject {
  eventType: EventType;
  severity: AlertSeverity | null;
  ruleId: number | null;
  alertConfigId: number | null;
  labels: Readonly<Record<string, string>>;
}

type Comparable = string | number | boolean | null;

/** A criterion that wasn't met. `criterion` is the corresponding field of the rule. */
export interface Mismatch {
  criterion:
    | 'is_active'
    | 'severities'
    | 'event_types'
    | 'rule_ids'
    | 'alert_config_ids'
    | `label_matchers.${number}`;
  expected: Comparable | readonly Comparable[];
  actual: Comparable;
}

export interface RuleMatch {
  matched: boolean;
  /** All criteria that weren't met, not just the first one. Empty if and only if the rule matches. */
  mismatches: Mismatch[];
}

/**
 * Matches a rule against an event. All criteria must be met. A rule matches events about the service itself only if its
 * `eventTypes` lists them. Otherwise, a rule without criteria, which is intended for alerts, would also match service
 * events.
 */
export function matchRule(rule: RoutingRule, subject: RoutingSubject): RuleMatch {
  const mismatches: Mismatch[] = [];
  if (!rule.isActive) mismatches.push({ criterion: 'is_active', expected: true, actual: false });

  const requiresExplicitType = eventTypes[subject.eventType].routing !== 'alert';
  const lists = [
    ['severities', rule.severities, subject.severity, false],
    ['event_types', rule.eventTypes, subject.eventType, requiresExplicitType],
    ['rule_ids', rule.ruleIds, subject.ruleId, false],
    ['alert_config_ids', rule.alertConfigIds, subject.alertConfigId, false],
  ] as const;
  for (const [criterion, expected, actual, isRequired] of lists) {
    if (expected.length === 0 && !isRequired) continue;
    if (!(expected as readonly Comparable[]).includes(actual))
      mismatches.push({ criterion, expected, actual });
  }

  for (const [index, matcher] of rule.labelMatchers.entries()) {
    const actual = labelValue(subject.labels, matcher.label);
    if (!matchesLabel(matcher, actual, matchesWholeValue)) {
      const expected = `${matcher.label} ${matcher.operator} ${JSON.stringify(matcher.value)}`;
      mismatches.push({ criterion: `label_matchers.${index}`, expected, actual });
    }
  }
  return { matched: mismatches.length === 0, mismatches };
}

/** True if the labels meet all matchers. */
export function matchesLabels(
  matchers: readonly LabelMatcher[],
  labels: Readonly<Record<string, string>>,
  matchesPattern: MatchesWholeValue = matchesWholeValue,
): boolean {
  return matchers.every((matcher) =>
    matchesLabel(matcher, labelValue(labels, matcher.label), matchesPattern),
  );
}

/** Returns the value of a label, or `null` if the label doesn't exist. */
export function labelValue(labels: Readonly<Record<string, string>>, name: string): string | null {
  return ownValue(labels, name) ?? null;
}

/**
 * Treats a missing label as empty, like Alertmanager: `team != "x"` matches if the `team` label doesn't
 * exist.
 */
function matchesLabel(
  matcher: LabelMatcher,
  actual: string | null,
  matchesPattern: MatchesWholeValue,
): boolean {
  const value = actual ?? '';
  switch (matcher.operator) {
    case '=':
      return value === matcher.value;
    case '!=':
      return value !== matcher.value;
    case '=~':
      return matchesPattern(matcher.value, value) === true;
    case '!~':
      return matchesPattern(matcher.value, value) === false;
  }
}
