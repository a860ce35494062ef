import type { Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterEach, describe, expect, it } from 'vitest';
import { connectTcp } from './connect-tcp.ts';
import { createEgressGuard, type EgressGuard } from './egress-guard.ts';
import { createGuardedConnect } from './guarded-connect.ts';
import { createHttpPolicy } from './http-policy.ts';
import { createTestBench, outboundErrorOf, testCertificate } from './outbound-test-servers.ts';
import { secureConnection } from './secure-connection.ts';

const bench = createTestBench();
afterEach(() => bench.close());

const source = { purpose: 'source', timeoutMs: 5_000, maxBytes: 1_000_000 } as const;
const text = (body: Uint8Array): string => Buffer.from(body).toString();

describe('a request', () => {
  it('sends the method, headers, and body, and returns the status, headers, and body', async () => {
    const port = await bench.http((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        response.writeHead(201, {
          'X-Seen': `${request.method} ${String(request.headers['x-token'])}`,
          'Set-Cookie': ['a=1', 'b=2'],
        });
        response.end(`got ${Buffer.concat(chunks).toString()} at ${request.url}`);
      });
    });
    const response = await bench.client({ userAgent: 'Pacekeeper/test' }).request({
      ...source,
      url: `http://good.test:${port}/a/b?c=d`,
      method: 'POST',
      headers: { 'X-Token': 't1' },
      body: 'hello',
    });
    expect(response).toMatchObject({ status: 201, url: `http://good.test:${port}/a/b?c=d`, redirects: 0 });
    expect(response.headers['x-seen']).toBe('POST t1');
    expect(response.headers['set-cookie']).toBe('a=1, b=2');
    expect(text(response.body)).toBe('got hello at /a/b?c=d');
  });

  it('uses TLS with the requested host name', async () => {
    const port = await bench.https((_request, response) => response.end('secret'));
    const response = await bench.client().request({ ...source, url: `https://good.test:${port}/` });
    expect(text(response.body)).toBe('secret');
    const local = await bench.client().request({ ...source, url: `https://localhost:${port}/` });
    expect(local.status).toBe(200);
  });

  it('reports the cause if it uses TLS on a port without TLS', async () => {
    const port = await bench.http((_request, response) => response.end());
    const request = bench.client().request({ ...source, url: `https://good.test:${port}/` });
    expect(await outboundErrorOf(request)).toMatchObject({
      code: 'tls_failed',
      message: "good.test: the server doesn't use TLS on this port",
    });
  });

  it('survives a TLS connection that fails before it is used', async () => {
    const port = await bench.https((_request, response) => response.end());
    const { signal } = new AbortController();
    const socket = await connectTcp(['127.0.0.1'], port, 'good.test', signal);
    const tls = await secureConnection(socket, 'good.test', { ca: testCertificate }, signal);
    expect(() => tls.emit('error', new Error('reset'))).not.toThrow();
    tls.destroy();
  });

  it('reuses a connection, and closing the client closes all connections', async () => {
    const open = new Set<object>();
    let opened = 0;
    const port = await bench.http((request, response) => {
      if (!open.has(request.socket)) {
        open.add(request.socket);
        opened += 1;
        request.socket.on('close', () => open.delete(request.socket));
      }
      response.end('ok');
    });
    const client = bench.client();
    for (let i = 0; i < 20; i += 1) await client.request({ ...source, url: `http://good.test:${port}/${i}` });
    // The pool may open a second connection while the first isn't free yet.
    expect(opened).toBeLessThanOrEqual(2);
    await client.close();
    await expect.poll(() => open.size).toBe(0);
  });

  it('leaves no connections open after requests to many hosts', async () => {
    let open = 0;
    let most = 0;
    const port = await bench.http((request, response) => {
      if (!seen.has(request.socket)) {
        seen.add(request.socket);
        open += 1;
        most = Math.max(most, open);
        request.socket.on('close', () => {
          open -= 1;
        });
      }
      response.end('ok');
    }, '0.0.0.0');
    const seen = new WeakSet<object>();
    const client = bench.client({ allow: ['127.0.0.0/8'], maxOrigins: 8 });
    for (let i = 1; i <= 120; i += 1)
      await client.request({ ...source, url: `http://127.0.0.${i}:${port}/` });
    expect(most).toBeLessThanOrEqual(16);
  });
});

