/**
 * `npm run screenshots` takes pictures of every page and writes them to docs/screenshots/: light and dark at
 * 1280 pixels, and light at 390. It creates a temporary installation for them, and requires Chromium.
 * Arguments choose pages, such as `alerts fleet`. `--fleet FOLDER` writes full-page pictures to that
 * directory instead, at both widths and in both color schemes, with 300 resources in three environments. It
 * also takes pictures of scenes (`screenshot-scenes.ts`): dialogs, errors, printed pages, and the
 * documentation. `PREFIX*` chooses all names with this prefix, and `!` excludes a name or prefix.
 */
import { randomBytes } from 'node:crypto';
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { sql } from 'kysely';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { loadLifecycles } from '../src/modules/reference/index.ts';
import { readConfig } from '../src/platform/config.ts';
import { connectDatabase, type Database, startEmbeddedPostgres } from '../src/platform/database/index.ts';
import { createSilentLog } from '../src/platform/log.ts';
import { startServer } from '../src/server/start-server.ts';
import { browserPath } from '../tests/helpers/browser.ts';
import { logIn, switchColorScheme, watchRequests } from '../tests/helpers/browser-checks.ts';
import { databaseUrl } from '../tests/helpers/database-url.ts';
import { addFleet } from '../tests/helpers/fleet-world.ts';
import { type PageRoute, readPageRoutes } from '../tests/helpers/page-routes.ts';
import { buildPageWorld, type PageWorld } from '../tests/helpers/page-world.ts';
import { lifecycleProduct } from '../tests/helpers/reference-fixture.ts';
import { temporaryFolder } from '../tests/helpers/temporary-folder.ts';
import { buildWeb, isWebBuilt } from './build-web.ts';
import { packPng } from './pack-png.ts';
import { type Scene, sceneLogins, scenesOf } from './screenshot-scenes.ts';

const { values: options, positionals: wanted } = parseArgs({
  options: { fleet: { type: 'string' } },
  allowPositionals: true,
});
const isFleet = options.fleet !== undefined;
const target = options.fleet ?? fileURLToPath(new URL('../docs/screenshots', import.meta.url));
const beforeTheLogin = ['login', 'accept-invitation', 'reset-password'];
const wide = { width: 1280, height: 800 };
const narrow = { width: 390, height: 844 };

async function main(): Promise<void> {
  if (browserPath === null) throw new Error('There is no Chromium. Name one in PACEKEEPER_TEST_BROWSER.');
  if (!isWebBuilt()) await buildWeb();
  mkdirSync(target, { recursive: true });
  if (wanted.length === 0 && !isFleet)
    for (const file of readdirSync(target)) rmSync(path.join(target, file));

  const folder = temporaryFolder();
  const log = createSilentLog();
  const cleanUps = [() => rmSync(folder, { recursive: true, force: true })] as (() => unknown)[];
  try {
    const postgres = await startEmbeddedPostgres({ dataDir: path.join(folder, 'data'), log });
    cleanUps.push(() => postgres.stop());
    const config = readConfig({
      PORT: '0',
      DATABASE_URL: databaseUrl(postgres.connection),
      PACEKEEPER_SECRET_KEY: randomBytes(32).toString('base64'),
      PACEKEEPER_DATA_DIR: path.join(folder, 'server'),
      PACEKEEPER_REFERENCE_DATA: 'off',
      PACEKEEPER_EGRESS_ALLOW: '127.0.0.1/32',
      PACEKEEPER_INSECURE_HOSTS: '127.0.0.1',
      PACEKEEPER_ALLOW_HTTP_WEBHOOKS: 'true',
      PACEKEEPER_RATE_LIMIT_PER_MINUTE: '0',
      PACEKEEPER_LOG_LEVEL: 'error',
    });
    const server = await startServer(config, log);
    cleanUps.push(() => server.stop());
    const db = await connectDatabase({ connection: postgres.connection, log, poolSize: 1 });
    cleanUps.push(() => db.destroy());
    const world = await buildPageWorld({ url: server.url, db });
    cleanUps.push(() => world.close());
    await showEnvironments(world);
    const pages = [...readPageRoutes(), await showEndOfLife(db, world)];
    if (isFleet) await addFleet(db, world);
    const scenes = isFleet ? await scenesOf(world, db) : [];
    await makePresentable(db, world);
    const browser = await chromium.launch({
      executablePath: browserPath,
      args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
    });
    cleanUps.push(() => browser.close());
    for (const route of pages.filter(isWanted)) await takePictures(browser, server.url, world, route);
    const failed: string[] = [];
    for (const scene of scenes.filter(isWanted)) {
      await takeScene(browser, server.url, world, scene).catch((error: unknown) => {
        failed.push(scene.name);
        console.error(`${scene.name}: ${String(error).split('\n').slice(0, 8).join('\n')}`);
      });
    }
    if (failed.length > 0) throw new Error(`Scenes failed: ${failed.join(', ')}`);
  } finally {
    for (const cleanUp of cleanUps.toReversed()) await cleanUp();
  }
}

