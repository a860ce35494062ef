import type { Schemas } from '../../../../src/generated/client-api.ts';
import { formatEvent } from '../../components/event-type.ts';

type Rule = Pick<
  Schemas['NotificationRule'],
  'severities' | 'event_types' | 'label_matchers' | 'rule_ids' | 'alert_config_ids'
>;

const operators: Record<Schemas['LabelMatcher']['operator'], string> = {
  '=': '=',
  '!=': '≠',
  '=~': 'matches',
  '!~': 'does not match',
};

/**
 * Summarizes the criteria of a rule in one line, such as "critical or high; label team = platform".
 * @param nameOfRule Returns the name of a monitoring rule, or `undefined` if it isn't known.
 */
export function formatCriteria(
  { severities, event_types, label_matchers, rule_ids, alert_config_ids }: Rule,
  nameOfRule: (id: number) => string | undefined,
): string {
  const parts = [
    severities.length > 0 && joinWithOr(severities),
    event_types.length > 0 && joinWithOr(event_types.map((event) => formatEvent(event).toLowerCase())),
    ...label_matchers.map(formatMatcher),
    rule_ids.length > 0 && `rule ${joinWithOr(rule_ids.map((id) => nameOfRule(id) ?? `${id}`))}`,
    alert_config_ids.length > 0 &&
      (alert_config_ids.length === 1 ? '1 monitor' : `${alert_config_ids.length} monitors`),
  ].filter((part) => part !== false);
  return parts.length === 0 ? 'all alert events' : parts.join('; ');
}

export function formatMatcher({ label, operator, value }: Schemas['LabelMatcher']): string {
  return `label ${label} ${operators[operator]} ${value === '' ? '""' : value}`;
}

/** Joins words: "a", "a or b", "a, b or c". */
function joinWithOr(words: readonly string[]): string {
  return words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`;
}

const criteria: Record<Schemas['NotificationRuleMismatch']['criterion'], string> = {
  is_active: 'Disabled',
  severities: 'Severity',
  event_types: 'Event',
  rule_ids: 'Rule',
  alert_config_ids: 'Monitor',
  label_matchers: 'Label',
};

/** Explains why a rule doesn't match an alert, such as "Severity: expected critical, got moderate". */
export function formatMismatch(
  { criterion, expected, actual }: Schemas['NotificationRuleMismatch'],
  nameOfRule: (id: number) => string | undefined,
): string {
  if (criterion === 'is_active') return criteria.is_active;
  const formatValues = (text: string) =>
    text
      .split(', ')
      .map((each) => {
        if (criterion === 'event_types') return formatEventName(each);
        return criterion === 'rule_ids' ? (nameOfRule(Number(each)) ?? each) : each;
      })
      .join(' or ');
  const expectedText = criterion === 'label_matchers' ? expected : formatValues(expected);
  return `${criteria[criterion]}: expected ${expectedText}, got ${criterion === 'label_matchers' ? actual : formatValues(actual)}`;
}

function formatEventName(event: string): string {
  return formatEvent(event as Schemas['NotificationEventType'])?.toLowerCase() ?? event;
}
