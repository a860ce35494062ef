import { sql } from 'kysely';
import { afterEach, describe, expect, test } from 'vitest';
import { createAccountsServer, listAuditActions } from '../../../../tests/helpers/accounts-fixture.ts';
import { resetClockOffset, setClockOffset } from '../../../../tests/helpers/database.ts';
import type { KeyRole, Role } from '../../../platform/http/index.ts';

const { db, call, login, makeUser, makeKey } = await createAccountsServer();

afterEach(() => resetClockOffset(db));

async function loggedIn(role: Role) {
  const user = await makeUser(role);
  const { token } = await login(user);
  return { ...user, token };
}

describe('creating a key', () => {
  test('returns the full key only once, and never stores its secret', async () => {
    const { token, userId, organizationId } = await loggedIn('admin');
    const body = { name: 'Deploy pipeline', description: 'Reports.', role: 'reporter' };
    const made = await call('POST /client/api-keys', { token, body });
    expect(made).toMatchObject({
      status: 201,
      body: {
        api_key: {
          ...body,
          status: 'active',
          is_active: true,
          expires_at: null,
          deactivated_at: null,
          last_used_at: null,
          created_by: { type: 'user', id: userId, name: 'A admin' },
        },
      },
    });
    const { api_key: apiKey, key } = made.body;
    expect(key).toMatch(new RegExp(`^pk_${apiKey.id}_[0-9A-Za-z]{49}$`));
    expect(apiKey.key_prefix).toBe(key.slice(0, `pk_${apiKey.id}_`.length + 4));
    const secret = key.split('_')[2]!.slice(4);
    for (const path of ['', `/${apiKey.id}`]) {
      const shown = await call(`GET /client/api-keys${path}`, { token });
      expect(shown.status).toBe(200);
      expect(JSON.stringify(shown.body)).not.toContain(secret);
    }
    const stored = await sql<{
      row: string;
    }>`SELECT api_keys::text AS row FROM api_keys WHERE id = ${apiKey.id}`.execute(db);
    expect(stored.rows[0]?.row).not.toContain(secret);
    expect(await listAuditActions(db, organizationId)).toEqual(['api_key.created']);
  });

  test('requires a user login', async () => {
    const { organizationId } = await makeUser('owner');
    const { key } = await makeKey(organizationId, 'owner');
    const reply = await call('POST /client/api-keys', { key, body: { name: 'Copy' } });
    expect(reply).toMatchObject({ status: 401, body: { code: 'login_required' } });
  });

  test.each<[Role, Role | KeyRole | undefined, Role | KeyRole | 403]>([
    ['admin', undefined, 'admin'],
    ['owner', undefined, 'admin'],
    ['owner', 'owner', 'owner'],
    ['admin', 'owner', 403],
    ['admin', 'admin', 'admin'],
    ['admin', 'viewer', 'viewer'],
    ['admin', 'agent', 'agent'],
    ['admin', 'reporter', 'reporter'],
    ['member', 'viewer', 403],
    ['viewer', undefined, 403],
  ])('as %s with the requested role %s results in %s', async (own, role, expected) => {
    const { token } = await loggedIn(own);
    const reply = await call('POST /client/api-keys', {
      token,
      body: { name: 'Key', ...(role && { role }) },
    });
    expect(reply.status === 201 ? reply.body.api_key.role : reply.status).toBe(expected);
  });

  test('requires an expiration time in the future, by the clock of the database', async () => {
    const { token } = await loggedIn('admin');
    const make = (expires_at: string | null) =>
      call('POST /client/api-keys', { token, body: { name: 'Key', expires_at } });
    await setClockOffset(db, '10 minutes');
    const { rows } = await sql<{ past: Date; future: Date }>`
      SELECT pacekeeper_now() - interval '5 minutes' AS past, pacekeeper_now() + interval '5 minutes' AS future
    `.execute(db);
    const [past, future] = [rows[0]!.past.toISOString(), rows[0]!.future.toISOString()];
    expect(await make(past)).toMatchObject({
      status: 400,
      body: { errors: [{ field: 'expires_at' }] },
    });
    const made = await make(future);
    expect(made).toMatchObject({ status: 201, body: { api_key: { expires_at: future } } });
    expect((await make(null)).status).toBe(201);
  });
});

