import { sql } from 'kysely';
import { afterAll, describe, expect, test } from 'vitest';
import { createTestDatabase } from '../helpers/database.ts';
import { isLong } from '../helpers/long-tests.ts';
import { createWebhookInbox } from '../helpers/webhook-inbox.ts';
import { checkEveryEventArrived, waitUntilNothingPending } from './check-deliveries.ts';
import {
  clientOf,
  createKey,
  createRandom,
  reportCounts,
  sharedDatabaseEnvironment,
  startServerProcess,
} from './fault-world.ts';
import { createWatchedService } from './watched-service.ts';

const { db, connection } = await createTestDatabase();
const env = sharedDatabaseEnvironment(connection);
const inbox = await createWebhookInbox();
afterAll(() => inbox.close());
const servers = [await startServerProcess(env), await startServerProcess(env)];
const random = createRandom('one alert');
const rounds = isLong ? 40 : 6;

describe('two servers on one database', { timeout: 300_000 }, () => {
  test('open one alert per configuration, even if all requests evaluate at the same time', async () => {
    const { organizationId, apiKey } = await createKey(db, servers[0]!);
    const clients = servers.map((server) => clientOf(server, apiKey));
    const service = await createWatchedService(db, clients[0]!, inbox, { configs: 30, channels: 1 });
    await service.publish(clients[0]!, 2);
    await waitUntilNothingPending(db, organizationId);
    let created = 0;
    for (let round = 0; round < rounds; round++) {
      const version = round % 2 === 0 ? '2.0.0' : '1.0.0';
      const path = { id: service.scrapeJobId };
      const [answers] = await Promise.all([
        Promise.all(Array.from({ length: 10 }, (_, index) => clients[index % 2]!.call('evaluateRules'))),
        random.pick(clients).call('setScrapeJobVersion', { path, body: { version } }),
        ...Array.from({ length: 3 }, () =>
          random.pick(clients).call('setScrapeJobVersion', { path, body: { version } }),
        ),
      ]);
      for (const answer of answers) expect(answer).toMatchObject({ evaluated: 30, failed: 0, remaining: 0 });
      await waitUntilNothingPending(db, organizationId);
      created += answers.reduce((sum, answer) => sum + answer.alerts_created, 0);
      const { rows } = await sql<{ open: number; configs: number }>`
        SELECT count(*)::integer AS open, count(DISTINCT alert_config_id)::integer AS configs FROM alerts
        WHERE organization_id = ${organizationId} AND resolved_at IS NULL`.execute(db);
      const expected = version === '1.0.0' ? 30 : 0;
      expect(rows[0]).toEqual({ open: expected, configs: expected });
    }
    // The setup creates 30 events, and each round creates one event per configuration.
    const found = await checkEveryEventArrived(db, organizationId, service.channelNames, inbox.requests);
    expect(found).toMatchObject({ events: 30 * (rounds + 1), duplicates: 0 });
    reportCounts('evaluations side by side', { rounds, 'alerts opened by a request': created, ...found });
  });

  test('perform an alert action once, even if ten clients request it at the same time', async () => {
    const { organizationId, apiKey } = await createKey(db, servers[1]!);
    const clients = servers.map((server) => clientOf(server, apiKey));
    const before = inbox.requests.length;
    const service = await createWatchedService(db, clients[0]!, inbox, { configs: 1, channels: 1 });
    await service.publish(clients[1]!, 2);
    await waitUntilNothingPending(db, organizationId);
    const [alert] = (await clients[0]!.call('listAlerts')).items;
    const path = { id: alert!.id };
    const ten = <T>(act: (client: (typeof clients)[number]) => Promise<T>) =>
      Promise.all(Array.from({ length: 10 }, (_, index) => act(clients[index % 2]!)));
    await ten((client) => client.call('acknowledgeAlert', { path }));
    await ten((client) => client.call('unacknowledgeAlert', { path }));
    await ten((client) => client.call('resolveAlert', { path }));
    await waitUntilNothingPending(db, organizationId);
    const types = inbox.requests
      .slice(before)
      .map((request) => (JSON.parse(request.body) as { type: string }).type);
    expect(types).toEqual(['alert.created', 'alert.acknowledged', 'alert.unacknowledged', 'alert.resolved']);
    const { items } = await clients[1]!.call('listAlertActions', { path });
    expect(items.filter((entry) => entry.action !== 'notified')).toHaveLength(4);
  });
});
