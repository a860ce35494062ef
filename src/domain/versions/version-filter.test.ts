import { describe, expect, test } from 'vitest';
import { parseVersionRange, versionFilter } from './version-filter.ts';
import { versionScheme } from './versions.ts';

const scheme = versionScheme('auto');

function matches(range: string, text: string): boolean {
  const filter = parseVersionRange(range, scheme);
  if (typeof filter !== 'function') throw new Error(filter.problem);
  return filter(text);
}

test.each<[range: string, inside: string[], outside: string[]]>([
  ['>=1.12.0 <1.14.3', ['1.12', 'v1.14.2', '1.14.3-rc1', '1.13.0-alpine3.19'], ['1.11.9', '1.14.3', '2.0.0']],
  ['>=1.12.0, <1.14.3', ['1.13.0'], ['1.14.3']],
  ['>= 1.12.0 < 1.14.3', ['1.13.0'], ['1.14.3']],
  ['<=2', ['2.0.0', '1.99'], ['2.0.1']],
  ['>1.0', ['1.0.1', '2:1.0.1'], ['1.0.0']],
  ['1.4 || >=2.0 <2.1', ['1.4.0', '2.0.9'], ['1.5', '2.1']],
  ['=5.15.12', ['5.15.12-debian-12-r3'], ['5.15.13']],
  ['<9', [], ['latest', 'main']],
])('the range %s contains %j and not %j', (range, inside, outside) => {
  expect(inside.filter((text) => !matches(range, text))).toEqual([]);
  expect(outside.filter((text) => matches(range, text))).toEqual([]);
});

describe('an invalid range', () => {
  test.each([
    ['>=', '"" isn\'t a version'],
    ['>=latest', '"latest" isn\'t a version'],
    ['1.0 ||', 'an alternative is empty'],
    ['>=1.0 =>2.0', '">2.0" isn\'t a version'],
    [Array.from({ length: 21 }, () => '1.0').join('||'), 'has more than 20 comparisons'],
  ])('is rejected: %s', (range, problem) => {
    expect(parseVersionRange(range, scheme)).toEqual({ problem });
  });
});

test("a version also selects its other spellings, and a string that isn't a version selects only itself", () => {
  const isVersion = versionFilter('1.14.2', scheme);
  expect(['1.14.2', 'v1.14.2', '1.14.2-alpine', '1.14.3', 'main'].filter(isVersion)).toEqual([
    '1.14.2',
    'v1.14.2',
    '1.14.2-alpine',
  ]);
  expect(['main', 'master', '1.0'].filter(versionFilter('main', scheme))).toEqual(['main']);
});
