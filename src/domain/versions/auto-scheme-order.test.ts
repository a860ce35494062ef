import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { autoScheme } from './auto-scheme.ts';
import type { Version } from './version-scheme.ts';

describe('the order', () => {
  /** Each below the next, all pairs. */
  function checkAscending(...texts: string[]): void {
    const versions = texts.map(read);
    for (const [low, a] of versions.entries()) {
      for (const [high, b] of versions.entries()) {
        expect([a.text, b.text, Math.sign(autoScheme.compare(a, b))]).toEqual([
          a.text,
          b.text,
          Math.sign(low - high),
        ]);
      }
    }
  }

  function checkSame(...texts: string[]): void {
    const [first, ...others] = texts.map(read);
    for (const other of others) {
      expect([other.text, first && autoScheme.compare(first, other)]).toEqual([other.text, 0]);
      expect([other.text, autoScheme.sortKey(other)]).toEqual([other.text, first?.precedence]);
    }
  }

  test('compares components as numbers, missing ones as 0', () => {
    checkAscending(
      '0.9',
      '1',
      '1.0.1',
      '1.2',
      '1.10',
      '1.10.0.1',
      '2',
      '10',
      '2024.01.05',
      '2024.02',
      '20230601',
    );
    checkAscending('9007199254740992', '9007199254740993', `1${'0'.repeat(26)}`, `1${'0'.repeat(100)}`);
  });

  test('holds spellings of one version to be the same', () => {
    checkSame('1.2.3', 'v1.2.3', 'V1.2.3', 'release-1.2.3', 'version-1.2.3', '1.2.3.0', '1.02.03');
    checkSame('1', '1.0', '1.0.0', 'v01');
    checkSame('2024.01.15', '2024.1.15', '2024-01-15');
    checkSame('1.0rc1', '1.0-rc1', '1.0.rc1', 'v1-rc1');
    checkSame('1.2-alpine3.18', 'v1.2.0-alpine3.18');
    checkSame('controller-v1.2', 'controller-1.2.0');
  });

  test('holds everything else to be different', () => {
    checkAscending('k7s-1.2', 'k8s-1.2');
    checkAscending('a-1.0-b', 'a-b-1.0');
    checkAscending('1.2-alpine3.18', '1.2_alpine3.18');
    checkAscending('1.2-RC1', '1.2-rc1');
    checkAscending('1.2', '1.2-0');
    checkAscending('1.2-ä', '1.2-ö');
  });

  test('puts a pre-release below none, none below variants by name, and these by their numbers', () => {
    checkAscending(
      '1.2.3-rc.1',
      '1.2.3',
      '1.2.3-1',
      '1.2.3-2',
      '1.2.3-10',
      '1.2.3-alpine',
      '1.2.3-alpine3.9',
      '1.2.3-alpine3.18',
      '1.2.3-bookworm',
      'controller-v1.2.3',
      '1.2.3-debian-12-r3',
      '1.2.3-debian-12-r10',
      'v1.2.3+k3s1',
      'v1.2.3+k3s2',
      '1.2.4-rc.1',
    );
  });

  test('orders pre-releases among themselves as SemVer 2.0.0 does', () => {
    checkAscending(
      '1.0.0-alpha',
      '1.0.0-alpha.1',
      '1.0.0-alpha.beta',
      '1.0.0-beta',
      '1.0.0-beta.2',
      '1.0.0-beta.11',
      '1.0.0-rc.1',
      '1.0.0',
    );
    // Identifiers with letters are compared as text there.
    checkAscending('1.0.0-RC2', '1.0.0-rc10', '1.0.0-rc2');
    checkAscending('1.0.0-rc.1', '1.0.0-rc.1+1', '1.0.0-rc.1+2', '1.0.0-rc.1+k3s1', '1.0.0-rc.2');
  });

  test('is the documented one for whatever is put together from its parts', () => {
    fc.assert(
      fc.property(composed, composed, (a, b) => {
        const actual = autoScheme.compare(read(a.text), read(b.text));
        expect([a.text, b.text, Math.sign(actual)]).toEqual([a.text, b.text, compareComposed(a, b)]);
      }),
      { numRuns: 2000 },
    );
  });
});

