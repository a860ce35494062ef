import { sql } from 'kysely';
import { afterAll, describe, expect, test } from 'vitest';
import { sharedTestServer } from '../helpers/test-server.ts';
import { createWebhookInbox } from '../helpers/webhook-inbox.ts';
import { createPipelineWorld, daysAgo } from './pipeline-world.ts';

const inbox = await createWebhookInbox();
afterAll(() => inbox.close());
const server = await sharedTestServer();

const releases = [
  { tag: 'v2.0.0', at: daysAgo(20) },
  { tag: 'v1.0.0', at: daysAgo(400) },
];

/**
 * Creates a scrape job with a deployed version, 1.0.0 by default, and an alert configuration that evaluates
 * it.
 */
async function createWatched(kind: 'manual' | 'file', version = '1.0.0') {
  const world = await createPipelineWorld(server, inbox);
  const gatherJobId = await world.createGatherJob(releases);
  const ruleId = await world.createRule();
  const { id } = await world.api.call('createScrapeJob', {
    body:
      kind === 'manual'
        ? { name: 'Manual', parser_type: 'manual' }
        : {
            name: 'From a file',
            parser_type: 'yq',
            repository_url: 'https://git.example.org/acme/deploy.git',
            target_file: 'values.yaml',
            parse_expression: '.image.tag',
          },
  });
  if (kind === 'manual') await world.setVersion(id, version);
  else await world.agent.scrape(id, version);
  const configId = await world.createConfig({ scrapeJobId: id, gatherJobId, ruleId });
  await world.settled();
  const path = { id };
  return {
    ...world,
    path,
    readConfig: () => world.api.call('getAlertConfig', { path: { id: configId } }),
    readVersions: async () => (await world.api.call('listScrapeJobVersions', { path })).items,
  };
}

describe.each(['manual', 'file'] as const)('a changed transform of a %s job', (kind) => {
  test('applies to the newest raw version immediately, which records and evaluates a new version', async () => {
    const { api, path, settled, readConfig, readVersions } = await createWatched(kind);
    expect(await readConfig()).toMatchObject({ deployed_version: '1.0.0' });
    const job = await api.call('updateScrapeJob', { path, body: { version_transform: 'add_v_lower' } });
    expect(job.latest_version).toBe('v1.0.0');
    expect(await readVersions()).toMatchObject([
      { version: 'v1.0.0', raw_version: '1.0.0', version_transform: 'add_v_lower', is_change: true },
      { version: '1.0.0', raw_version: '1.0.0', version_transform: 'none' },
    ]);
    await settled();
    expect(await readConfig()).toMatchObject({ deployed_version: 'v1.0.0', state: 'alerting' });
  });

  test('is rejected without any changes if it results in an empty version', async () => {
    const { api, path, readVersions } = await createWatched(kind, 'v');
    await expect(
      api.call('updateScrapeJob', { path, body: { name: 'Other', version_transform: 'strip_v_lower' } }),
    ).rejects.toMatchObject({ status: 400, errors: [{ field: 'version_transform' }] });
    expect(await api.call('getScrapeJob', { path })).toMatchObject({
      version_transform: 'none',
      latest_version: 'v',
    });
    expect(await readVersions()).toHaveLength(1);
  });
});

test('a changed transform of a job without a version records nothing', async () => {
  const world = await createPipelineWorld(server, inbox);
  const path = { id: await world.createManualJob() };
  await world.api.call('updateScrapeJob', { path, body: { version_transform: 'add_v_upper' } });
  expect((await world.api.call('listScrapeJobVersions', { path })).total).toBe(0);
});

test('a changed transform does not count as a successful run, so a failing job remains failing', async () => {
  const { api, path, settled, readConfig } = await createWatched('file');
  await sql`UPDATE scrape_jobs SET failing_since = pacekeeper_now() WHERE id = ${path.id}`.execute(server.db);
  await api.call('updateScrapeJob', { path, body: { version_transform: 'add_v_lower' } });
  await settled();
  expect(await readConfig()).toMatchObject({ state: 'stale', state_reason: 'source_failing' });
});

test('a job whose source changes together with its transform keeps its version until its next run', async () => {
  const { api, path, agent, readVersions } = await createWatched('file');
  const body = { version_transform: 'add_v_lower', target_file: 'other.yaml' } as const;
  expect(await api.call('updateScrapeJob', { path, body })).toMatchObject({ latest_version: '1.0.0' });
  await agent.scrape(path.id, '3.0.0');
  expect((await readVersions()).map(({ version }) => version)).toEqual(['v3.0.0', '1.0.0']);
});

test('the status of a manual job is pending until the job has a version, and completed afterward, also in lists', async () => {
  const world = await createPipelineWorld(server, inbox);
  const path = { id: await world.createManualJob() };
  const listed = async (status: 'pending' | 'completed' | 'in_progress' | 'failed') =>
    (await world.api.call('listScrapeJobs', { query: { status } })).items.map(({ id }) => id);
  expect(await world.api.call('getScrapeJob', { path })).toMatchObject({ status: 'pending' });
  expect([await listed('pending'), await listed('completed')]).toEqual([[path.id], []]);
  await world.setVersion(path.id, '1.0.0');
  expect(await world.api.call('getScrapeJob', { path })).toMatchObject({ status: 'completed' });
  expect([await listed('pending'), await listed('completed')]).toEqual([[], [path.id]]);
  expect([await listed('failed'), await listed('in_progress')]).toEqual([[], []]);
});
