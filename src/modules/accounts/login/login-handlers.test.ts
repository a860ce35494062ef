import { randomBytes, randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import {
  createAccountsServer,
  noSingleSignOn,
  password,
  type Reply,
} from '../../../../tests/helpers/accounts-fixture.ts';
import { resetClockOffset, setClockOffset } from '../../../../tests/helpers/database.ts';
import { transaction } from '../../../platform/database/index.ts';
import { createSilentLog } from '../../../platform/log.ts';
import { createSecretBox } from '../../../platform/secrets/index.ts';
import { insertMember } from '../people/member-queries.ts';
import { deleteExpiredLoginsAcrossOrganizations } from '../sessions/refresh-token-queries.ts';
import { loginHandlers } from './login-handlers.ts';

const server = await createAccountsServer();
const { db, call, login, makeUser, makeOrganization } = server;

const read = 'GET /client/dropdowns/org-members';
const newPassword = 'a new and longer one';
const same = { 'x-request-id': 'same' };

afterEach(() => resetClockOffset(db));

/** Stops the clock of the rate limits, so that no limit refills while the requests of a test run. */
function stopRefills(): void {
  const clock = vi.spyOn(performance, 'now').mockReturnValue(performance.now());
  onTestFinished(() => clock.mockRestore());
}

describe('a login', () => {
  test('with an invalid email address gets a clear error', async () => {
    expect(await call('POST /auth/login', { body: { email: 'ana', password } })).toMatchObject({
      status: 400,
      body: { errors: [{ field: 'email', message: 'must be an email address such as ana@example.com' }] },
    });
  });

  test('returns an access token, the user, the organization, and both cookies', async () => {
    const user = await makeUser('member');
    const { reply, token } = await login(user);
    expect(reply).toMatchObject({
      status: 200,
      body: {
        token_type: 'Bearer',
        expires_in: 900,
        user: { id: user.userId, email: user.email, name: 'A member' },
        organization: { id: user.organizationId, name: 'Acme', role: 'member' },
        organizations: [{ id: user.organizationId }],
      },
    });
    const hidden = { httpOnly: true, sameSite: 'Strict', secure: true };
    expect(reply.cookies).toMatchObject([
      { name: '__Host-pacekeeper_session', path: '/', maxAge: 900, value: token, ...hidden },
      { name: '__Host-pacekeeper_refresh', path: '/', maxAge: 1_209_600, ...hidden },
    ]);
  });

  test('ignores case and surrounding whitespace in the email address', async () => {
    const user = await makeUser('member');
    const body = { email: ` ${user.email.toUpperCase()} `, password };
    expect((await call('POST /auth/login', { body })).status).toBe(200);
  });

  test('with a wrong password gets the same response as with an unknown email address', async () => {
    const user = await makeUser('member');
    const attempt = (email: string) =>
      call('POST /auth/login', { body: { email, password: 'wrong' }, headers: same });
    const [wrong, nobody] = [await attempt(user.email), await attempt('nobody@shop.example')];
    expect(wrong.status).toBe(401);
    expect(nobody).toMatchObject({ status: 401, body: wrong.body, cookies: [] });
  });

  test("verifies a password even if the user doesn't exist", async () => {
    const verified: (string | null)[] = [];
    const handlers = loginHandlers({
      db,
      loginTokens: server.loginTokens,
      deploymentTokens: server.deploymentTokens,
      outbound: { request: () => Promise.reject(new Error('no outbound requests')) },
      passwords: {
        hash: async () => '',
        needsRehash: () => false,
        verify: async (hash) => {
          verified.push(hash);
          return false;
        },
      },
      secretBox: createSecretBox({ current: randomBytes(32) }),
      config: { baseUrl: null },
      guessing: { countInvalid: () => undefined },
      singleSignOn: noSingleSignOn(db),
      baseUrl: 'https://pacekeeper.example',
      log: createSilentLog(),
    });
    const request = {
      body: { email: 'nobody@shop.example', password },
      http: { request: { ip: '10.0.0.1' } },
    };
    await expect(handlers.login(request as never)).rejects.toMatchObject({ code: 'unauthenticated' });
    expect(verified).toEqual([null]);
  });

  test('is forbidden for a user without an organization', async () => {
    const user = await makeUser('member');
    await sql`DELETE FROM memberships WHERE user_id = ${user.userId}`.execute(db);
    expect((await call('POST /auth/login', { body: { email: user.email, password } })).status).toBe(403);
  });

  test('starts in the organization that the user switched to last', async () => {
    const user = await makeUser('member');
    const other = await joinAnother(user.userId);
    const first = await login(user);
    await call('POST /auth/switch', { token: first.token, body: { organization_id: other } });
    const { reply } = await login(user);
    expect(reply.body.organization).toMatchObject({ id: other });
    expect(reply.body.organizations).toHaveLength(2);
  });

  test("is limited to 10 attempts a minute per account, even if the account doesn't exist", async () => {
    const user = await makeUser('member');
    stopRefills();
    for (const email of [user.email, `${randomUUID()}@shop.example`]) {
      const attempt = (address: string) =>
        call('POST /auth/login', { body: { email: address, password: 'wrong' } });
      const attempts = await Promise.all([...atOnce(10, () => attempt(email)), attempt(email.toUpperCase())]);
      expect(attempts.filter(({ status }) => status === 401)).toHaveLength(10);
      const [refused] = attempts.filter(({ status }) => status === 429);
      expect(Number(refused!.headers['retry-after'])).toBeGreaterThan(0);
    }
  });

  test('is limited to 100 requests a minute per client address, including other authentication requests', async () => {
    const address = '10.9.9.9';
    const body = { token: 'unknown', new_password: newPassword };
    stopRefills();
    const attempts = await Promise.all(
      atOnce(150, () => call('POST /auth/password/reset', { address, body })),
    );
    expect(attempts.filter(({ status }) => status === 404)).toHaveLength(100);
    expect(attempts.filter(({ status }) => status === 429)).toHaveLength(50);
  });
});

describe('login cookies', () => {
  test('are sent without `Secure` only if the base URL uses HTTP', async () => {
    const plain = await createAccountsServer({ baseUrl: 'http://127.0.0.1:8080' });
    const { reply } = await plain.login(await plain.makeUser('member'));
    expect(reply.cookies.map(({ secure, httpOnly }) => ({ secure, httpOnly }))).toEqual([
      { secure: undefined, httpOnly: true },
      { secure: undefined, httpOnly: true },
    ]);
  });
});

describe('login renewal', () => {
  test('replaces the refresh token and stays in the same organization', async () => {
    const user = await makeUser('member');
    const { refresh } = await login(user);
    const renewed = await renew(refresh);
    expect(renewed).toMatchObject({ status: 200, body: { organization: { id: user.organizationId } } });
    const next = renewed.cookie('__Host-pacekeeper_refresh')!;
    expect(next).not.toBe(refresh);
    expect((await renew(next)).status).toBe(200);
    expect((await call(read, { token: renewed.body.access_token })).status).toBe(200);
  });

  test('with a reused refresh token ends the login for all clients', async () => {
    const { refresh } = await login(await makeUser('member'));
    const renewed = await renew(refresh);
    const next = renewed.cookie('__Host-pacekeeper_refresh')!;
    await setClockOffset(db, '11 seconds');
    expect((await renew(refresh)).status).toBe(401);
    expect((await renew(next)).status).toBe(401);
    expect((await call(read, { token: renewed.body.access_token })).status).toBe(401);
  });

  test("with a reused refresh token doesn't affect other logins of the user", async () => {
    const user = await makeUser('member');
    const [stolen, other] = [await login(user), await login(user)];
    await renew(stolen.refresh);
    await setClockOffset(db, '11 seconds');
    await renew(stolen.refresh);
    expect((await call(read, { token: other.token })).status).toBe(200);
    expect((await renew(other.refresh)).status).toBe(200);
  });

  test('in several tabs at the same time works for all of them, and issues only one refresh token', async () => {
    const { refresh } = await login(await makeUser('member'));
    const tabs = await Promise.all([renew(refresh), renew(refresh), renew(refresh)]);
    expect(tabs.map(({ status }) => status)).toEqual([200, 200, 200]);
    const given = tabs
      .map((tab) => tab.cookie('__Host-pacekeeper_refresh'))
      .filter((token) => token !== undefined);
    expect(given).toHaveLength(1);
    for (const tab of tabs) expect((await call(read, { token: tab.body.access_token })).status).toBe(200);
    expect((await renew(given[0]!)).status).toBe(200);
  });

  test('is rejected after 14 days', async () => {
    const { refresh } = await login(await makeUser('member'));
    await setClockOffset(db, '14 days');
    expect((await renew(refresh)).status).toBe(401);
  });

  test('is rejected for a user who left the organization', async () => {
    const user = await makeUser('member');
    const { refresh } = await login(user);
    await sql`DELETE FROM memberships WHERE user_id = ${user.userId}`.execute(db);
    expect((await renew(refresh)).status).toBe(401);
  });

  test('requires the cookie, and is rejected from other sites', async () => {
    const { refresh } = await login(await makeUser('member'));
    const cookies = { '__Host-pacekeeper_refresh': refresh };
    expect((await call('POST /auth/refresh')).status).toBe(401);
    expect((await renew('unknown')).status).toBe(401);
    expect((await call('POST /auth/refresh', { cookies, origin: 'https://evil.example' })).status).toBe(403);
    expect((await call('POST /auth/logout', { cookies, origin: 'https://evil.example' })).status).toBe(403);
    expect((await call('POST /auth/refresh', { cookies, origin: 'https://pacekeeper.example' })).status).toBe(
      200,
    );
  });
});

describe('logging out', () => {
  test('immediately ends the login and clears the cookies', async () => {
    const { token, refresh } = await login(await makeUser('member'));
    const reply = await call('POST /auth/logout', { cookies: { '__Host-pacekeeper_refresh': refresh } });
    expect(reply).toMatchObject({
      status: 204,
      cookies: [
        { name: '__Host-pacekeeper_session', value: '', maxAge: 0, path: '/' },
        { name: '__Host-pacekeeper_refresh', value: '', maxAge: 0, path: '/' },
      ],
    });
    expect((await call(read, { token })).status).toBe(401);
    expect((await renew(refresh)).status).toBe(401);
  });

  test('returns 204 even without a login', async () => {
    expect((await call('POST /auth/logout')).status).toBe(204);
    expect(
      (await call('POST /auth/logout', { cookies: { '__Host-pacekeeper_refresh': 'unknown' } })).status,
    ).toBe(204);
  });
});

describe('the account of the current user', () => {
  test('is returned with the current organization and all organizations of the user', async () => {
    const user = await makeUser('admin');
    const { token, session } = await login(user);
    const body = {
      user: { id: user.userId, email: user.email, name: 'A admin' },
      organization: { id: user.organizationId, name: 'Acme', role: 'admin' },
      organizations: [{ id: user.organizationId, name: 'Acme', role: 'admin' }],
    };
    expect(await call('GET /auth/me', { token })).toMatchObject({ status: 200, body });
    expect(await call('GET /auth/me', { cookies: { '__Host-pacekeeper_session': session } })).toMatchObject({
      status: 200,
      body,
    });
  });

  test("can't be accessed with an API key", async () => {
    const { organizationId } = await makeUser('owner');
    const { key } = await server.makeKey(organizationId, 'owner');
    for (const [operation, body] of [
      ['GET /auth/me', undefined],
      ['POST /auth/password', { current_password: password, new_password: newPassword }],
      ['POST /auth/switch', { organization_id: organizationId }],
    ] as const) {
      expect(await call(operation, { key, body })).toMatchObject({
        status: 401,
        body: { code: 'login_required' },
      });
    }
  });

  test('can switch only to organizations of the user', async () => {
    const user = await makeUser('member');
    const other = await joinAnother(user.userId, 'viewer');
    const foreign = await makeOrganization('Foreign');
    const { token, refresh } = await login(user);
    const switchTo = (organization_id: number) =>
      call('POST /auth/switch', {
        token,
        cookies: { '__Host-pacekeeper_refresh': refresh },
        body: { organization_id },
      });
    for (const id of [foreign, 1, 9_000_000]) expect((await switchTo(id)).status, String(id)).toBe(404);
    const switched = await switchTo(other);
    expect(switched).toMatchObject({ status: 200, body: { organization: { id: other, role: 'viewer' } } });
    const renewed = await renew(switched.cookie('__Host-pacekeeper_refresh')!);
    expect(renewed.body.organization).toMatchObject({ id: other });
    // A tab that still uses the old refresh token also continues in the new organization.
    expect((await renew(refresh)).body.organization).toMatchObject({ id: other });
  });

  test('gets no new refresh token if it switches organizations with the refresh cookie of another user', async () => {
    const [mine, theirs] = [await makeUser('member'), await makeUser('member')];
    const [{ token }, other] = [await login(mine), await login(theirs)];
    const body = { organization_id: mine.organizationId };
    const cookies = { '__Host-pacekeeper_refresh': other.refresh };
    const switched = await call('POST /auth/switch', { token, cookies, body });
    expect(switched.status).toBe(200);
    expect(switched.cookie('__Host-pacekeeper_refresh')).toBeUndefined();
    expect((await renew(other.refresh)).body.user).toMatchObject({ id: theirs.userId });
  });
});

describe('a new password', () => {
  test('ends all other logins and issues new tokens to the current one', async () => {
    const user = await makeUser('member');
    const [here, elsewhere] = [await login(user), await login(user)];
    const body = { current_password: password, new_password: newPassword };
    const changed = await call('POST /auth/password', { token: here.token, body });
    expect(changed.status).toBe(200);
    expect((await call(read, { token: here.token })).status).toBe(401);
    expect((await call(read, { token: elsewhere.token })).status).toBe(401);
    expect((await renew(elsewhere.refresh)).status).toBe(401);
    expect((await call(read, { token: changed.body.access_token })).status).toBe(200);
    expect((await renew(changed.cookie('__Host-pacekeeper_refresh')!)).status).toBe(200);
    expect((await login(user)).reply.status).toBe(401);
    expect((await login(user, newPassword)).reply.status).toBe(200);
  });

  test('requires the current password and a minimum length, and limits the number of attempts', async () => {
    const user = await makeUser('member');
    const { token } = await login(user);
    const change = (current_password: string, new_password: string) =>
      call('POST /auth/password', { token, body: { current_password, new_password } });
    expect(await change('wrong', newPassword)).toMatchObject({
      status: 400,
      body: { errors: [{ field: 'current_password' }] },
    });
    expect((await change(password, 'short')).status).toBe(400);
    const tries = await Promise.all(atOnce(10, () => change('wrong', newPassword)));
    expect(tries.map(({ status }) => status)).toContain(429);
  });

  test('can be set by the user while failed logins for the account and the client address are rate-limited', async () => {
    const user = await makeUser('member');
    const { token } = await login(user);
    const address = '10.9.9.10';
    const guess = () => call('POST /auth/login', { address, body: { email: user.email, password: 'wrong' } });
    expect((await Promise.all(atOnce(120, guess))).map(({ status }) => status)).toContain(429);
    const body = { current_password: password, new_password: newPassword };
    expect((await call('POST /auth/password', { token, address, body })).status).toBe(200);
  });

  test('is set by only one of two concurrent requests', async () => {
    const user = await makeUser('member');
    const [one, two] = [await login(user), await login(user)];
    const change = (token: string, new_password: string) =>
      call('POST /auth/password', { token, body: { current_password: password, new_password } });
    const statuses = (
      await Promise.all([change(one.token, `${newPassword} 1`), change(two.token, `${newPassword} 2`)])
    ).map(({ status }) => status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(1);
  });
});

describe('a reset link', () => {
  test('sets a password once and ends all logins of the user', async () => {
    const { user, token: resetToken } = await resetLink();
    const before = await login(user);
    const reset = (token: string) =>
      call('POST /auth/password/reset', { body: { token, new_password: newPassword } });
    expect((await reset(resetToken)).status).toBe(204);
    expect((await reset(resetToken)).status).toBe(404);
    expect((await call(read, { token: before.token })).status).toBe(401);
    expect((await renew(before.refresh)).status).toBe(401);
    expect((await login(user, newPassword)).reply.status).toBe(200);
    const entries = await db
      .selectFrom('audit_log')
      .select(['resource_id', 'actor_type', 'actor_id', 'request_id'])
      .where('organization_id', '=', user.organizationId)
      .where('action', '=', 'member.password_reset')
      .execute();
    expect(entries).toEqual([
      {
        resource_id: user.memberId,
        actor_type: 'user',
        actor_id: user.userId,
        request_id: expect.any(String),
      },
    ]);
  });

  test('works only once in two concurrent requests', async () => {
    const { token } = await resetLink();
    const reset = () => call('POST /auth/password/reset', { body: { token, new_password: newPassword } });
    const statuses = (await Promise.all([reset(), reset()])).map(({ status }) => status);
    expect(statuses).toEqual(expect.arrayContaining([204, 404]));
  });

  test('expires after a day, or when a newer one is created', async () => {
    const first = await resetLink();
    const second = await call(`POST /client/members/${first.user.memberId}/reset-link`, {
      token: first.adminToken,
    });
    const body = { token: first.token, new_password: newPassword };
    expect((await call('POST /auth/password/reset', { body })).status).toBe(404);
    await setClockOffset(db, '1 day');
    const late = { token: tokenOf(second.body.reset_url), new_password: newPassword };
    expect((await call('POST /auth/password/reset', { body: late })).status).toBe(404);
  });

  test('returns 404 if its token is unknown', async () => {
    const body = { token: 'unknown', new_password: newPassword };
    expect((await call('POST /auth/password/reset', { body })).status).toBe(404);
  });
});

test('expired logins are deleted, and valid ones are kept', async () => {
  const user = await makeUser('member');
  await login(user);
  await setClockOffset(db, '15 days');
  const { refresh } = await login(await makeUser('member'));
  expect(await deleteExpiredLoginsAcrossOrganizations(db)).toBeGreaterThan(0);
  const left = await db
    .selectFrom('refresh_tokens')
    .select('user_id')
    .where('user_id', '=', user.userId)
    .execute();
  expect(left).toEqual([]);
  expect((await renew(refresh)).status).toBe(200);
});

function renew(refresh: string): Promise<Reply> {
  return call('POST /auth/refresh', { cookies: { '__Host-pacekeeper_refresh': refresh } });
}

async function joinAnother(userId: number, role: 'viewer' | 'member' = 'member'): Promise<number> {
  const other = await makeOrganization('Other');
  await transaction(db, (tx) => insertMember(tx, other, { userId, role }));
  return other;
}

async function resetLink() {
  const admin = await makeUser('admin');
  const user = await makeUser('member', admin.organizationId);
  const { token: adminToken } = await login(admin);
  const { body } = await call(`POST /client/members/${user.memberId}/reset-link`, { token: adminToken });
  return { user, adminToken, token: tokenOf(body.reset_url) };
}

function tokenOf(url: string): string {
  return url.slice(url.indexOf('#token=') + '#token='.length);
}

function atOnce<T>(times: number, work: () => Promise<T>): Promise<T>[] {
  return Array.from({ length: times }, work);
}
