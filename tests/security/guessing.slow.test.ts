import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { createAcknowledgeToken } from '../../src/modules/notifications/index.ts';
import { createTokenSigner } from '../../src/platform/secrets/index.ts';
import { startTestServer, type TestServer } from '../helpers/test-server.ts';

const post = (server: TestServer, path: string, body: unknown, headers: Record<string, string> = {}) =>
  fetch(server.url + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });

/** Sends requests and returns how many responses had each status. */
async function count(times: number, ask: (index: number) => Promise<Response>): Promise<Map<number, number>> {
  const counts = new Map<number, number>();
  for (let begin = 0; begin < times; begin += 20) {
    const indices = Array.from({ length: Math.min(20, times - begin) }, (_, index) => begin + index);
    for (const { status } of await Promise.all(indices.map(ask)))
      counts.set(status, (counts.get(status) ?? 0) + 1);
  }
  return counts;
}

describe('rate limits for guessing', async () => {
  const server = await startTestServer({
    PACEKEEPER_RATE_LIMIT_PER_MINUTE: '6000',
    PACEKEEPER_TRUSTED_PROXIES: '127.0.0.1',
  });
  /** Sets the client address as reported by a trusted proxy. */
  const from = (address: string) => ({ 'x-forwarded-for': address });
  const inNetwork = (index: number) => `2001:db8:7:7:${index.toString(16)}::1`;

  test('count the addresses of one network as one client, and don’t delay other networks', async () => {
    // The test guesses tokens rather than passwords: a slow machine takes a minute to hash 100 passwords, and
    // each minute allows another 100.
    const guess = (address: string) => {
      const body = { token: randomBytes(32).toString('base64url'), new_password: 'a long enough one' };
      return post(server, '/api/v1/auth/password/reset', body, from(address));
    };
    const counts = await count(300, (index) => guess(inNetwork(index)));
    expect([...counts.keys()].toSorted()).toEqual([404, 429]);
    expect((await guess('2001:db8:7:8::1')).status).toBe(404);
  });

  test('stop guesses at the password of one account from changing networks', async () => {
    const { email, password } = await server.createOrganization();
    const startMs = performance.now();
    const counts = await count(40, (index) =>
      post(
        server,
        '/api/v1/auth/login',
        { email, password: `${password}${index}` },
        from(`198.51.100.${index}`),
      ),
    );
    // Accept a few more than 10, because the limit of 10 per minute refills while the requests run.
    const minutes = (performance.now() - startMs) / 60_000;
    expect(counts.get(401)!).toBeLessThanOrEqual(10 + Math.ceil(10 * minutes));
    expect(counts.get(401)! + counts.get(429)!).toBe(40);
  });

  test('stop guesses at the tokens of invitations and reset links, and no guess is accepted', async () => {
    const address = from('198.51.100.200');
    const token = () => randomBytes(32).toString('base64url');
    const counts = await count(300, (index) =>
      index % 2 === 0
        ? post(
            server,
            '/api/v1/auth/invitations/accept',
            { token: token(), name: 'x', password: 'a long enough one' },
            address,
          )
        : post(
            server,
            '/api/v1/auth/password/reset',
            { token: token(), new_password: 'a long enough one' },
            address,
          ),
    );
    expect([...counts.keys()].toSorted()).toEqual([404, 429]);
  });

  test('stop guesses at API keys on every endpoint, without blocking valid credentials', async () => {
    const { apiKey, owner, email, password } = await server.createOrganization();
    // A mistyped key would be rejected without a database query, so the test uses a deactivated key.
    const { key: wrong, api_key } = await owner.call('createAPIKey', { body: { name: 'stolen' } });
    await owner.call('deactivateAPIKey', { path: { id: api_key.id } });
    const login = await server.anonymous.call('login', { body: { email, password } });
    const ask = (path: string, headers: Record<string, string>, index = 0) =>
      fetch(server.url + path, { headers: { ...headers, ...from(`2001:db8:9:9::${index}`) } });
    const doors = ['/metrics', '/api/v1/client/rules', '/api/v1/auth/me'];
    const wasRefused = new Set<string>();
    const counts = await count(600, async (index) => {
      const door = doors[index % doors.length]!;
      const answer = await ask(door, { 'x-api-key': wrong }, index);
      if (answer.status === 429) wasRefused.add(door);
      return answer;
    });
    // The limit refills while the test runs, so it allows a few more requests.
    expect(counts.get(401)!).toBeGreaterThanOrEqual(300);
    expect([...counts.keys()].toSorted()).toEqual([401, 429]);
    expect([...wasRefused].toSorted()).toEqual(doors.toSorted());

    // The first request uses up an attempt that the limit might allow again, so the second one can succeed only because
    // its credentials are valid.
    const statusOf = async (headers: Record<string, string>) => {
      const { status } = await ask('/api/v1/client/rules', { 'x-api-key': wrong });
      return [status, (await ask('/api/v1/client/rules', headers)).status];
    };
    expect(await statusOf({ 'x-api-key': apiKey })).toContain(200);
    expect(await statusOf({ authorization: `Bearer ${login.access_token}` })).toContain(200);
    expect(await statusOf({ cookie: `pacekeeper_session=${login.access_token}` })).toContain(200);
  });

  describe.each(['refresh', 'logout'])('guesses at refresh cookies, sent to %s', (path) => {
    const send = (token: string, address: string) =>
      post(server, `/api/v1/auth/${path}`, undefined, {
        cookie: `pacekeeper_refresh=${token}`,
        ...from(address),
      });
    const expected = path === 'refresh' ? 401 : 204;

    test('cause no database query if the token is malformed', async () => {
      const token = randomBytes(32).toString('base64url');
      const malformed = ['x', `${token}a`, token.slice(1), `${token.slice(1)}.`, `%00${token.slice(1)}`];
      for (const each of malformed) {
        const statements = await server.statementsOf(async () => {
          expect((await send(each, '198.51.100.210')).status, each).toBe(expected);
        });
        expect(statements.filter((text) => text.includes('refresh_tokens'))).toEqual([]);
      }
    });

    test('cost one statement without a transaction, and count toward the limit', async () => {
      const address = path === 'refresh' ? '198.51.100.211' : '198.51.100.212';
      const guess = () => send(randomBytes(32).toString('base64url'), address);
      const statements = await server.statementsOf(async () => {
        for (let index = 0; index < 20; index += 1) await guess();
      });
      expect(statements.filter((text) => text.includes('refresh_tokens'))).toHaveLength(20);
      // Allow a few transactions, because the background loops of the server also use them.
      expect(statements.filter((text) => /^begin/i.test(text)).length).toBeLessThan(10);
      const counts = await count(400, guess);
      expect([...counts.keys()].toSorted()).toEqual([expected, 429].toSorted());

      // A valid cookie still works, regardless of the requests of other clients at this address.
      const { email, password } = await server.createOrganization();
      const login = await post(server, '/api/v1/auth/login', { email, password });
      const right = /pacekeeper_refresh=([^;]+)/.exec(login.headers.getSetCookie().join())![1]!;
      expect((await send(right, address)).status).toBe(path === 'refresh' ? 200 : 204);
    });
  });

  test('malformed credentials never cause a database query, from any address', async () => {
    const { apiKey } = await server.createOrganization();
    const mistyped = apiKey.replace(/.$/, (last) => (last === 'A' ? 'B' : 'A'));
    const malformed = [{ 'x-api-key': mistyped }, { authorization: 'Bearer a.b.c' }];
    let counts = new Map<number, number>();
    const statements = await server.statementsOf(async () => {
      counts = await count(400, (index) =>
        fetch(`${server.url}/api/v1/client/rules`, {
          headers: { ...malformed[index % 2], ...from('198.51.100.201') },
        }),
      );
    });
    expect([...counts.keys()].toSorted()).toEqual([401, 429]);
    // The last use of the valid key is stored after its response, so that statement can appear here.
    const isUse = (text: string) => text.startsWith('update "api_keys" set "last_used_at"');
    const touched = statements.filter((text) => /api_keys|refresh_tokens/.test(text) && !isUse(text));
    expect(touched).toEqual([]);
  });
});

