import { afterAll, expect, test } from 'vitest';
import { startTestServer } from '../helpers/test-server.ts';
import { createWebhookInbox } from '../helpers/webhook-inbox.ts';
import {
  createControlledAgent,
  createPipelineWorld,
  daysAgo,
  type ListedRelease,
  rejectionStatus,
} from './pipeline-world.ts';

const inbox = await createWebhookInbox();
afterAll(() => inbox.close());
const server = await startTestServer();

const before: ListedRelease[] = ['1.0.0', '1.1.0'].map((tag) => ({ tag, at: daysAgo(90) }));
const after: ListedRelease[] = [{ tag: '2.0.0', at: daysAgo(1) }, ...before];

/** Creates a job with a system key, which makes the job global, so that all organizations can use it. */
async function createGlobalJob(name: string) {
  const agent = createControlledAgent(server.system);
  const job = await server.system.call('createGatherJob', {
    body: { name, source_type: 'github_releases', artifact_name: `github.com/acme/${name}` },
  });
  await agent.gather(job.id, before);
  return { gatherJobId: job.id, agent };
}

test('a change to a job shared by two organizations reaches the configurations of both, and each is notified in its channel', async () => {
  const { gatherJobId, agent } = await createGlobalJob('shared');
  const worlds = await Promise.all([createPipelineWorld(server, inbox), createPipelineWorld(server, inbox)]);
  const scrapeJobs = [];
  for (const world of worlds) {
    const scrapeJobId = await world.createManualJob();
    const ruleId = await world.createRule();
    for (let index = 0; index < 5; index++) {
      await world.createConfig({ scrapeJobId, gatherJobId, ruleId }, { name: `service ${index}` });
    }
    await world.setVersion(scrapeJobId, '1.0.0');
    await world.settled();
    expect(world.heardTypes()).toEqual([]);
    scrapeJobs.push(scrapeJobId);
  }

  await agent.gather(gatherJobId, after);
  for (const world of worlds) {
    await world.settled();
    const { items } = await world.api.call('listAlerts');
    expect(items.map((alert) => alert.latest_version)).toEqual(Array(5).fill('2.0.0'));
    expect(world.heardTypes()).toEqual(['digest']);
    const { events } = world.receivedEvents()[0]!.body.data as unknown as {
      events: { type: string; data: { alert: { id: number } } }[];
    };
    expect(events.map(({ type }) => type)).toEqual(Array(5).fill('alert.created'));
    const own = events.map(({ data }) => data.alert.id);
    expect(own.toSorted()).toEqual(items.map((alert) => alert.id).toSorted());
    // Organizations that only use the global job can't delete it.
    expect(await rejectionStatus(world.api.call('deleteGatherJob', { path: { id: gatherJobId } }))).toBe(403);
  }

  // A change in one organization doesn't affect the other.
  await worlds[0]!.setVersion(scrapeJobs[0]!, '2.0.0');
  await Promise.all(worlds.map((world) => world.settled()));
  expect((await worlds[0]!.api.call('getAlertSummary')).open).toBe(0);
  expect((await worlds[1]!.api.call('getAlertSummary')).open).toBe(5);
});

test('a run without new releases evaluates nothing and sends no notifications', async () => {
  const { gatherJobId, agent } = await createGlobalJob('unchanged');
  const world = await createPipelineWorld(server, inbox);
  const scrapeJobId = await world.createManualJob();
  const configId = await world.createConfig({ scrapeJobId, gatherJobId, ruleId: await world.createRule() });
  await world.setVersion(scrapeJobId, '1.0.0');
  await world.settled();
  const read = () => world.api.call('getAlertConfig', { path: { id: configId } });
  const { last_evaluated_at } = await read();
  await agent.gather(gatherJobId, before);
  await agent.gather(gatherJobId, before.toReversed());
  await world.settled();
  expect((await read()).last_evaluated_at).toBe(last_evaluated_at);
  expect(world.heardTypes()).toEqual([]);
});

test('a change in the middle of a fan-out also reaches every configuration', async () => {
  const { gatherJobId, agent } = await createGlobalJob('busy');
  const world = await createPipelineWorld(server, inbox);
  const scrapeJobId = await world.createManualJob();
  const ruleId = await world.createRule({ thresholds: { moderate: 1, high: 2, critical: 3 } });
  const ids = [];
  for (let index = 0; index < 20; index++)
    ids.push(await world.createConfig({ scrapeJobId, gatherJobId, ruleId }));
  await world.setVersion(scrapeJobId, '1.0.0');
  await world.settled();
  // The changes follow each other immediately, so the fan-out of the first has hardly started when the next
  // arrives.
  await agent.gather(gatherJobId, after);
  await agent.gather(gatherJobId, [{ tag: '3.0.0', at: daysAgo(1) }, ...after]);
  await agent.gather(gatherJobId, [
    { tag: '4.0.0', at: daysAgo(1) },
    { tag: '3.0.0', at: daysAgo(1) },
    ...after,
  ]);
  await world.settled();
  const { items } = await world.api.call('listAlerts');
  expect(items.map((alert) => alert.alert_config_id).toSorted()).toEqual(ids.toSorted());
  expect(items.map(({ severity, latest_version }) => ({ severity, latest_version }))).toEqual(
    Array(20).fill({ severity: 'critical', latest_version: '4.0.0' }),
  );
});
