import { sql } from 'kysely';
import { afterAll, describe, expect, test } from 'vitest';
import type { OperationId } from '../../src/generated/operations.ts';
import { requestFields } from '../../src/generated/request-fields.ts';
import { startTestServer } from '../helpers/test-server.ts';
import { type Call, type Credential, callOperation } from './calls.ts';
import { findResponseViolation } from './check-response.ts';
import { startContractInbox } from './contract-inbox.ts';
import { contractOperations, type Json, operationOf } from './contract-operations.ts';
import { loginProviderEnvironment } from './contract-provider.ts';
import type { RawResponse } from './send-request.ts';
import { buildWorld, roles } from './world.ts';

const inbox = await startContractInbox();
afterAll(() => inbox.close());
const server = await startTestServer(await loginProviderEnvironment());
const owner = await server.createOrganization();
const world = await buildWorld({ baseUrl: server.url, owner, webhookUrl: inbox.url, db: server.db });
const { admin, make, ids } = world;

interface Resource {
  put: keyof typeof requestFields;
  toggle?: OperationId;
  remove?: OperationId;
  get?: OperationId;
  /** List that contains the resource, and its key field. Set if the resource can't be read individually. */
  list?: { id: OperationId; by: string };
  /** Creates a resource and returns its path parameters. */
  create(): Promise<Json>;
  /** Returns the body of an update. Different numbers give different values. */
  change(number: number): Json;
  /** Fields that can change without a request. */
  volatile?: readonly string[];
}

const named = (number: number) => ({ name: `changed ${number}` });
const onPath = (id: Promise<number>) => id.then((made) => ({ id: made }));

