import { expect, test } from 'vitest';
import { formatValue } from './format-freshness.ts';

test.each([
  ['libyears', 1.04, '1 libyear'],
  ['libyears', 1.06, '1.1 libyears'],
  ['exposure_days', 1, '1 day'],
  ['releases', 1_200, '1,200 releases'],
] as const)('%s of %s is %s, with a unit that agrees with the number', (metric, value, text) => {
  expect(formatValue(metric, value)).toBe(text);
});
