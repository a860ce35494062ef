import { afterAll, expect, test } from 'vitest';
import { startTestServer } from '../helpers/test-server.ts';
import { createWebhookInbox } from '../helpers/webhook-inbox.ts';
import { createClock, createPipelineWorld } from './pipeline-world.ts';

const inbox = await createWebhookInbox();
afterAll(() => inbox.close());
const server = await startTestServer();
const clock = createClock(server);
const releases = ['1.0.0', '2.0.0', '3.0.0'].map((tag, at) => ({ tag, at: clock.daysAgo(400 - at * 100) }));
const mirror = {
  name: 'Mirror',
  prefix: 'github.com/acme/',
  upstream_prefix: 'git.example.org/acme/',
};

async function createWatched(version: string) {
  const world = await createPipelineWorld(server, inbox);
  const ids = await world.createWatched({ releases, version });
  return {
    ...world,
    ...ids,
    original: `https://git.example.org/acme/nginx-${world.organizationId}`,
    read: () => world.api.call('getAlertConfig', { path: { id: ids.configId } }),
  };
}

test('an alias of a mirror takes back an ok that the mirror seemed to confirm, until the alias is deleted', async () => {
  const { api, settled, read, original } = await createWatched('3.0.0');
  expect(await read()).toMatchObject({ state: 'ok', mirror_of: null });
  const { id } = await api.call('createArtifactAlias', { body: mirror });
  await settled();
  expect(await read()).toMatchObject({
    state: 'no_data',
    state_reason: 'mirror_only',
    behind_by: null,
    latest_version: '3.0.0',
    mirror_of: original,
  });
  await api.call('deleteArtifactAlias', { path: { id } });
  await settled();
  expect(await read()).toMatchObject({ state: 'ok', state_reason: null, mirror_of: null });
});

test('a higher release in a mirror opens an alert, which stays open until someone resolves it', async () => {
  const { api, setVersion, settled, read, openAlert, scrapeJobId, original } = await createWatched('3.0.0');
  await api.call('createArtifactAlias', { body: mirror });
  await setVersion(scrapeJobId, '1.0.0');
  await settled();
  expect(await read()).toMatchObject({ state: 'alerting', latest_version: '3.0.0', mirror_of: original });
  await setVersion(scrapeJobId, '3.0.0');
  await settled();
  expect(await read()).toMatchObject({ state: 'stale', state_reason: 'mirror_only' });
  const alert = await openAlert();
  await api.call('resolveAlert', { path: { id: alert!.id } });
  await api.call('evaluateRules');
  expect(await read()).toMatchObject({ state: 'no_data', state_reason: 'mirror_only', severity: null });
});

test('a preview of a rule with a mirror has the same result as an evaluation', async () => {
  const { api, settled, read, gatherJobId, configId } = await createWatched('3.0.0');
  await api.call('createArtifactAlias', { body: mirror });
  await settled();
  const { state, state_reason, severity, behind_by } = await read();
  const { explanation } = await api.call('getAlertConfigExplanation', { path: { id: configId } });
  expect(state_reason).toBe('mirror_only');
  expect(
    await api.call('previewRule', {
      body: {
        rule: { rule_type: 'majors_behind', thresholds: { moderate: 1 } },
        deployed_version: '3.0.0',
        gather_job_id: gatherJobId,
      },
    }),
  ).toEqual({ state, state_reason, severity, behind_by, explanation });
});
