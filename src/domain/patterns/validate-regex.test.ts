import { expect, test } from 'vitest';
import { validateRegex } from './validate-regex.ts';

test('a pattern that compiles is valid, and runs on a given sample only', () => {
  expect(validateRegex({ pattern: 'v(\\d+)\\.(\\d+)' })).toEqual({
    valid: true,
    error: null,
    group_count: 2,
    match: null,
  });
  expect(validateRegex({ pattern: 'v(\\d+)', sample: 'x v12' })).toEqual({
    valid: true,
    error: null,
    group_count: 1,
    match: '12',
  });
  expect(validateRegex({ pattern: '\\d+', sample: 'x v12' })).toEqual({
    valid: true,
    error: null,
    group_count: 0,
    match: '12',
  });
  expect(validateRegex({ pattern: '\\d+', sample: '' })).toEqual({
    valid: true,
    error: null,
    group_count: 0,
    match: null,
  });
  expect(validateRegex({ pattern: '(a)?b', sample: 'b' })).toEqual({
    valid: true,
    error: null,
    group_count: 1,
    match: null,
  });
});

test('a pattern that cannot be used is told with the reason', () => {
  expect(validateRegex({ pattern: '(?=a)', sample: 'a' })).toEqual({
    valid: false,
    error: expect.stringContaining('a lookahead'),
    group_count: 0,
    match: null,
  });
});
