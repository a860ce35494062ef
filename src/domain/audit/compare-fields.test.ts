import { expect, test } from 'vitest';
import { compareFields, type FieldChange } from './compare-fields.ts';

type Fields = Record<string, unknown>;

function check(before: Fields | null, after: Fields | null, expected: Record<string, [unknown, unknown]>) {
  const changes = Object.entries(expected).map(([name, [from, to]]): [string, FieldChange] => [
    name,
    { from, to },
  ]);
  expect(compareFields(before, after, ['name', 'limit', 'labels'])).toEqual(Object.fromEntries(changes));
}

test('an edit records only those of the given fields that differ', () => {
  check({ name: 'a', limit: 1, status: 'x' }, { name: 'b', limit: 1, status: 'y' }, { name: ['a', 'b'] });
  check({ labels: { team: 'a' } }, { labels: { team: 'a' } }, {});
  check({ labels: { team: 'a' } }, { labels: {} }, { labels: [{ team: 'a' }, {}] });
  check({ limit: null }, { limit: 0 }, { limit: [null, 0] });
});

test('a creation or deletion records all fields that have a value', () => {
  check(null, { name: 'a', limit: null, labels: {} }, { name: [null, 'a'] });
  check({ name: 'a', limit: false, labels: {} }, null, { name: ['a', null], limit: [false, null] });
});

test('long values are truncated, but never inside a character', () => {
  check({ name: 'a' }, { name: 'x'.repeat(201) }, { name: ['a', `${'x'.repeat(200)}…`] });
  check({ name: 'a' }, { name: `${'x'.repeat(199)}😀` }, { name: ['a', `${'x'.repeat(199)}…`] });
  const labels = Object.fromEntries(Array.from({ length: 40 }, (_, n) => [`label-${n}`, 'value']));
  check({ labels: {} }, { labels }, { labels: [{}, `${JSON.stringify(labels).slice(0, 500)}…`] });
});
