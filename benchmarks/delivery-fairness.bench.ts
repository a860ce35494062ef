/**
 * Measures the latency of a healthy channel while other organizations have bad channels. One organization has
 * 10,000 deliveries to a URL that never responds, and ten others add 5,000 deliveries to a thousand slow
 * channels within a minute. Then 100 events are sent, one after another, to the healthy channel of another
 * organization. The time from the commit of each event to its arrival at the receiver is compared with that
 * of an idle server. The bad targets run in a separate process. Run with `node
 * benchmarks/delivery-fairness.bench.ts`; goals: a median of at most twice the idle one, p95 at most 2 s.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { connectDatabase, migrateDatabase, startEmbeddedPostgres } from '../src/platform/database/index.ts';
import { createSilentLog } from '../src/platform/log.ts';
import { createDeliveryWorld, type DeliveryWorld } from '../tests/helpers/delivery-world.ts';
import { createWebhookInbox, type WebhookInbox } from '../tests/helpers/webhook-inbox.ts';

const deadCount = 10_000;
const slowOrganizations = 10;
const slowChannels = 100;
const slowEvents = 5;
/**
 * Response time of slow targets. With 16 deliveries in flight per organization, all slow deliveries take
 * about 94 s.
 */
const slowAnswerMs = 3_000;
const runMs = 60_000;
const healthyCount = 100;

async function main() {
  const targets = fork(fileURLToPath(import.meta.url), ['targets']);
  const [{ port }] = (await once(targets, 'message')) as [{ port: number }];
  const folder = mkdtempSync(join(tmpdir(), 'pacekeeper-bench-'));
  chmodSync(folder, 0o711);
  const log = createSilentLog();
  const postgres = await startEmbeddedPostgres({ dataDir: join(folder, 'data'), log });
  const db = await connectDatabase({ connection: postgres.connection, log, poolSize: 10 });
  await migrateDatabase(db);
  const world = createDeliveryWorld({ db, connection: postgres.connection, log });
  const healthy = await createWebhookInbox();
  const done = { succeeded: 0, failed: 0, dead_letter: 0 };
  try {
    world.startLoop({ onOutcome: (outcome) => (done[outcome] += 1) });
    await measureHealthy(world, healthy);
    const idle = await measureHealthy(world, healthy);
    await fillDead(world, `http://127.0.0.1:${port}/dead`);
    await fillSlow(world, `http://127.0.0.1:${port}/slow`);
    await sleep(runMs);
    const before = { ...done };
    const busy = await measureHealthy(world, healthy);
    console.log(
      `from the commit of an event to its receiver, ms; ${healthyCount} events one after the other`,
    );
    console.table([
      { server: 'idle', ...idle },
      {
        server: `${deadCount} deliveries to a dead address, ${slowOrganizations * slowChannels} slow channels`,
        ...busy,
      },
      {
        server: 'ratio',
        p50: round(busy.p50 / idle.p50),
        p95: round(busy.p95 / idle.p95),
        p99: round(busy.p99 / idle.p99),
      },
    ]);
    const slowCount = slowOrganizations * slowChannels * slowEvents;
    const slowDone = before.succeeded - 2 * healthyCount;
    console.log(
      `the slow ones before: ${slowDone} of ${slowCount} done; the dead one: ${before.failed} attempts`,
    );
  } finally {
    await healthy.close();
    targets.kill();
    await world.close();
    await db.destroy();
    await postgres.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function fillDead(
  { createOrganizationWithChannel, createAlerts, raiseEvents }: DeliveryWorld,
  url: string,
) {
  const { organizationId } = await createOrganizationWithChannel({ url });
  const alertIds = await createAlerts(organizationId, deadCount);
  for (let start = 0; start < deadCount; start += 500) {
    await raiseEvents(
      organizationId,
      alertIds.slice(start, start + 500).map((alertId) => ({ alertId })),
    );
  }
}

async function fillSlow(
  { db, createOrganization, createChannel, createAlerts, raiseEvents }: DeliveryWorld,
  url: string,
) {
  for (let organization = 0; organization < slowOrganizations; organization++) {
    const organizationId = await createOrganization();
    const channelIds: number[] = [];
    for (let channel = 0; channel < slowChannels; channel++) {
      channelIds.push(await createChannel(organizationId, { url }));
    }
    await db
      .insertInto('notification_rules')
      .values({ organization_id: organizationId, name: 'all', channel_ids: channelIds })
      .execute();
    const alertIds = await createAlerts(organizationId, slowEvents);
    await raiseEvents(
      organizationId,
      alertIds.map((alertId) => ({ alertId })),
    );
  }
}

async function measureHealthy(
  { createOrganizationWithChannel, createAlerts, raiseEvents }: DeliveryWorld,
  inbox: WebhookInbox,
) {
  const { organizationId } = await createOrganizationWithChannel({ url: inbox.url });
  const alertIds = await createAlerts(organizationId, healthyCount);
  const latencies: number[] = [];
  for (const alertId of alertIds) {
    const count = inbox.requests.length;
    await raiseEvents(organizationId, [{ alertId }]);
    const committedAtMs = performance.now();
    const requests = await inbox.waitFor(count + 1, 60_000);
    latencies.push(Math.max(0, requests[count]!.atMs - committedAtMs));
    await sleep(20);
  }
  const sorted = latencies.toSorted((a, b) => a - b);
  const at = (share: number) => round(sorted[Math.floor(share * (sorted.length - 1))] ?? 0);
  return { p50: at(0.5), p95: at(0.95), p99: at(0.99) };
}

function round(value: number): number {
  return Number(value.toFixed(2));
}

/** Serves the bad targets: `/dead` never responds, and every other path responds slowly. */
function serveTargets() {
  const server = createServer((request, response) => {
    request.resume();
    if (request.url !== '/dead') setTimeout(() => response.end('ok'), slowAnswerMs);
  });
  server.keepAliveTimeout = 60_000;
  server.listen(0, '127.0.0.1', () => process.send?.({ port: (server.address() as AddressInfo).port }));
}

if (process.argv[2] === 'targets') serveTargets();
else await main();
