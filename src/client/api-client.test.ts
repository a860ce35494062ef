import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { gunzipSync } from 'node:zlib';
import { afterEach, describe, expect, test } from 'vitest';
import { ApiCallError, createApiClient } from './api-client.ts';

const closers: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

interface Seen {
  method: string;
  path: string;
  headers: IncomingMessage['headers'];
  body: Buffer;
}

async function start(
  answer: (response: ServerResponse, seen: Seen) => void,
): Promise<{ url: string; seen: Seen[] }> {
  const seen: Seen[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const one = {
        method: request.method ?? '',
        path: request.url ?? '',
        headers: request.headers,
        body: Buffer.concat(chunks),
      };
      seen.push(one);
      answer(response, one);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closers.push(() => {
    server.closeAllConnections();
    return new Promise((resolve) => server.close(resolve));
  });
  const address = server.address();
  return { url: `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`, seen };
}

const json = (response: ServerResponse, status: number, body: unknown, headers = {}): void =>
  void response
    .writeHead(status, { 'content-type': 'application/json', ...headers })
    .end(JSON.stringify(body));

async function failureOf(call: Promise<unknown>): Promise<ApiCallError> {
  const outcome = await call.then(
    () => new Error('it ended well'),
    (error: unknown) => error,
  );
  if (outcome instanceof ApiCallError) return outcome;
  throw outcome;
}

describe('a call', () => {
  test('sends its parameters and body to the path of its operation', async () => {
    const { url, seen } = await start((response) => json(response, 200, { id: 7 }));
    const api = createApiClient({ baseUrl: `${url}/`, apiKey: 'pk_1_x' });
    await api.call('getGatherJob', { path: { id: 7 } });
    await api.call('listGatherJobs', { query: { limit: 10, q: 'a b' } });
    await api.call('listGatherJobs');
    await api.call('setScrapeJobVersion', { path: { id: 3 }, body: { version: '1.2.3' } });
    await api.call('login', { body: { email: 'a@b', password: 'c' } });
    expect(seen.map(({ method, path, body }) => [method, path, body.toString()])).toEqual([
      ['GET', '/api/v1/client/gather-jobs/7', ''],
      ['GET', '/api/v1/client/gather-jobs?limit=10&q=a%20b', ''],
      ['GET', '/api/v1/client/gather-jobs', ''],
      ['POST', '/api/v1/client/scrape-jobs/3/set-version', '{"version":"1.2.3"}'],
      ['POST', '/api/v1/auth/login', '{"email":"a@b","password":"c"}'],
    ]);
    expect(seen.every(({ headers }) => headers['x-api-key'] === 'pk_1_x')).toBe(true);
  });

  test('sends a token in the Authorization header', async () => {
    const { url, seen } = await start((response) => json(response, 200, {}));
    await createApiClient({ baseUrl: url, token: 'abc' }).call('getMe');
    expect(seen[0]?.headers).toMatchObject({ authorization: 'Bearer abc' });
  });

  test('with `send` returns the status and the headers, and no body for a 204', async () => {
    const { url } = await start((response) => void response.writeHead(204, { 'x-request-id': 'r1' }).end());
    const answer = await createApiClient({ baseUrl: url }).send('deleteGatherJob', { path: { id: 1 } });
    expect([answer.status, answer.headers.get('x-request-id'), answer.body]).toEqual([204, 'r1', undefined]);
  });

  test('compresses its body if gzip is set', async () => {
    const { url, seen } = await start((response) => void response.writeHead(204).end());
    const body = { lease_token: 't', sequence: 1, items: [] };
    await createApiClient({ baseUrl: url }).call('submitTaskResults', { path: { id: 1 }, body, gzip: true });
    expect(seen[0]?.headers).toMatchObject({
      'content-encoding': 'gzip',
      'content-type': 'application/json',
    });
    expect(JSON.parse(gunzipSync(seen[0]?.body ?? Buffer.alloc(0)).toString())).toEqual(body);
  });
});

describe('a failed call', () => {
  test('has the fields of the error response', async () => {
    const errors = [{ field: 'name', message: 'is missing' }];
    const body = {
      status: 400,
      code: 'validation_failed',
      title: 'No.',
      detail: 'name: is missing',
      request_id: 'r1',
      errors,
    };
    const { url } = await start((response) =>
      json(response, 400, body, { 'x-request-id': 'r1', 'retry-after': '7' }),
    );
    const error = await failureOf(createApiClient({ baseUrl: url }).call('getOverview'));
    expect(error).toMatchObject({
      status: 400,
      code: 'validation_failed',
      detail: 'name: is missing',
      requestId: 'r1',
      errors,
      retryAfterSeconds: 7,
    });
  });

  test.each([
    ['an error from a proxy', 502, '<html>Bad gateway</html>', 502],
    ['a web page instead of an API response', 200, '<html>Sign in</html>', null],
  ])('has the code no_api for %s', async (_, status, text, expected) => {
    const { url } = await start((response) => void response.writeHead(status).end(text));
    expect(await failureOf(createApiClient({ baseUrl: url }).call('getOverview'))).toMatchObject({
      code: 'no_api',
      status: expected,
    });
  });

  test('has the code no_answer and names the server if the server is unreachable', async () => {
    const error = await failureOf(createApiClient({ baseUrl: 'http://127.0.0.1:1' }).call('getOverview'));
    expect(error).toMatchObject({
      code: 'no_answer',
      status: null,
      message: expect.stringContaining('http://127.0.0.1:1'),
    });
  });

  test('has the code no_answer if the server does not respond in time', async () => {
    const { url } = await start(() => {});
    const error = await failureOf(createApiClient({ baseUrl: url }).call('getOverview', { timeoutMs: 50 }));
    expect(error).toMatchObject({ code: 'no_answer', message: expect.stringContaining('in time') });
  });

  test('does not follow a redirect, which would send the key to another server', async () => {
    const other = await start((response) => json(response, 200, {}));
    const { url } = await start(
      (response) => void response.writeHead(307, { location: `${other.url}/x` }).end(),
    );
    await failureOf(createApiClient({ baseUrl: url, apiKey: 'pk_1_x' }).call('getOverview'));
    expect(other.seen).toEqual([]);
  });

  test('rejects with the reason of the abort signal', async () => {
    const { url } = await start(() => {});
    const controller = new AbortController();
    const reason = new Error('enough');
    setTimeout(() => controller.abort(reason), 30);
    await expect(
      createApiClient({ baseUrl: url }).call('getOverview', { signal: controller.signal }),
    ).rejects.toBe(reason);
  });
});
