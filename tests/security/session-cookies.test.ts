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

/** Opens a browser session that is logged in through the page. */
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

/** Logs in like a program and returns its cookies. Sessions of earlier versions use the same cookie names. */
async function cookiesWithoutPrefix(server: TestServer, account: Account): Promise<[string, string][]> {
  return (await logIn(server, account)).map(
    (cookie) => /^([^=]+)=([^;]*)/.exec(cookie)!.slice(1, 3) as [string, string],
  );
}

describe('over HTTPS', () => {
  test('a browser gets cookies that only this host can set', async () => {
    const account = await secure.createOrganization();
    const cookies = await logIn(secure, account, { origin: secure.url });
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

  test('a session from before cookie names had a prefix continues and gets the prefix', async () => {
    const account = await secure.createOrganization();
    const browser = new TestBrowserSession(secure);
    for (const [name, value] of await cookiesWithoutPrefix(secure, account)) browser.cookies.set(name, value);
    expect(await whoIs(browser)).toBe(account.email);
    expect(await renew(browser)).toBe(account.email);
    expect([...browser.cookies.keys()].toSorted()).toEqual([
      '__Host-pacekeeper_refresh',
      '__Host-pacekeeper_session',
    ]);
    expect([await whoIs(browser), await renew(browser)]).toEqual([account.email, account.email]);
  });

  test('a logout removes all cookies and ends their session', async () => {
    const browser = await openBrowser(secure, await secure.createOrganization());
    const before = new Map(browser.cookies);
    expect(await browser.request('/api/v1/auth/logout', { method: 'POST' })).toMatchObject({ status: 204 });
    expect([...browser.cookies]).toEqual([]);
    for (const [name, value] of before) browser.cookies.set(name, value);
    expect([await whoIs(browser), await renew(browser)]).toEqual([401, 401]);
  });

  test('programs, which send no Origin header, keep the cookie names without a prefix', async () => {
    const cookies = await cookiesWithoutPrefix(secure, await secure.createOrganization());
    expect(cookies.map(([name]) => name)).toEqual(['pacekeeper_session', 'pacekeeper_refresh']);
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
