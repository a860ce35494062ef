/**
 * Measures one, two, and four servers on one PostgreSQL, as separate processes with the same key. The work:
 * - 8,000 deliveries over 80 channels to a target in a separate process;
 * - 20,000 alert configurations that become due at the same time, without changes;
 * - the same, but an alert opens or closes for each configuration that is behind, with a delivery in one
 *   channel.
 *
 * The reference is one server. Run with `node benchmarks/several-servers.bench.ts`; goals: if one server
 * already saturates the CPUs, two and four reach at least 0.8 of its rate; on average, fewer than one session
 * in twenty samples waits for a lock; no deadlock.
 *
 * Sessions that wait for a lock are sampled every 50 ms. `seen waiting` contains the number of waiting
 * sessions and the number of samples. The locks are listed below the table. `claims each` and `found nothing`
 * are per delivery or configuration, and `a second` is the median of the rounds. The CPU time of PostgreSQL
 * includes making the work due.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { type RawBuilder, sql } from 'kysely';
import pg from 'pg';
import { sealChannelColumn } from '../src/modules/notifications/index.ts';
import type { Database, PostgresAddress } from '../src/platform/database/index.ts';
import { createSecretBox } from '../src/platform/secrets/index.ts';
import { createDeliveryWorld, type DeliveryWorld } from '../tests/helpers/delivery-world.ts';
import {
  type BenchWorld,
  median,
  readServerUsage,
  secretKey,
  serveBench,
  startEvaluationWorld,
  waitUntilNothingIsDue,
} from './evaluation-world.ts';
import { postgresCpuMs, type ServerUsage } from './server-usage.ts';

const serverCounts = [1, 2, 4];
const rounds = Number(process.env['BENCH_ROUNDS'] ?? 5);
const configCount = Number(process.env['BENCH_CONFIGS'] ?? 20_000);
const organizationCount = 20;
const channelsPerOrganization = 4;
const deliveriesPerChannel = Number(process.env['BENCH_DELIVERIES_PER_CHANNEL'] ?? 100);
const deliveryCount = organizationCount * channelsPerOrganization * deliveriesPerChannel;
/**
 * Connections per server. The pools of four servers must fit into the connection limit of the embedded
 * PostgreSQL.
 */
const poolSize = 8;

/** Work that all servers share. */
interface Work {
  what: string;
  /** Number of deliveries or configurations per round. */
  count: number;
  /** Table whose due rows are claimed. */
  table: string;
  /** Creates the work of one round, which no server can claim yet. */
  prepare(): Promise<void>;
  /** Makes the work available to the servers. */
  start(): Promise<void>;
  /**
   * Waits until the work is complete.
   * @returns The time of the last completion, by the clock of the database.
   */
  end(): Promise<Date>;
}

async function main() {
  const target = fork(fileURLToPath(import.meta.url), ['target']);
  const [{ port }] = (await once(target, 'message')) as [{ port: number }];
  const world = await startEvaluationWorld(fileURLToPath(import.meta.url), configCount);
  const deliveries = createDeliveryWorld({ db: world.db, connection: world.connection });
  try {
    const works = [
      await deliveryWork(deliveries, `http://127.0.0.1:${port}/`),
      evaluationWork(world),
      await alertWork(world, deliveries),
    ];
    const rows = [];
    const waits = new Map<string, number>();
    for (const work of works) {
      let ofOne: number | undefined;
      for (const servers of serverCounts) {
        const measured = await measure(world, work, servers, waits);
        ofOne ??= measured['a second'];
        rows.push({ ...measured, 'to one server': Number((measured['a second'] / ofOne).toFixed(2)) });
      }
    }
    console.table(rows);
    for (const [wait, count] of waits) console.log(`${count} × ${wait}`);
  } finally {
    await deliveries.close();
    await world.stop();
    target.kill();
  }
}

