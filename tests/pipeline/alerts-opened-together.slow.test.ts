import { sql } from 'kysely';
import { afterAll, describe, expect, test } from 'vitest';
import type { Schemas } from '../../src/generated/client-api.ts';
import { insertItems } from '../helpers/discovery-fixture.ts';
import { addReleases } from '../helpers/monitored.ts';
import { startTestServer } from '../helpers/test-server.ts';
import { createWebhookInbox } from '../helpers/webhook-inbox.ts';
import { createClock, createPipelineWorld, type PipelineWorld, until } from './pipeline-world.ts';

const inbox = await createWebhookInbox();
afterAll(() => inbox.close());
const server = await startTestServer();
const clock = createClock(server);
const { db } = server;

interface ReceivedDigest {
  cause: string;
  events: { type: string; data: { alert: { severity: string } } }[];
  omitted_events: number;
}

function digestOf({ body }: { body: { data: unknown } }): ReceivedDigest {
  return body.data as ReceivedDigest;
}

/** Creates a gather job for an image, with these releases. */
async function createSource(world: PipelineWorld, artifactName: string, versions: readonly string[]) {
  const { id } = await world.api.call('createGatherJob', {
    body: { name: artifactName, source_type: 'oci_registry', artifact_name: artifactName },
  });
  await addReleases(db, world.organizationId, id, versions);
  return id;
}

/** Creates discovered items for images, and a rule that counts majors. */
async function createItems(
  world: PipelineWorld,
  items: readonly { artifactName: string; version: string }[],
) {
  const { id: jobId } = await world.api.call('createDiscoveryJob', {
    body: { name: 'Deployments', repository_url: 'https://git.example.org/acme/deploy', is_active: false },
  });
  const ids = await insertItems(
    db,
    world.organizationId,
    jobId,
    items.map(({ artifactName, version }) => ({
      artifact_name: artifactName,
      version,
      proposal: {
        source_type: 'oci_registry',
        artifact_name: artifactName,
        source_options: {},
        version_pattern: null,
        version_scheme: null,
        why: 'image',
      },
    })),
  );
  const ruleId = await world.createRule({ thresholds: { moderate: 1, high: 2, critical: 3 } });
  return {
    ids,
    accept: () => world.api.call('acceptDiscoveredItems', { body: { item_ids: ids, rule_id: ruleId } }),
  };
}

const images = (versions: readonly string[], artifactName = 'ghcr.io/acme/web') =>
  versions.map((version) => ({ artifactName, version }));

const listDeliveries = async (
  world: PipelineWorld,
  query: { status?: Schemas['NotificationDeliveryStatus'] } = {},
) => (await world.api.call('listNotificationDeliveries', { query: { limit: 200, ...query } })).items;

