import { importJWK, SignJWT } from 'jose';
import { sql } from 'kysely';
import { Secret, TOTP } from 'otpauth';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createApiClient } from '../../src/client/api-client.ts';
import {
  createLoginLink,
  createUser,
  examineLoginProviders,
  resetPassword,
} from '../../src/modules/accounts/index.ts';
import { openOutbound } from '../../src/platform/outbound/index.ts';
import { resetClockOffset, setClockOffset } from '../helpers/database.ts';
import { databaseUrl } from '../helpers/database-url.ts';
import { createSigningKey, type ProviderAccount, startLoginProvider } from '../helpers/login-provider.ts';
import { TestBrowserSession, writeProviderFile } from '../helpers/sign-on-world.ts';
import { startTestServer } from '../helpers/test-server.ts';

const redirectUris = () => ['corp', 'partner'].map((id) => `${server.url}/sso/${id}/callback`);
const corp = await startLoginProvider({ redirectUris });
const partner = await startLoginProvider({ redirectUris });
const server = await startTestServer({
  PACEKEEPER_OIDC_FILE: writeProviderFile({
    corp: {
      provider: corp,
      settings: {
        groups: [
          { group: 'platform', organization: 'Platform', role: 'admin' },
          { group: 'developers', organization: 'Platform', role: 'member' },
          { group: 'shop', organization: 'Shop', role: 'viewer' },
        ],
      },
    },
    partner: {
      provider: partner,
      settings: { groups: [{ group: '*', organization: 'Shop', role: 'viewer' }] },
    },
  }),
});
const { db } = server;
const platform = await server.createOrganization('Platform');
const shop = await server.createOrganization('Shop');
let count = 0;

function person(groups: readonly string[], more: Partial<ProviderAccount> = {}): ProviderAccount {
  const name = `person${++count}`;
  return {
    sub: name,
    email: `${name}@corp.example`,
    email_verified: true,
    name: `Person ${count}`,
    groups,
    ...more,
  };
}

/** Logs in as a person at a provider. */
async function signOn(account: ProviderAccount, provider = corp, id = 'corp') {
  const browser = new TestBrowserSession(server);
  provider.accounts.set('someone', account);
  provider.loginAs = 'someone';
  return { browser, ...(await browser.signOn(provider, id)) };
}

async function rolesOf(email: string): Promise<string[]> {
  const { rows } = await sql<{ text: string }>`
    SELECT o.name || ' ' || m.role AS text FROM memberships m JOIN users u ON u.id = m.user_id
    JOIN organizations o ON o.id = m.organization_id WHERE u.email = ${email} ORDER BY 1`.execute(db);
  return rows.map(({ text }) => text);
}

async function usersWith(email: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`SELECT count(*) FROM users WHERE email = ${email}`.execute(
    db,
  );
  return rows[0]!.count;
}

async function auditOf(organizationId: number): Promise<string[]> {
  const { rows } = await sql<{ action: string }>`
    SELECT action FROM audit_log WHERE organization_id = ${organizationId} ORDER BY id`.execute(db);
  return rows.map(({ action }) => action);
}

/** Returns the details of a person's entries with this action in the audit log of an organization. */
async function detailsOf(organizationId: number, { name }: ProviderAccount, action: string) {
  const { rows } = await sql<{ detail: Record<string, unknown> }>`
    SELECT detail FROM audit_log WHERE organization_id = ${organizationId} AND action = ${action}
      AND resource_name = ${name} ORDER BY id`.execute(db);
  return rows.map(({ detail }) => detail);
}

beforeEach(() => {
  for (const provider of [corp, partner]) {
    provider.isUp = true;
    provider.tamper = null;
    provider.hasThinTokens = false;
  }
});
afterEach(() => resetClockOffset(db));
const hours = (number: number) => setClockOffset(db, `${number} hours`);

