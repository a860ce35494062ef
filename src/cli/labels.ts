import { cleanLine } from '../domain/templates/clean-text.ts';
import { labelKeyPattern, labelKeyProblem } from '../domain/text/label-key.ts';
import type { Item } from './call-operation.ts';
import { isItem } from './call-operation.ts';
import { usageError } from './cli-error.ts';

/** `team=payments`, as often as needed. */
export function readLabels(texts: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    texts.map((text) => {
      const [, key = '', value = ''] = /^([^=]+)=(.*)$/s.exec(text) ?? [];
      if (key === '')
        throw usageError(`Invalid label "${cleanLine(text)}". Use key=value, for example team=payments.`);
      if (!new RegExp(labelKeyPattern).test(key)) throw usageError(`"${cleanLine(key)}" ${labelKeyProblem}.`);
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