describe('accepting items', () => {
  test('sends one message about all alerts that open, most severe first, and the deliveries of the alerts refer to this message', async () => {
    const world = await createPipelineWorld(server, inbox);
    await createSource(world, 'ghcr.io/acme/web', ['1.0.0', '2.0.0', '3.0.0', '4.0.0']);
    const { accept } = await createItems(world, images(['3.0.0', '1.0.0', '2.0.0', '4.0.0', '1.0.0']));
    await accept();
    await world.settled();
    expect(world.heardTypes()).toEqual(['digest']);
    const { cause, events } = digestOf(world.receivedEvents()[0]!);
    expect(cause).toBe('opened_together');
    expect(events.map(({ type, data }) => [type, data.alert.severity])).toEqual([
      ['alert.created', 'critical'],
      ['alert.created', 'critical'],
      ['alert.created', 'high'],
      ['alert.created', 'moderate'],
    ]);
    const deliveries = await listDeliveries(world);
    expect(deliveries.map(({ event_type, status }) => `${event_type} ${status}`).toSorted()).toEqual([
      ...Array(4).fill('alert.created succeeded'),
      'digest succeeded',
    ]);
    const { rows } = await sql<{ digests: number }>`
      SELECT count(DISTINCT digest_delivery_id)::integer AS digests FROM notification_deliveries
      WHERE organization_id = ${world.organizationId} AND event_type = 'alert.created' AND digest_delivery_id IS NOT NULL`.execute(
      db,
    );
    expect(rows).toEqual([{ digests: 1 }]);
  });

  test('sends a single alert on its own, and without delay', async () => {
    const world = await createPipelineWorld(server, inbox);
    await createSource(world, 'ghcr.io/acme/web', ['1.0.0', '2.0.0']);
    const { accept } = await createItems(world, images(['1.0.0', '2.0.0', '2.0.0']));
    await accept();
    await world.settled(5_000);
    expect(world.heardTypes()).toEqual(['alert.created']);
  });

  test('sends one message even if several transactions evaluate the monitors', async () => {
    const world = await createPipelineWorld(server, inbox);
    await createSource(world, 'ghcr.io/acme/web', ['1.0.0', '2.0.0']);
    const { accept } = await createItems(world, images(Array<string>(900).fill('1.0.0')));
    await accept();
    await world.settled(60_000);
    expect(world.heardTypes()).toEqual(['digest']);
    const { events, omitted_events } = digestOf(world.receivedEvents()[0]!);
    expect(events.length + omitted_events).toBe(900);
  });

  test('waits for sources that have not been gathered yet, so that their alerts are in the same message', async () => {
    const world = await createPipelineWorld(server, inbox);
    await createSource(world, 'ghcr.io/acme/a', ['1.0.0', '2.0.0']);
    const unread = await createSource(world, 'ghcr.io/acme/b', []);
    const { accept } = await createItems(world, [
      ...images(['1.0.0'], 'ghcr.io/acme/a'),
      ...images(['1.0.0'], 'ghcr.io/acme/b'),
    ]);
    await accept();
    await until('the first alert is open', async () => (await listDeliveries(world)).length > 0);
    expect(await listDeliveries(world)).toMatchObject([
      { event_type: 'alert.created', status: 'pending', waiting_for: 'evaluation', next_attempt_at: null },
    ]);
    await addReleases(db, world.organizationId, unread, ['1.0.0', '2.0.0']);
    await world.api.call('evaluateRules');
    await world.settled();
    expect(world.heardTypes()).toEqual(['digest']);
    expect(digestOf(world.receivedEvents()[0]!).events).toHaveLength(2);
  });

  test('sends an alert after a minute even if other sources have still not been gathered', async () => {
    const world = await createPipelineWorld(server, inbox);
    await createSource(world, 'ghcr.io/acme/a', ['1.0.0', '2.0.0']);
    await createSource(world, 'ghcr.io/acme/b', []);
    const { accept } = await createItems(world, [
      ...images(['1.0.0'], 'ghcr.io/acme/a'),
      ...images(['1.0.0'], 'ghcr.io/acme/b'),
    ]);
    await accept();
    await until('the first alert is open', async () => (await listDeliveries(world)).length > 0);
    expect(world.receivedEvents()).toEqual([]);
    await clock.pass(1);
    await until('the alert is sent', async () => world.receivedEvents().length > 0);
    expect(world.heardTypes()).toEqual(['alert.created']);
  });

  test('sends each alert separately to a PagerDuty channel and with the next digest to a channel that collects them', async () => {
    const world = await createPipelineWorld(server, inbox);
    const { api } = world;
    const [pagerduty, collecting] = [
      `/pagerduty-${world.organizationId}`,
      `/digests-${world.organizationId}`,
    ];
    const { id: incidents } = await api.call('createNotificationChannel', {
      body: {
        name: 'Incidents',
        url: new URL(pagerduty, inbox.url).href,
        preset: 'pagerduty',
        preset_options: { routing_key: 'R'.repeat(32) },
      },
    });
    const { id: digests } = await api.call('createNotificationChannel', {
      body: { name: 'Digests', url: new URL(collecting, inbox.url).href, digest_minutes: 5 },
    });
    await api.call('createNotificationRule', {
      body: { name: 'All', priority: 1, channel_ids: [incidents, digests] },
    });
    await createSource(world, 'ghcr.io/acme/web', ['1.0.0', '2.0.0']);
    const { accept } = await createItems(world, images(['1.0.0', '1.0.0', '1.0.0']));
    await accept();
    const received = (path: string) => inbox.requests.filter((request) => request.path === path);
    await until('three incidents are open', async () => received(pagerduty).length === 3);
    const [first, , third] = received(pagerduty).map(({ atMs }) => atMs);
    expect(third! - first!).toBeGreaterThan(500);
    expect(received(collecting)).toEqual([]);
    await clock.pass(6);
    await world.settled();
    expect(received(collecting).map(({ body }) => JSON.parse(body))).toMatchObject([
      { type: 'digest', data: { cause: null, events: [{}, {}, {}] } },
    ]);
  });
});

describe('alerts that open together', () => {
  /** Creates monitors that aren't behind, each with its own scrape job. */
  async function createMonitors(world: PipelineWorld, gatherJobIds: readonly number[], ruleId: number) {
    const scrapeJobId = await world.createManualJob();
    await world.setVersion(scrapeJobId, '1.0.0');
    for (const gatherJobId of gatherJobIds) await world.createConfig({ scrapeJobId, gatherJobId, ruleId });
    await world.settled();
    return scrapeJobId;
  }

  test('share a message if a release opens them', async () => {
    const world = await createPipelineWorld(server, inbox);
    const gatherJobId = await world.createGatherJob([{ tag: '1.0.0' }]);
    await createMonitors(world, [gatherJobId, gatherJobId], await world.createRule());
    expect(world.receivedEvents()).toEqual([]);
    await world.agent.gather(gatherJobId, [{ tag: '1.0.0' }, { tag: '2.0.0' }]);
    await world.settled();
    expect(world.heardTypes()).toEqual(['digest']);
    expect(digestOf(world.receivedEvents()[0]!)).toMatchObject({
      cause: 'opened_together',
      events: [{}, {}],
    });
  });

  test('share a message if a changed rule opens them', async () => {
    const world = await createPipelineWorld(server, inbox);
    const gatherJobId = await world.createGatherJob([{ tag: '1.0.0' }, { tag: '2.0.0' }]);
    const ruleId = await world.createRule({ thresholds: { moderate: 5 } });
    await createMonitors(world, [gatherJobId, gatherJobId], ruleId);
    await world.api.call('updateRule', { path: { id: ruleId }, body: { thresholds: { moderate: 1 } } });
    await world.settled();
    expect(world.heardTypes()).toEqual(['digest']);
  });

  test.each([
    [3, Array(3).fill('alert.created')],
    [4, ['digest']],
  ])(
    'in one evaluation but for different causes share a message only if at least four open (%i)',
    async (count, expected) => {
      const world = await createPipelineWorld(server, inbox);
      const sources: number[] = [];
      for (let n = 0; n < count; n++) sources.push(await createSource(world, `ghcr.io/acme/${n}`, ['1.0.0']));
      await createMonitors(world, sources, await world.createRule());
      for (const id of sources) await addReleases(db, world.organizationId, id, ['2.0.0']);
      await world.api.call('evaluateRules');
      await world.settled();
      expect(world.heardTypes()).toEqual(expected);
    },
  );
});
