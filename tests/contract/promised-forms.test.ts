import { readFileSync } from 'node:fs';
import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { bodyDefaults } from '../../src/generated/body-defaults.ts';
import { startTestServer } from '../helpers/test-server.ts';
import { contractOperations, type Json, operationOf, resolveRef } from './contract-operations.ts';

const server = await startTestServer();
const clientOperations = contractOperations.filter(({ side }) => side === 'client');
const document = JSON.parse(
  readFileSync(new URL('../../src/generated/openapi-client.json', import.meta.url), 'utf8'),
) as { components: { schemas: Record<string, Json> } };

/** All fields of all schemas of the client interface, each with its location. */
const fields = Object.entries(document.components.schemas).flatMap(([name, schema]) =>
  fieldsOf(schema, name),
);

/** True if requests can contain the field only because responses do. The server ignores it. */
function isIgnored({ $ref: ref }: Json): boolean {
  return String(ref).endsWith('/ReadOnlyMember');
}

function fieldsOf(schema: Json, place: string): { place: string; name: string; schema: Json }[] {
  const properties = Object.entries((schema['properties'] ?? {}) as Record<string, Json>).filter(
    ([, each]) => !isIgnored(each),
  );
  const items = schema['items'] as Json | undefined;
  return [
    ...properties.flatMap(([name, each]) => [
      { place: `${place}.${name}`, name, schema: resolveRef('client', each) },
      ...fieldsOf(each, `${place}.${name}`),
    ]),
    ...(items ? fieldsOf(items, `${place}[]`) : []),
  ];
}

const queryOf = (id: Parameters<typeof operationOf>[0]) =>
  Object.fromEntries(
    operationOf(id)
      .parameters.filter((each) => each.in === 'query')
      .map(({ name, schema }) => [name, schema]),
  );

test('the contract declares two servers: a host and the server of the document itself', async () => {
  const { servers } = parse(await (await fetch(`${server.url}/api/spec/openapi-client.yaml`)).text()) as {
    servers: { url: string }[];
  };
  expect(servers.map(({ url }) => url)).toEqual(['https://{host}/api/v1/client', '/api/v1/client']);
});

test('every ID is a 64-bit integer', () => {
  const ids = fields.filter(({ name }) => name === 'id' || name.endsWith('_id'));
  expect(ids.length).toBeGreaterThan(50);
  // The excluded IDs don't identify rows, but events, requests, published vulnerabilities, or derived
  // upgrades. CDEvents defines the IDs in its documents as strings.
  const others = ids.filter(
    ({ name, place }) =>
      name !== 'event_id' &&
      name !== 'request_id' &&
      place !== 'Upgrade.id' &&
      !/vulnerabilit/i.test(place) &&
      !/^Deployment(?:Cloud)?Event\./.test(place),
  );
  const wrong = others.filter(
    ({ schema }) => ![schema['type']].flat().includes('integer') || schema['format'] !== 'int64',
  );
  expect(wrong.map(({ place }) => place)).toEqual([]);
});

test('IDs of rules and alerts are at least 1 in paths and responses', () => {
  for (const shape of ['MonitoringRule', 'Alert'])
    expect(fields.find(({ place }) => place === `${shape}.id`)!.schema).toMatchObject({ minimum: 1 });
  const named = clientOperations.filter(({ path }) => path.includes('/{id}'));
  expect(named.length).toBeGreaterThan(40);
  for (const { id, parameters } of named)
    expect(parameters.find((each) => each.in === 'path')!.schema, id).toMatchObject({
      type: 'integer',
      format: 'int64',
      minimum: 1,
    });
});

test('every time has the date-time format', () => {
  const times = fields.filter(({ name }) => /_at$|_since$|_until$/.test(name));
  expect(times.length).toBeGreaterThan(50);
  const wrong = times.filter(({ schema }) => {
    const choices = [schema, ...((schema['anyOf'] ?? schema['oneOf'] ?? []) as Json[])];
    return !choices.some((each) => each['format'] === 'date-time');
  });
  expect(wrong.map(({ place }) => place)).toEqual([]);
});

test('every paginated list accepts the shared Limit and Offset', () => {
  const shared = ['Limit', 'Offset'].map(
    (name) => resolveRef('client', { $ref: `#/components/parameters/${name}` })['schema'],
  );
  const paged = clientOperations.filter(({ id }) => 'offset' in queryOf(id));
  expect(paged.length).toBeGreaterThan(15);
  for (const { id } of paged) {
    const { limit, offset } = queryOf(id);
    expect([limit, offset], id).toEqual(shared);
  }
});

