import { cleanLine } from '../domain/templates/clean-text.ts';
import { labelKeyPattern, labelKeyProblem } from '../domain/text/label-key.ts';
import type { Item } from './call-operation.ts';
import { isItem } from './call-operation.ts';
import { usageError } from './cli-error.ts';

/** Parses labels of the form `team=payments`. */
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

/** True if an item has all these labels. Checked here, because the API can filter by only one label. */
export function hasLabels(item: Item, labels: Readonly<Record<string, string>>): boolean {
  const stored = item['effective_labels'] ?? item['labels'];
  const own = isItem(stored) ? stored : {};
  return Object.entries(labels).every(([key, value]) => own[key] === value);
}
