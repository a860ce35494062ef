import { Worker } from 'node:worker_threads';
import { afterEach, expect, test, vi } from 'vitest';
import { createTestDatabase } from '../../../../tests/helpers/database.ts';
import { createSilentLog } from '../../../platform/log.ts';
import { createFreshnessThread } from './freshness-thread.ts';

const terminate = vi.spyOn(Worker.prototype, 'terminate');

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

test("the timeout of an idle thread doesn't stop the work of the next thread", async () => {
  const { connection } = await createTestDatabase();
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const thread = createFreshnessThread({
    connection,
    config: { databaseListenUrl: null, logLevel: 'silent', logFormat: 'json' },
    log: createSilentLog(),
  });
  await thread.measure(1);
  await vi.advanceTimersByTimeAsync(30_000);
  expect(await thread.measure(1)).toMatchObject({ nowMs: expect.any(Number) });
  await thread.stop();
  expect(terminate).not.toHaveBeenCalled();
});
