import { setTimeout as sleep } from 'node:timers/promises';
import axe from 'axe-core';
import { type APIRequestContext, type Page, type Request, request } from 'playwright-core';

/** Logs in without loading the login page, then opens `next`. */
export async function logIn(page: Page, baseUrl: string, login: Login, next = '/'): Promise<void> {
  await startSession(page, baseUrl, login);
  await page.goto(baseUrl + next);
}

interface Login {
  email: string;
  password: string;
}

/** Logs in without loading a page of the web UI. */
export async function startSession(page: Page, baseUrl: string, login: Login): Promise<void> {
  const entry = await requestLogin(page.request, baseUrl, login);
  // The entry must exist before the first script of the next page runs.
  await page.goto(`${baseUrl}/favicon.svg`);
  await page.evaluate(`localStorage.setItem(${JSON.stringify(entry.name)}, ${JSON.stringify(entry.value)})`);
}

/** Logs in, and returns the storage of the session, which any number of pages can use. */
export async function logInForStorage(baseUrl: string, login: Login) {
  const context = await request.newContext();
  const localStorage = [await requestLogin(context, baseUrl, login)];
  const { cookies } = await context.storageState();
  await context.dispose();
  return { cookies, origins: [{ origin: new URL(baseUrl).origin, localStorage }] };
}

/** Logs in through the API. Returns the entry that the login page would have stored in the local storage. */
async function requestLogin(
  context: APIRequestContext,
  baseUrl: string,
  { email, password }: Login,
): Promise<{ name: string; value: string }> {
  const response = await context.post(`${baseUrl}/api/v1/auth/login`, { data: { email, password } });
  if (!response.ok()) throw new Error(`The login failed: ${response.status()} ${await response.text()}`);
  const { expires_in } = (await response.json()) as { expires_in: number };
  return { name: 'pacekeeper-login-until', value: String(Date.now() + expires_in * 1_000) };
}

/** Logs in with the login form. After the login, the browser opens the path `next`. */
export async function logInByForm(
  page: Page,
  baseUrl: string,
  { email, password }: Login,
  next = '/',
): Promise<void> {
  await page.goto(`${baseUrl}/login?next=${encodeURIComponent(next)}`);
  await fillLogin(page, { email, password });
  await page.waitForURL((url) => url.pathname !== '/login');
}

/** Fills and submits the login form on the current page. */
export async function fillLogin(page: Page, login: Login): Promise<void> {
  await page.getByRole('textbox', { name: 'Email' }).fill(login.email);
  await page.locator('input[type=password]').fill(login.password);
  await page.getByRole('button', { name: 'Log in' }).click();
}

/**
 * Opens a page through the navigation: first its group, then the page itself unless the group leads to it.
 */
export async function navigate(page: Page, group: string, name = group): Promise<void> {
  const menu = page.getByRole('navigation', { name: 'Main' });
  await menu.getByRole('link', { name: group, exact: true }).first().click();
  if (name !== group) await menu.getByRole('link', { name, exact: true }).click();
}

/**
 * Navigates as a link on the page does, without loading the page again. Waits for the heading of the new
 * page, unless both URLs belong to the same page, which then keeps its heading.
 */
export async function navigateInPage(page: Page, address: string): Promise<void> {
  const before = new URL(page.url());
  const after = new URL(address, before);
  await page.evaluate(`{
    document.querySelector('h1')?.setAttribute('data-left', '');
    history.pushState(null, '', ${JSON.stringify(after.href)});
  }`);
  const pageOf = ({ pathname }: URL) => pathname.replaceAll(/\d+/g, 'ID');
  if (pageOf(before) !== pageOf(after)) await page.locator('h1:not([data-left])').first().waitFor();
}

/** Accessibility rules whose result depends on colors. */
const colorRules = ['color-contrast', 'link-in-text-block'];

/**
 * Accessibility rules whose violations are moderate or minor. They are disabled, because such violations aren't
 * reported and several of these rules are slow: they check every element.
 */
const moderateRules = [
  'aria-allowed-role',
  'aria-deprecated-role',
  'empty-heading',
  'empty-table-header',
  'focus-order-semantics',
  'form-field-multiple-labels',
  'heading-order',
  'hidden-content',
  'html-xml-lang-mismatch',
  'image-redundant-alt',
  'landmark-banner-is-top-level',
  'landmark-contentinfo-is-top-level',
  'landmark-main-is-top-level',
  'landmark-no-duplicate-banner',
  'landmark-no-duplicate-contentinfo',
  'landmark-no-duplicate-main',
  'landmark-one-main',
  'landmark-unique',
  'meta-viewport',
  'meta-viewport-large',
  'no-autoplay-audio',
  'page-has-heading-one',
  'presentation-role-conflict',
  'region',
  'scope-attr-valid',
  'server-side-image-map',
  'skip-link',
  'table-duplicate-name',
];

/**
 * Returns serious and critical accessibility violations.
 * @param scope `colors` is enough if only the colors have changed since the last check of the page.
 */
