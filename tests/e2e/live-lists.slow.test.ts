import { sql } from 'kysely';
import type { Page } from 'playwright-core';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { insertAlerts } from '../../src/server/server-fixture.ts';
import { browserPath, noBrowserSuffix, startBrowser, type TestBrowser } from '../helpers/browser.ts';
import { logIn } from '../helpers/browser-checks.ts';
import { type SharedTestServer, sharedTestServer, type TestOrganization } from '../helpers/test-server.ts';
import { ensureWebPage } from '../helpers/web-page.ts';

const soon = { timeout: 45_000 };

describe.skipIf(browserPath === null)(`a list that changes during use${noBrowserSuffix}`, () => {
  let server: SharedTestServer;
  let browser: TestBrowser;
  beforeAll(async () => {
    await ensureWebPage();
    server = await sharedTestServer();
    browser = await startBrowser();
  });

  let organization: TestOrganization;
  beforeEach(async () => {
    organization = await server.createOrganization();
  });

  async function openAt(path: string) {
    const watched = await browser.open({ viewport: { width: 1280, height: 900 } });
    await logIn(watched.page, server.url, organization, path);
    await watched.page.locator('h1').first().waitFor();
    return watched;
  }
  const rows = (page: Page) => page.locator('main [role=row] [data-first] a');
  const names = async (page: Page) => {
    await rows(page).first().waitFor();
    return (await rows(page).allInnerTexts()).map((text) => text.split('\n')[0] ?? '');
  };
  const box = (page: Page, name: string) =>
    page.getByRole('checkbox', { name: `Select ${name}`, exact: true });
  const bar = (page: Page) => page.getByRole('group', { name: 'Selected alerts' });
  /** Returns the height, in pixels, of the visible part of the list that has no rows. */
  const missingHeight = (page: Page) =>
    page.evaluate<number>(`(() => {
      const body = document.querySelectorAll('main [role=table] > [role=rowgroup]')[1];
      const place = body.getBoundingClientRect();
      const rows = [...body.querySelectorAll('[role=row]')].map((row) => row.getBoundingClientRect());
      const above = Math.min(...rows.map(({ top }) => top)) - Math.max(place.top, 0);
      const below = Math.min(place.bottom, innerHeight) - Math.max(...rows.map(({ bottom }) => bottom));
      return Math.max(above, below, 0);
    })()`);
  /** Returns the status of each alert by the name of its configuration. */
  const statuses = async () => {
    const { items } = await organization.api.call('listAlerts', { query: { limit: 200 } });
    return Object.fromEntries(items.map(({ alert_config_name, status }) => [alert_config_name, status]));
  };
  /** Adds a critical alert above all others, and waits until the page shows it without a reload. */
  async function addAbove(page: Page, name: string): Promise<void> {
    const { alertIds } = await insertAlerts(server.db, organization.id, { name, severity: 'critical' });
    await organization.api.call('commentOnAlert', { path: { id: alertIds[0]! }, body: { comment: 'New.' } });
    await rows(page)
      .filter({ hasText: `${name} 1` })
      .waitFor(soon);
  }

  test('keeps an open menu with its row when another row appears above, and closes the menu when its row disappears', async () => {
    const { alertIds } = await insertAlerts(server.db, organization.id, { name: 'old' });
    const { page, problems } = await openAt('/alerts');
    await page.getByRole('button', { name: 'Actions for old 1' }).click();
    await page.getByRole('menuitem', { name: 'Acknowledge' }).waitFor();
    await addAbove(page, 'new');
    await page.getByRole('menuitem', { name: 'Acknowledge' }).click();
    await expect.poll(statuses, soon).toEqual({ 'new 1': 'unacknowledged', 'old 1': 'acknowledged' });

    await page.getByRole('button', { name: 'Actions for old 1' }).click();
    await page.getByRole('menuitem', { name: 'Custom date' }).click();
    await page.getByRole('dialog', { name: 'Snooze 1 alert' }).waitFor();
    await addAbove(page, 'newer');
    await page.getByRole('dialog').getByRole('button', { name: 'Snooze 1 alert' }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    const { items } = await organization.api.call('listAlerts');
    expect(
      items.filter(({ snoozed_until }) => snoozed_until !== null).map(({ alert_config_name: name }) => name),
    ).toEqual(['old 1']);

    await page.getByRole('button', { name: 'Actions for old 1' }).click();
    await page.getByRole('menuitem', { name: 'Unacknowledge' }).waitFor();
    await organization.api.call('resolveAlert', { path: { id: alertIds[0]! } });
    await rows(page)
      .filter({ hasText: 'old 1' })
      .waitFor({ ...soon, state: 'detached' });
    expect(await page.getByRole('menu').count()).toBe(0);
    expect(problems).toEqual([]);
  });

  test('keeps the keyboard position on its row when another row appears above', async () => {
    await insertAlerts(server.db, organization.id, { name: 'old', count: 3 });
    const { page, problems } = await openAt('/alerts');
    await rows(page).first().waitFor();
    await page.keyboard.press('j');
    await page.keyboard.press('j');
    const [, second] = await names(page);
    await addAbove(page, 'new');
    await page.keyboard.press('x');
    await bar(page).getByText('1 selected').waitFor();
    expect(await box(page, second!).isChecked()).toBe(true);
    expect(problems).toEqual([]);
  });

  test('keeps the selection when rows are added or sorted, and clears it when a filter changes', async () => {
    await insertAlerts(server.db, organization.id, { name: 'old', count: 3 });
    const { page, problems } = await openAt('/alerts');
    await box(page, 'old 1').click();
    await box(page, 'old 2').click();
    await addAbove(page, 'new');
    await page.getByRole('columnheader', { name: 'Severity' }).getByRole('button').click();
    await page.waitForURL(/sort=/);
    await bar(page).getByText('2 selected').waitFor();
    await page.getByRole('searchbox').fill('old 3');
    await page.getByText('1 open alert', { exact: true }).waitFor();
    expect(await bar(page).count()).toBe(0);
    await page.getByRole('searchbox').fill('');
    await page.getByText('4 open alerts').waitFor();
    expect(await bar(page).count()).toBe(0);
    expect(problems).toEqual([]);
  });

  test('adds visible rows to the selection with "Select visible rows", and removes only these rows again', async () => {
    await insertAlerts(server.db, organization.id, { name: 'old', count: 120 });
    const { page, problems } = await openAt('/alerts');
    await box(page, (await names(page))[0]!).click();
    await page.evaluate('scrollTo(0, document.documentElement.scrollHeight)');
    await page.getByText('120 open alerts').waitFor();
    const selected = async () => Number((await bar(page).innerText()).match(/(\d+) selected/)?.[1]);
    await page.locator('main [aria-rowindex="121"] a').waitFor();
    const visible = page.getByRole('checkbox', { name: 'Select visible rows' });
    await visible.click();
    const inView = await names(page);
    expect(await selected()).toBe(1 + inView.length);
    await visible.click();
    expect(await selected()).toBe(1);
    expect(problems).toEqual([]);
  });

  test('keeps the completed part of a failed bulk change, retries only the rest, and undoes both together', async () => {
    await insertAlerts(server.db, organization.id, { name: 'old', count: 120 });
    const { page } = await openAt('/alerts');
    await box(page, (await names(page))[0]!).click();
    await bar(page)
      .getByRole('button', { name: /^Select all/ })
      .click();
    await bar(page).getByText('120 selected').waitFor();
    await bar(page).getByRole('button', { name: 'More actions' }).click();
    await page.getByRole('menuitem', { name: 'Acknowledge with a comment' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('textbox', { name: 'Comment' }).fill('Known.');
    await dialog.getByText('120 alerts will be acknowledged.').waitFor();
    let sent = 0;
    await page.route('**/alerts/changes', (route) => {
      const isTrial = route.request().postDataJSON().dry_run;
      return !isTrial && ++sent === 2 ? route.fulfill({ status: 500, json: {} }) : route.fallback();
    });
    await dialog.getByRole('button', { name: 'Acknowledge 120 alerts' }).click();
    await dialog.getByText('A request failed. Until then: 100 alerts acknowledged').waitFor();
    const acknowledged = async () =>
      (await organization.api.call('listAlerts', { query: { status: 'acknowledged' } })).total;
    expect(await acknowledged()).toBe(100);
    await dialog.getByRole('button', { name: 'Acknowledge 20 alerts' }).click();
    await page.getByText('120 alerts acknowledged').waitFor();
    expect(await acknowledged()).toBe(120);
    const { rows: comments } = await sql<{ count: number }>`
      SELECT count(*)::integer FROM audit_entries WHERE organization_id = ${organization.id} AND action = 'commented'`.execute(
      server.db,
    );
    expect(comments).toEqual([{ count: 120 }]);
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect.poll(acknowledged).toBe(0);
  });

  test('has no gaps and no overlapping rows after the window becomes narrow and wide again', async () => {
    await insertAlerts(server.db, organization.id, { name: 'old', count: 60 });
    const { page, problems } = await openAt('/alerts');
    await rows(page).first().waitFor();
    /** Returns the largest distance between the end of a row and the start of the next one, in pixels. */
    const largestGap = () =>
      page.evaluate<number>(`(() => {
        const body = document.querySelectorAll('main [role=table] > [role=rowgroup]')[1];
        const rows = [...body.querySelectorAll('[role=row]')]
          .map((row) => row.getBoundingClientRect())
          .sort((one, other) => one.top - other.top);
        return Math.max(...rows.slice(1).map(({ top }, index) => Math.abs(top - rows[index].bottom)));
      })()`);
    for (const width of [390, 1280, 390, 1280]) {
      await page.setViewportSize({ width, height: 900 });
      await expect.poll(largestGap).toBeLessThanOrEqual(1.5);
      expect(await page.locator('main [role=table][data-cards]').count()).toBe(width === 390 ? 1 : 0);
      // The heights of rows that haven't been visible are estimates, so the end moves while the page scrolls to it.
      const scrollToEnd = async () => {
        await page.evaluate('scrollTo(0, document.documentElement.scrollHeight)');
        return page.locator('main [aria-rowindex="61"] a').count();
      };
      await expect.poll(scrollToEnd).toBe(1);
      await expect.poll(largestGap).toBeLessThanOrEqual(1.5);
      await page.evaluate('scrollTo(0, 0)');
      await page.locator('main [aria-rowindex="2"] a').waitFor();
    }
    expect(problems).toEqual([]);
  });

  test('names the affected alerts before an action that cannot be undone', async () => {
    await insertAlerts(server.db, organization.id, { name: 'old', count: 7 });
    const { page, problems } = await openAt('/alerts');
    await page.getByRole('checkbox', { name: 'Select visible rows' }).click();
    await bar(page).getByRole('button', { name: 'More actions' }).click();
    await page.getByRole('menuitem', { name: 'Resolve', exact: true }).click();
    await page
      .getByRole('dialog')
      .getByText(/^old \d, old \d, old \d, old \d, old \d, and 2 more$/)
      .waitFor();
    expect(problems).toEqual([]);
  });

  test('creates a silence for all selected alerts, including those that are no longer in the list', async () => {
    const { scrapeJobId } = await insertAlerts(server.db, organization.id, { name: 'old' });
    const other = await insertAlerts(server.db, organization.id, { name: 'other' });
    await insertAlerts(server.db, organization.id, { name: 'gone' });
    for (const [id, team] of [
      [scrapeJobId, 'payments'],
      [other.scrapeJobId, 'web'],
    ] as const)
      await sql`
        UPDATE scrape_jobs SET labels = ${JSON.stringify({ team, tier: 'one' })}::jsonb
        WHERE organization_id = ${organization.id} AND id = ${id}`.execute(server.db);
    const { page, problems } = await openAt('/alerts?status=unacknowledged');
    await box(page, 'old 1').click();
    await box(page, 'other 1').click();
    await box(page, 'gone 1').click();
    const { items } = await organization.api.call('listAlertConfigs', { query: { q: 'gone' } });
    await organization.api.call('deleteAlertConfig', { path: { id: items[0]!.id } });
    await organization.api.call('acknowledgeAlert', { path: { id: other.alertIds[0]! } });
    await box(page, 'other 1').waitFor({ ...soon, state: 'detached' });
    await bar(page).getByRole('button', { name: 'More actions' }).click();
    await page.getByRole('menuitem', { name: 'Silence alerts like these' }).click();
    const values = () =>
      page
        .getByRole('dialog')
        .getByRole('textbox')
        .evaluateAll((fields: unknown[]) => fields.map((field) => (field as { value: string }).value));
    await page.getByRole('dialog').waitFor();
    expect(await values()).toContain('tier');
    expect(await values()).not.toContain('team');
    // The 404 response is expected, because the alert was deleted.
    expect(problems.filter((problem) => !problem.includes('404'))).toEqual([]);
  });

  test('shows its rows in the right place after the content above it changes its height', async () => {
    await insertAlerts(server.db, organization.id, { name: 'old', count: 200 });
    const { page, problems } = await openAt('/alerts');
    await rows(page).first().waitFor();
    for (const height of [2_000, 0]) {
      await page.evaluate(`(() => {
        const above = document.querySelector('#above') ?? document.querySelector('main').firstElementChild.cloneNode(false);
        above.id = 'above';
        above.style.height = '${height}px';
        document.querySelector('main [role=table]').parentElement.before(above);
      })()`);
      for (const to of [height + 200, height + 1_500]) {
        await page.evaluate(`scrollTo(0, ${to})`);
        await expect
          .poll(() => missingHeight(page), { message: `${height} px above, scrolled to ${to}` })
          .toBeLessThan(2);
      }
    }
    expect(problems).toEqual([]);
  });

  test('shows its rows in the right place if it was empty when opened', async () => {
    const { page, problems } = await openAt('/alerts');
    await page.getByText('No open alerts').waitFor();
    await insertAlerts(server.db, organization.id, { name: 'old', count: 60 });
    await addAbove(page, 'new');
    await page.getByText('61 open alerts').waitFor(soon);
    await page.evaluate('scrollTo(0, 1500)');
    await expect.poll(() => missingHeight(page)).toBeLessThan(2);
    expect(problems).toEqual([]);
  });
});