describe('a single sign-on login', () => {
  test('creates an account with the roles of its groups, and reuses it for the next login', async () => {
    const account = person(['platform', 'shop', 'unknown']);
    const first = await signOn(account);
    expect(first.error).toBeNull();
    expect(first.end.pathname + first.end.search).toBe('/login?sso=done&next=%2F');
    expect(await first.browser.me()).toMatchObject({ user: { email: account.email, name: account.name } });
    expect(await rolesOf(account.email!)).toEqual(['Platform admin', 'Shop viewer']);
    const again = await signOn(account);
    expect((await again.browser.me()).user.id).toBe((await first.browser.me()).user.id);
    expect(await auditOf(platform.id)).toContain('member.login_linked');
    for (const { id } of [platform, shop])
      expect(await detailsOf(id, account, 'member.logged_in')).toMatchObject([
        { method: 'single_sign_on', provider: 'corp' },
        { method: 'single_sign_on', provider: 'corp' },
      ]);
  });

  test('identifies the person even if their email address changes, never by the address', async () => {
    const account = person(['shop']);
    const { browser } = await signOn(account);
    const { user } = await browser.me();
    const renamed = await signOn({ ...account, email: 'someone.else@corp.example' });
    expect((await renamed.browser.me()).user).toMatchObject({
      id: user.id,
      email: 'someone.else@corp.example',
    });
    const newcomer = await signOn(person(['shop'], { email: account.email! }));
    expect((await newcomer.browser.me()).user.id).not.toBe(user.id);
  });

  test('reads groups and the email address from the user information if the token has none', async () => {
    const thin = await startLoginProvider({ redirectUris: () => [`${other.url}/sso/corp/callback`] });
    thin.hasThinTokens = true;
    const other = await startTestServer({
      PACEKEEPER_OIDC_FILE: writeProviderFile({
        corp: {
          provider: thin,
          settings: { groups: [{ group: 'a', organization: 'Thin', role: 'member' }] },
        },
      }),
    });
    await other.createOrganization('Thin');
    thin.accounts.set('someone', person(['a']));
    thin.loginAs = 'someone';
    const browser = new TestBrowserSession(other);
    expect((await browser.signOn(thin)).error).toBeNull();
    expect((await browser.me()).organizations).toMatchObject([{ role: 'member' }]);
  });

  test.each([
    ['an account without a permitted group', person(['unknown']), 'no_access'],
    ['an account without groups', person([], { groups: undefined }), 'no_access'],
    ['an unverified address', person(['shop'], { email_verified: false }), 'email_not_verified'],
    [
      'an address without a verification claim',
      person(['shop'], { email_verified: undefined }),
      'email_not_verified',
    ],
    ['an account without an address', person(['shop'], { email: undefined }), 'email_missing'],
    [
      'an account with too many groups for the token',
      person([], { groups: undefined, _claim_names: { groups: 'src1' } }),
      'no_access',
    ],
  ])('creates nothing for %s', async (_what, account, code) => {
    const { browser, error } = await signOn(account);
    expect(error).toBe(code);
    expect(browser.hasSession()).toBe(false);
    if (account.email) expect(await usersWith(account.email)).toBe(0);
  });

  test('continues at the requested path, and only on this server', async () => {
    const account = person(['shop']);
    corp.accounts.set('someone', account);
    corp.loginAs = 'someone';
    const endOf = async (next: string) => {
      const { end } = await new TestBrowserSession(server).signOn(corp, 'corp', next);
      return end.searchParams.get('next');
    };
    expect(await endOf('/alerts?severity=high#top')).toBe('/alerts?severity=high#top');
    for (const evil of [
      'https://evil.example/',
      '//evil.example/',
      '/\\evil.example',
      '\\\\evil.example',
      '/..//evil.example',
      'javascript:alert(1)',
      '/%0d%0aSet-Cookie: a=b',
      `${server.url}.evil.example/`,
      `http://user@evil.example/`,
    ]) {
      const next = await endOf(evil);
      expect(new URL(next!, server.url).origin, evil).toBe(server.url);
      expect(next, evil).toMatch(/^\/(?![/\\])/);
    }
  });

  test('lasts at most 12 hours, with a check by the provider every hour', async () => {
    const { browser } = await signOn(person(['shop']));
    for (let hour = 1; hour < 12; hour++) {
      await hours(hour - 0.2);
      expect(await browser.refresh(), `after ${hour} hours`).toBe(200);
      expect(await browser.isLoggedIn()).toBe(true);
    }
    await hours(12.01);
    expect(await browser.isLoggedIn()).toBe(false);
    expect(await browser.refresh()).toBe(401);
  });

  test('grants no access while the provider is unavailable, and continues afterwards', async () => {
    const { browser } = await signOn(person(['shop']));
    corp.isUp = false;
    await hours(0.8);
    expect(await browser.refresh()).toBe(200);
    await hours(1.01);
    expect(await browser.isLoggedIn()).toBe(false);
    expect(await browser.refresh()).toBe(503);
    corp.isUp = true;
    expect(await browser.refresh()).toBe(200);
    expect(await browser.isLoggedIn()).toBe(true);
  });

  test('ends when the provider disables the person', async () => {
    const account = person(['shop']);
    const { browser } = await signOn(account);
    corp.tamper = async () => ({ status: 400, body: { error: 'invalid_grant' } });
    await hours(1.1);
    expect(await browser.refresh()).toBe(401);
    corp.tamper = null;
    expect(await browser.refresh()).toBe(401);
    expect(await detailsOf(shop.id, account, 'member.session_ended')).toEqual([
      { reason: 'not_confirmed', provider: 'corp', count: 1 },
    ]);
  });

  test('continues if two tabs refresh it at the same time', async () => {
    const { browser } = await signOn(person(['shop']));
    const tab = new TestBrowserSession(server);
    for (const [name, value] of browser.cookies) tab.cookies.set(name, value);
    await hours(0.9);
    const statuses = await Promise.all([browser.refresh(), tab.refresh()]);
    expect(statuses).toEqual([200, 200]);
    expect(await browser.isLoggedIn()).toBe(true);
  });
});

