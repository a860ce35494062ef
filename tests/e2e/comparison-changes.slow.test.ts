import { beforeAll, describe, expect, test } from 'vitest';
import { browserPath, noBrowserSuffix, startBrowser, type TestBrowser } from '../helpers/browser.ts';
import { logIn } from '../helpers/browser-checks.ts';
import { expectAccessible } from '../helpers/expect-accessible.ts';
import { createMonitoredSoftware } from '../helpers/monitored.ts';
import { type SharedTestServer, sharedTestServer } from '../helpers/test-server.ts';
import { ensureWebPage } from '../helpers/web-page.ts';

describe.skipIf(browserPath === null)(`changing the compared releases in a browser${noBrowserSuffix}`, () => {
  let server: SharedTestServer;
  let browser: TestBrowser;
  beforeAll(async () => {
    await ensureWebPage();
    server = await sharedTestServer();
    browser = await startBrowser();
  });

  async function open(releases: readonly string[], deployed: string) {
    const organization = await server.createOrganization();
    const { configId, gatherJobId } = await createMonitoredSoftware(server, organization, {
      releases,
      deployed,
    });
    const { api } = organization;
    await api.call('evaluateRules');
    const config = () => api.call('getAlertConfig', { path: { id: configId } });
    const { page, problems } = await browser.open({ viewport: { width: 1280, height: 900 } });
    const job = () => api.call('getGatherJob', { path: { id: gatherJobId } });
    const show = (path: string) => logIn(page, server.url, organization, path);
    return { page, problems, config, job, show };
  }

  test('a version jump is marked on the alert, can be ignored after a confirmation, and can be restored', async () => {
    const { page, problems, config, show } = await open(['3.6', '3.7', '3.8', '2024.1'], '3.7');
    const { active_alert_id } = await config();
    await show(`/alerts/${active_alert_id}`);
    await page.getByText('2024.1 is far above 3.8, the next lower version.').waitFor();
    await expectAccessible(page);

    await page.getByRole('button', { name: 'Ignore 2024.1', exact: true }).click();
    const question = page.getByRole('dialog');
    await question.getByText("won't be compared with 2024.1").waitFor();
    await question.getByRole('button', { name: 'Cancel' }).click();
    await question.waitFor({ state: 'hidden' });
    expect((await config()).ignored_versions).toEqual([]);

    await page.getByRole('button', { name: 'Ignore 2024.1', exact: true }).click();
    await question.getByRole('button', { name: 'Ignore', exact: true }).click();
    await page.getByText('2024.1 ignored').waitFor();
    await expect.poll(config).toMatchObject({ ignored_versions: ['2024.1'], state: 'ok' });

    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('Change undone').waitFor();
    await expect.poll(config).toMatchObject({ ignored_versions: [], state: 'alerting' });
    expect(problems).toEqual([]);
  });

  test('a change shows a confirmation and can be undone, even if the button that triggered it disappears first', async () => {
    const { page, problems, config, show } = await open(['3.6', '3.7', '3.8', '2024.1'], '3.7');
    const { id, active_alert_id } = await config();
    await show(`/alerts/${active_alert_id}`);
    const ignore = page.getByRole('button', { name: 'Ignore 2024.1', exact: true });
    await ignore.waitFor();
    // Delays the response until the page has refetched the changed monitor.
    await page.route(`**/alert-configs/${id}`, async (route) => {
      if (route.request().method() !== 'PUT') return route.continue();
      const response = await route.fetch();
      await ignore.waitFor({ state: 'detached' });
      await route.fulfill({ response });
    });
    await ignore.click();
    await page.getByRole('dialog').getByRole('button', { name: 'Ignore', exact: true }).click();
    await page.getByText('2024.1 ignored').waitFor();
    await page.unroute(`**/alert-configs/${id}`);
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect.poll(config).toMatchObject({ ignored_versions: [] });
    expect(problems).toEqual([]);
  });

  test("a release that doesn't fit the others can be counted and excluded again", async () => {
    const { page, problems, config, show } = await open(['1.1', '1.2', '20260805'], '1.2');
    const { id } = await config();
    await show(`/alert-configs/${id}`);
    await page.getByText("Excluded: 1 release that doesn't fit the others (20260805).").waitFor();
    await page.getByRole('button', { name: 'Count 20260805' }).click();
    const question = page.getByRole('dialog');
    await question.getByRole('button', { name: 'Count' }).click();
    await page.getByText("20260805 doesn't fit the others, but this monitor counts it.").waitFor();
    await expectAccessible(page);
    await expect.poll(config).toMatchObject({ counted_versions: ['20260805'], state: 'alerting' });

    await page.getByRole('button', { name: 'Stop counting 20260805' }).click();
    await question.getByRole('button', { name: 'Stop counting' }).click();
    await expect.poll(config).toMatchObject({ counted_versions: [], state: 'ok' });
    expect(problems).toEqual([]);
  });

  test("a release that doesn't fit the others can be counted or ignored for all monitors on the page of its source", async () => {
    const { page, problems, config, job, show } = await open(['1.1', '1.2', '20260805'], '1.2');
    // The releases were inserted without a run, so the test sets their count.
    const { id } = await job();
    await server.db.updateTable('gather_jobs').set({ release_count: 3 }).where('id', '=', id).execute();
    await show(`/gather-jobs/${id}`);
    const source = page.getByRole('region', { name: 'Lines and variants' });
    await source.getByRole('button', { name: 'Count in all monitors: 20260805' }).click();
    const question = page.getByRole('dialog');
    await question.getByText('Monitors that use "web" will be compared with 20260805').waitFor();
    await question.getByRole('button', { name: 'Count' }).click();
    await source.getByRole('button', { name: 'Stop counting in all monitors: 20260805' }).waitFor();
    await expectAccessible(page);
    expect(await job()).toMatchObject({ counted_versions: ['20260805'] });
    await expect.poll(config).toMatchObject({ counted_versions: [], state: 'alerting' });

    await source.getByRole('button', { name: 'Ignore 20260805 in all monitors' }).click();
    await question.getByRole('button', { name: 'Ignore' }).click();
    await page.getByText('20260805 ignored in all monitors').waitFor();
    await expect.poll(config).toMatchObject({ ignored_versions: [], state: 'ok' });
    expect(await job()).toMatchObject({ ignored_versions: ['20260805'] });

    await page.getByRole('button', { name: 'Undo' }).last().click();
    await page.getByText('Change undone').waitFor();
    await expect.poll(config).toMatchObject({ state: 'alerting' });
    expect(problems).toEqual([]);
  });

  test('a monitor can switch to another release line and back on its page', async () => {
    const { page, problems, config, show } = await open(
      ['1.0', 'cli-1.0', '2.0', 'cli-2.0', 'cli-3.0'],
      '2.0',
    );
    const { id } = await config();
    await show(`/alert-configs/${id}`);
    await page.getByRole('button', { name: 'Follow other releases' }).click();
    await page.getByRole('menuitem', { name: 'Like cli-3.0' }).click();
    const question = page.getByRole('dialog');
    await question.getByText('will only be compared with releases that match ^cli-[\\d.]+$').waitFor();
    await question.getByRole('button', { name: 'Follow' }).click();
    await page.getByText("It's compared with the releases named cli.").waitFor();
    await expectAccessible(page);
    expect(await config()).toMatchObject({
      candidate_pattern: '^cli-[\\d.]+$',
      state: 'alerting',
      latest_version: 'cli-3.0',
    });

    await page.getByRole('button', { name: 'Remove version filter' }).click();
    await question.getByRole('button', { name: 'Remove' }).click();
    await expect.poll(config).toMatchObject({ candidate_pattern: null, state: 'ok' });
    expect(problems).toEqual([]);
  });
});
