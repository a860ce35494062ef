import { ownValue } from '../../../src/domain/json/own-value.ts';
import type { Schemas } from '../../../src/generated/client-api.ts';
import { countOf } from '../ui/format.ts';

export type SilenceCriteria = Required<Schemas['PreviewSilenceRequest']>;

/** Alert that the criteria of a silence are derived from. */
export type SilencedAlert = Pick<Schemas['Alert'], 'status' | 'severity' | 'labels' | 'rule_id'>;

/**
 * Returns the initial criteria for silencing these alerts: the labels that all of them share, or their rules
 * if they share none.
 */
export function criteriaOf(alerts: readonly Pick<Schemas['Alert'], 'labels' | 'rule_id'>[]): SilenceCriteria {
  const [first] = alerts;
  const shared = Object.entries(first?.labels ?? {}).filter(([label, value]) =>
    alerts.every(({ labels }) => Object.hasOwn(labels, label) && labels[label] === value),
  );
  const label_matchers = shared
    .slice(0, 20)
    .map(([label, value]) => ({ label, operator: '=' as const, value }));
  const rules = [...new Set(alerts.map(({ rule_id }) => rule_id))];
  return {
    label_matchers,
    rule_ids: label_matchers.length === 0 ? rules.slice(0, 500) : [],
    severities: [],
  };
}

/** Formats a match count, such as "Matches 12 open alerts." */
export function formatMatchCount({
  open_alerts,
  open_alerts_is_exact,
}: Schemas['PreviewSilenceResponse']): string {
  const count = `${open_alerts_is_exact ? '' : 'at least '}${open_alerts.toLocaleString('en')}`;
  return `Matches ${count} open ${open_alerts === 1 ? 'alert' : 'alerts'}.`;
}

/**
 * Returns a warning that the criteria match more alerts than the selected ones, or `null` if they match no others.
 * The browser doesn't compare patterns, so with one, at least the alerts beyond the number of selected ones are others.
 */
export function formatOtherMatches(
  { open_alerts, open_alerts_is_exact }: Schemas['PreviewSilenceResponse'],
  { label_matchers, rule_ids, severities }: SilenceCriteria,
  selected: readonly SilencedAlert[],
): string | null {
  const isExact =
    open_alerts_is_exact && label_matchers.every(({ operator }) => operator === '=' || operator === '!=');
  const matching = selected.filter(
    ({ status, severity, rule_id, labels }) =>
      status !== 'resolved' &&
      (rule_ids.length === 0 || rule_ids.includes(rule_id)) &&
      (severities.length === 0 || severities.includes(severity)) &&
      label_matchers.every(({ label, operator, value }) => {
        const isEqual = (ownValue(labels, label) ?? '') === value;
        return operator === '=' ? isEqual : operator === '!=' ? !isEqual : true;
      }),
  );
  const others = open_alerts - matching.length;
  if (others <= 0) return null;
  const count = `${isExact ? '' : 'at least '}${countOf(others, 'alert')}`;
  return `These conditions also match ${count} that you didn't select.`;
}
