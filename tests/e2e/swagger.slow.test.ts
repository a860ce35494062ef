import type { Page } from 'playwright-core';
import { request } from 'undici';
import { beforeAll, describe, expect, test } from 'vitest';
import { operations } from '../../src/generated/operations.ts';
import { browserPath, noBrowserSuffix, startBrowser, type TestBrowser } from '../helpers/browser.ts';
import { type SharedTestServer, sharedTestServer } from '../helpers/test-server.ts';

/** The page renders only the operations in view, so a tall window shows most of them at once. */
const viewport = { width: 1280, height: 6_000 };

/**
 * Scrolls through the page until `isDone` returns true. A busy machine can scroll past operations before it renders them,
 * so scrolling restarts at the top when it reaches the end.
 * @param isDone Checked after each step.
 */
async function scrollThrough(page: Page, isDone: () => Promise<boolean>): Promise<void> {
  for (let step = 0; step < 300 && !(await isDone()); step++) {
    await page.evaluate(`scrollY + innerHeight < document.documentElement.scrollHeight - 1
      ? scrollBy(0, innerHeight - 200) : scrollTo(0, 0)`);
    await page.waitForTimeout(100);
  }
}

describe.skipIf(browserPath === null)(`the interactive API documentation${noBrowserSuffix}`, () => {
  let server: SharedTestServer;
  let browser: TestBrowser;
  beforeAll(async () => {
    server = await sharedTestServer();
    browser = await startBrowser();
  });

  test.each(['client', 'auth', 'agent'] as const)('shows every operation of the %s interface', async (id) => {
    const { page, problems } = await browser.open({ viewport });
    const name = { client: 'Client', auth: 'Login', agent: 'Agent' }[id];
    await page.goto(`${server.url}/api/v1/swagger?urls.primaryName=${name}`);
    await page.locator('.opblock').first().waitFor();
    const wanted = Object.values(operations).filter((operation) => operation.interface === id);
    const shown = new Set<string>();
    await scrollThrough(page, async () => {
      const ids = await page.evaluate<string[]>(
        `[...document.querySelectorAll('.opblock')].map(({ id }) => id)`,
      );
      for (const each of ids) shown.add(each);
      return shown.size === wanted.length;
    });
    expect(shown.size).toBe(wanted.length);
    expect(problems).toEqual([]);
  });

  test('lists all security schemes, and uses an API key to list rules', async () => {
    const organization = await server.createOrganization();
    const rule = await organization.api.call('createRule', {
      body: { name: 'Ninety days', rule_type: 'days_behind', thresholds: { high: 90 } },
    });
    const { page, problems } = await browser.open({ viewport });
    await page.goto(`${server.url}/api/v1/swagger`);
    await page.getByRole('button', { name: 'Authorize' }).click();
    const schemes = page.locator('.auth-container');
    await schemes.first().waitFor();
    expect(await schemes.locator('h4').allInnerTexts()).toEqual([
      expect.stringContaining('ApiKey'),
      expect.stringContaining('BearerToken'),
      expect.stringContaining('SessionCookie'),
      expect.stringContaining('DeploymentToken'),
    ]);
    const fields = schemes.locator('input');
    expect(await fields.count()).toBe(4);
    await fields.first().fill(organization.apiKey);
    await schemes.first().getByRole('button', { name: 'Apply credentials' }).click();
    await page.locator('.modal-ux').getByRole('button', { name: 'Close' }).first().click();

    const listRules = page.locator('.opblock', { hasText: '/rules' }).filter({ hasText: 'GET' }).first();
    await scrollThrough(page, async () => (await listRules.count()) > 0);
    await listRules.locator('.opblock-summary').click();
    await listRules.getByRole('button', { name: 'Try it out' }).click();
    for (const field of await listRules.locator('.parameters input').all()) {
      expect(await field.inputValue()).toBe('');
    }
    const answered = page.waitForResponse((response) => response.url().includes('/api/v1/client/rules'));
    await listRules.getByRole('button', { name: 'Execute' }).click();
    const response = await answered;
    expect(response.url()).toBe(`${server.url}/api/v1/client/rules`);
    expect(response.status()).toBe(200);
    expect(await response.json()).toMatchObject({ items: [{ id: rule.id }] });
    expect(problems).toEqual([]);
  });

  test('lets a browser cache its files until they change', async () => {
    for (const path of [
      '/api/v1/swagger',
      '/api/v1/swagger/openapi-client.json',
      '/api/spec/openapi-client.yaml',
    ]) {
      const first = await request(`${server.url}${path}`);
      await first.body.dump();
      expect(first.headers['cache-control'], path).toBe('no-cache');
      const again = await request(`${server.url}${path}`, {
        headers: { 'if-none-match': String(first.headers['etag']) },
      });
      await again.body.dump();
      expect(again.statusCode, path).toBe(304);
    }
  });
});
