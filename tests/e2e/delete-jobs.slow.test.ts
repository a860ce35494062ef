import { beforeAll, describe, expect, test } from 'vitest';
import { browserPath, noBrowserSuffix, startBrowser, type TestBrowser } from '../helpers/browser.ts';
import { logIn, navigateInPage } from '../helpers/browser-checks.ts';
import { insertManagedScrapeJob } from '../helpers/discovery-fixture.ts';
import { type SharedTestServer, sharedTestServer, type TestOrganization } from '../helpers/test-server.ts';
import { ensureWebPage } from '../helpers/web-page.ts';

describe.skipIf(browserPath === null)(`deleting a job in a browser${noBrowserSuffix}`, () => {
  let server: SharedTestServer;
  let browser: TestBrowser;
  beforeAll(async () => {
    await ensureWebPage();
    server = await sharedTestServer();
    browser = await startBrowser();
  });

  async function createCompared({ api }: TestOrganization) {
    const scrapeJob = await api.call('createScrapeJob', {
      body: { name: 'Shop in production', parser_type: 'manual' },
    });
    const gatherJob = await api.call('createGatherJob', {
      body: {
        name: 'Shop',
        source_type: 'github_releases',
        artifact_name: 'github.com/acme/shop',
        is_active: false,
      },
    });
    const rule = await api.call('createRule', {
      body: { name: 'Days', rule_type: 'days_behind', thresholds: { high: 30 } },
    });
    const config = await api.call('createAlertConfig', {
      body: {
        name: 'Shop compared',
        scrape_job_id: scrapeJob.id,
        gather_job_id: gatherJob.id,
        rule_id: rule.id,
      },
    });
    return { scrapeJob, gatherJob, config };
  }

  test('lists the resources that use the job, deletes nothing on cancel, and deletes all of them on confirmation', async () => {
    const organization = await server.createOrganization();
    const { gatherJob, config } = await createCompared(organization);
    const { page, problems } = await browser.open();
    await logIn(page, server.url, organization, `/gather-jobs/${gatherJob.id}`);
    const question = page.getByRole('dialog');
    const remove = async () => {
      await page.getByRole('button', { name: 'Actions for Shop', exact: true }).click();
      await page.getByRole('menuitem', { name: 'Delete' }).click();
    };
    await remove();
    await question.getByText('Delete "Shop" and 1 monitor?').waitFor();
    await question.getByRole('link', { name: config.name }).waitFor();
    await question.getByRole('button', { name: 'Cancel' }).click();
    await question.waitFor({ state: 'hidden' });
    expect((await organization.api.call('listAlertConfigs')).total).toBe(1);

    await remove();
    await question.getByRole('button', { name: 'Delete all' }).click();
    await page.waitForURL(`${server.url}/gather-jobs`);
    await page.getByText('No upstream sources yet').waitFor();
    expect((await organization.api.call('listGatherJobs')).total).toBe(0);
    expect((await organization.api.call('listAlertConfigs')).total).toBe(0);
    expect(problems).toEqual([]);
  });

  test('deletes a discovery job and the version trackers that it feeds, as the confirmation says', async () => {
    const organization = await server.createOrganization();
    const { api } = organization;
    const job = await api.call('createDiscoveryJob', {
      body: { name: 'Deployments', repository_url: 'https://git.example.org/acme/deploy' },
    });
    await insertManagedScrapeJob(server.db, organization.id, job.id);
    const { page, problems } = await browser.open();
    await logIn(page, server.url, organization, `/discovery/${job.id}`);
    await page.getByRole('button', { name: 'Delete' }).click();
    const question = page.getByRole('dialog');
    await question.getByText(/version trackers that it feeds/).waitFor();
    await question.getByRole('button', { name: 'Delete' }).click();
    await page.waitForURL(`${server.url}/discovery`);
    expect((await api.call('listDiscoveryJobs')).total).toBe(0);
    expect((await api.call('listScrapeJobs')).total).toBe(0);
    expect(problems).toEqual([]);
  });

  test('is hidden from a viewer, as are all other actions that a viewer is not allowed to perform', async () => {
    const organization = await server.createOrganization();
    const { gatherJob, scrapeJob, config } = await createCompared(organization);
    const email = `viewer-${organization.id}@example.org`;
    const password = 'a password for a viewer';
    const { accept_url } = await organization.owner.call('inviteMember', {
      body: { email, role: 'viewer' },
    });
    const token = tokenOf(accept_url);
    await server.anonymous.call('acceptInvitation', { body: { token, name: 'Viewer', password } });
    const { page, problems } = await browser.open();
    await logIn(page, server.url, { email, password });
    for (const path of [
      '/gather-jobs',
      `/gather-jobs/${gatherJob.id}`,
      '/scrape-jobs',
      `/scrape-jobs/${scrapeJob.id}`,
      '/helm-sync-jobs',
      '/alert-configs',
      `/alert-configs/${config.id}`,
      '/set-up',
    ]) {
      await navigateInPage(page, path);
      await page.locator('main [aria-busy=true]').first().waitFor({ state: 'detached' });
      const offered = page.locator('main').getByRole('button', {
        name: /delete|edit|enable|disable|run now|set version|actions|continue|clear releases/i,
      });
      expect(await offered.count(), path).toBe(0);
      expect(await page.locator('main a[href$="/new"]').count(), path).toBe(0);
    }
    expect(problems).toEqual([]);
  });
});

const tokenOf = (acceptUrl: string): string => /[?&#]token=([^&]+)/.exec(acceptUrl)?.[1] ?? '';
