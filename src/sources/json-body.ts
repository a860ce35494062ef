import { RunError } from '../domain/runs/run-error.ts';

/** A value takes up to 100 bytes in memory, however short it is written. */
const maxValues = 1_000_000;

/** Where a body comes from and what was requested, for messages. */
export interface BodyOrigin {
  host: string;
  what: string;
}

/**
 * The JSON of a body. `areNumbersTexts` keeps numbers as they are written: `1.10`, not 1.1.
 * @throws RunError `invalid_index` if it isn't JSON, `too_large` if it has too many values.
 */
export async function readJson(
  body: AsyncIterable<Uint8Array>,
  { host, what }: BodyOrigin,
  options: { areNumbersTexts?: boolean } = {},
): Promise<unknown> {
  const text = await readBodyText(body);
  if (countJsonValues(text) > maxValues) {
    throw new RunError('too_large', `${host} returned more than ${maxValues} values for ${what}.`);
  }
  try {
    if (!options.areNumbersTexts) return JSON.parse(text);
    // The quotes must not turn invalid JSON into valid JSON.
    JSON.parse(text);
    return JSON.parse(quoteNumbers(text));
  } catch (error) {
    throw new RunError(
      'invalid_index',
      `${host} returned invalid JSON for ${what}. Check the URL and source type.`,
      { cause: error },
    );
  }
}

async function readBodyText(body: AsyncIterable<Uint8Array>): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  for await (const piece of body) text += decoder.decode(piece, { stream: true });
  return text + decoder.decode();
}

/** The maximum number of values: each but the first follows one of these characters. */
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