describe('a key', () => {
  test('allows changes only to its name and description', async () => {
    const { token, organizationId } = await loggedIn('admin');
    const { id } = await makeKey(organizationId, 'viewer');
    const put = (body: object) => call(`PUT /client/api-keys/${id}`, { token, body });
    expect(await put({ name: 'New' })).toMatchObject({
      status: 200,
      body: { name: 'New', description: '', role: 'viewer' },
    });
    expect(await put({ description: 'Text' })).toMatchObject({
      status: 200,
      body: { name: 'New', description: 'Text' },
    });
    for (const body of [{}, { role: 'owner' }, { is_active: false }, { name: ' ' }]) {
      expect((await put(body)).status, JSON.stringify(body)).toBe(400);
    }
    expect(await listAuditActions(db, organizationId)).toEqual(['api_key.updated', 'api_key.updated']);
  });

  test('can be disabled and enabled until it is revoked', async () => {
    const { token, organizationId } = await loggedIn('admin');
    const { id } = await makeKey(organizationId, 'viewer');
    const post = (action: string) => call(`POST /client/api-keys/${id}/${action}`, { token });
    expect(await post('toggle')).toMatchObject({
      status: 200,
      body: { is_active: false, status: 'inactive' },
    });
    expect(await post('toggle')).toMatchObject({ status: 200, body: { is_active: true, status: 'active' } });
    expect((await post('deactivate')).status).toBe(204);
    const ended = await call(`GET /client/api-keys/${id}`, { token });
    expect(ended.body).toMatchObject({
      is_active: false,
      status: 'deactivated',
      deactivated_at: expect.any(String),
    });
    expect(await post('toggle')).toMatchObject({ status: 409, body: { code: 'conflict' } });
    expect((await post('deactivate')).status).toBe(204);
    expect((await call(`GET /client/api-keys/${id}`, { token })).body).toEqual(ended.body);
    expect(await listAuditActions(db, organizationId)).toEqual([
      'api_key.updated',
      'api_key.updated',
      'api_key.deactivated',
    ]);
  });

  test('in another organization is indistinguishable from a nonexistent one', async () => {
    const { token, organizationId } = await loggedIn('owner');
    const { id } = await makeKey((await makeUser('owner')).organizationId, 'viewer');
    const { id: systemKeyId } = await makeKey(1, 'viewer');
    for (const [operation, body] of [
      ['GET /client/api-keys/ID', undefined],
      ['PUT /client/api-keys/ID', { name: 'Mine' }],
      ['POST /client/api-keys/ID/toggle', undefined],
      ['POST /client/api-keys/ID/deactivate', undefined],
    ] as const) {
      const replies = await Promise.all(
        [id, systemKeyId, 9_000_000].map((each) =>
          call(operation.replace('ID', String(each)), { token, body, headers: { 'x-request-id': 'same' } }),
        ),
      );
      for (const reply of replies) expect(reply).toMatchObject({ status: 404, body: replies.at(-1)!.body });
    }
    const untouched = await db
      .selectFrom('api_keys')
      .select(['name', 'is_active'])
      .where('id', 'in', [id, systemKeyId])
      .execute();
    expect(untouched).toEqual(Array.from({ length: 2 }, () => ({ name: 'Test key', is_active: true })));
    expect(await listAuditActions(db, organizationId)).toEqual([]);
  });
});

describe('the list of keys', () => {
  test('contains only the keys of the organization, newest first', async () => {
    const { token, organizationId } = await loggedIn('admin');
    const ids: number[] = [];
    for (let count = 0; count < 3; count++) ids.push((await makeKey(organizationId, 'viewer')).id);
    await makeKey((await makeUser('admin')).organizationId, 'viewer');
    const list = await call('GET /client/api-keys?limit=2', { token });
    expect(list).toMatchObject({
      status: 200,
      body: { total: 3, total_is_exact: true, limit: 2, offset: 0 },
    });
    expect(list.body.items.map(({ id }) => id)).toEqual(ids.toReversed().slice(0, 2));
  });

  test('contains no system keys, even for a request with a system key', async () => {
    const { key } = await makeKey(1, 'admin');
    expect((await call('GET /client/api-keys', { key })).body).toMatchObject({ items: [], total: 0 });
  });

  test('can be filtered by status and by a part of the name', async () => {
    const { token, organizationId } = await loggedIn('admin');
    const change = async (column: string) => {
      const { id } = await makeKey(organizationId, 'viewer');
      await sql`UPDATE api_keys SET ${sql.raw(column)} WHERE id = ${id}`.execute(db);
      return id;
    };
    const expected = {
      active: await change(`name = '100% active'`),
      inactive: await change('is_active = false'),
      deactivated: await change('is_active = false, deactivated_at = pacekeeper_now()'),
      expired: await change('expires_at = pacekeeper_now()'),
    };
    for (const [status, id] of Object.entries(expected)) {
      const { body } = await call(`GET /client/api-keys?status=${status}`, { token });
      expect(body).toMatchObject({ items: [{ id, status }], total: 1 });
    }
    const found = await call('GET /client/api-keys?q=0%25%20AC', { token });
    expect(found.body).toMatchObject({ items: [{ id: expected.active }], total: 1 });
    for (const sort of ['name', '-name', 'last_used_at', '-last_used_at', 'created_at']) {
      expect((await call(`GET /client/api-keys?sort=${sort}`, { token })).body).toMatchObject({ total: 4 });
    }
  });
});
