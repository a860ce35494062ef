/**
 * 10,000 deliveries to an address that never answers, then 100 events for a healthy one: how long each takes from its
 * transaction to its receiver, beside the same on an idle server. Run with
 * `node benchmarks/delivery-fairness.bench.ts`; goal: a median of at most twice the idle one.
 */
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connectDatabase, migrateDatabase, startEmbeddedPostgres } from '../src/platform/database/index.ts';
import { createSilentLog } from '../src/platform/log.ts';
import { createDeliveryWorld, type DeliveryWorld } from '../tests/helpers/delivery-world.ts';
import { createWebhookInbox, type WebhookInbox } from '../tests/helpers/webhook-inbox.ts';

const deadCount = 10_000;
const healthyCount = 100;

const folder = mkdtempSync(join(tmpdir(), 'pacekeeper-bench-'));
chmodSync(folder, 0o711);
const log = createSilentLog();
const postgres = await startEmbeddedPostgres({ dataDir: join(folder, 'data'), log });
const db = await connectDatabase({ connection: postgres.connection, log, poolSize: 10 });
await migrateDatabase(db);
const world = createDeliveryWorld({ db, connection: postgres.connection, log });
const healthy = await createWebhookInbox();
const dead = await createWebhookInbox();
dead.answerAlways({ kind: 'silence' });
try {
  world.startLoop();
  await measureHealthy(world, healthy);
  const idle = await measureHealthy(world, healthy);
  await fillDead(world, dead.url);
  const busy = await measureHealthy(world, healthy);
  console.log(`from the commit of an event to its receiver, ms; ${healthyCount} events one after the other`);
  console.table([
    { server: 'idle', ...idle },
    { server: `${deadCount} deliveries to a dead address`, ...busy },
    { server: 'ratio', p50: round(busy.p50 / idle.p50), p99: round(busy.p99 / idle.p99) },
  ]);
} finally {
  await Promise.all([healthy.close(), dead.close()]);
  await world.close();
  await db.destroy();
  await postgres.stop();
  rmSync(folder, { recursive: true, force: true });
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
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  const sorted = latencies.toSorted((a, b) => a - b);
  const at = (share: number) => round(sorted[Math.floor(share * (sorted.length - 1))] ?? 0);
  return { p50: at(0.5), p99: at(0.99) };
}

function round(value: number): number {
  return Number(value.toFixed(2));
}
