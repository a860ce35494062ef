import { createServer } from 'node:http';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Config } from '../platform/config.ts';
import { ApiError } from '../platform/errors.ts';
import type { Caller } from '../platform/http/index.ts';
import type { Metrics } from './metrics.ts';

const contentType = 'text/plain; version=0.0.4; charset=utf-8';

/**
 * `/metrics` for system keys, or, with `PACEKEEPER_METRICS_PORT`, on a port of its own, by default on loopback, without a key.
 *
 * @returns what stops that port
 */
export async function serveMetrics(
  app: FastifyInstance,
  metrics: Metrics,
  authenticate: (request: FastifyRequest) => Promise<Caller | null>,
  config: Config,
): Promise<() => Promise<void>> {
  app.get('/metrics', async (request, reply) => {
    const caller = await authenticate(request);
    if (!caller) throw new ApiError('unauthenticated');
    if (!caller.isSystem)
      throw new ApiError('forbidden', 'Metrics are of the whole installation: they need a system key.');
    return reply.type(contentType).send(await metrics.text());
  });
  if (config.metricsPort === null) return async () => undefined;

  const server = createServer((request, response) => {
    if (request.url !== '/metrics') {
      response.writeHead(404).end();
      return;
    }
    metrics.text().then(
      (text) => response.writeHead(200, { 'content-type': contentType }).end(text),
      () => response.writeHead(503).end(),
    );
  });
  await new Promise<void>((resolve, reject) =>
    server.once('error', reject).listen(config.metricsPort ?? 0, config.metricsHost, resolve),
  );
  return () => new Promise((resolve) => server.close(() => resolve()));
}
