import { stopReading } from '../sources/body-reader.ts';
import type { HeldTask, ResultItem } from './agent-task.ts';

/**
 * Submits the parts of a task one after another and returns the final value. Always closes the generator of
 * the parts.
 */
export async function submitParts<Part, Summary>(
  held: HeldTask,
  parts: AsyncGenerator<Part, Summary, undefined>,
  itemsOf: (part: Part) => ResultItem[],
): Promise<Summary> {
  return (await submitPartsUnlessShort(held, parts, itemsOf, () => false)).summary;
}

/**
 * Submits the parts like `submitParts`. If there's only one part and it's short, it's returned instead, so
 * that the caller can submit it when the task completes.
 */
export async function submitPartsUnlessShort<Part, Summary, Item extends ResultItem>(
  held: HeldTask,
  parts: AsyncGenerator<Part, Summary, undefined>,
  itemsOf: (part: Part) => Item[],
  isShort: (items: readonly Item[]) => boolean,
): Promise<{ summary: Summary; short: Item[] | null }> {
  let short: Item[] | null = null;
  let isFirst = true;
  try {
    for (;;) {
      const { done, value } = await parts.next();
      held.signal.throwIfAborted();
      if (done) return { summary: value, short };
      const items = itemsOf(value);
      if (isFirst && isShort(items)) {
        short = items;
      } else {
        if (short !== null) await held.sendPart(short);
        short = null;
        await held.sendPart(items);
      }
      isFirst = false;
    }
  } finally {
    // If the task was lost, the reader stops early, which releases its resources for other tasks.
    await stopReading(parts);
  }
}
