import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { compareForListing } from '../../../tests/helpers/list-order.ts';
import { isSameVersion } from './match-release.ts';
import type { Version } from './version-scheme.ts';
import { versionScheme, versionSchemeIds } from './versions.ts';

/** Conformance suite for all schemes. A new scheme is included when it's added to `versionSchemeIds`. */
describe.each(versionSchemeIds)('the version scheme %s', (id) => {
  const scheme = versionScheme(id);
  const version = versionText.map((text) => scheme.parse(text)).filter((parsed) => parsed !== null);
  const sign = (a: Version, b: Version) => Math.sign(scheme.compare(a, b));

  test('is listed under its ID', () => {
    expect(scheme.id).toBe(id);
  });

  test('parses any string of up to 256 characters or returns null for it', () => {
    const check = (text: string) => {
      const parsed = scheme.parse(text);
      if (parsed === null) return;
      expect(parsed.text).toBe(text);
      expect(parsed.numbers.length).toBeGreaterThan(0);
      expect(parsed.numbers.every((number) => number >= 0)).toBe(true);
      expect(parsed.variant).toMatch(/^(?:[a-z0-9_]+(?:-[a-z0-9_]+)*)?$/);
      expect(parsed.line).not.toMatch(/[A-Z]/);
      expect(scheme.parseAmongDotted(text)?.text).toBe(text);
    };
    fc.assert(fc.property(anyText, check));
    fc.assert(fc.property(versionText, check));
    for (const text of hostileTexts) check(text);
  });

  test('rejects strings longer than 256 characters', () => {
    expect(scheme.parse(`1.2.${'3'.repeat(252)}`)).not.toBeNull();
    expect(scheme.parse(`1.2.${'3'.repeat(253)}`)).toBeNull();
  });

  test('compares any two versions consistently, regardless of their order', () => {
    fc.assert(
      fc.property(version, version, (a, b) => {
        expect(sign(a, b) + sign(b, a)).toBe(0);
        expect(sign(a, a)).toBe(0);
      }),
    );
  });

  test('has a transitive order in which equality is an equivalence', () => {
    fc.assert(
      fc.property(version, version, version, (a, b, c) => {
        const [low, middle, high] = [a, b, c].toSorted(scheme.compare) as [Version, Version, Version];
        expect(scheme.compare(low, middle)).toBeLessThanOrEqual(0);
        expect(scheme.compare(middle, high)).toBeLessThanOrEqual(0);
        expect(scheme.compare(low, high)).toBeLessThanOrEqual(0);
        if (sign(a, b) === 0) expect(sign(a, c)).toBe(sign(b, c));
      }),
      { numRuns: 1000 },
    );
  });

  test('sorts any shuffled list into the same order', () => {
    const shuffled = fc
      .array(version, { maxLength: 30 })
      .chain((list) =>
        fc.tuple(
          fc.constant(list),
          fc.shuffledSubarray(list, { minLength: list.length, maxLength: list.length }),
        ),
      );
    fc.assert(
      fc.property(shuffled, ([list, again]) => {
        const sorted = (versions: readonly Version[]) =>
          versions.toSorted((a, b) => compareForListing(scheme, a, b)).map((each) => each.text);
        expect(sorted(again)).toEqual(sorted(list));
      }),
    );
  });

  test('has sort keys with a total order that is consistent with `compare`', () => {
    fc.assert(
      fc.property(version, version, (a, b) => {
        const byKey = Buffer.compare(Buffer.from(scheme.sortKey(a)), Buffer.from(scheme.sortKey(b)));
        expect(byKey === 0).toBe(a.text === b.text);
        if (sign(a, b) !== 0) expect(byKey).toBe(sign(a, b));
        expect(Math.sign(compareForListing(scheme, a, b))).toBe(byKey);
      }),
      { numRuns: 1000 },
    );
  });

  test('has ranks that are a prefix of a sort key only if that key has the same rank', () => {
    fc.assert(
      fc.property(version, version, (a, b) => {
        expect(scheme.sortKey(a).startsWith(a.rank)).toBe(true);
        expect(scheme.sortKey(a).startsWith(b.rank)).toBe(sign(a, b) === 0);
      }),
      { numRuns: 1000 },
    );
  });

  test('has sort keys of printable ASCII that fit in an index', () => {
    const check = (text: string) => {
      const parsed = scheme.parse(text);
      if (parsed === null) return;
      expect(scheme.sortKey(parsed)).toMatch(/^[!-~]{1,1700}$/);
    };
    fc.assert(fc.property(anyText, check));
    for (const text of hostileTexts) check(text);
  });

  test('treats versions as the same only if their line, variant, and rank are equal', () => {
    fc.assert(
      fc.property(version, version, (a, b) => {
        const isOneThing = a.line === b.line && a.variant === b.variant;
        expect(isSameVersion(scheme, a, b)).toBe(isOneThing && sign(a, b) === 0);
      }),
      { numRuns: 1000 },
    );
  });
});

