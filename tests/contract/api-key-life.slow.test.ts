import { afterAll, expect, test } from 'vitest';
import { startTestServer } from '../helpers/test-server.ts';
import { type Call, callOperation, validCalls } from './calls.ts';
import { startContractInbox } from './contract-inbox.ts';
import { contractOperations } from './contract-operations.ts';
import { loginProviderEnvironment } from './contract-provider.ts';
import { buildWorld } from './world.ts';

const inbox = await startContractInbox();
afterAll(() => inbox.close());
const server = await startTestServer(await loginProviderEnvironment());
const owner = await server.createOrganization();
const world = await buildWorld({ baseUrl: server.url, owner, webhookUrl: inbox.url, db: server.db });

test('toggling or deactivating an API key takes effect immediately, and a deactivated key stays deactivated', async () => {
  const call = async (id: Parameters<typeof callOperation>[1], given: Call) => {
    const { status, text } = await callOperation(world, id, given);
    return { status, body: text === '' ? null : (JSON.parse(text) as Record<string, unknown>) };
  };
  const created = await call('createAPIKey', { body: { name: 'life', role: 'viewer' } });
  expect(created.status).toBe(201);
  const { key, api_key } = created.body as { key: string; api_key: { id: number } };
  const opens = async () => (await call('listRules', { as: { headers: { 'x-api-key': key } } })).status;
  const path = { id: api_key.id };

  expect(created.body).toMatchObject({ api_key: { is_active: true, status: 'active' } });
  expect(await opens()).toBe(200);
  expect(await call('toggleAPIKey', { path })).toMatchObject({
    status: 200,
    body: { is_active: false, status: 'inactive' },
  });
  expect(await opens()).toBe(401);
  expect(await call('toggleAPIKey', { path })).toMatchObject({
    status: 200,
    body: { is_active: true, status: 'active' },
  });
  expect(await opens()).toBe(200);
  expect(await call('deactivateAPIKey', { path })).toEqual({ status: 204, body: null });
  expect(await opens()).toBe(401);
  expect(await call('toggleAPIKey', { path })).toMatchObject({ status: 409, body: { code: 'conflict' } });
  expect(await call('deactivateAPIKey', { path })).toEqual({ status: 204, body: null });
  expect(await call('getAPIKey', { path })).toMatchObject({
    status: 200,
    body: { is_active: false, status: 'deactivated' },
  });
  expect(await opens()).toBe(401);
});

test('only the response that creates an API key contains its secret', async () => {
  const { key, api_key } = await world.make.apiKey({ role: 'admin' });
  const secret = key.split('_')[2]!;
  expect(secret.length).toBeGreaterThan(40);
  const as = { headers: { 'x-api-key': key } };
  const path = { id: api_key.id };
  const texts = [
    await callOperation(world, 'getAPIKey', { path, as }),
    await callOperation(world, 'updateAPIKey', { path, as, body: { name: 'other' } }),
  ];
  for (const operation of contractOperations) {
    const call = await validCalls[operation.id](world);
    const usesKey = operation.security.includes('ApiKey');
    texts.push(await callOperation(world, operation.id, { ...call, ...(usesKey && { as }) }));
    if (usesKey)
      texts.push(await callOperation(world, operation.id, { ...call, query: { no_such: key }, as }));
  }
  for (const { text, headers } of texts) {
    expect(text + JSON.stringify(headers)).not.toContain(secret.slice(0, 12));
  }
});