describe('a target that is not allowed', () => {
  it('is rejected as a literal, by its name, and by its scheme before anything is sent', async () => {
    let requests = 0;
    const port = await bench.http((_request, response) => {
      requests += 1;
      response.end('inside');
    }, '0.0.0.0');
    const client = bench.client({ resolveName: async (name) => addresses[name] ?? [] });
    const addresses: Record<string, string[]> = {
      'private.test': ['127.0.0.2'],
      'mixed.test': ['127.0.0.1', '127.0.0.2'],
      'mixed-six.test': ['127.0.0.1', '::ffff:127.0.0.2'],
      'metadata.test': ['169.254.169.254'],
    };
    for (const url of [
      `http://127.0.0.2:${port}/`,
      `http://2130706434:${port}/`,
      `http://0x7f000002:${port}/`,
      `http://0177.0.0.2:${port}/`,
      `http://127%2e0%2e0%2e2:${port}/`,
      `http://[::ffff:127.0.0.2]:${port}/`,
      `http://[::1]:${port}/`,
      `http://0.0.0.0:${port}/`,
      `http://0:${port}/`,
      `http://private.test:${port}/`,
      `http://mixed.test:${port}/`,
      `http://mixed-six.test:${port}/`,
      'http://metadata.test/latest',
      'http://169.254.169.254/latest',
      `http://user:pass@good.test:${port}/`,
      `ftp://good.test:${port}/`,
      'file:///etc/passwd',
      'data:text/plain,hi',
      'nonsense',
      '',
    ]) {
      expect((await outboundErrorOf(client.request({ ...source, url }))).code, url).toBe(
        'target_not_allowed',
      );
    }
    expect(requests).toBe(0);
    const sentenceFor = async (url: string) =>
      (await outboundErrorOf(client.request({ ...source, url }))).message;
    const remedy = 'PACEKEEPER_EGRESS_ALLOW on the server or agent that connects to it';
    for (const url of [`http://127.0.0.2:${port}/`, `http://private.test:${port}/`])
      expect(await sentenceFor(url)).toMatch(
        /: this address isn't allowed because it's a loopback address\. An/,
      );
    expect(await sentenceFor(`http://private.test:${port}/`)).toContain(remedy);
    expect(await sentenceFor(`http://user:pass@good.test:${port}/`)).not.toContain('PACEKEEPER');
  });

  it('is determined by the purpose of the request if the URL uses plain HTTP', async () => {
    const port = await bench.http((_request, response) => response.end('ok'));
    const url = `http://good.test:${port}/`;
    const strict = bench.client({
      allowHttp: createHttpPolicy({ insecureHosts: [], allowHttpWebhooks: false }),
    });
    const named = bench.client({
      allowHttp: createHttpPolicy({ insecureHosts: [`good.test:${port}`], allowHttpWebhooks: false }),
    });
    const refused = await outboundErrorOf(strict.request({ ...source, url }));
    expect(refused.code).toBe('target_not_allowed');
    expect(refused.message).toContain(
      'PACEKEEPER_INSECURE_HOSTS, and a private address to PACEKEEPER_EGRESS_ALLOW, on the server or agent',
    );
    expect((await named.request({ ...source, url })).status).toBe(200);
    const webhook = named.requestHead({ ...source, purpose: 'webhook', url, keepBytes: 100 });
    const refusedWebhook = await outboundErrorOf(webhook);
    expect(refusedWebhook.code).toBe('target_not_allowed');
    expect(refusedWebhook.message).toContain('PACEKEEPER_ALLOW_HTTP_WEBHOOKS=true on the server');
  });

  it('is detected when a name later resolves to a different address', async () => {
    let answers = 0;
    const port = await bench.http((_request, response) => {
      response.setHeader('connection', 'close');
      response.end('ok');
    }, '0.0.0.0');
    const client = bench.client({
      resolveName: async () => {
        answers += 1;
        return [answers === 1 ? '127.0.0.1' : '127.0.0.2'];
      },
    });
    const url = `http://rebinding.test:${port}/`;
    expect((await client.request({ ...source, url })).status).toBe(200);
    // One lookup per connection: the name isn't resolved again between the check and the connection.
    expect(answers).toBe(1);
    expect((await outboundErrorOf(client.request({ ...source, url }))).code).toBe('target_not_allowed');
  });

  it('is detected by a second check of the connection', async () => {
    let received = 0;
    const port = await bench.raw(() => {
      received += 1;
    });
    const honest = createEgressGuard({ allow: ['127.0.0.1/32'] });
    let checks = 0;
    const guard: EgressGuard = {
      checkHostForm: (host) => honest.checkHostForm(host),
      check: () => (++checks === 1 ? { isAllowed: true } : { isAllowed: false, reason: 'another one now' }),
    };
    const connect = createGuardedConnect({ guard, resolveName: async () => ['127.0.0.1'] });
    const attempt = connect({ hostname: 'good.test', port, signal: AbortSignal.timeout(5_000) });
    expect((await outboundErrorOf(attempt)).code).toBe('target_not_allowed');
    expect(received).toBe(0);
  });

  it('does not block the other address of localhost', async () => {
    const port = await bench.http((_request, response) => response.end('ok'));
    expect((await bench.client().request({ ...source, url: `http://localhost:${port}/` })).status).toBe(200);
    const sealed = bench.client({ allow: [] });
    expect(
      (await outboundErrorOf(sealed.request({ ...source, url: `http://localhost:${port}/` }))).code,
    ).toBe('target_not_allowed');
  });
});

