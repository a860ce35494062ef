import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import { type Database, listPendingMigrations } from '../platform/database/index.ts';

/** Who asks for the health of a service does not wait long for it. */
const answerWithinMs = 2_000;

/**
 * `/health/live`: the process answers. `/health/ready`: the database answers and has this version's schema, and the
 * server does not stop.
 */
export function serveHealth(app: FastifyInstance, db: Database, stopping: AbortSignal): void {
  app.get('/health/live', async () => ({ status: 'ok' }));
  app.get('/health/ready', async (request, reply) => {
    if (stopping.aborted) return reply.status(503).send({ status: 'unavailable', reason: 'shutting down' });
    try {
      const pending = await Promise.race([
        listPendingMigrations(db),
        sleep(answerWithinMs, null, { ref: false }),
      ]);
      if (pending === null) throw new Error(`no response within ${answerWithinMs} ms`);
      if (pending.length > 0)
        return reply.status(503).send({ status: 'unavailable', reason: 'migrations are pending' });
      return { status: 'ok' };
    } catch (error) {
      request.log.debug({ err: error }, 'not ready');
      return reply.status(503).send({ status: 'unavailable', reason: 'database unavailable' });
    }
  });
}
