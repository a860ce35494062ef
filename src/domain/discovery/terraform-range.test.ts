import { expect, test } from 'vitest';
import { isInRange } from './terraform-range.ts';

test.each([
  ['~> 6.0', '6.15.0', true],
  ['~> 6.0', '7.0.0', false],
  ['~> 6.0', '5.82.2', false],
  ['~> 4.0.1', '4.0.6', true],
  ['~> 4.0.1', '4.1.0', false],
  ['>= 4.0.0, < 6.0.0', '5.82.2', true],
  ['>= 4.0.0, < 6.0.0', '6.0.0', false],
  ['>= 1.2', '1.2.0', true],
  ['> 1.2', '1.2.0', false],
  ['<= 2.0', '2.0.1', false],
  ['!= 2.0.1', '2.0.1', false],
  ['v1.4.0', '1.4.0', true],
  ['1.4.0', '1.4.1', false],
  ['anything else', '1.0.0', true],
  [null, '1.0.0', true],
])('the range %j is checked against the version %s', (range, version, expected) => {
  expect(isInRange(range, version)).toBe(expected);
});
