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

/** A notification rule. An empty list of a criterion lets everything through. */
export interface RoutingRule {
  id: number;
  /** Lower is asked first. */
  priority: number;
  isActive: boolean;
  severities: readonly AlertSeverity[];
  eventTypes: readonly EventType[];
  /** The monitoring rules whose alerts it is for. */
  ruleIds: readonly number[];
  alertConfigIds: readonly number[];
  labelMatchers: readonly LabelMatcher[];
  /** `null`: the default channel of the organization. */
  channelIds: readonly number[] | null;
  /** Whether to notify the channels of the alert's owner. `channelIds` are for alerts whose owner has none. */
  routesToOwner: boolean;
  stopProcessing: boolean;
}

/** What a rule is asked about. What the event does not have is `null`. */
export interface RoutingSubject {
  eventType: EventType;
  severity: AlertSeverity | null;
  ruleId: number | null;
  alertConfigId: number | null;
  labels: Readonly<Record<string, string>>;
}

type Comparable = string | number | boolean | null;

/** One criterion that was not met; `criterion` is the field of the rule. */
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
  /** Every criterion that was not met, not just the first. Empty exactly when the rule matches. */
  mismatches: Mismatch[];
}

/**
 * Whether a rule wants to hear of an event. All criteria have to be met.
 * An event about the service itself has none of an alert's traits, and a rule without criteria is meant
 * for alerts: such an event has to be named in `eventTypes`.
 */
export function matchRule(rule: RoutingRule, subject: RoutingSubject): RuleMatch {
  const mismatches: Mismatch[] = [];
  if (!rule.isActive) mismatches.push({ criterion: 'is_active', expected: true, actual: false });

  const mustBeNamed = eventTypes[subject.eventType].routing !== 'alert';
  const lists = [
    ['severities', rule.severities, subject.severity, false],
    ['event_types', rule.eventTypes, subject.eventType, mustBeNamed],
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

/** Whether labels meet all matchers. */
export function matchesLabels(
  matchers: readonly LabelMatcher[],
  labels: Readonly<Record<string, string>>,
  matchesPattern: MatchesWholeValue = matchesWholeValue,
): boolean {
  return matchers.every((matcher) =>
    matchesLabel(matcher, labelValue(labels, matcher.label), matchesPattern),
  );
}

/** `null`: the label is missing. */
export function labelValue(labels: Readonly<Record<string, string>>, name: string): string | null {
  return Object.hasOwn(labels, name) ? (labels[name] ?? null) : null;
}

/** A label that is not there counts as an empty one, as Alertmanager has it: `team != "x"` matches without `team`. */
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
