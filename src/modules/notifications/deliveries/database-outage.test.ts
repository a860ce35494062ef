import pg from 'pg';
import { afterAll, expect, test } from 'vitest';
import { createTestDatabase } from '../../../../tests/helpers/database.ts';
import { createDeliveryWorld, eventually } from '../../../../tests/helpers/delivery-world.ts';
import { createWebhookInbox } from '../../../../tests/helpers/webhook-inbox.ts';
import { createSilentLog } from '../../../platform/log.ts';

const log = createSilentLog();
const { db, connection, connectAgain } = await createTestDatabase({ poolSize: 5, log });
const world = createDeliveryWorld({ db, connection, log });
const inbox = await createWebhookInbox();
afterAll(async () => {
  await world.close();
  await inbox.close();
});

/** Nobody gets in, and who is in is thrown out, until `end` is called. */
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

test('results of requests that ended while the database was away are stored when it is back, and nothing is sent twice', async () => {
  const { organizationId } = await world.createOrganizationWithChannel({ url: inbox.url });
  const alertIds = await world.createAlerts(organizationId, 3);
  world.startLoop({ db: await connectAgain() });
  inbox.answerAlways({ status: 200, afterMs: 400 });
  await world.raiseEvents(
    organizationId,
    alertIds.map((alertId) => ({ alertId })),
  );
  await inbox.waitFor(3);
  const endOutage = await beginOutage();
  // The answers come in the meantime.
  await new Promise((resolve) => setTimeout(resolve, 1_500));
  await endOutage();
  await eventually(async () => {
    const rows = await world.deliveries(organizationId).catch(() => []);
    return rows.length === 3 && rows.every(({ status }) => status === 'succeeded');
  }, 15_000);
  expect(inbox.requests).toHaveLength(3);
  expect((await world.attempts(organizationId)).map(({ number }) => number)).toEqual([1, 1, 1]);
});
