import { vi } from 'vitest';
import { countValues } from '../../src/domain/json/count-values.ts';

/**
 * Runs `work` and returns the largest number of characters and of values in any JSON text that this process parsed
 * during `work`. Tests with a server in this process check these numbers instead of a duration, because the cost of
 * parsing is proportional to both.
 */
export async function largestJsonParsedDuring(
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

/** Checks that untrusted JSON of this size is small enough for the main thread of the server to parse. */
export function expectCheapToParse({ characters, values }: { characters: number; values: number }): void {
  if (characters > 64 * 1024 || values > 5_000)
    throw new Error(`The server's thread parsed ${characters} characters with ${values} values.`);
}
