import { afterEach, expect, test, vi } from 'vitest';
import { followChanges, holdReading } from './live-changes.ts';
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

test('what changes while something is deleted is read again only after it', () => {
  const listeners = new Map<string, (event: { data: string }) => void>();
  vi.stubGlobal(
    'EventSource',
    class {
      addEventListener(name: string, listener: () => void) {
        listeners.set(name, listener);
      }
      close() {}
    },
  );
  vi.stubGlobal('navigator', {});
  vi.useFakeTimers();
  const readAgain = vi.spyOn(queryClient, 'invalidateQueries').mockResolvedValue();
  const giveUp = vi.spyOn(queryClient, 'cancelQueries').mockResolvedValue();
  const stop = followChanges();
  const change = () => listeners.get('message')?.({ data: '{"resource":"rule","id":1,"change":"updated"}' });
  change();
  const release = holdReading();
  expect(giveUp).toHaveBeenCalledTimes(1);
  change();
  vi.advanceTimersByTime(10_000);
  expect(readAgain).not.toHaveBeenCalled();
  release();
  vi.advanceTimersByTime(10_000);
  expect(readAgain).toHaveBeenCalledTimes(1);
  stop();
  vi.useRealTimers();
  vi.restoreAllMocks();
});

test('a stream that comes back reads everything anew; its first beginning does not', () => {
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
  vi.stubGlobal('navigator', {});
  const readAgain = vi.spyOn(queryClient, 'invalidateQueries').mockResolvedValue();
  const stop = followChanges();
  listeners.get('open')?.();
  expect(readAgain).not.toHaveBeenCalled();
  listeners.get('open')?.();
  expect(readAgain).toHaveBeenCalledTimes(1);
  stop();
  vi.restoreAllMocks();
});
