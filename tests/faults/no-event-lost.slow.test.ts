import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { createTestDatabase } from '../helpers/database.ts';
import { isLong } from '../helpers/long-tests.ts';
import { createWebhookInbox, type WebhookInbox } from '../helpers/webhook-inbox.ts';
import {
  checkEveryEventArrived,
  type InFlightCounts,
  recordInFlight,
  waitUntilNothingPending,
} from './check-deliveries.ts';
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
const random = createRandom('no event is lost');

let server = await startServerProcess(env);
let inbox: WebhookInbox;
const inboxes: WebhookInbox[] = [];
beforeEach(async () => {
  inbox = await createWebhookInbox();
  inboxes.push(inbox);
});
afterAll(() => Promise.all(inboxes.map((each) => each.close())));

/**
 * Kills the server with SIGKILL, waits until all of its leases have expired, and starts another server on the
 * same database.
 * @returns The number of deliveries that were in flight when the server was killed.
 */
async function killAndReplace(organizationId: number, noted: InFlightCounts): Promise<number> {
  await server.kill();
  const inFlight = await recordInFlight(db, organizationId, noted);
  await clock.pass(90);
  server = await startServerProcess(env);
  return inFlight;
}

async function createService(counts: { configs: number; channels: number }) {
  const { organizationId, apiKey } = await createKey(db, server);
  const api = () => clientOf(server, apiKey);
  const service = await createWatchedService(db, api(), inbox, counts);
  await waitUntilNothingPending(db, organizationId);
  return { ...service, organizationId, api };
}

