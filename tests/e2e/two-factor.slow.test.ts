import { Secret, TOTP } from 'otpauth';
import { beforeAll, describe, expect, test } from 'vitest';
import { browserPath, noBrowserSuffix, startBrowser, type TestBrowser } from '../helpers/browser.ts';
import { fillLogin, logIn, navigateInPage, seriousViolations } from '../helpers/browser-checks.ts';
import { requireTwoFactor } from '../helpers/require-two-factor.ts';
import { type SharedTestServer, sharedTestServer } from '../helpers/test-server.ts';
import { ensureWebPage } from '../helpers/web-page.ts';

describe.skipIf(browserPath === null)(`two-factor authentication in a browser${noBrowserSuffix}`, () => {
  let server: SharedTestServer;
  let browser: TestBrowser;

  beforeAll(async () => {
    await ensureWebPage();
    server = await sharedTestServer();
    browser = await startBrowser();
  });

  test('a user enables two-factor authentication, logs in with a code and with a recovery code, and disables it', async () => {
    const organization = await server.createOrganization();
    const { page, problems } = await browser.open({ viewport: { width: 1280, height: 900 } });
    await logIn(page, server.url, organization, '/account');
    const section = page.getByRole('region', { name: 'Two-factor authentication' });
    await section.locator('input[type=password]').fill(organization.password);
    await section.getByRole('button', { name: 'Set up two-factor authentication' }).click();
    await section.getByRole('img', { name: 'QR code for your authenticator app' }).waitFor();
    expect(await seriousViolations(page)).toEqual([]);
    const secret = (await section.locator('code').textContent())!.replaceAll(' ', '');
    const codeOf = (seconds: number) =>
      new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: Date.now() + seconds * 1_000 });
    await section.getByRole('textbox', { name: 'Code' }).fill(codeOf(0));
    await section.getByRole('button', { name: 'Enable two-factor authentication' }).click();
    const codes = section.getByRole('list', { name: 'Recovery codes' }).getByRole('listitem');
    await codes.first().waitFor();
    const [first, second] = await codes.allTextContents();
    expect(await codes.count()).toBe(10);
    expect(await seriousViolations(page)).toEqual([]);
    await section.getByRole('button', { name: 'I saved them' }).click();
    await section.getByText('Unused recovery codes: 10.').waitFor();

    for (const code of [codeOf(30), first!]) {
      const other = await browser.open({ viewport: { width: 390, height: 844 } });
      await other.page.goto(`${server.url}/login`);
      await fillLogin(other.page, organization);
      const field = other.page.getByRole('textbox', { name: 'Code' });
      await field.waitFor();
      expect(await field.getAttribute('aria-invalid')).not.toBe('true');
      expect(await other.page.getByRole('alert').count()).toBe(0);
      await other.page.getByRole('button', { name: 'Log in' }).click();
      await other.page.getByText('Enter the code from your authenticator app.').waitFor();
      await field.fill(code);
      expect(await seriousViolations(other.page)).toEqual([]);
      await other.page.getByRole('button', { name: 'Log in' }).click();
      await other.page.waitForURL((url) => url.pathname !== '/login');
    }

    await page.reload();
    await section.getByText('Unused recovery codes: 9.').waitFor();
    await section.getByRole('button', { name: 'Disable' }).click();
    const disable = section.getByRole('button', { name: 'Disable two-factor authentication' });
    await section.getByRole('textbox', { name: 'Code' }).fill('000000');
    await disable.click();
    await section.getByText("isn't correct.").waitFor();
    expect(await seriousViolations(page)).toEqual([]);
    await section.getByRole('textbox', { name: 'Code' }).fill(second!);
    await disable.click();
    await section.getByRole('button', { name: 'Set up two-factor authentication' }).waitFor();
    await logIn(page, server.url, organization);
    expect(problems.filter((problem) => !problem.includes('400'))).toEqual([]);
  });

  test('when the organization starts to require two-factor authentication, the setup immediately replaces the open page, which returns after the setup', async () => {
    const organization = await server.createOrganization();
    const { page } = await browser.open({ viewport: { width: 1280, height: 900 } });
    await logIn(page, server.url, organization, '/rules');
    await page.getByRole('heading', { name: 'Rules' }).waitFor();
    await requireTwoFactor(server, organization);
    const gate = page.getByRole('region', { name: 'Two-factor authentication' });
    await gate.getByText(/requires two-factor authentication when you log in with a password/).waitFor();
    expect(await seriousViolations(page)).toEqual([]);
    await page.reload();
    await gate.locator('input[type=password]').fill(organization.password);
    await gate.getByRole('button', { name: 'Set up two-factor authentication' }).click();
    const secret = (await gate.locator('code').textContent())!.replaceAll(' ', '');
    const code = new TOTP({ secret: Secret.fromBase32(secret) }).generate();
    await gate.getByRole('textbox', { name: 'Code' }).fill(code);
    await gate.getByRole('button', { name: 'Enable two-factor authentication' }).click();
    await gate.getByRole('list', { name: 'Recovery codes' }).waitFor();
    // Switching windows refetches the data of the page. The recovery codes must stay visible.
    await page.evaluate('document.dispatchEvent(new Event("visibilitychange"))');
    await gate.getByRole('button', { name: 'I saved them' }).click();
    await page.getByRole('heading', { name: 'Rules' }).waitFor();

    await navigateInPage(page, '/members');
    await page.getByRole('cell', { name: 'Enabled' }).waitFor();

    // To move to another phone, a user enters the next code from the current phone, then sets up the other.
    await navigateInPage(page, '/account');
    const section = page.getByRole('region', { name: 'Two-factor authentication' });
    await section.getByRole('button', { name: 'Disable' }).click();
    const next = new TOTP({ secret: Secret.fromBase32(secret) }).generate({
      timestamp: Date.now() + 30_000,
    });
    await section.getByRole('textbox', { name: 'Code' }).fill(next);
    await section.getByRole('button', { name: 'Disable two-factor authentication' }).click();
    await gate.getByText(/requires two-factor authentication when you log in with a password/).waitFor();
    expect(await seriousViolations(page)).toEqual([]);
  });

  test('the settings show how many members do not use two-factor authentication before an owner requires it', async () => {
    const organization = await server.createOrganization();
    const { page } = await browser.open({ viewport: { width: 1280, height: 900 } });
    await logIn(page, server.url, organization, '/settings');
    const row = page.locator('[data-setting="login.require_two_factor"]');
    await row.getByRole('button', { name: 'Edit' }).click();
    await row.getByRole('switch', { name: 'Two-factor authentication' }).click();
    await row.getByText("1 member doesn't use it yet.", { exact: false }).waitFor();
    await row.getByRole('button', { name: 'Save' }).click();
    await row.getByText("You don't use two-factor authentication yourself.", { exact: false }).waitFor();
    expect(await seriousViolations(page)).toEqual([]);
  });
});
