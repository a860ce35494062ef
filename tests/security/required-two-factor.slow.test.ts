import { Secret, TOTP } from 'otpauth';
import { describe, expect, test } from 'vitest';
import { createApiClient } from '../../src/client/api-client.ts';
import { createLoginLink, disableTwoFactor } from '../../src/modules/accounts/index.ts';
import { setGlobalSetting } from '../../src/modules/settings/index.ts';
import { createSandbox } from '../../src/platform/sandbox/index.ts';
import { contractOperations } from '../contract/contract-operations.ts';
import { atEndOfFile } from '../helpers/end-of-file.ts';
import { startLoginProvider } from '../helpers/login-provider.ts';
import { requireTwoFactor } from '../helpers/require-two-factor.ts';
import { TestBrowserSession, writeProviderFile } from '../helpers/sign-on-world.ts';
import { startTestServer, type TestOrganization } from '../helpers/test-server.ts';
import { anonymousClient, callError, createPeople, type Person, trustedProxyEnvironment } from './people.ts';

const provider = await startLoginProvider({ redirectUris: () => [`${server.url}/sso/corp/callback`] });
const settings = { groups: [{ group: '*', organization: 'Corp', role: 'admin' }] };
const server = await startTestServer({
  ...trustedProxyEnvironment,
  PACEKEEPER_OIDC_FILE: writeProviderFile({ corp: { provider, settings } }),
});
const { db } = server;
const people = createPeople(server);
const key = 'login.require_two_factor';

type Headers = Record<string, string>;
const bearer = ({ token }: { token: string }): Headers => ({ authorization: `Bearer ${token}` });
const anonymous = () => anonymousClient(server.url);

const requireIt = (organization: TestOrganization) => requireTwoFactor(server, organization);

async function createTeam() {
  const organization = await server.createOrganization();
  const member = await people.join(organization.owner, 'member');
  return { organization, member };
}

type Team = Awaited<ReturnType<typeof createTeam>>;

function sessionOf({ token, refreshToken }: Pick<Person, 'token' | 'refreshToken'>): TestBrowserSession {
  const browser = new TestBrowserSession(server);
  browser.cookies.set('pacekeeper_session', token).set('pacekeeper_refresh', refreshToken);
  return browser;
}

