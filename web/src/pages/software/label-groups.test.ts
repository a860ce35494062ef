import { expect, test } from 'vitest';
import type { Schemas } from '../../../../src/generated/client-api.ts';
import { groupByLabel } from './label-groups.ts';

const item = (id: number, labels: Record<string, string>, severity: string | null = null) =>
  ({ id, labels, severity }) as Schemas['SoftwareItem'];
const items = [
  item(1, { team: 'web', tier: '10' }),
  item(2, { tier: '9' }),
  item(3, { team: 'data' }),
  item(4, { team: 'web' }),
];

test('the group with the most critical items is first, then the one with the most high items', () => {
  const found = [
    item(1, { team: 'a' }, 'high'),
    item(2, { team: 'b' }, 'critical'),
    item(3, { team: 'c' }, 'critical'),
    item(4, { team: 'c' }, 'high'),
    item(5, { team: 'd' }, 'moderate'),
    item(6, {}, 'critical'),
  ];
  expect(groupByLabel(found, 'team').map(({ value }) => value)).toEqual(['c', 'b', 'a', 'd', null]);
});

test('groups of the same severity are sorted by value, numbers numerically, and items without the label are last', () => {
  const shape = (key: string) =>
    groupByLabel(items, key).map(({ value, items }) => [value, items.map(({ id }) => id)]);
  expect(shape('team')).toEqual([
    ['data', [3]],
    ['web', [1, 4]],
    [null, [2]],
  ]);
  expect(shape('tier')).toEqual([
    ['9', [2]],
    ['10', [1]],
    [null, [3, 4]],
  ]);
});
