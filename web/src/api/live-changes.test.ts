import { afterEach, expect, test, vi } from 'vitest';
import { followChanges } from './live-changes.ts';

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
