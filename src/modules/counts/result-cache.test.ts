import { expect, test } from 'vitest';
import { createResultCache } from './result-cache.ts';

const question = { organizationId: 1, revision: 1, about: ['matrix'] };

test('a result is computed once per revision, even for simultaneous requests', async () => {
  const kept = createResultCache();
  let computed = 0;
  const read = (revision: number, organizationId = 1) =>
    kept.read({ ...question, revision, organizationId }, async () => ++computed);
  expect(await Promise.all([read(1), read(1)])).toEqual([1, 1]);
  expect(await read(1)).toBe(1);
  expect(await read(2)).toBe(2);
  expect(await read(2, 7)).toBe(3);
  expect(await read(2)).toBe(2);
});

test('a computation that failed is repeated for the next request', async () => {
  const kept = createResultCache();
  const failing = kept.read(question, () => Promise.reject(new Error('database')));
  await expect(failing).rejects.toThrow('database');
  expect(await kept.read(question, async () => 'answer')).toBe('answer');
});

test.each([
  ['many items', { items: Array.from({ length: 600_000 }, () => 'upgrade') }],
  ['one large item', { items: ['x'.repeat(6_000_000)] }],
  ['characters of several bytes', { items: ['版'.repeat(2_000_000)] }],
])('the oldest results are evicted when the cache is full, by their size in bytes: %s', async (_, result) => {
  const kept = createResultCache();
  let computed = 0;
  const read = (about: string) =>
    kept.read({ ...question, about }, async () => ({ ...result, number: ++computed }));
  for (const about of ['1', '2', '3']) await read(about);
  expect((await read('3')).number).toBe(3);
  expect((await read('2')).number).toBe(2);
  expect((await read('1')).number).toBe(4);
});

test('long cache keys count toward the cache size, regardless of their results', async () => {
  const kept = createResultCache();
  let computed = 0;
  const read = (about: string) =>
    kept.read({ ...question, about: about.padEnd(4_000_000) }, async () => ++computed);
  for (const about of ['1', '2', '3', '4', '5']) await read(about);
  expect(await read('5')).toBe(5);
  expect(await read('1')).toBe(6);
});
