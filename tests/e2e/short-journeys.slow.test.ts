import { sql } from 'kysely';
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { versionScheme } from '../../src/domain/versions/versions.ts';
import { insertAlerts } from '../../src/server/server-fixture.ts';
import { browserPath, noBrowserSuffix, startBrowser, type TestBrowser } from '../helpers/browser.ts';
import {
  logInForStorage,
  navigateInPage,
  scrollsSideways,
  seriousViolations,
  switchColorScheme,
} from '../helpers/browser-checks.ts';
import { type SharedTestServer, sharedTestServer, type TestOrganization } from '../helpers/test-server.ts';
import { ensureWebPage } from '../helpers/web-page.ts';

const { parse, sortKey } = versionScheme('auto');

describe.skipIf(browserPath === null)(`everyday tasks with few clicks${noBrowserSuffix}`, () => {
  let server: SharedTestServer;
  let browser: TestBrowser;
  let organization: TestOrganization;
  let session: Awaited<ReturnType<typeof logInForStorage>>;
  beforeAll(async () => {
    await ensureWebPage();
    server = await sharedTestServer();
    browser = await startBrowser();
    organization = await server.createOrganization();
    const severities = ['moderate', 'high', 'critical'];
    for (let count = 0; count < 12; count++) {
      const name = `thing ${count}`;
      const { scrapeJobId, gatherJobId } = await insertAlerts(server.db, organization.id, {
        name,
        severity: severities[count % 3]!,
      });
      await sql`
        UPDATE scrape_jobs SET name = ${name}, labels = ${JSON.stringify({ team: count < 6 ? 'payments' : 'web' })}::jsonb
        WHERE organization_id = ${organization.id} AND id = ${scrapeJobId}`.execute(server.db);
      for (const version of ['1.25.3', '1.27.1'])
        await sql`
          INSERT INTO releases
            (organization_id, gather_job_id, tag, version, sort_key, variant, released_at, is_prerelease, notes)
          VALUES (${organization.id}, ${gatherJobId}, ${version}, ${version}, ${sortKey(parse(version)!)}, '',
            pacekeeper_now(), false, ${`What ${version} fixes.`})`.execute(server.db);
      await sql`
        UPDATE alert_configs SET crossed_at = pacekeeper_now() - ${count}::integer * interval '1 day'
        WHERE organization_id = ${organization.id} AND scrape_job_id = ${scrapeJobId}`.execute(server.db);
    }
    // All tests share one login, because a fast machine would otherwise exceed the rate limit for logins to an account.
    session = await logInForStorage(server.url, organization);
  });

  async function openAt(path: string, width = 1280) {
    const { page, problems } = await browser.open({
      viewport: { width, height: 900 },
      storageState: session,
    });
    await page.goto(server.url + path);
    await page.locator('h1').first().waitFor();
    await page.evaluate(
      "window.clicks = 0; addEventListener('click', (e) => { if (e.isTrusted) clicks++ }, true)",
    );
    return { page, problems, clicks: () => page.evaluate<number>('clicks') };
  }
  const rows = (page: Page) => page.locator('main [role=row] [data-first] a');

  test('finding the five items of a team that are furthest behind takes at most two clicks', async () => {
    const { page, problems, clicks } = await openAt('/software');
    await rows(page).first().waitFor();
    await page.getByRole('combobox', { name: 'Filter by label' }).click();
    await page.getByRole('option', { name: /team=payments\s*6/ }).click();
    await page.getByText('6 items').waitFor();
    expect(await clicks()).toBeLessThanOrEqual(2);
    const names = await rows(page).allInnerTexts();
    // The order is critical, high, moderate. Within a severity, the item that crossed its threshold first is
    // at the top.
    expect(names.slice(0, 5).map((name) => name.split('\n')[0])).toEqual(
      [5, 2, 4, 1, 3].map((count) => `thing ${count}`),
    );
    expect(problems).toEqual([]);
  });

  test('a view of the software list can be saved, selected, and deleted', async () => {
    const { page, problems } = await openAt('/software?label=team%3Dpayments');
    await page.getByRole('button', { name: 'Columns' }).click();
    await page.getByRole('menuitem', { name: 'Show Monitors' }).click();
    await page.keyboard.press('Escape');
    await page.getByRole('columnheader', { name: 'Monitors' }).waitFor();
    await page.getByRole('button', { name: 'Views' }).click();
    await page.getByRole('menuitem', { name: 'Save this view' }).click();
    await page.getByRole('dialog').getByLabel(/^Name/).fill('Payments');
    await page.getByRole('dialog').getByRole('button', { name: 'Save view' }).click();
    await page.getByText('View saved').waitFor();
    await navigateInPage(page, '/software');
    await page.getByText('12 items').waitFor();
    await page.getByRole('button', { name: 'Views' }).click();
    await page.getByRole('menuitem', { name: 'Payments' }).click();
    await page.getByText('6 items').waitFor();
    await page.getByRole('columnheader', { name: 'Monitors' }).waitFor();
    await page.getByRole('button', { name: 'Payments' }).click();
    await page.getByRole('menuitem', { name: 'Delete "Payments"' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await page.getByText('View deleted').waitFor();
    expect(problems).toEqual([]);
  });

  test('a group of software can be folded, and its software stays selected when it is folded or no longer grouped', async () => {
    const { page, problems } = await openAt('/software?group=team');
    const payments = page.getByRole('region', { name: 'team = payments' });
    await payments.getByRole('checkbox', { name: 'Select thing 3', exact: true }).check();
    const selected = page.getByRole('group', { name: 'Selected items' });
    await selected.getByText('1 selected').waitFor();
    await payments.getByRole('checkbox', { name: 'Select all team = payments' }).click();
    await selected.getByText('6 selected').waitFor();
    await payments.getByRole('button', { name: 'Collapse team = payments' }).click();
    await expect.poll(() => payments.getByRole('row').count()).toBe(0);
    expect(await seriousViolations(page)).toEqual([]);
    await navigateInPage(page, '/software');
    await page.getByRole('table', { name: 'items' }).waitFor();
    await selected.getByText('6 selected').waitFor();
    expect(await page.getByRole('checkbox', { name: 'Select thing 3', exact: true }).isChecked()).toBe(true);
    await selected.getByRole('button', { name: 'Clear selection' }).click();
    expect(problems).toEqual([]);
  });

  test('opening the release notes of an alert takes one click, and so does opening the next alert', async () => {
    const { page, clicks } = await openAt('/alerts');
    await rows(page).first().click();
    await page.getByRole('heading', { name: 'Release notes' }).waitFor();
    await page.locator('summary', { hasText: '1.27.1' }).waitFor();
    expect(await clicks()).toBeLessThanOrEqual(1);
    await page.locator('summary', { hasText: '1.27.1' }).click();
    await page.getByText('What 1.27.1 fixes.').waitFor();
    expect(await clicks(), 'from the alert to its notes').toBeLessThanOrEqual(2);
    const title = await page.locator('h1').innerText();
    await page.getByRole('link', { name: /^Next alert: / }).click();
    await expect.poll(() => page.locator('h1').innerText()).not.toBe(title);
    await page.getByRole('link', { name: /^Previous alert: / }).click();
    await expect.poll(() => page.locator('h1').innerText()).toBe(title);
    await page.getByRole('textbox', { name: 'Comment' }).fill('Upgrade on Thursday.');
    await page.getByRole('button', { name: 'Comment', exact: true }).click();
    await page
      .locator('main')
      .getByText(/: Upgrade on Thursday\.$/)
      .waitFor();
  });

  test('acknowledging more than ten alerts with a comment takes at most four clicks and can be undone', async () => {
    const { page, problems, clicks } = await openAt('/alerts');
    const unacknowledged = async () =>
      (await organization.api.call('listAlerts', { query: { status: 'unacknowledged' } })).total;
    await page.getByText('12 open alerts').waitFor();
    const all = await unacknowledged();
    await page.getByRole('checkbox', { name: 'Select visible rows' }).click();
    const bar = page.getByRole('group', { name: 'Selected alerts' });
    await bar.getByRole('button', { name: 'More actions' }).click();
    await page.getByRole('menuitem', { name: 'Acknowledge with a comment' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('12 alerts will be acknowledged.').waitFor();
    await dialog.getByRole('textbox', { name: 'Comment' }).fill('Known.');
    await dialog.getByRole('button', { name: 'Acknowledge 12 alerts' }).click();
    await page.getByText('12 alerts acknowledged').waitFor();
    expect(await clicks()).toBeLessThanOrEqual(4);
    expect(await unacknowledged()).toBe(all - 12);
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('12 alerts unacknowledged').waitFor();
    expect(await unacknowledged()).toBe(all);
    expect(problems).toEqual([]);
  });

  test('acknowledged alerts are counted separately, sort arrows show the order, and the error for an invalid label filter explains the format', async () => {
    const { page, problems } = await openAt('/alerts');
    const [first] = (await organization.api.call('listAlerts', { query: { sort: 'worst' } })).items;
    await organization.api.call('acknowledgeAlert', { path: { id: first!.id } });
    await page.getByText('12 open alerts').waitFor();
    await page.getByRole('checkbox', { name: 'Select visible rows' }).click();
    // Without a comment, the alerts are acknowledged immediately.
    await page.keyboard.press('a');
    await page.getByText('11 alerts acknowledged, 1 already acknowledged').waitFor();
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('11 alerts unacknowledged').waitFor();
    await organization.api.call('unacknowledgeAlert', { path: { id: first!.id } });

    // The arrow points down when the highest severity is first.
    const header = page.getByRole('columnheader', { name: 'Severity' });
    const topSeverity = page.locator('main [role=rowgroup] [role=row] [data-label=Severity]').first();
    await expect.poll(() => topSeverity.innerText()).toBe('Critical');
    expect(await header.getAttribute('aria-sort')).toBe('descending');
    await header.getByRole('button').click();
    await expect.poll(() => topSeverity.innerText()).toBe('Moderate');
    expect(await header.getAttribute('aria-sort')).toBe('ascending');

    const filter = page.getByRole('combobox', { name: 'Filter by label' });
    await filter.fill('team');
    await filter.blur();
    await page.getByText('Enter key=value, such as team=payments.').waitFor();
    await filter.fill('paym');
    await filter.press('Enter');
    await expect.poll(() => filter.inputValue()).toBe('team=payments');
    expect(new URL(page.url()).searchParams.get('label')).toBe('team=payments');
    await filter.fill('team=nobody');
    await filter.press('Enter');
    await page.getByText('No results match your filters.').waitFor();
    expect(problems).toEqual([]);
  });

  test('the command palette opens pages and software with the keyboard', async () => {
    const { page, problems } = await openAt('/');
    await page.keyboard.press('Control+k');
    const palette = page.getByRole('dialog');
    await palette.getByRole('combobox').fill('scrape jobs');
    await palette.getByRole('option', { name: /Version trackers/ }).waitFor();
    expect(await seriousViolations(page)).toEqual([]);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Version trackers' }).waitFor();
    await page.keyboard.press('Control+k');
    await palette.getByRole('combobox').fill('11 thing');
    await palette.getByRole('option', { name: /^thing 11/ }).waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'thing 11', level: 1 }).waitFor();

    // If the user types faster than the server responds, Enter must not open a result for the previous text.
    await page.keyboard.press('Control+k');
    await palette.getByRole('combobox').fill('thing 10');
    await palette.getByRole('option', { name: /^thing 10/ }).waitFor();
    await page.route(/q=support/u, () => {});
    await palette.getByRole('combobox').fill('support');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Support', level: 1 }).waitFor();
    expect(problems).toEqual([]);
  });

  test('the command palette reports no matches only after every search has responded', async () => {
    const { page, problems } = await openAt('/');
    let respond = () => {};
    const isHeld = new Promise<void>((resolve) => {
      respond = resolve;
    });
    await page.route(/q=nowhere/u, async (route) => {
      await isHeld;
      await route.continue();
    });
    await page.keyboard.press('Control+k');
    const palette = page.getByRole('dialog');
    await palette.getByRole('combobox').fill('nowhere');
    await palette.getByText('Searching…').waitFor();
    expect(await palette.getByText('No matches.').count()).toBe(0);
    respond();
    await palette.getByText('No matches.').waitFor();
    expect(problems).toEqual([]);
  });

  test('keyboard shortcuts move through a list and act on its rows', async () => {
    const { page, problems } = await openAt('/alerts');
    await rows(page).first().waitFor();
    const focused = () => page.evaluate<string>('document.activeElement.innerText');
    const names = await rows(page).allInnerTexts();
    for (const place of [0, 1]) {
      await page.keyboard.press('j');
      expect(await focused()).toBe(names[place]);
    }
    await page.keyboard.press('k');
    expect(await focused()).toBe(names[0]);
    await page.keyboard.press('x');
    await page.getByText('1 selected').waitFor();
    await page.keyboard.press('a');
    await page.getByText('1 alert acknowledged').waitFor();
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('1 alert unacknowledged').waitFor();
    await page.keyboard.press('/');
    await page.keyboard.type('thing 3');
    await expect.poll(() => rows(page).count()).toBe(1);
    await page.locator('h1').click();
    await page.keyboard.press('?');
    await page.getByRole('dialog').getByText('Open command palette').waitFor();
    expect(problems).toEqual([]);
  });

  test('a list keeps its rows until the results of a search arrive', async () => {
    const { page, problems } = await openAt('/alerts');
    await page.getByText('12 open alerts').waitFor();
    let answer = () => {};
    const isAllowed = new Promise<void>((resolve) => {
      answer = resolve;
    });
    await page.route(/\/alerts\?.*q=/, async (route) => {
      await isAllowed;
      await route.continue();
    });
    await page.getByRole('searchbox', { name: 'Search by name' }).fill('thing 3');
    await page.locator('[role=table][aria-busy=true]').waitFor();
    expect(await rows(page).count()).toBe(12);
    answer();
    await page.getByText('1 open alert', { exact: true }).waitFor();
    expect(await rows(page).allInnerTexts()).toEqual([expect.stringMatching(/^thing 3/)]);
    expect(problems).toEqual([]);
  });

  test('the page for an unknown URL shows the menu, which still works', async () => {
    const { page, problems } = await openAt('/sofware');
    await page.locator('main').getByRole('heading', { name: 'Page not found' }).waitFor();
    await page.getByRole('navigation').getByRole('link', { name: 'Software' }).click();
    await page.locator('main').getByRole('heading', { name: 'Software' }).waitFor();
    expect(problems).toEqual([]);
  });

  test('the pages also work on a narrow screen with dark colors', async () => {
    const { page, problems } = await openAt('/', 390);
    await switchColorScheme(page, 'dark');
    await page.getByRole('button', { name: 'Menu' }).click();
    const menu = page.getByRole('navigation', { name: 'Main' });
    await menu.getByRole('link', { name: 'Software', exact: true }).click();
    await rows(page).first().waitFor();
    const picture = process.env['PACEKEEPER_PICTURES'];
    for (const path of ['/', '/software', '/alerts', '/software?columns=name,monitors,rule,source']) {
      await navigateInPage(page, path);
      await page.locator('[aria-busy=true], .mantine-Skeleton-root').first().waitFor({ state: 'detached' });
      expect([path, await scrollsSideways(page)]).toEqual([path, false]);
      expect([path, await seriousViolations(page)]).toEqual([path, []]);
      const name = path.replaceAll(/\W+/g, '-');
      if (picture) await page.screenshot({ path: `${picture}/journey${name}-390.png` });
    }
    expect(problems).toEqual([]);
    await page.setViewportSize({ width: 1280, height: 900 });
    for (const path of ['/', '/software', '/alerts']) {
      await page.goto(server.url + path);
      await page.locator('[aria-busy=true], .mantine-Skeleton-root').first().waitFor({ state: 'detached' });
      if (picture)
        await page.screenshot({ path: `${picture}/journey${path.replaceAll(/\W+/g, '-')}-1280.png` });
    }
  });

  test('software is selected with keys and ranges, then labeled, disabled, and deleted, each with a preview', async () => {
    const { page, problems } = await openAt('/software?sort=name');
    const { api } = organization;
    await page.getByText('12 items').waitFor();
    const selected = page.getByRole('group', { name: 'Selected items' });
    const dialog = page.getByRole('dialog');
    for (const key of ['j', 'x', 'j', 'j', 'Shift+X']) await page.keyboard.press(key);
    await selected.getByText('3 selected').waitFor();
    const boxes = page.getByRole('checkbox', { name: /^Select (?!visible)/ });
    await boxes.nth(5).click({ modifiers: ['Shift'] });
    await selected.getByText('6 selected').waitFor();
    await selected.getByRole('button', { name: 'Label' }).click();
    await dialog.getByRole('button', { name: 'Add label' }).click();
    // An invalid label key shows an error at its field, and the page sends no request.
    await dialog.getByLabel('Label 1 key').fill('the owner');
    await dialog.getByLabel('Remove labels').fill('team, 1st');
    const hints = dialog.getByText('Start with a letter. Use letters, digits, and . _ / -');
    await expect.poll(() => hints.count()).toBe(2);
    await dialog.getByText('The preview appears here.').waitFor();
    await dialog.getByLabel('Remove labels').fill('');
    await dialog.getByLabel('Label 1 key').fill('owner');
    await dialog.getByLabel('Label 1 value').fill('eve');
    await dialog.getByText('6 items will be labeled.').waitFor();
    expect(await seriousViolations(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Label 6 items' }).click();
    const message = page.getByRole('alert').filter({ hasText: '6 items labeled' });
    // A toast stays visible while the pointer is over it.
    await message.hover();
    await boxes.first().press('Space');
    await selected.getByText('1 selected').waitFor();
    const bottomOf = async () => message.boundingBox().then((box) => box!.y + box!.height);
    const barTop = (await selected.boundingBox())!.y;
    await expect.poll(bottomOf).toBeLessThanOrEqual(barTop);
    await boxes.first().press('Space');
    const owned = async () =>
      (await api.call('listSoftware', { query: { label: 'owner=eve' } })).items.length;
    expect(await owned()).toBe(6);
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('Changes undone').waitFor();
    expect(await owned()).toBe(0);

    await boxes.first().click();
    await selected.getByRole('button', { name: 'Select all 12 matching items' }).click();
    await selected.getByText('12 selected').waitFor();
    await page.setViewportSize({ width: 390, height: 800 });
    await expect.poll(() => scrollsSideways(page)).toBe(false);
    expect(await seriousViolations(page)).toEqual([]);
    await page.setViewportSize({ width: 1280, height: 900 });
    await selected.getByRole('button', { name: 'Disable' }).click();
    await dialog.getByText('12 items will be disabled (12 monitors, 12 open alerts).').waitFor();
    await dialog.getByRole('button', { name: 'Disable 12 items' }).click();
    await page.getByText('12 items disabled').waitFor();
    const disabled = async () => (await api.call('listAlertConfigs', { query: { is_active: false } })).total;
    expect(await disabled()).toBe(12);
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect.poll(disabled).toBe(0);

    await boxes.first().click();
    await selected.getByRole('button', { name: 'Delete' }).click();
    await dialog.getByText(/^1 item will be deleted \(1 monitor/).waitFor();
    await dialog.getByRole('button', { name: 'Delete 1 item' }).click();
    await page.getByText('1 item deleted').waitFor();
    await page.getByText('11 items').waitFor();
    expect(await page.getByRole('button', { name: 'Undo' }).count()).toBe(0);
    expect(problems).toEqual([]);
  });
});
