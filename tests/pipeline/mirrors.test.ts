import { sql } from 'kysely';
import { afterAll, describe, expect, test } from 'vitest';
import type { Schemas } from '../../src/generated/client-api.ts';
import { addReleases } from '../helpers/monitored.ts';
import { startTestServer } from '../helpers/test-server.ts';
import { createWebhookInbox } from '../helpers/webhook-inbox.ts';
import { createClock, createPipelineWorld } from './pipeline-world.ts';

const inbox = await createWebhookInbox();
afterAll(() => inbox.close());
const server = await startTestServer();
const clock = createClock(server);
const releases = ['1.0.0', '2.0.0', '3.0.0'].map((tag, at) => ({ tag, at: clock.daysAgo(400 - at * 100) }));
const mirrorAlias = {
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

test('an alias that marks a source as a mirror changes an OK state to no data, until the alias is deleted', async () => {
  const { api, settled, read, original } = await createWatched('3.0.0');
  expect(await read()).toMatchObject({ state: 'ok', mirror_of: null });
  const { id } = await api.call('createArtifactAlias', { body: mirrorAlias });
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
  await api.call('createArtifactAlias', { body: mirrorAlias });
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
  await api.call('createArtifactAlias', { body: mirrorAlias });
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

type World = Awaited<ReturnType<typeof createPipelineWorld>>;
type Source = Pick<Schemas['CreateGatherJobRequest'], 'source_type' | 'artifact_name'>;

/** Creates a disabled gather job with releases, as if they had been gathered. */
async function createRead({ api, organizationId }: World, source: Source, versions: readonly string[]) {
  const { id } = await api.call('createGatherJob', {
    body: { name: source.artifact_name, is_active: false, ...source },
  });
  await addReleases(server.db, organizationId, id, versions);
  await sql`UPDATE gather_jobs SET last_success_at = pacekeeper_now() WHERE id = ${id}`.execute(server.db);
  return id;
}

/** Creates a monitor of the deployed version, and returns a function that evaluates and reads it. */
async function monitor(world: World, gatherJobId: number, version: string) {
  const scrapeJobId = await world.createManualJob();
  await world.setVersion(scrapeJobId, version);
  const id = await world.createConfig({ scrapeJobId, gatherJobId, ruleId: await world.createRule() });
  return async () => {
    await world.settled();
    return world.api.call('getAlertConfig', { path: { id } });
  };
}

const image = {
  original: { source_type: 'oci_registry', artifact_name: 'docker.io/library/redis' },
  copy: { source_type: 'oci_registry', artifact_name: 'harbor.acme.dev/hub/library/redis' },
  alias: { prefix: 'harbor.acme.dev/hub/', upstream_prefix: 'docker.io/' },
} as const;

describe('the newest version in a mirror', () => {
  test.each([
    ['an image', image],
    [
      'a chart in a registry',
      {
        original: { source_type: 'oci_registry', artifact_name: 'ghcr.io/acme/charts/app' },
        copy: { source_type: 'oci_registry', artifact_name: 'harbor.acme.dev/ghcr/acme/charts/app' },
        alias: { prefix: 'harbor.acme.dev/ghcr/', upstream_prefix: 'ghcr.io/' },
      },
    ],
    [
      'a chart in a Helm repository',
      {
        original: { source_type: 'helm_repository', artifact_name: 'charts.jetstack.io/cert-manager' },
        copy: { source_type: 'helm_repository', artifact_name: 'charts.acme.dev/jetstack/cert-manager' },
        alias: { prefix: 'charts.acme.dev/jetstack/', upstream_prefix: 'charts.jetstack.io/' },
      },
    ],
    [
      'a Git repository',
      {
        original: { source_type: 'git_tags', artifact_name: 'https://git.example.org/acme/app.git' },
        copy: { source_type: 'git_tags', artifact_name: 'https://git.acme.dev/mirrors/acme/app.git' },
        alias: { prefix: 'git.acme.dev/mirrors/', upstream_prefix: 'git.example.org/' },
      },
    ],
    [
      'a Git repository that is read with SSH',
      {
        original: { source_type: 'git_tags', artifact_name: 'ssh://git@git.example.org:2222/acme/app.git' },
        copy: { source_type: 'git_tags', artifact_name: 'https://git.acme.dev/mirrors/acme/app.git' },
        alias: { prefix: 'git.acme.dev/mirrors/', upstream_prefix: 'git.example.org/' },
      },
    ],
    [
      'a Git repository on a forge that ignores case',
      {
        original: { source_type: 'git_tags', artifact_name: 'ssh://git@gitlab.com/Acme/App.git' },
        copy: { source_type: 'git_tags', artifact_name: 'https://git.acme.dev/mirrors/acme/app.git' },
        alias: { prefix: 'git.acme.dev/mirrors/', upstream_prefix: 'gitlab.com/' },
      },
    ],
    [
      'the releases of a forge',
      {
        original: { source_type: 'github_releases', artifact_name: 'github.com/acme/app' },
        copy: { source_type: 'git_tags', artifact_name: 'https://git.acme.dev/github/acme/app.git' },
        alias: { prefix: 'git.acme.dev/github/', upstream_prefix: 'github.com/' },
      },
    ],
  ] as const)('is shown next to the latest release: %s', async (_, { original, copy, alias }) => {
    const world = await createPipelineWorld(server, inbox);
    const { api } = world;
    const originalId = await createRead(world, original, ['1.26.0', '1.27.0', '1.29.0']);
    const read = await monitor(world, originalId, '1.29.0');
    expect(await read()).toMatchObject({ state: 'ok', latest_version: '1.29.0', mirror: null });
    await api.call('createArtifactAlias', { body: { name: 'Mirror', ...alias } });
    const copyId = await createRead(world, copy, ['1.26.0', '1.27.0', '1.28.0-acme']);
    await api.call('evaluateRules');
    const expected = {
      gather_job_id: copyId,
      name: copy.artifact_name,
      artifact_name: copy.artifact_name,
      version: '1.27.0',
      failing_since: null,
    };
    expect(await read()).toMatchObject({
      state: 'ok',
      latest_version: '1.29.0',
      mirror_of: null,
      mirror: expected,
    });
    expect(await api.call('getGatherJob', { path: { id: originalId } })).toMatchObject({
      mirror: { gather_job_id: copyId },
    });
    await api.call('deleteGatherJob', { path: { id: copyId } });
    expect(await read()).toMatchObject({ state: 'ok', latest_version: '1.29.0', mirror: null });
  });

  test('of a global job is shown only to the organization that has the mirror', async () => {
    const [world, other] = [
      await createPipelineWorld(server, inbox),
      await createPipelineWorld(server, inbox),
    ];
    const global = await server.system.call('createGatherJob', {
      body: { name: 'Redis', is_active: false, ...image.original },
    });
    await addReleases(server.db, 1, global.id, ['7.2.0', '7.4.0']);
    const reads = [await monitor(world, global.id, '7.4.0'), await monitor(other, global.id, '7.4.0')];
    await world.api.call('createArtifactAlias', { body: { name: 'Mirror', ...image.alias } });
    await createRead(world, image.copy, ['7.2.0']);
    await world.api.call('evaluateRules');
    await other.api.call('evaluateRules');
    expect(await reads[0]!()).toMatchObject({ state: 'ok', mirror: { version: '7.2.0' } });
    expect(await reads[1]!()).toMatchObject({ state: 'ok', mirror: null });
  });

  test('a mirror is shown only while an alias marks its source as a mirror', async () => {
    const world = await createPipelineWorld(server, inbox);
    const originalId = await createRead(world, image.original, ['7.4.0']);
    const copyId = await createRead(world, image.copy, ['7.4.0']);
    const read = await monitor(world, originalId, '7.4.0');
    const { id } = await world.api.call('createArtifactAlias', { body: { name: 'Mirror', ...image.alias } });
    expect(await read()).toMatchObject({ mirror: { gather_job_id: copyId, version: '7.4.0' } });
    await world.api.call('deleteArtifactAlias', { path: { id } });
    expect(await read()).toMatchObject({ mirror: null });
  });
});
