import { namesWithDigits } from '../versions/version-words.ts';

/**
 * Returns an RE2 pattern that matches the example and any text that differs from the example only in numbers:
 * `8.2.0-alpine3.24` results in `^[\d.]+-alpine[\d.]+$`. Digits that are part of a name, as in `arm64v8`,
 * stay literal.
 */
export function patternForSameFormat(example: string): string {
  const pattern = example.replaceAll(parts, (part, name?: string, numbers?: string) => {
    if (name !== undefined) return escaped(name);
    if (numbers !== undefined) return numbers.includes('_') ? '[\\d_]+' : '[\\d.]+';
    return escaped(part);
  });
  return `^${pattern}$`;
}

/**
 * Returns an RE2 pattern for the releases of one major version: `15.2-alpine` results in `^v?15\.`, and
 * `jdk-17.0.1` in `^jdk-17\.`. Returns `null` if the example has no numbers separated by dots.
 */
export function patternForMajorVersion(example: string): { pattern: string; major: string } | null {
  const [, before, major] = /^(\D*)(\d+)\.\d/.exec(example) ?? [];
  if (before === undefined || major === undefined) return null;
  const start = /^v?$/i.test(before) ? 'v?' : escaped(before);
  return { pattern: `^${start}${major}\\.`, major };
}

// Longer names come first, because `x86_64` begins with `x86`.
const names = namesWithDigits.toSorted((a, b) => b.length - a.length).join('|');
/** Matches a name, numbers with one kind of separator between them, or any other single character. */
const parts = new RegExp(
  String.raw`(?<![a-z0-9])(${names})(?![a-z])|(\d+(?:(?:\.\d+)+|(?:_\d+)+)?)|.`,
  'gis',
);

function escaped(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&');
}
