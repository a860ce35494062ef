import { expect, test } from 'vitest';
import { formatElapsedTime, formatRelativeTime } from './format-relative-time.ts';

const now = Date.parse('2026-11-22T21:00:00Z');

test.each([
  ['2026-12-12T00:00:00Z', 'in 20 days'],
  ['2026-11-24T21:00:00Z', 'in 2 days'],
  ['2026-12-22T12:00:00Z', 'in 1 month'],
  ['2027-04-26T21:00:00Z', 'in 5 months'],
  ['2027-11-22T20:00:00Z', 'in 12 months'],
  ['2028-04-22T21:00:00Z', 'in 1 year'],
  ['2028-07-22T21:00:00Z', 'in 2 years'],
  ['2026-11-22T21:04:31Z', 'in 5 minutes'],
  ['2026-11-22T22:01:00Z', 'in 1 hour'],
  ['2026-11-22T21:59:30Z', 'in 1 hour'],
  ['2026-11-22T21:00:30Z', 'in 30 seconds'],
  ['2026-11-22T21:00:02Z', 'now'],
  ['2026-11-22T20:00:01Z', '59 minutes ago'],
  ['2026-11-03T00:00:00Z', '19 days ago'],
  ['2026-11-21T12:00:00Z', '1 day ago'],
  ['2024-12-22T00:00:00Z', '1 year ago'],
])(
  '%s is formatted as %s: the past in full units, the future rounded to the nearest unit, days rounded up',
  (at, text) => {
    expect(formatRelativeTime(at, now)).toBe(text);
  },
);

test.each([
  ['2026-11-22T20:59:30Z', '30 seconds'],
  ['2026-11-22T20:59:00Z', '1 minute'],
  ['2026-11-20T20:00:00Z', '2 days'],
  ['2026-11-22T21:00:01Z', '0 seconds'],
])('the time elapsed since %s is %s', (since, text) => {
  expect(formatElapsedTime(since, now)).toBe(text);
});
