import { sql } from 'kysely';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Database } from '../../src/platform/database/index.ts';
import { browserPath, noBrowserSuffix, startBrowser, type TestBrowser } from '../helpers/browser.ts';
import {
  closeMenu,
  headersOfEmptyCells,
  logIn,
  narrowColumns,
  navigateInPage,
  overlappingTexts,
  scrollsSideways,
  seriousViolations,
  switchColorScheme,
  truncatedNames,
  watchRequests,
} from '../helpers/browser-checks.ts';
import { isLong } from '../helpers/long-tests.ts';
import { type PageRoute, readPageRoutes } from '../helpers/page-routes.ts';
import { buildPageWorld, type PageLogin, type PageWorld } from '../helpers/page-world.ts';
import { startTestServer, type TestServer } from '../helpers/test-server.ts';
import { ensureWebPage } from '../helpers/web-page.ts';

const beforeTheLogin = ['/login', '/invitations/accept', '/reset-password'];
const routes = readPageRoutes();
const routesBehindLogin = routes.filter(({ path }) => !beforeTheLogin.includes(path));

/** Actions that are available to a viewer: changing the view, copying, and exporting. */
const reading = [
  /^(Export|Print|Copy|Clear|Show|Hide|Open|Close|Expand|Group|Filter)\b/,
  /^(Switch to|Skip|Details|Changes only|More$|Back|Try again$)/,
];
/**
 * Actions that are available to every role, by page: feedback, the user's own password, and simulations that
 * change nothing.
 */
const everybodys: Readonly<Record<string, readonly RegExp[]>> = {
  // The bar of a team selects the team.
  '/': [/^places: \d+ /m],
  '/feedback': [/^Send feedback$/],
  // Every user who can log in can authorize a CLI.
  '/device': [/^Continue$/],
  '/forecast': [/^Subscribe to calendar$/],
  '/support': [/^Subscribe to calendar$/],
  '/software': [
    /^Save this view$/,
    /^(Latest|Behind|Severity|State|Support|Deployed|Rule|Upstream|Monitors)/,
    /^Reset to default$/,
  ],
  '/notification-rules': [/^Add label$/, /^Simulate$/],
  '/account': [
    /^Change password$/,
    /^Set up two-factor authentication$/,
    /^Toggle password/,
    /^End all other sessions$/,
  ],
};

