import type { Locator, Page } from 'playwright-core';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { completeUpstreamRuns } from '../helpers/answer-upstreams.ts';
import { browserPath, noBrowserSuffix, startBrowser, type TestBrowser } from '../helpers/browser.ts';
import { logIn } from '../helpers/browser-checks.ts';
import { insertItems } from '../helpers/discovery-fixture.ts';
import { createMonitoredSoftware } from '../helpers/monitored.ts';
import { type SharedTestServer, sharedTestServer } from '../helpers/test-server.ts';
import { ensureWebPage } from '../helpers/web-page.ts';
import { createWebhookInbox } from '../helpers/webhook-inbox.ts';

/** More presses of Tab than any page of these journeys has controls. */
const maxPresses = 150;

const hasFocus = (locator: Locator) =>
  locator.first().evaluate((element) => element === element.ownerDocument.activeElement);

/** Moves the focus to a control with Tab, as a person without a mouse does. */
async function tabTo(page: Page, control: Locator): Promise<void> {
  await control.first().waitFor();
  for (let presses = 0; presses < maxPresses; presses++) {
    if (await hasFocus(control)) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`Tab doesn't reach ${control.toString()}.`);
}

async function activate(page: Page, control: Locator): Promise<void> {
  await tabTo(page, control);
  await page.keyboard.press('Enter');
}

/** Selects an item of the open menu with the arrow keys. */
async function chooseItem(page: Page, name: string): Promise<void> {
  const item = page.getByRole('menuitem', { name, exact: true });
  await item.waitFor();
  for (let presses = 0; presses < 10 && !(await hasFocus(item)); presses++)
    await page.keyboard.press('ArrowDown');
  expect(await hasFocus(item)).toBe(true);
  await page.keyboard.press('Enter');
}

/** The browser moves the focus to the body if the focused element is removed. Tab then starts at the top of the page. */
const lostFocus = (page: Page) => page.evaluate<boolean>('document.activeElement === document.body');

describe.skipIf(browserPath === null)(`with the keyboard alone${noBrowserSuffix}`, () => {
  let server: SharedTestServer;
  let browser: TestBrowser;
  beforeAll(async () => {
    await ensureWebPage();
    server = await sharedTestServer();
    browser = await startBrowser();
  });

  async function openToday(options: { isMonitored: boolean }) {
    const organization = await server.createOrganization();
    if (options.isMonitored) {
      await createMonitoredSoftware(server, organization, { labels: { environment: 'production' } });
      await expect.poll(async () => (await organization.api.call('listAlerts')).total).toBe(1);
    }
    const { page, problems } = await browser.open({ viewport: { width: 1280, height: 900 } });
    await logIn(page, server.url, organization);
    await page.getByRole('heading', { name: 'Today', level: 1 }).waitFor();
    return { page, problems, organization, api: organization.api };
  }

  test('a user connects a repository, chooses a rule and a receiver, and gets one summary message', async () => {
    const inbox = await createWebhookInbox();
    onTestFinished(() => inbox.close());
    const { page, problems, organization, api } = await openToday({ isMonitored: false });
    await activate(page, page.getByRole('link', { name: /^Git repository/ }));
    await tabTo(page, page.getByLabel('Repository URL'));
    await page.keyboard.type('https://git.example.org/acme/deployments.git');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'deployments', level: 1 }).waitFor();
    const [job] = (await api.call('listDiscoveryJobs')).items;
    const place = { version: '0.0.1' };
    await insertItems(server.db, organization.id, job!.id, [place, place]);
    await activate(page, page.getByRole('button', { name: 'Track 2 versions' }));
    await page.getByRole('combobox', { name: 'Rule' }).waitFor();
    await completeUpstreamRuns(api, { days: 200 });
    await page.getByText(/^2 alerts now/).waitFor();
    await activate(page, page.getByRole('button', { name: /^Generic/ }));
    await tabTo(page, page.getByRole('textbox', { name: 'URL', exact: true }));
    await page.keyboard.type(`${inbox.url}summary`);
    // One summary is preselected.
    await activate(page, page.getByRole('button', { name: 'Start monitoring' }));
    await page.getByText('2 versions monitored').waitFor();
    const [message] = await inbox.waitFor(1);
    expect(JSON.parse(message!.body)).toMatchObject({ type: 'digest' });
    expect(inbox.requests).toHaveLength(1);
    expect(problems).toEqual([]);
  });

  test('a user acknowledges an upgrade on the Today page and on its own page, and keeps the focus', async () => {
    const { page, problems } = await openToday({ isMonitored: true });
    await activate(page, page.getByRole('button', { name: 'Actions for web 3.0.0' }));
    await chooseItem(page, 'Acknowledge');
    await page.getByText('Nothing needs action').waitFor();
    await page.getByText('1 planned').waitFor();
    await activate(page, page.getByRole('button', { name: 'Undo' }));
    await page.getByRole('button', { name: 'Actions for web 3.0.0' }).waitFor();
    const link = page.getByRole('link', { name: /^web 1\.0\.0 → 3\.0\.0/ });
    await activate(page, link);
    await page.getByRole('heading', { name: /^web/, level: 1 }).waitFor();
    await activate(page, page.getByRole('button', { name: 'Change all alerts' }));
    await chooseItem(page, 'Acknowledge');
    await page
      .getByText(/1 alert acknowledged/)
      .last()
      .waitFor();
    expect(await lostFocus(page)).toBe(false);
    expect(problems).toEqual([]);
  });

  test('a user opens the breaking changes of an upgrade from the Today page', async () => {
    const { page, problems } = await openToday({ isMonitored: true });
    await activate(page, page.getByRole('link', { name: /^web 1\.0\.0 → 3\.0\.0/ }));
    await activate(page, page.getByRole('link', { name: /^web in production/ }));
    await page.getByRole('heading', { name: 'Release notes' }).waitFor();
    await activate(
      page,
      page
        .getByRole('navigation', { name: 'Sections of this page' })
        .getByRole('link', { name: 'Release notes' }),
    );
    await expect.poll(() => page.evaluate('location.hash')).toBe('#release-notes');
    expect(problems).toEqual([]);
  });
});
