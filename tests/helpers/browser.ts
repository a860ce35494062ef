import { accessSync, constants } from 'node:fs';
import path from 'node:path';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { onTestFinished } from 'vitest';
import { atEndOfFile } from './end-of-file.ts';

// The shell draws no window of its own around the pages, which costs a whole browser half of its time.
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

/** The Chromium of this machine; null when there is none. `PACEKEEPER_TEST_BROWSER` may name it. */
export const browserPath = findBrowser();

/** For the name of what is skipped without one. */
export const whyNoBrowser =
  browserPath === null
    ? ' (skipped: there is no Chromium; install one or name it in PACEKEEPER_TEST_BROWSER)'
    : '';

/** A page, with all that went wrong in it since it was opened. */
export interface WatchedPage {
  page: Page;
  /** Errors and warnings of the console, errors of scripts, requests that failed or were answered with an error. */
  problems: string[];
}

export interface TestBrowser {
  /** A page in a context of its own: no cookies, no storage, nothing in its cache. Closed when its test ends. */
  open(options?: BrowserContextOptions): Promise<WatchedPage>;
  /** Another page of the same context: another tab. */
  openBeside(page: Page): Promise<WatchedPage>;
}

let launched: Promise<Browser> | undefined;

/** Returns the Chromium without a window that all test files of this worker share. It ends with the worker. */
export async function startBrowser(): Promise<TestBrowser> {
  launched ??= launchBrowser();
  const browser = await launched;
  return {
    async open(options) {
      // Animations keep the browser busy, and actions wait for their end.
      const context = await browser.newContext({ reducedMotion: 'reduce', ...options });
      // Of what never comes. A busy machine draws a page in several seconds.
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
      // Tests don't need a separate process that draws.
      '--in-process-gpu',
      // Chromium's own sandbox doesn't start as root.
      ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
    ],
  });
}

/** Pages that stay open follow all changes of the server, and keep the tests after them waiting. */
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
    // What the page itself gave up, as when it is left.
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
