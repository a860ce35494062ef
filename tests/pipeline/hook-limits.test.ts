import { expect, test } from 'vitest';
import { startTestServer } from '../helpers/test-server.ts';

const server = await startTestServer({
  PACEKEEPER_LOG_LEVEL: 'error',
  PACEKEEPER_RATE_LIMIT_PER_MINUTE: '6000',
});

test('a hook accepts 600 events per minute, and each hook has a separate limit', async () => {
  const { api } = await server.createOrganization();
  const createHook = () => api.call('createHook', { body: { name: 'registry', kind: 'registry' } });
  const [hook, other] = [await createHook(), await createHook()];
  const send = ({ url, secret }: typeof hook) =>
    fetch(`${server.url}${new URL(url).pathname}`, {
      method: 'POST',
      body: '{}',
      headers: { authorization: `Bearer ${secret}` },
    });
  let taken = 0;
  let rejected: Response | null = null;
  // The limit refills while the events are sent, so more than 600 can be accepted.
  while (rejected === null && taken < 10_000) {
    for (const response of await Promise.all(Array.from({ length: 20 }, () => send(hook)))) {
      if (response.status === 202) taken++;
      else rejected ??= response;
    }
  }
  expect(taken).toBeGreaterThanOrEqual(600);
  expect(rejected?.status).toBe(429);
  expect(Number(rejected?.headers.get('retry-after'))).toBeGreaterThan(0);
  expect(await rejected?.json()).toMatchObject({ code: 'rate_limited' });
  expect((await send(other)).status).toBe(202);
});
