import { expect, test } from 'vitest';
import { parseVisit, startVisit } from './visit.ts';

const now = Date.parse('2026-03-15T09:00:00Z');

test('changes are counted from the end of the previous visit, and a reload continues the visit', () => {
  const check = (seenAt: string | null, expected: string | null) =>
    expect(startVisit({ since: '2026-03-10T08:00:00Z', seenAt, label: null }, now).since).toBe(expected);
  check('2026-03-14T17:30:00Z', '2026-03-14T17:30:00Z');
  check('2026-03-15T07:59:00Z', '2026-03-15T07:59:00Z');
  check('2026-03-15T08:30:00Z', '2026-03-10T08:00:00Z');
  expect(startVisit({ since: null, seenAt: null, label: null }, now).since).toBeNull();
});

test('the team is kept for the next visit', () => {
  const visit = { since: null, seenAt: '2026-03-14T17:30:00Z', label: 'team=shop' };
  expect(startVisit(visit, now)).toEqual({ ...visit, since: visit.seenAt });
});

test.each([
  ['nothing', null],
  ['text that is not JSON', '{'],
  ['another type', '[1]'],
  ['fields of other types', '{"since": 5, "seenAt": "yesterday", "label": true}'],
])('stored data that cannot be used is ignored: %s', (_, stored) => {
  expect(parseVisit(stored)).toEqual({ since: null, seenAt: null, label: null });
});
