import type { HeldTask, ResultItem } from './agent-task.ts';

/** Hands in the parts of a task, one after another, and returns what comes last. Whoever makes them ends in any case. */
export async function handIn<Part, Summary>(
  held: HeldTask,
  parts: AsyncGenerator<Part, Summary, undefined>,
  itemsOf: (part: Part) => ResultItem[],
): Promise<Summary> {
  try {
    for (;;) {
      const { done, value } = await parts.next();
      held.signal.throwIfAborted();
      if (done) return value;
      await held.sendPart(itemsOf(value));
    }
  } finally {
    // Reading for a task that is lost ends here, and makes room.
    await parts.return(undefined as never);
  }
}
