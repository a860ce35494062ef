import fc from 'fast-check';
import semver from 'semver';
import { expect, test } from 'vitest';
import { semverScheme } from './semver-scheme.ts';

test('the semver scheme parses strict SemVer 2.0.0 with an optional v prefix', () => {
  const check = (isVersion: boolean, ...texts: string[]) => {
    for (const text of texts) expect([text, semverScheme.parse(text) !== null]).toEqual([text, isVersion]);
  };
  check(
    true,
    '1.2.3',
    'v1.2.3',
    '0.0.0',
    '1.0.0-rc.1',
    '1.0.0-0',
    '1.0.0--',
    '1.0.0-x-y.z',
    '1.0.0+001',
    '1.0.0-a+b.c-d',
  );
  check(true, '99999999999999999999999.999999999999999999.99999999999999999', '1.0.0-0A.00x');
  check(
    false,
    '1',
    '1.2',
    '1.2.3.4',
    'V1.2.3',
    '=1.2.3',
    ' 1.2.3',
    '1.2.3 ',
    '01.2.3',
    '1.02.3',
    '1.2.03',
    'release-1.2.3',
  );
  check(
    false,
    '1.2.3-',
    '1.2.3-01',
    '1.2.3-a..b',
    '1.2.3-.a',
    '1.2.3+',
    '1.2.3+a..b',
    '1.2.3+a+b',
    '1.2.3-ü',
    '1.2.3\n',
    'latest',
    '',
  );
});

test('any pre-release part marks a version as a pre-release, and versions never have a line or variant', () => {
  const check = (text: string, isPrerelease: boolean) =>
    expect(semverScheme.parse(text)).toMatchObject({ isPrerelease, line: '', variant: '' });
  check('1.2.3', false);
  check('1.2.3-alpine', true);
  check('1.2.3-1', true);
  check('1.2.3+k3s1', false);
});

test('validity and order are the same as in the reference implementation', () => {
  const number = fc.oneof(fc.nat(12), fc.nat(Number.MAX_SAFE_INTEGER)).map(String);
  const identifier = fc.oneof(
    number,
    fc.string({ unit: fc.constantFrom('0', 'a', 'Z', '-', '9'), minLength: 1, maxLength: 4 }),
  );
  const identifiers = fc.array(identifier, { minLength: 1, maxLength: 3 }).map((parts) => parts.join('.'));
  const text = fc
    .tuple(fc.constantFrom('', 'v'), number, number, number, fc.option(identifiers), fc.option(identifiers))
    .map(
      ([v, a, b, c, pre, build]) =>
        `${v}${a}.${b}.${c}${pre === null ? '' : `-${pre}`}${build === null ? '' : `+${build}`}`,
    );
  fc.assert(
    fc.property(text, text, (a, b) => {
      const [left, right] = [semverScheme.parse(a), semverScheme.parse(b)];
      expect([a, left === null]).toEqual([a, semver.parse(a) === null]);
      if (left === null || right === null) return;
      expect([a, b, Math.sign(semverScheme.compare(left, right))]).toEqual([a, b, semver.compare(a, b)]);
    }),
    { numRuns: 3000 },
  );
});
