import { Secret, TOTP } from 'otpauth';
import { beforeAll, describe, expect, test } from 'vitest';
import { createApiClient } from '../../src/client/api-client.ts';
import { browserPath, noBrowserSuffix, startBrowser, type TestBrowser } from '../helpers/browser.ts';
import { logIn, navigateInPage, seriousViolations } from '../helpers/browser-checks.ts';
import { type LoginProvider, startLoginProvider } from '../helpers/login-provider.ts';
import { writeProviderFile } from '../helpers/sign-on-world.ts';
import { startTestServer, type TestOrganization, type TestServer } from '../helpers/test-server.ts';
import { ensureWebPage } from '../helpers/web-page.ts';

describe.skipIf(browserPath === null)(`single sign-on in a browser${noBrowserSuffix}`, () => {
  let server: TestServer;
  let provider: LoginProvider;
  let browser: TestBrowser;
  let organization: TestOrganization;

  beforeAll(async () => {
    await ensureWebPage();
    provider = await startLoginProvider({ redirectUris: () => [`${server.url}/sso/corp/callback`] });
    const settings = {
      name: 'Example Corp',
      groups: [{ group: 'platform', organization: 'Acme', role: 'admin' }],
    };
    server = await startTestServer({
      PACEKEEPER_OIDC_FILE: writeProviderFile({ corp: { provider, settings } }),
    });
    organization = await server.createOrganization('Acme');
    provider.accounts.set('ada', {
      sub: 'ada',
      email: 'ada@corp.example',
      email_verified: true,
      name: 'Ada',
      groups: ['platform'],
    });
    browser = await startBrowser();
  });

  async function logInAtProvider(next = '/') {
    const watched = await browser.open({ viewport: { width: 1280, height: 900 } });
    const { page } = watched;
    await page.goto(`${server.url}${next}`);
    await page.getByRole('link', { name: 'Log in with Example Corp' }).click();
    await page.getByRole('textbox', { name: 'Name' }).fill('ada');
    await page.getByRole('button', { name: 'Continue' }).click();
    return watched;
  }

  test('a user logs in on the page of the provider and returns to the requested page', async () => {
    const { page, problems } = await logInAtProvider('/settings');
    await page.waitForURL(`${server.url}/settings`);
    await page.getByRole('heading', { name: 'Single sign-on' }).waitFor();
    await page.getByText('platform: admin').waitFor();
    await navigateInPage(page, '/account');
    await page.getByRole('table', { name: 'linked logins' }).getByText('Example Corp').waitFor();
    expect(await page.getByRole('heading', { name: 'Password' }).count()).toBe(0);
    expect(await seriousViolations(page)).toEqual([]);
    expect(problems).toEqual([]);
  });

  test('a failed login shows the reason', async () => {
    const { page } = await browser.open({});
    await page.goto(`${server.url}/login?sso_error=no_access&next=%2F`);
    await page.getByText("Your account doesn't have access to any organization.").waitFor();
    expect(await seriousViolations(page)).toEqual([]);
  });

  test('a logged-in user can link and unlink an account of the provider', async () => {
    provider.accounts.set('owner', { sub: 'owner', email: organization.email, email_verified: true });
    const { page, problems } = await browser.open({ viewport: { width: 1280, height: 900 } });
    await logIn(page, server.url, organization, '/account');
    await page.getByRole('button', { name: 'Link Example Corp' }).click();
    await page.getByRole('textbox', { name: 'Name' }).fill('owner');
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByText('Login linked').waitFor();
    await page.getByRole('button', { name: 'Unlink Example Corp' }).click();
    await page.getByRole('button', { name: 'Unlink login' }).click();
    await page.getByRole('button', { name: 'Link Example Corp' }).waitFor();
    expect(problems).toEqual([]);
  });

  test('an account with two-factor authentication requires a code to link', async () => {
    const person = await server.createOrganization();
    provider.accounts.set('careful', { sub: 'careful', email: person.email, email_verified: true });
    const { page, problems } = await browser.open({ viewport: { width: 390, height: 844 } });
    await logIn(page, server.url, person, '/account');
    const post = async (path: string, data: object) =>
      (await page.request.post(`${server.url}/api/v1/auth/two-factor${path}`, { data, headers })).json();
    const headers = { origin: server.url };
    const { secret } = (await post('', { password: person.password })) as { secret: string };
    const app = new TOTP({ secret: Secret.fromBase32(secret) });
    await post('/confirm', { code: app.generate() });
    await page.reload();
    await page.getByText('Unused recovery codes: 10.').waitFor();
    const section = page.getByRole('region', { name: 'Linked logins' });
    await section.getByRole('button', { name: 'Link Example Corp' }).click();
    const code = section.getByRole('textbox', { name: 'Code' });
    await code.fill('000000');
    await section.getByRole('button', { name: 'Continue to Example Corp' }).click();
    await section.getByText("isn't correct.").waitFor();
    expect(await seriousViolations(page)).toEqual([]);
    await code.fill(app.generate({ timestamp: Date.now() + 30_000 }));
    await section.getByRole('button', { name: 'Continue to Example Corp' }).click();
    await page.getByRole('textbox', { name: 'Name' }).fill('careful');
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByText('Login linked').waitFor();
    expect(problems.filter((problem) => !problem.includes('400'))).toEqual([]);
  });

  test('a CLI is logged in as the user who approves its code', async () => {
    const anonymous = createApiClient({ baseUrl: server.url });
    const { user_code, device_code, verification_url } = await anonymous.call('startDeviceLogin');
    const { page, problems } = await logInAtProvider(
      new URL(verification_url).pathname + new URL(verification_url).search,
    );
    await page.getByText(user_code).waitFor();
    expect(await seriousViolations(page)).toEqual([]);
    await page.getByRole('button', { name: 'Approve login' }).click();
    await page.getByText('Login approved').waitFor();
    const login = await anonymous.call('claimDeviceLogin', { body: { device_code } });
    expect(login).toMatchObject({ user: { email: 'ada@corp.example' } });
    expect(problems).toEqual([]);
  });
});
