import { afterEach, describe, expect, test } from 'vitest';
import { ApiCallError } from '../../src/client/api-call-error.ts';
import { createApiClient } from '../../src/client/api-client.ts';
import { type SettingKey, setGlobalSetting, settingDefinitions } from '../../src/modules/settings/index.ts';
import { sharedSandbox } from '../helpers/shared-sandbox.ts';
import { startTestServer, type TestOrganization } from '../helpers/test-server.ts';

const server = await startTestServer();
const sandbox = sharedSandbox({ workers: 1, deadlineMs: 10_000, maxHeapMb: 64 });

const changed = new Set<SettingKey>();

async function setLimit(key: SettingKey, value: number): Promise<void> {
  changed.add(key);
  await setGlobalSetting({ db: server.db, sandbox }, key, value);
}

afterEach(async () => {
  for (const key of changed) await setGlobalSetting({ db: server.db, sandbox }, key, undefined);
  changed.clear();
});

async function rejection(work: Promise<unknown>): Promise<ApiCallError> {
  const error: unknown = await work.then(
    () => null,
    (reason: unknown) => reason,
  );
  if (!(error instanceof ApiCallError)) throw new Error(`expected an error of the API, not ${String(error)}`);
  return error;
}

const inAnHour = () => new Date(Date.now() + 3_600_000).toISOString();

const team = { label_matchers: [{ label: 'team', operator: '=' as const, value: 'shop' }] };

/** Functions by limit. Each creates one more of the resources that the limit applies to. */
const creations: Readonly<
  Record<string, (organization: TestOrganization, index: number) => Promise<unknown>>
> = {
  'limits.hooks': ({ api }, index) =>
    api.call('createHook', { body: { name: `hook ${index}`, kind: 'github' } }),
  'limits.freshness_targets': ({ api }, index) =>
    api.call('createFreshnessTarget', {
      body: { name: `target ${index}`, metric: 'exposure_days', limit: 90, ...team },
    }),
  'limits.silences': ({ api }, index) =>
    api.call('createSilence', { body: { ...team, reason: `silence ${index}`, ends_at: inAnHour() } }),
  'limits.agents': async ({ owner }, index) => {
    const { key } = await owner.call('createAPIKey', { body: { name: `agent ${index}`, role: 'agent' } });
    await createApiClient({ baseUrl: server.url, apiKey: key }).call('sendHeartbeat', {
      body: {
        name: `agent ${index}`,
        hostname: 'host',
        version: '1',
        capabilities: ['gather:http_json'],
        credential_names: [],
        running: [],
      },
    });
  },
};

describe.each(Object.entries(creations))('the setting %s', (key, create) => {
  test('limits each organization, is mentioned in the error, and can be raised by the operator', async () => {
    const organization = await server.createOrganization();
    await setLimit(key as SettingKey, 2);
    await create(organization, 1);
    await create(organization, 2);
    expect(await rejection(create(organization, 3))).toMatchObject({
      status: 409,
      detail: expect.stringContaining(`at most 2 `),
    });
    expect((await rejection(create(organization, 3))).detail).toContain(`(${key})`);
    await create(await server.createOrganization(), 1);
    await setLimit(key as SettingKey, 3);
    await create(organization, 3);
  });
});

const limitKeys = (Object.keys(settingDefinitions) as SettingKey[]).filter((key) =>
  key.startsWith('limits.'),
);

test.each(limitKeys)('an organization sees the setting %s but cannot override it', async (key) => {
  const { api, owner } = await server.createOrganization();
  const { items } = await api.call('listEffectiveSettings');
  expect(items.find((setting) => setting.key === key)).toMatchObject({
    value: settingDefinitions[key].default,
    scope: 'global',
    is_overridable: false,
  });
  expect(await rejection(owner.call('putOrgOverride', { path: { key }, body: { value: 7 } }))).toMatchObject({
    status: 403,
    detail: `Only the operator can change ${key}, with \`pacekeeper admin set-setting\`.`,
  });
  expect(
    await rejection(owner.call('planConfiguration', { body: { settings: { [key]: 7 } } })),
  ).toMatchObject({
    status: 400,
    errors: [
      {
        field: `settings.${key}`,
        message: `only the operator can change the setting "${key}", with 'pacekeeper admin set-setting'.`,
      },
    ],
  });
});

