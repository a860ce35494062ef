import { expect, test } from 'vitest';
import { followDerived, followLabels } from './follow-derived.ts';

test('a derived field follows only if nobody changed it', () => {
  const check = (current: object, last: object, next: object) => followDerived(current, last, next);
  expect(check({ rule: 1, name: 'web' }, { rule: 1, name: 'web' }, { rule: 2, name: 'web' })).toEqual({
    rule: 2,
  });
  expect(check({ rule: 3, name: 'web' }, { rule: 1, name: 'web' }, { rule: 2, name: 'shop' })).toEqual({
    name: 'shop',
  });
  expect(check({ labels: { a: '1' } }, { labels: { a: '1' } }, { labels: { a: '2' } })).toEqual({
    labels: { a: '2' },
  });
  expect(check({ rule: 2 }, { rule: 1 }, { rule: 2 })).toEqual({});
  expect(check({ rule: 1 }, {}, { rule: 2 })).toEqual({});
});

test('the labels of a scrape job follow those of its item, except for labels that were set on the job', () => {
  const file = { environment: 'test', team: 'a' };
  const check = (
    current: Record<string, string>,
    before: Record<string, string>,
    set: Record<string, string>,
  ) => followLabels(current, file, before, set);
  expect(check(file, {}, { environment: 'production', owner: 'b' })).toEqual({
    environment: 'production',
    team: 'a',
    owner: 'b',
  });
  expect(check({ environment: 'qa', team: 'a' }, {}, { environment: 'production' })).toEqual({
    environment: 'qa',
    team: 'a',
  });
  expect(check({ team: 'a', owner: 'b' }, { owner: 'b', team: 'c' }, {})).toEqual({ team: 'a' });
  expect(check({ team: 'c' }, { team: 'c' }, {})).toEqual({ team: 'a' });
});
