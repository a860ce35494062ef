import { isItem } from '../json/json-item.ts';

/**
 * Converts a JSON object to form fields (`application/x-www-form-urlencoded`). Strings are sent unchanged,
 * `null` is omitted, and other values are sent as JSON. Any other body is returned unchanged, because a
 * template can produce form fields itself.
 */
export function toFormBody(body: string): string {
  const fields = parseJson(body);
  if (!isItem(fields)) return body.trim();
  const form = new URLSearchParams();
  for (const [name, value] of Object.entries(fields))
    if (value !== null) form.append(name, typeof value === 'string' ? value : JSON.stringify(value));
  return form.toString();
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