const codeUnits = (range: { min: number; max: number }, maxLength: number) =>
  fc.string({ unit: fc.integer(range).map((code) => String.fromCharCode(code)), maxLength });

const oneOf = (characters: string) => fc.constantFrom(...characters.split(''));

const anyText = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 256 }),
  // The full range includes unpaired surrogates.
  codeUnits({ min: 0, max: 0xffff }, 256).map((text) => `1.${text}`.slice(0, 256)),
  codeUnits({ min: 0, max: 0x7f }, 256).map((text) => `v1-${text}`.slice(0, 256)),
  fc.string({ unit: oneOf('0123456789abcdefgvr.-_+~/ '), maxLength: 256 }),
);

/** Generates versions from few distinct parts, so that equal and nearly equal versions are frequent. */
const versionText = fc.oneof(
  { weight: 6, arbitrary: composedVersion() },
  { weight: 1, arbitrary: anyText },
  { weight: 1, arbitrary: fc.string({ unit: oneOf('01a.-+v'), maxLength: 10 }) },
);

function composedVersion(): fc.Arbitrary<string> {
  const number = fc.constantFrom(
    '0',
    '1',
    '2',
    '10',
    '01',
    '2024',
    '9007199254740993',
    '9007199254740992',
    `1${'0'.repeat(30)}`,
  );
  const numbers = fc.oneof(
    { weight: 3, arbitrary: fc.tuple(number, number, number).map((parts) => parts.join('.')) },
    {
      weight: 1,
      arbitrary: fc.array(number, { minLength: 1, maxLength: 5 }).map((parts) => parts.join('.')),
    },
    { weight: 1, arbitrary: fc.constantFrom('2024-01-15', '2024-01-15.2', '1_2_3', '17_5', '74-2', '8u412') },
  );
  const prefix = fc.constantFrom(
    '',
    '',
    '',
    'v',
    'V',
    'release-',
    'version-v',
    'controller-v',
    'helm-chart-',
    'k8s-',
    'nightly-',
    'ü',
    '1:',
    '~> ',
    'REL_',
    'alpine',
    'go',
    'main-',
  );
  const suffix = fc.constantFrom(
    '',
    '',
    '',
    '-rc.1',
    '-rc.01',
    '-rc.2',
    '-rc1',
    'rc1',
    '-rc.1.x',
    '-RC.1',
    '-alpha',
    '-beta.-2',
    'b1',
    '-rc1-alpine3.18',
    '-alpine',
    '-alpine3.18',
    '-alpine3.19',
    '_alpine3.19',
    '-debian-12-r3',
    '-1',
    '-2',
    '-0',
    '.Final',
    'p1',
    '-ü',
    '-~',
    '-5-g7de552e',
    '-M2-RC4',
    '-0.dev',
    '-php8.4-fpm-alpine3.23',
    '-ce.0',
    'u',
    'za',
    '_7',
    '-20240501',
    '-2026-02-06-03fffb2',
    '@sha256:761c3189c482d0f1f0ad3735ca05c4c398cae201d2169f6645280c7b7b2ce6fc',
  );
  const build = fc.constantFrom('', '', '', '', '+1', '+2', '+k3s1', '+k3s2', '+exp.sha.5114f85');
  return fc.tuple(prefix, numbers, suffix, build).map((parts) => parts.join(''));
}

const hostileTexts = [
  '1'.repeat(256),
  '1.'.repeat(128),
  `${'1.'.repeat(127)}1`,
  `1_${'1_'.repeat(127)}`,
  `1-${'a1'.repeat(127)}`,
  `1-${'a-1.'.repeat(63)}`,
  `1-rc${'.1'.repeat(126)}`,
  `1-rc${'.x'.repeat(126)}`,
  `1-rc${'-a1'.repeat(84)}`,
  `1-rc${'ü'.repeat(252)}`,
  `1-${'~'.repeat(254)}`,
  `1-${'"'.repeat(254)}`,
  `1.0.0-${'\u{1f600}'.repeat(125)}`,
  `${'İ'.repeat(255)}1`,
  `${'\ud800'.repeat(255)}1`,
  `${'v'.repeat(255)}1`,
  `${'v1-'.repeat(85)}1`,
  `1${'-a1b2c3d'.repeat(31)}`,
  `1${'-g1b2c3d4'.repeat(28)}`,
  `1${'-x86_64'.repeat(36)}`,
  `1${'-1'.repeat(127)}`,
  `1${'_1'.repeat(127)}`,
  `${' '.repeat(255)}1`,
  `${'>'.repeat(255)}1`,
  `1${'@sha256:'.repeat(31)}`,
  `${'1:'.repeat(127)}1`,
  `${'rel-'.repeat(63)}1`,
  `1-${'rc1-'.repeat(63)}`,
  `1.0-${'20240101-'.repeat(27)}`,
  `${'a'.repeat(128)}${'1'.repeat(128)}`,
  '\u0000'.repeat(256),
  '+'.repeat(256),
  '-'.repeat(256),
  '.'.repeat(256),
];
