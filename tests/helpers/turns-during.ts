import { setImmediate as nextTurn } from 'node:timers/promises';
import { vi } from 'vitest';

/**
 * Runs `work` with a clock that advances 6 ms at each read, and returns the number of times that `work`
 * yielded to other tasks.
 */
export async function countYields(work: () => Promise<unknown>): Promise<number> {
  let nowMs = 0;
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => (nowMs += 6));
  let turns = 0;
  let isDone = false;
  const others = async () => {
    for (; !isDone; turns++) await nextTurn();
  };
  const waiting = others();
  try {
    await work();
  } finally {
    isDone = true;
    clock.mockRestore();
  }
  await waiting;
  return turns;
}
