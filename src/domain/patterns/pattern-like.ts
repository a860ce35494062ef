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

/**
 * A pattern (RE2) for the releases of one major version: `15.2-alpine` gives `^v?15\.`, and `jdk-17.0.1` gives `^jdk-17\.`.
 * `null` if the example has no numbers separated by dots.
 */
export function patternOfMajor(example: string): { pattern: string; major: string } | null {
  const [, before, major] = /^(\D*)(\d+)\.\d/.exec(example) ?? [];
  if (before === undefined || major === undefined) return null;
  const start = /^v?$/i.test(before) ? 'v?' : escaped(before);
  return { pattern: `^${start}${major}\\.`, major };
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
