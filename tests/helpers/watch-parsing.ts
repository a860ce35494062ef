import { vi } from 'vitest';
import { countValues } from '../../src/domain/json/count-values.ts';

/**
 * Runs `work` and returns the size of the most expensive JSON text that this process parsed during it. Tests
 * with a server in this process use it instead of a duration, because the cost of parsing is proportional to
 * both numbers.
 */
export async function largestParsed(
  work: () => Promise<unknown>,
): Promise<{ characters: number; values: number }> {
  const parse = JSON.parse;
  const largest = { characters: 0, values: 0 };
  const limits = { values: 1_000_000, members: 1_000_000, depth: 1_000 };
  const watch = vi.spyOn(JSON, 'parse').mockImplementation((text: string, reviver) => {
    const { values } = countValues(Buffer.from(text), limits);
    largest.characters = Math.max(largest.characters, text.length);
    largest.values = Math.max(largest.values, values);
    return parse(text, reviver) as unknown;
  });
  try {
    await work();
  } finally {
    watch.mockRestore();
  }
  return largest;
}

/** Limits up to which untrusted JSON is parsed in the thread of the server. */
export function expectCheap({ characters, values }: { characters: number; values: number }): void {
  if (characters > 64 * 1024 || values > 5_000)
    throw new Error(`The server's thread parsed ${characters} characters with ${values} values.`);
}
