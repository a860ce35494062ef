import { rmSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, describe, expect, test } from 'vitest';
import { ApiCallError, type ApiClient, createApiClient } from '../../src/client/api-client.ts';
import { createTestDatabase } from '../helpers/database.ts';
import { isLong } from '../helpers/long-tests.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';
import {
  createRandom,
  type FaultServer,
  reportCounts,
  sharedDatabaseEnvironment,
  startServerProcess,
} from './fault-world.ts';

/** Number of kills, each at a random point of a write loop. */
const kills = isLong ? 20 : 4;
const writers = 4;

const { connection } = await createTestDatabase({ schema: 'empty' });
const folder = temporaryFolder();
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const login = { email: 'admin@localhost', password: 'a password for faults' };

async function loginTo(server: FaultServer): Promise<ApiClient> {
  const { access_token } = await createApiClient({ baseUrl: server.url }).call('login', { body: login });
  return createApiClient({ baseUrl: server.url, token: access_token });
}

/** Writes of one writer that the server has acknowledged. */
interface Written {
  scrapeJobId: number;
  versions: string[];
  rules: string[];
  /** Name of the job in the last acknowledged update. `askedName` is the name in the last request. */
  name: string;
  askedName: string;
}

/** Returns all items of a paginated list. */
async function readAll<T>(
  read: (query: { limit: number; offset: number }) => Promise<{ items: T[]; total: number }>,
): Promise<T[]> {
  const items: T[] = [];
  for (;;) {
    const page = await read({ limit: 200, offset: items.length });
    items.push(...page.items);
    if (page.items.length < 200) return items;
  }
}

async function checkKills(env: Record<string, string>, name: string): Promise<void> {
  const random = createRandom(name);
  const all = { ...env, PACEKEEPER_ADMIN_EMAIL: login.email, PACEKEEPER_ADMIN_PASSWORD: login.password };
  let server = await startServerProcess(all);
  let api = await loginTo(server);
  const written: Written[] = [];
  for (let writer = 0; writer < writers; writer++) {
    const body = { name: `writer ${writer}`, parser_type: 'manual', history_limit: 10_000 } as const;
    const { id } = await api.call('createScrapeJob', { body });
    written.push({ scrapeJobId: id, versions: [], rules: [], name: body.name, askedName: body.name });
  }
  let unanswered = 0;
  for (let round = 0; round < kills; round++) {
    let isKilled = false;
    const work = written.map(async (own, writer) => {
      try {
        for (let count = 0; ; count++) {
          const version = `${round}.${writer}.${count}`;
          await api.call('setScrapeJobVersion', { path: { id: own.scrapeJobId }, body: { version } });
          own.versions.push(version);
          const rule = `rule ${version}`;
          await api.call('createRule', {
            body: { name: rule, rule_type: 'majors_behind', thresholds: { moderate: 1 } },
          });
          own.rules.push(rule);
          own.askedName = `writer of ${version}`;
          await api.call('updateScrapeJob', { path: { id: own.scrapeJobId }, body: { name: own.askedName } });
          own.name = own.askedName;
        }
      } catch (error) {
        // The kill broke the connection, so this write may or may not have been stored.
        if (!(error instanceof ApiCallError) || error.status !== null || !isKilled) throw error;
        unanswered++;
      }
    });
    // Kill only after some writes, even on a slow machine, so that the kill hits later writes at a random point.
    const before = countAcknowledged(written);
    const awaited = random.between(1, 20 * writers);
    while (countAcknowledged(written) - before < awaited) await sleep(1);
    await sleep(random.between(0, 20));
    isKilled = true;
    await server.kill();
    await Promise.all(work);

    server = await startServerProcess(all);
    api = await loginTo(server);
    const rules = new Set(
      (await readAll((query) => api.call('listRules', { query }))).map((rule) => rule.name),
    );
    for (const own of written) {
      const path = { id: own.scrapeJobId };
      const stored = (await readAll((query) => api.call('listScrapeJobVersions', { path, query }))).map(
        ({ version }) => version,
      );
      const kept = new Set(stored);
      expect(
        own.versions.filter((version) => !kept.has(version)),
        `round ${round}`,
      ).toEqual([]);
      // No write is stored twice, and each round can store at most one write that wasn't acknowledged.
      expect(kept.size).toBe(stored.length);
      expect(stored.length - own.versions.length).toBeLessThanOrEqual(round + 1);
      expect(
        own.rules.filter((rule) => !rules.has(rule)),
        `round ${round}`,
      ).toEqual([]);
      const job = await api.call('getScrapeJob', { path });
      // The latest version of the job must match its newest stored version.
      expect(job.latest_version).toBe(stored[0] ?? null);
      expect([own.name, own.askedName]).toContain(job.name);
      own.name = job.name;
    }
  }
  const acknowledged = countAcknowledged(written);
  reportCounts(`kill -9 of a server with ${name}`, { kills, acknowledged, 'without a response': unanswered });
  expect(acknowledged).toBeGreaterThan(kills * writers);
  expect(await server.stop()).toBe(0);
}

function countAcknowledged(written: readonly Written[]): number {
  return written.reduce((sum, own) => sum + own.versions.length + own.rules.length, 0);
}

describe('after kill -9 at a random point', {
  timeout: isLong ? 600_000 : 300_000,
}, () => {
  test('the embedded database keeps every acknowledged write', () =>
    checkKills({ PACEKEEPER_DATA_DIR: folder }, 'the embedded database'));
  test('an external database keeps every acknowledged write', () =>
    checkKills(sharedDatabaseEnvironment(connection), 'DATABASE_URL'));
});
