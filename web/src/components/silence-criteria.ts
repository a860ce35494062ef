import type { Schemas } from '../../../src/generated/client-api.ts';

export type SilenceCriteria = Required<Schemas['PreviewSilenceRequest']>;

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
