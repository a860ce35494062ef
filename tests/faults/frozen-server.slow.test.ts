import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { afterAll, describe, expect, test } from 'vitest';
import { createTestDatabase } from '../helpers/database.ts';
import { isLong } from '../helpers/long-tests.ts';
import { createWebhookInbox, type WebhookResponse } from '../helpers/webhook-inbox.ts';
import { checkEveryEventArrived, recordInFlight, waitUntilNothingPending } from './check-deliveries.ts';
import {
  clientOf,
  createKey,
  createRandom,
  createSharedClock,
  reportCounts,
  sharedDatabaseEnvironment,
  startServerProcess,
  until,
} from './fault-world.ts';
import { createWatchedService } from './watched-service.ts';

const { db, connection } = await createTestDatabase();
const env = sharedDatabaseEnvironment(connection);
const clock = createSharedClock(db);
const inbox = await createWebhookInbox();
afterAll(() => inbox.close());
const random = createRandom('frozen');

const first = await startServerProcess(env);
const second = await startServerProcess(env);

async function readDeliveries(organizationId: number) {
  const { rows } = await sql<{ status: string; attempt_count: number; response_status: number | null }>`
    SELECT status, attempt_count, response_status FROM notification_deliveries
    WHERE organization_id = ${organizationId} ORDER BY id`.execute(db);
  return rows;
}

async function readAttempts(organizationId: number) {
  const { rows } = await sql<{ number: number; error_code: string | null; response_status: number | null }>`
    SELECT number, error_code, response_status FROM delivery_attempts
    WHERE organization_id = ${organizationId} ORDER BY notification_delivery_id, number`.execute(db);
  return rows;
}

/** Freezes the first server after it has sent a delivery, so that it can't process the response. */
async function freezeDuringSend(then: WebhookResponse) {
  const { organizationId, apiKey } = await createKey(db, first);
  const api = clientOf(second, apiKey);
  const service = await createWatchedService(db, api, inbox, { configs: 1, channels: 1 });
  await waitUntilNothingPending(db, organizationId);
  const before = inbox.requests.length;
  // Only the first server is active now, so it sends the delivery.
  second.freeze();
  inbox.answerNext({ status: 200, body: 'late', afterMs: 300 }, then);
  await service.publish(clientOf(first, apiKey), 2);
  await inbox.waitFor(before + 1);
  first.freeze();
  second.thaw();
  await sleep(400);
  return { organizationId, before, ...service };
}

describe('a server that is frozen past its lease', () => {
  test('does not change the results of the other server when it resumes', async () => {
    const { organizationId, before, channelNames } = await freezeDuringSend({ status: 200, body: 'in time' });
    const noted = new Map<number, number>();
    expect(await recordInFlight(db, organizationId, noted)).toBe(1);
    await clock.pass(90);
    await waitUntilNothingPending(db, organizationId);
    const done = [await readDeliveries(organizationId), await readAttempts(organizationId)];
    expect(done).toEqual([
      [{ status: 'succeeded', attempt_count: 2, response_status: 200 }],
      [
        { number: 1, error_code: 'worker_lost', response_status: null },
        { number: 2, error_code: null, response_status: 200 },
      ],
    ]);
    first.thaw();
    await sleep(1_000);
    expect([await readDeliveries(organizationId), await readAttempts(organizationId)]).toEqual(done);
    await checkEveryEventArrived(db, organizationId, channelNames, inbox.requests.slice(before), noted);
  });

  test('does not turn a failure into a success when it resumes', async () => {
    const { organizationId, before } = await freezeDuringSend({ status: 500 });
    await clock.pass(90);
    await until('the failure', async () => (await readDeliveries(organizationId))[0]?.status === 'failed');
    first.thaw();
    await sleep(1_000);
    expect(await readDeliveries(organizationId)).toEqual([
      { status: 'failed', attempt_count: 2, response_status: 500 },
    ]);
    await clock.pass(40);
    await waitUntilNothingPending(db, organizationId);
    expect(await readDeliveries(organizationId)).toEqual([
      { status: 'succeeded', attempt_count: 3, response_status: 200 },
    ]);
    const ids = inbox.requests.slice(before).map((request) => request.id);
    expect([ids.length, new Set(ids).size]).toEqual([3, 1]);
  });

  test('loses nothing and duplicates only deliveries in flight, even if it is frozen repeatedly at random points', async () => {
    const { organizationId, apiKey } = await createKey(db, second);
    const service = await createWatchedService(db, clientOf(second, apiKey), inbox, {
      configs: 60,
      channels: 2,
    });
    await waitUntilNothingPending(db, organizationId);
    const noted = new Map<number, number>();
    const before = inbox.requests.length;
    const servers = [first, second];
    const rounds = isLong ? 30 : 4;
    for (let round = 0; round < rounds; round++) {
      const [frozen, awake] = round % 2 === 0 ? [servers[0]!, servers[1]!] : [servers[1]!, servers[0]!];
      const version = round % 2 === 0 ? '1.0.0' : '2.0.0';
      if (round === 0) await service.publish(clientOf(awake, apiKey), 2);
      else {
        await clientOf(awake, apiKey).call('setScrapeJobVersion', {
          path: { id: service.scrapeJobId },
          body: { version },
        });
      }
      await sleep(random.between(0, 250));
      frozen.freeze();
      await sleep(300);
      // A transaction of a frozen server can hold locks. PostgreSQL would end the transaction only after a
      // minute of real time, so the test ends it immediately. The test repeats this, because a statement that
      // now waits for a lock can later hold locks, too.
      await endAbandonedTransactions();
      await recordInFlight(db, organizationId, noted);
      await clock.pass(90);
      const ending = setInterval(() => void endAbandonedTransactions(), 1_000);
      await waitUntilNothingPending(db, organizationId).finally(() => clearInterval(ending));
      frozen.thaw();
      await sleep(random.between(50, 300));
    }
    await waitUntilNothingPending(db, organizationId);
    const found = await checkEveryEventArrived(
      db,
      organizationId,
      service.channelNames,
      inbox.requests.slice(before),
      noted,
    );
    expect(found.events).toBe(60 * rounds);
    reportCounts('servers frozen past their leases', { rounds, ...found });
  });
});

/** Ends idle transactions, as `idle_in_transaction_session_timeout` does after a minute. */
async function endAbandonedTransactions(): Promise<void> {
  await sql`
    SELECT pg_terminate_backend(pid) FROM pg_stat_activity
    WHERE datname = current_database() AND pid <> pg_backend_pid() AND state LIKE 'idle in transaction%'
      AND state_change < clock_timestamp() - interval '250 milliseconds'`.execute(db);
}
