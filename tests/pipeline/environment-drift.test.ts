import { sql } from 'kysely';
import { afterAll, expect, test } from 'vitest';
import { startTestServer } from '../helpers/test-server.ts';
import { createWebhookInbox } from '../helpers/webhook-inbox.ts';
import { createClock, createPipelineWorld, rejectionStatus, until } from './pipeline-world.ts';

const inbox = await createWebhookInbox();
afterAll(() => inbox.close());
const server = await startTestServer();
const clock = createClock(server);
const day = 24 * 60;

async function createServices() {
  const world = await createPipelineWorld(server, inbox);
  const { api } = world;
  const track = async (environment: string, version: string) => {
    const labels = { service: 'web', environment };
    const body = { name: `web in ${environment}`, parser_type: 'manual', labels } as const;
    const { id } = await api.call('createScrapeJob', { body });
    await world.setVersion(id, version);
    return id;
  };
  const staging = await track('staging', '1.0');
  const production = await track('production', '1.0');
  const ruleId = await world.createRule({ rule_type: 'days_behind', thresholds: { moderate: 7 } });
  const body = { environment: 'production', compare_with: 'staging', rule_id: ruleId };
  return { ...world, staging, production, ruleId, body };
}

test('production that stays behind staging opens an alert until staging rolls back or production catches up', async () => {
  const world = await createServices();
  const { api, staging, production, body } = world;
  const planned = await api.call('compareEnvironments', { body: { ...body, dry_run: true } });
  expect(planned).toMatchObject({ created: { gather_jobs: 1, alert_configs: 1 }, existing_count: 0 });
  const made = await api.call('compareEnvironments', { body });
  expect(made.created).toEqual(planned.created);
  const gatherJobId = made.items[0]!.gather_job_id!;
  const configId = made.items[0]!.alert_config_id!;
  const audited = await world.owner.call('listAuditLog', { query: { limit: 2 } });
  expect(audited.items.map(({ action }) => action)).toEqual(['alert_config.created', 'gather_job.created']);
  expect(await api.call('compareEnvironments', { body })).toMatchObject({
    created: {
      gather_jobs: 0,
      alert_configs: 0,
    },
    existing_count: 1,
    items: [
      {
        gather_job_id: gatherJobId,
        alert_config_id: configId,
        is_new: false,
      },
    ],
  });
  const toggle = () => api.call('toggleAlertConfig', { path: { id: configId } });
  await toggle();
  expect(await api.call('compareEnvironments', { body })).toMatchObject({
    created: {
      gather_jobs: 0,
      alert_configs: 0,
    },
    existing_count: 0,
    disabled_count: 1,
    items: [
      {
        alert_config_id: configId,
        is_new: false,
      },
    ],
  });
  await toggle();
  const config = () => api.call('getAlertConfig', { path: { id: configId } });
  const releases = async () => {
    const { items } = await api.call('listReleases', { query: { gather_job_id: gatherJobId } });
    return items.map(({ version, is_withdrawn }) => (is_withdrawn ? `(${version})` : version));
  };
  const pass = async (days: number) => {
    await clock.pass(days * day);
    await until('nothing is overdue', async () => {
      const { next_evaluation_at: next } = await config();
      return next === null || Date.parse(next) > Date.parse(clock.inMinutes(0));
    });
    await world.settled();
  };
  const set = async (id: number, version: string) => {
    await world.setVersion(id, version);
    await world.settled();
  };

  await pass(1);
  await set(staging, '1.1-rc.1');
  // Prereleases deployed to staging count as releases.
  expect(await releases()).toEqual(['1.1-rc.1', '1.0']);
  expect(await config()).toMatchObject({ state: 'ok', latest_version: '1.1-rc.1', behind_by: 0 });
  expect(await config()).toMatchObject({ effective_labels: { environment: 'production', service: 'web' } });
  await pass(8);
  const alert = (await world.openAlert())!;
  expect(alert).toMatchObject({ severity: 'moderate', behind_by: 8, discovered_version: '1.0' });
  expect(alert.labels).toEqual({ environment: 'production', service: 'web' });
  const { items: rows } = await api.call('getEnvironmentMatrix', {});
  expect(rows[0]!.cells.find(({ environment }) => environment === 'production')).toMatchObject({
    severity: 'moderate',
    alert_config_id: configId,
  });

  await set(staging, '1.0');
  expect(await releases()).toEqual(['(1.1-rc.1)', '1.0']);
  expect(await world.openAlert()).toBeUndefined();

  await set(staging, '1.1-rc.1');
  expect(await releases()).toEqual(['1.1-rc.1', '1.0']);
  await pass(6);
  expect(await world.openAlert()).toBeUndefined();
  await pass(2);
  expect(await world.openAlert()).toMatchObject({ severity: 'moderate', behind_by: 8 });
  await set(production, '1.1-rc.1');
  expect(await world.openAlert()).toBeUndefined();
  expect(world.heardTypes()).toEqual(['alert.created', 'alert.resolved', 'alert.created', 'alert.resolved']);

  await set(production, '1.2');
  expect(await config()).toMatchObject({ state: 'ok', state_reason: 'ahead_of_upstream' });
  await set(production, 'b4c614f');
  expect(await config()).toMatchObject({ state: 'no_data', state_reason: 'not_seen_there' });

  // Clearing the releases restores all versions that staging ever had.
  const cleared = await api.call('clearGatherJobReleases', { path: { id: gatherJobId } });
  expect(cleared).toEqual({ deleted: 2 });
  expect(await releases()).toEqual(['1.1-rc.1', '1.0']);
  await api.call('runGatherJob', { path: { id: gatherJobId } });
  expect(await releases()).toEqual(['1.1-rc.1', '1.0']);
});

