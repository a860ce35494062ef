import { sql } from 'kysely';
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { insertAlerts } from '../../src/server/server-fixture.ts';
import { browserPath, noBrowserSuffix, startBrowser, type TestBrowser } from '../helpers/browser.ts';
import { logIn, watchRequests } from '../helpers/browser-checks.ts';
import { createMonitoredSoftware } from '../helpers/monitored.ts';
import { startTestServer, type TestOrganization, type TestServer } from '../helpers/test-server.ts';
import { ensureWebPage } from '../helpers/web-page.ts';

describe.skipIf(browserPath === null)(`a large installation in a browser${noBrowserSuffix}`, () => {
  let server: TestServer;
  let browser: TestBrowser;
  beforeAll(async () => {
    await ensureWebPage();
    server = await startTestServer();
    browser = await startBrowser();
  });

  async function openPage(organization: TestOrganization, path: string) {
    const { page, problems } = await browser.open();
    const { settle } = watchRequests(page);
    await logIn(page, server.url, organization, path);
    await settle();
    return { page, problems, settle };
  }

  const firstName = (page: Page) => page.locator('main [role=rowgroup] [role=row] a').first().textContent();

  test('shows every count with a thousands separator', async () => {
    const organization = await server.createOrganization();
    const inserted = await insertAlerts(server.db, organization.id, { count: 1_234, name: 'thing' });
    await sql`UPDATE gather_jobs SET release_count = 4321 WHERE id = ${inserted.gatherJobId}`.execute(
      server.db,
    );
    const { page, settle } = await openPage(organization, '/');
    for (const path of [
      '/',
      '/software?columns=name,monitors',
      '/alerts',
      '/rules',
      `/rules/${inserted.ruleId}`,
      '/alert-configs',
      '/gather-jobs',
      `/gather-jobs/${inserted.gatherJobId}`,
      '/set-up',
    ]) {
      await page.goto(server.url + path);
      await settle();
      const text = (await page.locator('main').innerText()).replaceAll(/thing \d+/g, 'thing');
      expect([path, text.match(/(?<![\d.,-])(1234|4321)(?![\d.-])/)?.[0] ?? null]).toEqual([path, null]);
      if (!/set-up|gather-jobs/.test(path))
        expect([path, text]).toEqual([path, expect.stringContaining('1,234')]);
    }
    await page.goto(`${server.url}/rules/${inserted.ruleId}`);
    await page.getByRole('button', { name: 'Delete' }).click();
    await page.getByText('This also deletes its 1,234 monitors').waitFor();
  });

  test('shows the monitor that is furthest behind at the top of Today, software, and alerts', async () => {
    const organization = await server.createOrganization();
    await insertAlerts(server.db, organization.id, { count: 12, name: 'moderate', severity: 'moderate' });
    await insertAlerts(server.db, organization.id, { count: 12, name: 'old', severity: 'critical' });
    await insertAlerts(server.db, organization.id, { count: 1, name: 'worst', severity: 'critical' });
    for (const table of ['alerts', 'alert_configs'])
      await sql`
        UPDATE ${sql.table(table)} SET crossed_at = pacekeeper_now() - interval '1 day'
          * CASE WHEN ${sql.ref(table === 'alerts' ? 'alert_config_id' : 'id')} =
            (SELECT id FROM alert_configs WHERE organization_id = ${organization.id} AND name = 'worst 1') THEN 900 ELSE 9 END
        WHERE organization_id = ${organization.id}`.execute(server.db);
    await sql`
        UPDATE gather_jobs SET name = 'worst 1'
        WHERE (organization_id, id) IN (SELECT organization_id, gather_job_id FROM alert_configs
          WHERE organization_id = ${organization.id} AND name = 'worst 1')`.execute(server.db);
    const { page, problems, settle } = await openPage(organization, '/');
    expect(
      await page.getByRole('region', { name: 'New' }).getByRole('listitem').first().textContent(),
    ).toContain('worst 1');
    await sql`
        UPDATE scrape_jobs SET name = 'worst 1'
        WHERE (organization_id, id) IN (SELECT organization_id, scrape_job_id FROM alert_configs
          WHERE organization_id = ${organization.id} AND name = 'worst 1')`.execute(server.db);
    for (const path of ['/software', '/alerts']) {
      await page.goto(server.url + path);
      await settle();
      expect([path, await firstName(page)]).toEqual([path, expect.stringContaining('worst 1')]);
    }
    expect(problems).toEqual([]);
  });

  test('prints rows that are scrolled out of view, and a note if it does not print all rows', async () => {
    const organization = await server.createOrganization();
    await insertAlerts(server.db, organization.id, { count: 1_234, name: 'thing' });
    const { page, problems, settle } = await openPage(organization, '/alerts');
    const rowsOnPaper = async () => {
      await page.emulateMedia({ media: 'print' });
      const count = await page.locator('main [role=row] [data-first] a').count();
      await page.emulateMedia({ media: 'screen' });
      return count;
    };
    const openDialog = page.evaluate(
      "new Promise((resolve) => { window.print = () => { dispatchEvent(new Event('beforeprint')); resolve(); } })",
    );
    await page.keyboard.press('Control+p');
    await openDialog;
    expect(await rowsOnPaper()).toBe(1_000);
    await page.getByText('The first 1,000 rows. Export CSV includes all rows.').waitFor();
    await page.evaluate("dispatchEvent(new Event('afterprint'))");
    await expect.poll(rowsOnPaper).toBeLessThan(100);

    // The browser's own print command doesn't wait for rows that aren't loaded.
    await page.reload();
    await settle();
    await page.evaluate("dispatchEvent(new Event('beforeprint'))");
    expect(await rowsOnPaper()).toBe(50);
    await page.getByText('The first 50 rows. To print up to 1,000, select Print below the list.').waitFor();
    expect(problems).toEqual([]);
  });

  test('includes the deployed releases of an older line in the history of a source with many releases', async () => {
    const organization = await server.createOrganization();
    const high = Array.from({ length: 450 }, (_, index) => `9.${index}.0`);
    const { scrapeJobId } = await createMonitoredSoftware(server, organization, {
      releases: ['1.0.1', '1.0.2'],
      deployed: '1.0.1',
    });
    await sql`
      INSERT INTO releases
        (organization_id, gather_job_id, tag, version, sort_key, variant, released_at, is_prerelease)
      SELECT releases.organization_id, releases.gather_job_id, high, high, releases.sort_key || high, '',
        pacekeeper_now() - interval '1 day', false
      FROM releases CROSS JOIN unnest(${high}::text[]) AS high
      WHERE releases.organization_id = ${organization.id} AND releases.version = '1.0.2'`.execute(server.db);
    const { page, problems } = await openPage(organization, `/software/${scrapeJobId}`);
    await page.getByText(/^View as table/).click();
    await page.getByRole('cell', { name: /^Deployed; released/ }).waitFor();
    expect(problems).toEqual([]);
  });

  test('disables a rule or a configuration only after a confirmation that shows the number of open alerts to be resolved', async () => {
    const organization = await server.createOrganization();
    const { ruleId } = await insertAlerts(server.db, organization.id, { count: 1_234, name: 'thing' });
    const { page, problems } = await openPage(organization, `/rules/${ruleId}`);
    const isActive = async () => (await organization.api.call('getRule', { path: { id: ruleId } })).is_active;
    const question = page.getByRole('dialog');
    await page.locator('main').getByRole('button', { name: 'Disable' }).click();
    await question.getByText('This resolves 1,234 open alerts').waitFor();
    await question.getByRole('button', { name: 'Cancel' }).click();
    expect(await isActive()).toBe(true);
    await page.locator('main').getByRole('button', { name: 'Disable' }).click();
    await question.getByRole('button', { name: 'Disable' }).click();
    await page.getByRole('button', { name: 'Enable' }).waitFor();
    expect(await isActive()).toBe(false);

    const other = await server.createOrganization();
    await insertAlerts(server.db, other.id, { name: 'thing' });
    const { items } = await other.api.call('listAlertConfigs');
    const second = await openPage(other, `/alert-configs/${items[0]!.id}`);
    const change = async (name: string) => {
      await second.page.getByRole('button', { name: /^Actions for the monitor/ }).click();
      await second.page.getByRole('menuitem', { name }).click();
    };
    const isEnabled = async () =>
      (await other.api.call('getAlertConfig', { path: { id: items[0]!.id } })).is_active;
    await change('Disable');
    await second.page.getByRole('dialog').getByText('This resolves 1 open alert and').waitFor();
    await second.page.getByRole('dialog').getByRole('button', { name: 'Disable' }).click();
    await second.page.getByText('Not compared: the monitor or its rule is disabled.').waitFor();
    expect(await isEnabled()).toBe(false);
    // Enabling resolves no alerts, so it needs no confirmation.
    await change('Enable');
    await expect.poll(isEnabled).toBe(true);
    expect([...problems, ...second.problems]).toEqual([]);
  });
});
