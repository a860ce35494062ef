import { expect, test } from 'vitest';
import { createTurnScheduler } from './turn-scheduler.ts';

/** Requests turns, and returns the owners in the order in which their turns began. Each turn waits for `end`. */
function requestTurns(turns: ReturnType<typeof createTurnScheduler>, owners: readonly number[]) {
  const begun: number[] = [];
  const ends: (() => void)[] = [];
  for (const owner of owners)
    void turns.begin(owner).then((end) => {
      begun.push(owner);
      ends.push(end);
    });
  return { begun, end: () => ends.shift()?.() };
}

const settled = () => new Promise<void>((resolve) => setImmediate(resolve));

test('an owner with one request waits for at most two turns of another owner that has requested many before', async () => {
  const { begun, end } = requestTurns(createTurnScheduler({ atOnce: 1, turnMs: 60_000 }), [1, 1, 1, 1, 2]);
  await settled();
  expect(begun).toEqual([1]);
  end();
  await settled();
  end();
  await settled();
  expect(begun).toEqual([1, 1, 2]);
  end();
  await settled();
  expect(begun).toEqual([1, 1, 2, 1]);
});

test('an owner has only one turn at a time, even if other turns are free', async () => {
  const { begun } = requestTurns(createTurnScheduler({ atOnce: 2, turnMs: 60_000 }), [1, 1, 2]);
  await settled();
  expect(begun).toEqual([1, 2]);
});

test('a turn that never ends stops the others only for a limited time', async () => {
  const { begun } = requestTurns(createTurnScheduler({ atOnce: 1, turnMs: 5 }), [1, 1, 2]);
  await expect.poll(() => begun, { timeout: 60_000 }).toEqual([1, 1, 2]);
});

test('a pause after a turn also separates the turns of different owners', async () => {
  const { begun, end } = requestTurns(
    createTurnScheduler({ atOnce: 1, pauseFactor: 1e6, turnMs: 60_000 }),
    [1, 2],
  );
  await settled();
  end();
  await settled();
  expect(begun).toEqual([1]);
  await expect.poll(() => begun, { timeout: 60_000 }).toEqual([1, 2]);
});

test('work that fails ends its turn', async () => {
  const turns = createTurnScheduler({ atOnce: 1, turnMs: 60_000 });
  await expect(turns.run(1, () => Promise.reject(new Error('failed')))).rejects.toThrow('failed');
  expect(await turns.run(1, async () => 'next')).toBe('next');
});