describe.skipIf(browserPath === null)(`every page of an installation with data${noBrowserSuffix}`, () => {
  let server: TestServer;
  let browser: TestBrowser;
  let world: PageWorld;
  beforeAll(async () => {
    await ensureWebPage();
    server = await startTestServer({ PACEKEEPER_EMBEDDED_AGENT: 'true' });
    world = await buildPageWorld(server);
    browser = await startBrowser();
  }, 300_000);
  afterAll(() => world?.close());

  /**
   * Returns the URLs of a page: one for the first resource that `$id` can refer to, or with
   * `PACEKEEPER_LONG_TESTS=1` one for each.
   */
  function addressesOf({ path }: PageRoute): string[] {
    if (!path.includes('$')) return [path];
    const ids = world.ids[path];
    if (!ids?.length) throw new Error(`The world of the pages has nothing for ${path}: add it there.`);
    return (isLong ? ids : ids.slice(0, 1)).map((id) => path.replace('$id', String(id)));
  }

  type Session = Awaited<ReturnType<typeof open>>;
  async function open(login: PageLogin | null, options: BrowserContextOptions = {}) {
    const { page, problems } = await browser.open({ viewport: { width: 1280, height: 900 }, ...options });
    const { sent, settle } = watchRequests(page);
    if (login) await logIn(page, server.url, login);
    const goTo = async (address: string) => {
      await page.goto(`${server.url}${address}`);
      await settle();
    };
    /**
     * Navigates as a link does, without reloading the page. With `PACEKEEPER_LONG_TESTS=1`, loads the whole
     * page.
     */
    const follow = async (address: string) => {
      if (isLong) return goTo(address);
      await navigateInPage(page, address);
      await settle();
    };
    return { page, problems, sent, settle, goTo, follow };
  }

  describe('accessibility, window widths, and requests', () => {
    const colorSchemes = ['light', 'dark'] as const;
    type ColorScheme = (typeof colorSchemes)[number];
    const allWidths = [360, 600, 768, 780, 850, 900, 1024, 1100, 1200, 1280, 1600];
    /** Widths without `PACEKEEPER_LONG_TESTS=1`. Each page is checked at one of them, and at 390 and 1280. */
    const someWidths = [780, 900, 1024, 1150];
    let sessions: Record<ColorScheme, Session>;
    // Each color scheme has its own session, because changing the colors of a page takes longer than opening
    // it.
    const openIn = (colorScheme: ColorScheme, login: PageLogin | null) => open(login, { colorScheme });
    beforeAll(async () => {
      sessions = { light: await openIn('light', world.owner), dark: await openIn('dark', world.owner) };
    });

    /** Pages with their color scheme. With `PACEKEEPER_LONG_TESTS=1`, each page is checked in both. */
    const checked = routes.flatMap((route, index) =>
      (isLong ? colorSchemes : [colorSchemes[index % 2]!]).map(
        (colors) => [route.path, colors, route, index] as const,
      ),
    );

    test.each(checked)(
      'the page %s in %s colors is accessible and readable at every tested width',
      async (path, colors, route, index) => {
        const widths = isLong ? allWidths : [someWidths[index % someWidths.length]!];
        const isPublic = beforeTheLogin.includes(path);
        const session = isPublic ? await openIn(colors, null) : sessions[colors];
        session.problems.splice(0);
        session.sent.splice(0);
        for (const address of addressesOf(route)) {
          await session.page.setViewportSize({ width: 1280, height: 900 });
          await (isPublic ? session.goTo(address) : session.follow(address));
          await look(session, address, colors);
          if (!isPublic) await resize(session, address, widths);
        }
        expect(session.sent.map((request) => request.url()).filter(isElsewhere)).toEqual([]);
        expect(session.problems).toEqual([]);
      },
    );

    test('with reduced motion, a change of all colors starts no transitions', async () => {
      const { page } = sessions.light;
      expect(
        await page.evaluate<string[]>(
          '[...new Set([...document.querySelectorAll("*")].map((each) => getComputedStyle(each).transitionDuration))]',
        ),
      ).toEqual(['0s']);
    });

    /** Checks at each width that the columns are wide enough to read and that the page doesn't scroll sideways. */
    async function resize(
      { page, settle }: Session,
      address: string,
      widths: readonly number[],
    ): Promise<void> {
      for (const width of widths) {
        await page.setViewportSize({ width, height: 900 });
        await settle();
        expect(await narrowColumns(page), `${address} has narrow columns at ${width}`).toEqual([]);
        expect(await scrollsSideways(page), `${address} scrolls sideways at ${width}`).toBe(false);
      }
    }

    async function look({ page, settle }: Session, address: string, colors: ColorScheme): Promise<void> {
      expect(new URL(page.url()).pathname).toBe(address);
      expect(await page.locator('h1').count(), 'headings of the first level').toBe(1);
      const heading = await page.locator('h1').innerText();
      expect(heading).not.toMatch(/not found/i);
      expect(await page.title()).toBe(`${heading} · Pacekeeper`);
      await switchColorScheme(page, colors);
      expect(await seriousViolations(page), `${address} in ${colors} colors`).toEqual([]);
      expect(await scrollsSideways(page), `${address} scrolls sideways at 1280`).toBe(false);
      expect(await truncatedNames(page), `${address} cuts off names at 1280`).toEqual([]);
      expect(await overlappingTexts(page), `${address} has overlapping columns at 1280`).toEqual([]);
      await page.setViewportSize({ width: 390, height: 800 });
      await settle();
      expect(await headersOfEmptyCells(page), `${address} shows headers of nothing at 390`).toEqual([]);
      expect(await scrollsSideways(page), `${address} scrolls sideways at 390`).toBe(false);
      if (isLong)
        expect(await seriousViolations(page), `${address} on a narrow screen in ${colors} colors`).toEqual(
          [],
        );
    }
  });

  const isElsewhere = (url: string) => !url.startsWith(`${server.url}/`) && !/^(data|blob):/.test(url);

  describe('permitted actions', () => {
    let session: Session;
    beforeAll(async () => {
      session = await open(world.viewer);
    });

    test.each(routesBehindLogin.map((route) => [route.path, route] as const))(
      'the page %s offers a viewer only permitted actions',
      async (path, route) => {
        const { page, problems, follow } = session;
        problems.splice(0);
        const allowed = [...reading, ...(everybodys[path] ?? [])];
        for (const address of addressesOf(route)) {
          await follow(address);
          const offered = await offeredActions(page);
          expect(
            offered.filter((name) => !allowed.some((pattern) => pattern.test(name))),
            address,
          ).toEqual([]);
        }
        expect(problems).toEqual([]);
      },
    );

    test('the owner gets actions that the viewer lacks', async () => {
      // This test proves that `offeredActions` finds actions, so the tests above can fail.
      const { page, follow } = await open(world.owner);
      await follow(addressesOf({ path: '/alerts/$id', name: 'alert' })[0]!);
      expect(await offeredActions(page)).toEqual(expect.arrayContaining(['Acknowledge', 'Resolve']));
      await follow('/rules');
      expect(await offeredActions(page)).toContain('New rule');
    });
  });

  describe('outdated links', () => {
    let session: Session;
    beforeAll(async () => {
      session = await open(world.owner);
    });

    const resourcePaths = routes.filter(({ path }) => path.endsWith('/$id')).map(({ path }) => path);
    test.each(resourcePaths)(
      'the page %s of a missing resource shows that it was not found',
      async (path) => {
        const { page, follow } = session;
        await follow(path.replace('$id', '999999999'));
        await page.getByRole('heading', { level: 1, name: 'Not found' }).waitFor();
        expect(await page.title()).toBe('Not found · Pacekeeper');
        const back = page.locator('main header a');
        expect(await back.getAttribute('href')).toBe(path.replace('/$id', ''));
        expect(await page.getByRole('button', { name: 'Try again' }).count()).toBe(0);
      },
    );
  });

  // These tests run last, because they overwrite every name in the database.
  describe('hostile input', () => {
    let session: Session;
    const shownOn = new Set<string>();
    beforeAll(async () => {
      expect(await makeHostile(server.db)).toEqual(
        expect.arrayContaining(['rules.name', 'alerts.release_url', 'releases.url', 'users.name']),
      );
      session = await open(world.owner);
    });

    test.each(routesBehindLogin.map((route) => [route.path, route] as const))(
      'the page %s runs no script from a hostile name',
      async (path, route) => {
        const { page, problems, follow } = session;
        problems.splice(0);
        for (const address of addressesOf(route)) {
          await follow(address);
          expect(await page.locator('img[src="x"], script:not([src]), [onerror]').count(), address).toBe(0);
          expect(await page.locator('[href^="javascript:" i], [src^="javascript:" i]').count(), address).toBe(
            0,
          );
          if ((await page.locator('body').innerText()).includes('<img src=x')) shownOn.add(path);
        }
        expect(problems).toEqual([]);
      },
    );

    test('the hostile text appears on more than 25 pages', () => {
      expect(shownOn.size).toBeGreaterThan(25);
    });
  });
});

