import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, describe, expect, test } from 'vitest';
import { keyedOperations } from '../../src/generated/keyed-operations.ts';
import type { OperationId } from '../../src/generated/operations.ts';
import { transaction } from '../../src/platform/database/index.ts';
import { deleteOldIdempotencyKeysAcrossOrganizations } from '../../src/platform/http/index.ts';
import { startTestServer } from '../helpers/test-server.ts';
import { type Call, callOperation, leastPrivilegedCredential, validCalls } from './calls.ts';
import { findResponseViolation } from './check-response.ts';
import { startContractInbox } from './contract-inbox.ts';
import { contractOperations, type Json, operationOf } from './contract-operations.ts';
import { loginProviderEnvironment } from './contract-provider.ts';
import type { RawResponse } from './send-request.ts';
import { buildWorld } from './world.ts';

const inbox = await startContractInbox();
afterAll(() => inbox.close());
const server = await startTestServer(await loginProviderEnvironment());
const { db } = server;
const owner = await server.createOrganization();
const world = await buildWorld({ baseUrl: server.url, owner, webhookUrl: inbox.url, db });
const { make } = world;

/** Operations whose responses can't be returned again: they have a secret, or no operation returns the resource. */
const once: readonly OperationId[] = [
  'createAPIKey',
  'inviteMember',
  'createMemberResetLink',
  'createHook',
  'createAuditExport',
  'createFeedback',
  'createSavedView',
];

/** POST operations without a key: they change nothing, or a repeat changes nothing else. */
const repeatable: readonly OperationId[] = [
  'previewGatherJob',
  'previewGatherSource',
  'previewScrapeJob',
  'previewScrapeSource',
  'previewDiscovery',
  'previewRule',
  'previewSilence',
  'previewNotificationTemplate',
  'validateRegex',
  'validateWebhookConfig',
  'simulateRule',
  'simulateAlertConfig',
  'simulateNotificationRule',
  'simulateNotificationRules',
  // A repeat has no effect while a run is pending or in progress.
  'runGatherJob',
  'runScrapeJob',
  'runHelmSyncJob',
  'runDiscoveryJob',
  'confirmGoneItems',
  'clearGatherJobReleases',
  'evaluateRules',
  'setScrapeJobVersion',
  'reportDeployment',
  'reportDeploymentEvent',
  // These operations set a state, or act only on resources in a certain state.
  'acceptDiscoveredItems',
  'ignoreDiscoveredItems',
  'restoreDiscoveredItems',
  'monitorDiscoveredItems',
  'resolveAlert',
  'acknowledgeAlert',
  'unacknowledgeAlert',
  'bulkAcknowledgeAlerts',
  'changeAlerts',
  'changeUpgrade',
  'assignAlert',
  'snoozeAlert',
  'unsnoozeAlert',
  'changeSoftware',
  'compareEnvironments',
  'loadSampleData',
  'deactivateAPIKey',
  'retryNotificationDelivery',
  'retryNotificationDeliveries',
  // An apply requires the fingerprint of its plan, so a repeat is rejected or changes nothing.
  'planConfiguration',
  'applyConfiguration',
  // This operation only sends a test message.
  'testNotificationChannel',
];

async function send(id: OperationId, call: Call, key: string): Promise<RawResponse> {
  return callOperation(world, id, { ...call, headers: { ...call.headers, 'idempotency-key': key } });
}

const bodyOf = ({ text }: RawResponse) => JSON.parse(text) as Json;
const codeOf = (answer: RawResponse) => bodyOf(answer)['code'];

/** Counts everything that a request could have created. */
async function countRows(): Promise<Json> {
  const { rows } = await sql<Json>`
    SELECT (SELECT count(*) FROM audit_log) AS edits, (SELECT count(*) FROM audit_entries) AS entries,
      (SELECT count(*) FROM feedback) AS feedback, (SELECT count(*) FROM saved_views) AS views,
      (SELECT count(*) FROM password_resets) AS links`.execute(db);
  return rows[0]!;
}

