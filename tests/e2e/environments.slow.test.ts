import { sql } from 'kysely';
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { versionScheme } from '../../src/domain/versions/versions.ts';
import { browserPath, noBrowserSuffix, startBrowser, type TestBrowser } from '../helpers/browser.ts';
import { logIn, navigateInPage, scrollsSideways } from '../helpers/browser-checks.ts';
import { expectAccessible } from '../helpers/expect-accessible.ts';
import { hostileNotes } from '../helpers/hostile-notes.ts';
import { createMonitoredSoftware } from '../helpers/monitored.ts';
import { type SharedTestServer, sharedTestServer } from '../helpers/test-server.ts';
import { ensureWebPage } from '../helpers/web-page.ts';

const environments = ['dev', 'staging', 'preprod', 'production'];

describe.skipIf(browserPath === null)(`environments${noBrowserSuffix}`, () => {
  let server: SharedTestServer;
  let browser: TestBrowser;
  beforeAll(async () => {
    await ensureWebPage();
    server = await sharedTestServer();
    browser = await startBrowser();
  });

  test('a cell shows the difference between environments and can create a monitor for it', async () => {
    const organization = await server.createOrganization();
    const { api, owner } = organization;
    await owner.call('putOrgOverride', {
      path: { key: 'environments.order' },
      body: { value: environments },
    });
    for (const name of ['A week', 'Another week'])
      await api.call('createRule', {
        body: { name, rule_type: 'days_behind', thresholds: { moderate: 7 } },
      });
    const track = async (environment: string, ...versions: string[]) => {
      const labels = { service: 'a-web', environment };
      const { id } = await api.call('createScrapeJob', {
        body: { name: `web in ${environment}`, parser_type: 'manual', labels },
      });
      for (const version of versions)
        await api.call('setScrapeJobVersion', { path: { id }, body: { version } });
    };
    await track('staging', '1.0.0', '1.1.0', '1.2.0');
    await track('production', '1.0.0');
    // A monitor compares `a-web` in production with upstream. Its panel shows the notes of 100 releases, with
    // two hostile samples each.
    const { gatherJobId } = await createMonitoredSoftware(server, organization, { releases: [] });
    await storeHostileReleases(server, organization.id, gatherJobId);
    await sql`
      UPDATE alert_configs SET scrape_job_id = (SELECT id FROM scrape_jobs WHERE name = 'web in production'
        AND organization_id = ${organization.id} AND labels ->> 'service' = 'a-web')
      WHERE organization_id = ${organization.id}`.execute(server.db);
    // Insert 1,000 services. A tenth of them are behind in production. The first version of each isn't a promotion,
    // because no one knows when it arrived.
    await sql`
      WITH job AS (
        INSERT INTO scrape_jobs (organization_id, name, parser_type, labels, latest_version, latest_version_at)
        SELECT ${organization.id}, 'service ' || n || ' in ' || environment, 'manual',
          jsonb_build_object('service', 'service-' || lpad(n::text, 4, '0'), 'environment', environment),
          '2.' || CASE WHEN environment = 'production' AND n % 10 = 0 THEN n - 1 ELSE n END || '.0', pacekeeper_now()
        FROM generate_series(1, 1000) AS n, unnest(${environments}::text[]) AS environment
        RETURNING organization_id, id, latest_version
      )
      INSERT INTO versions (organization_id, scrape_job_id, version, raw_version, version_transform, source, is_change)
      SELECT organization_id, id, found.version, found.version, 'none', 'manual', true
      FROM job CROSS JOIN LATERAL (VALUES (1, '1.0.0'), (2, latest_version)) AS found (number, version)
      ORDER BY id, number`.execute(server.db);

    const { page, problems } = await browser.open({ viewport: { width: 1280, height: 900 } });
    const hosts = new Set<string>();
    page.on('request', (request) => void hosts.add(new URL(request.url()).host));
    await logIn(page, server.url, organization, '/environments');
    await page.getByText('Show more (901 left)').waitFor();
    await page.getByText('in the environment order from Settings').waitFor();
    const picture = process.env['PACEKEEPER_PICTURES'];
    if (picture) await page.screenshot({ path: `${picture}/environments-1280.png` });
    const cell = page.getByRole('button', { name: 'Show a-web in production' });
    expect(await cell.innerText()).toContain('2 deployments behind staging');
    await cell.click();
    const panel = page.getByRole('dialog', { name: 'a-web in production' });
    await panel.getByText(/2 deployments behind staging/).waitFor();
    await panel.getByText('1.1.0').first().waitFor();
    await panel.getByRole('heading', { name: 'Release notes' }).waitFor();
    await panel.getByText(/^100 releases after 1\.0\.0, up to 1\.2\.0/).waitFor();
    expect(await openAllNotes(page)).toEqual({ notes: 100, others: [] });
    if (picture) await page.screenshot({ path: `${picture}/environments-panel.png` });
    expect([...hosts]).toEqual([new URL(server.url).host]);
    await panel.getByRole('button', { name: 'Compare with staging' }).click();
    const dialog = page.getByRole('dialog', { name: 'Compare environments' });
    await dialog.getByRole('combobox', { name: 'Rule' }).click();
    await page.getByRole('option', { name: 'Another week' }).click();
    await dialog.getByText('Creates 1 monitor and 1 upstream source: a-web.').waitFor();
    // The button stays disabled until the plan for the current selection has loaded.
    const create = dialog.getByRole('button', { name: 'Create monitors' });
    expect(await create.isEnabled()).toBe(true);
    const { promise: held, resolve: release } = Promise.withResolvers<void>();
    await page.route('**/environments/comparisons', async (route) => {
      await held;
      await route.continue();
    });
    await dialog.getByRole('combobox', { name: 'Rule' }).click();
    await page.getByRole('option', { name: 'A week' }).click();
    await dialog.getByText('Creates 1 monitor and 1 upstream source: a-web.').waitFor();
    expect(await create.isEnabled()).toBe(false);
    release();
    await create.click();
    await page.getByText('1 monitor created').waitFor();
    await page.getByRole('button', { name: 'Show a-web in production' }).click();
    await page.getByRole('link', { name: 'a-web: production behind staging' }).click();
    await page.getByRole('heading', { name: 'a-web: production behind staging', level: 1 }).waitFor();
    // The monitor inherits the label from the version tracker.
    await page
      .getByRole('region', { name: 'a-web: production behind staging' })
      .getByRole('link', { name: /environment\s*=\s*production/ })
      .waitFor();

    await navigateInPage(page, '/environments?drift=behind');
    // The last row loads without the button, because it's less than a tenth.
    await expect.poll(() => page.getByRole('button', { name: /^Show .* in production/ }).count()).toBe(101);
    expect(await page.getByText(/^Show more/).count()).toBe(0);
    await page.setViewportSize({ width: 390, height: 844 });
    await expectAccessible(page, [390]);
    if (picture) await page.screenshot({ path: `${picture}/environments-390-dark.png` });
    await page.getByRole('button', { name: 'Show a-web in production' }).click();
    await panel.getByText(/^100 releases after/).waitFor();
    expect(await openAllNotes(page)).toEqual({ notes: 100, others: [] });
    expect(await scrollsSideways(page)).toBe(false);
    if (picture) await page.screenshot({ path: `${picture}/environments-panel-390.png` });
    await page.keyboard.press('Escape');
    await page.getByRole('tab', { name: 'Promotion' }).click();
    // The summary covers all services, although the list shows only the first 100.
    await page.getByText(/^900 versions promoted: median/).waitFor();
    await page.getByRole('button', { name: 'Show more (901 left)' }).click();
    await page.getByText('service-0150').waitFor();
    expect(await scrollsSideways(page)).toBe(false);
    if (picture) await page.screenshot({ path: `${picture}/promotion-390-dark.png` });
    expect(problems).toEqual([]);
  });
});

