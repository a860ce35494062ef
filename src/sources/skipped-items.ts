import type { SkippedItem } from './release-source.ts';

/** Number of skipped items, and a few examples. */
export interface SkippedItems {
  count: number;
  /** At most 10 examples. */
  examples: SkippedItem[];
}

/** Counts the items that a run skips and keeps a few examples. */
export function createSkippedItems() {
  let count = 0;
  const examples: SkippedItem[] = [];

  function skip(name: string, reason: string): void {
    count += 1;
    if (examples.length < 10) examples.push({ name: clean(name) || '(no name)', reason: clean(reason) });
  }

  /** Adds items that were skipped elsewhere, for example by a body reader. */
  function add(others: SkippedItems): void {
    count += others.count;
    examples.push(...others.examples.slice(0, 10 - examples.length));
  }

  return { skip, add, all: (): SkippedItems => ({ count, examples }), count: () => count, examples };
}

function clean(text: string): string {
  return text.slice(0, 300).replaceAll('\0', '').toWellFormed();
}