export async function seriousViolations(page: Page, scope: 'all' | 'colors' = 'all'): Promise<string[]> {
  if (await page.evaluate<boolean>("typeof axe === 'undefined'")) await page.evaluate(axe.source);
  const options: axe.RunOptions = {
    resultTypes: ['violations'],
    ...(scope === 'colors'
      ? { runOnly: { type: 'rule', values: colorRules } }
      : { rules: Object.fromEntries(moderateRules.map((id) => [id, { enabled: false }])) }),
  };
  const { violations } = await page.evaluate<axe.AxeResults>(`axe.run(document, ${JSON.stringify(options)})`);
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 160)).join(' ')}`);
}

/** Closes an open menu with Escape. The menu receives keys only while it has the focus. */
export async function closeMenu(page: Page): Promise<void> {
  await page.locator('[role=menu]:focus, [role=menu] :focus').first().waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('menu').waitFor({ state: 'detached' });
}

export const scrollsSideways = (page: Page): Promise<boolean> =>
  page.evaluate<boolean>('document.documentElement.scrollWidth > innerWidth');

/**
 * Returns the list columns that are narrower than their heading or 64 pixels, with their width. Lists shown
 * as cards have no columns.
 */
export const narrowColumns = (page: Page): Promise<string[]> =>
  page.evaluate<string[]>(`[...document.querySelectorAll('[role=row]:has(> [role=columnheader])')]
    .filter((row) => row.offsetParent !== null && getComputedStyle(row).display === 'grid')
    .flatMap((row) => {
      const tracks = getComputedStyle(row).gridTemplateColumns.split(' ').map(Number.parseFloat);
      return [...row.children].flatMap((heading, index) => {
        const isNamed = heading.innerText.trim() !== '' && heading.querySelector('.mantine-VisuallyHidden-root') === null;
        const text = document.createRange();
        text.selectNodeContents(heading);
        const required = Math.max(64, text.getBoundingClientRect().width);
        return isNamed && tracks[index] + 0.5 < required ? [heading.innerText + ': ' + tracks[index]] : [];
      });
    })`);

/** Returns the row names, the texts below them, and the statuses that are cut off in lists. */
export const truncatedNames = (page: Page): Promise<string[]> =>
  page.evaluate<
    string[]
  >(`[...document.querySelectorAll('[role=cell][data-first], [role=cell][data-first] *, [role=cell]:has(> [data-tone])')]
    .filter(({ scrollWidth, clientWidth }) => clientWidth > 1 && scrollWidth > clientWidth)
    .map(({ textContent }) => textContent)`);

/** Returns the facts, and the steps of threshold scales, whose text runs over the next column. */
export const overlappingTexts = (page: Page): Promise<string[]> =>
  page.evaluate<string[]>(`[...document.querySelectorAll('dd, [role=img] > span')]
    .filter(({ scrollWidth, clientWidth }) => clientWidth > 0 && scrollWidth > clientWidth)
    .map(({ textContent }) => textContent)`);

/** Returns the headers of empty cells in lists on narrow screens. */
export const headersOfEmptyCells = (page: Page): Promise<string[]> =>
  page.evaluate<string[]>(`[...document.querySelectorAll('[role=cell][data-label]')]
    .filter((cell) => cell.offsetParent !== null && cell.textContent.trim() === '' && !cell.querySelector('input'))
    .map((cell) => cell.dataset.label)`);

/** Switches the color scheme of a page, and waits until all transitions have ended. */
export async function switchColorScheme(page: Page, colorScheme: 'light' | 'dark'): Promise<void> {
  await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
  await page.locator(`html[data-mantine-color-scheme=${colorScheme}]`).waitFor();
  // The end of a transition can start transitions of child elements.
  await page.evaluate(`(async () => {
    const ending = () => document.getAnimations()
      .filter(({ effect }) => effect?.getComputedTiming().endTime !== Infinity);
    for (let running = ending(); running.length > 0; running = ending())
      await Promise.allSettled(running.map(({ finished }) => finished));
  })()`);
}

/**
 * Watches the requests of a page. `settle` resolves when the page has a heading, no open requests, and no
 * placeholders. The event stream never ends, so it's ignored.
 */
export function watchRequests(page: Page): { sent: Request[]; settle: () => Promise<void> } {
  const sent: Request[] = [];
  const open = new Set<Request>();
  page.on('request', (request) => {
    sent.push(request);
    if (request.resourceType() !== 'eventsource') open.add(request);
  });
  const end = (request: Request) => void open.delete(request);
  page.on('requestfinished', end);
  page.on('requestfailed', end);
  const settle = async () => {
    await page.locator('h1').first().waitFor();
    for (let quiet = 0; quiet < 2; quiet++) {
      await page.locator('[aria-busy=true], .mantine-Skeleton-root').first().waitFor({ state: 'detached' });
      // Wait until the page has rendered and sent the requests that follow.
      await page.evaluate(
        'new Promise((resolve) => requestAnimationFrame(() => requestIdleCallback(resolve, { timeout: 500 })))',
      );
      if (open.size === 0) continue;
      quiet = -1;
      await sleep(20);
    }
  };
  return { sent, settle };
}
