import { ownValue } from '../../../../src/domain/json/own-value.ts';
import type { Schemas } from '../../../../src/generated/client-api.ts';

type Item = Schemas['SoftwareItem'];

export interface LabelGroup {
  /** Value of the label, or `null` for software without it. */
  value: string | null;
  items: Item[];
}

/** Groups software by the value of a label. Software without the label is last. */
export function groupByLabel(items: readonly Item[], key: string): LabelGroup[] {
  const groups = Map.groupBy(items, ({ labels }) => ownValue(labels, key) ?? null);
  const last = groups.get(null);
  groups.delete(null);
  return [
    ...[...groups]
      .map(([value, members]) => ({ value, items: members }))
      .toSorted((a, b) => (a.value ?? '').localeCompare(b.value ?? '', 'en', { numeric: true })),
    ...(last ? [{ value: null, items: last }] : []),
  ];
}
