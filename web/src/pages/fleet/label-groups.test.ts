import { expect, test } from 'vitest';
import type { Schemas } from '../../../../src/generated/client-api.ts';
import { groupByLabel, labelKeysOf } from './label-groups.ts';

const config = (id: number, labels: Record<string, string>) => ({ id, labels }) as Schemas['AlertConfig'];
const configs = [
  config(1, { team: 'web', tier: '10' }),
  config(2, { tier: '9' }),
  config(3, { team: 'data' }),
  config(4, { team: 'web' }),
];

test('the keys of all labels stand once each, by name', () => {
  expect(labelKeysOf(configs)).toEqual(['team', 'tier']);
});

test('groups stand by value, numbers as numbers, and what lacks the label comes last', () => {
  const shape = (key: string) =>
    groupByLabel(configs, key).map(({ value, configs }) => [value, configs.map(({ id }) => id)]);
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
