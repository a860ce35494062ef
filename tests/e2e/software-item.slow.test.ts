import { sql } from 'kysely';
import { beforeAll, describe, expect, test } from 'vitest';
import { versionScheme } from '../../src/domain/versions/versions.ts';
import { browserPath, noBrowserSuffix, startBrowser, type TestBrowser } from '../helpers/browser.ts';
import { logIn, navigateInPage, watchRequests } from '../helpers/browser-checks.ts';
import { expectAccessible } from '../helpers/expect-accessible.ts';
import { createMonitoredSoftware } from '../helpers/monitored.ts';
import { type SharedTestServer, sharedTestServer } from '../helpers/test-server.ts';
import { ensureWebPage } from '../helpers/web-page.ts';

const { parse, sortKey } = versionScheme('auto');

describe.skipIf(browserPath === null)(`the page of deployed software${noBrowserSuffix}`, () => {
  let server: SharedTestServer;
  let browser: TestBrowser;
  beforeAll(async () => {
    await ensureWebPage();
    server = await sharedTestServer();
    browser = await startBrowser();
  });

  async function create(options: Parameters<typeof createMonitoredSoftware>[2] = {}) {
    const organization = await server.createOrganization();
    const ids = await createMonitoredSoftware(server, organization, {
      releases: ['1.0.0', '1.1.0', '1.2.0', '2.0.0'],
      ...options,
    });
    // Store the sort keys as a run would, because release notes select releases by sort key.
    for (const version of ['1.0.0', '1.1.0', '1.2.0', '2.0.0'])
      await sql`
        UPDATE releases SET sort_key = ${sortKey(parse(version)!)}, variant = ''
        WHERE organization_id = ${organization.id} AND version = ${version}`.execute(server.db);
    await organization.api.call('evaluateRules');
    const { page, problems } = await browser.open({ viewport: { width: 1440, height: 900 } });
    const { settle } = watchRequests(page);
    return { organization, api: organization.api, ids, page, problems, settle };
  }

  test('the addresses of software, its tracker, source, monitor, and alert show the same page', async () => {
    const { organization, api, ids, page, problems, settle } = await create();
    const { active_alert_id } = await api.call('getAlertConfig', { path: { id: ids.configId } });
    await logIn(page, server.url, organization);
    const focused = () => page.evaluate<string>('document.activeElement.id');
    for (const [path, section] of [
      [`/software/${ids.scrapeJobId}`, ''],
      [`/alert-configs/${ids.configId}`, ''],
      [`/alerts/${active_alert_id}`, ''],
      [`/alerts/${active_alert_id}#release-notes`, 'release-notes'],
      [`/scrape-jobs/${ids.scrapeJobId}`, 'read-from'],
      [`/gather-jobs/${ids.gatherJobId}`, 'source'],
    ] as const) {
      await navigateInPage(page, path);
      await settle();
      await page.getByText('Moderate: 1.0.0 is deployed, 1 major version behind 2.0.0.').waitFor();
      if (section !== '') await expect.poll(focused, { message: path }).toBe(section);
      const regions = await page
        .getByRole('region')
        .evaluateAll((elements) => elements.map((element) => element.getAttribute('aria-label')));
      expect(regions, path).toEqual(
        expect.arrayContaining([
          'Status',
          'Suggested targets',
          'Timeline',
          'Release notes',
          'Why this alert',
          'Version history',
          'Activity',
          'Version tracker',
          'Upstream source',
          'Rule',
          'Receivers',
          'Monitor',
        ]),
      );
      await page.getByRole('button', { name: 'Acknowledge', exact: true }).waitFor();
    }
    await page.getByRole('region', { name: 'Releases' }).getByText('1.1.0').first().waitFor();
    await expectAccessible(page, [1440, 1280, 390]);
    expect(problems).toEqual([]);
  });

  test('suggests the highest version with the same major version and the latest version, and states that notes are missing', async () => {
    const { organization, api, ids, page, problems } = await create();
    await logIn(page, server.url, organization, `/software/${ids.scrapeJobId}`);
    const targets = page.getByRole('region', { name: 'Suggested targets' });
    const rows = targets.getByRole('listitem');
    await rows.filter({ hasText: 'Same major version' }).getByText('1.2.0').waitFor();
    await targets.getByText('2 releases, no release notes').waitFor();
    await rows.filter({ hasText: 'Latest' }).getByText('3 releases, new major version').waitFor();

    await api.call('setScrapeJobVersion', { path: { id: ids.scrapeJobId }, body: { version: '2.0.0' } });
    await targets.getByText('2.0.0 is deployed. No newer release qualifies.').waitFor();
    await page.getByText('2.0.0 is deployed and up to date.').waitFor();
    expect(problems).toEqual([]);
  });

  test('edits the tracker, source, rule, and monitor in place with the keyboard alone', async () => {
    const { organization, ids, page, problems } = await create();
    const address = `/software/${ids.scrapeJobId}`;
    await logIn(page, server.url, organization, address);
    for (const [section, button, name] of [
      ['Tracker', 'Edit version tracker', 'web in prod'],
      ['Source', 'Edit upstream source', 'web releases'],
      ['Rule', 'Edit rule', 'No old majors'],
      ['Monitor', 'Edit monitor', 'web compared'],
    ] as const) {
      await page
        .getByRole('navigation', { name: 'Sections of this page' })
        .getByRole('link', { name: section, exact: true })
        .press('Enter');
      await page.keyboard.press('Tab');
      const edit = page.getByRole('button', { name: button });
      // The name of a resource can be a link, which gets the focus before the button.
      while (!(await edit.evaluate((element) => element.matches(':focus')))) await page.keyboard.press('Tab');
      await page.keyboard.press('Enter');
      const form = page.getByRole('dialog');
      const field = form.getByLabel(/^Name/).first();
      await field.fill(name);
      await field.press('Enter');
      await form.waitFor({ state: 'detached' });
      expect(new URL(page.url()).pathname).toBe(address);
      await page.locator('main').getByText(name, { exact: true }).first().waitFor();
    }
    await expect.poll(() => page.locator('h1').innerText()).toBe('web in prod');
    expect(problems).toEqual([]);
  });

  test('describes missing data as not compared, with or without a monitor', async () => {
    const { organization, api, ids, page, problems, settle } = await create({ deployed: null });
    await logIn(page, server.url, organization, `/alert-configs/${ids.configId}`);
    await page.getByText(/^Not compared\. No deployed version yet\./).waitFor();
    await page.getByText('No deployed version is known. The latest release is 2.0.0.').waitFor();
    await page.getByText('No alert is open.').waitFor();
    await navigateInPage(page, `/alert-configs`);
    await settle();
    await api.call('deleteAlertConfig', { path: { id: ids.configId } });
    await page.goto(`${server.url}/scrape-jobs/${ids.scrapeJobId}`);
    await page.getByText('No version has been read yet, and no monitor compares it.').waitFor();
    await page.getByRole('link', { name: 'Create monitor' }).waitFor();
    await expectAccessible(page);
    await navigateInPage(page, `/gather-jobs/${ids.gatherJobId}`);
    await page.getByText(/^Not monitored yet/).waitFor();
    expect(problems).toEqual([]);
  });

  test('software that pipelines report shows the command for the next report', async () => {
    const { organization, api, page, problems } = await create();
    const { deployment } = await api.call('reportDeployment', {
      body: { service: "it's", environment: 'production', version: '1.4.0' },
    });
    await logIn(page, server.url, organization, `/scrape-jobs/${deployment.scrape_job!.id}`);
    await page.getByText('Report it from a pipeline').click();
    const command = page.getByLabel('Pipeline command');
    await command.getByText('/api/v1/client/deployments').waitFor();
    expect(await command.innerText()).toContain(
      String.raw`--data '{"service":"it'\''s","environment":"production","version":"1.2.3"}'`,
    );
    expect(problems).toEqual([]);
  });

  test('the page of an upgrade shows the release notes between the selected deployed version and its target', async () => {
    const { organization, api, ids, page, problems } = await create();
    const { items } = await api.call('listUpgrades');
    await logIn(page, server.url, organization, `/upgrades/${items[0]!.id}`);
    const notes = page.getByRole('region', { name: 'Release notes' });
    await notes.getByText('3 releases after 1.0.0, up to 2.0.0.').waitFor();
    await expectAccessible(page);
    const { id } = await api.call('createScrapeJob', { body: { name: 'other', parser_type: 'manual' } });
    await api.call('setScrapeJobVersion', { path: { id }, body: { version: '1.1.0' } });
    await api.call('createAlertConfig', {
      body: { name: 'other', scrape_job_id: id, gather_job_id: ids.gatherJobId, rule_id: ids.ruleId },
    });
    await page.getByRole('combobox', { name: 'From' }).click();
    await page.getByRole('option', { name: '1.1.0 (1 place)' }).click();
    await notes.getByText('2 releases after 1.1.0, up to 2.0.0.').waitFor();
    expect(problems).toEqual([]);
  });
});
