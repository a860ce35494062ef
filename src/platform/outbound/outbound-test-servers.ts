import { createServer as createHttpServer, type Server as HttpServer, type RequestListener } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import { createServer as createTcpServer, type Server, type Socket } from 'node:net';
import { createEgressGuard } from './egress-guard.ts';
import { createOutboundClient, type OutboundClient, type OutboundClientOptions } from './outbound-client.ts';
import { OutboundError } from './outbound-error.ts';

/**
 * Creates real servers on loopback and clients that can reach only 127.0.0.1. In these tests, 127.0.0.2
 * represents a private address.
 */
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
    /**
     * Starts a raw TCP server, which can send arbitrary data after the first bytes of a request have arrived.
     */
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
        // Names under .test resolve to loopback. Other names don't exist.
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

/**
 * Returns the OutboundError with which a request rejects. Fails if the request succeeds or rejects with
 * another error.
 */
export async function outboundErrorOf(request: Promise<unknown>): Promise<OutboundError> {
  const outcome = await request.then(
    () => 'it succeeded',
    (error: unknown) => error,
  );
  if (outcome instanceof OutboundError) return outcome;
  throw new Error(`no OutboundError: ${String(outcome)}`, { cause: outcome });
}

/**
 * Created only for these tests and not trusted elsewhere. Valid until 2126 for good.test and localhost.
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