/** All resources with a PUT operation. */
const resources: Resource[] = [
  {
    put: 'updateGatherJob',
    remove: 'deleteGatherJob',
    get: 'getGatherJob',
    create: () => onPath(make.gatherJob()),
    change: named,
  },
  {
    put: 'updateScrapeJob',
    remove: 'deleteScrapeJob',
    get: 'getScrapeJob',
    create: () => onPath(make.gitScrapeJob()),
    change: named,
  },
  {
    put: 'updateHelmSyncJob',
    remove: 'deleteHelmSyncJob',
    get: 'getHelmSyncJob',
    create: () => onPath(make.helmSyncJob({ chart_filter: ['a-*'] })),
    change: named,
  },
  {
    put: 'updateDiscoveryJob',
    remove: 'deleteDiscoveryJob',
    get: 'getDiscoveryJob',
    create: () => onPath(make.discoveryJob({ label_rules: [{ pattern: '(?P<cluster>a)', labels: {} }] })),
    change: named,
  },
  {
    put: 'updateDiscoveredItem',
    get: 'getDiscoveredItem',
    create: () => onPath(make.discoveredItem()),
    change: named,
  },
  {
    put: 'updateRule',
    toggle: 'toggleRule',
    remove: 'deleteRule',
    get: 'getRule',
    create: () => onPath(make.rule({ description: 'about it' })),
    change: named,
  },
  {
    put: 'updateAlertConfig',
    toggle: 'toggleAlertConfig',
    remove: 'deleteAlertConfig',
    get: 'getAlertConfig',
    create: () =>
      onPath(
        make.alertConfig({
          candidate_pattern: '^3',
          ignored_versions: ['2.0.0'],
          counted_versions: ['20250101'],
        }),
      ),
    change: named,
    volatile: ['state', 'state_reason', 'last_evaluated_at', 'next_evaluation_at'],
  },
  {
    put: 'updateNotificationChannel',
    toggle: 'toggleNotificationChannel',
    remove: 'deleteNotificationChannel',
    get: 'getNotificationChannel',
    create: () =>
      onPath(
        make.channel({
          preset: 'telegram',
          preset_options: { chat_id: '-100' },
          headers: { 'X-Team': 'platform', 'X-Token': 'a secret' },
          signing_secret: `whsec_${Buffer.alloc(32, 7).toString('base64')}`,
          templates: { resolved: '{"text": "over"}' },
        }),
      ),
    change: named,
  },
  {
    put: 'updateFreshnessTarget',
    remove: 'deleteFreshnessTarget',
    get: 'getFreshnessTarget',
    create: () => onPath(make.freshnessTarget()),
    change: named,
    volatile: ['now_percent', 'known', 'unknown', 'out_of_target', 'forecast_30d', 'met_since'],
  },
  {
    put: 'updateArtifactAlias',
    remove: 'deleteArtifactAlias',
    get: 'getArtifactAlias',
    create: () => onPath(make.artifactAlias()),
    change: named,
  },
  {
    put: 'updateArtifactCorrection',
    remove: 'deleteArtifactCorrection',
    get: 'getArtifactCorrection',
    create: () => onPath(make.artifactCorrection()),
    change: (number) => ({ artifact_name: `github.com/acme/other-${number}` }),
  },
  {
    put: 'updateNotificationRule',
    toggle: 'toggleNotificationRule',
    remove: 'deleteNotificationRule',
    get: 'getNotificationRule',
    create: () =>
      onPath(
        make.notificationRule({
          severities: ['high'],
          label_matchers: [{ label: 'team', operator: '=', value: 'a' }],
          channel_ids: [ids.channel[0]!],
        }),
      ),
    change: named,
  },
  {
    put: 'updateSilence',
    remove: 'deleteSilence',
    get: 'getSilence',
    create: () => onPath(make.silence()),
    change: (number) => ({ reason: `changed ${number}` }),
  },
  {
    put: 'updateDeploymentTrust',
    remove: 'deleteDeploymentTrust',
    get: 'getDeploymentTrust',
    create: () => onPath(make.deploymentTrust()),
    change: named,
  },
  {
    put: 'putOrgOverride',
    remove: 'deleteOrgOverride',
    list: { id: 'listEffectiveSettings', by: 'key' },
    async create() {
      const path = { key: 'gather.max_releases' };
      await admin.call('putOrgOverride', { path, body: { value: 500 } });
      return path;
    },
    change: (number) => ({ value: 700 + number }),
  },
  {
    put: 'updateNotificationTemplate',
    remove: 'deleteNotificationTemplate',
    list: { id: 'listNotificationTemplates', by: 'category' },
    async create() {
      await make.templateOverride('acknowledged');
      return { category: 'acknowledged' };
    },
    change: (number) => ({ body: `{"text": "changed ${number}"}` }),
  },
  {
    put: 'updateNotificationSettings',
    get: 'getNotificationSettings',
    async create() {
      await admin.call('updateNotificationSettings', { body: { reminder_interval_hours: 3 } });
      return {};
    },
    change: (number) => ({ reminder_interval_hours: 100 + number }),
  },
  {
    put: 'updateAPIKey',
    toggle: 'toggleAPIKey',
    get: 'getAPIKey',
    create: async () => ({ id: (await make.apiKey({ description: 'about it' })).api_key.id }),
    change: named,
  },
  {
    put: 'updateMember',
    remove: 'deleteMember',
    list: { id: 'listMembers', by: 'id' },
    create: () => onPath(make.memberId('viewer')),
    change: (number) => ({ role: number % 2 === 0 ? 'viewer' : 'member' }),
  },
];

test('the table contains every resource with a PUT, including its toggle and DELETE', () => {
  // The precondition of an apply is the fingerprint of its plan instead of a revision.
  const conditional = contractOperations
    .filter(({ id, responses }) => responses.has(412) && id !== 'applyConfiguration')
    .map(({ id }) => id);
  const puts = contractOperations.filter(({ method }) => method === 'PUT').map(({ id }) => id);
  const here = resources.flatMap(({ put, toggle, remove }) => [put, toggle ?? [], remove ?? []].flat());
  expect(here.toSorted()).toEqual(conditional.toSorted());
  expect(resources.map(({ put }) => put).toSorted()).toEqual(puts.toSorted());
});

async function send(id: OperationId, call: Call, status: number): Promise<RawResponse> {
  const answer = await callOperation(world, id, { as: { login: 'owner' }, ...call });
  expect(answer.status, answer.text).toBe(status);
  expect(findResponseViolation(operationOf(id), answer)).toBeNull();
  return answer;
}

/** Returns the fields that change only through requests. */
function steady({ volatile = [] }: Resource, body: Json): Json {
  return Object.fromEntries(Object.entries(body).filter(([name]) => !volatile.includes(name)));
}