async function countRules(name: unknown): Promise<number> {
  const { items } = await world.admin.call('listRules', { query: { q: String(name), limit: 200 } });
  return items.filter((rule) => rule.name === name).length;
}

const newRule = () => validCalls.createRule(world);
const nameOf = ({ body }: Call) => (body as Json)['name'];

/** Puts the row of the newest request into the state that a crash of its server leaves. */
async function crash({ hasEffect }: { hasEffect: boolean }): Promise<void> {
  await sql`
    UPDATE idempotency_keys SET status = NULL, resource_id = NULL, has_effect = ${hasEffect},
      lease_until = pacekeeper_now() - interval '1 second'
    WHERE created_at = (SELECT max(created_at) FROM idempotency_keys)`.execute(db);
}

test('every POST operation accepts an idempotency key, or can be repeated without one', () => {
  const posts = contractOperations.filter(({ side, method }) => side === 'client' && method === 'POST');
  expect([...keyedOperations, ...repeatable].sort()).toEqual(posts.map(({ id }) => id).sort());
});

describe('a repeat with the same key', () => {
  test.each(contractOperations.filter(({ id }) => keyedOperations.has(id)).map(({ id }) => id))(
    'changes nothing and returns the resource or its ID: %s',
    async (id) => {
      const call = await validCalls[id](world);
      const key = randomUUID();
      const first = await send(id, call, key);
      expect(first.status, first.text).toBeLessThan(300);
      const before = await countRows();
      const repeat = await send(id, call, key);
      expect(findResponseViolation(operationOf(id), repeat)).toBeNull();
      expect(await countRows()).toEqual(before);
      if (once.includes(id)) {
        expect([repeat.status, codeOf(repeat)]).toEqual([409, 'already_completed']);
        expect(bodyOf(repeat)['resource_id']).toEqual(expect.any(Number));
        return;
      }
      expect(repeat.status, repeat.text).toBe(first.status);
      expect(bodyOf(repeat)['id']).toBe(bodyOf(first)['id']);
      expect(repeat.headers['location']).toBe(first.headers['location']);
    },
  );

  test('returns the current state of the resource', async () => {
    const call = await newRule();
    const first = await send('createRule', call, 'current');
    const id = Number(bodyOf(first)['id']);
    await world.admin.call('toggleRule', { path: { id } });
    const repeat = await send('createRule', call, 'current');
    expect(bodyOf(repeat)['is_active']).toBe(!(bodyOf(first)['is_active'] as boolean));
    expect(repeat.headers['etag']).not.toBe(first.headers['etag']);
  });

  test('returns the ID of a resource that was deleted in the meantime', async () => {
    const call = await newRule();
    const id = Number(bodyOf(await send('createRule', call, 'deleted'))['id']);
    await world.admin.call('deleteRule', { path: { id } });
    const repeat = bodyOf(await send('createRule', call, 'deleted'));
    expect(repeat).toMatchObject({ code: 'already_completed', resource_id: id });
    expect(repeat['detail']).toContain('deleted');
  });

  test('doesn’t depend on quotes around the key or on the order of the fields', async () => {
    const call = await newRule();
    const first = await send('createRule', call, '"in quotes"');
    const reversed = Object.fromEntries(Object.entries(call.body as Json).reverse());
    const repeat = await send('createRule', { ...call, body: reversed }, '"in quotes"');
    expect(bodyOf(repeat)['id']).toBe(bodyOf(first)['id']);
    const bare = await newRule();
    const quoted = await send('createRule', bare, '"word"');
    expect(bodyOf(await send('createRule', bare, 'word'))['id']).toBe(bodyOf(quoted)['id']);
  });

  test('is rejected if the request is a different one', async () => {
    const call = await newRule();
    await send('createRule', call, 'different');
    const before = await countRows();
    const body = { ...(call.body as Json), name: make.name() };
    const channel = await validCalls.createNotificationChannel(world);
    const as = leastPrivilegedCredential(operationOf('createRule'));
    for (const other of [
      await send('createRule', { ...call, body }, 'different'),
      await send('createNotificationChannel', { ...channel, as }, 'different'),
    ])
      expect([other.status, codeOf(other)]).toEqual([422, 'idempotency_key_reused']);
    expect(await countRows()).toEqual(before);
  });

  test('is processed as a new request if its credential is different', async () => {
    const call = await newRule();
    const ids = [];
    for (const as of [{ key: 'member' }, { key: 'admin' }, { login: 'member' }, { login: 'admin' }] as const)
      ids.push(bodyOf(await send('createRule', { ...call, as }, 'shared'))['id']);
    expect(new Set(ids).size).toBe(4);
  });

  test('runs again after an error, also with a corrected body', async () => {
    const call = await newRule();
    const invalid = { ...call, body: { ...(call.body as Json), name: '' } };
    expect((await send('createRule', invalid, 'after an error')).status).toBe(400);
    const missing = { path: { id: 987_654_321 } };
    for (const key of ['after-an-error', 'after-an-error'])
      expect((await send('toggleRule', missing, key)).status).toBe(404);
    expect((await send('createRule', call, 'after-an-error')).status).toBe(201);
  });

  test('is processed as a new request after 24 hours, when housekeeping deletes the key', async () => {
    const call = await newRule();
    const first = await send('createRule', call, 'old');
    const age = () =>
      sql`UPDATE idempotency_keys SET created_at = created_at - interval '24 hours 1 second'`.execute(db);
    await age();
    const second = await send('createRule', call, 'old');
    expect(bodyOf(second)['id']).not.toBe(bodyOf(first)['id']);
    await age();
    await transaction(db, (tx) => deleteOldIdempotencyKeysAcrossOrganizations(tx, 1_000));
    const { rows } = await sql`SELECT FROM idempotency_keys`.execute(db);
    expect(rows).toEqual([]);
  });

  test('doesn’t return or store a secret of the first response or of the request', async () => {
    const call = await validCalls.createAPIKey(world);
    const first = await send('createAPIKey', call, 'secret');
    const { key, api_key: created } = bodyOf(first) as { key: string; api_key: Json };
    const repeat = await send('createAPIKey', call, 'secret');
    expect(bodyOf(repeat)['resource_id']).toBe(created['id']);
    expect(repeat.text).not.toContain(key);
    const channel = await validCalls.createNotificationChannel(world);
    const signingSecret = `whsec_${Buffer.from('a secret with 24 bytes..').toString('base64')}`;
    const body = { ...(channel.body as Json), signing_secret: signingSecret };
    expect((await send('createNotificationChannel', { ...channel, body }, 'secret')).status).toBe(201);
    const { rows } = await sql<{ text: string }>`
      SELECT row_to_json(idempotency_keys)::text AS text FROM idempotency_keys`.execute(db);
    expect(rows.length).toBeGreaterThan(1);
    for (const { text } of rows) expect(text).not.toMatch(/pk_|whsec_|"secret"/);
  });
});

