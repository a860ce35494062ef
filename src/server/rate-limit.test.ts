import { expect, test } from 'vitest';
import { startTestServer } from '../../tests/helpers/test-server.ts';

const server = await startTestServer({ PACEKEEPER_RATE_LIMIT_PER_MINUTE: '60' });

function get(path: string, apiKey: string): Promise<Response> {
  return fetch(server.url + path, { headers: { 'x-api-key': apiKey } });
}

test('a credential has one rate limit for all interfaces, reported in every response', async () => {
  const { api, owner } = await server.createOrganization();
  const { key } = await owner.call('createAPIKey', { body: { name: 'counted', role: 'admin' } });
  const first = await get('/api/v1/client/rules', key);
  expect(first.headers.get('ratelimit-policy')).toBe('"default";q=60;w=60');
  expect(first.headers.get('ratelimit')).toMatch(/^"default";r=59;t=\d+$/);

  const answers = await Promise.all(Array.from({ length: 70 }, () => get('/api/v1/client/rules', key)));
  const refused = answers.filter((answer) => answer.status === 429);
  expect(refused.length).toBeGreaterThan(5);
  expect(Number(refused[0]!.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
  expect(await refused[0]!.json()).toMatchObject({ status: 429, code: 'rate_limited' });
  expect((await get('/api/v1/auth/me', key)).status).toBe(429);
  // Another key of the same organization has a separate limit.
  expect((await api.call('listRules', {})).items).toEqual([]);
});

test('requests without credentials get status 401 and are not rate limited', async () => {
  const answers = await Promise.all(
    Array.from({ length: 80 }, () => fetch(`${server.url}/api/v1/client/rules`)),
  );
  expect(new Set(answers.map((answer) => answer.status))).toEqual(new Set([401]));
});
