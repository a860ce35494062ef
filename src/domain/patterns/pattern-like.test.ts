import fc from 'fast-check';
import { expect, test } from 'vitest';
import { compileCheapPattern } from './compile-pattern.ts';
import { patternForMajorVersion, patternForSameFormat } from './pattern-like.ts';

const matches = (pattern: string, text: string): boolean => {
  const compiled = compileCheapPattern(pattern);
  if (!compiled.ok) throw new Error(`${pattern}: ${compiled.message}`);
  return compiled.pattern.test(text);
};

test.each([
  ['1.2.3', '^[\\d.]+$'],
  ['v1.2.3', '^v[\\d.]+$'],
  ['8.2.0-alpine3.24', '^[\\d.]+-alpine[\\d.]+$'],
  ['11.4.5-php8.4-fpm-alpine3.23', '^[\\d.]+-php[\\d.]+-fpm-alpine[\\d.]+$'],
  ['REL_17_5', '^REL_[\\d_]+$'],
  ['helm-chart-4.10.1', '^helm-chart-[\\d.]+$'],
  ['v1.28.4+k3s2', '^v[\\d.]+\\+k3s[\\d.]+$'],
  ['1.2.3-arm64v8', '^[\\d.]+-arm64v8$'],
  ['3.9.10+20220227-x86_64_v2-linux', '^[\\d.]+\\+[\\d.]+-x86_64_v2-linux$'],
  ['@scope/name@1.2.3', '^@scope/name@[\\d.]+$'],
])('the example %s results in the pattern %s', (example, pattern) => {
  expect(patternForSameFormat(example)).toBe(pattern);
});

test('a pattern matches only versions of the same format as its example', () => {
  const pattern = patternForSameFormat('8.2.0-alpine3.24');
  expect(
    ['8.10.0-alpine3.25', '9-alpine4', '9.0', '9.0-slim', '9.0-alpine', 'v9.0-alpine3.24'].filter((text) =>
      matches(pattern, text),
    ),
  ).toEqual(['8.10.0-alpine3.25', '9-alpine4']);
  expect(matches(patternForSameFormat('1.2.3-arm64v8'), '1.2.4-arm32v7')).toBe(false);
});

test('every example matches its own pattern, and the pattern is cheap', () => {
  const tag = fc.string({
    unit: fc.constantFrom(...'0123456789.-_+vabckrs/@ ()[]{}|^$*?\\ü'.split('')),
    minLength: 1,
    maxLength: 60,
  });
  fc.assert(
    fc.property(tag, (example) => {
      expect(matches(patternForSameFormat(example), example)).toBe(true);
    }),
    { numRuns: 500 },
  );
});

test.each([
  ['15.2-alpine', '^v?15\\.', ['15.3', 'v15.10-alpine', '15.0.1'], ['16.0', '150.1', '1.15.0']],
  ['jdk-17.0.1', '^jdk-17\\.', ['jdk-17.0.2'], ['jdk-21.0.1', '17.0.1']],
])('the major version of %s results in the pattern %s', (example, pattern, matching, others) => {
  expect(patternForMajorVersion(example)).toMatchObject({ pattern });
  expect(matching.filter((text) => !matches(pattern, text))).toEqual([]);
  expect(others.filter((text) => matches(pattern, text))).toEqual([]);
});

test('a version without dots results in no pattern for a major version', () => {
  expect(['15', 'REL_17_5', 'latest', '2024-01-05'].map(patternForMajorVersion)).toEqual([
    null,
    null,
    null,
    null,
  ]);
});
