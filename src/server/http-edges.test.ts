import net from 'node:net';
import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { contractOperations } from '../../tests/contract/contract-operations.ts';
import { startTestServer } from '../../tests/helpers/test-server.ts';

const server = await startTestServer();
const { apiKey } = await server.createOrganization();
const client = '/api/v1/client';

function request(method: string, path: string, init: RequestInit = {}): Promise<Response> {
  const headers = { 'x-api-key': apiKey, ...(init.headers as Record<string, string>) };
  return fetch(server.url + path, { method, ...init, headers, signal: AbortSignal.timeout(60_000) });
}

/** Sends text over a bare TCP connection and returns the response. */
function sendRaw(text: string): Promise<string> {
  return new Promise((resolve) => {
    const socket = net.connect(Number(new URL(server.url).port), '127.0.0.1', () => socket.write(text));
    let received = '';
    socket.on('data', (chunk) => (received += chunk.toString()));
    socket.on('close', () => resolve(received));
  });
}

async function checkError(response: Response, status: number, code: string): Promise<void> {
  expect(response.status).toBe(status);
  const id = response.headers.get('x-request-id');
  expect(id).toBeTruthy();
  expect(await response.json()).toMatchObject({
    status,
    code,
    request_id: id,
    title: expect.any(String),
    detail: expect.any(String),
  });
}

describe('malformed requests', () => {
  test.each([
    ["a path that can't be decoded", 'GET', `${client}/rules/%zz`, 400, 'validation_failed'],
    ['an ID of 600 digits', 'GET', `${client}/rules/${'1'.repeat(600)}`, 400, 'validation_failed'],
    ['an ID with an encoded slash', 'GET', `${client}/rules/1%2F`, 400, 'validation_failed'],
    ['an ID beyond 64 bits', 'GET', `${client}/rules/9223372036854775808`, 400, 'validation_failed'],
    ['the largest 64-bit ID', 'GET', `${client}/rules/9223372036854775807`, 404, 'not_found'],
    ['a path that is not in the contract', 'GET', `${client}/nothing`, 404, 'not_found'],
    ['a doubled slash', 'GET', `${client}//rules`, 404, 'not_found'],
    ['a directory of the contract', 'GET', '/api/spec/', 404, 'not_found'],
    ['a path outside the contract directory', 'GET', '/api/spec/%2e%2e/package.json', 404, 'not_found'],
    ['a missing file', 'GET', '/api/spec/nothing.yaml', 404, 'not_found'],
    ['an unknown parameter', 'GET', `${client}/rules?__proto__=1`, 400, 'validation_failed'],
    ['a duplicate parameter', 'GET', `${client}/rules?limit=1&limit=2`, 400, 'validation_failed'],
    ['a NUL character in a parameter', 'GET', `${client}/rules?q=%00`, 400, 'validation_failed'],
  ])('%s gets a standard error response', async (_what, method, path, status, code) => {
    await checkError(await request(method, path), status, code);
  });

  test('every list accepts an offset past its end', async () => {
    const lists = contractOperations.filter(
      ({ side, method, path, parameters }) =>
        side === 'client' &&
        method === 'GET' &&
        !path.includes('{') &&
        parameters.some(({ name }) => name === 'offset'),
    );
    expect(lists.length).toBeGreaterThan(20);
    for (const { path } of lists) {
      const answer = await request('GET', `${path}?offset=1000`);
      expect({ path, status: answer.status }).toEqual({ path, status: 200 });
      expect(await answer.json()).toMatchObject({ items: [], total: expect.any(Number) });
    }
  });

  test('the errors for an unknown path and an unknown id differ', async () => {
    const detailOf = async (path: string) =>
      ((await (await request('GET', path)).json()) as { detail: string }).detail;
    for (const path of [`${client}/nothing`, '/api/v1/nothing', '/api/spec/nothing.yaml'])
      expect(await detailOf(path)).toBe(
        "This path doesn't exist. See the API description at /api/v1/swagger.",
      );
    expect(await detailOf(`${client}/rules/999`)).toContain('Check the ID.');
  });

  test('an id beyond 64 bits is rejected in a body too', async () => {
    const headers = { 'content-type': 'application/json' };
    for (const id of ['9223372036854775808', '9223372036854775809', '18446744073709551616']) {
      const body = `{"channel_id":${id}}`;
      const retried = await request('POST', `${client}/notification-deliveries/retry`, { body, headers });
      await checkError(retried, 400, 'validation_failed');
    }
  });

  test.each(['9007199254740992', '9223372036854775807'])(
    'the id %s matches no resource in a query or a body',
    async (id) => {
      const json = { 'content-type': 'application/json' };
      const listed = await request('GET', `${client}/alerts?rule_id=${id}`);
      expect(await listed.json()).toMatchObject({ items: [], total: 0 });
      const body = `{"alert_ids":[${id}]}`;
      const acknowledged = await request('POST', `${client}/alerts/acknowledge`, { body, headers: json });
      expect(acknowledged.status).toBe(200);
      expect(await acknowledged.json()).toMatchObject({
        acknowledged: [],
        not_found: [Number.MAX_SAFE_INTEGER],
      });
      const settings = { body: `{"default_channel_id":${id}}`, headers: json };
      await checkError(
        await request('PUT', `${client}/notification-settings`, settings),
        400,
        'validation_failed',
      );
      await checkError(
        await request('GET', `${client}/alerts?rule_id=9223372036854775808`),
        400,
        'validation_failed',
      );
    },
  );

  test.each([
    '2026-19-39T29:00:00Z',
    '2026-13-01T00:00:00Z',
    '2026-02-31T00:00:00Z',
    '2026-01-01T23:59:60Z',
    '0000-01-01T00:00:00Z',
    '9999-12-31T23:59:59-14:00',
    '2026-01-01',
    '2026-01-01T00:00:00',
  ])('the timestamp %s is invalid and is rejected', async (since) => {
    await checkError(
      await request('GET', `${client}/versions?since=${encodeURIComponent(since)}`),
      400,
      'validation_failed',
    );
  });

  test.each([
    '2026-01-01T00:00:00Z',
    '2026-02-28t23:59:59.123456z',
    '2024-02-29T00:00:00+14:00',
    '2026-01-01T00:00:00+23:59',
    '0865-07-11T04:22:16+18:11',
    '0005-02-06T06:04:51-19:40',
  ])('the timestamp %s is valid', async (since) => {
    for (const list of ['versions', 'releases', 'notification-deliveries', 'audit-log'])
      expect(
        (await request('GET', `${client}/${list}?since=${encodeURIComponent(since)}`)).status,
        list,
      ).toBe(200);
  });

  test('a request that is not HTTP gets a standard error response', async () => {
    const answer = await sendRaw('nonsense\r\n\r\n');
    expect(answer).toMatch(/^HTTP\/1\.1 400 /);
    expect(JSON.parse(answer.slice(answer.indexOf('\r\n\r\n')))).toMatchObject({
      status: 400,
      code: 'validation_failed',
    });
  });
});

