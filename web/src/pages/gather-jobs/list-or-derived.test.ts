import { expect, test } from 'vitest';
import { listOrDerived } from './list-or-derived.ts';

test.each([
  { now: [], before: null, sent: null },
  { now: ['a'], before: null, sent: ['a'] },
  { now: [], before: ['a'], sent: null },
  { now: [], before: [], sent: [] },
  { now: ['a'], before: [], sent: ['a'] },
])('the form sends the list $now as $sent if the stored list was $before', ({ now, before, sent }) => {
  expect(listOrDerived(now, before)).toEqual(sent);
});