const cookieOf = (browser: TestBrowserSession): Headers => ({
  cookie: [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; '),
});

async function setUp(browser: TestBrowserSession, password: string) {
  const post = (path: string, body: object) =>
    browser.request(`/api/v1/auth/two-factor${path}`, { method: 'POST', body });
  const started = await post('', { password });
  const secret = String(started.body['secret']);
  const code = new TOTP({ secret: Secret.fromBase32(secret) }).generate();
  return { post, confirmed: await post('/confirm', { code }) };
}

async function read(headers: Headers, path = '/api/v1/client/rules') {
  const response = await fetch(server.url + path, { headers });
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
}

const locked = { status: 403, body: { code: 'two_factor_required' } };

describe('an organization that requires two-factor authentication', () => {
  const ways: [string, (team: Team) => Promise<Headers>][] = [
    [
      'to a new login',
      async ({ organization, member }) => {
        await requireIt(organization);
        return bearer(await people.logIn(member));
      },
    ],
    [
      'to a session that was already open',
      async ({ organization, member }) => {
        expect((await read(bearer(member))).status).toBe(200);
        await requireIt(organization);
        return bearer(member);
      },
    ],
    [
      'to the cookies of a browser session that was already open',
      async ({ organization, member }) => {
        await requireIt(organization);
        return cookieOf(sessionOf(member));
      },
    ],
    [
      'to a renewed session',
      async ({ organization, member }) => {
        await requireIt(organization);
        const browser = sessionOf(member);
        expect(await browser.refresh()).toBe(200);
        return cookieOf(browser);
      },
    ],
    [
      'to someone who switches from another organization',
      async ({ organization, member }) => {
        const other = await server.createOrganization();
        const token = await people.invite(other.owner, member.email, 'owner');
        const joined = await member.api.call('acceptInvitation', { body: { token } });
        await requireIt(organization);
        expect((await read(bearer({ token: joined.access_token }))).status).toBe(200);
        const api = createApiClient({ baseUrl: server.url, token: joined.access_token });
        const body = { organization_id: organization.id };
        return bearer({ token: (await api.call('switchOrganization', { body })).access_token });
      },
    ],
    [
      'to a new account that accepts an invitation',
      async ({ organization }) => {
        const invitation = await people.invite(organization.owner, people.newAddress(), 'admin');
        await requireIt(organization);
        const body = { token: invitation, name: 'Eve', password: 'a long password' };
        return bearer({ token: (await anonymous().call('acceptInvitation', { body })).access_token });
      },
    ],
    [
      'to an existing account that accepts an invitation',
      async ({ organization }) => {
        const other = await createTeam();
        const token = await people.invite(organization.owner, other.member.email, 'admin');
        await requireIt(organization);
        const joined = await other.member.api.call('acceptInvitation', { body: { token } });
        return bearer({ token: joined.access_token });
      },
    ],
    [
      'to someone whose password was reset',
      async ({ organization, member }) => {
        const token = await people.resetToken(organization.owner, member.memberId);
        await requireIt(organization);
        expect(await people.useResetToken(token, 'another password')).toBe(204);
        return bearer(await people.logIn({ email: member.email, password: 'another password' }));
      },
    ],
    [
      'to a program that was already approved',
      async ({ organization, member }) => {
        const { user_code, device_code } = await anonymous().call('startDeviceLogin');
        const approved = await sessionOf(member).request('/api/v1/auth/device/approve', {
          method: 'POST',
          body: { user_code },
        });
        expect(approved.status).toBe(204);
        await requireIt(organization);
        const body = await anonymous().call('claimDeviceLogin', { body: { device_code } });
        return bearer({ token: 'access_token' in body ? body.access_token : '' });
      },
    ],
    [
      'to someone who only started the setup',
      async ({ organization, member }) => {
        await requireIt(organization);
        const browser = sessionOf(member);
        const body = { password: member.password };
        expect((await browser.request('/api/v1/auth/two-factor', { method: 'POST', body })).status).toBe(200);
        return cookieOf(browser);
      },
    ],
    [
      'to someone who has disabled it',
      async ({ organization, member }) => {
        const browser = sessionOf(member);
        const { confirmed, post } = await setUp(browser, member.password);
        await requireIt(organization);
        expect((await read(cookieOf(browser))).status).toBe(200);
        const [code] = confirmed.body['recovery_codes'] as string[];
        expect((await post('/disable', { code })).status).toBe(204);
        return cookieOf(browser);
      },
    ],
    [
      'to someone whose authenticator app the operator has removed',
      async ({ organization, member }) => {
        const browser = sessionOf(member);
        await setUp(browser, member.password);
        await requireIt(organization);
        expect((await read(cookieOf(browser))).status).toBe(200);
        await disableTwoFactor(db, member.email);
        return cookieOf(browser);
      },
    ],
    [
      'when the operator requires it for all organizations',
      async ({ member }) => {
        const sandbox = createSandbox({ workers: 1, deadlineMs: 2_000, maxHeapMb: 128 });
        atEndOfFile(() => sandbox.close());
        const other = await server.createOrganization();
        await other.api.call('putOrgOverride', { path: { key }, body: { value: false } });
        await setGlobalSetting({ db, sandbox }, key, true);
        try {
          expect((await read(bearer(await people.logIn(other)))).status).toBe(200);
          expect(await read(bearer(member))).toMatchObject(locked);
        } finally {
          await setGlobalSetting({ db, sandbox }, key, undefined);
        }
        await requireIt(other);
        return bearer(await people.logIn(other));
      },
    ],
  ];

  test.each(ways)('denies access without two-factor authentication %s', async (_, enter) => {
    const headers = await enter(await createTeam());
    expect(await read(headers)).toMatchObject(locked);
    expect(await read(headers, '/api/v1/client/events')).toMatchObject(locked);
    expect(await read(headers, '/api/v1/auth/me')).toMatchObject({
      status: 200,
      body: { organization: { two_factor_setup_required: true } },
    });
  });

  test('denies access without two-factor authentication to every operation that accepts a session, except those that the contract marks as allowed', async () => {
    const { organization, member } = await createTeam();
    await requireIt(organization);
    const open: string[] = [];
    for (const { id, method, path, security } of contractOperations) {
      if (!security.includes('BearerToken')) continue;
      const url = `${server.url}${path.replaceAll(/\{\w+\}/g, '1')}`;
      const response = await fetch(url, { method, headers: bearer(member) });
      const body = (await response.json()) as { code?: string };
      if (response.status !== 403 || body.code !== 'two_factor_required') open.push(id);
    }
    expect(open.sort()).toEqual([
      'acceptInvitation',
      'confirmTwoFactor',
      'getMe',
      'getTwoFactor',
      'startTwoFactor',
      'switchOrganization',
    ]);
  });

  test('denies access without two-factor authentication to an open event stream, which ends immediately on every server', async () => {
    const { organization, member } = await createTeam();
    const response = await fetch(`${server.url}/api/v1/client/events`, { headers: bearer(member) });
    expect(response.status).toBe(200);
    const ended = response.body!.pipeTo(new WritableStream());
    await requireIt(organization);
    // If streams ended only at the regular check, which runs once a minute, this test would time out.
    await ended;
    expect(await read(bearer(member), '/api/v1/client/events')).toMatchObject(locked);
  });
});

test('after the setup, the same session continues, and a new one requires a code', async () => {
  const { organization, member } = await createTeam();
  await requireIt(organization);
  const browser = sessionOf(member);
  const other = await people.logIn(member);
  const { confirmed } = await setUp(browser, member.password);
  expect(confirmed.status).toBe(200);
  expect((await read(cookieOf(browser))).status).toBe(200);
  expect((await browser.me()).organizations).toMatchObject([{ two_factor_setup_required: false }]);
  expect((await read(bearer(other))).status).toBe(401);
  await expect(people.logIn(member)).rejects.toMatchObject({ errors: [{ field: 'code' }] });
});

test('a member who disables two-factor authentication to change phones has no access until the new setup, and open event streams end immediately', async () => {
  const { organization, member } = await createTeam();
  const browser = sessionOf(member);
  const { confirmed, post } = await setUp(browser, member.password);
  await requireIt(organization);
  const stream = await fetch(`${server.url}/api/v1/client/events`, { headers: cookieOf(browser) });
  expect(stream.status).toBe(200);
  const ended = stream.body!.pipeTo(new WritableStream());
  const [code] = confirmed.body['recovery_codes'] as string[];
  expect((await post('/disable', { code })).status).toBe(204);
  // If streams ended only at the regular check, which runs once a minute, this test would time out.
  await ended;
  expect(await read(cookieOf(browser))).toMatchObject(locked);
  expect((await setUp(browser, member.password)).confirmed.status).toBe(200);
  expect((await read(cookieOf(browser))).status).toBe(200);
});

describe('the permission to require two-factor authentication', () => {
  test('a person who does not use two-factor authentication gets an error, even with a configuration file', async () => {
    const { organization } = await createTeam();
    const put = organization.owner.call('putOrgOverride', { path: { key }, body: { value: true } });
    expect(await callError(put)).toMatchObject({
      status: 409,
      detail: expect.stringMatching(/^You don't use two-factor authentication/),
    });
    await organization.owner.call('putOrgOverride', { path: { key }, body: { value: false } });
    const body = { settings: { [key]: true } };
    const { fingerprint } = await organization.owner.call('planConfiguration', { query: {}, body });
    const { id } = await organization.owner.call('applyConfiguration', { query: { fingerprint }, body });
    const apply = () => organization.owner.call('getConfigurationApply', { path: { id } });
    await expect.poll(async () => (await apply()).status).toBe('failed');
    expect((await apply()).error?.message).toMatch(/You don't use two-factor authentication/);
    expect((await read(bearer(await people.logIn(organization)))).status).toBe(200);
  });

  test('an API key gets an error until an owner uses two-factor authentication, even with a configuration file', async () => {
    const { organization, member } = await createTeam();
    await setUp(sessionOf(member), member.password);
    const { api } = organization;
    const put = () => api.call('putOrgOverride', { path: { key }, body: { value: true } });
    const refused = {
      status: 409,
      detail: expect.stringMatching(/^No owner of the organization uses two-factor authentication/),
    };
    expect(await callError(put())).toMatchObject(refused);
    const body = { settings: { [key]: true } };
    const { fingerprint } = await api.call('planConfiguration', { query: {}, body });
    const { id } = await api.call('applyConfiguration', { query: { fingerprint }, body });
    const apply = () => api.call('getConfigurationApply', { path: { id } });
    await expect.poll(async () => (await apply()).status).toBe('failed');
    expect((await apply()).error?.message).toMatch(/^No owner/);
    expect((await read(bearer(await people.logIn(organization)))).status).toBe(200);

    const browser = new TestBrowserSession(server);
    await browser.logIn(organization);
    await setUp(browser, organization.password);
    await put();
    expect((await browser.request('/api/v1/client/rules')).status).toBe(200);
  });

  test('a person who uses two-factor authentication or logs in with single sign-on can require it', async () => {
    const { organization } = await createTeam();
    const browser = new TestBrowserSession(server);
    await browser.logIn(organization);
    await setUp(browser, organization.password);
    const put = (from: TestBrowserSession) =>
      from.request(`/api/v1/client/settings/org-overrides/${key}`, { method: 'PUT', body: { value: true } });
    expect((await put(browser)).status).toBe(200);

    await server.createOrganization('Corp');
    provider.accounts.set('ada', { sub: 'ada', email: 'ada@corp.example', email_verified: true });
    provider.loginAs = 'ada';
    const signedOn = new TestBrowserSession(server);
    await signedOn.signOn(provider);
    expect((await put(signedOn)).status).toBe(200);
    expect((await signedOn.request('/api/v1/client/rules')).status).toBe(200);
    const { items } = (await signedOn.request('/api/v1/client/members?sort=name')).body as {
      items: { email: string; two_factor: string }[];
    };
    expect(items.map(({ email, two_factor }) => [email.split('@')[1], two_factor])).toEqual([
      ['corp.example', 'not_applicable'],
      ['example.org', 'disabled'],
    ]);
  });
});

test('API keys and login links from the operator aren’t affected', async () => {
  const { organization, member } = await createTeam();
  const admin = await people.join(organization.owner, 'admin');
  const created = await admin.api.call('createAPIKey', { body: { name: 'Pipeline', role: 'viewer' } });
  await requireIt(organization);
  expect((await read({ 'x-api-key': created.key })).status).toBe(200);
  const { token } = await createLoginLink(db, member.email);
  const { access_token } = await anonymous().call('useLoginLink', { body: { token } });
  expect((await read(bearer({ token: access_token }))).status).toBe(200);
});

test('the list of members shows who uses two-factor authentication, and can be filtered by it', async () => {
  const { organization, member } = await createTeam();
  await setUp(sessionOf(member), member.password);
  const list = (two_factor: 'enabled' | 'disabled') =>
    organization.owner.call('listMembers', { query: { two_factor } });
  expect(await list('enabled')).toMatchObject({ total: 1, items: [{ email: member.email }] });
  expect(await list('disabled')).toMatchObject({ total: 1, items: [{ email: organization.email }] });
});
