import { RunError } from '../platform/errors.ts';
import type { SourceAnswer } from './source-http.ts';

/** A value takes up to 100 bytes in memory, however short it is written. */
const maxValues = 1_000_000;

/**
 * The JSON of an answer. `areNumbersTexts` keeps numbers as they are written: `1.10`, not 1.1.
 * @throws RunError `invalid_index` when it is not JSON, `too_large` when it is made of too many values.
 */
export function parseJsonBody(
  answer: SourceAnswer,
  options: { what: string; areNumbersTexts?: boolean },
): unknown {
  const { host } = new URL(answer.url);
  const text = new TextDecoder().decode(answer.body);
  if (countJsonValues(text) > maxValues) {
    throw new RunError(
      'too_large',
      `${host} answered with more than ${maxValues} values when asked for ${options.what}.`,
    );
  }
  try {
    const value: unknown = JSON.parse(text);
    return options.areNumbersTexts ? JSON.parse(quoteNumbers(text)) : value;
  } catch (error) {
    throw new RunError(
      'invalid_index',
      `${host} answered with something that is not JSON when asked for ${options.what}. Check that the address is that of the right kind of source.`,
      { cause: error },
    );
  }
}

/** How many values there are at most: each but the first follows one of these signs. */
export function countJsonValues(text: string): number {
  let count = 1;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === 0x2c || code === 0x5b || code === 0x7b) count += 1;
  }
  return count;
}

/** Of text that is JSON. */
function quoteNumbers(text: string): string {
  return text.replace(/"[^"\\]*(?:\\.[^"\\]*)*"|-?\d[\d.eE+-]*/gsu, (token) =>
    token.startsWith('"') ? token : `"${token}"`,
  );
}