function isWanted({ name }: { name: string }): boolean {
  const matches = (pattern: string) =>
    pattern.endsWith('*') ? name.startsWith(pattern.slice(0, -1)) : name === pattern;
  const [excluded, included] = [true, false].map((isExcluded) =>
    wanted.filter((pattern) => pattern.startsWith('!') === isExcluded),
  );
  if (excluded!.some((pattern) => matches(pattern.slice(1)))) return false;
  return included!.length === 0 || included!.some(matches);
}

/** Browser sessions by user. They are reused, because logins are rate-limited. */
const sessions = new Map<string, Awaited<ReturnType<BrowserContext['storageState']>>>();

/**
 * Takes the pictures of a scene. Each screen size gets a new browser context, so that dialogs that the scene
 * has opened don't appear in the next picture.
 */
async function takeScene(
  browser: Browser,
  url: string,
  world: PageWorld,
  { name, path: address, as = 'owner', prepare, act, isPrinted = false }: Scene,
): Promise<void> {
  const shownAt = isPrinted
    ? [{ viewport: { width: 794, height: 1123 }, suffix: 'print' }]
    : [
        { viewport: wide, suffix: 'light' },
        { viewport: narrow, suffix: 'narrow' },
      ];
  for (const { viewport, suffix } of shownAt) {
    const context = await browser.newContext({ viewport, storageState: sessions.get(as) });
    try {
      const shown = await context.newPage();
      shown.setDefaultTimeout(10_000);
      const watched = watchRequests(shown);
      // Stop waiting after 8 seconds. Some pages are never ready: while the server is unavailable, a page
      // keeps sending requests, and some errors have no heading to wait for.
      const settle = () => Promise.race([watched.settle(), sleep(8_000)]);
      await shown.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
      if (as !== 'stranger' && !sessions.has(as))
        await logIn(shown, url, { ...world, ...sceneLogins }[as], '/favicon.svg');
      await prepare?.(shown);
      await shown.goto(url + address);
      await settle();
      if (isPrinted) await shown.emulateMedia({ media: 'print', colorScheme: 'light' });
      await act?.(shown);
      if (act) await settle();
      await shown.evaluate('window.scrollTo(0, 0)');
      // Grow the viewport so that a tall dialog is completely visible.
      const height = await shown.evaluate<number>(
        "Math.max(0, ...[...document.querySelectorAll('.mantine-Modal-content, .mantine-Drawer-body')].map((each) => each.scrollHeight + 120))",
      );
      if (height > viewport.height) await shown.setViewportSize({ ...viewport, height });
      await save(shown, `${name}-${suffix}`);
      if (isPrinted) continue;
      // The documentation and the API reference follow only the browser's color scheme.
      if (/^\/(?:docs|api)/.test(address)) {
        await shown.emulateMedia({ colorScheme: 'dark' });
        await shown.reload();
        await settle();
      } else {
        await switchColorScheme(shown, 'dark');
      }
      await save(shown, suffix === 'light' ? `${name}-dark` : `${name}-${suffix}-dark`);
    } finally {
      // Store the session again, because the scene may have renewed it.
      if (as !== 'stranger') sessions.set(as, await context.storageState());
      await context.close();
    }
  }
  console.log(name);
}

let page: Page | undefined;