async function measure(world: BenchWorld, work: Work, servers: number, waits: Map<string, number>) {
  const { db } = world;
  const deadlocksBefore = await countDeadlocks(db);
  await world.restartServers(servers);
  const perSecond: number[] = [];
  const total = {
    statements: 0,
    claims: 0,
    empty: 0,
    cpuMs: 0,
    postgresMs: 0,
    looks: 0,
    seen: 0,
  };
  // Ignore the first two rounds, which warm up the processes.
  for (let round = -2; round < rounds; round++) {
    await work.prepare();
    await Promise.all(world.servers.map(readServerUsage));
    const watch = await watchLocks(world.connection);
    const postgresBefore = await postgresCpuMs(db);
    await work.start();
    const startedAt = await readNow(db);
    await sql`SELECT pg_notify('pacekeeper_wake', ${work.table})`.execute(db);
    const endedAt = await work.end();
    const usages: ServerUsage[] = await Promise.all(world.servers.map(readServerUsage));
    const postgresMs = (await postgresCpuMs(db)) - postgresBefore;
    const seen = await watch.stop();
    if (round < 0) continue;
    perSecond.push(work.count / ((endedAt.getTime() - startedAt.getTime()) / 1_000));
    total.postgresMs += postgresMs;
    for (const { statements, claims, cpuMs } of usages) {
      total.statements += statements;
      total.claims += claims[work.table]?.all ?? 0;
      total.empty += claims[work.table]?.empty ?? 0;
      total.cpuMs += cpuMs;
    }
    total.looks += seen.looks;
    for (const wait of seen.waits) {
      total.seen += 1;
      const name = `${servers} servers, ${work.what}: ${wait}`;
      waits.set(name, (waits.get(name) ?? 0) + 1);
    }
  }
  // Stop all servers, because sessions report their remaining statistics, such as deadlocks, only when they
  // end.
  await world.restartServers(0);
  const count = work.count * rounds;
  return {
    what: work.what,
    servers,
    'a second': Math.round(median(perSecond)),
    'statements each': Number((total.statements / count).toFixed(3)),
    'claims each': Number((total.claims / count).toFixed(4)),
    'found nothing': Number((total.empty / count).toFixed(4)),
    'seen waiting': `${total.seen} of ${total.looks}`,
    deadlocks: (await countDeadlocks(db)) - deadlocksBefore,
    'servers, µs each': Math.round((total.cpuMs * 1_000) / count),
    'PostgreSQL, µs each': Math.round((total.postgresMs * 1_000) / count),
  };
}

/**
 * Creates the delivery work: each organization has four channels, and each channel receives an event for
 * every alert.
 */
async function deliveryWork(world: DeliveryWorld, url: string): Promise<Work> {
  const { db } = world;
  const secretBox = createSecretBox({ current: secretKey });
  const alerts = new Map<number, number[]>();
  const channels: number[] = [];
  for (let index = 0; index < organizationCount; index++) {
    const organizationId = await world.createOrganization();
    const channelIds = [];
    for (let number = 0; number < channelsPerOrganization; number++) {
      const id = await world.createChannel(organizationId, { url });
      // Seal the URL with the key of the servers.
      const sealed = sealChannelColumn(secretBox, organizationId, id, 'url_sealed', url);
      await sql`UPDATE notification_channels SET url_sealed = ${sealed} WHERE id = ${id}`.execute(db);
      channelIds.push(id);
    }
    await db
      .insertInto('notification_rules')
      .values({ organization_id: organizationId, name: 'all', channel_ids: channelIds })
      .execute();
    alerts.set(organizationId, await world.createAlerts(organizationId, deliveriesPerChannel));
    channels.push(...channelIds);
  }
  const isOurs = sql`id = ANY(${channels}::bigint[])`;
  let firstId = 0;
  return {
    what: 'deliveries',
    count: deliveryCount,
    table: 'notification_channels',
    async prepare() {
      firstId =
        (await readOne<number>(db, sql`SELECT coalesce(max(id), 0) FROM notification_deliveries`)) + 1;
      // Lease the channels until all deliveries are planned, so that no server claims them early.
      await sql`
        UPDATE notification_channels SET lease_token = gen_random_uuid(), lease_until = pacekeeper_now() + interval '100 seconds'
        WHERE ${isOurs}`.execute(db);
      for (const [organizationId, alertIds] of alerts) {
        await world.raiseEvents(
          organizationId,
          alertIds.map((alertId) => ({ alertId })),
        );
      }
      await sql`VACUUM ANALYZE`.execute(db);
    },
    async start() {
      await sql`
        UPDATE notification_channels SET lease_token = NULL, lease_until = NULL, due_at = pacekeeper_now()
        WHERE ${isOurs}`.execute(db);
    },
    async end() {
      const isLeft = sql`SELECT EXISTS (
        SELECT FROM notification_deliveries WHERE id >= ${firstId} AND status IN ('pending', 'failed', 'in_progress'))`;
      while (await readOne<boolean>(db, isLeft)) await sleep(100);
      const { rows } = await sql<{ sent: number; at: Date }>`
        SELECT count(*) FILTER (WHERE status = 'succeeded' AND attempt_count = 1) AS sent, max(completed_at) AS at
        FROM notification_deliveries WHERE id >= ${firstId}`.execute(db);
      const { sent, at } = rows[0]!;
      if (sent !== deliveryCount) throw new Error(`${sent} of ${deliveryCount} went out once`);
      return at;
    },
  };
}