describe('groups', () => {
  test('end the membership, the session, and the created keys of a person who loses them', async () => {
    const account = person(['platform', 'shop']);
    const { browser } = await signOn(account);
    const login = await browser.request('/api/v1/auth/refresh', { method: 'POST' });
    const { body } = await browser.request('/api/v1/auth/switch', {
      method: 'POST',
      body: { organization_id: platform.id },
    });
    expect(login.status).toBe(200);
    const api = createApiClient({ baseUrl: server.url, token: String(body['access_token']) });
    const { key, api_key } = await api.call('createAPIKey', { body: { name: 'mine', role: 'admin' } });
    const byKey = createApiClient({ baseUrl: server.url, apiKey: key });
    await byKey.call('listRules');

    corp.accounts.set('someone', { ...account, groups: ['shop'] });
    await hours(1.1);
    await browser.refresh();
    expect(await rolesOf(account.email!)).toEqual(['Shop viewer']);
    await expect(byKey.call('listRules')).rejects.toMatchObject({ code: 'unauthenticated' });
    await expect(api.call('listRules')).rejects.toMatchObject({ code: 'unauthenticated' });
    expect(await auditOf(platform.id)).toEqual(
      expect.arrayContaining(['member.deleted', 'api_key.deactivated']),
    );
    const { rows } = await sql<{ deactivated: boolean }>`
      SELECT deactivated_at IS NOT NULL AS deactivated FROM api_keys WHERE id = ${api_key.id}`.execute(db);
    expect(rows[0]!.deactivated).toBe(true);
  });

  test('can raise or lower the role at the next login', async () => {
    const account = person(['developers']);
    await signOn(account);
    expect(await rolesOf(account.email!)).toEqual(['Platform member']);
    await signOn({ ...account, groups: ['developers', 'platform'] });
    expect(await rolesOf(account.email!)).toEqual(['Platform admin']);
    await signOn({ ...account, groups: ['developers'] });
    expect(await rolesOf(account.email!)).toEqual(['Platform member']);
    const { error } = await signOn({ ...account, groups: [] });
    expect(error).toBe('no_access');
    expect(await rolesOf(account.email!)).toEqual([]);
  });

  test('never grant the owner role, never remove the last owner, and don’t change manually added memberships', async () => {
    const account = person(['platform']);
    const { browser } = await signOn(account);
    const { user } = await browser.me();
    const setRole = (role: string) =>
      sql`UPDATE memberships SET role = ${role} WHERE organization_id = ${platform.id} AND user_id = ${user.id}`.execute(
        db,
      );
    await setRole('owner');
    await signOn(account);
    expect(await rolesOf(account.email!)).toEqual(['Platform owner']);
    await sql`UPDATE memberships SET role = 'admin' WHERE organization_id = ${platform.id} AND user_id <> ${user.id}
      AND role = 'owner'`.execute(db);
    await signOn({ ...account, groups: [] });
    expect(await rolesOf(account.email!)).toEqual(['Platform owner']);
    await sql`UPDATE memberships SET role = 'owner' FROM users WHERE users.id = memberships.user_id
      AND organization_id = ${platform.id} AND email = ${platform.email}`.execute(db);
    await signOn({ ...account, groups: [] });
    expect(await rolesOf(account.email!)).toEqual([]);

    const byHand = person(['shop']);
    await signOn(byHand);
    await sql`INSERT INTO memberships (organization_id, user_id, role)
      SELECT ${platform.id}, id, 'viewer' FROM users WHERE email = ${byHand.email}`.execute(db);
    await signOn({ ...byHand, groups: ['platform'] });
    expect(await rolesOf(byHand.email!)).toEqual(['Platform viewer']);
  });

  test('missing from a later token end the session, but not the membership', async () => {
    const account = person(['shop']);
    const { browser } = await signOn(account);
    corp.accounts.set('someone', { ...account, groups: undefined });
    await hours(1.1);
    expect(await browser.refresh()).toBe(401);
    expect(await rolesOf(account.email!)).toEqual(['Shop viewer']);
  });

  test('don’t change memberships of an organization whose name is unknown or ambiguous, but still apply to others', async () => {
    const account = person(['shop', 'platform']);
    await signOn(account);
    const [owned, renamed] = [await server.createOrganization(), 'Platform of old'];
    const rename = (from: string, to: string) =>
      sql`UPDATE organizations SET name = ${to} WHERE name = ${from}`.execute(db);
    try {
      await rename('Platform', renamed);
      await signOn({ ...account, groups: [] });
      expect(await rolesOf(account.email!)).toEqual([`${renamed} admin`]);
      await rename(renamed, 'Platform');
      // Two organizations now have the same name.
      await sql`UPDATE organizations SET name = 'Platform' WHERE id = ${owned.id}`.execute(db);
      await signOn({ ...account, groups: [] });
      expect(await rolesOf(account.email!)).toEqual(['Platform admin']);
    } finally {
      await sql`UPDATE organizations SET name = 'Platform' WHERE id = ${platform.id}`.execute(db);
      await sql`UPDATE organizations SET name = 'Owned' WHERE id = ${owned.id}`.execute(db);
    }
    await signOn({ ...account, groups: [] });
    expect(await rolesOf(account.email!)).toEqual([]);
  });

  test('keep their memberships if a later token lacks a required claim, but lose them if the claim has a wrong value', async () => {
    const provider = await startLoginProvider({ redirectUris: () => [`${picky.url}/sso/corp/callback`] });
    const picky = await startTestServer({
      PACEKEEPER_OIDC_FILE: writeProviderFile({
        corp: {
          provider,
          settings: {
            required_claims: { name: ['Ada'] },
            groups: [{ group: '*', organization: 'Picky', role: 'member' }],
          },
        },
      }),
    });
    await picky.createOrganization('Picky');
    const memberships = async () => {
      const { rows } = await sql<{ count: number }>`
        SELECT count(*) FROM memberships WHERE granted_by_identity_id IS NOT NULL`.execute(picky.db);
      return rows[0]!.count;
    };
    const account = person([], { name: 'Ada' });
    const browser = new TestBrowserSession(picky);
    provider.loginAs = 'ada';
    for (const [name, left] of [
      [undefined, 1],
      ['Eve', 0],
    ] as const) {
      provider.accounts.set('ada', account);
      expect((await browser.signOn(provider)).error).toBeNull();
      provider.accounts.set('ada', { ...account, name });
      await setClockOffset(picky.db, '50 minutes');
      expect(await browser.refresh()).toBe(401);
      expect(await memberships()).toBe(left);
      await resetClockOffset(picky.db);
    }
  });

  test('give no access to a password session, because their membership isn’t verified', async () => {
    const account = person(['shop']);
    const { browser } = await signOn(account);
    const { user } = await browser.me();
    const password = 'a password of a person';
    const other = await server.createOrganization();
    const made = await createUser(db, {
      organizationId: other.id,
      role: 'viewer',
      user: {
        email: `p${user.id}@corp.example`,
        password,
      },
    });
    await sql`UPDATE users SET password_hash = (SELECT password_hash FROM users WHERE email = ${made.email}),
      has_password = true WHERE id = ${user.id}`.execute(db);
    const byPassword = new TestBrowserSession(server);
    expect(await byPassword.logIn({ email: account.email!, password })).toBe(403);
    await sql`INSERT INTO memberships (organization_id, user_id, role) VALUES (${other.id}, ${user.id}, 'viewer')`.execute(
      db,
    );
    expect(await byPassword.logIn({ email: account.email!, password })).toBe(200);
    expect((await byPassword.me()).organizations.map(({ id }) => id)).toEqual([other.id]);
    const { status } = await byPassword.request('/api/v1/auth/switch', {
      method: 'POST',
      body: { organization_id: shop.id },
    });
    expect(status).toBe(404);
  });
});