async function takePictures(
  browser: Browser,
  url: string,
  world: PageWorld,
  route: PageRoute,
): Promise<void> {
  const isPublic = beforeTheLogin.includes(route.name);
  const newPage = async () => (await browser.newContext({ viewport: wide })).newPage();
  if (!isPublic && !page) await logIn((page = await newPage()), url, world.owner);
  const shown = isPublic ? await newPage() : page!;
  const { settle } = watchRequests(shown);
  await shown.setViewportSize(wide);
  await shown.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
  await shown.goto(url + route.path.replace('$id', String(world.ids[route.path]?.[0])));
  await settle();
  for (const colours of ['light', 'dark'] as const) {
    await switchColorScheme(shown, colours);
    await save(shown, `${route.name}-${colours}`);
  }
  await switchColorScheme(shown, 'light');
  await shown.setViewportSize(narrow);
  await settle();
  await save(shown, `${route.name}-narrow`);
  if (isFleet) {
    await switchColorScheme(shown, 'dark');
    await save(shown, `${route.name}-narrow-dark`);
  }
  if (isPublic) await shown.context().close();
  console.log(route.name);
}

async function save(shown: Page, name: string): Promise<void> {
  const isOverlaid = await shown
    .locator('.mantine-Modal-content, .mantine-Drawer-content')
    .first()
    .isVisible();
  const picture =
    isFleet && !isOverlaid ? await captureWholePage(shown) : await shown.screenshot({ caret: 'hide' });
  writeFileSync(path.join(target, `${name}.png`), isFleet ? picture : packPng(picture));
}

/** Maximum height of a picture. Pages with long lists are longer. */
const maxHeight = 4_000;

/**
 * Captures a page in a window with the height of the page. A capture beyond the window would show only the first rows of a
 * list, because lists render only visible rows. Printed pages contain all rows.
 */
async function captureWholePage(shown: Page): Promise<Buffer> {
  if (await shown.evaluate<boolean>("matchMedia('print').matches"))
    return shown.screenshot({ caret: 'hide', fullPage: true });
  const { width, height } = shown.viewportSize()!;
  // Rows that become visible are measured, and can change the height of the page.
  for (let pass = 0; pass < 2; pass++) {
    const pageHeight = await shown.evaluate<number>('document.documentElement.scrollHeight');
    await shown.setViewportSize({ width, height: Math.min(Math.max(height, pageHeight), maxHeight) });
    await shown.evaluate(
      'new Promise((resolve) => requestAnimationFrame(() => requestIdleCallback(resolve, { timeout: 500 })))',
    );
    // While the server is unavailable, placeholders stay.
    await Promise.race([
      shown.locator('.mantine-Skeleton-root').first().waitFor({ state: 'detached' }),
      sleep(3_000),
    ]).catch(() => null);
  }
  const picture = await shown.screenshot({ caret: 'hide' });
  await shown.setViewportSize({ width, height });
  return picture;
}

/** Creates three environments with four services and typical drift between them. */
async function showEnvironments({ api }: PageWorld): Promise<void> {
  const environments = ['integration', 'staging', 'production'];
  await api.call('putOrgOverride', { path: { key: 'environments.order' }, body: { value: environments } });
  const deployed = {
    cart: ['3.2.0', '3.2.0', '3.1.4'],
    checkout: ['2.6.0', '2.5.2'],
    payments: ['1.19.0', '1.19.0', '1.19.0'],
    search: ['8.0.1', '7.4.0', '7.4.0'],
  };
  for (const [service, versions] of Object.entries(deployed)) {
    for (const [index, version] of versions.entries()) {
      const environment = environments[index]!;
      const { id } = await api.call('createScrapeJob', {
        body: {
          name: `${service} in ${environment}`,
          parser_type: 'manual',
          labels: {
            service,
            environment,
          },
        },
      });
      await api.call('setScrapeJobVersion', { path: { id }, body: { version } });
    }
  }
}

/**
 * Creates an end-of-life monitor with the dates of Node.js.
 * @returns The route of its page.
 */