test('the embedded agent keeps working, regardless of the invalid keys that are sent from its address', async () => {
  const server = await startTestServer({
    PACEKEEPER_RATE_LIMIT_PER_MINUTE: '6000',
    PACEKEEPER_EMBEDDED_AGENT: 'true',
  });
  const { api } = await server.createOrganization();
  const guess = () => fetch(`${server.url}/api/v1/client/rules`, { headers: { 'x-api-key': 'pk_1_wrong' } });
  expect((await count(400, guess)).get(429)).toBeGreaterThan(0);
  const { id } = await api.call('createGatherJob', {
    body: { name: 'gone', source_type: 'github_releases', artifact_name: '127.0.0.1:1/example/gone' },
  });
  const ofJob = async () => {
    await guess();
    return (await api.call('getGatherJob', { path: { id } })).last_run?.error ?? null;
  };
  await expect.poll(ofJob).not.toBeNull();
});

describe('an acknowledge link', async () => {
  const secretKey = randomBytes(32);
  const server = await startTestServer({ PACEKEEPER_SECRET_KEY: secretKey.toString('base64') });
  const target = { organizationId: 1, alertId: 1, channelId: 1 };
  const signer = (purpose: Parameters<typeof createTokenSigner>[0]['purpose'], current = secretKey) =>
    createTokenSigner({ purpose, current });
  const { rows } = await sql<{ now: Date }>`SELECT pacekeeper_now() AS now`.execute(server.db);
  const token = createAcknowledgeToken(signer('acknowledge-link'), target, rows[0]!.now);

  test('with any single character changed returns 404 without a database query', async () => {
    const asksForLink = (statements: string[]) =>
      statements.filter((text) => text.includes('require_login_to_acknowledge'));
    const seen = await server.statementsOf(() => fetch(`${server.url}/ack/${token}`));
    expect(asksForLink(seen)).toHaveLength(1);
    const statements = await server.statementsOf(async () => {
      const alphabet = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_';
      const changed = Array.from(token, (char, at) => {
        // The last base64 character has unused bits, so the replacement differs in the used bits as well.
        const other = alphabet[(alphabet.indexOf(char) + 32) % 64]!;
        return token.slice(0, at) + other + token.slice(at + 1);
      });
      for (const guess of [...changed, token.slice(0, -1), `${token}A`, token.toUpperCase(), '%00', '..%2f'])
        expect((await fetch(`${server.url}/ack/${guess}`, { method: 'POST' })).status, guess).toBe(404);
    });
    expect(asksForLink(statements)).toEqual([]);
  });

  test('returns 404 if another key signed it, or if its claims were replaced', async () => {
    const foreign = createAcknowledgeToken(signer('acknowledge-link', randomBytes(32)), target, rows[0]!.now);
    expect((await fetch(`${server.url}/ack/${foreign}`)).status).toBe(404);
    const [header, ends, , mac] = token.split('.');
    const claims = Buffer.from(JSON.stringify({ o: 2, a: 1, c: 1 })).toString('base64url');
    expect((await fetch(`${server.url}/ack/${[header, ends, claims, mac].join('.')}`)).status).toBe(404);
  });
});