describe('a linked login provider', () => {
  async function link(browser: TestBrowserSession, account: ProviderAccount, provider = corp, id = 'corp') {
    provider.accounts.set('someone', account);
    provider.loginAs = 'someone';
    const { body } = await browser.request('/api/v1/auth/identities/link', {
      method: 'POST',
      body: { provider: id },
    });
    const answer = await provider.followLogin(String(body['url']));
    return { answer, finish: async () => (await browser.request(answer)).location! };
  }

  async function ownerBrowser() {
    const organization = await server.createOrganization();
    const browser = new TestBrowserSession(server);
    await browser.logIn(organization);
    return { organization, browser };
  }

  test('can be linked only in a session of the account, and can then be used to log in', async () => {
    const { organization, browser } = await ownerBrowser();
    const account = person([], { email: organization.email });
    expect((await signOn({ ...account, groups: ['shop'] })).error).toBe('account_exists');
    const { finish } = await link(browser, account);
    expect((await finish()).href).toBe(`${server.url}/account?login_linked=corp`);
    const { browser: later } = await signOn(account);
    expect((await later.me()).user.email).toBe(organization.email);
    expect((await browser.request('/api/v1/auth/identities')).body).toMatchObject({
      items: [{ provider: { id: 'corp' }, email: organization.email, is_current: false }],
      has_password: true,
    });
  });

  test('requires a code for an account with two-factor authentication, and each code works once', async () => {
    const { organization, browser } = await ownerBrowser();
    const post = (path: string, body: object) =>
      browser.request(`/api/v1/auth/${path}`, { method: 'POST', body });
    const started = await post('two-factor', { password: organization.password });
    const app = new TOTP({ secret: Secret.fromBase32(String(started.body['secret'])) });
    const codeIn = (seconds: number) => app.generate({ timestamp: Date.now() + seconds * 1_000 });
    expect((await post('two-factor/confirm', { code: codeIn(0) })).status).toBe(200);
    const codes: [string | undefined, number][] = [
      [undefined, 400],
      ['000000', 400],
      [codeIn(30), 200],
      [codeIn(30), 400],
    ];
    for (const [code, status] of codes) {
      const answer = await post('identities/link', { provider: 'corp', ...(code !== undefined && { code }) });
      expect(answer.status, code).toBe(status);
      if (status === 400) expect(answer.body).toMatchObject({ errors: [{ field: 'code' }] });
    }
  });

  test('can’t be added with an access token alone, because the link would outlive it', async () => {
    const { browser } = await ownerBrowser();
    browser.cookies.delete('pacekeeper_refresh');
    const begin = () =>
      browser.request('/api/v1/auth/identities/link', { method: 'POST', body: { provider: 'corp' } });
    expect((await begin()).status).toBe(401);
    const { browser: other } = await ownerBrowser();
    browser.cookies.set('pacekeeper_refresh', other.cookies.get('pacekeeper_refresh')!);
    expect((await begin()).status).toBe(401);
  });

  test('isn’t added after the session that began the linking ends, or for an identity of another person', async () => {
    const { browser } = await ownerBrowser();
    const account = person(['shop']);
    const { finish } = await link(browser, account);
    await browser.request('/api/v1/auth/logout', { method: 'POST' });
    expect((await finish()).searchParams.get('sso_error')).toBe('session_ended');

    await signOn(account);
    const { browser: other } = await ownerBrowser();
    const taken = await link(other, account);
    expect((await taken.finish()).searchParams.get('sso_error')).toBe('identity_in_use');
  });

  test('can’t be added from another browser', async () => {
    const { browser } = await ownerBrowser();
    const { answer } = await link(browser, person(['shop']));
    const foreign = new TestBrowserSession(server);
    const { location } = await foreign.request(answer);
    expect(location!.searchParams.get('sso_error')).toBe('attempt_expired');
    expect((await browser.request('/api/v1/auth/identities')).body['items']).toEqual([]);
  });

  test('is removed by a password reset unless it grants a membership', async () => {
    const organization = await server.createOrganization();
    const member = { email: `reset${++count}@corp.example`, password: 'a password of a member' };
    await createUser(db, {
      organizationId: organization.id,
      role: 'viewer',
      user: member,
    });
    const browser = new TestBrowserSession(server);
    await browser.logIn(member);
    const stranger = person([]);
    const colleague = person([], { email: `colleague${count}@partner.example` });
    await (await link(browser, stranger)).finish();
    await (await link(browser, colleague, partner, 'partner')).finish();
    const password = 'another password of a member';
    await resetPassword(db, { email: member.email, password });
    expect(await browser.logIn({ email: member.email, password })).toBe(200);
    const { body } = await browser.request('/api/v1/auth/identities');
    const providers = (body['items'] as { provider: { id: string } }[]).map(({ provider: { id } }) => id);
    expect(providers).toEqual(['partner']);
    expect((await signOn(stranger)).error).toBe('no_access');
  });

  test('is unlinked with everything that it granted, unless it is the only way to log in', async () => {
    const account = person(['shop']);
    const { browser } = await signOn(account);
    const items = async (of: TestBrowserSession) =>
      (await of.request('/api/v1/auth/identities')).body['items'] as { id: number }[];
    const unlink = async (of: TestBrowserSession, id: number) =>
      (await of.request(`/api/v1/auth/identities/${id}`, { method: 'DELETE' })).status;
    const [only] = await items(browser);
    expect(await unlink(browser, only!.id)).toBe(409);

    const second = person([], { email: 'second@partner.example' });
    expect(
      (await (await link(browser, second, partner, 'partner')).finish()).searchParams.get('sso_error'),
    ).toBeNull();
    const { browser: stranger } = await signOn(person(['shop']));
    expect(await unlink(stranger, only!.id)).toBe(404);
    expect(await unlink(browser, only!.id)).toBe(204);
    expect(await browser.isLoggedIn()).toBe(false);
    const { error } = await signOn(account);
    expect(error).toBe('account_exists');
  });
});

