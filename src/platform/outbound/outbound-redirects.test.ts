import type { IncomingHttpHeaders } from 'node:http';
import { afterEach, describe, expect, it } from 'vitest';
import { createHttpPolicy } from './http-policy.ts';
import { resolveHeaderUrl } from './outbound-client.ts';
import { createTestBench, outboundErrorOf } from './outbound-test-servers.ts';

const bench = createTestBench();
afterEach(() => bench.close());

const source = { purpose: 'source', timeoutMs: 5_000, maxBytes: 100_000, followRedirects: 5 } as const;

interface Seen {
  url: string | undefined;
  headers: IncomingHttpHeaders;
}

/**
 * Starts a server that responds to `/to?<location>` with a redirect to that location, and to any other
 * request with 200.
 */
async function startRedirector(
  options: { status?: number; isTls?: boolean } = {},
): Promise<{ port: number; seen: Seen[] }> {
  const seen: Seen[] = [];
  const start = options.isTls ? bench.https : bench.http;
  const port = await start((request, response) => {
    seen.push({ url: request.url, headers: request.headers });
    const [path, location] = (request.url ?? '').split('?');
    if (path === '/to' && location !== undefined) {
      response.writeHead(options.status ?? 302, { location: decodeURIComponent(location) });
    }
    response.end(`at ${request.url}`);
  });
  return { port, seen };
}

const to = (base: string, location: string): string => `${base}/to?${encodeURIComponent(location)}`;

