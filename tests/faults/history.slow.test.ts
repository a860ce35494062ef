import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, describe, expect, test } from 'vitest';
import { ApiCallError, type ApiClient } from '../../src/client/api-client.ts';
import { organizationJobKinds } from '../../src/modules/agents/index.ts';
import { recountRows } from '../../src/modules/counts/index.ts';
import { transaction } from '../../src/platform/database/index.ts';
import { createTestDatabase } from '../helpers/database.ts';
import { isLong } from '../helpers/long-tests.ts';
import { createWebhookInbox } from '../helpers/webhook-inbox.ts';
import {
  checkEveryEventArrived,
  type InFlightCounts,
  recordInFlight,
  waitUntilNothingPending,
} from './check-deliveries.ts';
import { startCuttingProxy } from './cutting-proxy.ts';
import {
  clientOf,
  createKey,
  createRandom,
  createSharedClock,
  type FaultServer,
  reportCounts,
  sharedDatabaseEnvironment,
  startServerProcess,
} from './fault-world.ts';
import { createWatchedService } from './watched-service.ts';

/** Number of faults, each of a random kind at a random time. */
const faults = isLong ? 150 : 12;
const writers = 3;

const { db, connection } = await createTestDatabase();
const inbox = await createWebhookInbox();
const proxies = [await startCuttingProxy(connection), await startCuttingProxy(connection)];
afterAll(() => Promise.all([inbox.close(), ...proxies.map((proxy) => proxy.close())]));

// Both servers have the same secret key.
const shared = sharedDatabaseEnvironment(connection);
const envs = proxies.map((proxy) => ({
  ...shared,
  DATABASE_URL: sharedDatabaseEnvironment(proxy.connection)['DATABASE_URL']!,
}));
const servers: FaultServer[] = [];
for (const env of envs) servers.push(await startServerProcess(env));

const { organizationId, apiKey } = await createKey(db, servers[0]!);
const random = createRandom('history');
const apiOf = (index: number) => clientOf(servers[index % servers.length]!, apiKey);
const service = await createWatchedService(db, apiOf(0), inbox, { configs: 5, channels: 2 });
await service.publish(apiOf(0), 2);
await waitUntilNothingPending(db, organizationId);

/**
 * Writes of one writer: the acknowledged ones, and those whose response was lost, so that no one knows
 * whether they were stored.
 */
interface History {
  scrapeJobId: number;
  versions: string[];
  createdRules: Map<string, number>;
  deletedRules: Set<string>;
  unknownRules: Set<string>;
}

const counts = { acknowledged: 0, unanswered: 0, kills: 0, freezes: 0, cuts: 0 };

/** Sends a write. Returns its result, or `null` if the response was lost or the server was unavailable. */
async function write<T>(index: number, send: (api: ApiClient) => Promise<T>): Promise<{ value: T } | null> {
  try {
    const value = await send(apiOf(index));
    counts.acknowledged++;
    return { value };
  } catch (error) {
    if (!(error instanceof ApiCallError) || (error.status !== null && error.status !== 503)) throw error;
    counts.unanswered++;
    await sleep(50);
    return null;
  }
}

let isOver = false;
const timeoutMs = 10_000;

async function keepWriting(writer: number, history: History): Promise<void> {
  const path = { id: history.scrapeJobId };
  for (let count = 0; !isOver; count++) {
    const version = `${writer}.${count}`;
    const body = { version };
    if (await write(count, (api) => api.call('setScrapeJobVersion', { path, body, timeoutMs })))
      history.versions.push(version);
    const name = `rule ${version}`;
    const rule = { name, rule_type: 'majors_behind', thresholds: { moderate: 1 } } as const;
    const created = await write(count, (api) => api.call('createRule', { body: rule, timeoutMs }));
    if (!created) continue;
    history.createdRules.set(name, created.value.id);
    if (count % 2 === 0) continue;
    const deleted = await write(count + 1, (api) =>
      api.call('deleteRule', { path: { id: created.value.id }, timeoutMs }),
    );
    if (deleted) history.deletedRules.add(name);
    else history.unknownRules.add(name);
    await sleep(10);
  }
}

