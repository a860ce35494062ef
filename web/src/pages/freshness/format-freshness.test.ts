import { expect, test } from 'vitest';
import type { Schemas } from '../../../../src/generated/client-api.ts';
import {
  formatGoal,
  formatKnown,
  formatSumChange,
  formatTrend,
  formatValue,
  formatWithinChange,
} from './format-freshness.ts';

test.each([
  ['libyears', 1.04, '1 libyear'],
  ['libyears', 1.06, '1.1 libyears'],
  ['exposure_days', 1, '1 day'],
  ['releases', 1_200, '1,200 releases'],
] as const)('%s of %s is %s, with a unit that agrees with the number', (metric, value, text) => {
  expect(formatValue(metric, value)).toBe(text);
});

const point = (known: number, sum: number) => ({ known, sum }) as Schemas['FreshnessPoint'];

test.each([
  [null, null, null],
  [point(100, 50), '−6% in 90 days', '−6%'],
  [point(120, 47), 'unchanged in 90 days', 'unchanged'],
  [point(50, 1), 'not comparable: 50 versions were known 90 days ago, 100 now', 'not comparable'],
  [point(1, 1), 'not comparable: 1 version was known 90 days ago, 100 now', 'not comparable'],
  [point(126, 60), 'not comparable: 126 versions were known 90 days ago, 100 now', 'not comparable'],
])(
  'a trend is a percentage only if about as many versions were known before: %o',
  (before, trend, change) => {
    expect(formatTrend(point(100, 47), before)).toBe(trend);
    expect(formatSumChange(point(100, 47), before)).toBe(change);
  },
);

test('without a known version, the values are unknown instead of 0', () => {
  expect(formatKnown(point(0, 0), 0)).toBe('unknown');
  expect(formatKnown(point(2, 0), 0)).toBe('0');
  expect(formatKnown(point(2, 1), 1, (sum) => formatValue('libyears', sum))).toBe('1 libyear');
  expect(formatTrend(point(0, 0), point(0, 0))).toBeNull();
});

const share = (within_target: number, targeted: number) =>
  ({ within_target, targeted }) as Schemas['FreshnessPoint'];

test.each([
  [share(5, 7), share(5, 7), 'unchanged'],
  [share(10, 14), share(5, 7), 'unchanged'],
  [share(6, 8), share(5, 8), '+12.5 points'],
  [share(50, 100), share(51, 100), '−1 point'],
  [share(5, 7), null, null],
  [share(5, 7), share(0, 0), null],
  [share(0, 0), share(5, 7), null],
])('the share within targets of %o after %o has the change %s', (now, before, text) => {
  expect(formatWithinChange(now, before)).toBe(text);
});

test.each([
  [share(6, 7), 60, 'Met'],
  [share(3, 5), 60, 'Met'],
  [share(1, 3), 90, 'Missed'],
  [share(0, 0), 90, null],
] as const)('a share of %o with a goal of %i%% is %s', (now, goal, result) => {
  expect(formatGoal(now, goal)).toBe(result);
});
