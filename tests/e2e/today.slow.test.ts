import { sql } from 'kysely';
import { beforeAll, describe, expect, test } from 'vitest';
import { insertDeliveries } from '../../src/server/server-fixture.ts';
import { browserPath, noBrowserSuffix, startBrowser, type TestBrowser } from '../helpers/browser.ts';
import { logIn } from '../helpers/browser-checks.ts';
import { expectAccessible } from '../helpers/expect-accessible.ts';
import { createMonitoredSoftware } from '../helpers/monitored.ts';
import { type SharedTestServer, sharedTestServer, type TestOrganization } from '../helpers/test-server.ts';
import { ensureWebPage } from '../helpers/web-page.ts';

describe.skipIf(browserPath === null)(`the Today page${noBrowserSuffix}`, () => {
  let server: SharedTestServer;
  let browser: TestBrowser;
  beforeAll(async () => {
    await ensureWebPage();
    server = await sharedTestServer();
    browser = await startBrowser();
  });

  const open = async (organization: TestOrganization) => {
    const watched = await browser.open();
    await logIn(watched.page, server.url, organization);
    await watched.page.getByRole('heading', { name: 'Today', level: 1 }).waitFor();
    return watched;
  };

  test('remembers the team, counts changes since the last visit, and leads to the release notes in two clicks', async () => {
    const organization = await server.createOrganization();
    await organization.owner.call('putOrgOverride', {
      path: { key: 'notification.owner_label' },
      body: { value: 'team' },
    });
    await createMonitoredSoftware(server, organization, {
      labels: { team: 'shop', environment: 'production' },
    });
    await createMonitoredSoftware(server, organization, {
      releases: ['1.0.0', '2.0.0'],
      rule: { name: 'Other majors' },
      labels: { team: 'data', environment: 'staging' },
    });
    await expect.poll(async () => (await organization.api.call('listAlerts')).items.length).toBe(2);
    const { page, problems } = await open(organization);
    const added = page.getByRole('region', { name: 'New', exact: true });
    await added.getByText('2 alerts opened').waitFor();
    expect(await added.getByRole('listitem').count()).toBe(2);
    // Production comes first.
    expect(await added.getByRole('listitem').first().textContent()).toMatch(/3\.0\.0.*production.*shop/s);
    await expectAccessible(page);

    // After the login, one click or key selects a team. The next visit starts with this team.
    const team = page.getByRole('button', { name: /^shop 1 of 1/ });
    await team.focus();
    await page.keyboard.press('Enter');
    await expect.poll(() => added.getByRole('listitem').count()).toBe(1);
    await page.evaluate(`
      for (const [key, value] of Object.entries(localStorage))
        if (key.startsWith('pacekeeper-today'))
          localStorage.setItem(key, JSON.stringify({ ...JSON.parse(value), seenAt: '2026-01-05T09:12:00Z' }))`);
    await page.goto(`${server.url}/alerts`);
    await page.goto(server.url);
    await page.getByText(/What changed since Mon, Jan 5/).waitFor();
    await expect.poll(() => team.getAttribute('aria-pressed')).toBe('true');
    expect(await added.getByRole('listitem').count()).toBe(1);

    await added.getByRole('link', { name: /^web 1\.0\.0 → 3\.0\.0/ }).click();
    await page.getByRole('row').filter({ hasText: 'web in production' }).click();
    await page.getByRole('heading', { name: 'Release notes' }).waitFor();
    expect(problems).toEqual([]);
  });

  test('shows exactly the next seven days, and links the places that no monitor compares', async () => {
    const organization = await server.createOrganization();
    await createMonitoredSoftware(server, organization, { labels: { environment: 'production' } });
    const { page, problems } = await open(organization);
    const days = page.getByRole('list', { name: 'Monitors that cross a threshold, by day (UTC)' });
    await days.getByText('Today').waitFor();
    expect(await days.getByRole('listitem').count()).toBe(7);
    const teams = page.getByRole('region', { name: 'Teams' });
    await teams.getByText('No teams yet').waitFor();
    expect(await page.getByText('not compared by any monitor').count()).toBe(0);
    for (const name of ['billing', 'search'])
      await organization.api.call('createScrapeJob', { body: { name, parser_type: 'manual' } });
    await page.reload();
    await teams.getByRole('link', { name: '2 places not compared by any monitor' }).click();
    await page.getByRole('heading', { name: 'Software', level: 1 }).waitFor();
    await page.getByText('2 items').waitFor();
    expect(problems).toEqual([]);
  });

  test('acknowledging an upgrade takes two clicks, and moves it from "needs action" to "planned"', async () => {
    const organization = await server.createOrganization();
    await createMonitoredSoftware(server, organization);
    const { page, problems } = await open(organization);
    await page.getByRole('button', { name: 'Actions for web 3.0.0' }).click();
    await page.getByRole('menuitem', { name: 'Acknowledge' }).click();
    await page.getByText('Nothing needs action').waitFor();
    await page.getByText('1 planned').waitFor();
    expect(problems).toEqual([]);
  });

  test('lists the problems that a person must fix, and never shows missing data as healthy', async () => {
    const organization = await server.createOrganization();
    await createMonitoredSoftware(server, organization, { deployed: null });
    const { page, problems } = await open(organization);
    await page.getByText('No data yet', { exact: true }).waitFor();
    await page.getByText('No teams yet').waitFor();
    const operations = page.getByRole('region', { name: 'Pacekeeper' });
    await operations.getByText('no channel yet').waitFor();
    await sql`
      INSERT INTO agents (organization_id, name, kind, hostname, version, capabilities, credential_names, last_heartbeat_at)
      VALUES (${organization.id}, 'cluster', 'remote', 'cluster', '0.1.0', '{}', '{}', pacekeeper_now() - interval '3 days')`.execute(
      server.db,
    );
    await insertDeliveries(server.db, organization.id, [{ status: 'dead_letter', age: '2 hours' }]);
    await page.reload();
    await operations.getByRole('link', { name: '1 agent offline' }).waitFor();
    await operations.getByRole('link', { name: '1 message not delivered' }).click();
    await page.getByRole('heading', { name: 'Deliveries' }).waitFor();
    await page.getByText('1 delivery').waitFor();
    expect(problems).toEqual([]);
  });
});