describe('the delivery of events', { timeout: isLong ? 900_000 : 300_000 }, () => {
  test('every event arrives even if the server is killed repeatedly during a fan-out of 1,000 configurations', async () => {
    const { organizationId, channelNames, publish, api, scrapeJobId, configIds } = await createService({
      configs: 1_000,
      channels: 2,
    });
    const rounds = isLong ? 10 : 2;
    let kills = 0;
    const noted: InFlightCounts = new Map();
    let [inFlight, waiting] = [0, 0];
    for (let round = 0; round < rounds; round++) {
      // Rounds alternate between outdated and up to date. Each round creates one event per configuration.
      const isBehind = round % 2 === 0;
      if (round === 0) await publish(api(), 2);
      else
        await api().call('setScrapeJobVersion', {
          path: { id: scrapeJobId },
          body: { version: isBehind ? '1.0.0' : '2.0.0' },
        });
      // Alerts that open together are sent in digests. A round that opens alerts therefore has no separate
      // messages between which the server can be killed, and one kill is enough.
      for (let kill = 0; kill < (isBehind ? 1 : 4); kill++) {
        kills += 1;
        // The first kill happens while configurations are marked and evaluated, the others while events are
        // sent.
        if (kill === 0) await sleep(random.between(20, 500));
        else await inbox.waitFor(inbox.requests.length + random.between(1, 400), 60_000);
        await server.kill();
        waiting += await countPending(organizationId);
        inFlight += await killAndReplace(organizationId, noted);
        await checkLeases();
      }
      await waitUntilNothingPending(db, organizationId, 120_000);
    }
    const found = await checkEveryEventArrived(db, organizationId, channelNames, inbox.requests, noted);
    expect(found.events).toBe(configIds.length * rounds);
    const { rows: alerts } = await sql<{ alerts: number; configs: number }>`
      SELECT count(*)::integer AS alerts, count(DISTINCT alert_config_id)::integer AS configs FROM alerts
      WHERE organization_id = ${organizationId}`.execute(db);
    expect(alerts[0]).toEqual({ alerts: 1_000 * Math.ceil(rounds / 2), configs: 1_000 });
    // Deliveries were pending at the kills, so events could have been lost.
    expect(waiting).toBeGreaterThan(0);
    reportCounts('kill -9 within fan-outs', {
      kills,
      'in flight at a kill': inFlight,
      'waiting at a kill': waiting,
      ...found,
    });
  });

  test('every event arrives even if the server is killed after the send and before the result is stored', async () => {
    const { organizationId, channelNames, publish, api } = await createService({ configs: 1, channels: 1 });
    const noted: InFlightCounts = new Map();
    inbox.answerNext({ kind: 'silence' });
    await publish(api(), 2);
    const [sent] = await inbox.waitFor(1);
    expect(await killAndReplace(organizationId, noted)).toBe(1);
    await waitUntilNothingPending(db, organizationId);
    const again = inbox.requests[1]!;
    expect(inbox.requests).toHaveLength(2);
    expect([again.id, again.body]).toEqual([sent!.id, sent!.body]);
    await checkEveryEventArrived(db, organizationId, channelNames, inbox.requests, noted);
    expect(await attempts(organizationId)).toEqual([
      { number: 1, error_code: 'worker_lost', response_status: null },
      { number: 2, error_code: null, response_status: 200 },
    ]);
  });

  test('every event arrives even if the server is killed while a failed delivery waits for its next attempt', async () => {
    const { organizationId, channelNames, publish, api } = await createService({ configs: 1, channels: 1 });
    inbox.answerNext({ status: 500 });
    await publish(api(), 2);
    await until('the failure is stored', async () => (await attempts(organizationId)).length === 1);
    await killAndReplace(organizationId, new Map());
    await waitUntilNothingPending(db, organizationId);
    const [first, second] = inbox.requests;
    expect(inbox.requests).toHaveLength(2);
    expect([second!.id, second!.body]).toEqual([first!.id, first!.body]);
    expect(await attempts(organizationId)).toMatchObject([
      { response_status: 500 },
      { response_status: 200 },
    ]);
    // The failed attempt doesn't count as received, so the check starts at the second request.
    await checkEveryEventArrived(db, organizationId, channelNames, inbox.requests.slice(1));
  });

  test('every event arrives even if the server is killed while it collects a digest', async () => {
    const { organizationId, publish, api, scrapeJobId } = await createService({ configs: 3, channels: 1 });
    const { items } = await api().call('listNotificationChannels');
    await api().call('updateNotificationChannel', {
      path: { id: items[0]!.id },
      body: { digest_minutes: 1 },
    });
    await publish(api(), 2);
    await until(
      'three events wait',
      async () => (await api().call('listNotificationDeliveries')).total === 3,
    );
    await killAndReplace(organizationId, new Map());
    await waitUntilNothingPending(db, organizationId);
    expect(inbox.requests).toHaveLength(1);
    const digest = JSON.parse(inbox.requests[0]!.body) as {
      type: string;
      data: { events: { type: string }[] };
    };
    expect(digest.type).toBe('digest');
    expect(digest.data.events.map((event) => event.type)).toEqual(Array(3).fill('alert.created'));
    // The server is killed while it sends the next digest.
    inbox.answerNext({ kind: 'silence' });
    await api().call('setScrapeJobVersion', { path: { id: scrapeJobId }, body: { version: '2.0.0' } });
    await until('three more wait', async () => (await api().call('listNotificationDeliveries')).total === 7);
    await clock.pass(61);
    await inbox.waitFor(2);
    expect(await killAndReplace(organizationId, new Map())).toBeGreaterThan(0);
    await waitUntilNothingPending(db, organizationId);
    expect(inbox.requests).toHaveLength(3);
    expect(inbox.requests[2]!.id).toBe(inbox.requests[1]!.id);
    expect(inbox.requests[2]!.body).toBe(inbox.requests[1]!.body);
  });
});

async function countPending(organizationId: number): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    SELECT count(*)::integer AS count FROM notification_deliveries
    WHERE organization_id = ${organizationId} AND status = 'pending'`.execute(db);
  return rows[0]!.count;
}

async function attempts(organizationId: number) {
  const { rows } = await sql<{ number: number; error_code: string | null; response_status: number | null }>`
    SELECT number, error_code, response_status FROM delivery_attempts
    WHERE organization_id = ${organizationId} ORDER BY notification_delivery_id, number`.execute(db);
  return rows;
}

/**
 * Checks that every delivery in progress has a lease, and that no lease exceeds the webhook timeout plus 30
 * seconds.
 */
async function checkLeases(): Promise<void> {
  const { rows } = await sql<{ id: number }>`
    SELECT id FROM notification_deliveries
    WHERE status = 'in_progress' AND (lease_until IS NULL OR lease_until > last_attempt_at + interval '46 seconds')`.execute(
    db,
  );
  expect(rows).toEqual([]);
}
