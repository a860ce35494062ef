import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { compareForListing } from '../../../tests/helpers/list-order.ts';
import { autoScheme } from './auto-scheme.ts';
import type { Version } from './version-scheme.ts';

type Compare = (a: Version, b: Version) => number;

/** Compares all pairs of versions and checks that each one is lower than all later ones. */
function checkAscending(compare: Compare, ...texts: string[]): void {
  const versions = texts.map(read);
  for (const [low, a] of versions.entries()) {
    for (const [high, b] of versions.entries()) {
      expect([a.text, b.text, Math.sign(compare(a, b))]).toEqual([a.text, b.text, Math.sign(low - high)]);
    }
  }
}

describe('the rank of a version', () => {
  const { compare } = autoScheme;

  function checkSame(...texts: string[]): void {
    const [first, ...others] = texts.map(read);
    for (const other of others) {
      expect([other.text, first && compare(first, other)]).toEqual([other.text, 0]);
    }
  }

  test('compares numbers numerically and treats missing numbers as 0', () => {
    checkAscending(
      compare,
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
    checkAscending(
      compare,
      '9007199254740992',
      '9007199254740993',
      `1${'0'.repeat(26)}`,
      `1${'0'.repeat(100)}`,
    );
  });

  test('is the same for all spellings, variants, platform numbers, and lines of a version', () => {
    checkSame('1.2.3', 'v1.2.3', 'V1.2.3', 'release-1.2.3', 'version-1.2.3', '1.2.3.0', '1.02.03');
    checkSame('1', '1.0', '1.0.0', 'v01');
    checkSame('2024.01.15', '2024.1.15', '2024-01-15');
    checkSame('1.0rc1', '1.0-rc1', '1.0.rc1', 'v1-rc1', '1.0-RC.1', '1.0~rc1');
    checkSame('1.2-alpine3.18', 'v1.2.0-alpine3.19', '1.2', 'controller-1.2.0');
    checkSame('17.1.0', '17.1.0-ce.0', '17.1.0.Final', '17.1.0-r0');
  });

  test('compares the epoch before all other parts', () => {
    checkAscending(compare, '99.0', '1:0.1', '1:9.18.24-1', '1:9.18.24-2', '2:1.0', '10:0.1');
    checkSame('0:1.2', '1.2');
  });

  test('orders pre-release stages by name, and their numbers numerically', () => {
    checkAscending(
      compare,
      '1.0-dev',
      '1.0-nightly.20240101',
      '1.0-alpha',
      '1.0a1',
      '1.0-alpha.2',
      '1.0-beta',
      '1.0-beta2',
      '1.0-beta.10',
      '1.0-M1',
      '1.0-M2-RC4',
      '1.0-M2',
      '1.0-preview1',
      '1.0-rc',
      '1.0-RC9',
      '1.0-rc10',
      '1.0',
      '1.0-1',
    );
  });

  test('places a build of a commit directly above its version', () => {
    checkAscending(compare, 'v1.3.0-rc.1', 'v1.3.0', 'v1.3.0-1', 'v1.3.0-9-gabc1234', 'v1.3.0-40-g0123abc');
    checkAscending(compare, '25.12.19', '25.12.19-2026-02-06-03fffb2', '25.12.20');
  });

  test('places a Go pseudo-version below the release that it precedes, in the order of commit times', () => {
    checkAscending(
      compare,
      'v1.2.3',
      'v1.2.4-0.20191109021931-daa7c04131f5',
      'v1.2.4-0.20200101000000-111111111111',
      'v1.2.4-alpha',
      'v1.2.4-pre',
      'v1.2.4-pre.0.20191109021931-daa7c04131f5',
      'v1.2.4-pre.0.20200101000000-daa7c04131f5',
      'v1.2.4-pre.1',
      'v1.2.4-rc.1',
      'v1.2.4-rc.1.0.20191109021931-daa7c04131f5',
      'v1.2.4-rc.2',
      'v1.2.4',
    );
    checkAscending(
      compare,
      'v0.0.0-20191109021931-daa7c04131f5',
      'v0.0.0-20200101000000-123456789012',
      'v0.0.0',
      'v0.0.1',
      'v1.9.0',
      'v2.0.0-20191109021931-daa7c04131f5',
      'v2.0.0',
    );
    checkSame('v2.0.1-0.20191109021931-daa7c04131f5', 'v2.0.1-0.20191109021931-daa7c04131f5+incompatible');
    // Neither version is a Go pseudo-version: the first is a build with a date, and the second is a commit after a tag
    // that isn't a pre-release.
    checkAscending(compare, '1.2.3', '1.2.3-20191109021931-daa7c04131f5', '1.2.4');
    checkAscending(compare, '1.2.3-edge', '1.2.3-edge.0.20191109021931-daa7c04131f5', '1.2.4-edge');
  });

  test('places a timestamped Maven snapshot below its release, in the order of time', () => {
    checkAscending(
      compare,
      '2.9.9',
      '3.0.0-SNAPSHOT',
      '3.0.0-20240101.123456-7',
      '3.0.0-20240101.123456-10',
      '3.0.0-20240102.000000-1',
      '3.0.0-alpha-1',
      '3.0.0',
    );
    checkAscending(compare, '3.0.0', '3.0.0-20240101');
  });

  test('includes the revision of a package, but not its platform', () => {
    checkAscending(compare, '2:8.9p1-3', '2:8.9p1-3ubuntu0.1', '2:8.9p1-3ubuntu0.10', '2:8.9p1-3ubuntu1');
    checkAscending(compare, '1:9.6p1-3ubuntu13.5', '1:9.6p1-3ubuntu13.10', '1:9.6p1-3ubuntu13.11');
    checkAscending(compare, '9.18.24-1ubuntu1.2', '9.18.24-1ubuntu1.10');
    checkAscending(compare, '1.2.3-4.el8_6.1', '1.2.3-4.el8_6.2', '1.2.3-5.el8');
    checkAscending(compare, '1.2.3-4.el9', '1.2.3-4.el9.1', '1.2.3-4.el9.2');
    checkAscending(compare, '1.2.3-1~deb12u1', '1.2.3-1~deb12u2');
    checkAscending(compare, '1.2.3-1~ubuntu22.04.1', '1.2.3-1~ubuntu24.04.2');
    checkSame('1.2-ubuntu22.04', '1.2-ubuntu24.04', '1.2-el9', '1.2-el8_6.1', '1.2');
    checkSame('1.2.3-4.el8', '1.2.3-4.el9', '1.2.3-4.fc40', '1.2.3-4');
    checkSame('1.2.3-1ubuntu22.04', '1.2.3-1ubuntu24.04');
  });

  test('orders revisions numerically, including a letter after the numbers', () => {
    checkAscending(compare, '1.1.1', '1.1.1a', '1.1.1u', '1.1.1z', '1.1.1za', '1.1.1zh', '1.1.2');
    checkAscending(compare, '7.2.0', '7.2.0-v8', '7.2.0-v9', '7.2.0-v10', '7.4.0-v0');
    checkAscending(compare, '8u302-b07', '8u302-b08', '8u402-b01', '9');
    checkAscending(compare, '1.9.15', '1.9.15p2', '1.9.15p5', '1.9.15p10');
    checkAscending(compare, 'v1.28.4+k3s1', 'v1.28.4+k3s2', 'v1.28.4+k3s10');
  });

  test('follows the documented order for any combination of parts', () => {
    fc.assert(
      fc.property(composed, composed, (a, b) => {
        const actual = compare(read(a.text), read(b.text));
        expect([a.text, b.text, Math.sign(actual)]).toEqual([a.text, b.text, compareComposed(a, b)]);
      }),
      { numRuns: 2000 },
    );
  });
});

describe('the order of versions in a list', () => {
  const compare: Compare = (a, b) => compareForListing(autoScheme, a, b);

  test('uses the variant, platform numbers, line, and text of versions with the same rank', () => {
    checkAscending(
      compare,
      '1.2.3-rc.1',
      '1.2.3',
      'v1.2.3',
      'controller-v1.2.3',
      '1.2.3-alpine',
      '1.2.3-alpine3.9',
      '1.2.3-alpine3.18',
      'controller-v1.2.3-alpine3.18',
      '1.2.3-bookworm',
      '1.2.3-1',
      '1.2.4-rc.1',
    );
  });
});

function read(text: string): Version {
  const parsed = autoScheme.parse(text);
  if (parsed === null) throw new Error(`${text} is no version`);
  return parsed;
}

/** A version composed of known parts, from which the test computes the expected rank. */
interface Composed {
  readonly text: string;
  readonly epoch: bigint;
  readonly numbers: readonly bigint[];
  readonly stage: { readonly level: number; readonly numbers: readonly bigint[] } | null;
  readonly revision: readonly bigint[];
}

const digits = fc.oneof(
  fc.bigInt({ min: 0n, max: 12n }),
  fc.bigInt({ min: 2n ** 53n - 2n, max: 2n ** 53n + 2n }),
);

const composed: fc.Arbitrary<Composed> = fc
  .record({
    epoch: fc.constantFrom(0n, 0n, 0n, 1n, 12n),
    line: fc.constantFrom('', 'v', 'release-', 'tool-v', 'REL_'),
    zeros: fc.constantFrom('', '0'),
    numbers: fc.array(digits, { minLength: 1, maxLength: 4 }),
    stage: fc.option(
      fc.record({
        word: fc.constantFrom(['dev', 0], ['alpha', 1], ['beta', 2], ['milestone', 3], ['pre', 4], ['rc', 5]),
        numbers: fc.array(digits, { maxLength: 3 }),
      }),
    ),
    variant: fc.constantFrom('', '', '-alpine3.19', '-slim', '-php8.4-fpm'),
    revision: fc.array(digits, { maxLength: 3 }),
    revisionWord: fc.constantFrom('+', '-r', '-p', '+k3s', '+security-'),
  })
  .map(({ epoch, line, zeros, numbers, stage, variant, revision, revisionWord }) => {
    const [word, level] = (stage?.word ?? ['', 0]) as [string, number];
    const text = [
      epoch === 0n ? '' : `${epoch}:`,
      line,
      numbers.map((number) => zeros + String(number)).join('.'),
      stage === null ? '' : `-${[word, ...stage.numbers].join('.')}`,
      variant,
      revision.length === 0 ? '' : revisionWord + revision.join('.'),
    ].join('');
    return { text, epoch, numbers, stage: stage && { level, numbers: stage.numbers }, revision };
  });

function compareComposed(a: Composed, b: Composed): number {
  return (
    compareValues(a.epoch, b.epoch) ||
    compareLists(withoutZeros(a.numbers), withoutZeros(b.numbers)) ||
    compareValues(a.stage?.level ?? Infinity, b.stage?.level ?? Infinity) ||
    compareLists(a.stage?.numbers ?? [], b.stage?.numbers ?? []) ||
    compareLists(withoutZeros(a.revision), withoutZeros(b.revision))
  );
}

function withoutZeros(numbers: readonly bigint[]): readonly bigint[] {
  return numbers.slice(0, numbers.findLastIndex((number) => number !== 0n) + 1);
}

function compareLists(a: readonly bigint[], b: readonly bigint[]): number {
  for (const [index, item] of a.entries()) {
    const other = b[index];
    if (other === undefined) return 1;
    const result = compareValues(item, other);
    if (result !== 0) return result;
  }
  return compareValues(a.length, b.length);
}

function compareValues<Value extends number | bigint>(a: Value, b: Value): number {
  return a === b ? 0 : a < b ? -1 : 1;
}
