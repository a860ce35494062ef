import { afterEach, expect, test } from 'vitest';
import { createApiClient } from '../../src/client/api-client.ts';
import { resetClockOffset, setClockOffset } from '../helpers/database.ts';
import { startLoginProvider } from '../helpers/login-provider.ts';
import { TestBrowserSession, writeProviderFile } from '../helpers/sign-on-world.ts';
import { startTestServer } from '../helpers/test-server.ts';
import { statusOf, trustedProxyEnvironment } from './people.ts';

const provider = await startLoginProvider({ redirectUris: () => [`${server.url}/sso/corp/callback`] });
const settings = { groups: [{ group: '*', organization: 'Acme', role: 'member' }] };
const server = await startTestServer({
  PACEKEEPER_OIDC_FILE: writeProviderFile({ corp: { provider, settings } }),
});
const { anonymous, db } = server;
await server.createOrganization('Acme');
provider.accounts.set('ada', { sub: 'ada', email: 'ada@corp.example', email_verified: true });
provider.loginAs = 'ada';
afterEach(() => resetClockOffset(db));

async function approvedBy(browser: TestBrowserSession) {
  const { user_code, device_code } = await anonymous.call('startDeviceLogin');
  const approve = () =>
    browser.request('/api/v1/auth/device/approve', {
      method: 'POST',
      body: { user_code: user_code.toLowerCase() },
    });
  return { device_code, approve, claim: () => anonymous.send('claimDeviceLogin', { body: { device_code } }) };
}

test('a program gets its session only once, after a person approves it', async () => {
  const organization = await server.createOrganization();
  const browser = new TestBrowserSession(server);
  await browser.logIn(organization);
  const { approve, claim } = await approvedBy(browser);
  expect((await claim()).status).toBe(202);
  expect((await approve()).status).toBe(204);
  expect((await approve()).status).toBe(404);
  const { body } = await claim();
  const entries = (await organization.api.call('listAuditLog')).items;
  expect(entries.map(({ action }) => action)).toContain('member.program_login_approved');
  expect(body).toMatchObject({ user: { email: organization.email } });
  await expect(claim()).rejects.toMatchObject({ code: 'not_found' });
  await browser.request('/api/v1/auth/logout', { method: 'POST' });
  const api = createApiClient({
    baseUrl: server.url,
    token: 'access_token' in body ? body.access_token : '',
  });
  expect((await api.call('getMe')).user.email).toBe(organization.email);
});

test('the session of a program has the limits of the single sign-on session that approved it', async () => {
  const browser = new TestBrowserSession(server);
  await browser.signOn(provider);
  const { approve, claim } = await approvedBy(browser);
  await setClockOffset(db, '50 minutes');
  await browser.refresh();
  // Login attempts expire after 10 minutes, so the test starts a new one.
  const later = await approvedBy(browser);
  expect((await approve()).status).toBe(404);
  expect((await later.approve()).status).toBe(204);
  const { headers } = await later.claim();
  const program = new TestBrowserSession(server);
  for (const cookie of headers.getSetCookie()) {
    const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
    program.cookies.set(name, value);
  }
  expect(await program.isLoggedIn()).toBe(true);
  for (let hour = 1; hour < 12; hour++) {
    await setClockOffset(db, `${hour * 60 + 45} minutes`);
    await program.refresh();
  }
  await setClockOffset(db, '721 minutes');
  expect(await program.refresh()).toBe(401);
  await expect(claim()).rejects.toMatchObject({ code: 'not_found' });
});

test('a program gets no session by guessing, or after the approver logs out', async () => {
  const organization = await server.createOrganization();
  const browser = new TestBrowserSession(server);
  await browser.logIn(organization);
  const { approve, claim } = await approvedBy(browser);
  await approve();
  await browser.request('/api/v1/auth/logout', { method: 'POST' });
  await expect(claim()).rejects.toMatchObject({ code: 'not_found' });

  await browser.logIn(organization);
  const foreign = await browser.request('/api/v1/auth/device/approve', {
    method: 'POST',
    body: { user_code: 'BBBB-BBBB' },
    origin: 'https://evil.example',
  });
  expect(foreign.status).toBe(403);
  const statuses: number[] = [];
  for (let attempt = 0; attempt < 12; attempt++)
    statuses.push((await browser.request(`/api/v1/auth/device?user_code=BBBB-BBB${attempt}`)).status);
  expect(statuses.slice(0, 9).every((status) => status === 404)).toBe(true);
  expect(statuses.at(-1)).toBe(429);
});

test('an access token alone can’t approve a login, because the session of the program would outlive it', async () => {
  const organization = await server.createOrganization();
  const [browser, other] = [new TestBrowserSession(server), new TestBrowserSession(server)];
  await browser.logIn(organization);
  await other.logIn(organization);
  const { approve, claim } = await approvedBy(browser);
  const own = browser.cookies.get('pacekeeper_refresh')!;
  browser.cookies.delete('pacekeeper_refresh');
  expect((await approve()).status).toBe(401);
  browser.cookies.set('pacekeeper_refresh', other.cookies.get('pacekeeper_refresh')!);
  expect((await approve()).status).toBe(401);
  expect((await claim()).status).toBe(202);

  // Another tab has just refreshed the session.
  browser.cookies.set('pacekeeper_refresh', own);
  await browser.refresh();
  browser.cookies.set('pacekeeper_refresh', own);
  expect((await approve()).status).toBe(204);
  expect((await claim()).status).toBe(200);

  await setClockOffset(db, '11 seconds');
  const late = await approvedBy(browser);
  expect((await late.approve()).status).toBe(401);
  expect(await browser.isLoggedIn()).toBe(false);
  expect(await other.isLoggedIn()).toBe(true);
});

test('one network has at most 50 pending logins, and others can still log in', async () => {
  const proxied = await startTestServer(trustedProxyEnvironment);
  const start = (address: string) =>
    statusOf(
      createApiClient({ baseUrl: proxied.url, headers: { 'x-forwarded-for': address } }).call(
        'startDeviceLogin',
      ),
    );
  const statuses: (number | null)[] = [];
  for (let count = 0; count < 51; count++) statuses.push(await start(`2001:db8:1:${count}::1`));
  expect(statuses).toEqual([...Array.from({ length: 50 }, () => 200), 503]);
  expect(await start('2001:db8:2::1')).toBe(200);
});
