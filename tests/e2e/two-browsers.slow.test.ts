import { randomBytes } from 'node:crypto';
import { rmSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { sql } from 'kysely';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { insertAlerts } from '../../src/server/server-fixture.ts';
import { browserPath, noBrowserSuffix, startBrowser, type TestBrowser } from '../helpers/browser.ts';
import { closeMenu, fillLogin, logIn, navigate } from '../helpers/browser-checks.ts';
import { createTestDatabase } from '../helpers/database.ts';
import { databaseUrl } from '../helpers/database-url.ts';
import { createMonitoredSoftware } from '../helpers/monitored.ts';
import { type RunningProgram, runProgram } from '../helpers/run-program.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';
import { type SharedTestServer, sharedTestServer, type TestOrganization } from '../helpers/test-server.ts';
import { ensureWebPage } from '../helpers/web-page.ts';

/**
 * A change event usually arrives within 2 s. The timeout is longer for busy machines, but shorter than the minute after
 * which a page polls without an event.
 */
const soon = { timeout: 45_000 };

describe.skipIf(browserPath === null)(`browsers on one server${noBrowserSuffix}`, () => {
  let server: SharedTestServer;
  let browser: TestBrowser;
  beforeAll(async () => {
    await ensureWebPage();
    server = await sharedTestServer();
    browser = await startBrowser();
  });

  async function openAs(login: Pick<TestOrganization, 'email' | 'password'>, to = '/') {
    const watched = await browser.open({ viewport: { width: 1280, height: 900 } });
    await logIn(watched.page, server.url, login, to);
    return watched;
  }

  const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name });

  /** Tests two tabs of one browser, and two separate browsers. */
  describe('live changes', () => {
    test('an alert that is acknowledged or unacknowledged in one browser updates in the other', async () => {
      const organization = await server.createOrganization();
      await insertAlerts(server.db, organization.id);
      const one = await openAs(organization, '/alerts');
      const other = await openAs(organization, '/alerts');
      for (const { page } of [one, other])
        await page.getByRole('cell', { name: 'payments 1', exact: true }).waitFor();

      await one.page.getByRole('button', { name: /^Actions for payments/ }).click();
      await one.page.getByRole('menuitem', { name: 'Acknowledge' }).click();
      const acknowledged = { name: /^Acknowledged/ };
      await other.page.getByRole('row').getByRole('cell', acknowledged).waitFor(soon);
      await other.page.getByRole('button', { name: /^Actions for payments/ }).click();
      await other.page.getByRole('menuitem', { name: 'Unacknowledge' }).click();
      await one.page
        .getByRole('row')
        .getByRole('cell', acknowledged)
        .waitFor({ ...soon, state: 'detached' });
      expect([...one.problems, ...other.problems]).toEqual([]);
    });

    test('a rule that is created, renamed, or deleted in one browser updates in the list of the other', async () => {
      const organization = await server.createOrganization();
      const one = await openAs(organization, '/rules/new');
      const other = await openAs(organization, '/rules');
      await other.page.getByRole('heading', { name: 'Rules' }).waitFor();
      await one.page.getByLabel(/^Name/).fill('Yearly');
      await button(one.page, 'Create rule').click();
      await one.page.getByRole('heading', { name: 'Yearly' }).waitFor();
      await other.page.getByRole('link', { name: 'Yearly' }).waitFor(soon);

      const { items } = await organization.api.call('listRules');
      const path = { id: items[0]!.id };
      await organization.api.call('updateRule', { path, body: { name: 'Each year' } });
      await one.page.getByRole('heading', { name: 'Each year' }).waitFor(soon);
      await other.page.getByRole('link', { name: 'Each year' }).waitFor(soon);
      await one.page.getByRole('link', { name: 'Rules', exact: true }).first().click();
      await organization.api.call('deleteRule', { path });
      for (const { page } of [one, other])
        await page.getByRole('link', { name: 'Each year' }).waitFor({ ...soon, state: 'detached' });
      expect([...one.problems, ...other.problems]).toEqual([]);
    });

    test('a resource that changed during an edit is not overwritten, and the form shows the change after a reload', async () => {
      const organization = await server.createOrganization();
      const { api } = organization;
      const body = { name: 'Ten days', rule_type: 'days_behind', thresholds: { high: 10 } } as const;
      const path = { id: (await api.call('createRule', { body })).id };
      const { page } = await openAs(organization, `/rules/${path.id}`);
      await button(page, 'Edit').click();
      const name = page.getByRole('dialog').getByLabel(/^Name/);
      await name.fill('Mine');
      await api.call('updateRule', { path, body: { name: 'Theirs' } });
      await button(page, 'Save').click();
      const notice = page.getByRole('alert').filter({ hasText: 'Changed by someone else' });
      await notice.waitFor();
      expect(await name.inputValue()).toBe('Mine');
      expect(await api.call('getRule', { path })).toMatchObject({ name: 'Theirs' });

      await notice.getByRole('button', { name: 'Reload' }).click();
      await notice.waitFor({ state: 'detached' });
      expect(await name.inputValue()).toBe('Theirs');
      await name.fill('Ours');
      await button(page, 'Save').click();
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      expect(await api.call('getRule', { path })).toMatchObject({ name: 'Ours' });
    });

    test('a version set through the API appears automatically on the Today page and in the software list', async () => {
      const organization = await server.createOrganization();
      const { scrapeJobId } = await createMonitoredSoftware(server, organization, { deployed: '3.0.0' });
      const one = await openAs(organization, '/');
      const other = await openAs(organization, '/software');
      await one.page.getByText('Nothing needs action').waitFor();
      await other.page.getByRole('cell', { name: '3.0.0' }).first().waitFor();
      await organization.api.call('setScrapeJobVersion', {
        path: { id: scrapeJobId },
        body: { version: '1.0.0' },
      });
      await other.page.getByRole('cell', { name: '1.0.0' }).first().waitFor(soon);
      await one.page
        .locator('main')
        .getByRole('link', { name: /1\.0\.0 → 3/ })
        .waitFor(soon);
      expect([...one.problems, ...other.problems]).toEqual([]);
    });

    test('the second tab of a browser also receives changes, and still does when the first tab is closed', async () => {
      const organization = await server.createOrganization();
      const first = await openAs(organization, '/rules');
      // When its page has loaded, the first tab holds the event stream, so the second tab depends on it.
      await first.page.getByRole('heading', { name: 'Rules' }).waitFor();
      const second = await browser.openBeside(first.page);
      await second.page.goto(`${server.url}/rules`);
      const make = (name: string) =>
        organization.api.call('createRule', {
          body: { name, rule_type: 'days_behind', thresholds: { high: 10 } },
        });
      await second.page.getByRole('heading', { name: 'Rules' }).waitFor();
      await make('Ten days');
      for (const { page } of [first, second])
        await page.getByRole('link', { name: 'Ten days' }).waitFor(soon);
      const takesOver = second.page.waitForRequest((request) => request.url().endsWith('/events'), soon);
      await first.page.close();
      await takesOver;
      await make('Eleven days');
      await second.page.getByRole('link', { name: 'Eleven days' }).waitFor(soon);
      expect(second.problems).toEqual([]);
    });
  });

  describe('sessions', () => {
    /**
     * Simulates an expired access token: deletes its cookie, and changes the stored expiration time in all tabs to a
     * past time.
     */
    async function letTokenRunOut(page: Page, otherTab: Page): Promise<void> {
      await page.context().clearCookies({ name: 'pacekeeper_session' });
      await page.evaluate(() => localStorage.setItem('pacekeeper-login-until', '0'));
      // A change to the local storage reaches other tabs with a delay, so wait until the other tab has it.
      const isKnown = () => otherTab.evaluate(() => localStorage.getItem('pacekeeper-login-until'));
      await expect.poll(isKnown, soon).toBe('0');
    }

    test('an expired access token is renewed silently, and no tab ends the session of another', async () => {
      const organization = await server.createOrganization();
      const first = await openAs(organization, '/rules');
      const second = await browser.openBeside(first.page);
      await second.page.goto(`${server.url}/agents`);
      await second.page.getByRole('heading', { name: 'Agents' }).waitFor();
      const renewals: string[] = [];
      for (const { page } of [first, second])
        page.on('request', (request) => {
          if (request.url().endsWith('/auth/refresh')) renewals.push(page.url());
        });
      for (let round = 1; round <= 3; round++) {
        await letTokenRunOut(first.page, second.page);
        await Promise.all([first, second].map(({ page }) => page.reload()));
        await first.page.getByRole('heading', { name: 'Rules' }).waitFor();
        await second.page.getByRole('heading', { name: 'Agents' }).waitFor();
        // There can be more renewals than rounds: storage changes reach other tabs with a delay, so the second tab can
        // renew the token that the first has just renewed.
        expect(renewals.length).toBeGreaterThanOrEqual(round);
      }
      expect([...first.problems, ...second.problems]).toEqual([]);
    });

    test('a session that ended elsewhere leads to the login page and then back to the same page', async () => {
      const organization = await server.createOrganization();
      const { page } = await openAs(organization, '/rules?q=days');
      await page.getByRole('heading', { name: 'Rules' }).waitFor();
      await page.context().clearCookies();
      await page.reload();
      await page.waitForURL(({ pathname }) => pathname === '/login');
      await fillLogin(page, organization);
      await page.waitForURL(`${server.url}/rules?q=days`);
      await page.getByRole('heading', { name: 'Rules' }).waitFor();
    });
  });

  describe('lists and menus', () => {
    test('clearing the filters keeps the view and the sort order', async () => {
      const organization = await server.createOrganization();
      const { alertIds } = await insertAlerts(server.db, organization.id, { count: 3 });
      await organization.api.call('resolveAlert', { path: { id: alertIds[0]! } });
      const { page, problems } = await openAs(
        organization,
        '/alerts?view=resolved&sort=resolved_at&q=payments&severity=high',
      );
      await page.getByText('1 resolved alert', { exact: true }).waitFor();
      await button(page, 'Clear filters').click();
      await page.waitForURL(({ search }) => !search.includes('q='));
      expect(Object.fromEntries(new URL(page.url()).searchParams)).toEqual({
        view: 'resolved',
        sort: 'resolved_at',
      });
      await page.getByText('1 resolved alert', { exact: true }).waitFor();
      expect(problems).toEqual([]);
    });

    test('the focus returns to its previous element when a menu or a dialog closes', async () => {
      const organization = await server.createOrganization();
      await insertAlerts(server.db, organization.id);
      const { page, problems } = await openAs(organization, '/alerts');
      const menu = page.getByRole('button', { name: /^Actions for payments/ });
      const hasFocus = () => menu.evaluate((element) => element.matches(':focus'));
      // The menu is created when it first opens, so test it twice.
      for (const round of ['first', 'second']) {
        await menu.focus();
        await page.keyboard.press('Enter');
        await page.getByRole('menuitem', { name: 'Acknowledge' }).waitFor();
        await closeMenu(page);
        await expect.poll(hasFocus, { message: `${round} time` }).toBe(true);
      }
      await page.keyboard.press('Enter');
      await page.getByRole('menuitem', { name: 'Resolve' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      await expect.poll(hasFocus, { message: 'after the question' }).toBe(true);
      const escape = async () => {
        await page.getByRole('dialog').waitFor();
        await page.keyboard.press('Escape');
        await page.getByRole('dialog').waitFor({ state: 'detached' });
      };
      for (const keys of ['?', 'Control+k']) {
        await page.keyboard.press(keys);
        await escape();
        await expect.poll(hasFocus, { message: `after ${keys}` }).toBe(true);
      }
      await page.keyboard.press('Enter');
      await page.getByRole('menuitem', { name: 'Custom date' }).click();
      await escape();
      await expect.poll(hasFocus, { message: 'after a dialog from the menu' }).toBe(true);
      await page.getByRole('checkbox', { name: /^Select (?!visible)/ }).click();
      const focused = () => page.evaluate<string>('document.activeElement.innerText');
      const bar = page.getByRole('group', { name: 'Selected alerts' });
      await bar.getByRole('button', { name: 'More actions' }).click();
      await page.getByRole('menuitem', { name: 'Assign' }).click();
      await escape();
      await expect.poll(focused).toBe('More actions');
      expect(problems).toEqual([]);
    });
  });

  describe('administration', () => {
    test('an API key is shown once, works, and can be renamed, disabled, and revoked', async () => {
      const organization = await server.createOrganization();
      const { page, problems } = await openAs(organization, '/api-keys');
      await button(page, 'New API key').click();
      await page.getByRole('dialog').getByLabel(/^Name/).fill('Pipeline');
      await button(page, 'Create API key').click();
      const secret = await page.getByTestId('new-key').innerText();
      expect(secret).toMatch(/^pk_\w+_\w+/);
      const read = () =>
        fetch(`${server.url}/api/v1/client/scrape-jobs`, { headers: { 'x-api-key': secret } });
      const before = (await read()).status;
      expect(before).not.toBe(401);
      await button(page, 'Done').click();
      await page.getByRole('cell', { name: 'Pipeline', exact: true }).waitFor();
      expect(await page.content()).not.toContain(secret);
      await page.reload();
      await page.getByRole('cell', { name: 'Pipeline', exact: true }).waitFor();
      expect(await page.content()).not.toContain(secret);

      const actions = () => button(page, 'Actions for Pipeline').click();
      await actions();
      await page.getByRole('menuitem', { name: 'Disable' }).click();
      await page.getByRole('cell', { name: 'Disabled', exact: true }).waitFor();
      expect((await read()).status).toBe(401);
      await actions();
      await page.getByRole('menuitem', { name: 'Revoke' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
      await page.getByRole('cell', { name: 'Revoked', exact: true }).waitFor();
      expect(problems).toEqual([]);
    });

    test('a person is invited, joins in another browser, gets another role, and is removed', async () => {
      const organization = await server.createOrganization();
      const owner = await openAs(organization, '/members');
      await button(owner.page, 'Invite member').click();
      await owner.page
        .getByRole('dialog')
        .getByLabel(/^Email/)
        .fill('nora@example.org');
      await button(owner.page, 'Create invitation').click();
      const link = await owner.page.getByTestId('one-time-link').innerText();
      await button(owner.page, 'Done').click();
      await owner.page.getByText('nora@example.org as member').waitFor();

      const nora = await browser.open();
      await nora.page.goto(link);
      await nora.page.getByLabel(/^Your name/).fill('Nora');
      await nora.page.locator('input[type=password]').fill('a password of Nora');
      await button(nora.page, 'Create account and join').click();
      await nora.page.getByRole('heading', { name: 'Today', level: 1 }).waitFor();
      await owner.page.getByRole('cell', { name: 'Nora', exact: true }).waitFor();
      // Admin pages aren't offered to a member.
      await navigate(nora.page, 'Settings');
      await nora.page.getByRole('link', { name: 'Feedback', exact: true }).waitFor();
      expect(await nora.page.getByRole('link', { name: 'API keys', exact: true }).count()).toBe(0);

      await owner.page.getByRole('combobox', { name: 'Role for Nora' }).click();
      await owner.page.getByRole('option', { name: /^Admin/ }).click();
      await owner.page.getByText('Role updated').waitFor();
      await nora.page.reload();
      await navigate(nora.page, 'Settings', 'API keys');
      await button(nora.page, 'New API key').first().click();
      await nora.page.getByRole('dialog').getByLabel(/^Name/).fill('Pipeline of Nora');
      await button(nora.page, 'Create API key').click();
      await button(nora.page, 'Done').click();

      // The dialog lists the API keys that stop working.
      await owner.page.getByRole('combobox', { name: 'Role for Nora' }).click();
      await owner.page.getByRole('option', { name: /^Viewer/ }).click();
      await owner.page.getByRole('dialog').getByText('Pipeline of Nora').waitFor();
      await owner.page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
      await button(owner.page, 'Actions for Nora').click();
      await owner.page.getByRole('menuitem', { name: 'Remove' }).click();
      await owner.page.getByRole('dialog').getByText('1 API key they created stops working:').waitFor();
      await owner.page.getByRole('dialog').getByText('Pipeline of Nora').waitFor();
      await owner.page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
      await owner.page.getByRole('cell', { name: 'Nora', exact: true }).waitFor({ state: 'detached' });
      expect([...owner.problems, ...nora.problems]).toEqual([]);
    });

    test('a user sees their sessions and ends the session of another browser', async () => {
      const organization = await server.createOrganization();
      const here = await openAs(organization, '/account');
      const there = await openAs(organization, '/members');
      await here.page.reload();
      const sessions = here.page.getByRole('table', { name: 'sessions' });
      await sessions.getByText('This session').waitFor();
      await sessions.getByRole('button', { name: 'End session of Chrome on Linux' }).click();
      await here.page.getByText('Session ended').waitFor();
      await there.page.reload();
      await there.page.getByRole('heading', { name: 'Log in to Pacekeeper' }).waitFor();
      await button(here.page, 'End all other sessions').click();
      await here.page.getByRole('dialog').getByRole('button', { name: 'End sessions' }).click();
      await here.page.getByText('Other sessions ended').waitFor();
      await sessions.getByText('This session').waitFor();
      expect(here.problems).toEqual([]);
    });

    test('an invitation for a different email address is rejected with a next step', async () => {
      const [organization, other] = [await server.createOrganization(), await server.createOrganization()];
      const { accept_url } = await organization.owner.call('inviteMember', {
        body: { email: 'nils@example.org', role: 'viewer' },
      });
      const { page } = await openAs(other, '/');
      await page.goto(accept_url);
      await button(page, 'Join organization').click();
      await page.getByText('Log in with the invited email address').waitFor();
      await button(page, 'Log out and use another account').click();
      await page.getByLabel(/^Your name/).fill('Nils');
      await page.locator('input[type=password]').fill('a password of Nils');
      await button(page, 'Create account and join').click();
      await page.getByRole('heading', { name: 'Today', level: 1 }).waitFor();
    });

    test('a setting can be overridden and reset to its default, and shows an error for an invalid value', async () => {
      const organization = await server.createOrganization();
      const { page, problems } = await openAs(organization, '/settings');
      const row = page.locator('[data-setting="gather.max_releases"]');
      await row.getByRole('button', { name: 'Edit' }).click();
      await row.getByRole('textbox').fill('250');
      await row.getByRole('button', { name: 'Save' }).click();
      await row.getByText('overridden').waitFor();
      await row.getByText('250', { exact: true }).waitFor();
      const read = async () =>
        (await organization.api.call('listEffectiveSettings')).items.find(
          ({ key }) => key === 'gather.max_releases',
        );
      expect(await read()).toMatchObject({ value: 250, scope: 'organization' });
      await row.getByRole('button', { name: 'Reset to default' }).click();
      await row.getByText('overridden').waitFor({ state: 'detached' });
      expect((await read())?.scope).not.toBe('organization');
      expect(problems).toEqual([]);

      const schedule = page.locator('[data-setting="delivery.retry_schedule_seconds"]');
      await schedule.getByRole('button', { name: 'Edit' }).click();
      await schedule.getByRole('textbox').fill('60, soon');
      await schedule.getByRole('button', { name: 'Save' }).click();
      await schedule.getByText('must be a whole number').waitFor();
      await schedule.locator('[aria-invalid=true]').waitFor();
    });

    test('a changed password replaces the old one and ends all other sessions', async () => {
      const organization = await server.createOrganization();
      const one = await openAs(organization, '/account');
      const other = await openAs(organization, '/rules');
      const fields = one.page.locator('main input[type=password]');
      await fields.nth(0).fill(organization.password);
      await fields.nth(1).fill('another password');
      await fields.nth(2).fill('another passwort');
      await button(one.page, 'Change password').click();
      await one.page.getByText("Passwords don't match.").waitFor();
      await fields.nth(2).fill('another password');
      await button(one.page, 'Change password').click();
      await one.page.getByText('Password changed.').waitFor();
      await navigate(one.page, 'Sources', 'Agents');
      await one.page.getByRole('heading', { name: 'Agents' }).waitFor();
      expect(one.problems).toEqual([]);

      await navigate(other.page, 'Sources');
      await other.page.waitForURL(({ pathname }) => pathname === '/login');
      await fillLogin(other.page, organization);
      await other.page.getByRole('alert').waitFor();
      await fillLogin(other.page, { ...organization, password: 'another password' });
      await other.page.getByRole('heading', { name: 'Upstream sources' }).waitFor();
    });

    test('feedback is stored', async () => {
      const organization = await server.createOrganization();
      const { page, problems } = await openAs(organization, '/feedback');
      await page.getByLabel(/^Message/).fill('More colours, please.');
      await button(page, 'Send feedback').click();
      await page.getByText('Feedback sent. Thank you!').waitFor();
      const rows = await server.db
        .selectFrom('feedback')
        .select('message')
        .where('organization_id', '=', organization.id)
        .execute();
      expect(rows).toEqual([{ message: 'More colours, please.' }]);
      expect(problems).toEqual([]);
    });

    test('switching to another organization hides all data of the previous one', async () => {
      const organization = await server.createOrganization('Acme of the north');
      const south = await server.createOrganization('Acme of the south');
      await sql`
        INSERT INTO memberships (organization_id, user_id, role)
        SELECT ${south.id}, id, 'viewer' FROM users WHERE email = ${organization.email}`.execute(server.db);
      await insertAlerts(server.db, organization.id, { name: 'northern' });
      await insertAlerts(server.db, south.id, { name: 'southern' });
      const { page, problems } = await openAs(organization, '/alerts');
      await page.getByText('northern 1').first().waitFor();
      await button(page, 'Acme of the north').click();
      await page.getByRole('menuitem', { name: /^Acme of the south/ }).click();
      await button(page, 'Acme of the south').waitFor();
      await page.getByRole('link', { name: 'Alerts', exact: true }).first().click();
      await page.getByText('southern 1').first().waitFor();
      expect(await page.getByText('northern').count()).toBe(0);
      // The user is a viewer in the second organization.
      expect(await page.getByRole('button', { name: /^Actions for/ }).count()).toBe(0);
      expect(problems).toEqual([]);
    });
  });
});

describe.skipIf(browserPath === null)(`a lost server connection${noBrowserSuffix}`, () => {
  const folder = temporaryFolder();
  const login = { email: 'ada@example.org', password: 'a password for tests' };
  let program: RunningProgram;
  let browser: TestBrowser;
  let port: number;
  let database: Record<'DATABASE_URL' | 'PACEKEEPER_SECRET_KEY', string>;
  const start = async () => {
    program = runProgram(['serve'], {
      ...database,
      PORT: String(port),
      PACEKEEPER_DATA_DIR: folder,
      PACEKEEPER_EMBEDDED_AGENT: 'false',
      PACEKEEPER_ADMIN_EMAIL: login.email,
      PACEKEEPER_ADMIN_PASSWORD: login.password,
      PACEKEEPER_LOG_LEVEL: 'warn',
    });
    const [, url] = await program.waitForOutput(/running at (\S+)/);
    return url!;
  };
  beforeAll(async () => {
    await ensureWebPage();
    browser = await startBrowser();
    port = await freePort();
    const { connection } = await createTestDatabase();
    database = {
      DATABASE_URL: databaseUrl(connection),
      PACEKEEPER_SECRET_KEY: randomBytes(32).toString('base64'),
    };
  });
  afterAll(async () => {
    await program?.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  test('shows a notice and keeps the loaded data, and the page refetches when the server returns', async () => {
    const url = await start();
    const { page } = await browser.open();
    await logIn(page, url, login, '/rules');
    await page.getByRole('link', { name: 'New rule' }).first().click();
    await page.getByLabel(/^Name/).fill('Yearly');
    await page.getByRole('button', { name: 'Create rule' }).click();
    await page.getByRole('heading', { name: 'Yearly' }).waitFor();
    await page.getByRole('link', { name: 'Rules', exact: true }).first().click();
    await page.getByRole('link', { name: 'Yearly' }).waitFor();

    await program.stop();
    const notice = page.getByText('Connection lost');
    await notice.waitFor();
    await page.getByRole('link', { name: 'Yearly' }).waitFor();
    const read = page.waitForResponse(
      (response) => response.url().includes('/api/v1/client/rules?') && response.ok(),
      { timeout: 60_000 },
    );
    await start();
    await read;
    await notice.waitFor({ state: 'detached' });
    await page.getByRole('link', { name: 'Yearly' }).click();
    await page.getByRole('heading', { name: 'Yearly' }).waitFor();
  });
});

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}
