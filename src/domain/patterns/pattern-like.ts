import { namesWithDigits } from '../versions/version-words.ts';

/**
 * A pattern (RE2) for an example and what differs from it in numbers only: `8.2.0-alpine3.24` gives
 * `^[\d.]+-alpine[\d.]+$`. Digits that are part of a name, such as in `arm64v8`, stay.
 */
export function patternLike(example: string): string {
  const pattern = example.replaceAll(parts, (part, name?: string, numbers?: string) => {
    if (name !== undefined) return escaped(name);
    if (numbers !== undefined) return numbers.includes('_') ? '[\\d_]+' : '[\\d.]+';
    return escaped(part);
  });
  return `^${pattern}$`;
}

// The longest name first: `x86_64` begins with `x86`.
const names = namesWithDigits.toSorted((a, b) => b.length - a.length).join('|');
/** A name, numbers with one kind of separator between them, or any other character. */
const parts = new RegExp(
  String.raw`(?<![a-z0-9])(${names})(?![a-z])|(\d+(?:(?:\.\d+)+|(?:_\d+)+)?)|.`,
  'gis',
);

function escaped(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&');
}
