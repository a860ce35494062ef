import { expect, test } from 'vitest';
import { formatElapsedTime, formatRelativeTime } from './format-relative-time.ts';

const now = Date.parse('2026-11-22T21:00:00Z');

test.each([
  ['2026-12-12T00:00:00Z', 'in 20 days'],
  ['2026-11-24T21:00:00Z', 'in 2 days'],
  ['2026-11-22T21:04:01Z', 'in 5 minutes'],
  ['2026-11-22T21:59:30Z', 'in 1 hour'],
  ['2026-11-22T21:00:30Z', 'in 30 seconds'],
  ['2026-11-22T21:00:02Z', 'now'],
  ['2026-11-22T20:00:01Z', '59 minutes ago'],
  ['2026-11-03T00:00:00Z', '19 days ago'],
])('%s is %s: full units of the past, and the future rounded up', (at, text) => {
  expect(formatRelativeTime(at, now)).toBe(text);
});

test.each([
  ['2026-11-22T20:59:30Z', '30 seconds'],
  ['2026-11-22T20:59:00Z', '1 minute'],
  ['2026-11-20T20:00:00Z', '2 days'],
  ['2026-11-22T21:00:01Z', '0 seconds'],
])('since %s, %s have passed', (since, text) => {
  expect(formatElapsedTime(since, now)).toBe(text);
});
