import { setTimeout as sleep } from 'node:timers/promises';
import axe from 'axe-core';
import type { Page, Request } from 'playwright-core';

/** Logs in without loading the login page, then opens `next`. */
export async function logIn(
  page: Page,
  baseUrl: string,
  { email, password }: { email: string; password: string },
  next = '/',
): Promise<void> {
  const response = await page.request.post(`${baseUrl}/api/v1/auth/login`, { data: { email, password } });
  if (!response.ok()) throw new Error(`The login failed: ${response.status()} ${await response.text()}`);
  const { expires_in } = (await response.json()) as { expires_in: number };
  // The login page would have stored this entry in the local storage. It must exist before the first script of the next
  // page runs.
  const until = JSON.stringify(String(Date.now() + expires_in * 1_000));
  await page.goto(`${baseUrl}/favicon.svg`);
  await page.evaluate(`localStorage.setItem('pacekeeper-login-until', ${until})`);
  await page.goto(baseUrl + next);
}

/** Logs in with the login form, which leads to `next`. */
export async function logInByForm(
  page: Page,
  baseUrl: string,
  { email, password }: { email: string; password: string },
  next = '/',
): Promise<void> {
  await page.goto(`${baseUrl}/login?next=${encodeURIComponent(next)}`);
  await fillLogin(page, { email, password });
  await page.waitForURL((url) => url.pathname !== '/login');
}

/** Fills and submits the login form on the current page. */
export async function fillLogin(page: Page, login: { email: string; password: string }): Promise<void> {
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

/** Returns the row names that are cut off in lists. */
export const truncatedNames = (page: Page): Promise<string[]> =>
  page.evaluate<string[]>(`[...document.querySelectorAll('[role=cell][data-first]')]
    .filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)
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
 * placeholders. The event stream never ends, so it doesn't count.
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
