import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import { type Database, listPendingMigrations } from '../platform/database/index.ts';

/** Who asks for the health of a service does not wait long for it. */
const answerWithinMs = 2_000;
/** Anyone may ask. So one check answers all who ask in the meantime and shortly after it. */
const answerHoldsMs = 1_000;

/**
 * `/health/live`: the process answers. `/health/ready`: the database answers and has this version's schema, and the
 * server does not stop.
 */
export function serveHealth(app: FastifyInstance, db: Database, stopping: AbortSignal): void {
  let isChecking = false;
  let checkedAt = Number.NEGATIVE_INFINITY;
  let latest: Promise<string[]> = Promise.resolve([]);
  function findPending(): Promise<string[]> {
    if (isChecking || performance.now() - checkedAt < answerHoldsMs) return latest;
    isChecking = true;
    latest = listPendingMigrations(db).finally(() => {
      isChecking = false;
      checkedAt = performance.now();
    });
    return latest;
  }

  app.get('/health/live', async () => ({ status: 'ok' }));
  app.get('/health/ready', async (request, reply) => {
    if (stopping.aborted) return reply.status(503).send({ status: 'unavailable', reason: 'shutting down' });
    try {
      const pending = await Promise.race([findPending(), sleep(answerWithinMs, null, { ref: false })]);
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