async function read({ get, list }: Resource, path: Json, as: Credential = { login: 'owner' }): Promise<Json> {
  const { text } = await send((get ?? list?.id)!, { ...(get && { path }), as }, 200);
  const body = JSON.parse(text) as Json & { items: Json[] };
  return list ? body.items.find((item) => item[list.by] === path[list.by])! : body;
}

async function newestAuditLogId(): Promise<number> {
  return (await admin.call('listAuditLog', { query: { limit: 1 } })).items[0]!.id;
}

const ifMatch = (value: string) => ({ headers: { 'if-match': value } });

describe.each(resources)('$put', (resource) => {
  const { put, toggle, remove, get, create, change } = resource;
  const changes = [...(toggle ? [toggle] : []), ...(remove ? [remove] : [])];

  test('increments the revision, which every response contains as its ETag', async () => {
    const path = await create();
    const { revision } = (await read(resource, path)) as { revision: number };
    if (get) expect((await send(get, { path }, 200)).headers['etag']).toBe(`"${revision}"`);
    const changed = await send(put, { path, body: change(1), ...ifMatch(`"${revision}"`) }, 200);
    expect(changed.headers['etag']).toBe(`"${revision + 1}"`);
    expect(await read(resource, path)).toMatchObject({ revision: revision + 1 });
    if (!toggle) return;
    const toggled = await send(toggle, { path, ...ifMatch(`"${revision + 1}"`) }, 200);
    expect(toggled.headers['etag']).toBe(`"${revision + 2}"`);
  });

  test('rejects a different revision without changes', async () => {
    const path = await create();
    const before = await read(resource, path);
    const since = await newestAuditLogId();
    const stale = `"${Number(before['revision']) + 1}", W/"${Number(before['revision']) + 2}"`;
    for (const id of [put, ...changes]) {
      const body = id === put ? { body: change(2) } : {};
      const { headers, text } = await send(id, { path, ...body, ...ifMatch(stale) }, 412);
      expect(headers['etag']).toBe(`"${String(before['revision'])}"`);
      expect(JSON.parse(text)).toMatchObject({ code: 'precondition_failed' });
      await send(id, { path, ...body, ...ifMatch(String(before['revision'])) }, 400);
    }
    expect(steady(resource, await read(resource, path))).toEqual(steady(resource, before));
    expect(await newestAuditLogId()).toBe(since);
  });

  test('accepts a list of ETags that contains the current one, and accepts any revision with *', async () => {
    const path = await create();
    const { revision } = (await read(resource, path)) as { revision: number };
    const some = ifMatch(`"a,b" ,, W/"x", "${revision}"`);
    await send(put, { path, body: change(3), ...some }, 200);
    await send(put, { path, body: change(4), ...ifMatch('*') }, 200);
    if (remove)
      await send(remove, { path, ...ifMatch('*') }, operationOf(remove).responses.has(204) ? 204 : 200);
  });

  test('accepts exactly one of two concurrent requests with the same revision', async () => {
    const path = await create();
    const { revision } = (await read(resource, path)) as { revision: number };
    const answers = await Promise.all(
      [5, 7].map((number) =>
        callOperation(world, put, {
          path,
          body: change(number),
          as: { login: 'owner' },
          ...ifMatch(`"${revision}"`),
        }),
      ),
    );
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 412]);
    expect(await read(resource, path)).toMatchObject({ revision: revision + 1 });
  });

  const allowed = roles.slice(roles.indexOf(operationOf(put).role!));
  test.each(allowed)('accepts an unmodified resource back from the %s role without changes', async (role) => {
    const path = await create();
    const before = await read(resource, path, { login: role });
    const since = await newestAuditLogId();
    const { text } = await send(put, { path, body: before, as: { login: role } }, 200);
    expect(steady(resource, JSON.parse(text) as Json)).toEqual(steady(resource, before));
    expect(await newestAuditLogId()).toBe(since);
  });

  test('rejects a body with only read-only fields or with the ID of another resource', async () => {
    const path = await create();
    const before = await read(resource, path);
    const changeable: readonly string[] = requestFields[put];
    const readOnly = Object.fromEntries(
      Object.entries(before).filter(([name]) => !changeable.includes(name)),
    );
    await send(put, { path, body: readOnly }, 400);
    for (const [name, value] of Object.entries(path)) {
      const other = typeof value === 'number' ? value + 1 : `${String(value)}.other`;
      const { text } = await send(put, { path, body: { ...before, [name]: other } }, 400);
      expect(JSON.parse(text)).toMatchObject({ errors: [{ field: name }] });
    }
    expect(steady(resource, await read(resource, path))).toEqual(steady(resource, before));
  });
});