describe('a server without password logins', () => {
  test('accepts only single sign-on and login links that the operator created, and rejects existing password sessions', async () => {
    const provider = await startLoginProvider({ redirectUris: () => [`${strict.url}/sso/corp/callback`] });
    const file = writeProviderFile({
      corp: { provider, settings: { groups: [{ group: '*', organization: 'Strict', role: 'member' }] } },
    });
    const strict = await startTestServer({ PACEKEEPER_OIDC_FILE: file });
    const organization = await strict.createOrganization('Strict');
    const before = new TestBrowserSession(strict);
    await before.logIn(organization);
    const closed = await startTestServer({
      PACEKEEPER_OIDC_FILE: file,
      PACEKEEPER_PASSWORD_LOGIN: 'off',
      DATABASE_URL: databaseUrl(strict.connection),
    });
    const after = new TestBrowserSession(closed);
    expect(await after.logIn(organization)).toBe(403);
    for (const [name, value] of before.cookies) after.cookies.set(name, value);
    expect(await after.refresh()).toBe(401);
    expect((await new TestBrowserSession(closed).request('/api/v1/auth/providers')).body).toEqual({
      password_login: false,
      providers: [{ id: 'corp', name: 'corp', login_url: '/sso/corp/login' }],
    });

    const { token } = await createLoginLink(strict.db, organization.email);
    const rescued = new TestBrowserSession(closed);
    const open = () => rescued.request('/api/v1/auth/login-link', { method: 'POST', body: { token } });
    expect((await open()).status).toBe(200);
    expect((await rescued.me()).user.email).toBe(organization.email);
    expect(await rescued.refresh()).toBe(200);
    expect(await open()).toMatchObject({
      status: 404,
      body: {
        detail:
          "This link isn't valid, was used, or has expired. Ask the operator of the server for a new one.",
      },
    });
    await setClockOffset(strict.db, '126 minutes');
    expect(await rescued.refresh()).toBe(401);
    await resetClockOffset(strict.db);
  });
});

