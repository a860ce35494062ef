import { afterEach, describe, expect, test } from 'vitest';
import { type GatherOptions, testSourceHttp } from '../../tests/helpers/upstreams/gather-from.ts';
import { startUpstreamServer, type UpstreamServer } from '../../tests/helpers/upstreams/upstream-server.ts';
import { createHttpPolicy } from '../platform/outbound/index.ts';
import { createTestBench } from '../platform/outbound/outbound-test-servers.ts';
import { shareResponses } from './share-responses.ts';
import { createSourceHttp, type SourceGetOptions, type SourceHttp } from './source-http.ts';

const bench = createTestBench();
const servers: UpstreamServer[] = [];

afterEach(async () => {
  await bench.close();
  for (const server of servers.splice(0)) await server.close();
});

const options: SourceGetOptions = { what: 'the list', accept: 'application/json', maxBytes: 1_000_000 };
const token = { type: 'https_pat', name: 'readonly', hosts: ['127.0.0.1'], token: 'secret' } as const;

async function start(
  answer: Parameters<typeof startUpstreamServer>[0],
  more: Partial<GatherOptions> = {},
): Promise<{ server: UpstreamServer; http: SourceHttp; url: string }> {
  const server = await startUpstreamServer(answer);
  servers.push(server);
  const http = testSourceHttp({ client: bench.client(), insecureHosts: ['127.0.0.1'], ...more });
  return { server, http, url: `http://${server.host}/list` };
}

