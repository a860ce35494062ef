import { autoScheme } from '../versions/auto-scheme.ts';

/** Result of matching a version with the named lines of a product. */
export type SupportLineMatch<L> =
  | { readonly kind: 'line'; readonly line: L }
  /** The version is above every line, so it's too new for the data. */
  | { readonly kind: 'above_all' }
  | { readonly kind: 'none' }
  | { readonly kind: 'unparseable' };

/**
 * The release lines of a product, such as `3.11` and `3`. A version belongs to the line with the longest matching
 * prefix of whole components: `3.1` isn't a prefix of `3.11`. A line whose name contains words matches only a version
 * with the same text.
 */
export class SupportLines<L extends { readonly name: string }> {
  /** Lines in the order of the data, newest first. */
  readonly lines: readonly L[];
  readonly #byText = new Map<string, L>();
  readonly #byNumbers = new Map<string, L>();
  readonly #numbers: string[][] = [];

  constructor(lines: readonly L[]) {
    this.lines = lines;
    for (const line of lines) {
      const text = normalizeText(line.name);
      if (!this.#byText.has(text)) this.#byText.set(text, line);
      if (!dottedName.test(line.name)) continue;
      const numbers = line.name
        .replace(/^[a-z]/i, '')
        .split('.')
        .map(withoutZeros);
      const key = numbers.join('.');
      if (!this.#byNumbers.has(key)) this.#byNumbers.set(key, line);
      this.#numbers.push(numbers);
    }
  }

  find(version: string): SupportLineMatch<L> {
    const same = this.#byText.get(normalizeText(version));
    if (same !== undefined) return { kind: 'line', line: same };
    const numbers = autoScheme.parse(version)?.numbers.map(String);
    if (numbers === undefined) return { kind: 'unparseable' };
    for (let length = numbers.length; length > 0; length--) {
      const line = this.#byNumbers.get(numbers.slice(0, length).join('.'));
      if (line !== undefined) return { kind: 'line', line };
    }
    const isAbove =
      this.#numbers.length > 0 && this.#numbers.every((other) => compareNumbers(numbers, other) > 0);
    return { kind: isAbove ? 'above_all' : 'none' };
  }
}

const dottedName = /^[a-z]?[0-9]+(?:\.[0-9]+)*$/i;

/** Normalizes a name, so that `V1.x LTS`, `1.x-lts`, and `1.x_lts` are equal. */
function normalizeText(text: string): string {
  return text
    .trim()
    .toLowerCase()
    .replace(/[\s_-]+/g, '-')
    .replace(/^v(?=[0-9])/, '');
}

function withoutZeros(digits: string): string {
  return digits.replace(/^0+(?=[0-9])/, '');
}

function compareNumbers(a: readonly string[], b: readonly string[]): number {
  for (let index = 0; index < Math.max(a.length, b.length); index++) {
    const left = BigInt(a[index] ?? 0);
    const right = BigInt(b[index] ?? 0);
    if (left !== right) return left < right ? -1 : 1;
  }
  return 0;
}