describe('a connection that fails', () => {
  it('reports the cause as an error code', async () => {
    const plain = await bench.http((_request, response) => response.end('ok'));
    const secure = await bench.https((_request, response) => response.end('ok'));
    const silent = await bench.raw(() => {});
    const reset = await bench.raw((socket) => socket.resetAndDestroy());
    const closing = await bench.raw((socket) => socket.end());
    const client = bench.client({ connectTimeoutMs: 300 });
    const table: [string, string, Parameters<typeof client.request>[0]][] = [
      ['no listener', 'connection_failed', { ...source, url: 'http://good.test:1/' }],
      ['reset', 'connection_failed', { ...source, url: `http://good.test:${reset}/` }],
      ['closed', 'connection_failed', { ...source, url: `http://good.test:${closing}/` }],
      ['no such name', 'name_not_found', { ...source, url: 'https://nothing.example/' }],
      ['certificate for another name', 'tls_failed', { ...source, url: `https://bad.test:${secure}/` }],
      [
        'certificate for a name instead of the address',
        'tls_failed',
        { ...source, url: `https://127.0.0.1:${secure}/` },
      ],
      ['no TLS', 'tls_failed', { ...source, url: `https://good.test:${plain}/` }],
      ['no response to TLS', 'timeout', { ...source, url: `https://good.test:${silent}/` }],
      ['no response to HTTP', 'timeout', { ...source, timeoutMs: 200, url: `http://good.test:${silent}/` }],
    ];
    for (const [what, code, request] of table) {
      expect((await outboundErrorOf(client.request(request))).code, what).toBe(code);
    }
  });

  it('rejects a certificate that no trusted root has signed', async () => {
    const port = await bench.https((_request, response) => response.end('ok'));
    const client = bench.client({ ca: otherRoot });
    const error = await outboundErrorOf(client.request({ ...source, url: `https://good.test:${port}/` }));
    expect(error).toMatchObject({
      code: 'tls_failed',
      message: expect.stringContaining("isn't signed by a trusted"),
    });
  });

  it('times out at its deadline even while the name is being resolved', async () => {
    const client = bench.client({
      resolveName: () => new Promise<string[]>(() => {}),
      connectTimeoutMs: 400,
    });
    const error = await outboundErrorOf(
      client.request({ ...source, timeoutMs: 100, url: 'https://slow.test/' }),
    );
    expect(error.code).toBe('timeout');
  });

  it('rejects with the abort reason of the caller', async () => {
    const port = await bench.raw(() => {});
    const controller = new AbortController();
    const request = bench
      .client()
      .request({ ...source, url: `http://good.test:${port}/`, signal: controller.signal });
    controller.abort(new Error('shutting down'));
    await expect(request).rejects.toThrow('shutting down');
    const late = bench
      .client()
      .request({ ...source, url: `http://good.test:${port}/`, signal: controller.signal });
    await expect(late).rejects.toThrow('shutting down');
  });

  it('reports the host, but not the path, query, credentials, or resolved address', async () => {
    const port = await bench.raw((socket) => socket.end('SSH-2.0-OpenSSH_9.6\r\n'));
    const client = bench.client({
      resolveName: async (name) => (name === 'private.test' ? ['10.11.12.13'] : ['127.0.0.1']),
    });
    for (const url of [
      `http://good.test:${port}/services/T0KEN/abc?token=T0KEN`,
      'http://private.test/T0KEN?T0KEN=T0KEN#T0KEN',
      'http://T0KEN:T0KEN@good.test/',
      'http://good.test:1/T0KEN',
    ]) {
      const error = await outboundErrorOf(
        client.request({ ...source, url, headers: { authorization: 'T0KEN' } }),
      );
      expect(error.message, url).toMatch(/^(?:good|private)\.test/u);
      expect(error.message, url).not.toMatch(/T0KEN|10\.11\.12\.13/u);
    }
  });
});

