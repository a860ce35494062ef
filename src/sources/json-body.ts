import { RunError } from '../domain/runs/run-error.ts';
import { readBodyText } from './body-text.ts';

/** Maximum number of values. Even a short value can take 100 bytes in memory. */
const maxValues = 1_000_000;

/** Host that sent a body, and what was requested from it. Used in error messages. */
export interface BodyOrigin {
  host: string;
  what: string;
}

/**
 * Parses the JSON of a body. With `areNumbersTexts`, numbers stay as written: `1.10`, not 1.1.
 *
 * @throws RunError `invalid_index` if the body isn't JSON, or `too_large` if it has too many values.
 */
export async function readJson(
  body: AsyncIterable<Uint8Array>,
  { host, what }: BodyOrigin,
  options: { areNumbersTexts?: boolean; advice?: string } = {},
): Promise<unknown> {
  // Gerrit begins its JSON with this line.
  const text = (await readBodyText(body)).replace(/^\)\]\}'\n/u, '');
  if (countJsonValues(text) > maxValues) {
    throw new RunError('too_large', `${host} returned more than ${maxValues} values for ${what}.`);
  }
  try {
    if (!options.areNumbersTexts) return JSON.parse(text);
    // Also parse the original text, because quoting numbers could turn invalid JSON into valid JSON.
    JSON.parse(text);
    return JSON.parse(quoteNumbers(text));
  } catch (error) {
    throw new RunError(
      'invalid_index',
      isWebPage(text)
        ? `${host} returned a web page instead of JSON for ${what}. ${webPageAdvice}.`
        : `${host} returned invalid JSON for ${what}. ${options.advice ?? 'Check the URL and source type.'}`,
      { cause: error },
    );
  }
}

/**
 * True if the text begins like an HTML page, such as the login page of a proxy. Comments before the page are
 * ignored.
 */
export function isWebPage(text: string): boolean {
  const start = text
    .slice(0, 1_000)
    .replace(/^\s*<\?xml[^>]{0,200}\?>/iu, '')
    .replace(/^(?:\s*<!--.{0,900}?-->)+/su, '');
  return /^\s*<(?:!doctype\s+html|html|head|body)\b/iu.test(start);
}

export const webPageAdvice =
  'Check the URL. If it requires a login, use an address that accepts a credential';

/**
 * Returns an upper bound for the number of values: each value except the first follows a `,`, `[`, or `{`.
 */
export function countJsonValues(text: string): number {
  let count = 1;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === 0x2c || code === 0x5b || code === 0x7b) count += 1;
  }
  return count;
}

/** Quotes all numbers in valid JSON. */
export function quoteNumbers(text: string): string {
  return text.replace(/"[^"\\]*(?:\\.[^"\\]*)*"?|-?\d[\d.eE+-]*/gsu, (token) =>
    token.startsWith('"') ? token : `"${token}"`,
  );
}