test('a rolled-back version stays removed when the releases of a source with a short history are rebuilt', async () => {
  const { api, setVersion } = await createPipelineWorld(server, inbox);
  const { id: tracker } = await api.call('createScrapeJob', {
    body: { name: 'web', parser_type: 'manual', history_limit: 2 },
  });
  const source = { source_type: 'deployed_versions', artifact_name: `scrape-job/${tracker}` } as const;
  const { id } = await api.call('createGatherJob', { body: { name: 'web', ...source } });
  const releases = async () => {
    const { items } = await api.call('listReleases', { query: { gather_job_id: id } });
    return items.map(({ version, is_withdrawn }) => (is_withdrawn ? `(${version})` : version));
  };
  const deploy = async (version: string) => {
    await setVersion(tracker, version);
    await clock.pass(1);
  };
  for (const version of ['1.0', '1.1', '1.0']) await deploy(version);
  expect(await releases()).toEqual(['(1.1)', '1.0']);
  // Delete all versions of the scrape job except 1.1 and the second 1.0.
  await sql`DELETE FROM versions WHERE scrape_job_id = ${tracker} AND id NOT IN (
    SELECT id FROM versions WHERE scrape_job_id = ${tracker} ORDER BY id DESC LIMIT 2)`.execute(server.db);
  await api.call('runGatherJob', { path: { id } });
  expect(await releases()).toEqual(['(1.1)', '1.0']);
  await api.call('clearGatherJobReleases', { path: { id } });
  expect(await releases()).toEqual(['(1.1)', '1.0']);
  await deploy('1.1');
  await api.call('runGatherJob', { path: { id } });
  expect(await releases()).toEqual(['1.1', '1.0']);
});

test('commits are compared by the time at which the other environment first had them', async () => {
  const world = await createServices();
  const { api, staging, production, body } = world;
  for (const commit of ['b4c614f', '7014533', 'd7eed0c', 'a7eed0c']) {
    await world.setVersion(staging, commit);
    await clock.pass(10);
  }
  await world.setVersion(production, '7014533');
  const made = await api.call('compareEnvironments', { body });
  await clock.pass(9 * day);
  await world.settled();
  await until('it is evaluated', () => world.openAlert());
  expect(await world.openAlert()).toMatchObject({
    alert_config_id: made.items[0]!.alert_config_id,
    behind_by: 9,
  });
});