/** Makes the service outdated and up to date alternately, so that alerts open and are resolved. */
async function keepDeploying(): Promise<void> {
  const path = { id: service.scrapeJobId };
  for (let count = 0; !isOver; count++) {
    const body = { version: count % 2 === 0 ? '2.0.0' : '1.0.0' };
    await write(count, (api) => api.call('setScrapeJobVersion', { path, body, timeoutMs }));
    await sleep(60);
  }
}

const inFlight: InFlightCounts = new Map();

async function injectFault(): Promise<void> {
  const index = random.between(0, servers.length);
  const server = servers[index]!;
  switch (random.pick(['kill', 'freeze', 'cut'] as const)) {
    case 'kill':
      counts.kills++;
      await server.kill();
      await recordInFlight(db, organizationId, inFlight);
      servers[index] = await startServerProcess(envs[index]!);
      return;
    case 'freeze':
      counts.freezes++;
      server.freeze();
      await sleep(random.between(100, 3_000));
      server.thaw();
      return;
    case 'cut':
      counts.cuts += 1;
      proxies[index]!.cut();
  }
}

describe('the history of two servers that are killed, frozen, and cut off from their database', {
  timeout: isLong ? 1_800_000 : 300_000,
}, () => {
  test('contains every acknowledged write once and every event in order, without stuck work and with correct counts', async () => {
    const histories: History[] = [];
    for (let writer = 0; writer < writers; writer++) {
      const body = { name: `writer ${writer}`, parser_type: 'manual', history_limit: 10_000 } as const;
      const { id } = await apiOf(0).call('createScrapeJob', { body });
      histories.push({
        scrapeJobId: id,
        versions: [],
        createdRules: new Map(),
        deletedRules: new Set(),
        unknownRules: new Set(),
      });
    }
    const work = [...histories.map((history, writer) => keepWriting(writer, history)), keepDeploying()];
    for (let fault = 0; fault < faults; fault++) {
      await sleep(random.between(50, 1_500));
      await injectFault();
    }
    isOver = true;
    await Promise.all(work);

    // Rows that a lost server had claimed wait until their lease expires. The leases of the live servers expire at the
    // same time, so the deliveries that they are sending at that moment can be sent again.
    for (const server of servers) server.freeze();
    const ofLiveServers: InFlightCounts = new Map();
    await recordInFlight(db, organizationId, ofLiveServers);
    for (const id of ofLiveServers.keys()) inFlight.set(id, inFlight.get(id) ?? 1);
    await createSharedClock(db).pass(180);
    for (const server of servers) server.thaw();
    await waitUntilNothingPending(db, organizationId, 120_000);

    const versions = await db
      .selectFrom('versions')
      .select(['scrape_job_id', 'version'])
      .where('organization_id', '=', organizationId)
      .orderBy('id')
      .execute();
    const rules = await db
      .selectFrom('rules')
      .select(['id', 'name'])
      .where('organization_id', '=', organizationId)
      .execute();
    const idOfRule = new Map(rules.map(({ id, name }) => [name, id]));
    expect(idOfRule.size, 'rules that were created twice').toBe(rules.length);
    for (const history of histories) {
      const stored = versions
        .filter((row) => row.scrape_job_id === history.scrapeJobId)
        .map((row) => row.version);
      expect(new Set(stored).size, 'versions that were stored twice').toBe(stored.length);
      const acknowledged = new Set(history.versions);
      expect(stored.filter((version) => acknowledged.has(version))).toEqual(history.versions);
      for (const [name, id] of history.createdRules) {
        if (history.deletedRules.has(name)) expect(idOfRule.has(name), `${name} was deleted`).toBe(false);
        else if (!history.unknownRules.has(name)) expect(idOfRule.get(name), `${name} was created`).toBe(id);
      }
    }
    expect(await transaction(db, (tx) => recountRows(tx, organizationId, organizationJobKinds))).toEqual([]);
    const found = await checkEveryEventArrived(
      db,
      organizationId,
      service.channelNames,
      inbox.requests,
      inFlight,
    );
    expect(counts.acknowledged).toBeGreaterThan(faults * writers);
    reportCounts('history under kills, freezes, and cuts', { ...counts, ...found });
    for (const server of servers) expect(await server.stop()).toBe(0);
  });
});
