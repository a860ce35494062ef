import { expect, test } from 'vitest';
import { listOrDerived } from './list-or-derived.ts';

test.each([
  { now: [], before: null, sent: null },
  { now: ['a'], before: null, sent: ['a'] },
  { now: [], before: ['a'], sent: null },
  { now: [], before: [], sent: [] },
  { now: ['a'], before: [], sent: ['a'] },
])('if the list was $before, the form sends $now as $sent', ({ now, before, sent }) => {
  expect(listOrDerived(now, before)).toEqual(sent);
});
