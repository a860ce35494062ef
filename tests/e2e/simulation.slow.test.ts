import { sql } from 'kysely';
import { beforeAll, describe, expect, test } from 'vitest';
import { browserPath, noBrowserSuffix, startBrowser, type TestBrowser } from '../helpers/browser.ts';
import { logIn, navigateInPage, scrollsSideways, seriousViolations } from '../helpers/browser-checks.ts';
import { expectAccessible } from '../helpers/expect-accessible.ts';
import { createMonitoredSoftware } from '../helpers/monitored.ts';
import { type SharedTestServer, sharedTestServer } from '../helpers/test-server.ts';
import { ensureWebPage } from '../helpers/web-page.ts';

const releases = ['1.0.0', '2.0.0', '3.0.0', '4.0.0', '5.0.0', '6.0.0', '7.0.0', '8.0.0'];

describe.skipIf(browserPath === null)(`simulations in forms${noBrowserSuffix}`, () => {
  let server: SharedTestServer;
  let browser: TestBrowser;
  beforeAll(async () => {
    await ensureWebPage();
    server = await sharedTestServer();
    browser = await startBrowser();
  });

  /**
   * Creates three monitors: 1.0.0 was deployed 200 days ago in all of them, and 8.0.0 replaced it 40 days ago in the
   * first one. Upstream has one release per month.
   */
  async function createPast() {
    const organization = await server.createOrganization();
    const things = [];
    for (let index = 0; index < 3; index++) {
      things.push(
        await createMonitoredSoftware(server, organization, { releases, rule: { thresholds: { high: 6 } } }),
      );
    }
    const [first] = things as [(typeof things)[number]];
    await organization.api.call('setScrapeJobVersion', {
      path: { id: first.scrapeJobId },
      body: { version: '8.0.0' },
    });
    await sql`
      UPDATE versions SET created_at = pacekeeper_now() - CASE version WHEN '1.0.0' THEN 200 ELSE 40 END * interval '1 day'
      WHERE organization_id = ${organization.id}`.execute(server.db);
    return { organization, ...first };
  }

  test('a rule shows the alerts that it would have opened, and updates them when its thresholds change', async () => {
    const { organization, ruleId } = await createPast();
    const { page, problems } = await browser.open({ viewport: { width: 1280, height: 1400 } });
    await logIn(page, server.url, organization, '/rules/new');
    const panel = page.getByRole('region', { name: 'Simulation' });
    await panel.getByText(/^In the last 180 days, this would have opened/).waitFor();
    await page.getByRole('combobox', { name: 'Measure' }).click();
    await page.getByRole('option', { name: 'Major versions behind' }).click();
    await page.getByLabel('Moderate from').fill('3');
    await page.getByLabel('High from').fill('5');
    await page.getByLabel('Critical from').fill('');
    const sentence = (alerts: string) =>
      panel.getByText(`In the last 180 days, this would have opened ${alerts}`).waitFor();
    await sentence('3 alerts for 3 of 3 monitors. 2 would be open today.');
    await page.getByLabel('Moderate from').fill('6');
    await page.getByLabel('High from').fill('');
    await sentence('2 alerts for 2 of 3 monitors. 2 would be open today.');
    await panel.getByRole('img', { name: /^2 alerts opened from/ }).waitFor();
    await panel.getByText('No messages would have been sent.').waitFor();
    await panel.getByText('View alerts (2)').click();
    expect(await panel.getByRole('row').count()).toBe(3);
    await expectAccessible(page, [1280]);
    await page.setViewportSize({ width: 390, height: 844 });
    // Poll until the menu has finished sliding out of view.
    await expect.poll(() => scrollsSideways(page)).toBe(false);

    await page.setViewportSize({ width: 1280, height: 1400 });
    await navigateInPage(page, `/rules/${ruleId}`);
    await page.getByRole('button', { name: 'Edit' }).click();
    await page.getByLabel('High from').fill('2');
    await panel.getByText(/opened 1 alert for 1 of 1 monitor \(before the change: 0\)/).waitFor();
    expect(problems).toEqual([]);
  });

  test('a monitor shows the alerts that it would have opened once its tracker, source, and rule are selected', async () => {
    const { organization, gatherJobId, scrapeJobId, ruleId } = await createPast();
    const { page, problems } = await browser.open({ viewport: { width: 1280, height: 1400 } });
    await logIn(page, server.url, organization, '/alert-configs/new');
    await page.getByLabel('Name').waitFor();
    expect(await page.getByRole('region', { name: 'Simulation' }).count()).toBe(0);
    const search = `scrape_job_id=${scrapeJobId}&gather_job_id=${gatherJobId}&rule_id=${ruleId}`;
    await navigateInPage(page, '/alert-configs');
    await navigateInPage(page, `/alert-configs/new?${search}`);
    await page.getByText('In the last 180 days, this would have opened no alerts for 1 monitor.').waitFor();
    expect(problems).toEqual([]);
  });

  test('the forecast shows the monitors that will cross a threshold, and offers a calendar', async () => {
    const organization = await server.createOrganization();
    await createMonitoredSoftware(server, organization, {
      rule: {
        rule_type: 'days_behind',
        thresholds: { moderate: 10, high: 40, critical: 100 },
        days_basis: 'first_newer_release',
      },
    });
    await organization.api.call('evaluateRules');
    const { page, problems } = await browser.open({ viewport: { width: 1280, height: 1400 } });
    await logIn(page, server.url, organization, '/');
    const sentence = (days: number) =>
      page
        .getByText(`1 monitor crosses a threshold in the next ${days} days if nothing is upgraded.`)
        .waitFor();
    await page.getByRole('main').getByRole('link', { name: 'Forecast' }).click();
    await page.getByRole('heading', { name: 'Forecast', level: 1 }).waitFor();
    // The link of the Today page shows only the next seven days.
    await page.getByText('No crossings').waitFor();
    await page.getByRole('combobox', { name: 'Period' }).click();
    await page.getByRole('option', { name: 'Next 30 days' }).click();
    await sentence(30);
    await expect.poll(() => page.getByRole('table', { name: 'Crossings' }).getByRole('row').count()).toBe(2);
    await page.getByRole('combobox', { name: 'Period' }).click();
    await page.getByRole('option', { name: 'Next 90 days' }).click();
    await sentence(90);
    await expect.poll(() => page.getByRole('table', { name: 'Crossings' }).getByRole('row').count()).toBe(3);
    await page.getByRole('button', { name: 'Subscribe to calendar' }).click();
    const url = await page.getByLabel('Calendar URL').innerText();
    expect(await (await fetch(url)).text()).toMatch(/^BEGIN:VCALENDAR\r\n/);
    expect(await seriousViolations(page)).toEqual([]);
    expect(problems).toEqual([]);
  });

  test('a notification rule shows the messages that it would have sent', async () => {
    const { organization } = await createPast();
    const channel = await organization.api.call('createNotificationChannel', {
      body: { name: 'Operations', url: 'https://hooks.example.com/', is_active: true },
    });
    await organization.owner.call('updateNotificationSettings', { body: { default_channel_id: channel.id } });
    const { page, problems } = await browser.open({ viewport: { width: 1280, height: 1600 } });
    await logIn(page, server.url, organization, '/notification-rules/new');
    const panel = page.getByRole('region', { name: 'Simulation' });
    await page.getByLabel('Name').waitFor();
    expect(await panel.count()).toBe(0);
    await page.getByText('Default channel', { exact: true }).click();
    await panel
      .getByText(/^In the last 180 days, \d+ messages would have been sent \(before the change: \d+\)\./)
      .waitFor();
    await panel.getByText(/^Operations: /).waitFor();
    await page.getByText('Critical', { exact: true }).click();
    await panel.getByText(/This rule would have matched 0 of/).waitFor();
    expect(await seriousViolations(page)).toEqual([]);
    expect(problems).toEqual([]);
  });
});
