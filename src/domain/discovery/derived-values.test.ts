import { expect, test } from 'vitest';
import { deriveFieldChanges, mergeDerivedLabels } from './derived-values.ts';

test('a field is updated to its derived value only if no person changed the field', () => {
  const check = (current: object, last: object, next: object) =>
    deriveFieldChanges(current, last, next).changes;
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

test("a person's value stays even after a derived value was equal to it", () => {
  const { changes, derived } = deriveFieldChanges(
    { isActive: false, rule: 1 },
    { isActive: true, rule: 1 },
    { isActive: false, rule: 2 },
  );
  expect(changes).toEqual({ rule: 2 });
  expect(derived).toEqual({ isActive: true, rule: 2 });
  expect(deriveFieldChanges({ isActive: false }, derived, { isActive: true }).changes).toEqual({});
});

test('the labels of a scrape job are updated to those of its item, except for labels that were set on the job', () => {
  const file = { environment: 'test', team: 'a' };
  const check = (
    current: Record<string, string>,
    formerSet: Record<string, string>,
    set: Record<string, string>,
  ) => mergeDerivedLabels(current, { last: { ...file, ...formerSet }, unset: file, formerSet, set }).labels;
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

test("a label set at acceptance is replaced by one set on the item, and returns when the item's label is removed", () => {
  const given = { environment: 'test', team: 'given' };
  const set = { team: 'set' };
  const first = mergeDerivedLabels(given, { last: given, unset: given, formerSet: {}, set });
  expect(first).toEqual({ labels: { ...given, ...set }, derived: { ...given, ...set } });
  const second = mergeDerivedLabels(first.labels, {
    last: first.derived,
    unset: given,
    formerSet: set,
    set: {},
  });
  expect(second.labels).toEqual(given);
});

test('a label of the job that already has the new value from the file is still updated to the value set on the item', () => {
  const unset = { environment: 'production' };
  const set = { environment: 'staging' };
  const last = { environment: 'test' };
  expect(mergeDerivedLabels(unset, { last, unset, formerSet: {}, set }).labels).toEqual(set);
});