test.each(['', 'two words', 'a"b', 'é', 'x'.repeat(256)])('the key %j is rejected', async (key) => {
  const answer = await send('createRule', await newRule(), key);
  expect(answer.status).toBe(400);
  expect(bodyOf(answer)['errors']).toMatchObject([{ field: 'Idempotency-Key' }]);
});

describe('while the first request is in progress', () => {
  /** Sends a request that can't commit before `work` has ended. */
  async function during(call: Call, key: string, work: () => Promise<void>): Promise<RawResponse> {
    const { promise: first } = await transaction(db, async (tx) => {
      await sql`LOCK TABLE audit_log IN EXCLUSIVE MODE`.execute(tx);
      const promise = send('createRule', call, key);
      await expect
        .poll(
          async () => (await sql`SELECT FROM idempotency_keys WHERE status IS NULL`.execute(db)).rows.length,
        )
        .toBe(1);
      await work();
      return { promise };
    });
    return first;
  }

  test('a repeat returns 409 with the time to wait, and creates nothing', async () => {
    const call = await newRule();
    const first = await during(call, 'concurrent', async () => {
      const repeat = await send('createRule', call, 'concurrent');
      expect([repeat.status, codeOf(repeat)]).toEqual([409, 'request_in_progress']);
      expect(repeat.headers['retry-after']).toBe('1');
      expect(findResponseViolation(operationOf('createRule'), repeat)).toBeNull();
    });
    expect(first.status).toBe(201);
    expect(await countRules(nameOf(call))).toBe(1);
  });

  test('a repeat replaces it if its lease has expired, and only the repeat creates the resource', async () => {
    const call = await newRule();
    let repeat: Promise<RawResponse> | undefined;
    const first = await during(call, 'overtaken', async () => {
      const { rows } = await sql<{ lease_token: string }>`
        UPDATE idempotency_keys SET lease_until = pacekeeper_now() - interval '1 second'
        WHERE status IS NULL RETURNING lease_token`.execute(db);
      repeat = send('createRule', call, 'overtaken');
      const leases = sql<{
        lease_token: string;
      }>`SELECT lease_token FROM idempotency_keys WHERE status IS NULL`;
      await expect
        .poll(async () => (await leases.execute(db)).rows[0]!.lease_token)
        .not.toBe(rows[0]!.lease_token);
    });
    expect([first.status, codeOf(first)]).toEqual([409, 'request_in_progress']);
    expect((await repeat!).status).toBe(201);
    expect(await countRules(nameOf(call))).toBe(1);
  });
});

