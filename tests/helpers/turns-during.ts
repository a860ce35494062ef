import { setImmediate as nextTurn } from 'node:timers/promises';
import { vi } from 'vitest';

/** Does work on a clock that goes 6 ms ahead whenever it is read, and counts how often others have a turn. */
export async function turnsDuring(work: () => Promise<unknown>): Promise<number> {
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