/** Markup that runs a script if a page renders it as HTML. */
const markup = '<img src=x onerror=alert(1)><script>alert(1)</script>';
const scriptLink = 'javascript:alert(1)//';

/**
 * Writes hostile values to every name, text, and URL that a user or an upstream provided. Returns the names
 * of the changed columns.
 */
async function makeHostile(db: Database): Promise<string[]> {
  const { rows: columns } = await sql<{ table: string; column: string }>`
    SELECT table_name AS table, column_name AS column FROM information_schema.columns
    JOIN information_schema.tables USING (table_schema, table_name)
    WHERE table_schema = 'public' AND table_type = 'BASE TABLE' AND data_type = 'text'
      AND table_name NOT IN ('housekeeping_tasks', 'runs', 'reference_sources')`.execute(db);
  const written: string[] = [];
  for (const { table, column } of columns) {
    const isText = /(^|_)(name|description|message|notes|note|tag|file|ref|body|page)$/.test(column);
    const isLink = /(^|_)url$/.test(column);
    if (!isText && !isLink) continue;
    // Release URLs must start with http or https. Otherwise, no API response contains them.
    const isWeb = /^(release_)?url$/.test(column);
    const value = isWeb
      ? sql`${sql.ref(column)} || ${`#"${markup}`}`
      : isLink
        ? sql`${scriptLink} || ${sql.ref(column)}`
        : sql`left(${markup} || ' ' || ${sql.ref(column)}, 120)`;
    await sql`UPDATE ${sql.table(table)} SET ${sql.ref(column)} = ${value} WHERE ${sql.ref(column)} <> ''`.execute(
      db,
    );
    written.push(`${table}.${column}`);
  }
  return written;
}

/**
 * Returns the names of buttons, switches, menu items, and links to creation pages, but not of column headers,
 * which only sort.
 */
async function offeredActions(page: Page): Promise<string[]> {
  const main = page.locator('main');
  const found = [
    ...(await namesOf(main.getByRole('button', { disabled: false }))),
    ...(await namesOf(main.getByRole('switch', { disabled: false }))),
    ...(await namesOf(main.locator('a[href$="/new"]:visible'))),
  ];
  for (const menu of await main.locator('button[aria-haspopup=menu]:visible').all()) {
    await menu.click();
    await page.getByRole('menuitem').first().waitFor();
    found.push(...(await namesOf(page.getByRole('menuitem'))));
    await closeMenu(page);
  }
  return [...new Set(found)];
}

const namesOf = (items: ReturnType<Page['locator']>): Promise<string[]> =>
  items.evaluateAll((elements) =>
    elements
      .filter((element) => !element.matches('[role=columnheader] *, [aria-haspopup=menu]'))
      .map(
        (element) =>
          element.getAttribute('aria-label') ||
          element.labels?.[0]?.innerText ||
          element.innerText.trim() ||
          element.outerHTML.slice(0, 300),
      ),
  );
