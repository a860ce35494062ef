import { sql } from 'kysely';
import { afterAll, expect, test } from 'vitest';
import { startTestServer } from '../helpers/test-server.ts';
import { type FakeRelease, startFakeGithub } from '../helpers/upstreams/fake-github.ts';
import { createWebhookInbox } from '../helpers/webhook-inbox.ts';
import { createPipelineWorld, daysAgo, until } from './pipeline-world.ts';

const github = await startFakeGithub();
const inbox = await createWebhookInbox();
afterAll(() => Promise.all([github.close(), inbox.close()]));
const server = await startTestServer({ PACEKEEPER_EMBEDDED_AGENT: 'true' });

const thresholds = { critical: 1 };

/** Sets the commits of the tags of a repository. Without a commit, GitHub doesn't list the tag. */
function setTags(commits: Readonly<Record<string, string | null>>): void {
  const releases = Object.entries(commits).map(
    ([tag, letter], at): FakeRelease => ({
      tag,
      publishedAt: daysAgo(30 - at),
      ...(letter !== null && { commit: letter.repeat(40) }),
    }),
  );
  github.repositories.set('acme/action', releases);
}

test('a release_integrity rule alerts at the next check after the deployed release changes upstream, until another release is deployed', async () => {
  setTags({ 'v1.0.0': 'a', 'v1.1.0': 'b', 'v1.2.0': null });
  const world = await createPipelineWorld(server, inbox);
  const { api } = world;
  const { id } = await api.call('createGatherJob', {
    body: { name: 'action', source_type: 'github_releases', artifact_name: `${github.host}/acme/action` },
  });
  const path = { id };
  const runNow = async () => {
    const { last_run: before } = await api.call('getGatherJob', { path });
    await api.call('runGatherJob', { path });
    await until('the job has run', async () => {
      const { status, last_run } = await api.call('getGatherJob', { path });
      return status === 'completed' && last_run!.id !== before!.id;
    });
    await world.settled();
  };
  await until('the first run', async () => (await api.call('getGatherJob', { path })).status === 'completed');
  const scrapeJobId = await world.createManualJob();
  const ruleId = await world.createRule({ rule_type: 'release_integrity', thresholds });
  const configId = await world.createConfig({ scrapeJobId, gatherJobId: id, ruleId });
  const stateOf = () => api.call('getAlertConfig', { path: { id: configId } });

  await world.setVersion(scrapeJobId, 'v1.2.0');
  await world.settled();
  expect(await stateOf()).toMatchObject({ state: 'no_data', state_reason: 'release_unchecked' });
  setTags({ 'v1.0.0': 'a', 'v1.1.0': 'b', 'v1.2.0': 'c' });
  await runNow();
  expect(await stateOf()).toMatchObject({ state: 'ok', behind_by: 0 });

  await world.setVersion(scrapeJobId, 'v1.0.0');
  setTags({ 'v1.0.0': 'e', 'v1.1.0': 'b', 'v1.2.0': 'c' });
  await runNow();
  const alert = await world.openAlert();
  expect(alert).toMatchObject({
    severity: 'critical',
    reason: 'release_moved',
    behind_by: 1,
    discovered_version: 'v1.0.0',
    latest_version: 'v1.2.0',
  });
  const { explanation } = await api.call('getAlertConfigExplanation', { path: { id: configId } });
  expect(explanation).toMatchObject({
    release_moves: { count: 1, latest: { from: 'a'.repeat(40), to: 'e'.repeat(40) } },
  });
  const body = {
    rule: { name: 'Integrity', rule_type: 'release_integrity', thresholds },
    gather_job_id: id,
  } as const;
  const preview = (deployed_version: string) =>
    api.call('previewRule', { body: { ...body, deployed_version } });
  expect(await preview('v1.0.0')).toMatchObject({ state: 'alerting', severity: 'critical', behind_by: 1 });
  expect(await preview('v1.1.0')).toMatchObject({ state: 'ok' });
  expect(await preview('v9.0.0')).toMatchObject({ state: 'no_data', state_reason: 'release_unchecked' });
  expect(await api.call('simulateRule', { body: { rule_id: ruleId, days: 1 } })).toMatchObject({
    totals: { alerts: 1, open_at_end: 1 },
  });

  await api.call('resolveAlert', { path: { id: alert!.id } });
  await runNow();
  expect(await world.openAlert()).toBeUndefined();
  setTags({ 'v1.0.0': 'f', 'v1.1.0': 'b', 'v1.2.0': 'c' });
  await runNow();
  expect(await world.openAlert()).toMatchObject({ behind_by: 2 });
  await world.setVersion(scrapeJobId, 'v1.1.0');
  await world.settled();
  expect(await world.openAlert()).toBeUndefined();
  expect(world.heardTypes().filter((type) => type.startsWith('alert.'))).toEqual([
    'alert.created',
    'alert.resolved',
    'alert.created',
    'alert.resolved',
  ]);
  const { rows } = await sql<{ moves: unknown[] }>`
    SELECT moves FROM releases WHERE gather_job_id = ${id} AND tag = 'v1.0.0'`.execute(server.db);
  expect(rows[0]!.moves).toHaveLength(2);
});

test('a threshold of a release_integrity rule is at most the number of stored changes', async () => {
  const world = await createPipelineWorld(server, inbox);
  await expect(
    world.createRule({ rule_type: 'release_integrity', thresholds: { critical: 101 } }),
  ).rejects.toThrow(/at most 100/);
});
