import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { parserVersion } from '../../../domain/versions/versions.ts';
import type { Database } from '../../../platform/database/index.ts';
import type { Log } from '../../../platform/log.ts';

const heartbeatMs = 10_000;

/**
 * Condition for running servers. A crashed server stops matching a minute after its last heartbeat. Heartbeats in the
 * future don't match either, because they were written before the clock was set back.
 */
const isServing = sql`seen_at BETWEEN pacekeeper_now() - interval '1 minute' AND pacekeeper_now() + interval '1 minute'`;

/**
 * True if no running server uses an older parser version. Otherwise, only the servers with the older version evaluate.
 */
export const isOldestRunningParser = sql<boolean>`NOT EXISTS (
  SELECT FROM servers WHERE version_reading < ${sql.lit(parserVersion)} AND ${isServing})`;

export interface ServingServer {
  /** True if another server evaluates instead of this one, as of the last heartbeat. */
  isHeldBack(): boolean;
  stop(): Promise<void>;
}

/** Registers this server and sends heartbeats until it stops. */
export async function registerServer(
  { db, log }: { db: Database; log: Log },
  reading = parserVersion,
): Promise<ServingServer> {
  const id = randomUUID();
  let isHeldBack = false;

  async function beat(): Promise<void> {
    const { rows } = await sql<{ is_in_use: boolean }>`
      WITH own AS (
        INSERT INTO servers (id, version_reading) VALUES (${id}, ${reading})
        ON CONFLICT (id) DO UPDATE SET seen_at = pacekeeper_now()
      ), gone AS (
        DELETE FROM servers WHERE id <> ${id} AND NOT (${isServing})
      )
      SELECT ${isOldestRunningParser} AS is_in_use`.execute(db);
    const before = isHeldBack;
    isHeldBack = rows[0]?.is_in_use === false;
    if (isHeldBack && !before)
      log.info(
        'an earlier version of Pacekeeper is still running; this server starts evaluating when it stops',
      );
  }

  await beat();
  const timer = setInterval(() => {
    beat().catch((error: unknown) => log.warn({ err: error }, 'announcing this server failed; will retry'));
  }, heartbeatMs);
  timer.unref();
  return {
    isHeldBack: () => isHeldBack,
    async stop() {
      clearInterval(timer);
      // If the database is unavailable, the entry expires after a minute.
      await sql`DELETE FROM servers WHERE id = ${id}`.execute(db).catch(() => undefined);
    },
  };
}
