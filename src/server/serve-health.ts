import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import { sql } from 'kysely';
import { type Database, listPendingMigrations } from '../platform/database/index.ts';

/** Time limit of a health check. Load balancers and orchestrators don't wait long for a response. */
const timeoutMs = 2_000;
/**
 * Time for which the result of a check is reused. The endpoint is public, so concurrent requests share one
 * check too.
 */
const cacheMs = 1_000;

/**
 * Serves the health endpoints. `/health/live` succeeds while the process responds. `/health/ready` succeeds
 * if the database responds and accepts writes, its schema has no pending migrations, and the server isn't shutting down.
 */
export function serveHealth(app: FastifyInstance, db: Database, stopping: AbortSignal): void {
  let isChecking = false;
  let checkedAt = Number.NEGATIVE_INFINITY;
  let latest: Promise<string[]> = Promise.resolve([]);
  function findPending(): Promise<string[]> {
    if (isChecking || performance.now() - checkedAt < cacheMs) return latest;
    isChecking = true;
    latest = assertWritable(db)
      .then(() => listPendingMigrations(db))
      .finally(() => {
        isChecking = false;
        checkedAt = performance.now();
      });
    return latest;
  }

  app.get('/health/live', async () => ({ status: 'ok' }));
  app.get('/health/ready', async (request, reply) => {
    if (stopping.aborted) return reply.status(503).send({ status: 'unavailable', reason: 'shutting down' });
    try {
      const pending = await Promise.race([findPending(), sleep(timeoutMs, null, { ref: false })]);
      if (pending === null) throw new Error(`no response within ${timeoutMs} ms`);
      if (pending.length > 0)
        return reply.status(503).send({ status: 'unavailable', reason: 'migrations are pending' });
      return { status: 'ok' };
    } catch (error) {
      request.log.debug({ err: error }, 'not ready');
      return reply.status(503).send({ status: 'unavailable', reason: 'database unavailable' });
    }
  });
}

/**
 * Throws if the database is a standby or read-only, because reads would succeed but every write would fail. The
 * statement fails in the same way as a write, so the pool drops the connection.
 */
async function assertWritable(db: Database): Promise<void> {
  const { rows } = await sql<{ value: string }>`
    SELECT current_setting('transaction_read_only') AS value`.execute(db);
  if (rows[0]?.value === 'on') throw new Error('the database is read-only');
}
