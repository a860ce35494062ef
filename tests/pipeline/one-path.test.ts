import { afterAll, expect, test } from 'vitest';
import type { Schemas } from '../../src/generated/client-api.ts';
import { sharedTestServer } from '../helpers/test-server.ts';
import { createWebhookInbox } from '../helpers/webhook-inbox.ts';
import { createPipelineWorld, daysAgo, type ReceivedEvent } from './pipeline-world.ts';

const inbox = await createWebhookInbox();
afterAll(() => inbox.close());
const server = await sharedTestServer();

const releases = [
  { tag: 'v3.0.0', at: daysAgo(20) },
  { tag: 'v2.1.0', at: daysAgo(100) },
  { tag: 'v1.0.0', at: daysAgo(400) },
];

/** Returns the fields that two alerts share if only their jobs differ. */
function comparable(alert: Schemas['Alert']) {
  const own = [
    'id',
    'alert_config_id',
    'alert_config_name',
    'repository_url',
    'target_file',
    'created_at',
    'updated_at',
  ];
  return Object.fromEntries(Object.entries(alert).filter(([field]) => !own.includes(field)));
}

function comparableEvent({ body }: ReceivedEvent) {
  const { alert, event, is_acknowledged, actor, organization } = body.data;
  const own = ['id', 'url', 'notes_url', 'config_name', 'repository_url', 'target_file'];
  return {
    type: body.type,
    fields: Object.keys(body.data),
    rest: { event, is_acknowledged, actor, organization },
    alert: Object.fromEntries(Object.entries(alert).filter(([field]) => !own.includes(field))),
  };
}

async function createBoth() {
  const world = await createPipelineWorld(server, inbox);
  const gatherJobId = await world.createGatherJob(releases);
  const ruleId = await world.createRule({ thresholds: { moderate: 1, high: 2 } });
  const byHand = await world.createManualJob({ version_transform: 'add_v_lower' });
  const { id: scraped } = await world.api.call('createScrapeJob', {
    body: {
      name: 'from a file',
      parser_type: 'yq',
      repository_url: 'https://github.com/acme/deploy.git',
      target_file: 'values.yaml',
      parse_expression: '.image.tag',
      version_transform: 'add_v_lower',
    },
  });
  const handConfigId = await world.createConfig(
    { scrapeJobId: byHand, gatherJobId, ruleId },
    { name: 'by hand' },
  );
  const scrapedConfigId = await world.createConfig(
    { scrapeJobId: scraped, gatherJobId, ruleId },
    { name: 'scraped' },
  );
  const alertOf = async (configId: number) => {
    const { items } = await world.api.call('listAlerts');
    return items.find((alert) => alert.alert_config_id === configId);
  };
  return { ...world, byHand, scraped, handConfigId, scrapedConfigId, alertOf };
}

test('a version set manually opens the same alert as a scraped one', async () => {
  const world = await createBoth();
  await world.setVersion(world.byHand, '1.0.0');
  await world.agent.scrape(world.scraped, '1.0.0');
  await world.settled();

  const fromHand = (await world.alertOf(world.handConfigId))!;
  const fromFile = (await world.alertOf(world.scrapedConfigId))!;
  expect(comparable(fromHand)).toEqual(comparable(fromFile));
  expect(fromHand).toMatchObject({
    severity: 'high',
    behind_by: 2,
    discovered_version: 'v1.0.0',
    latest_version: 'v3.0.0',
  });
  expect(fromFile).toMatchObject({
    repository_url: 'https://github.com/acme/deploy.git',
    target_file: 'values.yaml',
  });

  const events = world.receivedEvents();
  expect(events).toHaveLength(2);
  expect(comparableEvent(events[0]!)).toEqual(comparableEvent(events[1]!));
  expect(await world.trail(fromHand.id)).toEqual(await world.trail(fromFile.id));
  const versions = await Promise.all(
    [world.byHand, world.scraped].map((id) => world.api.call('listScrapeJobVersions', { path: { id } })),
  );
  expect(
    versions.map(({ items }) =>
      items.map(({ version, raw_version, is_change }) => ({ version, raw_version, is_change })),
    ),
  ).toEqual([
    [{ version: 'v1.0.0', raw_version: '1.0.0', is_change: true }],
    [{ version: 'v1.0.0', raw_version: '1.0.0', is_change: true }],
  ]);
});

test('manual and scraped versions cause the same alert changes: less severe, more severe, unchanged, and resolved', async () => {
  const world = await createBoth();
  for (const version of ['1.0.0', '2.1.0', '1.0.0', '1.0.0', '3.0.0']) {
    await world.setVersion(world.byHand, version);
    await world.agent.scrape(world.scraped, version);
    await world.settled();
    const [fromHand, fromFile] = await Promise.all([
      world.alertOf(world.handConfigId),
      world.alertOf(world.scrapedConfigId),
    ]);
    const at = (alert: typeof fromHand) =>
      alert && { ...comparable(alert), escalated_at: alert.escalated_at !== null };
    expect(at(fromHand), version).toEqual(at(fromFile));
  }
  const typesOf = (name: string) =>
    world
      .receivedEvents()
      .filter((event) => event.body.data.alert['config_name'] === name)
      .map((event) => event.type);
  expect(typesOf('by hand')).toEqual(['alert.created', 'alert.escalated', 'alert.resolved']);
  expect(typesOf('scraped')).toEqual(typesOf('by hand'));
});

test('a repeated version opens no second alert and sends no second event', async () => {
  const world = await createBoth();
  for (let round = 0; round < 3; round++) {
    await world.setVersion(world.byHand, '1.0.0');
    await world.agent.scrape(world.scraped, '1.0.0');
  }
  await world.settled();
  expect(world.heardTypes()).toEqual(['alert.created', 'alert.created']);
  expect((await world.api.call('listResolvedAlerts')).total).toBe(0);
});
