import { sql } from 'kysely';
import { systemActor } from '../domain/audit/actor.ts';
import { resetAuditExportHorizons } from '../modules/audit-exports/index.ts';
import { type Database, type Tx, transaction } from '../platform/database/index.ts';
import type { Log } from '../platform/log.ts';

/** Interval at which each server checks which database it uses. */
const checkEveryMs = 5_000;

export interface DatabaseWatch {
  /** Resolves when the server finds that the database was promoted or replaced. */
  replaced: Promise<void>;
  stop(): void;
}

/**
 * Stores which database the installation uses. If the database is a different one than before, a standby was
 * promoted or a copy was restored, and the last transactions before that might be missing. This is recorded once
 * in the audit log of each organization, and audit exports stop waiting for transactions of the previous
 * database.
 *
 * @param identity From `readDatabaseIdentity`. `null` changes nothing.
 */
export async function recordDatabaseIdentity(db: Database, identity: string | null, log: Log): Promise<void> {
  if (identity === null) return;
  const before = await transaction(db, async (tx) => {
    const { rows } = await sql<{ identity: string | null }>`
      SELECT database_identity AS identity FROM installation FOR UPDATE`.execute(tx);
    const known = rows[0]?.identity ?? null;
    if (known === identity) return null;
    await sql`UPDATE installation SET database_identity = ${identity}`.execute(tx);
    if (known === null) return null;
    await resetAuditExportHorizons(tx);
    await recordReplacement(tx, known, identity);
    return known;
  });
  if (before !== null) log.warn({ before, after: identity }, replacedMessage);
}

const replacedMessage =
  'the database was promoted or replaced; transactions that were acknowledged shortly before might be missing';

async function recordReplacement(tx: Tx, before: string, after: string): Promise<void> {
  const detail = JSON.stringify({ before, after });
  await sql`
    INSERT INTO audit_log (organization_id, action, resource, resource_id, resource_name, actor_type, actor_name, detail)
    SELECT id, 'organization.database_replaced', 'organization', id, name, ${systemActor.type}, ${systemActor.name},
      ${detail}::jsonb
    FROM organizations ORDER BY id`.execute(tx);
}

/**
 * Checks regularly whether the database is still the same. The server must be started again if it isn't,
 * because its caches and event streams can contain data that the database has lost.
 *
 * @param identity Identity of the database when the server started. Without one, nothing is watched.
 */
export function watchDatabase(
  read: () => Promise<string | null>,
  identity: string | null,
  everyMs = checkEveryMs,
): DatabaseWatch {
  let timer: NodeJS.Timeout | undefined;
  let isStopped = identity === null;
  const replaced = new Promise<void>((resolve) => {
    const check = async () => {
      // The database can be unavailable during a failover, or not accept writes yet.
      const current = await read().catch(() => null);
      if (isStopped) return;
      if (current !== null && current !== identity) return resolve();
      timer = setTimeout(check, everyMs).unref();
    };
    if (!isStopped) timer = setTimeout(check, everyMs).unref();
  });
  return {
    replaced,
    stop() {
      isStopped = true;
      clearTimeout(timer);
    },
  };
}
