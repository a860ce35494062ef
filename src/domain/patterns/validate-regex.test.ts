import { expect, test } from 'vitest';
import { validateRegex } from './validate-regex.ts';

test('a pattern that compiles is valid, and is matched only if a sample is provided', () => {
  expect(validateRegex({ pattern: 'v(\\d+)\\.(\\d+)' })).toEqual({
    valid: true,
    error: null,
    group_count: 2,
    match: null,
    groups: null,
  });
  expect(validateRegex({ pattern: 'v(\\d+)', sample: 'x v12' })).toEqual({
    valid: true,
    error: null,
    group_count: 1,
    match: '12',
    groups: ['12'],
  });
  expect(validateRegex({ pattern: '\\d+', sample: 'x v12' })).toEqual({
    valid: true,
    error: null,
    group_count: 0,
    match: '12',
    groups: [],
  });
  expect(validateRegex({ pattern: '\\d+', sample: '' })).toEqual({
    valid: true,
    error: null,
    group_count: 0,
    match: null,
    groups: null,
  });
  expect(validateRegex({ pattern: '(a)?b', sample: 'b' })).toEqual({
    valid: true,
    error: null,
    group_count: 1,
    match: null,
    groups: [null],
  });
});

test('the number and the length of returned groups are limited', () => {
  const { groups, match } = validateRegex({ pattern: '(a+)'.repeat(30), sample: 'a'.repeat(5_000) });
  expect(groups).toHaveLength(20);
  expect(groups?.[0]).toHaveLength(1_000);
  expect(match).toHaveLength(4_971);
});

test('an unsupported pattern is reported with the reason', () => {
  expect(validateRegex({ pattern: '(?=a)', sample: 'a' })).toEqual({
    valid: false,
    error: expect.stringContaining('a lookahead'),
    group_count: 0,
    match: null,
    groups: null,
  });
});