describe('redirects', () => {
  it('are followed for sources up to five times, whether relative or absolute', async () => {
    for (const status of [301, 302, 303, 307, 308]) {
      const { port } = await startRedirector({ status });
      const base = `http://good.test:${port}`;
      const response = await bench.client().request({ ...source, url: to(base, '/next?x=1#part') });
      expect(response, String(status)).toMatchObject({ status: 200, url: `${base}/next?x=1`, redirects: 1 });
    }
    const { port } = await startRedirector();
    const base = `http://good.test:${port}`;
    const chain = (length: number): string => {
      let url = `${base}/end`;
      for (let i = 0; i < length; i += 1) url = to(base, url);
      return url;
    };
    expect(await bench.client().request({ ...source, url: chain(5) })).toMatchObject({
      redirects: 5,
      url: `${base}/end`,
    });
    const error = await outboundErrorOf(bench.client().request({ ...source, url: chain(6) }));
    expect(error.code).toBe('too_many_redirects');
  });

  it('fail with too_many_redirects if they form a loop', async () => {
    const port = await bench.http((_request, response) => response.writeHead(302, { location: '/' }).end());
    const error = await outboundErrorOf(
      bench.client().request({ ...source, url: `http://good.test:${port}/` }),
    );
    expect(error.code).toBe('too_many_redirects');
  });

  it('are returned unchanged unless the caller follows them', async () => {
    const { port, seen } = await startRedirector();
    const url = to(`http://good.test:${port}`, '/next');
    const client = bench.client();
    const webhook = {
      ...source,
      purpose: 'webhook',
      method: 'POST',
      body: '{}',
      url,
      keepBytes: 4_096,
    } as const;
    expect(await client.requestHead({ ...webhook, followRedirects: 0 })).toMatchObject({
      status: 302,
      redirects: 0,
    });
    expect(await client.request({ ...source, followRedirects: 0, url })).toMatchObject({
      status: 302,
      redirects: 0,
    });
    // Redirects aren't followed for methods other than GET, even if the caller follows redirects.
    expect(await client.request({ ...source, method: 'POST', body: '{}', url })).toMatchObject({
      status: 302,
    });
    expect(seen.map((request) => request.url?.slice(0, 3))).toEqual(['/to', '/to', '/to']);
  });

  it('are checked by the entire guard at each hop', async () => {
    let reached = 0;
    const inside = await bench.http((_request, response) => {
      reached += 1;
      response.end('inside');
    }, '0.0.0.0');
    const { port } = await startRedirector();
    const base = `http://good.test:${port}`;
    const others: Record<string, string> = {
      'private.test': '127.0.0.2',
      'metadata.google.internal': '169.254.169.254',
    };
    const client = bench.client({ resolveName: async (name) => [others[name] ?? '127.0.0.1'] });
    for (const location of [
      `http://127.0.0.2:${inside}/`,
      `http://2130706434:${inside}/`,
      `http://[::1]:${inside}/`,
      `http://private.test:${inside}/`,
      'http://169.254.169.254/latest/meta-data/',
      'https://metadata.google.internal/',
      'file:///etc/passwd',
      'gopher://good.test/',
      'javascript:alert(1)',
      to(base, `//127.0.0.2:${inside}/`),
    ]) {
      const error = await outboundErrorOf(client.request({ ...source, url: to(base, location) }));
      expect(error.code, location).toBe('target_not_allowed');
    }
    expect(reached).toBe(0);
  });

  it('never lead from HTTPS to HTTP, even if HTTP is allowed', async () => {
    const { port } = await startRedirector({ isTls: true });
    const plain = await startRedirector();
    const base = `https://good.test:${port}`;
    const error = await outboundErrorOf(
      bench.client().request({ ...source, url: to(base, `http://good.test:${plain.port}/`) }),
    );
    expect(error.code).toBe('insecure_redirect');
    expect(plain.seen).toEqual([]);
    expect((await bench.client().request({ ...source, url: to(base, '/next') })).url).toBe(`${base}/next`);
  });

  it('lead from HTTP to HTTP only if the policy allows the target host', async () => {
    const first = await startRedirector();
    const second = await startRedirector();
    const client = bench.client({
      allowHttp: createHttpPolicy({ insecureHosts: [`good.test:${first.port}`], allowHttpWebhooks: false }),
    });
    const url = to(`http://good.test:${first.port}`, `http://good.test:${second.port}/`);
    expect((await outboundErrorOf(client.request({ ...source, url }))).code).toBe('target_not_allowed');
  });

  it('send credentials only within the origin, and not after returning to it from another origin', async () => {
    const { port, seen } = await startRedirector();
    const other = await startRedirector();
    const home = `http://good.test:${port}`;
    const away = `http://good.test:${other.port}`;
    const request = {
      ...source,
      headers: {
        Authorization: 'Bearer T',
        Cookie: 'c=1',
        'X-Token': 'T',
        'X-Plain': 'p',
        'if-none-match': '"e"',
      },
      sameOriginHeaders: ['x-token'],
    };
    await bench.client().request({ ...request, url: to(home, '/same') });
    expect(seen.at(-1)?.headers).toMatchObject({ authorization: 'Bearer T', cookie: 'c=1', 'x-token': 'T' });

    await bench.client().request({ ...request, url: to(home, to(away, `${home}/back`)) });
    for (const { headers } of [other.seen.at(-1), seen.at(-1)].flatMap((entry) => entry ?? [])) {
      expect(headers).not.toHaveProperty('authorization');
      expect(headers).not.toHaveProperty('cookie');
      expect(headers).not.toHaveProperty('x-token');
      expect(headers).toMatchObject({ 'x-plain': 'p', 'if-none-match': '"e"' });
    }
    expect(seen.at(-1)?.url).toBe('/back');
    // A different host name or port is a different origin, even if the IP address is the same.
    await bench.client().request({ ...request, url: to(home, `http://localhost:${port}/here`) });
    expect(seen.at(-1)?.headers).not.toHaveProperty('authorization');
  });

  it('are invalid responses if their URL is invalid, and ordinary responses without a Location header', async () => {
    const { port } = await startRedirector();
    const error = await outboundErrorOf(
      bench.client().request({ ...source, url: to(`http://good.test:${port}`, 'http://[nonsense/') }),
    );
    expect(error.code).toBe('invalid_response');
    const bare = await bench.http((_request, response) => response.writeHead(302).end('no location'));
    expect((await bench.client().request({ ...source, url: `http://good.test:${bare}/` })).status).toBe(302);
  });

  it('share one deadline, even if their bodies arrive slowly', async () => {
    const port = await bench.raw((socket) => {
      socket.write('HTTP/1.1 302 Found\r\nlocation: /again\r\ncontent-length: 1000\r\n\r\n');
      const timer = setInterval(() => socket.write('x'), 20);
      socket.on('close', () => clearInterval(timer));
    });
    const request = bench
      .client()
      .request({ ...source, timeoutMs: 500, followRedirects: 5, url: `http://good.test:${port}/` });
    expect(['too_many_redirects', 'timeout']).toContain((await outboundErrorOf(request)).code);
  });
});

describe('a URL from a response header', () => {
  it('is resolved against the URL of its response, without credentials or fragment', () => {
    const from = new URL('https://registry.example/v2/a/tags/list');
    const table: [string, string][] = [
      ['/v2/a/tags/list?last=x', 'https://registry.example/v2/a/tags/list?last=x'],
      ['?n=2', 'https://registry.example/v2/a/tags/list?n=2'],
      ['//auth.example/token', 'https://auth.example/token'],
      ['https://user:pass@auth.example/token#x', 'https://auth.example/token'],
      [Buffer.from('/b\u00fccher').toString('latin1'), 'https://registry.example/b%C3%BCcher'],
    ];
    for (const [location, expected] of table) expect(resolveHeaderUrl(from, location).href).toBe(expected);
    expect(() => resolveHeaderUrl(from, 'http://registry.example/')).toThrow(/plain HTTP/u);
    expect(() => resolveHeaderUrl(from, 'https://')).toThrow(/invalid URL/u);
  });
});
