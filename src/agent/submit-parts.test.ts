import { describe, expect, test } from 'vitest';
import type { HeldTask, ResultItem } from './agent-task.ts';
import { submitPartsUnlessShort } from './submit-parts.ts';

const itemOf = (tag: string): ResultItem => ({
  tag,
  app_version: null,
  released_at: null,
  is_prerelease: false,
  is_yanked: false,
  url: null,
  notes: null,
});

/** Yields one part per size, with that number of items, then returns a final value. */
async function* partsOf(sizes: readonly number[]): AsyncGenerator<ResultItem[], string, undefined> {
  for (const [part, size] of sizes.entries()) {
    yield Array.from({ length: size }, (_, index) => itemOf(`${part}.${index}`));
  }
  return 'the end';
}

describe('submitPartsUnlessShort, which returns a single short part instead of sending it', () => {
  test.each([
    [[], [], null],
    [[2], [], 2],
    [[0], [], 0],
    [[4], [4], null],
    [[2, 1], [2, 1], null],
    [[4, 1], [4, 1], null],
    [[2, 4, 1], [2, 4, 1], null],
  ])('for sizes %j, parts of sizes %j are sent, and %j items are returned', async (sizes, handedIn, left) => {
    const sent: ResultItem[][] = [];
    const held = {
      signal: new AbortController().signal,
      sendPart: async (items: ResultItem[]) => void sent.push(items),
    } as Pick<HeldTask, 'signal' | 'sendPart'> as HeldTask;
    const { summary, short } = await submitPartsUnlessShort(
      held,
      partsOf(sizes),
      (items) => items,
      ({ length }) => length <= 3,
    );
    expect(summary).toBe('the end');
    expect(sent.map(({ length }) => length)).toEqual(handedIn);
    expect(sent.flatMap((items) => items.map((item) => ('tag' in item ? item.tag : '')))).toEqual(
      sizes.flatMap((size, part) =>
        handedIn.length === 0 ? [] : Array.from({ length: size }, (_, index) => `${part}.${index}`),
      ),
    );
    expect(short?.length ?? null).toBe(left);
  });
});