/** Resources in states that a client can't set directly. */
const states: Record<string, { put: Resource['put']; create(): Promise<number> }> = {
  'a manual scrape job': { put: 'updateScrapeJob', create: () => make.scrapeJob() },
  'a gather job managed by a helm sync job': {
    put: 'updateGatherJob',
    create: async () => ids.gather_job[1]!,
  },
  'a days-behind rule': {
    put: 'updateRule',
    create: () => make.rule({ rule_type: 'days_behind', days_basis: 'first_newer_release' }),
  },
  'a notification rule whose channels were deleted': {
    put: 'updateNotificationRule',
    create: () => make.strandedNotificationRule(),
  },
  'a notification rule whose criteria were deleted': {
    put: 'updateNotificationRule',
    async create() {
      const rule = await make.rule();
      const id = await make.notificationRule({ rule_ids: [rule] });
      await admin.call('deleteRule', { path: { id: rule } });
      return id;
    },
  },
};

test.each(Object.entries(states))(
  'an update accepts %s exactly as it was read',
  async (_what, { put, create }) => {
    const resource = resources.find((each) => each.put === put)!;
    const path = { id: await create() };
    const before = await read(resource, path);
    const { text } = await send(put, { path, body: before }, 200);
    expect(JSON.parse(text)).toEqual(before);
    const renamed = await send(put, { path, body: { ...before, name: 'renamed' } }, 200);
    const { name: _name, revision: _revision, updated_at: _updated, ...rest } = before;
    expect(JSON.parse(renamed.text)).toMatchObject({ ...rest, name: 'renamed' });
  },
);

test('a conditional request for a missing resource returns 404 instead of 412', async () => {
  for (const { put, toggle, remove, change } of resources.filter((each) => each.get && each.remove)) {
    for (const id of [put, toggle ?? [], remove ?? []].flat()) {
      const body = id === put ? { body: change(0) } : {};
      await send(id, { path: { id: 9_007_199_254_740_990 }, ...body, ...ifMatch('"1"') }, 404);
    }
  }
  const path = { key: 'retention.deliveries_days' };
  await send('deleteOrgOverride', { path, ...ifMatch('"7"') }, 404);
});

test('an override that is deleted and set again gets a new revision that was never used', async () => {
  const path = { key: 'retention.resolved_alerts_days' };
  const revisionAfter = async (value: number) =>
    (await admin.call('putOrgOverride', { path, body: { value } })).revision;
  expect(await revisionAfter(10)).toBe(1);
  await admin.call('deleteOrgOverride', { path });
  expect(await revisionAfter(11)).toBe(3);
});

test('only one of two concurrent requests that override a setting for the first time succeeds', async () => {
  const answers = await Promise.all(
    [20, 21].map((value) =>
      callOperation(world, 'putOrgOverride', {
        path: { key: 'task.max_attempts' },
        body: { value: value - 18 },
        as: { login: 'owner' },
        ...ifMatch('"0"'),
      }),
    ),
  );
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 412]);
});

test('runs, evaluations, and channel health do not change revisions', async () => {
  const gatherJob = await admin.call('getGatherJob', { path: { id: ids.gather_job[0]! } });
  expect(gatherJob).toMatchObject({ revision: 1, release_count: 3, last_run: { status: 'succeeded' } });
  const scrapeJob = await admin.call('getScrapeJob', { path: { id: ids.scrape_job[0]! } });
  expect(scrapeJob).toMatchObject({ revision: 1, latest_version: '1.0.0' });
  const helmSyncJob = await admin.call('getHelmSyncJob', { path: { id: ids.helm_sync_job[0]! } });
  expect(helmSyncJob).toMatchObject({ revision: 1, chart_count: 1, last_run: { status: 'succeeded' } });
  const rule = await admin.call('getRule', { path: { id: ids.rule[0]! } });
  expect(rule).toMatchObject({ revision: 1, open_alert_count: 1 });
  const { items } = await admin.call('listAlertConfigs', { query: { state: 'alerting' } });
  expect(items.length).toBeGreaterThan(0);
  for (const config of items)
    expect(config).toMatchObject({ revision: 1, last_evaluated_at: expect.any(String) });
  const channel = await admin.call('getNotificationChannel', { path: { id: ids.channel[0]! } });
  expect(channel).toMatchObject({ revision: 1, health: { last_success_at: expect.any(String) } });
  const { items: keys } = await admin.call('listAPIKeys', { query: { q: `${world.marker} admin` } });
  expect(keys[0]).toMatchObject({ revision: 1, last_used_at: expect.any(String) });
});