test('setting a version requires an object with a version string', () => {
  const { side, body } = operationOf('setScrapeJobVersion');
  const schema = resolveRef(side, body!.schema);
  expect(schema).toMatchObject({ type: 'object', required: ['version'] });
  const { version } = schema['properties'] as Record<string, Json>;
  expect(resolveRef(side, version!)['type']).toBe('string');
});

test('filters of alerts and deliveries have the correct types and defaults', () => {
  const shape = (name: string) => resolveRef('client', { $ref: `#/components/schemas/${name}` });
  expect(queryOf('listAlerts')).toMatchObject({
    unacknowledged_only: { type: 'boolean', default: false },
    severity: { enum: shape('AlertSeverity')['enum'] },
  });
  expect(queryOf('listResolvedAlerts')).toMatchObject({ severity: { enum: shape('AlertSeverity')['enum'] } });
  expect(queryOf('listNotificationDeliveries')).toMatchObject({
    channel_id: { type: 'integer', format: 'int64' },
    status: { enum: shape('NotificationDeliveryStatus')['enum'] },
    event_type: { type: 'string' },
    since: { type: 'string', format: 'date-time' },
  });
});

test('dropdowns take no parameters and return arrays', () => {
  const dropdowns = clientOperations.filter(({ path }) => path.includes('/dropdowns/'));
  expect(dropdowns.map(({ path }) => path.split('/dropdowns/')[1]).toSorted()).toEqual([
    'gather-jobs',
    'gather-jobs/global',
    'notification-channels',
    'org-members',
    'rules',
    'scrape-jobs',
  ]);
  for (const { id, side, method, parameters, body, responses } of dropdowns) {
    expect({ method, parameters, body }, id).toEqual({ method: 'GET', parameters: [], body: null });
    expect(resolveRef(side, responses.get(200)!.schema!)['type'], id).toBe('array');
  }
});

test('the dropdown of global gather jobs contains only jobs of system keys, and the other dropdown excludes them', async () => {
  const { api } = await server.createOrganization();
  const body = {
    source_type: 'github_releases',
    artifact_name: 'github.com/acme/web',
    is_active: false,
  } as const;
  const global = await server.system.call('createGatherJob', { body: { name: 'theirs', ...body } });
  const own = await api.call('createGatherJob', { body: { name: 'ours', ...body } });
  const idsOf = async (id: 'listGatherJobsDropdown' | 'listGlobalGatherJobsDropdown') =>
    (await api.call(id)).map((item) => item.id);
  expect(await idsOf('listGlobalGatherJobsDropdown')).toContain(global.id);
  expect(await idsOf('listGlobalGatherJobsDropdown')).not.toContain(own.id);
  expect(await idsOf('listGatherJobsDropdown')).toEqual([own.id]);
});

test('a gather job runs according to its cron expression', async () => {
  const { api } = await server.createOrganization();
  const body = { name: 'web', source_type: 'github_releases', artifact_name: 'github.com/acme/web' } as const;
  const { id, next_run_at } = await api.call('createGatherJob', {
    body: { ...body, cron_expression: '0 3 1 1 *' },
  });
  expect(next_run_at).toMatch(/-01-01T03:00:/);
  await sql`DELETE FROM runs WHERE gather_job_id = ${id}`.execute(server.db);
  await sql`UPDATE gather_jobs SET due_at = pacekeeper_now() WHERE id = ${id}`.execute(server.db);
  const lastRun = async () => (await api.call('getGatherJob', { path: { id } })).last_run;
  await expect.poll(lastRun).toMatchObject({ trigger: 'schedule' });
});

test('deleting the override of a template returns the global default, or 404 without an override', async () => {
  const { owner } = await server.createOrganization();
  const path = { category: 'resolved' } as const;
  const [before] = (await owner.call('listNotificationTemplates')).items.filter(
    ({ category }) => category === 'resolved',
  );
  await owner.call('updateNotificationTemplate', { path, body: { body: '{"text": "over"}' } });
  const after = await owner.call('deleteNotificationTemplate', { path });
  expect(after).toMatchObject({
    category: 'resolved',
    source: 'global_default',
    body: before!.default_body,
    default_body: before!.default_body,
  });
  await expect(owner.call('deleteNotificationTemplate', { path })).rejects.toMatchObject({
    status: 404,
    code: 'not_found',
  });
});

