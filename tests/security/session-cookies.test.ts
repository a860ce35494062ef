import { describe, expect, test } from 'vitest';
import { TestBrowserSession } from '../helpers/sign-on-world.ts';
import { startTestServer, type TestServer } from '../helpers/test-server.ts';

const secure = await startTestServer({ PACEKEEPER_BASE_URL: 'https://pacekeeper.example' });
const plain = await startTestServer();

interface Account {
  email: string;
  password: string;
}

async function logIn(server: TestServer, { email, password }: Account, headers: Record<string, string> = {}) {
  const response = await fetch(`${server.url}/api/v1/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ email, password }),
  });
  expect(response.status).toBe(200);
  return response.headers.getSetCookie();
}

/** Opens a browser session and logs in with a password, as the login page does. */
async function openBrowser(server: TestServer, account: Account): Promise<TestBrowserSession> {
  const browser = new TestBrowserSession(server);
  const body = { email: account.email, password: account.password };
  expect(await browser.request('/api/v1/auth/login', { method: 'POST', body })).toMatchObject({
    status: 200,
  });
  return browser;
}

async function whoIs(browser: TestBrowserSession): Promise<unknown> {
  const { status, body } = await browser.request('/api/v1/auth/me');
  return status === 200 ? (body['user'] as Account).email : status;
}

async function renew(browser: TestBrowserSession): Promise<unknown> {
  const { status, body } = await browser.request('/api/v1/auth/refresh', { method: 'POST' });
  return status === 200 ? (body['user'] as Account).email : status;
}

/** Logs in and returns the cookies without their prefix, which another host of the domain could set. */
async function cookiesWithoutPrefix(server: TestServer, account: Account): Promise<[string, string][]> {
  return (await logIn(server, account)).map(
    (cookie) => /^(?:__Host-)?([^=]+)=([^;]*)/.exec(cookie)!.slice(1, 3) as [string, string],
  );
}

describe('over HTTPS', () => {
  test.each([
    ['a browser', { origin: 'https://pacekeeper.example' }],
    ['a program, which sends no Origin header,', {}],
  ])('%s gets cookies that only this host can set', async (_client, headers) => {
    const account = await secure.createOrganization();
    const cookies = await logIn(secure, account, headers);
    expect(cookies.map((cookie) => cookie.split('=')[0])).toEqual([
      '__Host-pacekeeper_session',
      '__Host-pacekeeper_refresh',
    ]);
    for (const cookie of cookies) {
      const attributes = cookie.split('; ').slice(1);
      expect(attributes).toEqual(expect.arrayContaining(['Path=/', 'Secure', 'HttpOnly', 'SameSite=Strict']));
      expect(cookie).not.toMatch(/domain/i);
    }
  });

  test("another host's cookies can't replace the session or refresh it as another person", async () => {
    const [victim, attacker] = [await secure.createOrganization(), await secure.createOrganization()];
    const browser = await openBrowser(secure, victim);
    for (const [name, value] of await cookiesWithoutPrefix(secure, attacker))
      browser.cookies.set(name, value);
    expect(await whoIs(browser)).toBe(victim.email);
    // Browsers drop this cookie after 15 minutes.
    browser.cookies.delete('__Host-pacekeeper_session');
    expect(await whoIs(browser)).toBe(401);
    expect(await renew(browser)).toBe(victim.email);
    expect(await whoIs(browser)).toBe(victim.email);
  });

  test('cookies without the prefix give no session and can’t be renewed', async () => {
    const account = await secure.createOrganization();
    const browser = new TestBrowserSession(secure);
    for (const [name, value] of await cookiesWithoutPrefix(secure, account)) browser.cookies.set(name, value);
    expect([await whoIs(browser), await renew(browser)]).toEqual([401, 401]);
    expect([...browser.cookies.keys()].filter((name) => name.startsWith('__Host-'))).toEqual([]);
  });

  test('a logout removes all cookies and ends their session', async () => {
    const browser = await openBrowser(secure, await secure.createOrganization());
    const before = new Map(browser.cookies);
    expect(await browser.request('/api/v1/auth/logout', { method: 'POST' })).toMatchObject({ status: 204 });
    expect([...browser.cookies]).toEqual([]);
    for (const [name, value] of before) browser.cookies.set(name, value);
    expect([await whoIs(browser), await renew(browser)]).toEqual([401, 401]);
  });

  test('every kind of response instructs browsers to use only HTTPS', async () => {
    for (const path of [
      '/',
      '/api/v1/auth/me',
      '/health/live',
      '/nowhere',
      '/api/v1/%ff',
      '/sso/corp/login',
    ]) {
      const { headers } = await fetch(secure.url + path, { redirect: 'manual' });
      expect(headers.get('strict-transport-security'), path).toBe('max-age=31536000');
    }
    expect((await fetch(plain.url)).headers.get('strict-transport-security')).toBeNull();
  });
});

describe('with a base path', () => {
  test.each([
    ['https://apps.example/pacekeeper', /^__Host-pacekeeper_(session|refresh)_[0-9a-f]{8}$/, '/'],
    ['http://apps.example/pacekeeper', /^pacekeeper_(session|refresh)_[0-9a-f]{8}$/, '/pacekeeper/'],
  ])('cookie names of %s end with a hash of the path', async (baseUrl, pattern, path) => {
    const server = await startTestServer({ PACEKEEPER_BASE_URL: baseUrl });
    const other = await startTestServer({ PACEKEEPER_BASE_URL: `${baseUrl}-2` });
    const [account, stranger] = [await server.createOrganization(), await other.createOrganization()];
    const [own, foreign] = [await logIn(server, account), await logIn(other, stranger)];
    const nameOf = (cookie: string) => cookie.split('=')[0]!;
    for (const cookie of own) {
      expect(nameOf(cookie)).toMatch(pattern);
      expect(cookie).toContain(`Path=${path}`);
    }
    expect(own.map(nameOf).filter((name) => foreign.map(nameOf).includes(name))).toEqual([]);
    const browser = await openBrowser(server, account);
    expect([await whoIs(browser), await renew(browser)]).toEqual([account.email, account.email]);
  });
});

test('cookies have no prefix over plain HTTP, because browsers reject it', async () => {
  const [account, other] = [await plain.createOrganization(), await plain.createOrganization()];
  const browser = await openBrowser(plain, account);
  expect([...browser.cookies.keys()]).toEqual(['pacekeeper_session', 'pacekeeper_refresh']);
  for (const [name, value] of await cookiesWithoutPrefix(plain, other))
    browser.cookies.set(`__Host-${name}`, value);
  expect([await whoIs(browser), await renew(browser)]).toEqual([account.email, account.email]);
});
