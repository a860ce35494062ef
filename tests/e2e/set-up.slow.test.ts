import { readFileSync } from 'node:fs';
import { sql } from 'kysely';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { derivePurls } from '../../src/domain/identity/job-identity.ts';
import { loadLifecycles } from '../../src/modules/reference/load-lifecycles.ts';
import { browserPath, noBrowserSuffix, startBrowser, type TestBrowser } from '../helpers/browser.ts';
import { fillLogin, logIn, logInByForm, navigate, seriousViolations } from '../helpers/browser-checks.ts';
import { expectAccessible } from '../helpers/expect-accessible.ts';
import { lifecycleProduct } from '../helpers/reference-fixture.ts';
import { startTestServer, type TestOrganization, type TestServer } from '../helpers/test-server.ts';
import { type FakeGithub, startFakeGithub } from '../helpers/upstreams/fake-github.ts';
import { type FakeJsonDocuments, startFakeJsonDocuments } from '../helpers/upstreams/fake-json-documents.ts';
import { ensureWebPage } from '../helpers/web-page.ts';
import { createWebhookInbox, type WebhookInbox } from '../helpers/webhook-inbox.ts';

const dayMs = 86_400_000;

describe.skipIf(browserPath === null)(`the form to add software${noBrowserSuffix}`, () => {
  let server: TestServer;
  let browser: TestBrowser;
  let github: FakeGithub;
  let documents: FakeJsonDocuments;
  let inbox: WebhookInbox;
  beforeAll(async () => {
    await ensureWebPage();
    github = await startFakeGithub();
    documents = await startFakeJsonDocuments();
    inbox = await createWebhookInbox();
    server = await startTestServer({ PACEKEEPER_EMBEDDED_AGENT: 'true' });
    browser = await startBrowser();
  });
  afterAll(() => Promise.all([github.close(), documents.close(), inbox.close()]));

  /** @param ageDays Ages of the releases, newest first. Three ages create v3.0.0, v2.0.0, and v1.0.0. */
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

  const click = (page: Page, name: string | RegExp) => page.getByRole('button', { name }).click();
  const urlOrName = (page: Page) => page.getByLabel('URL or name');
  const box = (page: Page, name: string) => page.getByRole('combobox', { name, exact: true });
  const version = (page: Page) => page.getByRole('combobox', { name: 'Deployed version' });

  /** Waits until the selected rule shows this verdict. */
  const verdict = (page: Page, text: string) =>
    page.getByRole('region', { name: 'Rule' }).getByText(text).waitFor();

  /** Returns a function that counts the clicks of the user. */
  async function countClicks(page: Page): Promise<() => number> {
    let clicks = 0;
    await page.exposeFunction('countClick', () => (clicks += 1));
    await page.addInitScript("addEventListener('click', ({ isTrusted }) => isTrusted && countClick(), true)");
    return () => clicks;
  }

  async function countsOf({ api }: TestOrganization) {
    return {
      gatherJobs: (await api.call('listGatherJobs', { query: { scope: 'organization' } })).total,
      scrapeJobs: (await api.call('listScrapeJobs')).total,
      rules: (await api.call('listRules')).total,
      configs: (await api.call('listAlertConfigs')).total,
    };
  }

  test('leads from the first login to an alert at a webhook with twelve clicks, using only defaults', async () => {
    const organization = await server.createOrganization();
    const artifact = release('acme/shop', [5, 95, 400]);
    const { page, problems } = await browser.open();
    const clicks = await countClicks(page);
    await logInByForm(page, server.url, organization);
    let seen = await page.locator('nav').first().innerText();
    const look = async () => void (seen += await page.locator('main').innerText());
    await page.getByRole('link', { name: 'Just one version' }).waitFor();
    await look();
    await navigate(page, 'Software', 'Connect');
    await page.getByRole('link', { name: 'Just one version' }).click();
    await urlOrName(page).waitFor();
    // The field has the focus, so the user can type without a click.
    expect(await page.evaluate('document.activeElement.labels[0].innerText')).toMatch(/^URL or name/);
    await look();
    await page.keyboard.insertText(`https://${artifact}/releases`);
    await page.getByText('3 releases, latest v3.0.0').waitFor();
    expect(await box(page, 'Source type').inputValue()).toBe('GitHub releases');
    await version(page).click();
    await page.keyboard.insertText('v1.0.0');
    await verdict(page, 'Would alert: critical, 95 days behind');
    await look();
    await click(page, /^Generic/);
    await page.getByLabel(/^URL/).last().click();
    await page.keyboard.insertText(`${inbox.url}first`);
    await look();
    await click(page, 'Create channel');
    await page.getByRole('button', { name: 'Send test' }).waitFor();
    await look();
    await click(page, 'Send test');
    await page.getByText('Test delivered').waitFor();
    const written = readFileSync(new URL('../../docs/getting-started.md', import.meta.url), 'utf8');
    const ofBrowser = /### One version\n([\s\S]*?)\n## /.exec(written)?.[1] ?? '';
    const named = [...ofBrowser.matchAll(/\*\*([^*]+)\*\*/g)].map(([, name]) => name!.replace(/\s+/g, ' '));
    expect(named.length).toBeGreaterThan(8);
    expect(
      named.filter((name) => !seen.includes(name)),
      'of the page that the docs name',
    ).toEqual([]);
    const channelRead = page.waitForResponse(/\/notification-channels\/\d+$/);
    await click(page, 'Add software');
    await page.getByRole('heading', { name: 'shop is behind' }).waitFor();
    await page.getByText('Notification sent to Generic webhook.').waitFor();
    expect(clicks()).toBeLessThanOrEqual(12);
    // The receiver of a generic webhook is a program, so the page doesn't suggest that people can acknowledge
    // there.
    await channelRead;
    expect(await page.locator('main').innerText()).not.toContain('acknowledge');

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
    const [gather] = (await organization.api.call('listGatherJobs')).items;
    expect(gather).toMatchObject({ name: 'shop', artifact_name: artifact });
    expect(problems).toEqual([]);
  });

  test('creates the channel that was entered but not saved, and adds nothing if the channel is invalid', async () => {
    const organization = await server.createOrganization();
    const { api } = organization;
    const { page } = await browser.open();
    await logIn(page, server.url, organization, '/set-up');
    await urlOrName(page).fill(release('acme/unsaved', [5, 95]));
    await page.getByText('2 releases, latest v2.0.0').waitFor();
    await version(page).fill('v1.0.0');
    await click(page, /^Generic/);
    const url = page.getByRole('textbox', { name: 'URL', exact: true }).last();
    await url.fill('not a URL');
    await click(page, 'Add software');
    await page
      .getByText("The channel wasn't created. Fix its fields or select Cancel in its form, then try again.")
      .waitFor();
    expect(await url.getAttribute('aria-invalid')).toBe('true');
    expect((await countsOf(organization)).configs).toBe(0);
    await url.fill(`${inbox.url}unsaved`);
    await click(page, 'Add software');
    await page.getByRole('heading', { name: /^unsaved is/ }).waitFor();
    const { items } = await api.call('listNotificationChannels');
    expect(items).toMatchObject([{ preset: 'generic' }]);
    expect(await api.call('getNotificationSettings')).toMatchObject({ default_channel_id: items[0]!.id });
    expect((await countsOf(organization)).configs).toBe(1);
  });

  test('adds software without a channel, reports that no notification was sent, and offers to add a channel', async () => {
    const organization = await server.createOrganization();
    const { page, problems } = await browser.open();
    await logIn(page, server.url, organization, '/set-up');
    await urlOrName(page).fill(release('acme/silent', [95, 100]));
    await page.getByText('2 releases, latest v2.0.0').waitFor();
    await version(page).fill('v1.0.0');
    // Selecting a platform without entering anything doesn't create a channel.
    await click(page, /^Generic/);
    await click(page, 'Add software');
    await page
      .getByText('No notification sent. No notification rule matched and no default channel is set.')
      .waitFor();
    await click(page, 'Add a channel');
    await click(page, /^Generic/);
    await page.getByRole('textbox', { name: 'URL', exact: true }).fill(`${inbox.url}silent`);
    // The channel is created only once, even if setting it as the default channel fails at first.
    let failures = 0;
    await page.route('**/notification-settings', (route) =>
      route.request().method() === 'PUT' && failures++ === 0
        ? route.fulfill({ status: 500, json: {} })
        : route.fallback(),
    );
    await click(page, 'Create channel');
    await expect.poll(() => failures).toBe(1);
    // Press Enter, because the toast about the failure can cover the button.
    await page.getByRole('textbox', { name: 'URL', exact: true }).press('Enter');
    await page.getByText('is the default channel').waitFor();
    expect((await organization.api.call('listNotificationChannels', {})).total).toBe(1);
    expect((await organization.api.call('getNotificationSettings')).default_channel_id).not.toBeNull();
    expect(problems.filter((problem) => !/notification-settings: 500|status of 500/u.test(problem))).toEqual(
      [],
    );
  });

  test('adds more software from any page with five clicks, with an existing rule and its labels', async () => {
    const organization = await server.createOrganization();
    const { api } = organization;
    const rarely = await api.call('createRule', {
      body: { name: 'Rarely used', rule_type: 'majors_behind', thresholds: { high: 1 } },
    });
    const usual = await api.call('createRule', {
      body: { name: 'Usual', rule_type: 'days_behind', thresholds: { moderate: 500 } },
    });
    const gather = await api.call('createGatherJob', {
      body: { name: 'Other', source_type: 'github_releases', artifact_name: release('acme/other', [1]) },
    });
    const scrape = await api.call('createScrapeJob', {
      body: { name: 'Other', parser_type: 'manual', labels: { environment: 'production', service: 'web' } },
    });
    await api.call('createAlertConfig', {
      body: { name: 'Other', scrape_job_id: scrape.id, gather_job_id: gather.id, rule_id: usual.id },
    });
    const { page, problems } = await browser.open();
    const clicks = await countClicks(page);
    await logIn(page, server.url, organization, '/notification-deliveries');
    await page.locator('main h1').waitFor();
    const before = clicks();
    await page.getByRole('link', { name: 'Software', exact: true }).click();
    await page.getByRole('link', { name: 'Add software' }).click();
    await urlOrName(page).waitFor();
    await page.keyboard.insertText(release('acme/more', [5, 50, 400]));
    await page.getByText('3 releases, latest v3.0.0').waitFor();
    await version(page).click();
    await page.keyboard.insertText('1.0.0');
    expect(await box(page, 'Rule').inputValue()).toBe('Usual');
    await verdict(page, 'No alert: 50 days behind');
    await box(page, 'Environment').fill('prod');
    await page.getByRole('option', { name: 'production' }).waitFor();
    await box(page, 'Environment').fill('production');
    await box(page, 'Service').fill('shop');
    await box(page, 'Service').blur();
    await page.getByText('Leave empty to use the name more in production.').waitFor();
    await click(page, 'Add software');
    await page.getByRole('heading', { name: 'more in production is monitored' }).waitFor();
    expect(clicks() - before).toBeLessThanOrEqual(5);
    const { items } = await api.call('listAlertConfigs', { query: { q: 'more in production' } });
    expect(items).toMatchObject([
      {
        rule_id: usual.id,
        gather_job: { name: 'more' },
        effective_labels: { environment: 'production', service: 'shop' },
      },
    ]);
    expect(rarely.alert_config_count).toBe(0);
    await page.getByRole('button', { name: 'Add more software' }).click();
    await urlOrName(page).waitFor();
    expect(await urlOrName(page).inputValue()).toBe('');
    expect(problems).toEqual([]);
  });

  test('can be used with the keyboard alone', async () => {
    const organization = await server.createOrganization();
    const { page, problems } = await browser.open();
    await logIn(page, server.url, organization);
    await page.getByRole('heading', { name: 'Today', level: 1 }).waitFor();
    await page.keyboard.press('Control+k');
    await page.getByRole('dialog').getByRole('combobox').fill('add software');
    await page.getByRole('option', { name: 'Add software' }).waitFor();
    await page.keyboard.press('Enter');
    await urlOrName(page).waitFor();
    // Typed input is tested only when the field loses focus.
    await page.keyboard.type(release('acme/keys', [1, 40]));
    expect(await page.getByText('Testing the source…').count()).toBe(0);
    await page.keyboard.press('Tab');
    await page.getByText('2 releases, latest v2.0.0').waitFor();
    for (let presses = 0; presses < 20; presses++) {
      const label = await page.evaluate<string>("document.activeElement.labels?.[0]?.innerText ?? ''");
      if (label.startsWith('Deployed version')) break;
      await page.keyboard.press('Tab');
    }
    await page.keyboard.type('v2.0.0');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'keys is up to date' }).waitFor();
    expect(await countsOf(organization)).toEqual({ gatherJobs: 1, scrapeJobs: 1, rules: 1, configs: 1 });
    expect(problems).toEqual([]);
  });

  test('uses an existing source instead of creating another one', async () => {
    const organization = await server.createOrganization();
    const artifact = release('acme/common', [1, 30]);
    const job = await server.system.call('createGatherJob', {
      body: { name: 'Common thing', source_type: 'github_releases', artifact_name: artifact },
    });
    const { page, problems } = await browser.open();
    await logIn(page, server.url, organization, '/software/new');
    await urlOrName(page).fill(`https://${artifact}/releases`);
    await page.getByText('Already tracked').waitFor();
    await page
      .getByText('already tracks this. Pacekeeper uses it instead of creating another one.')
      .waitFor();
    await page.getByText('2 releases, latest v2.0.0').waitFor();
    await version(page).fill('v1.0.0');
    await click(page, 'Add software');
    await page.getByRole('heading', { name: 'common is monitored' }).waitFor();
    const { items } = await organization.api.call('listAlertConfigs');
    expect(items).toMatchObject([{ gather_job_id: job.id, name: 'common' }]);
    expect((await countsOf(organization)).gatherJobs).toBe(0);
    // The existing source can also be selected with one click.
    await click(page, 'Add more software');
    await click(page, /^Common thing/);
    await page.getByText('Common thing, an existing source').waitFor();
    await page.getByText('2 releases, latest v2.0.0').waitFor();
    await page.getByText('Leave empty to use the name common 2.').waitFor();
    await version(page).fill('v2.0.0');
    await click(page, 'Add software');
    await page.getByRole('heading', { name: 'common 2 is up to date' }).waitFor();
    expect((await organization.api.call('listAlertConfigs')).items.map((each) => each.gather_job_id)).toEqual(
      [job.id, job.id],
    );
    expect(problems).toEqual([]);
  });

  test('shows the error of a failing source and offers other source types', async () => {
    const organization = await server.createOrganization();
    release('acme/empty', []);
    const { page, problems } = await browser.open();
    await logIn(page, server.url, organization, '/software/new');
    await urlOrName(page).fill(`${github.host}/acme/wrong`);
    // The host can be of several types, so the failures of individual types aren't shown.
    await page.getByText("Pacekeeper doesn't recognize this host. Select a type.").waitFor();
    expect(await page.getByText('Test failed').count()).toBe(0);
    await box(page, 'Source type').click();
    await page.getByRole('option', { name: 'GitHub releases' }).click();
    await page.getByText('Test failed').waitFor();
    await page.getByText(/acme\/wrong.*If only your agents can reach it, you can add it anyway/).waitFor();
    expect((await countsOf(organization)).gatherJobs).toBe(0);
    release('acme/wrong', [3]);
    await click(page, 'Test again');
    await page.getByText('1 release, latest v1.0.0').waitFor();
    await urlOrName(page).fill(`${github.host}/acme/empty`);
    await page.getByText('has no releases. Choose another source type, such as Git tags.').waitFor();
    // This input has a recognized host but no repository.
    await urlOrName(page).fill('github.com/acme');
    await page.getByText('The repository is missing.').waitFor();
    expect(await box(page, 'Source type').count()).toBe(0);
    await urlOrName(page).fill('what?');
    await page.getByText('Not recognized').waitFor();
    // A JSON source requires the path of its versions.
    documents.documents.set('/versions', [{ version: '1.2.0' }, { version: '1.3.0' }]);
    await urlOrName(page).fill(`http://${documents.host}/versions`);
    await box(page, 'Source type').click();
    await page.getByRole('option', { name: 'JSON over HTTP' }).click();
    await page.getByLabel(/^Version path/).fill('.[*].version');
    await click(page, 'Test the source');
    await page.getByText('2 releases, latest 1.3.0').waitFor();
    await version(page).fill('1.2.0');
    await verdict(page, 'Known after the first run');
    await click(page, 'Add software');
    await page.getByRole('heading', { name: /^versions is/ }).waitFor();
    const own = await organization.api.call('listGatherJobs', { query: { scope: 'organization' } });
    expect(own.items).toMatchObject([
      { source_type: 'http_json', source_options: { version_path: '.[*].version' } },
    ]);
    expect(problems).toEqual([]);
  });

  test('keeps a selected source type when a test of the other types ends later', async () => {
    const organization = await server.createOrganization();
    // The text is a version, so the last of the tested types is recognized.
    documents.documents.set('/stable', 1.4);
    const { page, problems } = await browser.open();
    await logIn(page, server.url, organization, '/software/new');
    const held = Promise.withResolvers<void>();
    await page.route('**/preview-source', async (route) => {
      await held.promise;
      await route.continue();
    });
    await urlOrName(page).fill(`http://${documents.host}/stable`);
    await page.getByText('Testing each type…').waitFor();
    await box(page, 'Source type').click();
    await page.getByRole('option', { name: 'JSON over HTTP' }).click();
    const isTested = page.waitForResponse(
      (response) => response.request().postData()?.includes('http_text') === true,
    );
    held.resolve();
    await isTested;
    await page.getByLabel(/^Version path/).fill('.version');
    expect(await box(page, 'Source type').inputValue()).toBe('JSON over HTTP');
    await page.getByRole('button', { name: 'Test the source' }).waitFor();
    expect(problems).toEqual([]);
  });

  test('restores the input if the session ends before the form is saved', async () => {
    const organization = await server.createOrganization();
    const artifact = release('acme/session', [1, 40]);
    const { page } = await browser.open();
    await logIn(page, server.url, organization, '/software/new');
    await urlOrName(page).fill(artifact);
    await page.getByText('2 releases, latest v2.0.0').waitFor();
    await version(page).fill('v1.0.0');
    await box(page, 'Service').fill('shop');
    await page.context().clearCookies();
    await click(page, 'Add software');
    await page.waitForURL(/\/login\?next=/);
    await fillLogin(page, organization);
    await page.waitForURL(`${server.url}/software/new`);
    await page.getByText('2 releases, latest v2.0.0').waitFor();
    expect(await version(page).inputValue()).toBe('v1.0.0');
    expect(await box(page, 'Service').inputValue()).toBe('shop');
    expect(await countsOf(organization)).toEqual({ gatherJobs: 0, scrapeJobs: 0, rules: 0, configs: 0 });
    await click(page, 'Add software');
    await page.getByRole('heading', { name: 'session is monitored' }).waitFor();
    expect(await countsOf(organization)).toEqual({ gatherJobs: 1, scrapeJobs: 1, rules: 1, configs: 1 });
    // The form is empty after the software has been added.
    await page.goto(`${server.url}/software/new`);
    await urlOrName(page).waitFor();
    expect(await urlOrName(page).inputValue()).toBe('');
  });

  test('adds everything or nothing: if applying fails, nothing is added and a retry succeeds', async () => {
    const organization = await server.createOrganization();
    const { page } = await browser.open();
    await logIn(page, server.url, organization, '/software/new');
    await urlOrName(page).fill(release('acme/whole', [1, 40]));
    await page.getByText('2 releases, latest v2.0.0').waitFor();
    await version(page).fill('v1.0.0');
    await sql`
      CREATE FUNCTION refuse_configs() RETURNS trigger LANGUAGE plpgsql AS
        $$ BEGIN RAISE EXCEPTION 'no more'; END $$`.execute(server.db);
    await sql`
      CREATE TRIGGER refuse_configs BEFORE INSERT ON alert_configs
      FOR EACH STATEMENT EXECUTE FUNCTION refuse_configs()`.execute(server.db);
    await click(page, 'Add software');
    await page.getByText('Nothing was added, and the form keeps what you entered.').waitFor();
    expect(await countsOf(organization)).toEqual({ gatherJobs: 0, scrapeJobs: 0, rules: 0, configs: 0 });
    expect(await version(page).inputValue()).toBe('v1.0.0');
    await sql`DROP TRIGGER refuse_configs ON alert_configs`.execute(server.db);

    // In this attempt, the server applies the change, but its response is lost.
    let isLost = false;
    await page.route('**/configuration/apply*', async (route) => {
      if (isLost) return route.continue();
      isLost = true;
      await route.fetch();
      return route.abort();
    });
    await click(page, 'Add software');
    await page.getByText("Can't reach the server").waitFor();
    await expect.poll(() => countsOf(organization)).toMatchObject({ configs: 1 });
    await click(page, 'Add software');
    await page.getByRole('heading', { name: 'whole is monitored' }).waitFor();
    expect(await countsOf(organization)).toEqual({ gatherJobs: 1, scrapeJobs: 1, rules: 1, configs: 1 });
  });

  test('shows every error at its field', async () => {
    const organization = await server.createOrganization();
    await organization.api.call('createScrapeJob', { body: { name: 'Shop', parser_type: 'manual' } });
    const { page } = await browser.open();
    await logIn(page, server.url, organization, '/software/new');
    await urlOrName(page).fill(release('acme/errors', [1]));
    await page.getByText('1 release, latest v1.0.0').waitFor();
    await page.getByText('Git repository', { exact: true }).click();
    await page.getByLabel(/^Repository/).fill('not a repository');
    await page.getByLabel(/^File/).fill('values.yaml');
    await page.getByLabel(/^Path/).fill('.image.tag');
    await click(page, 'Add software');
    await page.locator('[aria-invalid=true]').waitFor();
    const focused = () => page.evaluate<string>("document.activeElement.labels?.[0]?.innerText ?? ''");
    await expect.poll(focused).toMatch(/^Repository/);
    await page.getByLabel(/^Repository/).fill('https://127.0.0.1:9/acme/errors.git');
    await page.getByLabel(/^Name/).fill('Shop');
    await click(page, 'Add software');
    await page.getByText('This name is already used. Enter another one.').waitFor();
    await page.getByLabel(/^Name/).fill('Shop in production');
    await page.getByLabel('Test with file content').fill('image:\n  tag: "v1.0.0"\n');
    await click(page, 'Test');
    await verdict(page, 'No alert: up to date');
    await box(page, 'Rule').click();
    await page.getByRole('option', { name: 'Custom rule' }).click();
    await page.getByLabel(/^Rule name/).fill('Mine');
    await page.getByLabel('High from').fill('10');
    await page.getByLabel('Moderate from').fill('20');
    await click(page, 'Add software');
    await page.locator('[aria-invalid=true]').first().waitFor();
    await page.getByLabel('Moderate from').fill('5');
    await click(page, 'Add software');
    await page.getByRole('heading', { name: /Shop in production/ }).waitFor();
    expect((await organization.api.call('listRules')).items).toMatchObject([
      { name: 'Mine', thresholds: { moderate: 5, high: 10, critical: 90 } },
    ]);
    expect((await organization.api.call('listAlertConfigs')).total).toBe(1);
  });

  test('creates a custom rule of any type and shows its verdict before saving', async () => {
    const organization = await server.createOrganization();
    const artifact = release('acme/custom', [5, 95, 400]);
    const day = (days: number) => new Date(Date.now() + days * dayMs).toISOString().slice(0, 10);
    const asOfMs = Date.now();
    await loadLifecycles(server.db, {
      asOfMs,
      isConfirmed: true,
      products: [
        lifecycleProduct('custom', { '1': day(-9) }, [
          `github_releases ${artifact}`,
          ...derivePurls({
            source_type: 'github_releases',
            artifact_name: artifact,
          }),
        ]),
      ],
    });
    const { page, problems } = await browser.open();
    await logIn(page, server.url, organization, '/software/new');
    await urlOrName(page).fill(artifact);
    await page.getByText('3 releases, latest v3.0.0').waitFor();
    await version(page).fill('v1.0.0');
    await box(page, 'Rule').click();
    await page.getByRole('option', { name: 'Custom rule' }).click();
    await page.getByLabel(/^Rule name/).fill('Own');
    const measure = async (name: string) => {
      await box(page, 'Measure').click();
      await page.getByRole('option', { name }).click();
    };
    await verdict(page, 'Would alert: critical, 95 days behind');
    await page.getByRole('textbox', { name: 'Grace period' }).fill('100');
    await verdict(page, 'No alert: up to date');
    await page.getByRole('button', { name: 'None' }).click();
    await box(page, 'Count days from').click();
    await page.getByRole('option', { name: 'Deployed release date' }).click();
    await verdict(page, 'Would alert: critical, 400 days behind');
    await measure('Major versions behind');
    await verdict(page, 'Would alert: high, 2 major versions behind');
    await measure('Minor versions behind');
    await verdict(page, 'Would alert: high, 2 minor versions behind');
    await measure('Upstream silent');
    await verdict(page, 'No alert: 5 days since the newest release');
    await measure('Known vulnerabilities');
    await verdict(page, 'Known after the first run');
    await measure('End of life');
    await page
      .getByRole('region', { name: 'Rule' })
      .getByText(/^Would alert: critical\. CUSTOM 1 reached end of support on /)
      .waitFor();
    await box(page, 'Support').click();
    await page.getByRole('option', { name: 'Extended support' }).click();
    expect(await seriousViolations(page)).toEqual([]);
    // The form keeps its values after a reload.
    await page.reload();
    await expect.poll(() => box(page, 'Support').inputValue()).toBe('Extended support');
    await click(page, 'Add software');
    await page.getByRole('heading', { name: /^custom is/ }).waitFor();
    expect((await organization.api.call('listRules')).items).toMatchObject([
      {
        name: 'Own',
        rule_type: 'end_of_life',
        support_phase: 'extended_support',
        days_basis: null,
        thresholds: {
          moderate: 180,
          high: 60,
          critical: 0,
        },
      },
    ]);
    expect(problems).toEqual([]);
  });

  test('is accessible on a narrow screen in every step', async () => {
    const organization = await server.createOrganization();
    const artifact = release('acme/narrow', [95, 100]);
    const { page, problems } = await browser.open({ viewport: { width: 390, height: 800 } });
    await logIn(page, server.url, organization, '/set-up');
    await urlOrName(page).waitFor();
    await expectAccessible(page, [390]);
    await urlOrName(page).fill(artifact);
    await page.getByText('2 releases, latest v2.0.0').waitFor();
    await expectAccessible(page, [390]);
    await page.getByText('Git repository', { exact: true }).click();
    await page.getByLabel('Test with file content').fill('image:\n  tag: "1.2.3"\n');
    await page.getByLabel(/^Path/).fill('.image.tag');
    await click(page, 'Test');
    await page.getByText('Found', { exact: true }).waitFor();
    await expectAccessible(page, [390]);
    await page.getByText('Prometheus', { exact: true }).click();
    await expectAccessible(page, [390]);
    await page.getByText('Enter it manually').click();
    await version(page).fill('v1.0.0');
    await box(page, 'Rule').click();
    await page.getByRole('option', { name: /Ninety days/ }).waitFor();
    await expectAccessible(page, [390]);
    await page.getByRole('option', { name: 'Custom rule' }).click();
    await expectAccessible(page, [390]);
    await box(page, 'Rule').click();
    await page.getByRole('option', { name: /Ninety days/ }).click();
    await click(page, 'Add software');
    await page.getByText('No notification sent').waitFor();
    await expectAccessible(page, [390]);
    expect(problems).toEqual([]);
  });
});
