import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import pg from 'pg';
import { type ConnectionTarget, clientConfig, type Database } from './connect-database.ts';
import { primarySearchOf } from './find-primary.ts';

/**
 * Checks that a listener on `connection` receives notifications from `db`. A pooler that assigns a connection
 * to each transaction accepts `LISTEN`, but never delivers a notification.
 */
export async function canReceiveNotifications(
  connection: ConnectionTarget,
  db: Database,
  withinMs: number,
): Promise<boolean> {
  // Ignore a failed search. If no server responds, the connection attempt below fails too and reports the reason.
  await primarySearchOf(connection)
    .find()
    .catch(() => undefined);
  const client = new pg.Client({ ...clientConfig(connection), application_name: 'pacekeeper doctor' });
  client.on('error', () => undefined);
  await client.connect();
  try {
    const channel = `pacekeeper_doctor_${randomBytes(6).toString('hex')}`;
    const received = new Promise<boolean>((resolve) => client.once('notification', () => resolve(true)));
    await client.query(`LISTEN ${channel}`);
    await sql`SELECT pg_notify(${channel}, '')`.execute(db);
    return await Promise.race([received, sleep(withinMs, false, { ref: false })]);
  } finally {
    await client.end().catch(() => undefined);
  }
}
