import { afterAll, beforeEach, expect, test } from 'vitest';
import { createTestDatabase } from '../helpers/database.ts';
import { createFakeTrackers, trackerToken } from '../helpers/fake-trackers.ts';
import { createReleases } from '../helpers/monitored.ts';
import { waitUntilNothingPending } from './check-deliveries.ts';
import {
  clientOf,
  createKey,
  createSharedClock,
  type FaultServer,
  sharedDatabaseEnvironment,
  startServerProcess,
  until,
} from './fault-world.ts';

const { db, connection } = await createTestDatabase();
const trackers = await createFakeTrackers();
afterAll(() => trackers.close());
beforeEach(() => trackers.reset());
const env = { ...sharedDatabaseEnvironment(connection), PACEKEEPER_DATABASE_IDLE_TRANSACTION_SECONDS: '3' };
const clock = createSharedClock(db);

async function createWorld(server: FaultServer) {
  const { organizationId: id, apiKey } = await createKey(db, server);
  const api = clientOf(server, apiKey);
  const channel = await api.call('createNotificationChannel', {
    body: {
      name: 'Issues',
      channel_type: 'github_issues',
      url: trackers.url,
      project: 'acme/platform',
      token: trackerToken,
    },
  });
  await api.call('createNotificationRule', { body: { name: 'All', channel_ids: [channel.id] } });
  const gatherJobId = await createReleases({ db }, { id, api }, ['1.0.0', '2.0.0']);
  const jobs = await Promise.all(
    Array.from({ length: 6 }, (_, index) =>
      api.call('createScrapeJob', { body: { name: `web ${index}`, parser_type: 'manual' } }),
    ),
  );
  const rule = await api.call('createRule', {
    body: { name: 'Majors', rule_type: 'majors_behind', thresholds: { high: 1 } },
  });
  for (const { id: scrape_job_id, name } of jobs)
    await api.call('createAlertConfig', {
      body: { name, scrape_job_id, gather_job_id: gatherJobId, rule_id: rule.id },
    });
  return {
    id,
    apiKey,
    deploy: async (on: FaultServer, version: string, count: number) => {
      for (const job of jobs.slice(0, count))
        await clientOf(on, apiKey).call('setScrapeJobVersion', { path: { id: job.id }, body: { version } });
    },
  };
}

test('an alert has one ticket, even if the server is killed after the request and before it stores the result', async () => {
  let server = await startServerProcess(env);
  const world = await createWorld(server);

  trackers.state.losesReplies = true;
  await world.deploy(server, '1.0.0', 1);
  await until('the issue exists', () => Promise.resolve(trackers.issues[0]));
  await server.kill();
  trackers.state.losesReplies = false;
  await clock.pass(90);
  server = await startServerProcess(env);
  await waitUntilNothingPending(db, world.id);
  expect(trackers.issues).toMatchObject([{ state: 'open' }]);

  // Kill the server again after it closes the issue and before it stores the result.
  trackers.state.onCall = (call) => {
    if (call.method !== 'PATCH') return null;
    trackers.state.onCall = null;
    trackers.issues[0]!.state = 'closed';
    return 'silence';
  };
  await world.deploy(server, '2.0.0', 1);
  await until('it is closed', () => Promise.resolve(trackers.issues[0]!.state === 'closed' || undefined));
  await server.kill();
  await clock.pass(90);
  server = await startServerProcess(env);
  await waitUntilNothingPending(db, world.id);
  expect(trackers.issues).toMatchObject([{ state: 'closed' }]);
  expect(
    trackers.calls.filter(({ method, path }) => method === 'POST' && path.endsWith('/issues')),
  ).toHaveLength(1);
  await server.stop();
});

test('two servers leave one open ticket per alert, even if one of them is frozen', async () => {
  const [first, second] = [await startServerProcess(env), await startServerProcess(env)];
  const world = await createWorld(first);
  let frozen = 0;
  trackers.state.onCall = (call) => {
    if (call.method === 'POST' && frozen++ === 0) first.freeze();
    return null;
  };
  await world.deploy(second, '1.0.0', 6);
  await until('a creation', () => Promise.resolve(frozen > 0 || undefined));
  await clock.pass(90);
  // A server that is frozen during a transaction holds its locks until the database ends the transaction.
  await until(
    'all have a ticket',
    () => Promise.resolve(new Set(trackers.issues.map(({ title }) => title)).size === 6 || undefined),
    30_000,
  );
  first.thaw();
  await waitUntilNothingPending(db, world.id);
  // The formerly frozen server has created issues too late, and closes them.
  const open = await until('the later ones are closed', () => {
    const titles = trackers.issues.filter(({ state }) => state === 'open').map(({ title }) => title);
    return Promise.resolve(titles.length === 6 && titles);
  });
  expect(new Set(open).size).toBe(6);
  await world.deploy(second, '2.0.0', 6);
  await waitUntilNothingPending(db, world.id);
  expect(trackers.issues.filter(({ state }) => state === 'open')).toEqual([]);
});
