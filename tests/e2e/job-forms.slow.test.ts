import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { browserPath, noBrowserSuffix, startBrowser, type TestBrowser } from '../helpers/browser.ts';
import { logIn, scrollsSideways, seriousViolations, switchColorScheme } from '../helpers/browser-checks.ts';
import { createReleases } from '../helpers/monitored.ts';
import { type SharedTestServer, sharedTestServer } from '../helpers/test-server.ts';
import { ensureWebPage } from '../helpers/web-page.ts';

describe.skipIf(browserPath === null)(`the forms of jobs${noBrowserSuffix}`, () => {
  let server: SharedTestServer;
  let browser: TestBrowser;
  beforeAll(async () => {
    await ensureWebPage();
    server = await sharedTestServer();
    browser = await startBrowser();
  });

  async function openPage(path: string, viewport = { width: 1280, height: 900 }) {
    const organization = await server.createOrganization();
    const watched = await browser.open({ viewport });
    const sent: string[] = [];
    watched.page.on('request', (request) => {
      if (request.url().endsWith('/validate/regex')) sent.push(request.postData() ?? '');
    });
    await logIn(watched.page, server.url, organization, path);
    return { ...watched, organization, sent };
  }

  /** Presses the Test button with the keyboard alone, starting from the field before it. */
  async function pressTest(page: Page, name: string, times = 1): Promise<void> {
    for (let time = 0; time < times; time++) await page.keyboard.press('Tab');
    expect(await page.evaluate('document.activeElement.textContent')).toBe('Test');
    await page.getByRole('button', { name, exact: true }).and(page.locator(':focus')).waitFor();
    await page.keyboard.press('Enter');
  }

  async function look(page: Page, what: string): Promise<void> {
    for (const colorScheme of ['light', 'dark'] as const) {
      await switchColorScheme(page, colorScheme);
      expect(await seriousViolations(page), `${what}, ${colorScheme}`).toEqual([]);
    }
    expect(await scrollsSideways(page), `${what} scrolls sideways`).toBe(false);
  }

  test('show the number of invalid fields, and an error next to each field', async () => {
    const { page } = await openPage('/rules/new');
    await page.getByLabel(/^Name/).fill('n'.repeat(201));
    await page.getByLabel('Description').fill('d'.repeat(20_000));
    await page.getByRole('button', { name: 'Create rule' }).click();
    const notice = page.getByRole('alert').filter({ hasText: "2 fields aren't valid" });
    await notice.waitFor();
    expect((await notice.innerText()).trim()).toBe("2 fields aren't valid");
    const errors = page.locator('[class*=error][id$=-error]');
    expect(await errors.allInnerTexts()).toEqual([
      expect.stringContaining('200'),
      expect.stringMatching(/must|at most/),
    ]);
    await page.getByLabel('Description').fill('d');
    await page.getByRole('button', { name: 'Create rule' }).click();
    // For a single invalid field, its own error is enough.
    await notice.waitFor({ state: 'detached' });
    await page.locator('[aria-invalid=true]').first().waitFor();
    expect(await page.locator('[aria-invalid=true]').count()).toBe(1);
  });

  test('test the version pattern of a gather job on sample tags and show the match, the groups, or the reason for a mismatch', async () => {
    const { page, problems, sent } = await openPage('/gather-jobs/new', { width: 390, height: 844 });
    await page.getByRole('button', { name: /^Advanced options/ }).click();
    const pattern = page.getByLabel('Version pattern', { exact: true });
    await pattern.fill('^v(\\d+)\\.(\\d+)');
    await page.getByLabel('Sample tags').fill('v1.2.3\nrelease-7\n');
    await pressTest(page, 'Test: Version pattern');
    await page.getByText('(group 1: 1, group 2: 2)').waitFor();
    await page.getByText('This tag is excluded.').waitFor();
    expect(sent.map((body) => JSON.parse(body))).toEqual([
      { pattern: '^v(\\d+)\\.(\\d+)', sample: 'v1.2.3' },
      { pattern: '^v(\\d+)\\.(\\d+)', sample: 'release-7' },
    ]);
    await look(page, 'a match');

    await pattern.fill('v(?=1)');
    expect(await page.getByText('This tag is excluded.').count()).toBe(0);
    await page.getByLabel('Sample tags').focus();
    await pressTest(page, 'Test: Version pattern');
    await page.getByText('Invalid pattern').waitFor();
    await page.getByText(/a lookahead/).waitFor();
    await look(page, 'an invalid pattern');

    await pattern.fill('(x)?v1');
    await page.getByLabel('Sample tags').fill('v1');
    await pressTest(page, 'Test: Version pattern');
    await page.getByText('The pattern matches, but its first capture group is empty.').waitFor();
    await page.getByLabel('Sample tags').fill('');
    await pressTest(page, 'Test: Version pattern');
    await page.getByText('1 capture group: the version is what it matches.').waitFor();
    expect(JSON.parse(sent.at(-1)!)).toEqual({ pattern: '(x)?v1' });
    expect(problems).toEqual([]);
  });

  test('create a lifecycle-only source from a product, and the page of the source shows no runs and no releases', async () => {
    const { page } = await openPage('/gather-jobs/new');
    await page.getByRole('radio', { name: 'Lifecycle only' }).click();
    await page.getByRole('combobox', { name: /^Product/ }).fill('amazon-eks');
    expect(await page.getByRole('button', { name: /^Advanced options/ }).count()).toBe(0);
    await look(page, 'the form of a lifecycle');
    const [request] = await Promise.all([
      page.waitForRequest((sent) => sent.method() === 'POST' && sent.url().endsWith('/gather-jobs')),
      page.getByRole('button', { name: /^Create/ }).click(),
    ]);
    expect(request.postDataJSON()).toMatchObject({
      name: 'amazon-eks',
      source_type: 'lifecycle',
      artifact_name: 'amazon-eks',
      lifecycle_product: 'amazon-eks',
      cron_expression: null,
    });
    await page.getByRole('heading', { name: 'Release lines' }).waitFor();
    const main = page.getByRole('main');
    await main.getByText("The lifecycle data isn't loaded").waitFor();
    await main.getByText('not loaded', { exact: true }).waitFor();
    const text = await main.innerText();
    expect(text).not.toMatch(/Last run|Next run|never|No runs yet|No releases yet|Run now/i);
    await look(page, 'the page of a lifecycle');
    await page.goto(new URL('/gather-jobs', page.url()).href);
    await page.getByText('amazon-eks').first().waitFor();
    expect(await main.innerText()).not.toMatch(/never/i);
  });

  test('accept the path of a changelog if the source is a repository', async () => {
    const { page } = await openPage('/gather-jobs/new');
    await page.getByRole('textbox', { name: /^Artifact/ }).fill('https://git.example.org/team/app.git');
    await page.getByRole('button', { name: /^Advanced options/ }).click();
    await page.getByLabel('Changelog').fill('docs/CHANGES.md ');
    const [request] = await Promise.all([
      page.waitForRequest((sent) => sent.method() === 'POST' && sent.url().endsWith('/gather-jobs')),
      page.getByRole('button', { name: /^Create/ }).click(),
    ]);
    expect(request.postDataJSON()).toMatchObject({ changelog_path: 'docs/CHANGES.md' });
  });

  test('test the expression of a scrape job on pasted content, and a regular expression also without content', async () => {
    const { page, problems, sent } = await openPage('/scrape-jobs/new');
    const content = page.getByLabel('Test with file content');
    await page.getByLabel(/^Path/).fill('.image.tag');
    await content.fill('image:\n  tag: "11.2.0"\n');
    await pressTest(page, 'Test');
    await page.getByText('Found', { exact: true }).waitFor();
    await page.getByText('11.2.0', { exact: true }).waitFor();
    await page.getByLabel(/^Path/).fill('.image.digest');
    await content.focus();
    await pressTest(page, 'Test');
    await page.getByText('No version found').waitFor();
    await page.getByText(/no key "digest"/).waitFor();
    expect(sent).toEqual([]);

    await page.getByRole('combobox', { name: 'Parser' }).click();
    await page.getByRole('option', { name: 'Regular expression' }).click();
    await page.getByLabel(/^Pattern/).fill('FROM grafana:(\\S+)');
    await content.fill('');
    await pressTest(page, 'Test');
    await page.getByText(/1 capture group.*Paste the file to see what it finds/).waitFor();
    expect(sent.map((body) => JSON.parse(body))).toEqual([{ pattern: 'FROM grafana:(\\S+)' }]);
    await content.fill('FROM grafana:11.3.0\n');
    await pressTest(page, 'Test');
    await page.getByText('11.3.0', { exact: true }).waitFor();
    await look(page, 'found');
    await page.getByLabel(/^Pattern/).fill('FROM (');
    await content.focus();
    await pressTest(page, 'Test');
    await page.getByText('Invalid pattern').waitFor();
    await look(page, 'invalid');
    expect(problems).toEqual([]);
  });

  test('test the version filter of an alert configuration on the releases of its gather job', async () => {
    const { page, problems, organization } = await openPage('/alert-configs');
    const gatherJobId = await createReleases(server, organization, ['14.9', '15.1', '15.2']);
    await page.goto(`${server.url}/alert-configs/new?gather_job_id=${gatherJobId}`);
    const pattern = page.getByLabel('Version filter', { exact: true });
    await pattern.fill('^15\\.');
    await page.getByText('15.2').first().waitFor();
    expect(await page.getByLabel('Sample versions').inputValue()).toBe('15.2\n15.1\n14.9');
    await page.getByLabel('Sample versions').focus();
    await pressTest(page, 'Test: Version filter');
    await page.getByText("This release isn't compared.").waitFor();
    expect(await page.getByText('Match', { exact: true }).count()).toBe(2);
    expect(problems).toEqual([]);
  });

  test.each([
    [
      'https://gitlab.com/gitlab-org/gitlab-runner/-/releases',
      'gitlab_releases',
      'gitlab.com/gitlab-org/gitlab-runner',
    ],
    ['docker pull grafana/grafana:11.2.0', 'oci_registry', 'docker.io/grafana/grafana'],
    ['grafana/grafana', 'github_releases', 'github.com/grafana/grafana'],
  ])(
    'detect the source type of %s and show the artifact name that is saved',
    async (pasted, source_type, artifact_name) => {
      const { page, problems, organization } = await openPage('/gather-jobs/new');
      await page.getByLabel('Artifact').fill(pasted);
      await page.getByText(`Saved as ${artifact_name}`).waitFor();
      await page.getByRole('button', { name: 'Create upstream source' }).click();
      await page.waitForURL(/\/gather-jobs\/\d+$/);
      const { items } = await organization.api.call('listGatherJobs');
      expect(items).toMatchObject([{ source_type, artifact_name, name: artifact_name.split('/').at(-1) }]);
      expect(problems).toEqual([]);
    },
  );

  test.each([
    ['a derived name', 'cpython', 'pypy'],
    ['a name that someone chose', 'Python', 'Python'],
  ])('change %s of an upstream source with its artifact only if it was derived', async (_, name, saved) => {
    const { page, problems, organization } = await openPage('/gather-jobs');
    const { id } = await organization.api.call('createGatherJob', {
      body: {
        name,
        source_type: 'github_releases',
        is_active: false,
        artifact_name: 'github.com/python/cpython',
      },
    });
    await page.goto(`${server.url}/gather-jobs/${id}`);
    await page.getByRole('button', { name: 'Edit', exact: true }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Artifact').fill('https://github.com/pypy/pypy');
    await expect.poll(() => dialog.getByRole('textbox', { name: /^Name/ }).inputValue()).toBe(saved);
    await dialog.getByRole('button', { name: /^Save/ }).click();
    await dialog.waitFor({ state: 'detached' });
    await page.getByRole('heading', { level: 1, name: saved, exact: true }).waitFor();
    expect(await organization.api.call('getGatherJob', { path: { id } })).toMatchObject({
      name: saved,
      artifact_name: 'github.com/pypy/pypy',
    });
    expect(problems).toEqual([]);
  });

  test('keep the selected source type', async () => {
    const { page } = await openPage('/gather-jobs/new');
    await page.getByRole('radio', { name: 'Git tags' }).click();
    await page.getByLabel('Artifact').fill('https://github.com/python/cpython/tags');
    await page.getByText('Saved as https://github.com/python/cpython.git').waitFor();
    expect(await page.getByRole('radio', { name: 'Git tags' }).isChecked()).toBe(true);
  });
});
