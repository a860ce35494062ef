import type { Item } from './call-operation.ts';
import { isItem } from './call-operation.ts';
import { usageError } from './cli-error.ts';

/** `team=payments`, as often as needed. */
export function readLabels(texts: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    texts.map((text) => {
      const [, key = '', value = ''] = /^([A-Za-z][A-Za-z0-9_./-]{0,62})=(.*)$/s.exec(text) ?? [];
      if (key === '') throw usageError(`Invalid label "${text}". Use key=value, for example team=payments.`);
      return [key, value];
    }),
  );
}

/** Whether an item has all these labels. The API filters by one. */
export function hasLabels(item: Item, labels: Readonly<Record<string, string>>): boolean {
  const stored = item['effective_labels'] ?? item['labels'];
  const own = isItem(stored) ? stored : {};
  return Object.entries(labels).every(([key, value]) => own[key] === value);
}
