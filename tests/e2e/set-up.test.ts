import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { browserPath, startBrowser, type TestBrowser, whyNoBrowser } from '../helpers/browser.ts';
import {
  logIn,
  logInByForm,
  navigate,
  scrollsSideways,
  seriousViolations,
  setColours,
} from '../helpers/browser-checks.ts';
import { startTestServer, type TestServer } from '../helpers/test-server.ts';
import { type FakeGithub, startFakeGithub } from '../helpers/upstreams/fake-github.ts';
import { ensureWebPage } from '../helpers/web-page.ts';
import { createWebhookInbox, type WebhookInbox } from '../helpers/webhook-inbox.ts';

const dayMs = 86_400_000;

describe.skipIf(browserPath === null)(`the guided set-up${whyNoBrowser}`, { timeout: 60_000 }, () => {
  let server: TestServer;
  let browser: TestBrowser;
  let github: FakeGithub;
  let inbox: WebhookInbox;
  beforeAll(async () => {
    await ensureWebPage();
    github = await startFakeGithub();
    inbox = await createWebhookInbox();
    server = await startTestServer({ PACEKEEPER_EMBEDDED_AGENT: 'true' });
    browser = await startBrowser();
  }, 180_000);
  afterAll(() => Promise.all([github.close(), inbox.close()]));

  /** @param ageDays of the releases, the newest first: v3.0.0, v2.0.0, v1.0.0. */
  function release(repository: string, ageDays: readonly number[]): string {
    github.repositories.set(
      repository,
      ageDays.map((days, index) => ({
        tag: `v${ageDays.length - index}.0.0`,
        publishedAt: new Date(Date.now() - days * dayMs).toISOString(),
      })),
    );
    return `${github.host}/${repository}`;
  }

  const openSetUp = (page: Page) => navigate(page, 'Software', 'Guided setup');
  const click = (page: Page, name: string | RegExp) => page.getByRole('button', { name }).click();

  async function follow(page: Page, artifact: string): Promise<void> {
    await page.getByLabel('URL or name').fill(artifact);
    await click(page, 'Continue');
  }

  async function sayVersion(page: Page, version: string): Promise<void> {
    await page.getByRole('combobox', { name: 'Deployed version' }).fill(version);
    await click(page, 'Continue');
  }

  test('leads from the first login to an alert at its webhook, with defaults alone', async () => {
    const organization = await server.createOrganization();
    const artifact = release('acme/shop', [5, 95, 400]);
    const { page, problems } = await browser.open();
    let clicks = 0;
    await page.exposeFunction('countClick', () => (clicks += 1));
    await page.addInitScript("addEventListener('click', ({ isTrusted }) => isTrusted && countClick(), true)");
    await logInByForm(page, server.url, organization);
    let seen = await page.locator('nav').first().innerText();
    const look = async () => void (seen += await page.locator('main').innerText());
    await openSetUp(page);
    await page.getByRole('button', { name: 'Continue' }).waitFor();
    await look();
    await follow(page, artifact);
    await page.getByText('3 releases, latest v3.0.0').waitFor();
    await look();
    await sayVersion(page, 'v1.0.0');
    await page.getByRole('button', { name: /^Ninety days/ }).waitFor();
    await look();
    await click(page, /^Ninety days/);
    await page.getByRole('button', { name: 'Skip for now' }).waitFor();
    await look();
    await click(page, /^Generic/);
    await page.getByLabel(/^Name/).fill('Operations');
    await page.getByLabel(/^URL/).fill(`${inbox.url}first`);
    await look();
    await click(page, 'Create channel');
    await page.getByRole('button', { name: 'Send test' }).waitFor();
    await look();
    await click(page, 'Send test');
    await page.getByText('Test delivered').waitFor();
    // The login, three steps, and a webhook that has been seen to work.
    expect(clicks).toBeLessThanOrEqual(12);
    await click(page, 'Continue');
    await page.getByText('95 days behind: opens a critical alert now.').waitFor();
    await look();
    const written = readFileSync(new URL('../../docs/getting-started.md', import.meta.url), 'utf8');
    const ofBrowser = /## In the UI\n([\s\S]*?)\n## /.exec(written)?.[1] ?? '';
    const named = [...ofBrowser.matchAll(/\*\*([^*]+)\*\*/g)].map(([, name]) => name!.replace(/\s+/g, ' '));
    expect(named.length).toBeGreaterThan(10);
    expect(
      named.filter((name) => !seen.includes(name)),
      'of the page that the docs name',
    ).toEqual([]);
    const channelRead = page.waitForResponse(/\/notification-channels\/\d+$/);
    await click(page, 'Create monitor');
    await page.getByRole('heading', { name: 'shop is behind' }).waitFor();
    await page.getByText('Notification sent to Operations.').waitFor();
    expect(clicks).toBeLessThanOrEqual(12);
    // A program reads a generic webhook, and the steps are complete.
    await channelRead;
    const outcome = await page.locator('main').innerText();
    expect(outcome).not.toContain('acknowledge');
    expect(outcome).not.toContain('Complete five steps');

    const [test, alert] = (await inbox.waitFor(2)).filter(({ path }) => path === '/first');
    expect(JSON.parse(test?.body ?? '{}')).toMatchObject({ type: 'channel.test' });
    expect(JSON.parse(alert?.body ?? '{}')).toMatchObject({
      type: 'alert.created',
      data: { alert: { severity: 'critical', discovered_version: 'v1.0.0', latest_version: 'v3.0.0' } },
    });
    await page.getByRole('link', { name: 'View alert' }).click();
    await page.waitForURL(/\/alerts\/\d+$/);
    const settings = await organization.api.call('getNotificationSettings');
    expect(settings.default_channel_id).not.toBeNull();
    expect(problems).toEqual([]);
  });

  test('can be left after any step, and goes on there without a word in the address', async () => {
    const organization = await server.createOrganization();
    const artifact = release('acme/left', [1, 10]);
    const { page, problems } = await browser.open();
    await logIn(page, server.url, organization);
    for (const step of [
      () => follow(page, artifact),
      () => sayVersion(page, 'v2.0.0'),
      () => click(page, /^Ninety days/),
      () => click(page, /^Skip for now/),
    ]) {
      await openSetUp(page);
      await step();
      await page.waitForURL(/_id=/);
      await page.getByRole('link', { name: 'Overview', exact: true }).click();
      await page.getByRole('heading', { name: 'Overview' }).waitFor();
    }
    await openSetUp(page);
    await click(page, 'Create monitor');
    await page.getByRole('heading', { name: 'left is up to date' }).waitFor();
    expect((await organization.api.call('listGatherJobs')).total).toBe(1);
    expect((await organization.api.call('listScrapeJobs')).total).toBe(1);
    expect((await organization.api.call('listRules')).total).toBe(1);
    expect((await organization.api.call('listAlertConfigs')).total).toBe(1);
    expect(problems).toEqual([]);
  });

  test('takes up nothing that others left behind: a second visit pairs no unrelated things', async () => {
    const organization = await server.createOrganization();
    await organization.api.call('createGatherJob', {
      body: { name: 'Unrelated', source_type: 'github_releases', artifact_name: release('acme/other', [1]) },
    });
    await organization.api.call('createScrapeJob', { body: { name: 'Something', parser_type: 'manual' } });
    await organization.api.call('createRule', {
      body: { name: 'Unused', rule_type: 'majors_behind', thresholds: { high: 1 } },
    });
    const { page, problems } = await browser.open();
    await logIn(page, server.url, organization);
    await openSetUp(page);
    await page
      .getByRole('listitem')
      .filter({ hasText: 'What software do you use?' })
      .getByText('Existing sources', { exact: true })
      .waitFor();
    expect(await page.locator('main li[data-state=done]').count()).toBe(0);
    expect(await page.locator('main ol > li h2').allTextContents()).toEqual([
      'What software do you use?',
      'Which version do you run?',
      'How far behind is too far?',
      'Who should be notified?',
      'Review and start',
    ]);
    // Its own start can be given up, too.
    await follow(page, release('acme/mine', [1, 40]));
    await click(page, 'Start over');
    await page.getByLabel('URL or name').waitFor();
    await page.getByText('The source then appears here under “Existing sources”.').waitFor();
    await page.reload();
    await page.getByLabel('URL or name').waitFor();
    expect(await page.locator('main li[data-state=done]').count()).toBe(0);
    expect(problems).toEqual([]);
  });

  test('says of every rule what it would do now, before anything is saved', async () => {
    const organization = await server.createOrganization();
    await organization.api.call('createRule', {
      body: { name: 'Own rule', rule_type: 'days_behind', thresholds: { moderate: 500 } },
    });
    const { page, problems } = await browser.open();
    await logIn(page, server.url, organization, '/set-up');
    await follow(page, release('acme/preview', [5, 50, 400]));
    await page.getByText('3 releases').waitFor();
    await sayVersion(page, 'v1.0.0');
    const offered = (name: RegExp) => page.getByRole('button', { name }).textContent();
    await page.getByRole('button', { name: /^Own rule.*50 days behind: no alert now/ }).waitFor();
    expect(await offered(/^Ninety days/)).toContain('50 days behind: opens a moderate alert now.');
    expect(await offered(/^Major versions/)).toContain('2 major versions behind: opens a high alert now.');
    expect((await organization.api.call('listRules')).total).toBe(1);

    // Whatever is opened again can be left as it was.
    const { id } = await organization.api.call('createNotificationChannel', {
      body: { name: 'Operations', url: `${inbox.url}operations` },
    });
    await organization.api.call('updateNotificationSettings', { body: { default_channel_id: id } });
    await page.reload();
    await click(page, /^Own rule/);
    await page.getByRole('button', { name: 'Create monitor' }).waitFor();
    for (const step of [
      'What software do you use?',
      'Which version do you run?',
      'How far behind is too far?',
    ]) {
      await click(page, `Edit: ${step}`);
      await page.getByRole('button', { name: 'Create monitor' }).waitFor({ state: 'detached' });
      await click(page, `Cancel: ${step}`);
      await page.getByRole('button', { name: 'Create monitor' }).waitFor();
    }
    // Another version is one of the same tracker.
    const countTrackers = async () => (await organization.api.call('listScrapeJobs')).total;
    const trackers = await countTrackers();
    await click(page, 'Edit: Which version do you run?');
    await sayVersion(page, 'v2.0.0');
    await page.getByRole('button', { name: 'Create monitor' }).waitFor();
    expect(await countTrackers()).toBe(trackers);
    await click(page, 'Edit: Who should be notified?');
    await click(page, 'Add another channel');
    await click(page, 'Cancel');
    await click(page, 'Continue');
    await page.getByRole('button', { name: 'Create monitor' }).waitFor();
    expect(problems).toEqual([]);
  });

  test('keeps what is typed, however late the job is read that was just made', async () => {
    const organization = await server.createOrganization();
    const artifact = release('acme/late', [1]);
    const { page, problems } = await browser.open();
    await logIn(page, server.url, organization);
    await openSetUp(page);
    await page.route(/\/client\/gather-jobs\/\d+$/, async (route) => {
      await new Promise((resolve) => setTimeout(resolve, 1_000));
      await route.continue();
    });
    await follow(page, artifact);
    const version = page.getByRole('combobox', { name: 'Deployed version' });
    await version.fill('v1.0.0');
    await page.getByText('1 release, latest v1.0.0').waitFor();
    expect(await version.inputValue()).toBe('v1.0.0');
    expect(problems).toEqual([]);
  });

  test('says what is wrong with an address, and changes the job instead of making another', async () => {
    const organization = await server.createOrganization();
    const artifact = release('acme/right', [1]);
    const { page } = await browser.open();
    await logIn(page, server.url, organization);
    await openSetUp(page);
    await follow(page, `${github.host}/acme/wrong`);
    await page.getByText('Failed').waitFor();
    const circle = page.locator('main li[data-state=done]').first().locator('span').first();
    await circle.waitFor();
    const colours = await page.evaluate<{ shown: string[]; ok: string; bad: string }>(`(() => {
      const circle = document.querySelector('main li[data-state=done] span');
      const of = (name) => {
        circle.style.outlineColor = 'var(' + name + ')';
        return getComputedStyle(circle).outlineColor;
      };
      const { color, borderTopColor } = getComputedStyle(circle);
      return { shown: [color, borderTopColor], ok: of('--state-ok'), bad: of('--severity-critical') };
    })()`);
    expect(colours.shown).toEqual([colours.bad, colours.bad]);
    expect(colours.shown).not.toContain(colours.ok);
    await click(page, 'Edit: What software do you use?');
    await page.getByLabel('URL or name').fill(artifact);
    await click(page, 'Use this source instead');
    await page.getByText('1 release, latest v1.0.0').waitFor();
    const jobs = await organization.api.call('listGatherJobs');
    expect(jobs.items).toMatchObject([{ name: 'right', artifact_name: artifact }]);
  });

  test('offers what is followed for everybody in one click', async () => {
    const organization = await server.createOrganization();
    const artifact = release('acme/common', [1]);
    const job = await server.system.call('createGatherJob', {
      body: { name: 'Common thing', source_type: 'github_releases', artifact_name: artifact },
    });
    const { page, problems } = await browser.open();
    await logIn(page, server.url, organization);
    await openSetUp(page);
    await click(page, /^Common thing/);
    await page.waitForURL(new RegExp(`gather_job_id=${job.id}\\b`));
    await page.getByRole('combobox', { name: 'Deployed version' }).waitFor();
    expect((await organization.api.call('listGatherJobs', { query: { scope: 'organization' } })).total).toBe(
      0,
    );
    expect(problems).toEqual([]);
  });

  test('can be read by assistive programs in every step, light and dark, and fits a narrow screen', async () => {
    const organization = await server.createOrganization();
    const artifact = release('acme/narrow', [95, 100]);
    const { page, problems } = await browser.open({ viewport: { width: 390, height: 800 } });
    await logIn(page, server.url, organization);
    const look = async (step: string) => {
      for (const colorScheme of ['light', 'dark'] as const) {
        await setColours(page, colorScheme);
        expect(await seriousViolations(page), `${step}, ${colorScheme}`).toEqual([]);
      }
      expect(await scrollsSideways(page), `${step} scrolls sideways`).toBe(false);
    };
    await page.goto(`${server.url}/set-up`);
    await page.getByLabel('URL or name').waitFor();
    await look('upstream');
    await follow(page, artifact);
    await page.getByRole('combobox', { name: 'Deployed version' }).waitFor();
    await look('deployed');
    for (const size of [
      { width: 1280, height: 800 },
      { width: 390, height: 800 },
    ]) {
      await page.setViewportSize(size);
      await page.getByRole('combobox', { name: 'Deployed version' }).fill('0.0');
      await page.getByRole('option', { name: 'v1.0.0' }).waitFor();
      const submit = page.getByRole('button', { name: 'Continue' });
      // Playwright throws if something covers the button.
      await submit.click({ trial: true, timeout: 2_000 });
    }
    await page.getByText('Read it from Git', { exact: true }).click();
    await page.getByLabel('Test with file content').fill('image:\n  tag: "1.2.3"\n');
    await page.getByLabel(/^Path/).fill('.image.tag');
    await click(page, 'Test');
    await page.getByText('Found', { exact: true }).waitFor();
    await look('a file');
    await page.getByText('Enter it manually').click();
    await sayVersion(page, 'v1.0.0');
    await page.getByRole('button', { name: /^Ninety days/ }).waitFor();
    await look('rule');
    await click(page, /^Ninety days/);
    await page.getByText('Where should notifications go?').waitFor();
    await look('channel');
    await click(page, /^Skip for now/);
    await click(page, 'Create monitor');
    await page.getByText('No notification sent').waitFor();
    await look('outcome');
    expect(problems).toEqual([]);
  });
});
