import { expect, test } from 'vitest';
import { readPages } from './read-pages.ts';

async function check(
  total: number,
  options: Parameters<typeof readPages<number>>[1],
  expected: { count: number; isCut: boolean; offsets: number[] },
): Promise<void> {
  const all = Array.from({ length: total }, (_, index) => index);
  const offsets: number[] = [];
  const { items, isCut } = await readPages(async ({ limit, offset }) => {
    offsets.push(offset);
    return { items: all.slice(offset, offset + limit) };
  }, options);
  expect(items).toEqual(all.slice(0, expected.count));
  expect({ count: items.length, isCut, offsets }).toEqual(expected);
}

test('a list is read up to its last page', async () => {
  await check(0, { maxItems: 1_000 }, { count: 0, isCut: false, offsets: [0] });
  await check(199, { maxItems: 1_000 }, { count: 199, isCut: false, offsets: [0] });
  await check(450, { maxItems: 1_000 }, { count: 450, isCut: false, offsets: [0, 200, 400] });
});

test('a list with more items than the limit is reported as cut', async () => {
  await check(1_000, { maxItems: 400 }, { count: 400, isCut: true, offsets: [0, 200] });
});

test('the read ends with the page that has enough items', async () => {
  const isEnough = (items: readonly number[]) => items.includes(250);
  await check(1_000, { maxItems: 600, isEnough }, { count: 400, isCut: false, offsets: [0, 200] });
});