describe('a logout', () => {
  async function logoutToken(change: Record<string, unknown>, { header = {}, key = corp.keys[0]! } = {}) {
    const claims = {
      iss: corp.issuer,
      aud: corp.clientId,
      jti: crypto.randomUUID(),
      events: { 'http://schemas.openid.net/event/backchannel-logout': {} },
      ...change,
    };
    return new SignJWT(Object.fromEntries(Object.entries(claims).filter(([, value]) => value !== undefined)))
      .setProtectedHeader({ alg: 'RS256', kid: 'first', typ: 'logout+jwt', ...header })
      .setIssuedAt()
      .sign(await importJWK(key, 'RS256'));
  }

  async function send(token: string | null, id = 'corp', url = server.url): Promise<number> {
    const response = await fetch(`${url}/sso/${id}/logout`, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: token === null ? '' : new URLSearchParams({ logout_token: token }).toString(),
    });
    return response.status;
  }

  test('at the provider ends the sessions here, and requires a token of the provider', async () => {
    const account = person(['shop']);
    const { browser } = await signOn(account);
    const { browser: other } = await signOn(person(['shop']));
    const { sub } = account;
    const foreign = await createSigningKey('first');
    const wrong: [string, string | null][] = [
      ['none', null],
      ['no signature', 'eyJhbGciOiJub25lIn0.e30.'],
      ['another key', await logoutToken({ sub }, { key: foreign })],
      ['another client', await logoutToken({ sub, aud: 'another' })],
      ['another issuer', await logoutToken({ sub, iss: partner.issuer })],
      ['an ID token', await logoutToken({ sub, nonce: 'n' })],
      ['another event', await logoutToken({ sub, events: {} })],
      ['nobody', await logoutToken({})],
      ['an old one', await logoutToken({ sub, jti: undefined })],
    ];
    for (const [what, token] of wrong) expect(await send(token), what).toBe(400);
    expect(await send(await logoutToken({ sub }), 'partner')).toBe(400);
    expect(await send(await logoutToken({ sub }), 'unknown')).toBe(404);
    expect(await browser.isLoggedIn()).toBe(true);

    expect(await send(await logoutToken({ sub }))).toBe(200);
    expect(await browser.isLoggedIn()).toBe(false);
    expect(await browser.refresh()).toBe(401);
    expect(await other.isLoggedIn()).toBe(true);
    expect(await send(await logoutToken({ sub }))).toBe(200);
    expect(await detailsOf(shop.id, account, 'member.session_ended')).toEqual([
      { reason: 'provider_logout', provider: 'corp', count: 1 },
    ]);
  });

  test('at the provider is never rejected because of requests of other clients', async () => {
    const busy = await startTestServer({
      PACEKEEPER_OIDC_FILE: writeProviderFile({ corp: { provider: corp } }),
      PACEKEEPER_RATE_LIMIT_PER_MINUTE: '6000',
    });
    let status = 0;
    for (let attempt = 0; attempt < 200 && status !== 429; attempt++)
      status = await send(null, 'corp', busy.url);
    expect(status).toBe(429);
    expect(await send(await logoutToken({ sub: 'anyone' }), 'corp', busy.url)).toBe(200);
  });

  test('at the provider ends only one of several sessions if the provider names it', async () => {
    const account = person(['shop']);
    const { browser: one } = await signOn(account);
    const { browser: two } = await signOn(account);
    const { rows } = await sql<{ sid: string }>`
      SELECT provider_session_id AS sid FROM limited_sessions JOIN user_identities i ON i.id = identity_id
      WHERE i.subject = ${account.sub} ORDER BY limited_sessions.created_at`.execute(db);
    expect(await send(await logoutToken({ sub: account.sub, sid: rows[0]!.sid }))).toBe(200);
    expect([await one.isLoggedIn(), await two.isLoggedIn()]).toEqual([false, true]);
  });

  test('at the provider ends the session that continues after a password change', async () => {
    const account = person(['shop']);
    const { browser } = await signOn(account);
    const password = 'a password of a person';
    const { user } = await browser.me();
    const made = await createUser(db, {
      organizationId: shop.id,
      role: 'viewer',
      user: {
        email: `q${user.id}@corp.example`,
        password,
      },
    });
    await sql`UPDATE users SET password_hash = (SELECT password_hash FROM users WHERE email = ${made.email}),
      has_password = true WHERE id = ${user.id}`.execute(db);
    const body = { current_password: password, new_password: 'another password of a person' };
    expect((await browser.request('/api/v1/auth/password', { method: 'POST', body })).status).toBe(200);
    const { rows } = await sql<{ sid: string }>`
      SELECT provider_session_id AS sid FROM limited_sessions JOIN user_identities i ON i.id = identity_id
      WHERE i.subject = ${account.sub} ORDER BY limited_sessions.created_at`.execute(db);
    expect(await browser.isLoggedIn()).toBe(true);
    expect(await send(await logoutToken({ sub: account.sub, sid: rows[0]!.sid }))).toBe(200);
    expect(await browser.isLoggedIn()).toBe(false);
  });

  test('here ends the session at the provider if the operator enables it', async () => {
    const provider = await startLoginProvider({ redirectUris: () => [`${leaving.url}/sso/corp/callback`] });
    const settings = {
      end_provider_session: true,
      groups: [{ group: '*', organization: 'Leaving', role: 'viewer' }],
    };
    const leaving = await startTestServer({
      PACEKEEPER_OIDC_FILE: writeProviderFile({ corp: { provider, settings } }),
    });
    const organization = await leaving.createOrganization('Leaving');
    provider.accounts.set('someone', person([]));
    provider.loginAs = 'someone';
    const browser = new TestBrowserSession(leaving);
    await browser.signOn(provider);
    const answer = await browser.request('/api/v1/auth/logout', { method: 'POST' });
    expect(answer.status).toBe(200);
    const url = new URL(String(answer.body['provider_logout_url']));
    expect(url.origin).toBe(provider.issuer);
    // Browsers store URLs in their history, so the URL contains no token.
    expect([...url.searchParams.keys()].toSorted()).toEqual(['client_id', 'post_logout_redirect_uri']);
    expect((await fetch(url)).status).toBe(200);
    expect(await browser.isLoggedIn()).toBe(false);

    await browser.logIn(organization);
    expect((await browser.request('/api/v1/auth/logout', { method: 'POST' })).status).toBe(204);
  });
});

test('the doctor lists unavailable login providers and unknown organizations', async () => {
  const { client: outbound } = openOutbound({
    egressAllow: ['127.0.0.1/32'],
    insecureHosts: ['127.0.0.1'],
    caCertificates: null,
    proxyUrl: null,
    noProxy: [],
    proxyHosts: [],
  });
  const groups = [
    { group: '*', organization: 'Shop', role: 'viewer' },
    { group: '*', organization: 'No such organization', role: 'viewer' },
    { group: '*', organization: 1_000_000, role: 'viewer' },
  ];
  const file = writeProviderFile({
    corp: { provider: corp, settings: { groups } },
    partner: { provider: partner },
  });
  partner.isUp = false;
  const [one, two] = await examineLoginProviders({ db, outbound, file, baseUrl: server.url });
  expect(one).toMatchObject({ problem: null, unknownOrganizations: ['No such organization', '1000000'] });
  expect(two!.problem).toMatch(/503|status/);
  await outbound.close();
});
