import { beforeAll, describe, expect, test } from 'vitest';
import { browserPath, noBrowserSuffix, startBrowser, type TestBrowser } from '../helpers/browser.ts';
import { logIn } from '../helpers/browser-checks.ts';
import { expectAccessible } from '../helpers/expect-accessible.ts';
import { createReleases } from '../helpers/monitored.ts';
import { type SharedTestServer, sharedTestServer } from '../helpers/test-server.ts';
import { ensureWebPage } from '../helpers/web-page.ts';

describe.skipIf(browserPath === null)(`lines and variants in a browser${noBrowserSuffix}`, () => {
  let server: SharedTestServer;
  let browser: TestBrowser;
  beforeAll(async () => {
    await ensureWebPage();
    server = await sharedTestServer();
    browser = await startBrowser();
  });

  async function open(path: string, releases: readonly string[] = []) {
    const organization = await server.createOrganization();
    const id = releases.length === 0 ? 0 : await createReleases(server, organization, releases);
    // Set the release count as a run would, because `createReleases` inserts releases without a run.
    if (id > 0)
      await server.db
        .updateTable('gather_jobs')
        .set({ release_count: releases.length })
        .where('id', '=', id)
        .execute();
    const { page, problems } = await browser.open({ viewport: { width: 1280, height: 1200 } });
    await logIn(page, server.url, organization, path.replace('$id', String(id)));
    return { page, problems, api: organization.api, id };
  }

  test('the page of a source shows lines and variants and marks a version jump, and its form can keep only tags that are similar to an example', async () => {
    const { page, problems, api, id } = await open('/gather-jobs/$id', [
      '3.6',
      '3.7',
      'chart-1.0',
      '3.8',
      '3.8-alpine',
      '2024.1',
      'latest',
    ]);
    await page.getByText('2024.1 is far above 3.8, the next lower version.').waitFor();
    await page.getByText('considering only releases without a name or variant.').waitFor();
    const table = page.getByRole('table', { name: 'lines and variants' });
    await table.getByRole('row', { name: /no name.*none.*4.*2024\.1.*Compared/ }).waitFor();
    await expectAccessible(page);

    await page.getByRole('button', { name: 'Edit' }).click();
    const form = page.getByRole('dialog');
    await form.getByRole('button', { name: 'Preview lines and variants' }).click();
    await form.getByLabel('Deployed version').fill('3.7');
    await form.getByRole('button', { name: 'Preview', exact: true }).click();
    await form.getByText(/^Compared with 2024\.1: \d+ days behind, 1 major version behind/).waitFor();
    await expectAccessible(page);
    await form.getByRole('button', { name: 'Only tags like this: 3.8-alpine' }).click();
    await form.getByText("6 tags don't match the version pattern").waitFor();
    await form.getByRole('button', { name: 'Save changes' }).click();
    await form.waitFor({ state: 'hidden' });
    expect(await api.call('getGatherJob', { path: { id } })).toMatchObject({
      version_pattern: '^[\\d.]+-alpine$',
    });
    expect(problems).toEqual([]);
  });

  test('the form of a new source shows the parsed lines and variants of pasted tags', async () => {
    const { page, problems } = await open('/gather-jobs/new');
    await page.getByRole('button', { name: 'Preview lines and variants' }).click();
    await page.getByRole('button', { name: 'Preview', exact: true }).click();
    await page.getByText('Paste tags first').waitFor();
    await page.getByRole('textbox', { name: 'Tags' }).fill('v1.2.0\nv1.3.0\ncli-2.0.0\nnightly');
    await page.getByLabel('Deployed version').fill('2.0.0');
    await page.getByRole('button', { name: 'Preview', exact: true }).click();
    await page.getByText("It's compared with the releases named cli.").waitFor();
    await page.getByText('Compared with cli-2.0.0: up to date.').waitFor();
    await page.getByText("Never the latest: 1 tag that isn't a version (nightly).").waitFor();
    await expectAccessible(page);
    expect(problems).toEqual([]);
  });

  test('the form of a rule sets a common grace period with one click', async () => {
    const { page, problems, api } = await open('/rules/new');
    await page.getByRole('textbox', { name: 'Name' }).fill('Fortnight');
    await page.getByRole('button', { name: '14 days' }).click();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Create rule' }).click();
    await page.waitForURL(/\/rules(\/\d+)?$/);
    expect((await api.call('listRules')).items[0]).toMatchObject({ min_release_age_days: 14 });
    expect(problems).toEqual([]);
  });
});