function read(text: string): Version {
  const parsed = autoScheme.parse(text);
  if (parsed === null) throw new Error(`${text} is no version`);
  return parsed;
}

/** A version whose place in the order is known from how it was put together. */
interface Composed {
  readonly text: string;
  readonly components: readonly bigint[];
  /** Identifiers of a pre-release. */
  readonly identifiers: readonly string[] | null;
  readonly variant: string;
  readonly suffixNumbers: readonly bigint[];
  /** What decides where all else is equal: `+alpine1` and `-alpine1`. */
  readonly remainder: string;
}

const digits = fc.oneof(
  fc.bigInt({ min: 0n, max: 12n }),
  fc.bigInt({ min: 2n ** 53n - 2n, max: 2n ** 53n + 2n }),
);

const composed: fc.Arbitrary<Composed> = fc
  .record({
    ornament: fc.constantFrom('', 'v', 'release-'),
    zeros: fc.constantFrom('', '0'),
    components: fc.array(digits, { minLength: 1, maxLength: 4 }),
    kind: fc.constantFrom('none', 'prerelease', 'variant', 'build'),
    word: fc.constantFrom('alpha', 'rc', 'snapshot'),
    identifiers: fc.array(fc.oneof(digits.map(String), fc.constantFrom('x', 'y', 'X')), { maxLength: 3 }),
    name: fc.constantFrom('alpine', 'alpin', 'slim'),
    suffixNumbers: fc.array(digits, { maxLength: 3 }),
  })
  .map(({ ornament, zeros, components, kind, word, identifiers, name, suffixNumbers }) => {
    const base = `${ornament}${components.map((component) => zeros + String(component)).join('.')}`;
    const plain = { components, identifiers: null, variant: '', suffixNumbers: [], remainder: '' };
    const tail = `${name}${suffixNumbers.join('.')}`;
    switch (kind) {
      case 'prerelease':
        return {
          ...plain,
          text: `${base}-${[word, ...identifiers].join('.')}`,
          identifiers: [word, ...identifiers],
        };
      case 'variant':
        return { ...plain, text: `${base}-${tail}`, variant: name, suffixNumbers, remainder: `-${tail}` };
      case 'build':
        return { ...plain, text: `${base}+${tail}`, variant: name, suffixNumbers, remainder: `+${tail}` };
      default:
        return { ...plain, text: base };
    }
  });

function compareComposed(a: Composed, b: Composed): number {
  const rank = (version: Composed) => (version.identifiers === null ? 1 : 0);
  return (
    compareLists(withoutZeros(a.components), withoutZeros(b.components), compareValues) ||
    compareValues(rank(a), rank(b)) ||
    compareLists(a.identifiers ?? [], b.identifiers ?? [], compareIdentifiers) ||
    compareValues(a.variant, b.variant) ||
    compareLists(a.suffixNumbers, b.suffixNumbers, compareValues) ||
    compareValues(a.remainder, b.remainder)
  );
}

function withoutZeros(components: readonly bigint[]): readonly bigint[] {
  return components.slice(0, components.findLastIndex((component) => component !== 0n) + 1);
}

function compareLists<Item>(
  a: readonly Item[],
  b: readonly Item[],
  compare: (a: Item, b: Item) => number,
): number {
  for (const [index, item] of a.entries()) {
    const other = b[index];
    if (other === undefined) return 1;
    const result = compare(item, other);
    if (result !== 0) return result;
  }
  return compareValues(a.length, b.length);
}

function compareIdentifiers(a: string, b: string): number {
  const isNumber = [/^[0-9]+$/.test(a), /^[0-9]+$/.test(b)];
  if (isNumber[0] && isNumber[1]) return compareValues(BigInt(a), BigInt(b));
  if (isNumber[0] || isNumber[1]) return isNumber[0] ? -1 : 1;
  return compareValues(a, b);
}

function compareValues<Value extends string | number | bigint>(a: Value, b: Value): number {
  return a === b ? 0 : a < b ? -1 : 1;
}
