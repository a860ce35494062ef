import { sql } from 'kysely';
import { afterAll, expect, test } from 'vitest';
import { startTestServer } from '../helpers/test-server.ts';
import { startFakeGithub } from '../helpers/upstreams/fake-github.ts';
import { createWebhookInbox } from '../helpers/webhook-inbox.ts';
import { createPipelineWorld, daysAgo, until } from './pipeline-world.ts';

const github = await startFakeGithub();
const inbox = await createWebhookInbox();
afterAll(() => Promise.all([github.close(), inbox.close()]));
const server = await startTestServer({ PACEKEEPER_EMBEDDED_AGENT: 'true' });
const { db } = server;

test('an archived repository opens an alert with the highest severity, and unarchiving it resolves the alert', async () => {
  github.repositories.set('acme/app', [{ tag: '1.0.0', publishedAt: daysAgo(10) }]);
  const world = await createPipelineWorld(server, inbox);
  const { api } = world;
  const { id } = await api.call('createGatherJob', {
    body: { name: 'app', source_type: 'github_releases', artifact_name: `${github.host}/acme/app` },
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
  expect(await api.call('getGatherJob', { path })).toMatchObject({ is_archived: false });
  const scrapeJobId = await world.createManualJob();
  const ruleId = await world.createRule({
    rule_type: 'upstream_silent',
    thresholds: {
      moderate: 180,
      critical: 730,
    },
  });
  const configId = await world.createConfig({ scrapeJobId, gatherJobId: id, ruleId });
  await world.setVersion(scrapeJobId, '1.0.0');
  await world.settled();
  expect(await world.openAlert()).toBeUndefined();

  github.archived.add('acme/app');
  // The archived state was checked less than a week ago, so this run doesn't check it.
  await runNow();
  expect(await api.call('getGatherJob', { path })).toMatchObject({ is_archived: false });
  const pass = () =>
    sql`UPDATE gather_jobs SET archived_checked_at = archived_checked_at - interval '8 days'`.execute(db);
  await pass();
  const requests = github.requests.length;
  await runNow();
  // The run sends three requests: for the commits of the tags, the releases, and the repository.
  expect(github.requests.length - requests).toBe(3);
  const alert = await world.openAlert();
  expect(alert).toMatchObject({ severity: 'critical', reason: 'upstream_silent', behind_by: 10 });
  expect(await api.call('getAlert', { path: { id: alert!.id } })).toMatchObject({
    gather_job: { is_archived: true },
  });
  const { explanation } = await api.call('getAlertConfigExplanation', { path: { id: configId } });
  expect(explanation).toMatchObject({ is_archived: true, severity: 'critical', next_change_at: null });
  expect((await api.call('getForecast', { query: { days: 365 } })).total).toBe(0);

  github.archived.clear();
  await pass();
  await runNow();
  expect(await world.openAlert()).toBeUndefined();
  expect(world.heardTypes()).toEqual(['alert.created', 'alert.resolved']);

  // Changing the repository resets the archived state.
  github.archived.add('acme/app');
  await pass();
  await runNow();
  await api.call('updateGatherJob', { path, body: { is_active: false } });
  await api.call('updateGatherJob', { path, body: { artifact_name: `${github.host}/acme/other` } });
  expect(await api.call('getGatherJob', { path })).toMatchObject({ is_archived: null });
});