describe('limits of a host', () => {
  test('that reset soon delay the request, and the wait is reported', async () => {
    let count = 0;
    const { http, url } = await start(
      (_, response) => {
        count += 1;
        response.writeHead(count === 1 ? 429 : 200, count === 1 ? { 'retry-after': '1' } : {}).end('[]');
      },
      { maxWaitMs: 5_000 },
    );
    expect((await http.get(url, options)).status).toBe(200);
    expect(http.usage.requests).toBe(2);
    expect(http.usage.waitedMs).toBeGreaterThan(500);
  });

  test('end the run and block requests until the reset if it is far off', async () => {
    const server = await startUpstreamServer((_, response) => {
      response.writeHead(429, { 'retry-after': '3600' }).end();
    });
    servers.push(server);
    let now = new Date('2026-11-21T05:00:00Z');
    const http = createSourceHttp({
      client: bench.client(),
      allowHttp: createHttpPolicy({ insecureHosts: ['127.0.0.1'], allowHttpWebhooks: false }),
      clock: () => now,
    });
    const { signal } = new AbortController();
    const ask = (credential: typeof token | null) =>
      http.forJob({ credential, signal, fairKey: '2' }).get(`http://${server.host}/list`, options);
    const limited = { code: 'rate_limited', retryAt: new Date('2026-11-21T06:00:00Z') };
    await expect(ask(null)).rejects.toMatchObject(limited);
    await expect(ask(null)).rejects.toMatchObject(limited);
    expect(server.requests).toHaveLength(1);
    // Each credential has a separate limit.
    await expect(ask(token)).rejects.toMatchObject({ code: 'rate_limited' });
    expect(server.requests).toHaveLength(2);
    now = new Date('2026-11-21T06:00:01Z');
    await expect(ask(null)).rejects.toMatchObject({ code: 'rate_limited' });
    expect(server.requests).toHaveLength(3);
  });

  test('of one organization block requests of other organizations without a credential for at most a minute', async () => {
    const server = await startUpstreamServer((_, response) => {
      response.writeHead(isLimited ? 429 : 200, isLimited ? { 'retry-after': '86400' } : {}).end('[]');
    });
    servers.push(server);
    let isLimited = true;
    let now = new Date('2026-11-21T05:00:00Z');
    const http = createSourceHttp({
      client: bench.client(),
      allowHttp: createHttpPolicy({ insecureHosts: ['127.0.0.1'], allowHttpWebhooks: false }),
      clock: () => now,
    });
    const { signal } = new AbortController();
    const ask = (fairKey: string) =>
      http.forJob({ credential: null, signal, fairKey }).get(`http://${server.host}/list`, options);
    const blockedUntil = (time: string) => ({
      code: 'rate_limited',
      retryAt: new Date(`2026-11-21T${time}Z`),
    });
    await expect(ask('2')).rejects.toMatchObject(blockedUntil('06:00:00'));
    await expect(ask('3')).rejects.toMatchObject(blockedUntil('05:01:00'));
    expect(server.requests).toHaveLength(1);
    isLimited = false;
    now = new Date('2026-11-21T05:01:00Z');
    expect((await ask('3')).status).toBe(200);
    await expect(ask('2')).rejects.toMatchObject(blockedUntil('06:00:00'));
    expect(server.requests).toHaveLength(2);
    now = new Date('2026-11-21T06:00:00Z');
    expect((await ask('2')).status).toBe(200);
  });

  test('that an organization reaches repeatedly block other organizations for at most one minute in five', async () => {
    let isLimited = true;
    const server = await startUpstreamServer((_, response) => {
      response.writeHead(isLimited ? 429 : 200, isLimited ? { 'retry-after': '60' } : {}).end('[]');
    });
    servers.push(server);
    let now = new Date('2026-11-21T05:00:00Z');
    const http = createSourceHttp({
      client: bench.client(),
      allowHttp: createHttpPolicy({ insecureHosts: ['127.0.0.1'], allowHttpWebhooks: false }),
      clock: () => now,
    });
    const { signal } = new AbortController();
    const ask = (fairKey: string) =>
      http.forJob({ credential: null, signal, fairKey }).get(`http://${server.host}/list`, options);
    const isBlocked = async (fairKey: string) => {
      const count = server.requests.length;
      await ask(fairKey).catch(() => undefined);
      return server.requests.length === count;
    };
    const blockedMinutes: number[] = [];
    for (let minute = 0; minute < 15; minute += 1) {
      now = new Date(Date.parse('2026-11-21T05:00:00Z') + minute * 60_000);
      // The limit of the first organization ends now, and its next request reaches the limit again.
      isLimited = true;
      expect(await isBlocked('2')).toBe(false);
      isLimited = false;
      if (await isBlocked('3')) blockedMinutes.push(minute);
    }
    expect(blockedMinutes).toEqual([0, 5, 10]);
  });

  test('allow eight requests at the same time', async () => {
    let running = 0;
    let most = 0;
    const { http, server } = await start((_, response) => {
      running += 1;
      most = Math.max(most, running);
      setTimeout(() => {
        running -= 1;
        response.end('[]');
      }, 20);
    });
    await Promise.all(
      Array.from({ length: 40 }, (_, index) => http.get(`http://${server.host}/${index}`, options)),
    );
    expect(server.requests).toHaveLength(40);
    expect(most).toBe(8);
  });

  test('are released after failed responses', async () => {
    const { http, url } = await start((_, response) => response.writeHead(500).end('no'));
    for (let count = 0; count < 20; count += 1) {
      await expect(http.get(url, options)).rejects.toMatchObject({ code: 'upstream_error' });
    }
  });
});