test('the status of a source of deployed versions becomes completed with its first version, also in lists', async () => {
  const { api, setVersion } = await createPipelineWorld(server, inbox);
  const { id: tracker } = await api.call('createScrapeJob', { body: { name: 'web', parser_type: 'manual' } });
  const source = { source_type: 'deployed_versions', artifact_name: `scrape-job/${tracker}` } as const;
  const { id, status } = await api.call('createGatherJob', { body: { name: 'web', ...source } });
  const listed = async (status: 'pending' | 'completed') => {
    const { items } = await api.call('listGatherJobs', { query: { status } });
    return items.map((job) => [job.id, job.status]);
  };
  expect([status, await listed('pending'), await listed('completed')]).toEqual([
    'pending',
    [[id, 'pending']],
    [],
  ]);
  await setVersion(tracker, '1.0');
  expect([await listed('pending'), await listed('completed')]).toEqual([[], [[id, 'completed']]]);
  expect(await api.call('getGatherJob', { path: { id } })).toMatchObject({ status: 'completed' });
});

test('deleting a compared job, comparing environments in a circle, and using jobs of other organizations are rejected', async () => {
  const world = await createServices();
  const { api, staging, production, ruleId, body } = world;
  await api.call('compareEnvironments', { body });
  const refused = (call: Promise<unknown>) => rejectionStatus(call);
  expect(
    await refused(api.call('deleteScrapeJob', { path: { id: staging }, query: { cascade: true } })),
  ).toBe(409);
  expect(
    await refused(
      api.call('compareEnvironments', {
        body: { environment: 'staging', compare_with: 'production', rule_id: ruleId },
      }),
    ),
  ).toBe(400);
  const { items } = await api.call('listGatherJobs', {});
  // The rejected requests have created nothing.
  expect(items.map(({ artifact_name }) => artifact_name)).toEqual([`scrape-job/${staging}`]);

  const create = (of: { api: typeof api }, artifact_name: string, fields: object = {}) =>
    of.api.call('createGatherJob', {
      body: { name: 'other', source_type: 'deployed_versions', artifact_name, ...fields },
    });
  const other = await server.createOrganization();
  const ofOther = await create(other, `scrape-job/${production}`).catch((error: unknown) => error);
  const ofNobody = await create(other, 'scrape-job/999999999').catch((error: unknown) => error);
  expect(ofOther).toMatchObject({ status: 400 });
  expect(String(ofOther)).toBe(String(ofNobody));
  for (const artifact of [
    'scrape-job/0',
    'scrape-job/1/2',
    `job/${staging}`,
    'scrape-job/99999999999999999999',
  ])
    expect(await refused(create(world, artifact)), artifact).toBe(400);
  expect(await refused(create(world, `scrape-job/${staging}`, { cron_expression: '@daily' }))).toBe(400);
  const update = (body: object) => api.call('updateGatherJob', { path: { id: items[0]!.id }, body });
  expect(await refused(update({ artifact_name: `scrape-job/${production}` }))).toBe(400);
  await update({ name: 'renamed', version_scheme: 'semver' });

  await api.call('deleteGatherJob', { path: { id: items[0]!.id }, query: { cascade: true } });
  await api.call('deleteScrapeJob', { path: { id: staging } });
});

test('environments can be compared in an organization with an ID beyond 32 bits', async () => {
  await sql`SELECT setval(pg_get_serial_sequence('organizations', 'id'), ${2 ** 40})`.execute(server.db);
  const { api, body } = await createServices();
  const made = await api.call('compareEnvironments', { body });
  expect(made.created).toEqual({ gather_jobs: 1, alert_configs: 1 });
});
