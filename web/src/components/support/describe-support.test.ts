import { expect, test } from 'vitest';
import { formatSupport } from '../../../../src/domain/support/format-support.ts';
import { daysLeft, endOfDay } from '../../../../src/domain/support/support-phases.ts';
import { describeDaysLeft, describeSupport, formatLastDay } from './describe-support.ts';

test.each([
  ['2026-11-12', false, /^supported until .*2026$/],
  ['2024-11-21', true, /^support ended .*2024$/],
  [null, true, /^no longer supported$/],
  [null, false, /^supported$/],
])('support with the end date %s (ended: %s) is described as %s', (ends_on, has_ended, text) => {
  expect(describeSupport({ ends_on, has_ended })).toMatch(text);
});

test.each([
  ['2026-12-09', '10 days left'],
  ['2026-11-30', '1 day left'],
  ['2026-12-29', '30 days left'],
  ['2026-12-30', null],
  ['2026-11-29', null],
])('on Nov 30, support until %s has the days left that rules count: %s', (ends_on, text) => {
  const now = Date.parse('2026-11-30T20:00:00Z');
  const endsAt = endOfDay(ends_on)!;
  const end = { days_left: daysLeft(endsAt, now), has_ended: endsAt <= now };
  expect(describeDaysLeft(end)).toBe(text);
  if (text !== null)
    expect(formatSupport(end.days_left)).toBe(`has ${text.replace('left', 'of support left')}`);
});

test.each([
  ['2026-12-09', 'Dec 9, 2026'],
  ['9999-12-31', 'Dec 31, 9999'],
])('the last day of support that ends with %s is %s', (day, text) => {
  expect(formatLastDay(new Date(endOfDay(day)!).toISOString())).toBe(text);
});
