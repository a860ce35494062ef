import { beforeEach, describe, expect, test } from 'vitest';
import { type LoginProvider, startLoginProvider } from '../helpers/login-provider.ts';
import { TestBrowserSession, writeProviderFile } from '../helpers/sign-on-world.ts';
import { startTestServer, type TestServer } from '../helpers/test-server.ts';

const base = 'https://pacekeeper.example';
const redirectUris = () => [`${base}/sso/corp/callback`, `${plain.url}/sso/corp/callback`];
const corp = await startLoginProvider({ redirectUris });
const PACEKEEPER_OIDC_FILE = writeProviderFile({
  corp: { provider: corp, settings: { groups: [{ group: '*', organization: 'Acme', role: 'member' }] } },
});
const secure = await startTestServer({ PACEKEEPER_BASE_URL: base, PACEKEEPER_OIDC_FILE });
const plain = await startTestServer({ PACEKEEPER_OIDC_FILE });

beforeEach(() => {
  for (const name of ['mallory', 'victim'])
    corp.accounts.set(name, { sub: name, email: `${name}@corp.example`, email_verified: true });
});

async function openBrowser(server: TestServer) {
  const organization = await server.createOrganization();
  const browser = new TestBrowserSession(server);
  await browser.logIn(organization);
  return { organization, browser };
}

/**
 * Starts linking an account of the provider.
 * @returns The callback URL on the test server.
 */
async function beginLink(browser: TestBrowserSession, server: TestServer, name: string, provider = corp) {
  const { body } = await browser.request('/api/v1/auth/identities/link', {
    method: 'POST',
    body: { provider: 'corp' },
  });
  return follow(String(body['url']), server, name, provider);
}

async function follow(url: string, server: TestServer, name: string, provider: LoginProvider): Promise<URL> {
  provider.loginAs = name;
  const answer = await provider.followLogin(url);
  return new URL(`${answer.pathname}${answer.search}`, server.url);
}

const attemptsOf = ({ cookies }: TestBrowserSession) =>
  [...cookies].filter(([name]) => name.includes('pacekeeper_sso_'));

async function identitiesOf(browser: TestBrowserSession): Promise<unknown> {
  return (await browser.request('/api/v1/auth/identities')).body['items'];
}

/** Returns the URL to which the refresh element of the page directs a browser. */
function refreshTargetOf(text: string, from: URL): URL {
  const [, target = ''] = /http-equiv="refresh" content="0;url=([^"]*)"/.exec(text) ?? [];
  return new URL(target.replaceAll('&#38;', '&'), from);
}

describe('over HTTPS', () => {
  test('a sign-on attempt is stored in a cookie that only this host can set', async () => {
    const response = await fetch(`${secure.url}/sso/corp/login?moved=true`, { redirect: 'manual' });
    const [cookie] = response.headers.getSetCookie();
    expect(cookie).toMatch(/^__Host-pacekeeper_sso_/);
    expect(cookie!.split('; ').slice(1)).toEqual(
      expect.arrayContaining(['Path=/', 'Secure', 'HttpOnly', 'SameSite=Lax']),
    );
    expect(cookie).not.toMatch(/domain/i);
  });

  test('an attempt that another host of the domain planted replaces no session', async () => {
    const { organization, browser } = await openBrowser(secure);
    const mallory = new TestBrowserSession(secure);
    const { location } = await mallory.request('/sso/corp/login?moved=true');
    const answer = await follow(location!.href, secure, 'mallory', corp);
    const attempts = attemptsOf(mallory);
    expect(attempts).toHaveLength(1);
    for (const [name, value] of attempts) browser.cookies.set(name.replace('__Host-', ''), value);
    const { location: end } = await browser.request(answer);
    expect(end!.searchParams.get('sso_error')).toBe('attempt_expired');
    expect((await browser.me()).user.email).toBe(organization.email);
  });

  test('the browser that began a sign-on attempt can complete it', async () => {
    await secure.createOrganization('Acme');
    const browser = new TestBrowserSession(secure);
    const { location } = await browser.request('/sso/corp/login?moved=true');
    const { location: end } = await browser.request(await follow(location!.href, secure, 'victim', corp));
    expect(end!.searchParams.get('sso')).toBe('done');
    expect(await browser.isLoggedIn()).toBe(true);
    expect(attemptsOf(browser)).toEqual([]);
  });
});

describe.each([
  ['HTTP', plain],
  ['HTTPS', secure],
])('over %s', (_scheme, server) => {
  test('an attempt to link that an attacker planted as a cookie with the correct name links nothing', async () => {
    const { browser: mallory } = await openBrowser(server);
    const { browser: victim } = await openBrowser(server);
    const answer = await beginLink(mallory, server, 'victim');
    for (const [name, value] of attemptsOf(mallory)) victim.cookies.set(name, value);
    // The victim follows a link to the provider, which redirects back to the callback.
    const first = await victim.request(answer, { isFromOtherSite: true });
    expect(first.status).toBe(200);
    const { location } = await victim.request(refreshTargetOf(first.text, answer));
    expect(location!.searchParams.get('sso_error')).toBe('attempt_expired');
    expect([await identitiesOf(mallory), await identitiesOf(victim)]).toEqual([[], []]);
  });

  test('an attempt to link in a browser without a session links nothing', async () => {
    const { browser: mallory } = await openBrowser(server);
    const victim = new TestBrowserSession(server);
    const answer = await beginLink(mallory, server, 'victim');
    for (const [name, value] of attemptsOf(mallory)) victim.cookies.set(name, value);
    const first = await victim.request(answer, { isFromOtherSite: true });
    const { location } = await victim.request(refreshTargetOf(first.text, answer));
    expect(location!.searchParams.get('sso_error')).toBe('session_ended');
    expect(await identitiesOf(mallory)).toEqual([]);
  });

  test('the session that began an attempt to link can complete it after the redirect from the site of the provider', async () => {
    const { browser } = await openBrowser(server);
    const name = `linked ${_scheme}`;
    corp.accounts.set(name, { sub: name, email: 'linked@corp.example', email_verified: true });
    const answer = await beginLink(browser, server, name);
    const first = await browser.request(answer, { isFromOtherSite: true });
    const { location } = await browser.request(refreshTargetOf(first.text, answer));
    expect(location!.searchParams.get('login_linked')).toBe('corp');
    expect(await identitiesOf(browser)).toMatchObject([{ email: 'linked@corp.example' }]);
    expect(attemptsOf(browser)).toEqual([]);
  });
});
