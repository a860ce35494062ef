import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { afterAll, describe, expect, test } from 'vitest';
import { ApiCallError } from '../../src/client/api-client.ts';
import { createTestDatabase } from '../helpers/database.ts';
import { isLong } from '../helpers/long-tests.ts';
import { createWebhookInbox } from '../helpers/webhook-inbox.ts';
import { checkEveryEventArrived, untilQuiet } from './check-deliveries.ts';
import { startCuttingProxy } from './cutting-proxy.ts';
import {
  clientOf,
  createKey,
  createRandom,
  createSharedClock,
  sharedDatabase,
  startServerProcess,
  tell,
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
  ...sharedDatabase(proxy.connection),
  PACEKEEPER_LOG_LEVEL: 'info',
});
const { organizationId, apiKey } = await createKey(db, server);
const api = clientOf(server, apiKey);
const service = await createWatchedService(db, api, inbox, { configs: 20, channels: 2 });
await service.publish(api, 2);
await untilQuiet(db, organizationId);

describe('connections to the database that are cut in the middle of the work', { timeout: 300_000 }, () => {
  test('lose nothing, send nothing twice, fail no request otherwise than with 503, and end no server', async () => {
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
    // What was claimed by a statement whose answer never came waits until its lease has run out.
    await sleep(3_000);
    await createSharedClock(db).pass(120);
    await untilQuiet(db, organizationId, 120_000);
    const { rows } = await sql<{ total: number }>`
      SELECT count(*)::integer AS total FROM versions WHERE organization_id = ${organizationId}`.execute(db);
    // Who was refused may have been stored all the same; who was told so is. (The job keeps a hundred.)
    expect(rows[0]!.total).toBeGreaterThanOrEqual(Math.min(100, counts.stored));
    expect(counts.refused).toBeGreaterThan(0);
    const found = await checkEveryEventArrived(db, organizationId, service.channelNames, inbox.requests);
    expect(found.duplicates, 'results waited in memory').toBe(0);
    const { refused: rejected, stored, connections } = counts;
    tell('connections cut', { cuts, stored, rejected, connections, ...found });
  });

  test('say so when nothing comes back any more, though nobody cut them', async () => {
    const live = async () => (await fetch(`${server.url}/health/live`)).status;
    const ready = async () => (await fetch(`${server.url}/health/ready`)).status;
    await until('it is ready', async () => (await ready()) === 200);
    proxy.silence();
    // An answer holds for a second.
    await sleep(1_000);
    // Two seconds, and not the half minute that a statement may take.
    expect(await Promise.race([ready(), sleep(10_000)])).toBe(503);
    expect(await live()).toBe(200);
    proxy.cut();
    await until('it is ready again', async () => (await ready()) === 200);
    expect((await api.call('listRules')).total).toBe(1);
  });
});