describe('after a crash of the server', () => {
  test('a repeat runs if the first request had no effect', async () => {
    const call = await newRule();
    const id = Number(bodyOf(await send('createRule', call, 'crash-before'))['id']);
    await world.admin.call('deleteRule', { path: { id } });
    await crash({ hasEffect: false });
    expect((await send('createRule', call, 'crash-before')).status).toBe(201);
    expect(await countRules(nameOf(call))).toBe(1);
  });

  test('a corrected request with the same key runs if the first request had no effect', async () => {
    await send('createRule', await newRule(), 'crash-corrected');
    await crash({ hasEffect: false });
    const corrected = await newRule();
    expect((await send('createRule', corrected, 'crash-corrected')).status).toBe(201);
    expect(await countRules(nameOf(corrected))).toBe(1);
  });

  test('a repeat returns the resource if the first request had created it', async () => {
    const call = await newRule();
    const first = await send('createRule', call, 'crash-after');
    await crash({ hasEffect: true });
    const repeat = await send('createRule', call, 'crash-after');
    expect([repeat.status, bodyOf(repeat)['id']]).toEqual([201, bodyOf(first)['id']]);
    expect(await countRules(nameOf(call))).toBe(1);
  });

  test('a repeat returns no resource of another operation that has the same request ID', async () => {
    const shared = (call: Call): Call => ({
      ...call,
      headers: { ...call.headers, 'x-request-id': 'shared-id' },
    });
    const feedback = shared(await validCalls.createFeedback(world));
    await send('createFeedback', feedback, 'crash-shared');
    await crash({ hasEffect: true });
    expect((await callOperation(world, 'createRule', shared(await newRule()))).status).toBe(201);
    const repeat = bodyOf(await send('createFeedback', feedback, 'crash-shared'));
    expect(repeat['code']).toBe('already_completed');
    expect(repeat).not.toHaveProperty('resource_id');
    const channel = shared(await validCalls.createNotificationChannel(world));
    const created = bodyOf(await send('createNotificationChannel', channel, 'crash-shared-too'));
    await crash({ hasEffect: true });
    expect(bodyOf(await send('createNotificationChannel', channel, 'crash-shared-too'))['id']).toBe(
      created['id'],
    );
  });

  test('a repeat returns no ID if the ID isn’t certain', async () => {
    const call = await validCalls.createFeedback(world);
    await send('createFeedback', call, 'crash-unknown');
    await crash({ hasEffect: true });
    const repeat = bodyOf(await send('createFeedback', call, 'crash-unknown'));
    expect(repeat['code']).toBe('already_completed');
    expect(repeat).not.toHaveProperty('resource_id');
  });
});