describe('a statement that takes too long', () => {
  /**
   * Requests the rules while another transaction locks them, and passes the process ID of the waiting
   * statement to `whileWaiting`.
   */
  async function askWhileHeld(whileWaiting: (pid: number) => Promise<unknown>): Promise<Response> {
    return server.db.transaction().execute(async (tx) => {
      await sql`LOCK TABLE rules IN ACCESS EXCLUSIVE MODE`.execute(tx);
      const answer = request('GET', `${client}/rules`);
      const findWaiting = async () =>
        (
          await sql<{ pid: number }>`
            SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'
              AND query LIKE '%rules%'`.execute(server.db)
        ).rows[0]?.pid;
      await expect.poll(findWaiting).toBeDefined();
      await whileWaiting((await findWaiting())!);
      return answer;
    });
  }

  test('gets a 503 response with Retry-After, and later requests succeed', async () => {
    // Cancel the statement in the same way as the statement timeout of the server does.
    const answer = await askWhileHeld((pid) => sql`SELECT pg_cancel_backend(${pid})`.execute(server.db));
    expect(answer.headers.get('retry-after')).toBe('5');
    const body = (await answer.clone().json()) as { detail: string };
    expect(body.detail).toBe('The database took too long to respond. Try again.');
    await checkError(answer, 503, 'unavailable');
    expect((await request('GET', `${client}/rules`)).status).toBe(200);
  });
});

test('a request without a Host header gets a standard error response', async () => {
  const answer = await sendRaw(`GET ${client}/rules HTTP/1.1\r\nConnection: close\r\n\r\n`);
  expect(answer).toMatch(/^HTTP\/1\.1 400 /);
  expect(answer.slice(answer.indexOf('\r\n\r\n'))).toContain('"detail":"The Host header is missing."');
});

test('a request for a protocol upgrade gets an HTTP/1.1 response, and its connection is closed', async () => {
  const asked = 'Host: a\r\nConnection: upgrade\r\nUpgrade: websocket\r\n\r\n';
  const received = await sendRaw(`GET /health/live HTTP/1.1\r\n${asked}`);
  expect(received).toMatch(/^HTTP\/1\.1 200 /);
  expect(received).toMatch(/\r\nconnection: close\r\n/i);
});

