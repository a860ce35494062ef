import { createServer as createHttpServer, type Server as HttpServer, type RequestListener } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import { createServer as createTcpServer, type Server, type Socket } from 'node:net';
import { createEgressGuard } from './egress-guard.ts';
import { createOutboundClient, type OutboundClient, type OutboundClientOptions } from './outbound-client.ts';
import { OutboundError } from './outbound-error.ts';

/** Real servers on loopback, and clients that may reach 127.0.0.1 only: 127.0.0.2 plays the private address. */
export function createTestBench() {
  const closers: (() => Promise<void>)[] = [];

  async function listen(server: Server | HttpServer, host: string): Promise<number> {
    const sockets = new Set<Socket>();
    server.on('connection', (socket: Socket) => {
      sockets.add(socket.on('error', () => {}).on('close', () => sockets.delete(socket)));
    });
    await new Promise<void>((resolve) => server.listen(0, host, resolve));
    closers.push(async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    });
    const address = server.address();
    return address !== null && typeof address === 'object' ? address.port : 0;
  }

  return {
    http: (onRequest: RequestListener, host = '127.0.0.1'): Promise<number> =>
      listen(createHttpServer(onRequest), host),
    https: (onRequest: RequestListener): Promise<number> =>
      listen(createHttpsServer({ key: testKey, cert: testCertificate }, onRequest), '127.0.0.1'),
    /** Speaks what it likes, once the first bytes of a request have come. */
    raw: (onRequest: (socket: Socket) => void): Promise<number> =>
      listen(
        createTcpServer((socket) => void socket.once('data', () => onRequest(socket))),
        '127.0.0.1',
      ),

    client(options: Partial<OutboundClientOptions> & { allow?: string[] } = {}): OutboundClient {
      const { allow = ['127.0.0.1/32'], ...rest } = options;
      const client = createOutboundClient({
        guard: createEgressGuard({ allow }),
        allowHttp: () => true,
        // Names under .test are loopback; nothing else exists.
        resolveName: async (name) => {
          if (name.endsWith('.test')) return ['127.0.0.1'];
          throw new Error('no such name');
        },
        ca: testCertificate,
        ...rest,
      });
      closers.unshift(() => client.close());
      return client;
    },

    async close(): Promise<void> {
      for (const close of closers.splice(0)) await close();
    },
  };
}

/** The error that a request ends with; fails when it ends well or with another kind of error. */
export async function outboundErrorOf(request: Promise<unknown>): Promise<OutboundError> {
  const outcome = await request.then(
    () => 'it succeeded',
    (error: unknown) => error,
  );
  if (outcome instanceof OutboundError) return outcome;
  throw new Error(`no OutboundError: ${String(outcome)}`, { cause: outcome });
}

/**
 * Made for these tests alone and trusted by nobody else; valid until 2126 for good.test and localhost.
 * openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 36500 \\
 *   -subj "/CN=pacekeeper test" -addext "subjectAltName=DNS:good.test,DNS:localhost"
 */
export const testCertificate = `-----BEGIN CERTIFICATE-----
MIIBqzCCAVKgAwIBAgIUcdLY6elGK4btCpAPlG2DA8tnmaAwCgYIKoZIzj0EAwIw
GjEYMBYGA1UEAwwPcGFjZWtlZXBlciB0ZXN0MCAXDTI2MTEyMTA4MzYzNFoYDzIx
MjYxMDI4MDgzNjM0WjAaMRgwFgYDVQQDDA9wYWNla2VlcGVyIHRlc3QwWTATBgcq
hkjOPQIBBggqhkjOPQMBBwNCAARpCfz2XHvY+Ya7Mj+4z9XOwBttyTXAT5tZP1Sq
wYoYeFGLT9rYa4q/yx01M3zU1fWi1j/VibgPHiuGd/wVHm+vo3QwcjAdBgNVHQ4E
FgQUxM72N+Nsz8EsWRn3/BCVHfotvSgwHwYDVR0jBBgwFoAUxM72N+Nsz8EsWRn3
/BCVHfotvSgwDwYDVR0TAQH/BAUwAwEB/zAfBgNVHREEGDAWgglnb29kLnRlc3SC
CWxvY2FsaG9zdDAKBggqhkjOPQQDAgNHADBEAiAns16C5MYMyE423DaCjF+2ZxcX
/1Jom3JaYiTQswKhJAIgTMpAXCavYHQWGrimCf5g0k49YBOw3EkifEoyLQsWofE=
-----END CERTIFICATE-----
`;

export const testKey = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgxXf0Vi5kt0XorPf6
0lzEAT6aMB3YKaxDb8WgoGebc5GhRANCAARpCfz2XHvY+Ya7Mj+4z9XOwBttyTXA
T5tZP1SqwYoYeFGLT9rYa4q/yx01M3zU1fWi1j/VibgPHiuGd/wVHm+v
-----END PRIVATE KEY-----
`;
