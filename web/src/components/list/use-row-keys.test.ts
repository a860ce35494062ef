import { expect, test } from 'vitest';
import { rowKeys } from './use-row-keys.ts';

test('a row has the key of its item, and an item on two pages uses the position that was read last', () => {
  const items = (...ids: number[]) => ids.map((id) => ({ id }));
  const { keys, indexes } = rowKeys(
    new Map([
      [50, items(8, 9)],
      [0, items(7, 8)],
    ]),
  );
  expect([...keys].toSorted(([one], [other]) => one - other)).toEqual([
    [0, 7],
    [50, 8],
    [51, 9],
  ]);
  expect(indexes.get(8)).toBe(50);
});
