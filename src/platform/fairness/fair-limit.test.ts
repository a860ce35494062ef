import { getEventListeners } from 'node:events';
import { expect, test } from 'vitest';
import { createFairLimit, NoCapacityError } from './fair-limit.ts';

/** Creates work that records when it starts and ends on request. */
function createWork(limit: ReturnType<typeof createFairLimit>) {
  const began: string[] = [];
  const ends = new Map<string, () => void>();
  return {
    began,
    async start(key: string, name: string, weight = 1): Promise<void> {
      void limit.enter(key, { weight }).then((end) => {
        began.push(name);
        ends.set(name, end);
      });
      await settle();
    },
    async end(name: string): Promise<void> {
      ends.get(name)?.();
      await settle();
    },
  };
}

const settle = () => new Promise((resolve) => setImmediate(resolve));

test('no key takes all slots, and waiting keys are served in turn', async () => {
  const work = createWork(createFairLimit({ max: 3, maxPerKey: 2 }));
  for (const name of ['a1', 'a2', 'a3', 'a4']) await work.start('a', name);
  expect(work.began).toEqual(['a1', 'a2']);
  for (const name of ['b1', 'b2', 'c1']) await work.start(name.slice(0, 1), name);
  expect(work.began).toEqual(['a1', 'a2', 'b1']);
  await work.end('a1');
  await work.end('a2');
  await work.end('b1');
  expect(work.began).toEqual(['a1', 'a2', 'b1', 'a3', 'b2', 'c1']);
});

test('work heavier than the limit runs alone and is not starved by lighter work', async () => {
  const work = createWork(createFairLimit({ max: 10, maxPerKey: 5 }));
  await work.start('a', 'a1', 4);
  await work.start('b', 'b1', 20);
  await work.start('c', 'c1', 1);
  expect(work.began).toEqual(['a1']);
  await work.end('a1');
  expect(work.began).toEqual(['a1', 'b1']);
  await work.end('b1');
  expect(work.began).toEqual(['a1', 'b1', 'c1']);
});

test('only waiting work listens to its abort signal', async () => {
  const limit = createFairLimit({ max: 2, maxPerKey: 2 });
  const { signal } = new AbortController();
  const entering = [1, 2, 3].map(() => limit.enter('a', { signal }));
  expect(getEventListeners(signal, 'abort')).toHaveLength(1);
  const end = await entering[0]!;
  end();
  await Promise.all(entering);
  expect(getEventListeners(signal, 'abort')).toHaveLength(0);
});

test('aborted work does not block waiting work', async () => {
  const limit = createFairLimit({ max: 10, maxPerKey: 10 });
  const work = createWork(limit);
  await work.start('a', 'a1', 8);
  const aborting = new AbortController();
  const heavy = limit.enter('b', { weight: 10, signal: aborting.signal });
  await work.start('c', 'c1', 2);
  expect(work.began).toEqual(['a1']);
  aborting.abort(new Error('not needed'));
  await expect(heavy).rejects.toThrow('not needed');
  expect(work.began).toEqual(['a1', 'c1']);
  await expect(limit.enter('a', { signal: aborting.signal })).rejects.toThrow('not needed');
});

test('releasing a slot twice frees it only once', async () => {
  const limit = createFairLimit({ max: 1, maxPerKey: 1 });
  const leave = await limit.enter('a');
  leave();
  leave();
  const work = createWork(limit);
  await work.start('a', 'a1');
  await work.start('b', 'b1');
  expect(work.began).toEqual(['a1']);
});

test('failed work frees its slot', async () => {
  const limit = createFairLimit({ max: 1, maxPerKey: 1 });
  await expect(limit.run('a', () => Promise.reject(new Error('failed')))).rejects.toThrow('failed');
  expect(await limit.run('a', async () => 'done')).toBe('done');
});

test('work that waits too long fails, and does not take capacity later', async () => {
  const limit = createFairLimit({ max: 1, maxPerKey: 1 });
  const end = await limit.enter('a');
  await expect(limit.enter('b', { waitMs: 5 })).rejects.toBeInstanceOf(NoCapacityError);
  expect(limit.waitingCount).toBe(0);
  end();
  expect(await limit.run('c', async () => 'done', { waitMs: 5 })).toBe('done');
});

test('work without an owner never waits, and counts toward the limit', async () => {
  const limit = createFairLimit({ max: 2, maxPerKey: 2 });
  const ends = [await limit.enter(null), await limit.enter(null), await limit.enter(null)];
  const work = createWork(limit);
  await work.start('a', 'a1');
  for (const end of ends.slice(0, 2)) end();
  await settle();
  expect(work.began).toEqual(['a1']);
  await work.start('a', 'a2');
  expect(work.began).toEqual(['a1']);
});