describe('a hostile server', () => {
  const request = { ...source, timeoutMs: 400, maxBytes: 100_000 };
  const head = 'HTTP/1.1 200 OK\r\n';

  it('causes only an error, and the next request succeeds', async () => {
    const drip = (write: (i: number) => string): ((socket: Socket) => void) => {
      return (socket) => {
        let i = 0;
        const timer = setInterval(() => socket.write(write(i++)), 10);
        socket.on('close', () => clearInterval(timer));
      };
    };
    const table: [string, string, (socket: Socket) => void][] = [
      ['slowly arriving headers', 'timeout', drip((i) => (i === 0 ? head : `x-${i}: y\r\n`))],
      ['a slowly arriving status line', 'timeout', drip((i) => head.charAt(Math.min(i, 14)))],
      ['an invalid status line', 'invalid_response', (socket) => socket.write(head.slice(0, 9).repeat(2))],
      [
        'a slowly arriving body',
        'timeout',
        drip((i) => (i === 0 ? `${head}content-length: 99999\r\n\r\n` : 'x')),
      ],
      [
        'slowly arriving chunks',
        'timeout',
        drip((i) => (i === 0 ? `${head}transfer-encoding: chunked\r\n\r\n` : '1\r\nx\r\n')),
      ],
      ['endless 1xx responses', 'timeout', drip(() => 'HTTP/1.1 103 Early Hints\r\nlink: x\r\n\r\n')],
      ['garbage', 'invalid_response', (socket) => socket.end('SSH-2.0-OpenSSH_9.6\r\n')],
      ['binary garbage', 'invalid_response', (socket) => socket.end(Buffer.alloc(4_096, 0x16))],
      [
        'a header over 16 KiB',
        'invalid_response',
        (socket) => socket.end(`${head}x: ${'y'.repeat(16_384)}\r\n\r\n`),
      ],
      [
        'too many headers',
        'invalid_response',
        (socket) => socket.end(`${head}${'x: y\r\n'.repeat(50_000)}\r\n`),
      ],
      [
        'two lengths',
        'invalid_response',
        (socket) => socket.end(`${head}content-length: 1\r\ncontent-length: 2\r\n\r\nxx`),
      ],
      ['a negative length', 'invalid_response', (socket) => socket.end(`${head}content-length: -1\r\n\r\n`)],
      [
        'a broken chunk',
        'invalid_response',
        (socket) => socket.end(`${head}transfer-encoding: chunked\r\n\r\nzz\r\n`),
      ],
      [
        'a length that is too large',
        'too_large',
        (socket) => socket.write(`${head}content-length: 100001\r\n\r\n`),
      ],
      [
        'a body shorter than its length',
        'connection_failed',
        (socket) => socket.end(`${head}content-length: 10\r\n\r\nshort`),
      ],
      [
        'an upgrade',
        'connection_failed',
        (socket) =>
          socket.end('HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n'),
      ],
    ];
    const client = bench.client();
    for (const [what, code, onRequest] of table) {
      const port = await bench.raw(onRequest);
      const error = await outboundErrorOf(client.request({ ...request, url: `http://good.test:${port}/` }));
      expect(error.code, what).toBe(code);
    }
    const port = await bench.http((_request, response) => response.end('ok'));
    expect((await client.request({ ...request, url: `http://good.test:${port}/` })).status).toBe(200);
  });

  it('can send a thousand headers, and headers named like object properties, without causing an error', async () => {
    const many = Array.from({ length: 1_000 }, (_, i) => `x-${i}: v${i}\r\n`).join('');
    const odd = '__proto__: a\r\n__proto__: b\r\nconstructor: c\r\nconstructor: d\r\ntoString: e\r\n';
    const port = await bench.raw((socket) => socket.end(`${head}${many}${odd}content-length: 2\r\n\r\nok`));
    const response = await bench.client().request({ ...request, url: `http://good.test:${port}/` });
    expect(response.headers['x-999']).toBe('v999');
    expect(response.headers['__proto__']).toBe('a, b');
    expect(response.headers['constructor']).toBe('c, d');
    expect(response.headers['valueOf']).toBeUndefined();
  });

  it('cannot exhaust memory, with or without compression', async () => {
    const zeros = gzipSync(Buffer.alloc(30_000_000));
    const bombs: Record<string, [string, Buffer]> = {
      '/gzip': ['gzip', zeros],
      '/twice': ['gzip, gzip', gzipSync(zeros)],
    };
    let sent = 0;
    const port = await bench.http((incoming, response) => {
      const bomb = bombs[incoming.url ?? ''];
      if (bomb) {
        response.writeHead(200, { 'content-encoding': bomb[0] });
        response.end(bomb[1]);
        return;
      }
      const chunk = Buffer.alloc(65_536);
      const more = (): void => {
        while (!response.destroyed) {
          sent += chunk.byteLength;
          if (!response.write(chunk)) return void response.once('drain', more);
        }
      };
      more();
    });
    const client = bench.client();
    for (const path of ['/endless', '/gzip', '/twice']) {
      const error = await outboundErrorOf(
        client.request({ ...source, maxBytes: 200_000, url: `http://good.test:${port}${path}` }),
      );
      expect(error.code, path).toBe('too_large');
    }
    // The limit leaves room for data in the socket buffers.
    expect(sent).toBeLessThan(20_000_000);
  });
});