describe('a URL in a response', () => {
  test('is resolved against the response and keeps the credential only on the same origin', async () => {
    const other = await start((_, response) => response.end('[]'));
    const { http, server, url } = await start((_, response) => response.end('[]'), { credential: token });
    const first = await http.get(url, options);
    await http.get('/list?page=2', { ...options, from: first });
    const away = await http.get(other.url, { ...options, headers: { 'x-own': '1' }, from: first });
    // A request back to the first origin also has no credential, because the chain left the origin before.
    await http.get(url, { ...options, from: away });
    expect(server.requests.map(({ path, headers }) => [path, headers.authorization])).toEqual([
      ['/list', 'Bearer secret'],
      ['/list?page=2', 'Bearer secret'],
      ['/list', undefined],
    ]);
    expect(other.server.requests[0]?.headers).not.toHaveProperty('authorization');
    expect(other.server.requests[0]?.headers).not.toHaveProperty('x-own');
  });

  test('receives the headers of a source only on the first origin, also after a redirect', async () => {
    const other = await start((_, response) => response.end('[]'));
    const { http, server, url } = await start((_, response) => {
      response.writeHead(302, { location: other.url }).end();
    });
    await http.get(url, { ...options, headers: { 'X-Own': '1', Authorization: 'Bearer own' } });
    expect(server.requests[0]?.headers).toMatchObject({ 'x-own': '1', authorization: 'Bearer own' });
    expect(other.server.requests[0]?.headers).not.toHaveProperty('x-own');
    expect(other.server.requests[0]?.headers).not.toHaveProperty('authorization');
  });

  test('is rejected if it downgrades from https to http', async () => {
    const { http } = await start((_, response) => response.end('[]'));
    const from = {
      status: 200,
      url: 'https://example.com/',
      headers: {},
      isSameOrigin: true,
      validators: null,
    };
    await expect(http.get('http://example.com/2', { ...options, from })).rejects.toMatchObject({
      code: 'target_not_allowed',
    });
  });
});

test('http is used only for the hosts that the operator configured, with or without a port', () => {
  const http = testSourceHttp({ client: bench.client(), insecureHosts: ['plain.example', '127.0.0.1:3000'] });
  expect(
    ['plain.example', 'plain.example:81', '127.0.0.1:3000', '127.0.0.1:3001', '[::1]:3000', 'x'].map((host) =>
      http.schemeFor(host),
    ),
  ).toEqual(['http', 'http', 'http', 'https', 'https', 'https']);
});

test('validators that are too long to send are not stored', async () => {
  const { http, url } = await start((_, response) => {
    response
      .writeHead(200, { etag: `"${'x'.repeat(2_000)}"`, 'last-modified': 'Sat, 21 Nov 2026 05:10:00 GMT' })
      .end('[]');
  });
  expect((await http.get(url, options)).validators).toEqual({
    etag: null,
    lastModified: 'Sat, 21 Nov 2026 05:10:00 GMT',
  });
});

describe('jobs that share responses', () => {
  test('send one request, and only the first job counts it', async () => {
    const { http, server, url } = await start((_, response) => response.end('[1]'));
    const shared = shareResponses(http);
    const jobs = [shared.forJob(), shared.forJob(), shared.forJob()];
    for (const job of jobs) {
      const { body } = await job.get(url, options);
      expect(Buffer.concat(body.pieces).toString()).toBe('[1]');
      body.free();
    }
    expect(jobs.map(({ usage }) => usage.requests)).toEqual([1, 0, 0]);
    expect(server.requests).toHaveLength(1);
  });

  test('send separate requests if their validators differ', async () => {
    const { http, server, url } = await start((_, response) => response.end('[1]'));
    const shared = shareResponses(http);
    await shared.forJob().get(url, options);
    await shared.forJob().get(url, { ...options, validators: { etag: '"a"', lastModified: null } });
    expect(server.requests).toHaveLength(2);
  });

  test('send separate requests if their accepted statuses or bodies differ', async () => {
    const { http, server, url } = await start((_, response) => response.writeHead(401).end());
    const shared = shareResponses(http);
    expect(await shared.forJob().get(url, { ...options, acceptStatuses: [401] })).toMatchObject({
      status: 401,
    });
    await expect(shared.forJob().get(url, options)).rejects.toMatchObject({ code: 'unauthorized' });
    await expect(shared.forJob().get(url, { ...options, body: '{}' })).rejects.toMatchObject({
      code: 'unauthorized',
    });
    expect(server.requests).toHaveLength(3);
  });

  test('also share a failure', async () => {
    const { http, server, url } = await start((_, response) => response.writeHead(500).end());
    const shared = shareResponses(http);
    for (let count = 0; count < 3; count += 1) {
      await expect(shared.forJob().get(url, options)).rejects.toMatchObject({ code: 'upstream_error' });
    }
    expect(server.requests).toHaveLength(1);
  });
});
