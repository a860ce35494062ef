import { randomBytes } from 'node:crypto';
import { rmSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { browserPath, noBrowserSuffix, startBrowser, type TestBrowser } from '../helpers/browser.ts';
import { fillLogin } from '../helpers/browser-checks.ts';
import { createTestDatabase } from '../helpers/database.ts';
import { databaseUrl } from '../helpers/database-url.ts';
import { type RunningProgram, runProgram } from '../helpers/run-program.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';
import { type FakeGithub, startFakeGithub } from '../helpers/upstreams/fake-github.ts';
import { ensureWebPage } from '../helpers/web-page.ts';
import { createWebhookInbox, type WebhookInbox } from '../helpers/webhook-inbox.ts';

describe.skipIf(browserPath === null)(`the user journey${noBrowserSuffix}`, () => {
  let program: RunningProgram;
  let browser: TestBrowser;
  let github: FakeGithub;
  let inbox: WebhookInbox;
  const folder = temporaryFolder();
  beforeAll(async () => {
    await ensureWebPage();
    github = await startFakeGithub();
    inbox = await createWebhookInbox();
    browser = await startBrowser();
    // Use an external database. The tests in tests/program cover the start with the embedded one.
    const { connection } = await createTestDatabase();
    program = runProgram(['serve'], {
      PORT: '0',
      DATABASE_URL: databaseUrl(connection),
      PACEKEEPER_SECRET_KEY: randomBytes(32).toString('base64'),
      PACEKEEPER_DATA_DIR: folder,
      PACEKEEPER_EGRESS_ALLOW: '127.0.0.1/32',
      PACEKEEPER_INSECURE_HOSTS: '127.0.0.1',
      PACEKEEPER_ALLOW_HTTP_WEBHOOKS: 'true',
      PACEKEEPER_LOG_LEVEL: 'warn',
    });
  });
  afterAll(async () => {
    await Promise.all([program?.stop(), github?.close(), inbox?.close()]);
    rmSync(folder, { recursive: true, force: true });
  });

  test('leads from the first start to the first alert, its notification, and its resolution', async () => {
    github.repositories.set(
      'acme/shop',
      [5, 50, 400].map((days, index) => ({
        tag: `v${3 - index}.0.0`,
        publishedAt: new Date(Date.now() - days * 86_400_000).toISOString(),
      })),
    );
    const [, email = '', password = ''] = await program.waitForOutput(/Log in as (\S+) with password (\S+)/);
    const [, url = ''] = await program.waitForOutput(/running at (\S+)/);

    // The first visit leads to the login, then from the empty Today page to the setup.
    const first = await browser.open();
    await first.page.goto(url);
    await fillLogin(first.page, { email, password });
    await first.page.getByRole('heading', { name: 'Today', level: 1 }).waitFor();
    await first.page.locator('main').getByRole('link', { name: 'Just one version' }).click();
    await setUp();
    await first.page.getByText('Notification sent to Operations.').waitFor();

    // The recipient of the message isn't logged in. After login, the browser returns to the link.
    const { body } = (await inbox.waitFor(1))[0]!;
    const message = JSON.parse(body) as { type: string; data: { acknowledge_url: string } };
    expect(message.type).toBe('alert.created');
    const link = message.data.acknowledge_url;
    const second = await browser.open();
    await second.page.goto(link);
    await second.page.getByRole('link', { name: 'Log in' }).click();
    await second.page.waitForURL(({ pathname, search }) => pathname === '/login' && search.includes('next='));
    await fillLogin(second.page, { email, password });
    await second.page.waitForURL(link);
    await second.page.getByRole('button', { name: 'Acknowledge' }).click();
    await second.page.getByRole('heading', { name: 'Acknowledged', exact: true }).waitFor();

    // The first browser shows the alert and receives the acknowledgment without a reload.
    await first.page.getByRole('link', { name: 'View alert' }).click();
    const actions = first.page.locator('main header');
    await actions.getByRole('button', { name: 'Unacknowledge' }).waitFor();
    await actions.getByRole('button', { name: 'More' }).click();
    await first.page.getByRole('menuitem', { name: 'Resolve' }).click();
    await first.page.getByRole('dialog').getByRole('button', { name: 'Resolve' }).click();
    await actions.getByRole('button', { name: 'More' }).waitFor({ state: 'detached' });
    await first.page.getByRole('link', { name: 'Alerts', exact: true }).first().click();
    await first.page.getByText('No open alerts').waitFor();
    await first.page.getByText('Resolved', { exact: true }).click();
    await first.page.getByRole('link', { name: 'shop', exact: true }).waitFor();
    const types = (await inbox.waitFor(3)).map(
      (request) => (JSON.parse(request.body) as typeof message).type,
    );
    expect(types).toEqual(['alert.created', 'alert.acknowledged', 'alert.resolved']);

    // A resolved alert keeps its deployed version. The page shows the current version next to it.
    await first.page.evaluate(async () => {
      const answer = await fetch('/api/v1/client/scrape-jobs');
      const jobs = (await answer.json()) as { items: { id: number }[] };
      const path = `/api/v1/client/scrape-jobs/${jobs.items[0]?.id}/set-version`;
      const headers = { 'content-type': 'application/json' };
      await fetch(path, { method: 'POST', headers, body: JSON.stringify({ version: 'v2.0.0' }) });
    });
    await first.page.getByRole('link', { name: 'shop', exact: true }).click();
    await first.page.getByText('Deployed now').locator('..').getByText('v2.0.0').waitFor();
    await first.page.getByText('v1.0.0 was deployed then').waitFor();
    expect([...first.problems, ...second.problems]).toEqual([]);

    async function setUp(): Promise<void> {
      const { page } = first;
      const click = (name: string | RegExp) => page.getByRole('button', { name }).click();
      await page.getByLabel('URL or name').fill(`${github.host}/acme/shop`);
      await page.getByRole('combobox', { name: 'Deployed version' }).fill('v1.0.0');
      await click(/^Generic/);
      await page.getByLabel(/^Name/).last().fill('Operations');
      await page.getByLabel(/^URL/).last().fill(inbox.url);
      await click('Create channel');
      await page.getByRole('button', { name: 'Send test' }).waitFor();
      await click('Add software');
      await page.getByRole('heading', { name: 'shop is behind' }).waitFor();
    }
  });
});
