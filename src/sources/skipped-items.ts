import type { SkippedItem } from './release-source.ts';

/** Counts what a run left out and keeps a few examples. */
export function createSkippedItems() {
  let count = 0;
  const examples: SkippedItem[] = [];

  function skip(name: string, reason: string): void {
    count += 1;
    if (examples.length < 10) examples.push({ name: clean(name) || '(no name)', reason: clean(reason) });
  }

  return { skip, count: () => count, examples };
}

function clean(text: string): string {
  return text.slice(0, 300).replaceAll('\0', '').toWellFormed();
}