function evaluationWork({ db, organizationIds }: BenchWorld): Work {
  const [organizationId] = organizationIds;
  const ofOrganization = sql`organization_id = ${organizationId}`;
  return {
    what: 'evaluate, nothing changed',
    count: configCount,
    table: 'alert_configs',
    async prepare() {
      await sql`VACUUM ANALYZE`.execute(db);
    },
    async start() {
      await sql`
        UPDATE alert_configs SET requested_seq = requested_seq + 1, due_at = pacekeeper_now() WHERE ${ofOrganization}`.execute(
        db,
      );
    },
    async end() {
      await waitUntilNothingIsDue(db, 100);
      return readOne<Date>(db, sql`SELECT max(last_evaluated_at) FROM alert_configs WHERE ${ofOrganization}`);
    },
  };
}

/**
 * Creates the alert work: each round disables or enables the rules. The channel is disabled, so that
 * deliveries are planned but not sent.
 */
async function alertWork(world: BenchWorld, { setSetting }: DeliveryWorld): Promise<Work> {
  const { db, organizationIds } = world;
  const [organizationId] = organizationIds as [number];
  const channel = await readOne<number>(
    db,
    sql`UPDATE notification_channels SET is_active = false WHERE organization_id = ${organizationId} RETURNING id`,
  );
  await setSetting(organizationId, 'default_notification_channel_id', channel);
  return {
    ...evaluationWork(world),
    what: 'evaluate, alerts open or close',
    async prepare() {
      await sql`UPDATE rules SET is_active = NOT is_active WHERE organization_id = ${organizationId}`.execute(
        db,
      );
      await sql`VACUUM ANALYZE`.execute(db);
    },
  };
}

async function readNow(db: Database): Promise<Date> {
  return readOne<Date>(db, sql`SELECT pacekeeper_now()`);
}

async function countDeadlocks(db: Database): Promise<number> {
  return readOne<number>(db, sql`SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()`);
}

async function readOne<Value>(db: Database, query: RawBuilder<unknown>): Promise<Value> {
  const { rows } = await (query as RawBuilder<Record<string, Value>>).execute(db);
  return Object.values(rows[0]!)[0]!;
}

/** Samples the sessions that wait for a lock every 50 ms, over a separate connection. */
async function watchLocks(connection: PostgresAddress) {
  const client = new pg.Client(connection);
  await client.connect();
  const waits: string[] = [];
  let looks = 0;
  let isWatching = true;
  const watching = (async () => {
    for (; isWatching; await sleep(50)) {
      const { rows } = await client.query<{ wait: string }>(
        `SELECT wait_event || ': ' || left(regexp_replace(query, '\\s+', ' ', 'g'), 100) AS wait
         FROM pg_stat_activity WHERE wait_event_type = 'Lock'`,
      );
      looks += 1;
      waits.push(...rows.map((row) => row.wait));
    }
  })();
  return {
    async stop() {
      isWatching = false;
      await watching;
      await client.end();
      return { looks, waits };
    },
  };
}

function serveTarget() {
  const server = createServer((request, response) => {
    request.resume();
    request.on('end', () => response.end('ok'));
  });
  server.keepAliveTimeout = 60_000;
  server.listen(0, '127.0.0.1', () => process.send?.({ port: (server.address() as AddressInfo).port }));
}

const [role, databaseUrl, dataDir] = process.argv.slice(2);
if (role === 'target') serveTarget();
else if (role === 'server') await serveBench(databaseUrl!, dataDir!, { poolSize });
else await main();
