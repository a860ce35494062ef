import { sql } from 'kysely';
import { beforeAll, describe, expect, test } from 'vitest';
import { browserPath, noBrowserSuffix, startBrowser, type TestBrowser } from '../helpers/browser.ts';
import { logIn, scrollsSideways } from '../helpers/browser-checks.ts';
import { createMonitoredSoftware } from '../helpers/monitored.ts';
import { type SharedTestServer, sharedTestServer } from '../helpers/test-server.ts';
import { ensureWebPage } from '../helpers/web-page.ts';

describe.skipIf(browserPath === null)(`freshness in a browser${noBrowserSuffix}`, () => {
  let server: SharedTestServer;
  let browser: TestBrowser;
  beforeAll(async () => {
    await ensureWebPage();
    server = await sharedTestServer();
    browser = await startBrowser();
  });

  test('shows the history of the organization and each team, measures a new target, and prints a monthly report', async () => {
    const organization = await server.createOrganization();
    for (const team of ['payments', 'search', 'search'])
      await createMonitoredSoftware(server, organization, { labels: { team } });
    await sql`
      UPDATE versions SET created_at = created_at - interval '200 days' WHERE organization_id = ${organization.id}`.execute(
      server.db,
    );
    const { page, problems } = await browser.open({ viewport: { width: 1280, height: 1400 } });
    await logIn(page, server.url, organization, '/freshness');
    await page.getByRole('button', { name: 'New target' }).click();
    await page.getByLabel('Name').fill('Soon');
    await page.getByLabel('Limit').fill('20');
    await page.getByRole('dialog').getByRole('button', { name: 'Create target' }).click();
    const target = page.getByRole('region', { name: 'Targets' }).getByRole('row', { name: /Soon/ });
    await target.getByText('Missed').waitFor();
    expect(await target.innerText()).toMatch(/20 days\s+Missed\s+0%\s+goal 95%\s+3/);
    await page.getByText('0.49 libyears', { exact: true }).waitFor();
    await page.getByRole('img', { name: /^0 libyears on .*, 0\.49 libyears on / }).waitFor();
    const teams = page.getByRole('region', { name: 'By team' });
    await teams.getByRole('row', { name: /^search\s+2\s+0\.33/ }).waitFor();
    await teams.getByRole('row', { name: /^payments\s+1\s+0\.16/ }).waitFor();

    await page.getByRole('main').getByRole('link', { name: 'Monthly report' }).click();
    await page.getByRole('heading', { name: /^Freshness in / }).waitFor();
    await page
      .getByRole('region', { name: 'Summary' })
      .getByRole('row', { name: /^Libyears\s/ })
      .waitFor();
    await page
      .getByRole('region', { name: 'Libyears by team' })
      .getByRole('row', { name: /^search\s/ })
      .waitFor();
    await page
      .getByRole('region', { name: 'Targets' })
      .getByRole('row', { name: /^Soon\s.*%/ })
      .waitFor();
    await page.emulateMedia({ media: 'print' });
    for (const hidden of [page.getByRole('navigation'), page.getByRole('button', { name: 'Print' })])
      expect(await hidden.isVisible()).toBe(false);
    // Size of an A4 page without its margins, in CSS pixels.
    await page.setViewportSize({ width: 688, height: 970 });
    expect(await scrollsSideways(page)).toBe(false);
    expect(problems).toEqual([]);
  });
});