test('an update of an API key accepts only its name and description', () => {
  const { side, body } = operationOf('updateAPIKey');
  const schema = resolveRef(side, body!.schema);
  const properties = Object.entries(schema['properties'] as Record<string, Json>);
  const taken = properties.flatMap(([name, each]) => (isIgnored(each) ? [] : [name]));
  expect(taken.toSorted()).toEqual(['description', 'name']);
  expect(schema['required']).toBeUndefined();
});

test('omitted fields of a request get the defaults of the contract', async () => {
  const { owner } = await server.createOrganization();
  const source_type = 'github_releases' as const;
  const gather = { name: 'releases', source_type, artifact_name: 'github.com/acme/web' };
  const repository_url = 'https://charts.example.org';
  const created = {
    createGatherJob: await owner.call('createGatherJob', { body: gather }),
    createScrapeJob: await owner.call('createScrapeJob', { body: { name: 'web', parser_type: 'manual' } }),
    createHelmSyncJob: await owner.call('createHelmSyncJob', { body: { name: 'charts', repository_url } }),
    createRule: await owner.call('createRule', {
      body: { name: 'Majors', rule_type: 'majors_behind', thresholds: { high: 1 } },
    }),
    createNotificationChannel: await owner.call('createNotificationChannel', {
      body: { name: 'hook', url: 'https://hooks.example.org/x' },
    }),
    createNotificationRule: await owner.call('createNotificationRule', { body: { name: 'all' } }),
    createAPIKey: (await owner.call('createAPIKey', { body: { name: 'ci' } })).api_key,
  };
  const createAlertConfig = await owner.call('createAlertConfig', {
    body: {
      name: 'web',
      scrape_job_id: created.createScrapeJob.id,
      gather_job_id: created.createGatherJob.id,
      rule_id: created.createRule.id,
    },
  });
  for (const [id, resource] of Object.entries({ ...created, createAlertConfig })) {
    const defaults = Object.entries(bodyDefaults[id as keyof typeof bodyDefaults]);
    // For these fields, null means that the value is derived from the source.
    const isDerived = (name: string) =>
      id === 'createGatherJob' && ['purls', 'project_url', 'vulnerability_packages'].includes(name);
    // The URL is required for this channel type. Only other types can omit it.
    const isGiven = (name: string) => id === 'createNotificationChannel' && name === 'url';
    const shown = defaults.filter(([name]) => name in resource && !isDerived(name) && !isGiven(name));
    expect(shown.length, id).toBeGreaterThanOrEqual(2);
    expect(resource, id).toMatchObject(Object.fromEntries(shown));
  }
});

test('clients send an API key in X-API-Key, and it has the form pk_<id>_<secret>', async () => {
  const { owner } = await server.createOrganization();
  const scheme = resolveRef('client', { $ref: '#/components/securitySchemes/ApiKey' });
  expect(scheme).toMatchObject({ type: 'apiKey', in: 'header', name: 'X-API-Key' });
  const { api_key, key } = await owner.call('createAPIKey', { body: { name: 'ci' } });
  expect(key).toMatch(new RegExp(`^pk_${api_key.id}_[0-9A-Za-z]+$`));
  const answer = await fetch(`${server.url}/api/v1/client/rules`, { headers: { 'X-API-Key': key } });
  expect(answer.status).toBe(200);
});

describe('a toggle', () => {
  test('flips and returns a rule, a channel, a notification rule, and an API key', async () => {
    const { owner } = await server.createOrganization();
    const rule = await owner.call('createRule', {
      body: { name: 'Majors', rule_type: 'majors_behind', thresholds: { high: 1 } },
    });
    const channel = await owner.call('createNotificationChannel', {
      body: { name: 'hook', url: 'https://hooks.example.org/x' },
    });
    const routing = await owner.call('createNotificationRule', { body: { name: 'all' } });
    const { api_key } = await owner.call('createAPIKey', { body: { name: 'ci' } });
    for (const [operation, { id }] of [
      ['toggleRule', rule],
      ['toggleNotificationChannel', channel],
      ['toggleNotificationRule', routing],
      ['toggleAPIKey', api_key],
    ] as const) {
      const path = { id };
      expect(await owner.call(operation, { path }), operation).toMatchObject({ id, is_active: false });
      expect(await owner.call(operation, { path }), operation).toMatchObject({ id, is_active: true });
    }
  });
});
