import { beforeAll, describe, expect, test } from 'vitest';
import { browserPath, noBrowserSuffix, startBrowser, type TestBrowser } from '../helpers/browser.ts';
import { logIn, navigateInPage } from '../helpers/browser-checks.ts';
import { expectAccessible } from '../helpers/expect-accessible.ts';
import { type SharedTestServer, sharedTestServer } from '../helpers/test-server.ts';
import { ensureWebPage } from '../helpers/web-page.ts';

describe.skipIf(browserPath === null)(`sample data in a browser${noBrowserSuffix}`, () => {
  let server: SharedTestServer;
  let browser: TestBrowser;
  beforeAll(async () => {
    await ensureWebPage();
    server = await sharedTestServer();
    browser = await startBrowser();
  });

  test('is loaded and removed with one click each, and every page in it states that it is fictional', async () => {
    const organization = await server.createOrganization('Acme');
    const { page, problems } = await browser.open({ viewport: { width: 1280, height: 900 } });
    await logIn(page, server.url, organization);
    await page.getByRole('button', { name: 'Load sample data' }).click();
    const notice = page.getByRole('note').filter({ hasText: 'Everything here is fictional.' });
    await notice.waitFor();
    await page.getByRole('link', { name: /^sample-queue/ }).waitFor();
    await expectAccessible(page);
    for (const [path, text] of [
      ['/upgrades', 'sample-queue'],
      ['/software', 'payments/sample-queue in production'],
      ['/alerts', 'payments/sample-queue in production'],
      ['/environments', 'ledger'],
    ] as const) {
      await navigateInPage(page, path);
      await page.getByRole('main').getByText(text).first().waitFor();
      await notice.waitFor();
    }
    // The user returns to the organization without removing the sample data, and opens it again.
    await page.goto(server.url);
    await page.getByRole('button', { name: 'Sample data', exact: true }).click();
    await page.getByRole('menuitem', { name: /^Acme/ }).click();
    await page.getByRole('heading', { name: 'Connect what you run' }).waitFor();
    expect(await notice.count()).toBe(0);
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Open sample data' }).click();
    await notice.waitFor();

    await notice.getByRole('button', { name: 'Remove sample data' }).click();
    await page.getByRole('button', { name: 'Load sample data' }).waitFor();
    expect(await notice.count()).toBe(0);
    expect((await organization.owner.call('getMe')).organizations).toMatchObject([{ id: organization.id }]);
    expect(problems).toEqual([]);
  });
});
