import { afterEach, expect, test, vi } from 'vitest';
import { pauseRefetching, subscribeToChanges } from './live-changes.ts';
import { queryClient } from './query-client.ts';

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

/** Replaces the event stream of the browser, and simulates a browser without the Web Locks API. */
function stubStream() {
  const listeners = new Map<string, (event: { data: string }) => void>();
  vi.stubGlobal(
    'EventSource',
    class {
      addEventListener(name: string, listener: (event: { data: string }) => void) {
        listeners.set(name, listener);
      }
      close() {}
    },
  );
  vi.stubGlobal('navigator', {});
  return {
    open: () => listeners.get('open')?.({ data: '' }),
    tellChange: (resource = 'rule') =>
      listeners.get('message')?.({ data: JSON.stringify({ resource, id: 1, change: 'updated' }) }),
  };
}

test('a subscriber that stops before it gets the lock opens no stream and releases the lock', async () => {
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
  subscribeToChanges()();
  await grant();
  expect(opened).toEqual([]);
});

test('changes during a pause are refetched only after it', async () => {
  const stream = stubStream();
  vi.useFakeTimers();
  const readAgain = vi.spyOn(queryClient, 'invalidateQueries').mockResolvedValue();
  const giveUp = vi.spyOn(queryClient, 'cancelQueries').mockResolvedValue();
  const stop = subscribeToChanges();
  stream.tellChange();
  const release = pauseRefetching();
  expect(giveUp).toHaveBeenCalledTimes(1);
  stream.tellChange();
  await vi.advanceTimersByTimeAsync(10_000);
  expect(readAgain).not.toHaveBeenCalled();
  release();
  await vi.advanceTimersByTimeAsync(10_000);
  expect(readAgain).toHaveBeenCalledTimes(1);
  stop();
});

test('a slow refetch is not interrupted, and a pause follows it', async () => {
  const stream = stubStream();
  vi.useFakeTimers();
  const reading = () => new Promise<void>((resolve) => setTimeout(resolve, 1_000));
  const readAgain = vi.spyOn(queryClient, 'invalidateQueries').mockImplementation(reading);
  const stop = subscribeToChanges();
  // The stream sends ten changes a second for ten seconds. The last refetch must include the last change.
  for (let count = 0; count < 100; count++) {
    stream.tellChange();
    await vi.advanceTimersByTimeAsync(100);
  }
  expect(readAgain).toHaveBeenCalledTimes(3);
  await vi.advanceTimersByTimeAsync(20_000);
  expect(readAgain).toHaveBeenCalledTimes(4);
  stream.tellChange();
  await vi.advanceTimersByTimeAsync(400);
  expect(readAgain).toHaveBeenCalledTimes(5);
  await vi.advanceTimersByTimeAsync(20_000);
  stop();
});

test('a stream refetches everything when it reconnects, but not when it first connects', () => {
  const stream = stubStream();
  const readAgain = vi.spyOn(queryClient, 'invalidateQueries').mockResolvedValue();
  const stop = subscribeToChanges();
  stream.open();
  expect(readAgain).not.toHaveBeenCalled();
  stream.open();
  expect(readAgain).toHaveBeenCalledTimes(1);
  stop();
});

test('a change to a monitor refetches the open page of its alert, which shows the deployed version', async () => {
  const stream = stubStream();
  vi.useFakeTimers();
  const refetch = vi.spyOn(queryClient, 'invalidateQueries').mockResolvedValue();
  const stop = subscribeToChanges();
  stream.tellChange('alert_config');
  await vi.advanceTimersByTimeAsync(10_000);
  const predicate = refetch.mock.calls[0]![0]!.predicate!;
  const query = queryClient
    .getQueryCache()
    .build(queryClient, { queryKey: ['getAlert', { path: { id: 1 } }] });
  expect(predicate(query as never)).toBe(true);
  stop();
});