test('a configuration with more freshness targets than the setting allows is rejected before it is applied', async () => {
  const { owner } = await server.createOrganization();
  await setLimit('limits.freshness_targets', 1);
  const target = (name: string) => ({ name, metric: 'exposure_days', limit: 90, ...team });
  const body = { freshness_targets: [target('a'), target('b')] };
  expect(await rejection(owner.call('planConfiguration', { body }))).toMatchObject({
    errors: [
      {
        field: 'freshness_targets',
        message:
          'the organization would have 2 freshness targets. It can have at most 1 (limits.freshness_targets).',
      },
    ],
  });
});

async function deploy({ api }: TestOrganization, environment: string, name: string): Promise<void> {
  const { id } = await api.call('createScrapeJob', {
    body: { name, parser_type: 'manual', labels: { service: 'web', environment } },
  });
  await api.call('setScrapeJobVersion', { path: { id }, body: { version: '1.0.0' } });
}

test('a comparison that exceeds a limit on environments or scrape jobs is marked as incomplete, and one within the limits as complete', async () => {
  const organization = await server.createOrganization();
  const { api } = organization;
  for (const environment of ['a', 'b', 'c']) await deploy(organization, environment, `web in ${environment}`);
  await deploy(organization, 'a', 'web in a, again');
  const read = async () => {
    const [matrix, promotions] = await Promise.all([
      api.call('getEnvironmentMatrix', {}),
      api.call('listPromotions', {}),
    ]);
    return {
      environments: matrix.environments,
      areComplete: [matrix.is_complete, promotions.is_complete],
      rowsAreComplete: [matrix.items[0]!.is_complete, promotions.items[0]!.is_complete],
      jobs: matrix.items[0]!.cells.flatMap(({ versions }) => versions.flatMap((each) => each.scrape_job_ids))
        .length,
    };
  };
  await setLimit('limits.environments', 3);
  await setLimit('limits.service_jobs', 4);
  expect(await read()).toEqual({
    environments: ['a', 'b', 'c'],
    areComplete: [true, true],
    rowsAreComplete: [true, true],
    jobs: 4,
  });
  await setLimit('limits.environments', 2);
  expect(await read()).toMatchObject({ environments: ['a', 'b'], areComplete: [false, false], jobs: 3 });
  await setLimit('limits.environments', 3);
  await setLimit('limits.service_jobs', 3);
  expect(await read()).toMatchObject({ areComplete: [true, true], rowsAreComplete: [false, false], jobs: 3 });
});

test('a simulation excludes the monitors beyond the limit, and returns their number', async () => {
  const { api } = await server.createOrganization();
  const rule = await api.call('createRule', {
    body: { name: 'Majors', rule_type: 'majors_behind', thresholds: { high: 1 } },
  });
  const gatherJob = await api.call('createGatherJob', {
    body: { name: 'web', source_type: 'github_releases', artifact_name: 'acme/web', is_active: false },
  });
  for (const name of ['a', 'b', 'c']) {
    const { id } = await api.call('createScrapeJob', { body: { name, parser_type: 'manual' } });
    await api.call('createAlertConfig', {
      body: { name, rule_id: rule.id, scrape_job_id: id, gather_job_id: gatherJob.id },
    });
  }
  const simulate = async () => {
    const { configs, left_out, is_complete } = await api.call('simulateRule', { body: { rule_id: rule.id } });
    const cut = left_out.find(({ reason }) => reason === 'limit')?.count ?? 0;
    const messages = await api.call('simulateNotificationRules', { body: {} });
    return { configs, cut, is_complete, areMessagesComplete: messages.is_complete };
  };
  expect(await simulate()).toMatchObject({ configs: 3, cut: 0, areMessagesComplete: true });
  await setLimit('limits.simulated_configs', 2);
  expect(await simulate()).toEqual({ configs: 3, cut: 1, is_complete: false, areMessagesComplete: false });
});
