import { beforeAll, describe, expect, test } from 'vitest';
import { browserPath, noBrowserSuffix, startBrowser, type TestBrowser } from '../helpers/browser.ts';
import { logIn, watchRequests } from '../helpers/browser-checks.ts';
import { expectAccessible } from '../helpers/expect-accessible.ts';
import { type SharedTestServer, sharedTestServer } from '../helpers/test-server.ts';
import { ensureWebPage } from '../helpers/web-page.ts';

describe.skipIf(browserPath === null)(`the audit log in a browser${noBrowserSuffix}`, () => {
  let server: SharedTestServer;
  let browser: TestBrowser;
  beforeAll(async () => {
    await ensureWebPage();
    server = await sharedTestServer();
    browser = await startBrowser();
  });

  test('shows who changed each resource and how, and can be filtered by actor and by day', async () => {
    const organization = await server.createOrganization();
    const body = { name: 'Mine', rule_type: 'majors_behind', thresholds: { high: 1 } } as const;
    const { id } = await organization.owner.call('createRule', { body });
    await organization.owner.call('updateRule', { path: { id }, body: { thresholds: { high: 2 } } });
    await organization.api.call('createRule', { body: { ...body, name: 'Of a key' } });

    const { page, problems } = await browser.open();
    const { settle } = watchRequests(page);
    await logIn(page, server.url, organization, '/audit-log');
    const rows = page.getByRole('table', { name: 'entries' });
    await rows.getByText('Of a key').waitFor();
    await rows.getByText('thresholds', { exact: false }).first().waitFor();
    await rows.getByText('rule type', { exact: false }).first().waitFor();
    // Each entry shows its exact time, not only a relative one.
    const times = await rows
      .getByRole('cell')
      .filter({ hasText: /\d{4}, \d\d:\d\d/ })
      .count();
    expect(times).toBe((await rows.getByRole('row').count()) - 1);

    await page.getByRole('combobox', { name: 'Actor' }).click();
    await page.getByRole('option', { name: 'Any API key' }).click();
    await rows.getByText('Mine').first().waitFor({ state: 'detached' });
    await rows.getByText('Of a key').waitFor();
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await rows.getByText('Mine').first().waitFor();

    await page.getByLabel('To day').fill('2020-01-31');
    await page.getByText('No results match your filters.').waitFor();
    await page.getByLabel('To day').fill('2120-01-31');
    await page.getByLabel('From day').fill('2020-01-31');
    await rows.getByText('Mine').first().waitFor();
    await settle();
    expect(await page.getByLabel('To day').inputValue()).toBe('2120-01-31');
    await expectAccessible(page);
    expect(problems).toEqual([]);
  });
});
