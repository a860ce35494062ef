import { sql } from 'kysely';
import pg from 'pg';
import { afterAll, expect, test } from 'vitest';
import { createTestDatabase } from '../../../../tests/helpers/database.ts';
import { createDeliveryWorld, pollUntil } from '../../../../tests/helpers/delivery-world.ts';
import { createWebhookInbox } from '../../../../tests/helpers/webhook-inbox.ts';
import { createSilentLog, type Log } from '../../../platform/log.ts';
import { attemptDelivery } from './send/attempt-delivery.ts';

const log = createSilentLog();
const { db, connection, connectAgain } = await createTestDatabase({ poolSize: 5, log });
const world = createDeliveryWorld({ db, connection, log });
const inbox = await createWebhookInbox();
afterAll(async () => {
  await world.close();
  await inbox.close();
});

/**
 * Rejects new connections to the database and terminates the existing ones. The returned function ends the
 * outage.
 */
async function beginOutage() {
  const admin = new pg.Client({ ...connection, database: 'template1' });
  await admin.connect();
  await admin.query(`ALTER DATABASE ${connection.database} ALLOW_CONNECTIONS false`);
  await admin.query('SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1', [
    connection.database,
  ]);
  return async () => {
    await admin.query(`ALTER DATABASE ${connection.database} ALLOW_CONNECTIONS true`);
    await admin.end();
  };
}

test('results of requests that finished during a database outage are stored after the outage, and nothing is sent twice', async () => {
  const { organizationId } = await world.createOrganizationWithChannel({ url: inbox.url });
  const alertIds = await world.createAlerts(organizationId, 3);
  const loop = world.startLoop({ db: await connectAgain() });
  inbox.answerAlways({ status: 200, afterMs: 400 });
  await world.raiseEvents(
    organizationId,
    alertIds.map((alertId) => ({ alertId })),
  );
  await inbox.waitFor(3);
  const endOutage = await beginOutage();
  // The responses arrive during the outage.
  await new Promise((resolve) => setTimeout(resolve, 1_500));
  await endOutage();
  await pollUntil(async () => {
    const rows = await world.deliveries(organizationId).catch(() => []);
    return rows.length === 3 && rows.every(({ status }) => status === 'succeeded');
  });
  expect(inbox.requests).toHaveLength(3);
  expect((await world.attempts(organizationId)).map(({ number }) => number)).toEqual([1, 1, 1]);
  // Stop the loop. Otherwise, it would claim the channel of the next test, and that test couldn't observe the errors.
  await loop.stop();
});

test('a channel whose messages temporarily fail to render delivers them after the failure ends', async () => {
  const { organizationId } = await world.createOrganizationWithChannel({ url: inbox.url });
  const [alertId] = await world.createAlerts(organizationId);
  const failures: unknown[] = [];
  world.startLoop({ db: await connectAgain(), log: logTo(failures) });
  // Rendering reads this table for the release notes of a message, so renaming the table makes only rendering
  // fail.
  await sql`ALTER TABLE gather_jobs RENAME TO gather_jobs_away`.execute(db);
  await world.raiseEvents(organizationId, [{ alertId: alertId! }]);
  await pollUntil(async () => failures.length > 0);
  await sql`ALTER TABLE gather_jobs_away RENAME TO gather_jobs`.execute(db);
  await pollUntil(async () => {
    const rows = await world.deliveries(organizationId);
    return rows.length === 1 && rows[0]!.status === 'succeeded';
  });
});

test('a database outage during an attempt does not count as a failure of the receiver', async () => {
  const mailer = { domains: [], messageIdOf: (key: string) => key, send: () => Promise.reject(new Error()) };
  const delivery = {
    organizationId: 1,
    channelId: 1,
    deliveryId: 1,
    seriesAttemptCount: 0,
    acceptedRecipients: [],
    event: { eventId: 'e', eventType: 'channel.failing', data: {} },
    channel: { channel_type: 'email', recipients: ['owner@example.org'] },
  };
  const message = { start: { delivery }, body: '{}', settings: { timeoutSeconds: 1 } };
  const endOutage = await beginOutage();
  const result = await attemptDelivery(
    {
      ...world.loopOptions,
      mailer: mailer as never,
      logSparingly: () => undefined,
      signal: AbortSignal.timeout(60_000),
    },
    message as never,
    { token: '', startedAt: new Date(0) },
  );
  await endOutage();
  expect(result.answer).toBeNull();
});

function logTo(errors: unknown[]): Log {
  const to = { ...log, child: () => logTo(errors), error: (fields: unknown) => void errors.push(fields) };
  return to as unknown as Log;
}