/** Inserts 101 releases from 1.0.0 to 1.2.0. All except 1.0.0 have hostile notes. */
async function storeHostileReleases(server: SharedTestServer, organizationId: number, jobId: number) {
  const { parse, sortKey } = versionScheme('auto');
  const rows = Array.from({ length: 101 }, (_, index) => {
    const version = index === 100 ? '1.2.0' : `1.0.${index}`;
    const notes = index === 0 ? null : hostileNotes.slice(index * 2 - 2, index * 2).join('\n\n---\n\n');
    return { version, notes, sort_key: sortKey(parse(version)!) };
  });
  await sql`
    INSERT INTO releases (organization_id, gather_job_id, tag, version, sort_key, variant, released_at, is_prerelease, notes)
    SELECT ${organizationId}, ${jobId}, version, version, sort_key, '', pacekeeper_now(), false, notes
    FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS r (version text, sort_key text, notes text)`.execute(
    server.db,
  );
}

/**
 * Expands all release notes. Returns their number, and the elements and attributes in them that aren't on the
 * allowlist.
 */
async function openAllNotes(page: Page): Promise<{ notes: number; others: string[] }> {
  await page.getByRole('button', { name: 'Show 80 more' }).click();
  await page.evaluate("for (const each of document.querySelectorAll('details')) each.open = true");
  const shown = page.locator('details > div > :first-child:is(div, pre)');
  await expect.poll(() => shown.count()).toBe(100);
  const others = await page.evaluate<string[]>(`{
    const elements = new Set(${JSON.stringify(elementsOfNotes)});
    const attributes = new Set(['href', 'target', 'rel', 'start', 'class']);
    const isSafe = (element) =>
      elements.has(element.localName) &&
      element.getAttributeNames().every((name) => attributes.has(name)) &&
      (element.localName !== 'a' ||
        (['http:', 'https:'].includes(element.protocol) && element.rel === 'noopener noreferrer'));
    [...document.querySelectorAll('details > div > :first-child:is(div, pre) *')]
      .filter((element) => !isSafe(element))
      .map((element) => element.outerHTML);
  }`);
  return { notes: await shown.count(), others };
}

const elementsOfNotes =
  'h3 h4 h5 h6 p pre code blockquote ol ul li div table thead tbody tr th td hr strong em del a br'.split(
    ' ',
  );
