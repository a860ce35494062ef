import { expect, test } from 'vitest';
import type { Schemas } from '../../../../src/generated/client-api.ts';
import { groupByLabel } from './label-groups.ts';

const item = (id: number, labels: Record<string, string>) => ({ id, labels }) as Schemas['SoftwareItem'];
const items = [
  item(1, { team: 'web', tier: '10' }),
  item(2, { tier: '9' }),
  item(3, { team: 'data' }),
  item(4, { team: 'web' }),
];

test('groups are sorted by value, numbers numerically, and items without the label are last', () => {
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
