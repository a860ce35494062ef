import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { insertAlerts } from '../../src/server/server-fixture.ts';
import { browserPath, noBrowserSuffix, startBrowser, type TestBrowser } from '../helpers/browser.ts';
import { logInForStorage, navigateInPage } from '../helpers/browser-checks.ts';
import { createMonitoredSoftware } from '../helpers/monitored.ts';
import { type SharedTestServer, sharedTestServer, type TestOrganization } from '../helpers/test-server.ts';
import { ensureWebPage } from '../helpers/web-page.ts';

describe.skipIf(browserPath === null)(`form input${noBrowserSuffix}`, () => {
  let server: SharedTestServer;
  let browser: TestBrowser;
  let organization: TestOrganization;
  let session: Awaited<ReturnType<typeof logInForStorage>>;
  beforeAll(async () => {
    await ensureWebPage();
    server = await sharedTestServer();
    browser = await startBrowser();
    organization = await server.createOrganization();
    session = await logInForStorage(server.url, organization);
  });

  async function openAt(path: string, prepare?: (page: Page) => Promise<unknown>) {
    const watched = await browser.open({ viewport: { width: 1280, height: 900 }, storageState: session });
    await prepare?.(watched.page);
    await watched.page.goto(server.url + path);
    await watched.page.locator('h1').first().waitFor();
    return watched;
  }
  const dialog = (page: Page, name?: string | RegExp) =>
    page.getByRole('dialog', name === undefined ? {} : { name });

  test('names with spaces survive an edit of a setting', async () => {
    const key = 'environments.order';
    await organization.api.call('putOrgOverride', {
      path: { key },
      body: { value: ['dev', 'pre production', 'live, EU'] },
    });
    const { page, problems } = await openAt('/settings');
    const row = page.locator(`[data-setting="${key}"]`);
    await row.getByRole('button', { name: 'Edit' }).click();
    await row.getByRole('combobox').fill('live US');
    await row.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Setting saved').waitFor();
    const { items } = await organization.api.call('listEffectiveSettings');
    expect(items.find((setting) => setting.key === key)?.value).toEqual([
      'dev',
      'pre production',
      'live, EU',
      'live US',
    ]);
    expect(problems).toEqual([]);
  });

  test('a comment on one alert is not carried over to the next, and keyboard focus stays on the link to the next alert', async () => {
    const { alertIds } = await insertAlerts(server.db, organization.id, { count: 3 });
    const { page, problems } = await openAt('/alerts');
    // Load both pages first, so that neither shows a placeholder.
    for (const id of [alertIds[0]!, alertIds[1]!]) {
      await navigateInPage(page, `/alerts/${id}`);
      await page.getByRole('textbox', { name: 'Comment' }).waitFor();
    }
    await navigateInPage(page, `/alerts/${alertIds[0]}`);
    const title = page.locator('h1');
    await expect.poll(() => title.innerText()).toBe('payments 1');
    await page.getByRole('textbox', { name: 'Comment' }).fill('About the first one.');
    await page.getByRole('link', { name: /^Next alert/ }).focus();
    await page.keyboard.press('Enter');
    await expect.poll(() => title.innerText()).toBe('payments 2');
    expect(await page.getByRole('textbox', { name: 'Comment' }).inputValue()).toBe('');
    const focused = () => page.evaluate<string>("document.activeElement.getAttribute('aria-label')");
    await expect.poll(focused).toBe('Next alert: payments 3');
    await page.keyboard.press('Enter');
    await expect.poll(() => title.innerText()).toBe('payments 3');
    expect(problems).toEqual([]);
  });

  test('a version entered for one tracker is not carried over to the page of another', async () => {
    const ids: number[] = [];
    for (const name of ['one', 'two']) {
      const { id } = await organization.api.call('createScrapeJob', {
        body: { name, parser_type: 'manual' },
      });
      ids.push(id);
    }
    const { page, problems } = await openAt('/scrape-jobs');
    for (const id of [ids[0], ids[1], ids[0]]) {
      await navigateInPage(page, `/scrape-jobs/${id}`);
      await page.getByRole('textbox', { name: 'Deployed version' }).waitFor();
    }
    await page.getByRole('textbox', { name: 'Deployed version' }).fill('1.2.3');
    await navigateInPage(page, `/scrape-jobs/${ids[1]}`);
    await page.getByRole('heading', { name: 'two', level: 1 }).waitFor();
    expect(await page.getByRole('textbox', { name: 'Deployed version' }).inputValue()).toBe('');
    expect(problems).toEqual([]);
  });

  test('a click outside keeps a form open, and Escape requires confirmation to discard changes', async () => {
    const body = { name: 'Ten days', rule_type: 'days_behind', thresholds: { high: 10 } } as const;
    const { id } = await organization.api.call('createRule', { body });
    const { page, problems } = await openAt(`/rules/${id}`);
    const edit = page.getByRole('button', { name: 'Edit' });
    const isFocused = () => edit.evaluate((element) => element.matches(':focus'));
    await edit.click();
    const name = dialog(page, /^Edit/).getByLabel(/^Name/);
    await name.waitFor();
    await page.keyboard.press('Escape');
    await dialog(page).waitFor({ state: 'detached' });
    await expect.poll(isFocused).toBe(true);

    await edit.click();
    await name.fill('Eleven days');
    await page.mouse.click(5, 5);
    const question = dialog(page, 'Discard changes?');
    for (const close of [
      () => page.keyboard.press('Escape'),
      () => dialog(page, /^Edit/).locator('header button').click(),
    ]) {
      await close();
      await question.waitFor();
      await page.keyboard.press('Escape');
      await question.waitFor({ state: 'detached' });
      expect(await name.inputValue()).toBe('Eleven days');
    }
    await page.keyboard.press('Escape');
    await question.getByRole('button', { name: 'Discard changes' }).click();
    await expect.poll(() => dialog(page).count()).toBe(0);
    await edit.click();
    expect(await name.inputValue()).toBe('Ten days');
    expect(problems).toEqual([]);
  });

  test('a form without changes closes without confirmation', async () => {
    const { scrapeJobId, gatherJobId, configId } = await createMonitoredSoftware(server, organization, {
      deployed: '1.0.0',
    });
    await organization.api.call('createNotificationChannel', {
      body: { name: 'Ops', preset: 'generic', url: 'https://hooks.example.org/x' },
    });
    const channel = (await organization.api.call('listNotificationChannels')).items[0]!;
    const { page, problems } = await openAt('/');
    for (const path of [
      `/scrape-jobs/${scrapeJobId}`,
      `/gather-jobs/${gatherJobId}`,
      `/alert-configs/${configId}`,
      `/notification-channels/${channel.id}`,
    ]) {
      await navigateInPage(page, path);
      await page.locator('main').getByRole('button', { name: /^Edit/ }).first().click();
      await dialog(page).getByLabel(/^Name/).first().waitFor();
      await page.keyboard.press('Escape');
      await expect.poll(() => dialog(page).count(), { message: path }).toBe(0);
    }
    expect(problems).toEqual([]);
  });

  test('a form shows the rejected field, even if no input shows it', async () => {
    const { page } = await openAt('/api-keys');
    await page.getByRole('button', { name: 'New API key' }).click();
    await dialog(page).getByLabel(/^Name/).fill('Agent');
    await dialog(page).getByRole('combobox', { name: 'Role' }).click();
    await page.getByRole('option', { name: /^Agent/ }).click();
    await dialog(page).getByRole('combobox', { name: 'Capabilities' }).fill('Scrape\n');
    await dialog(page).getByRole('button', { name: 'Create API key' }).click();
    await dialog(page)
      .getByText(/agent_capabilities\.0/)
      .waitFor();
  });

  test('a trust starts with the claims of its platform, and rejects claims that would trust everyone', async () => {
    const { page } = await openAt('/deployment-trusts');
    await page.getByRole('button', { name: 'New trust' }).first().click();
    const form = dialog(page);
    await form.getByLabel(/^Name/).fill('Checkout');
    await form.getByLabel('Claim 1 value').fill('*');
    await form.getByLabel('Claim 2 value').fill('production');
    await form.getByRole('combobox', { name: 'Services' }).fill('checkout\n');
    await form.getByRole('combobox', { name: 'Environments' }).fill('production\n');
    await form.getByRole('button', { name: 'Create trust' }).click();
    await form
      .getByText(/would trust everyone/)
      .first()
      .waitFor();
    await form.getByLabel('Claim 1 value').fill('acme/checkout');
    await form.getByRole('button', { name: 'Create trust' }).click();
    await form.getByText(/PACEKEEPER_TRUST: /).waitFor();
    const { items } = await organization.api.call('listDeploymentTrusts');
    expect(items).toMatchObject([
      {
        issuer: 'https://token.actions.githubusercontent.com',
        claims: { repository: 'acme/checkout', environment: 'production' },
        services: ['checkout'],
        environments: ['production'],
        audience: null,
        expires_at: null,
      },
    ]);
  });

  test('an edit of a source keeps its empty list of packages and resets its version scheme to the default', async () => {
    const { api } = organization;
    const { id } = await api.call('createGatherJob', {
      body: {
        name: 'Tools',
        source_type: 'github_releases',
        artifact_name: 'github.com/acme/tools',
        version_scheme: 'semver',
        vulnerability_packages: [],
        purls: [],
      },
    });
    const { page, problems } = await openAt(`/gather-jobs/${id}`);
    await page.locator('main').getByRole('button', { name: 'Edit', exact: true }).first().click();
    const scheme = dialog(page).getByRole('combobox', { name: 'Version scheme' });
    if (!(await scheme.isVisible())) await dialog(page).getByText('Advanced options').click();
    await scheme.click();
    await page.getByRole('option', { name: 'Default for this source' }).click();
    await dialog(page).getByRole('button', { name: 'Save changes' }).click();
    await expect.poll(() => dialog(page).count()).toBe(0);
    expect(await api.call('getGatherJob', { path: { id } })).toMatchObject({
      version_scheme: 'auto',
      vulnerability_packages: [],
      vulnerability_packages_source: 'set',
      purls: [],
      purls_source: 'set',
    });
    expect(problems).toEqual([]);
  });

  test('the default routing form keeps unsaved input and can be saved repeatedly', async () => {
    const { api } = organization;
    const { page } = await openAt('/notification-rules');
    const reminders = page.getByLabel('Reminders');
    const save = page.getByRole('button', { name: 'Save settings' });
    const hours = async () => (await api.call('getNotificationSettings')).reminder_interval_hours;
    for (const value of [12, 24, 48]) {
      await reminders.fill(String(value));
      await save.click();
      await expect.poll(hours).toBe(value);
      await save.waitFor({ state: 'detached' });
      expect(await reminders.inputValue()).toBe(`every ${value} hours`);
    }
    await reminders.fill('72');
    const read = page.waitForResponse(
      (response) =>
        response.url().endsWith('/notification-settings') && response.request().method() === 'GET',
    );
    await api.call('updateNotificationSettings', { body: { reminder_interval_hours: 5 } });
    // The page receives and renders the change, but the form keeps its unsaved input.
    await (await read).finished();
    await page.evaluate('new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)))');
    expect(await reminders.inputValue()).toBe('every 72 hours');
    await save.click();
    await page.getByText('Changed by someone else').waitFor();
    expect(await hours()).toBe(5);
    await page.getByRole('button', { name: 'Reload' }).click();
    await expect.poll(() => reminders.inputValue()).toBe('every 5 hours');
  });

  test('moving a rule does not overwrite a change by someone else', async () => {
    const { api } = organization;
    const channel = await api.call('createNotificationChannel', {
      body: { name: 'Rules', preset: 'generic', url: 'https://hooks.example.org/rules' },
    });
    const ids: number[] = [];
    for (const [name, priority] of [
      ['First', 10],
      ['Second', 20],
    ] as const) {
      const rule = await api.call('createNotificationRule', {
        body: { name, priority, channel_ids: [channel.id] },
      });
      ids.push(rule.id);
    }
    // Without the event stream, the page isn't notified that the rules have changed.
    const { page } = await openAt('/notification-rules', (opened) =>
      opened.route('**/client/events', (route) => route.abort()),
    );
    const move = page.getByRole('button', { name: 'Move Second up' });
    await move.waitFor();
    await api.call('updateNotificationRule', { path: { id: ids[1]! }, body: { priority: 30 } });
    await move.click();
    await page.getByText('Rule not moved').waitFor();
    const priorities = async () =>
      (await api.call('listNotificationRules', { query: { sort: 'priority' } })).items.map(
        ({ name, priority }) => [name, priority],
      );
    expect(await priorities()).toEqual([
      ['First', 10],
      ['Second', 30],
    ]);
    await move.click();
    await expect.poll(async () => (await priorities()).map(([name]) => name)).toEqual(['Second', 'First']);
  });

  test('the Today page warns when alerts reach no one', async () => {
    const { api } = organization;
    await createMonitoredSoftware(server, organization, { deployed: '1.0.0' });
    const rules = await api.call('listNotificationRules');
    for (const { id } of rules.items) await api.call('deleteNotificationRule', { path: { id } });
    await api.call('createNotificationChannel', {
      body: { name: 'Chat', preset: 'generic', url: 'https://hooks.example.org/chat' },
    });
    const channel = (await api.call('listNotificationChannels', { query: { q: 'Chat' } })).items[0]!;
    await api.call('updateNotificationSettings', { body: { default_channel_id: null } });
    const { page, problems } = await openAt('/');
    const warning = page.getByRole('link', { name: "Alerts aren't sent to anyone" });
    await warning.waitFor();
    await page
      .getByText('No default channel is set, and no notification rule sends to an enabled channel.')
      .waitFor();
    await api.call('updateNotificationSettings', { body: { default_channel_id: channel.id } });
    await warning.waitFor({ state: 'detached' });
    expect(problems).toEqual([]);
  });

  test('a target that cannot be disabled shows the reason', async () => {
    await organization.api.call('createFreshnessTarget', {
      body: { name: 'Within 90 days', metric: 'exposure_days', limit: 90, goal_percent: 95 },
    });
    const { page } = await openAt('/freshness');
    await page.route('**/freshness-targets/*', (route) =>
      route.request().method() !== 'GET' ? route.fulfill({ status: 500, json: {} }) : route.fallback(),
    );
    const toggle = async (name: string) => {
      await page.getByRole('button', { name: 'Actions for Within 90 days' }).click();
      await page.getByRole('menuitem', { name }).click();
      await page.getByRole('menu').waitFor({ state: 'detached' });
    };
    await toggle('Disable');
    await page.locator('.mantine-Notification-root').waitFor();
    await page.unroute('**/freshness-targets/*');
    await toggle('Disable');
    await page.getByText('Target disabled').waitFor();
  });
});
