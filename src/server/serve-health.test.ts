import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { startTestServer } from '../../tests/helpers/test-server.ts';

const server = await startTestServer();
const askIsReady = async () => (await fetch(`${server.url}/health/ready`)).status;
const checksOf = async (work: () => Promise<unknown>) =>
  (await server.statementsOf(work)).filter((text) => text.includes('FROM schema_migrations')).length;

test('concurrent readiness requests share one check', async () => {
  // A cached result expires within this time.
  await sleep(1_100);
  const asked = await checksOf(async () => {
    const statuses = await Promise.all(Array.from({ length: 50 }, askIsReady));
    expect(new Set(statuses)).toEqual(new Set([200]));
  });
  expect(asked).toBe(1);
  expect(await checksOf(askIsReady)).toBe(0);
  await sleep(1_100);
  expect(await checksOf(askIsReady)).toBe(1);
});
