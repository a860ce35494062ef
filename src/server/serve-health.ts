import type { FastifyInstance } from 'fastify';
import { sql } from 'kysely';
import { type Database, listPendingMigrations } from '../platform/database/index.ts';

/**
 * `/health/live`: the process answers. `/health/ready`: the database answers and has this version's schema, and the
 * server does not stop.
 */
export function serveHealth(app: FastifyInstance, db: Database, stopping: AbortSignal): void {
  app.get('/health/live', async () => ({ status: 'ok' }));
  app.get('/health/ready', async (request, reply) => {
    if (stopping.aborted)
      return reply.status(503).send({ status: 'unavailable', reason: 'the server stops' });
    try {
      await sql`SELECT 1`.execute(db);
      const pending = await listPendingMigrations(db);
      if (pending.length > 0)
        return reply.status(503).send({ status: 'unavailable', reason: 'migrations are pending' });
      return { status: 'ok' };
    } catch (error) {
      request.log.debug({ err: error }, 'not ready');
      return reply.status(503).send({ status: 'unavailable', reason: 'the database does not answer' });
    }
  });
}