/** Valid root certificate that hasn't signed the test certificate. */
const otherRoot = `-----BEGIN CERTIFICATE-----
MIIBhTCCASugAwIBAgIUR+4KfECNlaJQTef4y6f+qQVbXzUwCgYIKoZIzj0EAwIw
FzEVMBMGA1UEAwwMYW5vdGhlciByb290MCAXDTI2MTEyMTA4MzYzNFoYDzIxMjYx
MDI4MDgzNjM0WjAXMRUwEwYDVQQDDAxhbm90aGVyIHJvb3QwWTATBgcqhkjOPQIB
BggqhkjOPQMBBwNCAATnAdCi03MXRe9bLSNo/9Hp2wafNbZ+WSNVTPOaeM24RrT8
vjgmSlVEtLbGBZgbYrhi7/a3qKOauybguITr5p8Yo1MwUTAdBgNVHQ4EFgQUnVZ8
TT2kqk4JnbqZcs24KOs4lz8wHwYDVR0jBBgwFoAUnVZ8TT2kqk4JnbqZcs24KOs4
lz8wDwYDVR0TAQH/BAUwAwEB/zAKBggqhkjOPQQDAgNIADBFAiApAL26vY2beFcD
qMUpAUcLLfGCzicp/SIsGt164E1mgwIhAOyY4hOgQTQLfEsYMm/X5R7YJ+uDklrx
kDywCbG90Lae
-----END CERTIFICATE-----
`;
