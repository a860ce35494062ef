/**
 * Sends deliveries to working targets on loopback and records the results, compared with a plain loop of the
 * same HTTP client with the same concurrency and no database. The targets run in a separate process. Run with
 * `node benchmarks/deliveries.bench.ts`; goal: at least 0.15 of the plain loop's requests per second.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { sql } from 'kysely';
import { sendWebhook } from '../src/modules/notifications/deliveries/send/send-webhook.ts';
import { connectDatabase, migrateDatabase, startEmbeddedPostgres } from '../src/platform/database/index.ts';
import { createSilentLog } from '../src/platform/log.ts';
import { createSigningSecret } from '../src/platform/secrets/index.ts';
import { createDeliveryWorld, type DeliveryWorld } from '../tests/helpers/delivery-world.ts';

const organizationCount = 20;
const channelsPerOrganization = 4;
const deliveriesPerChannel = 100;
const deliveryCount = organizationCount * channelsPerOrganization * deliveriesPerChannel;
const concurrency = 256;
const rounds = 3;

async function main() {
  const target = fork(fileURLToPath(import.meta.url), ['target']);
  const [{ port }] = (await once(target, 'message')) as [{ port: number }];
  const url = `http://127.0.0.1:${port}/`;
  const folder = mkdtempSync(join(tmpdir(), 'pacekeeper-bench-'));
  chmodSync(folder, 0o711);
  const log = createSilentLog();
  const postgres = await startEmbeddedPostgres({ dataDir: join(folder, 'data'), log });
  const db = await connectDatabase({ connection: postgres.connection, log, poolSize: 10 });
  await migrateDatabase(db);
  const world = createDeliveryWorld({ db, connection: postgres.connection, log });
  try {
    const rows = [];
    for (let round = 1; round <= rounds; round++) {
      const plain = await measurePlainLoop(world, url);
      const delivered = await measureDeliveries(world, url);
      rows.push({
        round,
        'plain loop, requests/s': Math.round(plain),
        'deliveries recorded/s': Math.round(delivered),
        ratio: Number((delivered / plain).toFixed(2)),
      });
    }
    console.log(
      `${deliveryCount} deliveries, ${organizationCount} organizations, ${channelsPerOrganization} channels each`,
    );
    console.table(rows);
  } finally {
    await world.close();
    await db.destroy();
    await postgres.stop();
    target.kill();
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * Measures the reference: sends a signed message repeatedly with the client of the server, as fast as
 * possible.
 */
async function measurePlainLoop(world: DeliveryWorld, url: string): Promise<number> {
  const outbound = world.createOutbound();
  const secret = createSigningSecret();
  const body = JSON.stringify({ type: 'alert.created', data: 'x'.repeat(900) });
  let left = deliveryCount;
  const startedAt = performance.now();
  const sender = async () => {
    while (left-- > 0) {
      const answer = await sendWebhook(outbound, {
        url,
        method: 'POST',
        contentType: 'application/json',
        headers: {},
        webhookId: 'msg_1',
        body,
        at: new Date(0),
        signingSecrets: [secret],
        hidden: [secret],
        timeoutMs: 15_000,
        version: '0.1.0',
      });
      if (answer.error) throw new Error(answer.error.message);
    }
  };
  await Promise.all(Array.from({ length: concurrency }, sender));
  const seconds = (performance.now() - startedAt) / 1_000;
  await outbound.close();
  return deliveryCount / seconds;
}

async function measureDeliveries(world: DeliveryWorld, url: string): Promise<number> {
  for (let index = 0; index < organizationCount; index++) {
    const organizationId = await world.createOrganization();
    const channelIds = [];
    for (let channel = 0; channel < channelsPerOrganization; channel++) {
      channelIds.push(
        await world.createChannel(organizationId, { url, signingSecret: createSigningSecret() }),
      );
    }
    await world.db
      .insertInto('notification_rules')
      .values({ organization_id: organizationId, name: 'all', channel_ids: channelIds })
      .execute();
    const alertIds = await world.createAlerts(organizationId, deliveriesPerChannel);
    await world.raiseEvents(
      organizationId,
      alertIds.map((alertId) => ({ alertId })),
    );
  }
  await sql`VACUUM ANALYZE`.execute(world.db);
  let succeeded = 0;
  const { promise, resolve } = Promise.withResolvers<void>();
  const startedAt = performance.now();
  const loop = world.startLoop({
    onOutcome(outcome) {
      if (outcome !== 'succeeded') throw new Error(`a delivery ${outcome}`);
      succeeded += 1;
      if (succeeded === deliveryCount) resolve();
    },
  });
  await promise;
  const seconds = (performance.now() - startedAt) / 1_000;
  await loop.stop();
  return deliveryCount / seconds;
}

function serveTarget() {
  const server = createServer((request, response) => {
    request.resume();
    request.on('end', () => response.end('ok'));
  });
  server.keepAliveTimeout = 60_000;
  server.listen(0, '127.0.0.1', () => process.send?.({ port: (server.address() as AddressInfo).port }));
}

if (process.argv[2] === 'target') serveTarget();
else await main();
