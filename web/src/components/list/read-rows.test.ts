import { expect, test } from 'vitest';
import { isSmallRest, readRows } from './read-rows.ts';

/**
 * Returns a query for a list that changes between pages.
 * @param change Changes the list after each page is read.
 */
function movingList(count: number, change: (ids: number[]) => unknown) {
  const ids = Array.from({ length: count }, (_, index) => index + 1);
  return {
    pageQuery: (offset: number, limit = 50) => ({
      queryKey: ['moving list', count, String(change), offset, limit],
      queryFn: async () => {
        const items = ids.slice(offset, offset + limit).map((id) => ({ id }));
        const page = { items, total: ids.length, total_is_exact: true };
        change(ids);
        return page;
      },
    }),
  };
}

test('rows that move to the next page during reading are included once', async () => {
  let next = 1_000;
  const items = await readRows(movingList(450, (ids) => ids.unshift(next++)));
  expect(items.map(({ id }) => id)).toEqual(Array.from({ length: 450 }, (_, index) => index + 1));
});

test('rows aren’t missed if others are removed during reading', async () => {
  const items = await readRows(movingList(650, (ids) => ids[0] === 1 && ids.splice(0, 3)));
  expect(items.map(({ id }) => id)).toEqual(Array.from({ length: 650 }, (_, index) => index + 1));
});

test('a limit applies to the returned rows, not to the rows read', async () => {
  const items = await readRows(
    movingList(450, () => {}),
    { limit: 250 },
  );
  expect(items.map(({ id }) => id)).toEqual(Array.from({ length: 250 }, (_, index) => index + 1));
});

test.each([
  [106, 100, true],
  [111, 100, true],
  [112, 100, false],
  [1_001, 100, false],
  [100, 100, false],
  [0, 0, false],
])('a list of %i rows that shows %i loads the rest without a button: %s', (total, shown, isSmall) => {
  expect(isSmallRest(total, shown)).toBe(isSmall);
});
