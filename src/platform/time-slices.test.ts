import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterEach, expect, test, vi } from 'vitest';
import { TimeSlices } from './time-slices.ts';

afterEach(() => vi.restoreAllMocks());

test('other tasks run each time the steps have taken more than 10 ms', async () => {
  let nowMs = 0;
  let turns = 0;
  vi.spyOn(performance, 'now').mockImplementation(() => nowMs);
  function* work() {
    const turnsAt = [];
    for (let step = 0; step < 100; step++) {
      nowMs += 1;
      turnsAt.push(turns);
      yield;
    }
    return turnsAt;
  }
  let isDone = false;
  const others = async () => {
    for (; !isDone; turns++) await nextTurn();
  };
  const waiting = others();
  const turnsAt = await new TimeSlices().run(work());
  isDone = true;
  await waiting;
  const counts = Map.groupBy(turnsAt, (turn) => turn);
  expect(counts.size).toBeGreaterThanOrEqual(9);
  expect(Math.max(...[...counts.values()].map(({ length }) => length))).toBeLessThanOrEqual(10);
});