describe('the secrets of a channel', () => {
  const channels = resources.find(({ put }) => put === 'updateNotificationChannel')!;
  const stored = async (id: unknown) => {
    const { rows } = await sql<Json>`
      SELECT url_sealed, closing_path_sealed, preset_options_sealed, headers_sealed, signing_secret_sealed, previous_signing_secret_sealed,
        updated_at
      FROM notification_channels WHERE id = ${id}`.execute(server.db);
    return rows[0]!;
  };

  test('stay unchanged if an update contains the channel as it was read', async () => {
    const path = (await channels.create()) as { id: number };
    const before = await stored(path.id);
    const channel = await admin.call('getNotificationChannel', { path });
    await admin.call('updateNotificationChannel', { path, body: channel });
    expect(await stored(path.id)).toEqual(before);
    await admin.call('updateNotificationChannel', { path, body: { ...channel, name: 'another' } });
    expect(await stored(path.id)).toEqual({ ...before, updated_at: expect.any(Date) });
  });

  test.each([
    { url: `${inbox.url}elsewhere` },
    { headers: { 'X-Team': 'other', 'X-Token': null } },
    { preset_options: { chat_id: '-200' } },
    { signing_secret: `whsec_${Buffer.alloc(32, 8).toString('base64')}` },
    { signing_secret: null },
  ])('increment the revision if they change (%o)', async (body) => {
    const path = (await channels.create()) as { id: number };
    const before = await admin.call('getNotificationChannel', { path });
    const after = await admin.call('updateNotificationChannel', { path, body });
    expect(after.revision).toBe(2);
    expect(after.updated_at > before.updated_at).toBe(true);
  });
});

/** Request fields that are stored under other names. The encrypted fields have a separate test above. */
const otherColumns: Partial<Record<OperationId, Record<string, string[]>>> = {
  updateDiscoveredItem: {
    name: ['set_name'],
    labels: ['set_labels'],
    apply_to: [],
    source_type: ['set_source'],
    artifact_name: ['set_source'],
    source_options: ['set_source'],
  },
  updateFreshnessTarget: { limit: ['max_value'] },
  updateRule: { thresholds: ['threshold_moderate', 'threshold_high', 'threshold_critical'] },
  updateNotificationChannel: {
    url: ['url_masked'],
    closing_path: [],
    headers: ['header_names'],
    preset_options: [],
    signing_secret: [],
    token: [],
  },
};

test.each([
  ['updateGatherJob', 'gather_jobs'],
  ['updateScrapeJob', 'scrape_jobs'],
  ['updateHelmSyncJob', 'helm_sync_jobs'],
  ['updateDiscoveryJob', 'discovery_jobs'],
  ['updateDiscoveredItem', 'discovered_items'],
  ['updateRule', 'rules'],
  ['updateAlertConfig', 'alert_configs'],
  ['updateNotificationChannel', 'notification_channels'],
  ['updateNotificationRule', 'notification_rules'],
  ['updateFreshnessTarget', 'freshness_targets'],
  ['updateArtifactAlias', 'artifact_aliases'],
  ['updateArtifactCorrection', 'artifact_corrections'],
  ['updateSilence', 'silences'],
  ['updateDeploymentTrust', 'deployment_trusts'],
  ['updateAPIKey', 'api_keys'],
  ['updateMember', 'memberships'],
] as const)('every field that %s can change increments the revision', async (put, table) => {
  const { rows } = await sql<{ column: string }>`
    SELECT attname AS column FROM pg_trigger
    JOIN pg_attribute ON attrelid = tgrelid AND attnum = ANY(tgattr::int2[])
    WHERE tgname = ${`${table}_raise_revision`}`.execute(server.db);
  const fields = requestFields[put].flatMap((field) => otherColumns[put]?.[field] ?? [field]);
  expect(rows.map(({ column }) => column)).toEqual(expect.arrayContaining(fields));
});
