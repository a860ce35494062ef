import { existsSync, rmSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { afterAll, describe, expect, test } from 'vitest';
import { ApiCallError } from '../../src/client/api-client.ts';
import {
  connectDatabase,
  type Database,
  type EmbeddedPostgres,
  startEmbeddedPostgres,
} from '../../src/platform/database/index.ts';
import { createSilentLog } from '../../src/platform/log.ts';
import { isLong } from '../helpers/long-tests.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';
import { createWebhookInbox } from '../helpers/webhook-inbox.ts';
import { checkEveryEventArrived, waitUntilNothingPending } from './check-deliveries.ts';
import {
  clientOf,
  createKey,
  createSharedClock,
  reportCounts,
  sharedDatabaseEnvironment,
  startServerProcess,
  until,
} from './fault-world.ts';
import { freezePostgres } from './freeze-processes.ts';
import { createWatchedService } from './watched-service.ts';

/** Time for which the database is unavailable. */
const awayMs = isLong ? 20_000 : 3_000;

const folder = temporaryFolder();
const log = createSilentLog();
let postgres: EmbeddedPostgres = await startEmbeddedPostgres({ dataDir: folder, log });
let db: Database = await connectDatabase({ connection: postgres.connection, log, poolSize: 3 });
const inbox = await createWebhookInbox();
afterAll(async () => {
  await db.destroy();
  await postgres.stop();
  await inbox.close();
  rmSync(folder, { recursive: true, force: true });
});
const server = await startServerProcess(sharedDatabaseEnvironment(postgres.connection));
const { organizationId, apiKey } = await createKey(db, server);
const api = clientOf(server, apiKey);
const service = await createWatchedService(db, api, inbox, { configs: 40, channels: 2 });
await service.publish(api, 2);
await waitUntilNothingPending(db, organizationId);

/**
 * Keeps setting versions while `fault` runs.
 * @returns The number of successful and of rejected requests.
 */
async function writeDuring(fault: () => Promise<void>): Promise<{ stored: number; refused: number }> {
  let isOver = false;
  const counts = { stored: 0, refused: 0 };
  const writing = (async () => {
    for (let count = 0; !isOver; count++) {
      const version = count % 2 === 0 ? '2.0.0' : '1.0.0';
      try {
        await api.call('setScrapeJobVersion', {
          path: { id: service.scrapeJobId },
          body: { version },
          timeoutMs: 40_000,
        });
        counts.stored++;
        // Leave time for the events of this version, so that some are in flight at any moment.
        await sleep(60);
      } catch (error) {
        // A 503 response is expected while the database is unavailable.
        if (!(error instanceof ApiCallError) || error.status !== 503) throw error;
        expect(error.code).toBe('unavailable');
        counts.refused++;
        await sleep(100);
      }
    }
  })();
  await sleep(700);
  await fault();
  await sleep(700);
  isOver = true;
  await writing;
  return counts;
}

async function checkAfter(what: string, counts: { stored: number; refused: number }): Promise<void> {
  expect(server.program.process.exitCode).toBeNull();
  await until(
    'it says that it is ready',
    async () => (await fetch(`${server.url}/health/ready`)).status === 200,
  );
  // Work that was in flight during the outage is claimed again after its lease expires. Long test runs wait
  // for that. Short runs move the clock instead. On a slow machine, moving the clock also expires leases of
  // work that is still running, so short runs move the clock up to three times.
  for (let moves = isLong ? 0 : 3; moves > 0; moves--) {
    await sleep(3_000);
    await createSharedClock(db).pass((passed += 120));
    const isQuiet = await waitUntilNothingPending(db, organizationId, 30_000).then(
      () => true,
      () => false,
    );
    if (isQuiet) break;
  }
  await waitUntilNothingPending(db, organizationId, isLong ? 120_000 : 30_000);
  const { rows } = await sql<{ total: number }>`
    SELECT count(*)::integer AS total FROM versions WHERE organization_id = ${organizationId}`.execute(db);
  stored += counts.stored;
  // A request that failed during the outage may have been stored anyway, so the total can be higher.
  expect(rows[0]!.total).toBeGreaterThanOrEqual(Math.min(100, stored));
  const found = await checkEveryEventArrived(db, organizationId, service.channelNames, inbox.requests);
  expect(found.duplicates, 'results waited in memory').toBe(0);
  reportCounts(what, {
    's unavailable': awayMs / 1_000,
    stored: counts.stored,
    rejected: counts.refused,
    ...found,
  });
}
/** Number of stored versions. The setup stores the first one. */
let stored = 1;
/** Seconds by which the test has moved the clock. */
let passed = 0;

describe('a temporary database outage', () => {
  test('loses nothing and sends nothing twice while PostgreSQL is frozen under load', async () => {
    const counts = await writeDuring(async () => {
      const thaw = freezePostgres(folder);
      await sleep(awayMs);
      thaw();
    });
    await checkAfter('PostgreSQL frozen', counts);
  });

  test('loses nothing and sends nothing twice while PostgreSQL is stopped and restarted', async () => {
    const counts = await writeDuring(async () => {
      await db.destroy();
      await postgres.stop();
      expect(existsSync(`${folder}/postgres/postmaster.pid`)).toBe(false);
      expect((await fetch(`${server.url}/health/live`)).status).toBe(200);
      expect((await fetch(`${server.url}/health/ready`)).status).toBe(503);
      await sleep(awayMs);
      postgres = await startEmbeddedPostgres({ dataDir: folder, log });
      db = await connectDatabase({ connection: postgres.connection, log, poolSize: 3 });
    });
    expect(counts.refused).toBeGreaterThan(0);
    await checkAfter('PostgreSQL stopped', counts);
  });

  test('does not prevent a server from stopping cleanly', async () => {
    await db.destroy();
    await postgres.stop();
    expect(await server.stop()).toBe(0);
    postgres = await startEmbeddedPostgres({ dataDir: folder, log });
    db = await connectDatabase({ connection: postgres.connection, log, poolSize: 3 });
  });
});
