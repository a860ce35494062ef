import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { afterAll, describe, expect, test } from 'vitest';
import { ApiCallError } from '../../src/client/api-client.ts';
import { createTestDatabase } from '../helpers/database.ts';
import { isLong } from '../helpers/long-tests.ts';
import { createWebhookInbox } from '../helpers/webhook-inbox.ts';
import { checkEveryEventArrived, waitUntilNothingPending } from './check-deliveries.ts';
import { startCuttingProxy } from './cutting-proxy.ts';
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

const cuts = isLong ? 200 : 20;

const { db, connection } = await createTestDatabase();
const proxy = await startCuttingProxy(connection);
afterAll(() => proxy.close());
const inbox = await createWebhookInbox();
afterAll(() => inbox.close());
const server = await startServerProcess({
  ...sharedDatabaseEnvironment(proxy.connection),
  PACEKEEPER_LOG_LEVEL: 'info',
});
const { organizationId, apiKey } = await createKey(db, server);
const api = clientOf(server, apiKey);
const service = await createWatchedService(db, api, inbox, { configs: 20, channels: 2 });
await service.publish(api, 2);
await waitUntilNothingPending(db, organizationId);

describe('database connections that are cut under load', { timeout: 300_000 }, () => {
  test('lose nothing, send nothing twice, fail requests only with 503, and stop no server', async () => {
    const random = createRandom('cut connections');
    const counts = { stored: 1, refused: 0, connections: 0 };
    let isOver = false;
    const writing = Array.from({ length: 4 }, async (_, writer) => {
      for (let count = writer; !isOver; count++) {
        try {
          await api.call('setScrapeJobVersion', {
            path: { id: service.scrapeJobId },
            body: { version: count % 2 === 0 ? '2.0.0' : '1.0.0' },
          });
          counts.stored++;
        } catch (error) {
          if (!(error instanceof ApiCallError) || error.status !== 503) throw error;
          counts.refused++;
        }
        await sleep(30);
      }
    });
    for (let cut = 0; cut < cuts; cut++) {
      await sleep(random.between(5, isLong ? 800 : 250));
      counts.connections += proxy.cut();
    }
    isOver = true;
    await Promise.all(writing);

    expect(server.program.process.exitCode).toBeNull();
    // Rows claimed by a statement whose response was lost wait until their lease expires.
    await sleep(3_000);
    await createSharedClock(db).pass(120);
    await waitUntilNothingPending(db, organizationId, 120_000);
    const { rows } = await sql<{ total: number }>`
      SELECT count(*)::integer AS total FROM versions WHERE organization_id = ${organizationId}`.execute(db);
    // Every acknowledged write is stored. A rejected write may be stored as well. The job keeps at most 100
    // versions.
    expect(rows[0]!.total).toBeGreaterThanOrEqual(Math.min(100, counts.stored));
    expect(counts.refused).toBeGreaterThan(0);
    const found = await checkEveryEventArrived(db, organizationId, service.channelNames, inbox.requests);
    expect(found.duplicates, 'results waited in memory').toBe(0);
    const { refused: rejected, stored, connections } = counts;
    reportCounts('connections cut', { cuts, stored, rejected, connections, ...found });
  });

  test('make the server report that it is not ready if they stop responding without being closed', async () => {
    const live = async () => (await fetch(`${server.url}/health/live`)).status;
    const ready = async () => (await fetch(`${server.url}/health/ready`)).status;
    await until('it is ready', async () => (await ready()) === 200);
    proxy.silence();
    // The server caches the readiness result for one second.
    await sleep(1_100);
    // The readiness check times out after 2 s, although a statement can take 30 s.
    expect(await Promise.race([ready(), sleep(25_000)])).toBe(503);
    expect(await live()).toBe(200);
    proxy.cut();
    await until('it is ready again', async () => (await ready()) === 200);
    expect((await api.call('listRules')).total).toBe(1);
  });
});
