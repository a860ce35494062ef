import { beforeAll, describe, expect, test } from 'vitest';
import { browserPath, noBrowserSuffix, startBrowser, type TestBrowser } from '../helpers/browser.ts';
import { logIn, navigateInPage, watchRequests } from '../helpers/browser-checks.ts';
import { createMonitoredSoftware } from '../helpers/monitored.ts';
import { type SharedTestServer, sharedTestServer } from '../helpers/test-server.ts';
import { ensureWebPage } from '../helpers/web-page.ts';

describe.skipIf(browserPath === null)(`the first day in a browser${noBrowserSuffix}`, () => {
  let server: SharedTestServer;
  let browser: TestBrowser;
  beforeAll(async () => {
    await ensureWebPage();
    server = await sharedTestServer();
    browser = await startBrowser();
  });

  test('each page shows its content, when it was measured, and how to get missing data', async () => {
    const organization = await server.createOrganization();
    const { api } = organization;
    await createMonitoredSoftware(server, organization, { labels: { service: 'shop', environment: 'prod' } });
    const { id } = await api.call('createNotificationChannel', {
      body: { name: 'Operations', url: 'https://hooks.example.com/first-day' },
    });
    await api.call('updateNotificationSettings', { body: { default_channel_id: id } });
    // A new target is measured immediately after it is created.
    await api.call('createFreshnessTarget', { body: { name: 'Soon', metric: 'exposure_days', limit: 20 } });
    const { page, problems } = await browser.open({ viewport: { width: 1280, height: 900 } });
    const { settle } = watchRequests(page);
    await logIn(page, server.url, organization, '/freshness');
    await page
      .getByText(/^0\.16 libyears on .* A chart appears when two days have been measured\.$/)
      .waitFor();
    const main = page.getByRole('main');
    for (const [path, text] of [
      ['/', /What changed since .*, and what needs action\./],
      ['/freshness', /0% within target/],
      ['/environments', /Environments are in the usual order.* environment order in Settings/],
      ['/support', /if PACEKEEPER_REFERENCE_DATA is off/],
      ['/settings', /Default channel[^]*?Operations\s*Edit in Notification rules/],
      ['/audit-log', /From[^]*To/],
    ] as const) {
      await navigateInPage(page, path);
      await settle();
      await main
        .getByText(text)
        .or(main.filter({ hasText: text }))
        .first()
        .waitFor();
    }
    await navigateInPage(page, '/software/new');
    await page.getByText('For example, prod.', { exact: true }).waitFor();
    await page.getByText('For example, shop.', { exact: true }).waitFor();
    await navigateInPage(page, '/hooks');
    await page.getByRole('button', { name: 'New hook' }).first().click();
    await page.getByRole('combobox', { name: 'Sender' }).click();
    await page.getByRole('option', { name: 'Generic (your own script)' }).waitFor();
    expect(problems).toEqual([]);
  });
});
