import axe from 'axe-core';
import { sql } from 'kysely';
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { createAcknowledgeToken } from '../../src/modules/notifications/index.ts';
import { createTokenSigner } from '../../src/platform/secrets/index.ts';
import { insertAlerts } from '../../src/server/server-fixture.ts';
import { browserPath, noBrowserSuffix, startBrowser, type TestBrowser } from '../helpers/browser.ts';
import { isLong } from '../helpers/long-tests.ts';
import {
  type SharedTestServer,
  sharedTestServer,
  type TestOrganization,
  testSecretKey,
} from '../helpers/test-server.ts';

const signer = createTokenSigner({ purpose: 'acknowledge-link', current: testSecretKey });
const hostileName = '<img src=x onerror=alert(1)> "payments" & co';
const longName = 'payments'.repeat(20);

describe.skipIf(browserPath === null)(`an acknowledge link in a browser${noBrowserSuffix}`, () => {
  let server: SharedTestServer;
  let browser: TestBrowser;
  beforeAll(async () => {
    server = await sharedTestServer();
    browser = await startBrowser();
  });

  async function createWorld({ asksForLogin = false, name = 'payments' } = {}) {
    const organization = await server.createOrganization();
    const channel = await organization.api.call('createNotificationChannel', {
      body: {
        name: 'Operations',
        url: 'http://127.0.0.1:9/hook',
        require_login_to_acknowledge: asksForLogin,
      },
    });
    const { alertIds } = await insertAlerts(server.db, organization.id, { name });
    const alertId = alertIds[0]!;
    const target = { organizationId: organization.id, alertId, channelId: channel.id };
    const { rows } = await sql<{ now: Date }>`SELECT pacekeeper_now() AS now`.execute(server.db);
    const link = `${server.url}/ack/${createAcknowledgeToken(signer, target, rows[0]!.now)}`;
    const read = () => organization.api.call('getAlert', { path: { id: alertId } });
    const countAcknowledged = async () => {
      const { items } = await organization.api.call('listAlertActions', { path: { id: alertId } });
      return items.filter(({ action }) => action === 'acknowledged').length;
    };
    return { organization, link, read, countAcknowledged };
  }

  /** Logs in through the page, so that the browser stores the cookies. */
  async function logIn(page: Page, { email, password }: TestOrganization): Promise<void> {
    const answer = await page.request.post(`${server.url}/api/v1/auth/login`, { data: { email, password } });
    expect(answer.status()).toBe(200);
  }

  test('shows the alert, changes nothing until its button is clicked, and reports a second click', async () => {
    const { link, read, countAcknowledged } = await createWorld({ name: hostileName });
    const first = await browser.open();
    await first.page.goto(link);
    const second = await browser.openBeside(first.page);
    await second.page.goto(link);
    await first.page.reload();
    expect(await first.page.title()).toBe(`Acknowledge ${hostileName} 1? · Pacekeeper`);
    expect(await first.page.getByRole('definition').first().textContent()).toBe(`${hostileName} 1`);
    expect(await read()).toMatchObject({ status: 'unacknowledged' });

    await first.page.getByRole('button', { name: 'Acknowledge' }).click();
    await first.page.getByRole('heading', { name: 'Acknowledged', exact: true }).waitFor();
    expect(await read()).toMatchObject({ status: 'acknowledged', acknowledged_by: { type: 'link' } });

    // The other tab still has its button.
    await second.page.getByRole('button', { name: 'Acknowledge' }).click();
    await second.page.getByRole('heading', { name: 'Already acknowledged' }).waitFor();
    // Reloading the response of a form submits the form again.
    await first.page.reload();
    await first.page.getByRole('heading', { name: 'Already acknowledged' }).waitFor();
    expect(await countAcknowledged()).toBe(1);
    expect([...first.problems, ...second.problems]).toEqual([]);
  });

  test('hides the alert until the user logs in if a login is required, and then acknowledges as that user', async () => {
    const { organization, link, read } = await createWorld({ asksForLogin: true });
    const { page, problems } = await browser.open();
    await page.goto(link);
    expect(await page.locator('main').textContent()).not.toContain('payments');
    expect(await page.getByRole('button').count()).toBe(0);
    const toLogin = new URL(
      (await page.getByRole('link', { name: 'Log in' }).getAttribute('href'))!,
      page.url(),
    );
    expect(toLogin.pathname).toBe('/login');
    const next = new URL(toLogin.searchParams.get('next')!, page.url());
    expect(next.href).toBe(link);
    expect(problems).toEqual([]);

    await logIn(page, organization);
    await page.goto(next.href);
    await page.getByRole('button', { name: 'Acknowledge' }).click();
    await page.getByRole('heading', { name: 'Acknowledged', exact: true }).waitFor();
    expect(await read()).toMatchObject({ status: 'acknowledged', acknowledged_by: { type: 'user' } });
    expect(problems).toEqual([]);
  });

  test('runs no scripts and loads no resources from the name of an alert', async () => {
    const { link } = await createWorld({ name: hostileName });
    const { page } = await browser.open();
    const loaded: string[] = [];
    page.on('request', (request) => loaded.push(request.url()));
    await page.goto(link);
    await page.waitForLoadState('networkidle');
    expect(loaded).toEqual([link]);
    // The content security policy also blocks a script that is added later.
    await page.evaluate(`{
      const script = document.createElement('script');
      script.textContent = 'document.title = "it ran"';
      document.body.append(script);
    }`);
    expect(await page.title()).not.toBe('it ran');
    // The content security policy allows the page's own style.
    const width = await page.locator('main').evaluate((main) => main.getBoundingClientRect().width);
    expect(width).toBeLessThan(650);
  });

  const sizes = [
    ['dark', 390],
    ['light', 1280],
    ['dark', 1280],
    ['light', 390],
  ] as const;
  test.each(isLong ? sizes : sizes.slice(0, 2))(
    'shows every page readably in %s mode in a window that is %i pixels wide',
    async (colorScheme, width) => {
      const world = await createWorld({ name: longName });
      const other = await createWorld({ asksForLogin: true });
      const { page } = await browser.open({ colorScheme, viewport: { width, height: 844 } });
      const seen: string[] = [];
      const look = async () => {
        seen.push(await page.title());
        expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width);
        const colours = await page.evaluate<string>('getComputedStyle(document.body).backgroundColor');
        expect(luminance(colours) < 0.5).toBe(colorScheme === 'dark');
        expect(await violations(page)).toEqual([]);
        for (const each of await page.locator('button, .button').all()) {
          // A touch target is at least 44 pixels high.
          expect((await each.boundingBox())!.height).toBeGreaterThanOrEqual(44);
        }
      };
      await page.goto(`${server.url}/ack/nothing`);
      await look();
      await page.goto(other.link);
      await look();
      await page.goto(world.link);
      await look();
      await page.getByRole('button').click();
      await page.getByRole('heading', { name: 'Acknowledged', exact: true }).waitFor();
      await look();
      expect(new Set(seen).size).toBe(4);
    },
  );
});

/** Returns the violations of WCAG 2.2 AA on the page. */
async function violations(page: Page): Promise<string[]> {
  await page.evaluate(axe.source);
  return page.evaluate<
    string[]
  >(`axe.run({ runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'] })
    .then(({ violations }) => violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => id + ': ' + html)))`);
}

/** Returns the luminance of an `rgb(…)` color, from 0 for black to 1 for white. */
function luminance(colour: string): number {
  const [red = 0, green = 0, blue = 0] = colour.match(/\d+/g)!.map(Number);
  return (0.2126 * red + 0.7152 * green + 0.0722 * blue) / 255;
}
