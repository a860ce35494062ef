/**
 * The web page in a real Chromium, by its own counters: what it loads for the login and the overview, how long it keeps
 * the browser from answering, and what scrolling through 5,000 alerts reads. With 500 configurations. Run with
 * `node benchmarks/browser.bench.ts`; goals: 200 kB of packed script for login and overview, no task over 200 ms on
 * load, far fewer rows read than there are.
 */
import { loadavg } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { type Browser, chromium, type Page } from 'playwright-core';
import { buildWeb, isWebBuilt } from '../scripts/build-web.ts';
import { browserPath } from '../tests/helpers/browser.ts';
import { logIn, watchRequests } from '../tests/helpers/browser-checks.ts';
import { median, serveBench, startBenchWorld } from './evaluation-world.ts';
import { ownerPassword, smallSize } from './generate-installation.ts';

const rounds = Number(process.env['BENCH_ROUNDS'] ?? 5);
const login = { email: 'owner-1@example.org', password: ownerPassword };
const kB = 1_000;

async function main() {
  if (browserPath === null) return console.log('There is no Chromium: nothing is measured.');
  if (!isWebBuilt()) await buildWeb();
  const world = await startBenchWorld(fileURLToPath(import.meta.url), [
    // Each has ten alerts that are resolved, and each second an open one besides.
    { ...smallSize, gatherJobs: 100, scrapeJobs: 500, alertConfigs: 500, resolvedAlertsEach: 10 },
  ]);
  const browser = await chromium.launch({
    executablePath: browserPath,
    args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
  });
  const load = () => Number(loadavg()[0]!.toFixed(1));
  try {
    const loads: Awaited<ReturnType<typeof measureLoads>>[] = [];
    for (let round = 0; round < rounds; round++) loads.push(await measureLoads(browser, world.url));
    console.log(`Load of the machine: ${load()}. Medians of ${rounds} visits with an empty cache.`);
    console.table(
      loads[0]!.map(({ page }, index) => {
        const of = (what: 'scriptKB' | 'longestTaskMs' | 'requests' | 'shownMs') =>
          Number(median(loads.map((each) => each[index]![what])).toFixed(what === 'scriptKB' ? 1 : 0));
        return {
          page,
          'script, kB packed': of('scriptKB'),
          'goal, kB': page === 'login and overview' ? 200 : null,
          'longest task, ms': of('longestTaskMs'),
          'goal, ms': 200,
          'most of all visits, ms': Math.max(...loads.map((each) => each[index]!.longestTaskMs)),
          requests: of('requests'),
          'shown after, ms': of('shownMs'),
        };
      }),
    );
    console.table([await measureScrolling(browser, world.url)]);
    console.log(`Load of the machine at the end: ${load()}.`);
  } finally {
    await browser.close();
    await world.stop();
  }
}

/** The login with an empty cache, the overview that follows it, and other pages, each in a browser that knows nothing. */
async function measureLoads(browser: Browser, url: string) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 } });
  const page = await context.newPage();
  await watchLongTasks(page);
  const bytes = await countScript(page);
  const { sent, settle } = watchRequests(page);
  const measured: {
    page: string;
    scriptKB: number;
    longestTaskMs: number;
    requests: number;
    shownMs: number;
  }[] = [];
  const measure = async (name: string, go: () => Promise<unknown>) => {
    const [before, startedAt] = [sent.length, performance.now()];
    await go();
    await page.locator('h1').waitFor();
    const shownMs = performance.now() - startedAt;
    await settle();
    measured.push({
      page: name,
      scriptKB: bytes() / kB,
      longestTaskMs: await longestTask(page),
      requests: sent.length - before,
      shownMs,
    });
  };
  await measure('login', () => page.goto(`${url}/login`));
  await measure('login and overview', () => logIn(page, url, login));
  await measure('overview again', () => page.reload());
  for (const path of ['/fleet', '/alerts', '/notification-templates'])
    await measure(`and ${path}`, () => page.goto(url + path));
  await context.close();
  return measured;
}

/** From the first of 5,000 alerts to the last in four jumps; then back, and through all of them as fast as it goes. */
async function measureScrolling(browser: Browser, url: string) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 } });
  const page = await context.newPage();
  await watchLongTasks(page);
  await logIn(page, url, login, '/alerts?view=resolved');
  const { settle } = watchRequests(page);
  await settle();
  const read = { requests: 0, rows: 0 };
  page.on('response', async (response) => {
    if (!response.url().includes('/alerts/resolved?')) return;
    const body = (await response.json().catch(() => ({ items: [] }))) as { items: unknown[] };
    read.requests += 1;
    read.rows += body.items.length;
  });
  const total = await page.getByText(/^[\d,]+ resolved alerts$/).innerText();
  const scroll = (to: string) => page.evaluate(`scrollTo(0, ${to})`);
  // As who pulls the bar to the end, with three looks on the way.
  const height = await page.evaluate<number>('document.documentElement.scrollHeight');
  for (const part of [0.25, 0.5, 0.75, 1]) {
    await scroll(String(height * part));
    await sleep(150);
    await settle();
  }
  const jumps = { ...read };
  const rowsInPage = await page.getByRole('row').count();
  await scroll('0');
  await settle();
  Object.assign(read, { requests: 0, rows: 0 });
  for (let at = 0; at < height; at += 800) await scroll(String(at));
  await sleep(300);
  await settle();
  const result = {
    list: total,
    'requests of four jumps to the end': jumps.requests,
    'rows read': jumps.rows,
    'rows in the page': rowsInPage,
    'requests of rushing through': read.requests,
    'rows read ': read.rows,
    'longest task, ms': await longestTask(page),
  };
  await context.close();
  return result;
}

/** Bytes of script since the page was opened, packed as they came over the wire, without the heads of the answers. */
async function countScript(page: Page): Promise<() => number> {
  const session = await page.context().newCDPSession(page);
  await session.send('Network.enable');
  const heads = new Map<string, number>();
  let bytes = 0;
  session.on('Network.responseReceived', ({ requestId, type, response }) => {
    if (type === 'Script' && !response.fromDiskCache) heads.set(requestId, response.encodedDataLength);
  });
  session.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    const head = heads.get(requestId);
    // Nothing comes over the wire for what is cached, though its head is told.
    if (head !== undefined && encodedDataLength > 0) bytes += encodedDataLength - head;
  });
  return () => bytes;
}

const watchLongTasks = (page: Page) =>
  page.addInitScript(`
    globalThis.longTasks = [0];
    new PerformanceObserver((list) => longTasks.push(...list.getEntries().map(({ duration }) => duration)))
      .observe({ type: 'longtask', buffered: true });`);

const longestTask = (page: Page): Promise<number> =>
  page.evaluate<number>('Math.max(...globalThis.longTasks)');

const [role, databaseUrl, dataDir] = process.argv.slice(2);
if (role === 'server') await serveBench(databaseUrl!, dataDir!);
else await main();
