import { createServer, type ServerOptions } from 'node:http';
import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Config } from '../platform/config.ts';
import { ApiError, missingCredentials } from '../platform/errors.ts';
import { type Caller, isAllowed } from '../platform/http/index.ts';
import type { Metrics } from './metrics.ts';

const contentType = 'text/plain; version=0.0.4; charset=utf-8';

/** Limits of the metrics port, which requires no key and serves only a few collectors. */
const serverOptions: ServerOptions = {
  maxHeaderSize: 8 * 1024,
  headersTimeout: 5_000,
  requestTimeout: 5_000,
  connectionsCheckingInterval: 1_000,
  keepAliveTimeout: 5_000,
};
const maxConnections = 32;
/** Connections without traffic for this long are closed. */
const idleMs = 30_000;

/** The separate port for metrics can't be opened. The cause has the address and the reason. */
export class MetricsPortError extends Error {
  override readonly name = 'MetricsPortError';
}

/**
 * Serves `/metrics` for system keys. With `PACEKEEPER_METRICS_PORT`, a separate port, by default on loopback,
 * also serves the metrics without a key.
 *
 * @returns A function that closes the separate port.
 */
export async function serveMetrics(
  app: FastifyInstance,
  metrics: Metrics,
  authenticate: (request: FastifyRequest) => Promise<Caller | null>,
  config: Config,
): Promise<() => Promise<void>> {
  app.get('/metrics', async (request, reply) => {
    const caller = await authenticate(request);
    if (!caller) throw missingCredentials();
    // Keys of agents and reporters are stored on build and deployment machines, so they can't read metrics.
    if (!caller.isSystem || !isAllowed({ role: 'viewer', keyRoles: [] }, caller))
      throw new ApiError(
        'forbidden',
        'Metrics cover the whole installation and require a system key with the viewer role or higher.',
      );
    return reply.type(contentType).send(Readable.from(await metrics.text(), { objectMode: false }));
  });
  if (config.metricsPort === null) return async () => undefined;

  const server = createServer(serverOptions, (request, response) => {
    // Request bodies are never read, so a connection with a pending body can't be reused.
    if (!request.complete) response.setHeader('connection', 'close');
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      response.writeHead(405, { allow: 'GET, HEAD' }).end();
      return;
    }
    if (request.url !== '/metrics') {
      response.writeHead(404).end();
      return;
    }
    metrics.text().then(
      (text) =>
        Readable.from(text, { objectMode: false }).pipe(
          response.writeHead(200, { 'content-type': contentType }),
        ),
      () => response.writeHead(503).end(),
    );
  });
  server.maxConnections = maxConnections;
  server.timeout = idleMs;
  await new Promise<void>((resolve, reject) =>
    server
      .once('error', (cause) => reject(new MetricsPortError("Can't open the metrics port.", { cause })))
      .listen(config.metricsPort ?? 0, config.metricsHost, resolve),
  );
  return () =>
    new Promise((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
}
