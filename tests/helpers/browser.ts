import { accessSync, constants } from 'node:fs';
import path from 'node:path';
import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  chromium,
  type Page,
} from 'playwright-core';
import { onTestFinished } from 'vitest';
import { atEndOfFile } from './end-of-file.ts';

// Program names of Chromium, in order of preference. The headless shell renders no browser window around the
// pages, so it takes half as long as a full browser.
const names = [
  'chromium-headless-shell',
  'chromium',
  'chromium-browser',
  'google-chrome',
  'google-chrome-stable',
  'chrome',
];
const folders = [
  ...(process.env['PATH'] ?? '').split(path.delimiter),
  '/usr/bin',
  '/snap/bin',
  '/opt/google/chrome',
];

/**
 * Path of the Chromium on this machine, or `null` if none is installed. `PACEKEEPER_TEST_BROWSER` overrides
 * it.
 */
export const browserPath = findBrowser();

/** Suffix for the titles of tests that are skipped without a browser. */
export const noBrowserSuffix =
  browserPath === null
    ? ' (skipped: there is no Chromium; install one or name it in PACEKEEPER_TEST_BROWSER)'
    : '';

/** A page and the problems since it was opened. */
export interface WatchedPage {
  page: Page;
  /** Console errors and warnings, script errors, failed requests, and error responses. */
  problems: string[];
}

export interface TestBrowser {
  /** Opens a page in a context without cookies or storage. The page is closed at the end of the test. */
  open(options?: BrowserContextOptions): Promise<WatchedPage>;
  /** Opens another tab in the context of `page`. */
  openBeside(page: Page): Promise<WatchedPage>;
}

let launched: Promise<Browser> | undefined;

/**
 * Returns the browser that all test files of this worker share: a Chromium without a window, which ends with
 * the worker.
 */
export async function startBrowser(): Promise<TestBrowser> {
  launched ??= launchBrowser();
  const browser = await launched;
  return {
    async open({ viewport, colorScheme, storageState, ...others } = {}) {
      const isUsual = Object.keys(others).length === 0;
      const context = isUsual ? await takeContext(browser) : await openContext(browser, others);
      if (typeof storageState === 'object') await restoreStorage(context, storageState);
      const watched = watch(await context.newPage());
      if (viewport) await watched.page.setViewportSize(viewport);
      if (colorScheme) await watched.page.emulateMedia({ colorScheme });
      return watched;
    },
    openBeside: async (page) => watch(await page.context().newPage()),
  };
}

function launchBrowser(): Promise<Browser> {
  if (browserPath === null) throw new Error('There is no Chromium. Ask `browserPath` first.');
  return chromium.launch({
    executablePath: browserPath,
    args: [
      // Avoid a separate GPU process, which tests don't need.
      '--in-process-gpu',
      // Run all pages of a context in one process, which keeps their compiled scripts.
      '--process-per-site',
      // Chromium's own sandbox doesn't start as root.
      ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
    ],
  });
}

async function createContext(browser: Browser, options: BrowserContextOptions): Promise<BrowserContext> {
  // Animations keep the browser busy, and actions wait until they end, so pages run with reduced motion.
  const context = await browser.newContext({ reducedMotion: 'reduce', ...options });
  // A busy machine can take several seconds to render a page. Only actions that never complete should
  // time out.
  context.setDefaultTimeout(90_000);
  return context;
}

/** Opens a context that is closed at the end of the test. */
async function openContext(browser: Browser, options: BrowserContextOptions): Promise<BrowserContext> {
  const context = await createContext(browser, options);
  closeAfterTest(() => context.close());
  return context;
}

interface ReusedContext {
  context: BrowserContext;
  /** Page that keeps the process of the context running. */
  keeper: Page;
}

/** Contexts that no test uses at the moment. */
const idle: ReusedContext[] = [];

/**
 * Returns a context without cookies and storage for one test. Contexts are reused, because loading and compiling the
 * scripts of the web UI takes most of the time that it takes to open a page in a new context.
 */
async function takeContext(browser: Browser): Promise<BrowserContext> {
  const taken = idle.pop() ?? (await createReusedContext(browser));
  closeAfterTest(async () => {
    await clear(taken);
    idle.push(taken);
  });
  return taken.context;
}

async function createReusedContext(browser: Browser): Promise<ReusedContext> {
  const context = await createContext(browser, {});
  const keeper = await context.newPage();
  // Open a page on the site of all test servers, because pages of one site share a process.
  await keeper.route('http://127.0.0.1/', (route) => route.fulfill({ contentType: 'text/html', body: '' }));
  await keeper.goto('http://127.0.0.1/');
  return { context, keeper };
}

/** Removes what a test left in a context, except for its cache. */
async function clear({ context, keeper }: ReusedContext): Promise<void> {
  const pages = context.pages().filter((page) => page !== keeper);
  await Promise.all(pages.map((page) => page.close()));
  await context.unrouteAll();
  await context.clearCookies();
  await context.clearPermissions();
  const devtools = await context.newCDPSession(keeper);
  for (const origin of visited.get(context) ?? [])
    await devtools.send('Storage.clearDataForOrigin', { origin, storageTypes: 'local_storage,indexeddb' });
  visited.delete(context);
  await devtools.detach();
}

/** Adds cookies and the local storage of another context. */
async function restoreStorage(
  context: BrowserContext,
  { cookies, origins }: Exclude<BrowserContextOptions['storageState'], string | undefined>,
): Promise<void> {
  await context.addCookies(cookies);
  const page = await context.newPage();
  for (const { origin, localStorage } of origins) {
    await page.route(origin, (route) => route.fulfill({ contentType: 'text/html', body: '' }));
    await page.goto(origin);
    await page.evaluate(`for (const { name, value } of ${JSON.stringify(localStorage)})
      localStorage.setItem(name, value);`);
  }
  await page.close();
}

/**
 * Closes a page or context at the end of its test. Open pages refetch after all changes on the server and
 * slow down later tests.
 */
function closeAfterTest(close: () => Promise<void>): void {
  try {
    onTestFinished(close);
  } catch {
    // Outside of a test, for example in `beforeAll`, the page is for all tests of the file or describe block.
    atEndOfFile(close);
  }
}

/** Origins of the documents that the pages of a context have shown. */
const visited = new WeakMap<BrowserContext, Set<string>>();

function watch(page: Page): WatchedPage {
  const problems: string[] = [];
  const origins = visited.get(page.context()) ?? new Set<string>();
  visited.set(page.context(), origins);
  page.on('framenavigated', (frame) => {
    const { origin } = new URL(frame.url());
    if (origin !== 'null') origins.add(origin);
  });
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) problems.push(`${message.type()}: ${message.text()}`);
  });
  page.on('pageerror', (error) => problems.push(`script: ${error.message}`));
  page.on('requestfailed', (request) => {
    // Ignore requests that the page aborted, for example on navigation.
    if (request.failure()?.errorText === 'net::ERR_ABORTED') return;
    problems.push(`${request.method()} ${request.url()}: ${request.failure()?.errorText}`);
  });
  page.on('response', (response) => {
    if (response.status() >= 400)
      problems.push(`${response.request().method()} ${response.url()}: ${response.status()}`);
  });
  return { page, problems };
}

function findBrowser(): string | null {
  const named = process.env['PACEKEEPER_TEST_BROWSER'];
  const candidates = named
    ? [named]
    : names.flatMap((name) => folders.map((folder) => path.join(folder, name)));
  return candidates.find(isExecutable) ?? null;
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
