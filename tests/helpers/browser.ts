import { accessSync, constants } from 'node:fs';
import path from 'node:path';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { onTestFinished } from 'vitest';
import { atEndOfFile } from './end-of-file.ts';

// The headless shell renders no browser window around the pages, so it takes half as long as a full browser.
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
export const whyNoBrowser =
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
  /**
   * Opens a page in a new context without cookies, storage, or cache. The context is closed at the end of the
   * test.
   */
  open(options?: BrowserContextOptions): Promise<WatchedPage>;
  /** Opens another tab in the context of `page`. */
  openBeside(page: Page): Promise<WatchedPage>;
}

let launched: Promise<Browser> | undefined;

/** Returns the Chromium without a window that all test files of this worker share. It ends with the worker. */
export async function startBrowser(): Promise<TestBrowser> {
  launched ??= launchBrowser();
  const browser = await launched;
  return {
    async open(options) {
      // Animations keep the browser busy, and actions wait until they end, so pages run with reduced motion.
      const context = await browser.newContext({ reducedMotion: 'reduce', ...options });
      // A busy machine can take several seconds to render a page. Only actions that never complete should
      // time out.
      context.setDefaultTimeout(90_000);
      closeAfterTest(() => context.close());
      return watch(await context.newPage());
    },
    openBeside: async (page) => watch(await page.context().newPage()),
  };
}

function launchBrowser(): Promise<Browser> {
  if (browserPath === null) throw new Error('There is no Chromium. Ask `browserPath` first.');
  return chromium.launch({
    executablePath: browserPath,
    args: [
      // Tests don't need a separate GPU process.
      '--in-process-gpu',
      // Chromium's own sandbox doesn't start as root.
      ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
    ],
  });
}

/**
 * Closes a page or context at the end of its test. Open pages follow all changes on the server and slow down
 * later tests.
 */
function closeAfterTest(close: () => Promise<void>): void {
  try {
    onTestFinished(close);
  } catch {
    // Outside of a test: the page is opened for all tests of a file or describe.
    atEndOfFile(close);
  }
}

function watch(page: Page): WatchedPage {
  const problems: string[] = [];
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
