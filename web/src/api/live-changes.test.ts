import { afterEach, expect, test, vi } from 'vitest';
import { followChanges } from './live-changes.ts';
import { queryClient } from './query-client.ts';

afterEach(() => vi.unstubAllGlobals());

test('who stopped listening before the lock was given opens no stream and gives the lock back', async () => {
  const opened: string[] = [];
  vi.stubGlobal(
    'EventSource',
    class {
      constructor(url: string) {
        opened.push(url);
      }
      addEventListener() {}
      close() {}
    },
  );
  let grant: () => Promise<void> = async () => {};
  const locks = {
    request: (_name: string, _options: object, hold: () => Promise<void>) =>
      new Promise<void>((resolve) => {
        grant = () => hold().then(resolve);
      }),
  };
  vi.stubGlobal('navigator', { locks });
  followChanges()();
  await grant();
  expect(opened).toEqual([]);
});

test.each([
  ['after another tab reads everything anew', 2_000, 1],
  ['at once does not read again what was just read', 0, 0],
])('who gets the stream %s', async (_, waitedMs, times) => {
  const listeners = new Map<string, () => void>();
  vi.stubGlobal(
    'EventSource',
    class {
      addEventListener(name: string, listener: () => void) {
        listeners.set(name, listener);
      }
      close() {}
    },
  );
  let grant: () => void = () => {};
  const locks = {
    request: (_name: string, _options: object, hold: () => Promise<void>) =>
      new Promise<void>((resolve) => {
        grant = () => void hold().then(resolve);
      }),
  };
  vi.stubGlobal('navigator', { locks });
  const clock = vi.spyOn(performance, 'now').mockReturnValue(1_000);
  const readAgain = vi.spyOn(queryClient, 'invalidateQueries').mockResolvedValue();
  const stop = followChanges();
  clock.mockReturnValue(1_000 + waitedMs);
  grant();
  listeners.get('open')?.();
  expect(readAgain).toHaveBeenCalledTimes(times);
  stop();
  vi.restoreAllMocks();
});