test('an unknown Expect header is ignored', async () => {
  const answer = await sendRaw(
    `GET ${client}/rules HTTP/1.1\r\nHost: a\r\nExpect: something\r\nX-API-Key: ${apiKey}\r\nConnection: close\r\n\r\n`,
  );
  expect(answer).toMatch(/^HTTP\/1\.1 200 /);
});

describe('HTTP methods', () => {
  test.each(['PATCH', 'PUT', 'DELETE', 'OPTIONS'])(
    '%s is rejected with an Allow header that lists the supported methods',
    async (method) => {
      const response = await request(method, `${client}/rules`);
      expect(response.headers.get('allow')).toBe('GET, HEAD, POST');
      await checkError(response, 405, 'method_not_allowed');
    },
  );

  test.each(['QUERY', 'PROPFIND', 'SEARCH', 'LOCK'])(
    '%s is rejected with or without a body',
    async (method) => {
      const start = `${method} ${client}/rules/1 HTTP/1.1\r\nHost: a\r\nX-API-Key: ${apiKey}\r\nConnection: close\r\n`;
      const body = 'Content-Type: application/json\r\nContent-Length: 2\r\n\r\n{}';
      for (const head of [`${start}\r\n`, `${start}${body}`]) {
        const answer = await sendRaw(head);
        expect(answer).toMatch(/^HTTP\/1\.1 405 /);
        expect(answer).toMatch(/^allow: GET, HEAD, PUT, DELETE\r$/im);
      }
    },
  );

  test('TRACE, which few clients send, is rejected too', async () => {
    const head = `TRACE ${client}/rules/1 HTTP/1.1\r\nHost: a\r\nX-API-Key: ${apiKey}\r\nConnection: close\r\n\r\n`;
    const answer = await sendRaw(head);
    expect(answer).toMatch(/^HTTP\/1\.1 405 /);
    expect(answer).toMatch(/^allow: GET, HEAD, PUT, DELETE\r$/im);
    expect(answer).toContain('"code":"method_not_allowed"');
  });

  test('HEAD returns the same headers as GET, without the body', async () => {
    const [get, head] = [await request('GET', `${client}/rules`), await request('HEAD', `${client}/rules`)];
    expect(head.status).toBe(200);
    expect(head.headers.get('content-length')).toBe(get.headers.get('content-length'));
    expect(await head.text()).toBe('');
  });

  test('HEAD of the event stream completes immediately and does not occupy an open stream', async () => {
    for (let count = 0; count < 6; count++)
      expect((await request('HEAD', `${client}/events`)).status).toBe(200);
  });
});

describe('request bodies', () => {
  test.each([undefined, 'text/plain', 'nonsense', 'application/json'])(
    'an operation without a body ignores a body of type %s',
    async (type) => {
      const init = { body: Buffer.from('{{'), ...(type && { headers: { 'content-type': type } }) };
      expect((await request('POST', `${client}/rules/evaluate`, init)).status).toBe(200);
    },
  );

  test.each([undefined, 'text/plain', 'nonsense'])(
    'a body of type %s is rejected if JSON is required',
    async (type) => {
      const init = { body: Buffer.from('{}'), ...(type && { headers: { 'content-type': type } }) };
      await checkError(await request('POST', `${client}/rules`, init), 415, 'unsupported_media_type');
    },
  );

  test('a body larger than 1 MiB is rejected', async () => {
    const init = { body: ' '.repeat(1024 * 1024 + 1), headers: { 'content-type': 'application/json' } };
    await checkError(await request('POST', `${client}/rules`, init), 413, 'payload_too_large');
  });
});

describe('the request id', () => {
  test.each([
    ['a valid ID is used', 'abc-1', 'abc-1'],
    ['an ID with spaces is ignored', 'a b', null],
    ['an ID of 129 characters is ignored', 'x'.repeat(129), null],
  ])('is taken only from a valid X-Request-Id header: %s', async (_what, given, expected) => {
    const id = (await request('GET', `${client}/rules`, { headers: { 'x-request-id': given } })).headers.get(
      'x-request-id',
    );
    if (expected === null) expect(id).toMatch(/^[0-9a-f-]{36}$/);
    else expect(id).toBe(expected);
  });

  test('a request with two Host headers gets a standard error response', async () => {
    const { host } = new URL(server.url);
    const answer = await sendRaw(
      `GET /health/live HTTP/1.1\r\nHost: ${host}\r\nhost: other.example\r\nConnection: close\r\n\r\n`,
    );
    expect(answer).toMatch(/^HTTP\/1\.1 400 /);
    expect(answer).toContain('more than one Host header');
  });
});