async function showEndOfLife(db: Database, { api }: PageWorld): Promise<PageRoute> {
  const ends = { '20': '2026-04-30', '22': '2027-04-30', '24': '2028-04-30', '26': '2029-04-30' };
  const product = { ...lifecycleProduct('nodejs', ends), label: 'Node.js' };
  await loadLifecycles(db, { asOfMs: Date.now(), products: [product] });
  const { items } = await api.call('listGatherJobs', { query: { q: 'node' } });
  const gather = items.find(({ name }) => name === 'node')!;
  await api.call('updateGatherJob', { path: { id: gather.id }, body: { lifecycle_product: 'nodejs' } });
  const scrape = await api.call('createScrapeJob', {
    body: { name: 'Accounts: node', parser_type: 'manual' },
  });
  await api.call('setScrapeJobVersion', { path: { id: scrape.id }, body: { version: '22.11.0' } });
  const rule = await api.call('createRule', {
    body: {
      name: 'Supported',
      rule_type: 'end_of_life',
      thresholds: {
        moderate: 180,
        high: 60,
        critical: 0,
      },
    },
  });
  const parts = { scrape_job_id: scrape.id, gather_job_id: gather.id, rule_id: rule.id };
  const { id } = await api.call('createAlertConfig', {
    body: { name: 'Accounts: support of Node.js', ...parts, labels: { team: 'platform' } },
  });
  while ((await api.call('getAlertConfig', { path: { id } })).last_evaluated_at === null) await sleep(100);
  return { path: `/alert-configs/${id}`, name: 'end-of-life' };
}

/**
 * Gives the fake upstreams the names of the real hosts that they replace, and turns a minute of activity into
 * a history of months.
 */
async function makePresentable(db: Database, { standIns, organizationId }: PageWorld): Promise<void> {
  // Postpone all jobs, because the fake upstreams can't be reached under the real names.
  for (const table of ['gather_jobs', 'scrape_jobs', 'helm_sync_jobs']) {
    await sql`
      UPDATE ${sql.table(table)} SET due_at = pacekeeper_now() + (60 + id * 37 % 300) * interval '1 minute'
      WHERE due_at < 'infinity'`.execute(db);
  }
  const columns = {
    gather_jobs: ['artifact_name'],
    releases: ['url'],
    scrape_jobs: ['repository_url'],
    helm_sync_jobs: ['repository_url'],
    alerts: ['artifact_name', 'release_url', 'repository_url'],
    notification_channels: ['url_masked'],
    runs: ['error_message'],
  };
  for (const [name, standsFor] of Object.entries(standIns)) {
    for (const [table, names] of Object.entries(columns)) {
      for (const column of names.map((each) => sql.ref(each))) {
        await sql`
          UPDATE ${sql.table(table)} SET ${column} = replace(${column}, ${name}, ${standsFor})
          WHERE ${column} LIKE ${`%${name}%`}`.execute(db);
      }
    }
  }
  await sql`
    UPDATE releases SET url = replace(url, 'http://github.com', 'https://github.com') WHERE url LIKE 'http://github.com%'`.execute(
    db,
  );
  await sql`
    UPDATE versions SET discovered_at = discovered_at - (70 * older + 20) * interval '1 day',
      created_at = created_at - (70 * older + 20) * interval '1 day'
    FROM (
      SELECT id AS ranked_id, row_number() OVER (PARTITION BY scrape_job_id ORDER BY id DESC) - 1 AS older FROM versions
    ) AS ranked
    WHERE id = ranked_id AND organization_id = ${organizationId}`.execute(db);
  await sql`
    UPDATE alerts SET created_at = created_at - (id * 7 % 26 + 2) * interval '1 day',
      resolved_at = resolved_at - (id * 3 % 2) * interval '1 day', acknowledged_at = acknowledged_at - interval '5 hours'
    WHERE organization_id = ${organizationId}`.execute(db);
  // Recompute the past days from the new history.
  await sql`UPDATE freshness_states SET basis = NULL, requested_seq = requested_seq + 1, due_at = pacekeeper_now()`.execute(
    db,
  );
  for (;;) {
    const { rows } = await sql`SELECT FROM freshness_states WHERE processed_seq < requested_seq`.execute(db);
    if (rows.length === 0) return;
    await sleep(100);
  }
}

await main();
