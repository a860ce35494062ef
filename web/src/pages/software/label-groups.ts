import { ownValue } from '../../../../src/domain/json/own-value.ts';
import type { Schemas } from '../../../../src/generated/client-api.ts';

type Item = Schemas['SoftwareItem'];

export interface LabelGroup {
  /** Value of the label, or `null` for software without it. */
  value: string | null;
  items: Item[];
}

const severities = ['critical', 'high', 'moderate'] as const;

/**
 * Groups software by the value of a label. The group with the most critical items is first, then the one with the most
 * high items, and so on. Software without the label is last.
 */
export function groupByLabel(items: readonly Item[], key: string): LabelGroup[] {
  const groups = Map.groupBy(items, ({ labels }) => ownValue(labels, key) ?? null);
  const last = groups.get(null);
  groups.delete(null);
  return [
    ...[...groups]
      .map(([value, members]) => ({ value, items: members }))
      .toSorted(
        (a, b) =>
          compareSeverities(a, b) || (a.value ?? '').localeCompare(b.value ?? '', 'en', { numeric: true }),
      ),
    ...(last ? [{ value: null, items: last }] : []),
  ];
}

function compareSeverities(a: LabelGroup, b: LabelGroup): number {
  for (const severity of severities) {
    const count = ({ items }: LabelGroup) => items.filter((item) => item.severity === severity).length;
    const difference = count(b) - count(a);
    if (difference !== 0) return difference;
  }
  return 0;
}
