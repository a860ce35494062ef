import { expect, test } from 'vitest';
import type { Schemas } from '../../../../src/generated/client-api.ts';
import { groupByLine, urgencyOf } from './group-by-line.ts';

test.each([
  [true, -3, 'critical'],
  [true, null, 'critical'],
  [false, 0, 'critical'],
  [false, 10, 'high'],
  [false, 60, 'high'],
  [false, 61, 'moderate'],
  [false, 180, 'moderate'],
  [false, 181, 'ok'],
  [false, null, 'ok'],
] as const)('the urgency of support (ended: %s) with %s days left is %s', (has_ended, days_left, tone) => {
  expect(urgencyOf({ has_ended, days_left })).toBe(tone);
});

test('versions are grouped by release line and end, in the order of their ends', () => {
  const end = (line: string, ends_on: string, days_left: number) =>
    ({
      label: 'PostgreSQL',
      line,
      ends_on,
      days_left,
      has_ended: false,
      is_paid: false,
    }) as Schemas['SupportEnd'];
  const found = groupByLine([
    end('16', '2026-12-09', 10),
    end('17', '2029-11-08', 1_000),
    end('16', '2026-12-09', 10),
    end('16', '2031-12-09', 2_000),
  ]);
  expect(found.map(({ name, tone, ends }) => [name, tone, ends.length])).toEqual([
    ['PostgreSQL 16', 'high', 2],
    ['PostgreSQL 17', 'ok', 1],
    ['PostgreSQL 16', 'ok', 1],
  ]);
});
