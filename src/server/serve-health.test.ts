import { expect, onTestFinished, test, vi } from 'vitest';
import { startTestServer } from '../../tests/helpers/test-server.ts';

const server = await startTestServer();
const askIsReady = async () => (await fetch(`${server.url}/health/ready`)).status;
const checksOf = async (work: () => Promise<unknown>) =>
  (await server.statementsOf(work)).filter((text) => text.includes('FROM schema_migrations')).length;

test('concurrent readiness requests share one check, whose result is valid for one second', async () => {
  const startMs = performance.now();
  const clock = vi.spyOn(performance, 'now');
  onTestFinished(() => clock.mockRestore());
  // All earlier results have expired by this time.
  clock.mockReturnValue(startMs + 1_000);
  const asked = await checksOf(async () => {
    const statuses = await Promise.all(Array.from({ length: 50 }, askIsReady));
    expect(new Set(statuses)).toEqual(new Set([200]));
  });
  expect(asked).toBe(1);
  clock.mockReturnValue(startMs + 1_999);
  expect(await checksOf(askIsReady)).toBe(0);
  clock.mockReturnValue(startMs + 2_000);
  expect(await checksOf(askIsReady)).toBe(1);
});
