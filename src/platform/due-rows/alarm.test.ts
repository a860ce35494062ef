import { expect, test, vi } from 'vitest';
import { Alarm } from './alarm.ts';

const hour = 3_600_000;

/** Returns whether the pause ended without waiting for its time. */
async function isShort(pause: Promise<void>): Promise<boolean> {
  let hasEnded = false;
  void pause.then(() => (hasEnded = true));
  await new Promise(setImmediate);
  return hasEnded;
}

test('a wake-up ends the current pause, and the next one if it arrives before it', async () => {
  const alarm = new Alarm();
  const pause = alarm.sleep(hour);
  expect(await isShort(pause)).toBe(false);
  alarm.wake();
  expect(await isShort(pause)).toBe(true);
  expect(await isShort(alarm.sleep(hour))).toBe(true);
  alarm.reset();
  const next = alarm.sleep(hour);
  expect(await isShort(next)).toBe(false);
  alarm.stop();
  await next;
});

test('a pause ends after its time', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout'] });
  try {
    const pause = new Alarm().sleep(hour);
    await vi.advanceTimersByTimeAsync(hour - 1);
    expect(await isShort(pause)).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    expect(await isShort(pause)).toBe(true);
  } finally {
    vi.useRealTimers();
  }
});

test('only a stop ends a pause that cannot be woken', async () => {
  const alarm = new Alarm();
  alarm.wake();
  const pause = alarm.sleep(hour, { canBeWoken: false });
  alarm.wake();
  expect(await isShort(pause)).toBe(false);
  alarm.stop();
  expect(await isShort(pause)).toBe(true);
  expect(await isShort(alarm.sleep(hour, { canBeWoken: false }))).toBe(true);
});
