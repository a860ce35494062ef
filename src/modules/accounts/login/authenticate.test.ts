import { createSecretKey, randomBytes } from 'node:crypto';
import { SignJWT, UnsecuredJWT } from 'jose';
import { sql } from 'kysely';
import { afterEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { type Call, createAccountsServer } from '../../../../tests/helpers/accounts-fixture.ts';
import { resetClockOffset, setClockOffset } from '../../../../tests/helpers/database.ts';
import { createSilentLog } from '../../../platform/log.ts';
import { deriveKey, formatApiKey, keyFingerprint } from '../../../platform/secrets/index.ts';
import { createLoginTokens } from '../sessions/login-tokens.ts';
import { checkOrigin } from '../sessions/request-origin.ts';
import { createAuthenticator } from './authenticate.ts';

const server = await createAccountsServer();
const unconfigured = await createAccountsServer({ isBaseUrlConfigured: false });
const { db, call, login, makeUser, makeKey, statementsOf, secretKey } = server;

/** Operation that every member can read. It runs one statement in addition to the authentication. */
const read = 'GET /client/dropdowns/org-members';
const write = 'POST /client/feedback';
const feedback = { message: 'Nice.' };

afterEach(() => resetClockOffset(db));

describe('an API key', () => {
  test('gives access only to its organization', async () => {
    const user = await makeUser('viewer');
    await makeUser('viewer');
    const { key } = await makeKey(user.organizationId, 'viewer');
    const { status, body } = await call(read, { key });
    expect(status).toBe(200);
    expect(body).toMatchObject([{ id: user.memberId, email: user.email }]);
    expect(body).toHaveLength(1);
  });

  test('is authenticated with one statement', async () => {
    const { organizationId } = await makeUser('viewer');
    const { key } = await makeKey(organizationId, 'viewer');
    expect(await statementsOf(() => call(read, { key }))).toHaveLength(2);
  });

  test('with a typo is rejected without a database query', async () => {
    const { organizationId } = await makeUser('viewer');
    const { id, key } = await makeKey(organizationId, 'viewer');
    const typos = [
      key.slice(0, -1),
      key.replace(/.$/, (last) => (last === 'A' ? 'B' : 'A')),
      key.replace(`pk_${id}_`, `pk_${id + 1}_`),
      '',
      'pk_1_short',
    ];
    for (const typo of typos) {
      const statements = await statementsOf(async () =>
        expect(await call(read, { key: typo })).toMatchObject({ status: 401 }),
      );
      expect(statements, typo).toEqual([]);
    }
  });

  test('with a wrong secret always gets the same response, whether or not its ID exists and whatever the state of the key is', async () => {
    const { organizationId } = await makeUser('viewer');
    const idWith = async (change: string) => {
      const { id } = await makeKey(organizationId, 'viewer');
      await sql`UPDATE api_keys SET ${sql.raw(change)} WHERE id = ${id}`.execute(db);
      return id;
    };
    const ids = [
      9_000_000,
      '9223372036854775807',
      await idWith('is_active = true'),
      await idWith('is_active = false'),
      await idWith(`expires_at = pacekeeper_now() - interval '1 second'`),
      await idWith('is_active = true, deactivated_at = pacekeeper_now()'),
    ];
    const keys = ids.map((id) => formatApiKey(id, 'a'.repeat(43)));
    const answers = await Promise.all(
      keys.map((key) => call(read, { key, headers: { 'x-request-id': 'same' } })),
    );
    for (const { status, body } of answers) {
      expect(status).toBe(401);
      expect(body).toEqual(answers[0]!.body);
    }
    expect(answers[0]!.body).toMatchObject({
      code: 'unauthenticated',
      detail: 'Unknown API key. Check that it belongs to this server, or create a new one.',
    });
  });

  test.each([
    ['is_active = false', 'The API key is disabled. Ask an administrator to enable it.'],
    [`expires_at = pacekeeper_now() - interval '1 second'`, 'The API key has expired. Create a new one.'],
    ['is_active = true, deactivated_at = pacekeeper_now()', 'The API key was revoked. Create a new one.'],
  ])('with the correct secret is rejected with the reason: %s', async (change, detail) => {
    const { organizationId } = await makeUser('viewer');
    const { id, key } = await makeKey(organizationId, 'viewer');
    await sql`UPDATE api_keys SET ${sql.raw(change)} WHERE id = ${id}`.execute(db);
    expect(await call(read, { key })).toMatchObject({
      status: 401,
      body: { code: 'unauthenticated', title: 'Authentication failed.', detail },
    });
  });

  test('is rejected with the reason if its creator is no longer allowed to create it', async () => {
    const user = await makeUser('admin');
    const { token } = await login(user);
    const { body } = await call('POST /client/api-keys', { token, body: { name: 'K', role: 'viewer' } });
    await sql`UPDATE memberships SET role = 'member' WHERE id = ${user.memberId}`.execute(db);
    expect((await call(read, { key: body.key })).body).toMatchObject({
      detail:
        'The API key stopped working because its creator lost the permission to create it. Create a new one.',
    });
  });

  test('is rejected starting with the next request after it is disabled or revoked, and works again after it is enabled', async () => {
    const user = await makeUser('admin');
    const { token } = await login(user);
    const { id, key } = await makeKey(user.organizationId, 'viewer');
    const toggle = () => call(`POST /client/api-keys/${id}/toggle`, { token });
    expect((await call(read, { key })).status).toBe(200);
    await toggle();
    expect((await call(read, { key })).status).toBe(401);
    await toggle();
    expect((await call(read, { key })).status).toBe(200);
    await call(`POST /client/api-keys/${id}/deactivate`, { token });
    expect((await call(read, { key })).status).toBe(401);
  });

  test('expires at its expiration time', async () => {
    const { organizationId } = await makeUser('viewer');
    const { id, key } = await makeKey(organizationId, 'viewer');
    await sql`UPDATE api_keys SET expires_at = pacekeeper_now() + interval '1 hour' WHERE id = ${id}`.execute(
      db,
    );
    expect((await call(read, { key })).status).toBe(200);
    await setClockOffset(db, '1 hour');
    expect((await call(read, { key })).status).toBe(401);
  });

  test('in the Global organization is a system key', async () => {
    const { key } = await makeKey(1, 'viewer');
    const caller = await callerOf({ 'x-api-key': key });
    expect(caller).toMatchObject({ organizationId: 1, via: 'api_key', isSystem: true });
  });

  test('is recorded as used shortly after the request, without an extra statement in the request', async () => {
    const { organizationId } = await makeUser('viewer');
    const { id, key } = await makeKey(organizationId, 'viewer');
    const lastUsed = async () => {
      const row = await db
        .selectFrom('api_keys')
        .select('last_used_at')
        .where('id', '=', id)
        .executeTakeFirstOrThrow();
      return row.last_used_at;
    };
    const statements = await statementsOf(() =>
      Promise.all(Array.from({ length: 5 }, () => call(read, { key }))),
    );
    expect(statements.filter((text) => /update/i.test(text))).toEqual([]);
    expect(await lastUsed()).toBeNull();
    await expect.poll(lastUsed).toBeInstanceOf(Date);
  });
});

describe('the time of last use', () => {
  test('is written for all keys in one statement, at shutdown at the latest', async () => {
    const { organizationId } = await makeUser('viewer');
    const keys = await Promise.all(Array.from({ length: 5 }, () => makeKey(organizationId, 'viewer')));
    const { authenticate, stop } = authenticatorOf();
    const statements = await statementsOf(async () => {
      for (const { key } of keys) await authenticate(requestOf({ 'x-api-key': key }));
      await stop();
    });
    expect(statements).toHaveLength(keys.length + 1);
    const ids = keys.map(({ id }) => id);
    const rows = await db.selectFrom('api_keys').select('last_used_at').where('id', 'in', ids).execute();
    expect(rows.filter((row) => row.last_used_at === null)).toEqual([]);
  });

  test('is written at most once per 30 seconds', async () => {
    const { organizationId } = await makeUser('viewer');
    const { key } = await makeKey(organizationId, 'viewer');
    const use = async () => {
      const { authenticate, stop } = authenticatorOf();
      await authenticate(requestOf({ 'x-api-key': key }));
      await stop();
    };
    await use();
    expect(await statementsOf(use)).toHaveLength(1);
    await setClockOffset(db, '31 seconds');
    expect(await statementsOf(use)).toHaveLength(2);
  });
});

describe('an access token', () => {
  test('is authenticated with one statement', async () => {
    const { token } = await login(await makeUser('viewer'));
    expect(await statementsOf(() => call(read, { token }))).toHaveLength(2);
  });

  test('is valid for 15 minutes, by the clock of the database', async () => {
    const { token } = await login(await makeUser('viewer'));
    await setClockOffset(db, '14 minutes');
    expect((await call(read, { token })).status).toBe(200);
    await setClockOffset(db, '15 minutes');
    expect(await call(read, { token })).toMatchObject({
      status: 401,
      body: {
        code: 'unauthenticated',
        detail: 'The access token has expired. Refresh it or log in again.',
      },
    });
  });

  test('from a session that was logged out is rejected with the reason', async () => {
    const { token, refresh } = await login(await makeUser('viewer'));
    await call('POST /auth/logout', { cookies: { '__Host-pacekeeper_refresh': refresh } });
    expect(await call(read, { token })).toMatchObject({
      status: 401,
      body: {
        code: 'unauthenticated',
        detail: 'The session of this access token has ended. Log in again.',
      },
    });
  });

  test('grants the current role of its user', async () => {
    const user = await makeUser('admin');
    const { token } = await login(user);
    expect((await call('GET /client/members', { token })).status).toBe(200);
    await sql`UPDATE memberships SET role = 'viewer' WHERE id = ${user.memberId}`.execute(db);
    expect((await call('GET /client/members', { token })).status).toBe(403);
    expect((await call(read, { token })).status).toBe(200);
    await sql`DELETE FROM memberships WHERE id = ${user.memberId}`.execute(db);
    expect((await call(read, { token })).status).toBe(401);
  });

  test('becomes invalid when the token version of its user changes', async () => {
    const user = await makeUser('viewer');
    const { token } = await login(user);
    await sql`UPDATE users SET token_version = token_version + 1 WHERE id = ${user.userId}`.execute(db);
    expect((await call(read, { token })).status).toBe(401);
  });

  test('signed with a previous secret key is valid while that key is configured', async () => {
    const user = await makeUser('viewer');
    const { token } = await login(user);
    const newKey = randomBytes(32);
    const rotated = createLoginTokens({ current: newKey, previous: [secretKey] });
    expect(await rotated.verify(token)).toMatchObject({ userId: user.userId });
    expect(await createLoginTokens({ current: newKey }).verify(token)).toBeNull();
  });

  test('has its signature verified only once, but its session is checked on every request', async () => {
    const user = await makeUser('viewer');
    const { token } = await login(user);
    const verify = vi.spyOn(crypto.subtle, 'verify');
    onTestFinished(() => verify.mockRestore());
    for (let count = 0; count < 3; count++) expect((await call(read, { token })).status).toBe(200);
    expect(verify).toHaveBeenCalledTimes(1);
    await sql`UPDATE users SET token_version = token_version + 1 WHERE id = ${user.userId}`.execute(db);
    expect((await call(read, { token })).status).toBe(401);
  });

  test('is cached, with a limit of 1,000 tokens', async () => {
    const tokens = createLoginTokens({ current: secretKey });
    const claims = { userId: 1, organizationId: 1, tokenVersion: 1 };
    const issue = (familyId: number) => tokens.issue({ ...claims, familyId: String(familyId) }, new Date());
    const first = await issue(0);
    await tokens.verify(first);
    for (let count = 1; count <= 1_000; count++) await tokens.verify(await issue(count));
    const verify = vi.spyOn(crypto.subtle, 'verify');
    onTestFinished(() => verify.mockRestore());
    expect(await tokens.verify(first)).toMatchObject({ familyId: '0' });
    expect(verify).toHaveBeenCalledTimes(1);
  });

  describe('with a fault', async () => {
    const user = await makeUser('owner');
    const { token } = await login(user);
    const claims = (await server.loginTokens.verify(token))!;
    const payload = { org: claims.organizationId, ver: claims.tokenVersion, sid: claims.familyId };
    const ownKey = createSecretKey(deriveKey(secretKey, 'login-token'));
    const ownKid = keyFingerprint(secretKey).slice(0, 8);

    const signed = ({
      key = ownKey,
      alg = 'HS256',
      kid = ownKid as string | null,
      issuer = 'pacekeeper',
      audience = 'pacekeeper-api',
      more = {},
    } = {}) =>
      new SignJWT({ ...payload, ...more })
        .setProtectedHeader({ alg, ...(kid !== null && { kid }) })
        .setSubject(String(user.userId))
        .setIssuer(issuer)
        .setAudience(audience)
        .setExpirationTime(claims.expiresAtSeconds)
        .sign(key);
    const unsecured = () =>
      new UnsecuredJWT(payload)
        .setSubject(String(user.userId))
        .setIssuer('pacekeeper')
        .setAudience('pacekeeper-api')
        .setExpirationTime(claims.expiresAtSeconds)
        .encode();
    const withHeader = (header: object) => {
      const [, ...rest] = token.split('.');
      return [Buffer.from(JSON.stringify(header)).toString('base64url'), ...rest].join('.');
    };

    test('would be accepted without the fault', async () => {
      expect((await call(read, { token: await signed() })).status).toBe(200);
    });

    const foreignKey = createSecretKey(randomBytes(32));
    const faults: Record<string, () => string | Promise<string>> = {
      'algorithm none': unsecured,
      'algorithm none in the header with the original signature': () =>
        withHeader({ alg: 'none', kid: ownKid }),
      'another algorithm with the right key': () =>
        signed({ alg: 'HS512', key: createSecretKey(Buffer.concat([ownKey.export(), ownKey.export()])) }),
      'a different key with our key ID': () => signed({ key: foreignKey }),
      'a different key with a different key ID': () => signed({ key: foreignKey, kid: 'deadbeef' }),
      'our key with a different key ID': () => signed({ kid: 'deadbeef' }),
      'no key ID': () => signed({ kid: null }),
      'another audience': () => signed({ audience: 'somebody-else' }),
      'another issuer': () => signed({ issuer: 'somebody-else' }),
      'the secret key instead of the key derived for logins': () =>
        signed({ key: createSecretKey(secretKey) }),
      'a modified payload': () => {
        const [header, , signature] = token.split('.');
        const changed = Buffer.from(JSON.stringify({ ...payload, org: 1 })).toString('base64url');
        return [header, changed, signature].join('.');
      },
      'another organization': () => signed({ more: { org: claims.organizationId + 1 } }),
      'the Global organization': () => signed({ more: { org: 1 } }),
      'another token version': () => signed({ more: { ver: claims.tokenVersion + 1 } }),
      'a session that never existed': () => signed({ more: { sid: '00000000-0000-4000-8000-000000000000' } }),
      "text that isn't a token": () => 'a.b.c',
      'an API key instead of a token': async () => (await makeKey(user.organizationId, 'viewer')).key,
    };
    const unknown = 'Unknown access token. Check that you copied all of it, or log in again.';
    const ended = 'The session of this access token has ended. Log in again.';
    const details: Readonly<Record<string, string>> = {
      'another organization': ended,
      'the Global organization': ended,
      'another token version': ended,
      'a session that never existed': ended,
      'an API key instead of a token':
        'This is an API key. Send it in X-API-Key instead of in Authorization.',
    };
    test.each(Object.entries(faults))('is rejected: %s', async (name, make) => {
      expect(await call(read, { token: await make() })).toMatchObject({
        status: 401,
        body: { code: 'unauthenticated', detail: details[name] ?? unknown },
      });
    });
  });
});

describe('the session cookie', () => {
  const cookieOf = async () => ({
    '__Host-pacekeeper_session': (await login(await makeUser('member'))).session,
  });

  test('allows reads without an Origin header', async () => {
    expect((await call(read, { cookies: await cookieOf() })).status).toBe(200);
  });

  const from = (origin: string, host: string): Call => ({ origin, headers: { host } });
  const base = 'https://pacekeeper.example';

  test.each<[string, Call, number]>([
    ['the base URL', from(base, 'pacekeeper.example'), 201],
    ['the base URL with its port', from(base, 'pacekeeper.example:443'), 201],
    ['the loopback address of the same machine', from('http://127.0.0.1:8080', '127.0.0.1:8080'), 201],
    ['the loopback name of the same machine', from('http://localhost:8080', 'localhost:8080'), 201],
    ['no Origin header', {}, 403],
    ['another site', from('https://evil.example', 'pacekeeper.example'), 403],
    [
      'the name of another site that resolves to this server',
      from('http://evil.example:8080', 'evil.example:8080'),
      403,
    ],
    ['a name that starts like a loopback address', from('http://127.evil.example', '127.evil.example'), 403],
    ['the base URL in a request to another host', from(base, '10.0.0.7:8080'), 403],
    [
      'a site whose name starts with the same host',
      { origin: 'https://pacekeeper.example.evil.example' },
      403,
    ],
    ['the null origin of a sandboxed page', { origin: 'null' }, 403],
    ['an empty Origin header', { origin: '' }, 403],
  ])(
    'with a configured base URL allows writes only from a trusted origin: %s (case %#)',
    async (_name, more, status) => {
      expect((await call(write, { cookies: await cookieOf(), body: feedback, ...more })).status).toBe(status);
    },
  );

  test.each<[string, Call, number]>([
    ['the scheme and host of the request', from('http://10.0.0.7:8080', '10.0.0.7:8080'), 201],
    ['the host of the request with another port', from('http://10.0.0.7:8080', '10.0.0.7'), 403],
    ['another site', from('https://evil.example', '10.0.0.7:8080'), 403],
    ['no Origin header', {}, 403],
  ])(
    'without a configured base URL allows writes only if Origin has the scheme and host of the request: %s (case %#)',
    async (_name, more, status) => {
      const user = await unconfigured.makeUser('member');
      const cookies = { pacekeeper_session: (await unconfigured.login(user)).session };
      expect((await unconfigured.call(write, { cookies, body: feedback, ...more })).status).toBe(status);
    },
  );

  test.each([
    ['10.0.0.7', '10.0.0.7:8080', true],
    ['::ffff:10.0.0.7', '10.0.0.7:8080', true],
    ['2001:db8::7', '[2001:db8::7]:8080', true],
    ['10.0.0.7', '10.0.0.8:8080', false],
  ])('is accepted on a connection to %s with the origin host %s: %s', (localAddress, host, isAllowed) => {
    const origin = `http://${host}`;
    const request = { headers: { origin }, host, protocol: 'http', socket: { localAddress } };
    const check = () => checkOrigin(request as unknown as RequestOf, base);
    if (isAllowed) check();
    else expect(check).toThrow(/PACEKEEPER_BASE_URL/);
  });

  test('is used only if the request has no API key and no Authorization header', async () => {
    const cookies = await cookieOf();
    expect((await call(read, { cookies, key: 'pk_1_wrong' })).status).toBe(401);
    expect((await call(read, { cookies, token: 'wrong' })).status).toBe(401);
    expect((await call(read, { cookies, headers: { authorization: 'Digest x' } })).status).toBe(401);
  });

  test('is used behind a proxy that forwards the Authorization header of its own login', async () => {
    const headers = { authorization: 'Basic YTpi' };
    expect((await call(read, { cookies: await cookieOf(), headers })).status).toBe(200);
    const { organizationId } = await makeUser('member');
    const { key } = await makeKey(organizationId, 'viewer');
    expect((await call(read, { key, headers })).status).toBe(200);
  });

  test('is rejected after the session has expired', async () => {
    const cookies = await cookieOf();
    await setClockOffset(db, '15 minutes');
    expect((await call(read, { cookies })).status).toBe(401);
  });
});

test('requests without credentials or with both an API key and an access token are rejected', async () => {
  const user = await makeUser('member');
  const { token } = await login(user);
  const { key } = await makeKey(user.organizationId, 'viewer');
  expect((await call(read)).status).toBe(401);
  expect((await call(read, { key })).status).toBe(200);
  expect((await call(read, { token })).status).toBe(200);
  expect((await call(read, { key, token })).status).toBe(401);
});

test('requests with missing or misplaced credentials get an error that explains where to send credentials', async () => {
  const { token } = await login(await makeUser('member'));
  const detailOf = async (credentials: Call) => (await call(read, credentials)).body as unknown;
  expect(await detailOf({})).toMatchObject({
    detail:
      'This requires authentication. Send an API key in X-API-Key, or log in and send the access token as Authorization: Bearer TOKEN.',
  });
  expect(await detailOf({ key: token })).toMatchObject({
    detail: 'This is an access token. Send it as Authorization: Bearer TOKEN instead of in X-API-Key.',
  });
  expect(await detailOf({ key: 'pk_1_short' })).toMatchObject({
    detail: "This isn't an API key. Check that you copied all of it: API keys look like pk_12_3kZq….",
  });
  expect(await detailOf({ headers: { authorization: 'Basic YTpi' } })).toMatchObject({
    detail: expect.stringContaining('Send an API key in X-API-Key'),
  });
  expect(await detailOf({ headers: { authorization: 'Digest x' } })).toMatchObject({
    detail: 'The Authorization header is invalid. Send the access token as Authorization: Bearer TOKEN.',
  });
  expect((await call('POST /auth/refresh')).body).toMatchObject({
    detail: 'The cookie __Host-pacekeeper_refresh is missing. Log in again.',
  });
});

describe('the embedded agent', () => {
  test('acts in the Global organization with the agent role, authenticated by an internal token', async () => {
    const caller = await callerOf({ authorization: `Bearer ${server.embeddedAgentToken}` });
    expect(caller).toMatchObject({ via: 'embedded_agent', organizationId: 1, role: 'agent', isSystem: true });
  });

  test('has no access to other operations', async () => {
    expect((await call(read, { token: server.embeddedAgentToken })).status).toBe(403);
  });

  test('is rejected with another token, or if no token is configured', async () => {
    const other = server.embeddedAgentToken.replace(/.$/, (last) => (last === 'A' ? 'B' : 'A'));
    await expect(callerOf({ authorization: `Bearer ${other}` })).rejects.toMatchObject({
      code: 'unauthenticated',
    });
    const without = authenticatorOf(null).authenticate(
      requestOf({ authorization: `Bearer ${server.embeddedAgentToken}` }),
    );
    await expect(without).rejects.toMatchObject({ code: 'unauthenticated' });
  });
});

test('a valid login gives no access to the keys of another organization', async () => {
  const [mine, theirs] = [await makeUser('admin'), await makeUser('admin')];
  const { token } = await login(mine);
  const { id } = await makeKey(theirs.organizationId, 'viewer');
  const never = await call('GET /client/api-keys/9000000', { token, headers: { 'x-request-id': 'same' } });
  const foreign = await call(`GET /client/api-keys/${id}`, { token, headers: { 'x-request-id': 'same' } });
  expect(foreign.status).toBe(404);
  expect(foreign.body).toEqual(never.body);
});

type RequestOf = Parameters<typeof server.authenticator.authenticate>[0];

function requestOf(headers: Record<string, string>): RequestOf {
  return { headers, cookies: {}, method: 'GET' } as unknown as RequestOf;
}

function callerOf(headers: Record<string, string>) {
  return server.authenticator.authenticate(requestOf(headers));
}

function authenticatorOf(embeddedAgentToken: string | null = null) {
  const { loginTokens, deploymentTokens } = server;
  return createAuthenticator({
    db,
    loginTokens,
    deploymentTokens,
    configuredBaseUrl: null,
    embeddedAgentToken,
    log: createSilentLog(),
  });
}
