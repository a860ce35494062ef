import { readFileSync } from 'node:fs';
import { sql } from 'kysely';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { completeUpstreamRuns } from '../helpers/answer-upstreams.ts';
import { browserPath, noBrowserSuffix, startBrowser, type TestBrowser } from '../helpers/browser.ts';
import { logIn, navigateInPage } from '../helpers/browser-checks.ts';
import { createDiscoveryAgent } from '../helpers/discovery-agent.ts';
import { insertItems } from '../helpers/discovery-fixture.ts';
import { expectAccessible } from '../helpers/expect-accessible.ts';
import { createScanner } from '../helpers/scan-by-hand.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';
import { hasTestData, testDataPath } from '../helpers/test-data.ts';
import { type SharedTestServer, sharedTestServer } from '../helpers/test-server.ts';
import { hasGitHttpBackend, startGitServer } from '../helpers/upstreams/git-server.ts';
import { ensureWebPage } from '../helpers/web-page.ts';
import { createWebhookInbox } from '../helpers/webhook-inbox.ts';

describe.skipIf(browserPath === null)(`discovery in a browser${noBrowserSuffix}`, () => {
  let server: SharedTestServer;
  let browser: TestBrowser;
  beforeAll(async () => {
    await ensureWebPage();
    server = await sharedTestServer();
    browser = await startBrowser();
  });

  async function open(path: string) {
    const organization = await server.createOrganization();
    const { api } = organization;
    const rule = await api.call('createRule', {
      body: { name: 'Month', rule_type: 'days_behind', thresholds: { moderate: 30 } },
    });
    const { page, problems } = await browser.open({ viewport: { width: 1280, height: 1000 } });
    await logIn(page, server.url, organization, path);
    return { page, problems, api, organization, rule };
  }

  test('a repository is added, and all of its versions are accepted with one rule', async () => {
    const { page, problems, api, organization } = await open('/discovery');
    await page.getByRole('link', { name: 'Add repository' }).first().click();
    await page.getByLabel('Repository URL').fill('https://git.example.org/acme/deployments.git');
    await page.getByRole('button', { name: 'Advanced options' }).click();
    await page.getByRole('button', { name: 'Add label rule' }).click();
    await page.getByLabel('Label rule 1 pattern').fill('clusters/(?P<cluster>[^/]+)/');
    const labels = page.getByRole('combobox', { name: 'Label rule 1 labels' });
    await labels.fill('team=web');
    await labels.press('Enter');
    await page.getByRole('button', { name: 'Add credential' }).click();
    await page.getByLabel('Credential 1 host').fill('GHCR.io');
    await page.getByLabel('Credential 1 name').fill('ghcr');
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Add repository' }).click();
    await page.getByRole('heading', { name: 'deployments' }).waitFor();
    const [job] = (await api.call('listDiscoveryJobs')).items;
    expect(job).toMatchObject({
      label_rules: [{ pattern: 'clusters/(?P<cluster>[^/]+)/', labels: { team: 'web' } }],
      source_credentials: [{ host: 'ghcr.io', credential_name: 'ghcr' }],
    });
    await insertItems(server.db, organization.id, job!.id, [
      { labels: { environment: 'prod' } },
      { labels: { environment: 'staging' }, version: '1.3.0' },
      { reason: 'templated', version: null, version_state: 'templated', proposal: null, confidence: 'none' },
    ]);
    await page.reload();
    const table = page.getByRole('table', { name: 'found versions' });
    await table.getByRole('row', { name: /ghcr\.io\/acme\/web.*1\.3\.0.*staging.*New/ }).waitFor();
    await expectAccessible(page);

    await page.getByText('Artifacts', { exact: true }).click();
    const groups = page.getByRole('table', { name: 'artifacts' });
    await groups.getByRole('row', { name: /ghcr\.io\/acme\/web 3 places.*1\.2\.3.*1\.3\.0/ }).waitFor();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Actions for ghcr.io/acme/web' }).click();
    await page.getByRole('menuitem', { name: 'Show places' }).click();
    await table.getByRole('row', { name: /1\.3\.0/ }).waitFor();
    await page.getByRole('button', { name: 'Clear filters' }).click();

    await page.getByRole('button', { name: 'Accept all' }).click();
    const dialog = page.getByRole('dialog');
    // The only rule is preselected.
    await dialog.getByText('Creates 2 version trackers, 1 upstream source, and 2 monitors.').waitFor();
    await dialog.getByText('environment: prod (1), staging (1)').waitFor();
    await dialog.getByText("No alerts now. The result for 2 versions isn't known yet.").waitFor();
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Accept' }).click();
    await page.getByText('2 versions accepted').waitFor();
    await table.getByRole('row', { name: /1\.2\.3.*prod.*Accepted/ }).waitFor();
    expect((await api.call('listAlertConfigs')).items.map(({ name }) => name).toSorted()).toEqual([
      'web (prod)',
      'web (staging)',
    ]);

    await navigateInPage(page, '/scrape-jobs');
    const trackers = page.getByRole('table', { name: 'version trackers' });
    await trackers.getByRole('row', { name: /web \(staging\).*Read by deployments/ }).waitFor();
    expect(await trackers.getByText('Never run').count()).toBe(0);
    await expectAccessible(page);
    await trackers.getByRole('link', { name: 'web (prod)' }).click();
    const tracker = page.locator('#read-from');
    await tracker.getByRole('link', { name: 'deployments' }).waitFor();
    expect(await tracker.getByText(/Never run|Last run|Next run/).count()).toBe(0);
    await tracker.getByRole('link', { name: 'deployments' }).click();
    await page.getByRole('heading', { name: 'deployments' }).waitFor();
    expect(problems).toEqual([]);
  });

  test('custom patterns are tested against a file, and saved with the job', async () => {
    const { page, problems, api } = await open('/discovery/new');
    await page.getByLabel('Repository URL').fill('https://git.example.org/acme/deployments.git');
    await page.getByRole('button', { name: 'Add pattern' }).click();
    await page.getByLabel('Pattern 1 name').fill('Images');
    await page.getByLabel('Pattern 1 path').fill('*.libsonnet');
    const pattern = page.getByLabel('Pattern 1 regular expression');
    await pattern.fill("'(?P<artifact>[^':]+)'");
    const templates = page.getByRole('combobox', { name: 'Pattern 1 templates' });
    await templates.fill('source_type=oci_registry');
    await templates.press('Enter');
    await page.getByLabel('Path of the test file').fill('lib/a.libsonnet');
    await page.getByLabel('Content of the test file').fill("{\n  web: 'acme/web:1.2.3',\n}");
    await page.getByRole('button', { name: 'Test patterns' }).click();
    await page
      .getByText(/needs a group/)
      .first()
      .waitFor();
    const valid = "'(?P<artifact>[^':]+):(?P<version>[^']+)'";
    await pattern.fill(valid);
    await page.getByRole('button', { name: 'Test patterns' }).click();
    const table = page.getByRole('table', { name: 'found versions in the test file' });
    await table.getByRole('row', { name: /acme\/web.*1\.2\.3.*2/ }).waitFor();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Add repository' }).click();
    await page.getByRole('heading', { name: 'deployments' }).waitFor();
    expect((await api.call('listDiscoveryJobs')).items).toMatchObject([
      {
        custom_extractors: [
          { name: 'Images', path: '*.libsonnet', pattern: valid, templates: { source_type: 'oci_registry' } },
        ],
      },
    ]);
    expect(problems.filter((problem) => !problem.includes('400'))).toEqual([]);
  });

  test('ignore rules are added, changed, and removed as rows, and an invalid pattern shows an error in its row', async () => {
    const { page, problems, api } = await open('/discovery');
    const { id } = await api.call('createDiscoveryJob', {
      body: {
        name: 'Deployments',
        repository_url: 'https://git.example.org/acme/deployments',
        ignore_rules: [{ path: 'clusters/shop/', is_ignored: false }],
      },
    });
    await page.goto(`${server.url}/discovery/${id}`);
    const dialog = page.getByRole('dialog', { name: 'Edit repository' });
    const field = (row: number, name: string) => dialog.getByLabel(`Ignore rule ${row} ${name}`);
    const save = () => dialog.getByRole('button', { name: 'Save' }).click();
    const edit = page.getByRole('button', { name: 'Edit', exact: true });
    await edit.click();
    await field(1, 'path').waitFor();
    expect(await field(1, 'reason').inputValue()).toBe('Not ignored');
    await dialog.getByRole('button', { name: 'Add ignore rule' }).click();
    await field(2, 'path').fill('!clusters/sandbox/');
    await field(2, 'reason').fill('Only for experiments');
    await save();
    await dialog.getByText('must be a path pattern').waitFor();
    expect(await field(2, 'path').getAttribute('aria-invalid')).toBe('true');
    await expectAccessible(page);
    await field(2, 'path').fill('clusters/sandbox/');
    await save();
    await dialog.waitFor({ state: 'detached' });
    const read = async () => (await api.call('getDiscoveryJob', { path: { id } })).ignore_rules;
    const sandbox = { path: 'clusters/sandbox/', reason: 'Only for experiments' };
    expect(await read()).toEqual([{ path: 'clusters/shop/', is_ignored: false }, sandbox]);

    await edit.click();
    await dialog.getByRole('button', { name: 'Remove ignore rule 1' }).click();
    await field(1, 'artifact').fill('pkg:docker/library/busybox');
    await save();
    await dialog.waitFor({ state: 'detached' });
    expect(await read()).toEqual([{ ...sandbox, artifact: expect.stringContaining('busybox') }]);
    expect(problems.filter((problem) => !problem.includes('400'))).toEqual([]);
  });

  test("the organization's custom patterns are tested against a file, saved, and shown at each repository", async () => {
    const { page, problems, api } = await open('/settings');
    const row = page.locator('[data-setting="discovery.custom_extractors"]');
    await row.getByRole('button', { name: 'Edit' }).click();
    const dialog = page.getByRole('dialog', { name: 'Edit custom patterns' });
    await dialog.getByRole('button', { name: 'Add pattern' }).click();
    await dialog.getByLabel('Pattern 1 name').fill('Images');
    await dialog.getByLabel('Pattern 1 path').fill('*.libsonnet');
    const pattern = dialog.getByLabel('Pattern 1 regular expression');
    await pattern.fill("'(?P<artifact>[^':]+)'");
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.getByText(/needs a group/).waitFor();
    const valid = "'(?P<artifact>[^':]+):(?P<version>[^']+)'";
    await pattern.fill(valid);
    await dialog.getByLabel('Path of the test file').fill('lib/a.libsonnet');
    await dialog.getByLabel('Content of the test file').fill("{\n  web: 'acme/web:1.2.3',\n}");
    await dialog.getByRole('button', { name: 'Test patterns' }).click();
    const table = dialog.getByRole('table', { name: 'found versions in the test file' });
    await table.getByRole('row', { name: /acme\/web.*1\.2\.3.*Images.*2/ }).waitFor();
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.waitFor({ state: 'detached' });
    await row.getByText('Images', { exact: true }).waitFor();
    const { items } = await api.call('listEffectiveSettings');
    expect(items.find(({ key }) => key === 'discovery.custom_extractors')?.value).toEqual([
      { name: 'Images', path: '*.libsonnet', pattern: valid, templates: {} },
    ]);
    await navigateInPage(page, '/discovery/new');
    await page.getByText('1 custom pattern of the organization applies as well.').waitFor();
    expect(problems.filter((problem) => !problem.includes('400'))).toEqual([]);
  });

  test('the pages of a repository group show removals that wait for a complete list, and a moved repository can be followed', async () => {
    const { page, problems, api, organization } = await open('/discovery');
    const { id } = await api.call('createDiscoveryJob', {
      body: { name: 'acme', kind: 'repository_group', group_url: 'https://github.com/acme' },
    });
    const { rows } = await sql<{ id: number }>`
      INSERT INTO discovery_jobs (organization_id, name, kind, repository_url, ref, group_job_id, forge_id, unlisted_since,
        unlisted_reason, moved_to, removal)
      SELECT ${organization.id}, name, 'git_repository', 'https://github.com/' || name || '.git', 'HEAD', ${id}, forge_id,
        pacekeeper_now(), reason, moved_to, removal
      FROM (VALUES ('1', 'acme/old', NULL, NULL, 'confirmed'),
        ('2', 'acme/web', 'moved', 'https://github.com/other/web.git', 'held'))
        AS listed (forge_id, name, reason, moved_to, removal)
      RETURNING id`.execute(server.db);
    await navigateInPage(page, `/discovery/${id}`);
    await page.getByText('1, waiting for the next complete list').waitFor();
    await page.getByRole('link', { name: 'Show repositories' }).click();
    await page.getByText('removal confirmed, waiting for a complete list').waitFor();
    await page.getByText('moved to https://github.com/other/web.git').waitFor();
    await navigateInPage(page, `/discovery/${rows[1]!.id}`);
    await page.getByText('Moved to https://github.com/other/web.git', { exact: true }).waitFor();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Follow repository' }).click();
    await page.getByRole('heading', { name: 'other/web' }).waitFor();
    expect(await api.call('getDiscoveryJob', { path: { id: rows[1]!.id } })).toMatchObject({
      repository_url: 'https://github.com/other/web.git',
      group_job_id: null,
      unlisted: null,
    });
    expect(problems).toEqual([]);
  });

  test('the page of a repository shows its files without versions, and the directories that were skipped', async () => {
    const { page, problems, api } = await open('/discovery');
    const { id } = await api.call('createDiscoveryJob', {
      body: { name: 'Deployments', repository_url: 'https://git.example.org/acme/deploy' },
    });
    await createScanner(api).scan(id, [], {
      files: 1_240,
      silent_files: [
        { kind: 'jsonnet', reason: 'kind_not_read', count: 1_200, examples: ['lib/web.libsonnet'] },
        { kind: 'helm_values', reason: 'no_version', count: 2, examples: ['web/values.yaml'] },
        { kind: 'kind_of_a_later_agent', reason: 'kind_not_read', count: 1, examples: ['a.later'] },
      ],
      skipped_directories: { count: 30, examples: ['docs', 'web/node_modules'] },
      pattern_problems: [{ file: 'renovate.json', name: 'customManagers[2]', message: 'It is disabled.' }],
    });
    await navigateInPage(page, `/discovery/${id}`);
    const table = page.getByRole('table', { name: 'files without versions' });
    await table
      .getByRole('row', { name: /Jsonnet, Tanka.*doesn't read this kind.*1,200.*lib\/web/ })
      .waitFor();
    await table.getByRole('row', { name: /Helm values.*no version.*2/ }).waitFor();
    await table.getByRole('row', { name: /kind_of_a_later_agent/ }).waitFor();
    await page.getByText('Skipped 30 directories: docs, web/node_modules, and 28 more').waitFor();
    await page.getByText('renovate.json: customManagers[2]: It is disabled.').waitFor();
    await page.getByText('1,203 files without versions').waitFor();
    await expectAccessible(page);
    expect(problems).toEqual([]);
  });

  test('an alias of a mirror is created from a suggestion, and changed and deleted', async () => {
    const { page, problems, api } = await open('/discovery/aliases');
    await page.getByText('No aliases yet').waitFor();
    for (const name of ['library/redis', 'library/postgres', 'library/nginx'])
      await api.call('createGatherJob', {
        body: {
          name,
          source_type: 'oci_registry',
          artifact_name: `harbor.acme.dev/hub/${name}`,
          is_active: false,
        },
      });
    await page.reload();
    await page.getByText('harbor.acme.dev/hub/ is a mirror of docker.io/').waitFor();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Use the suggestion for harbor.acme.dev/hub/' }).click();
    await page.getByRole('button', { name: 'Create alias' }).click();
    await page
      .getByRole('row', { name: /Mirror of docker\.io.*harbor\.acme\.dev\/hub\/.*docker\.io\// })
      .waitFor();
    await page.getByRole('button', { name: /Use the suggestion/ }).waitFor({ state: 'detached' });

    await page.getByRole('button', { name: 'Actions for Mirror of docker.io' }).click();
    await page.getByRole('menuitem', { name: 'Edit' }).click();
    await page.getByLabel('Address of the upstream').fill('harbor.acme.dev/hub/library');
    await page.getByRole('button', { name: 'Save changes' }).click();
    await page.getByText('The address must not be below the prefix of the mirror').waitFor();
    await page.getByLabel('Address of the upstream').fill('quay.io');
    await page.getByRole('button', { name: 'Save changes' }).click();
    await page.getByRole('row', { name: /harbor\.acme\.dev\/hub\/.*quay\.io\// }).waitFor();

    await page.getByRole('button', { name: 'Actions for Mirror of docker.io' }).click();
    await page.getByRole('menuitem', { name: 'Delete' }).click();
    await page.getByRole('button', { name: 'Delete' }).click();
    await page.getByText('No aliases yet').waitFor();
    expect(problems).toEqual([]);
  });

  test('corrections are listed with their upstreams, and can be deleted', async () => {
    const { page, problems, api } = await open('/discovery/corrections');
    await page.getByText('No corrections yet').waitFor();
    await api.call('createArtifactCorrection', {
      body: { artifact: 'image:registry.local/billing', source_type: null },
    });
    await api.call('createArtifactCorrection', {
      body: {
        artifact: 'pkg:oci/shop?repository_url=ghcr.io/acme/shop',
        source_type: 'github_releases',
        artifact_name: 'github.com/acme/shop',
      },
    });
    await page.getByRole('row', { name: /pkg:oci\/shop.*github\.com\/acme\/shop/ }).waitFor();
    await page.getByRole('row', { name: /image:registry\.local\/billing.*No upstream/ }).waitFor();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Actions for image:registry.local/billing' }).click();
    await page.getByRole('menuitem', { name: 'Delete' }).click();
    await page.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('row', { name: /No upstream/ }).waitFor({ state: 'detached' });
    expect((await api.call('listArtifactCorrections', {})).items).toMatchObject([
      { artifact_name: 'github.com/acme/shop' },
    ]);
    expect(problems).toEqual([]);
  });

  test('a version accepted without a known source is monitored once the source is corrected, and again after its monitor was deleted', async () => {
    const { page, problems, api, organization, rule } = await open('/discovery');
    const { id } = await api.call('createDiscoveryJob', {
      body: { name: 'Deployments', repository_url: 'https://git.example.org/acme/deploy' },
    });
    const item_ids = await insertItems(server.db, organization.id, id, [
      { proposal: null, reason: 'no_source', confidence: 'none' },
    ]);
    await api.call('acceptDiscoveredItems', { body: { item_ids, rule_id: rule.id } });
    await navigateInPage(page, `/discovery/${id}`);
    const table = page.getByRole('table', { name: 'found versions' });
    await table.getByRole('row', { name: /None known.*Accepted no source/ }).waitFor();
    const actions = table.getByRole('button', { name: /^Actions for/ });
    await actions.click();
    await page.getByRole('menuitem', { name: 'Correct' }).click();
    await page.getByRole('combobox', { name: 'Source type' }).click();
    await page.getByRole('option', { name: 'Container registry' }).click();
    await page.getByRole('textbox', { name: 'Source' }).fill('ghcr.io/acme/web');
    await page.getByRole('button', { name: 'Save' }).click();
    await table.getByRole('row', { name: /ghcr\.io\/acme\/web.*Accepted/ }).waitFor();
    await expectAccessible(page);
    const [monitor] = (await api.call('listAlertConfigs')).items;
    await api.call('deleteAlertConfig', { path: { id: monitor!.id } });
    await page.reload();
    await table.getByText('not monitored').waitFor();
    await actions.click();
    await page.getByRole('menuitem', { name: 'Monitor again' }).click();
    await page.getByText('Monitor created').waitFor();
    await expect.poll(() => table.getByText('not monitored').count()).toBe(0);
    expect((await api.call('listAlertConfigs')).total).toBe(1);
    expect(problems).toEqual([]);
  });

  test.skipIf(!hasTestData || !hasGitHttpBackend)(
    'setup from an empty organization to the alerts of a real repository takes six clicks',
    async () => {
      const git = await startGitServer();
      const agent = createDiscoveryAgent(temporaryFolder());
      onTestFinished(async () => {
        await Promise.all([agent.close(), git.close()]);
      });
      const repository = git.createRepository('pi-cluster.git');
      const data = readFileSync(testDataPath('gitops/ricsanfre_pi-cluster.jsonl'), 'utf8');
      const [, line = ''] = data.split('\n', 2);
      repository.commit((JSON.parse(line) as { files: Record<string, string> }).files);

      const organization = await server.createOrganization();
      const { api } = organization;
      const { page, problems } = await browser.open({ viewport: { width: 1280, height: 1000 } });
      await logIn(page, server.url, organization);
      let clicks = 0;
      const click = async (role: 'link' | 'button', name: string | RegExp, within = page.locator('body')) => {
        clicks += 1;
        await within.getByRole(role, { name }).first().click();
      };
      await click('link', 'Discovery');
      await click('link', 'Add repository');
      await page.getByLabel('Repository URL').fill(repository.url);
      await click('button', 'Add repository');
      await page.getByRole('heading', { name: 'pi-cluster' }).waitFor();
      const [job] = (await api.call('listDiscoveryJobs')).items;
      const scan = await agent.run({ repository_url: repository.url });
      await createScanner(api).scan(job!.id, scan.items, scan.summary!);

      await click('button', 'Accept all');
      const dialog = page.getByRole('dialog');
      await dialog.getByText(/^Creates \d+ version trackers, .*\d+ monitors\.$/).waitFor();
      await click('button', 'Accept', dialog);
      await page.getByText(/\d+ versions accepted/).waitFor();
      // First runs on one host start one second apart. Make them due immediately instead of waiting.
      await sql`
        UPDATE runs SET due_at = pacekeeper_now()
        WHERE organization_id = ${organization.id} AND status = 'queued'`.execute(server.db);
      const alertCount = async () => {
        await completeUpstreamRuns(api, { days: 100 });
        return (await api.call('listAlerts')).total;
      };
      await expect.poll(alertCount, { timeout: 40_000, interval: 500 }).toBeGreaterThan(40);
      await click('link', 'Alerts');
      await page.getByRole('table', { name: 'alerts' }).getByRole('row').nth(10).waitFor();
      expect(clicks).toBeLessThanOrEqual(6);
      expect(problems).toEqual([]);
    },
  );

  test.skipIf(!hasTestData || !hasGitHttpBackend)(
    'connecting a real repository leads from an empty installation to one summary message with at most ten clicks',
    async () => {
      const git = await startGitServer();
      const inbox = await createWebhookInbox();
      const agent = createDiscoveryAgent(temporaryFolder());
      onTestFinished(async () => {
        await Promise.all([agent.close(), git.close(), inbox.close()]);
      });
      const repository = git.createRepository('pi-cluster.git');
      const data = readFileSync(testDataPath('gitops/ricsanfre_pi-cluster.jsonl'), 'utf8');
      const [, line = ''] = data.split('\n', 2);
      repository.commit((JSON.parse(line) as { files: Record<string, string> }).files);

      const organization = await server.createOrganization();
      const { api } = organization;
      const { page, problems } = await browser.open({ viewport: { width: 1280, height: 1000 } });
      await logIn(page, server.url, organization);
      let clicks = 0;
      const click = async (role: 'link' | 'button', name: string | RegExp) => {
        clicks += 1;
        await page.getByRole(role, { name }).first().click();
      };
      let seen = '';
      const look = async () => {
        await expectAccessible(page);
        seen += await page.locator('body').innerText();
        const picture = process.env['PACEKEEPER_PICTURES'];
        if (picture) await page.screenshot({ path: `${picture}/connect-${clicks}.png`, fullPage: true });
      };
      await page.getByRole('heading', { name: 'Connect what you run' }).waitFor();
      await look();
      await click('link', 'Git repository');
      await page.getByLabel('Repository URL').fill(repository.url);
      await look();
      await click('button', 'Scan repository');
      await page.getByRole('heading', { name: 'pi-cluster' }).waitFor();
      await look();
      const [job] = (await api.call('listDiscoveryJobs')).items;
      const scan = await agent.run({ repository_url: repository.url });
      await createScanner(api).scan(job!.id, scan.items, scan.summary!);

      await page.getByRole('button', { name: /^Track \d+ versions$/ }).waitFor();
      await page.getByText(/^Deployed software: \d+ versions of \d+ artifacts$/).waitFor();
      await look();
      await click('button', /^Track/);
      await page.getByText(/^No alerts now\. The result for \d+ versions isn't known yet\./).waitFor();
      expect(await api.call('listAlertConfigs')).toMatchObject({ total: 0 });
      // The count increases while the releases are read. First runs on one host start one second apart, so make them due.
      const counted = page.getByText(/^[1-9]\d* alerts now, .*\bhigh\b.*\. Typically .* a week/);
      const countAlerts = async () => {
        await sql`
          UPDATE runs SET due_at = pacekeeper_now()
          WHERE organization_id = ${organization.id} AND status = 'queued'`.execute(server.db);
        await completeUpstreamRuns(api, { days: 100 });
        const [text = '0'] = await counted.allInnerTexts();
        return Number.parseInt(text, 10);
      };
      await expect.poll(countAlerts, { timeout: 60_000, interval: 1_000 }).toBeGreaterThan(40);
      await click('button', /^Generic/);
      await page.getByRole('textbox', { name: 'URL', exact: true }).fill(`${inbox.url}summary`);
      await look();
      await click('button', 'Start monitoring');
      await page.getByRole('heading', { name: 'Today', level: 1 }).waitFor();
      expect(clicks).toBeLessThanOrEqual(10);

      interface Message {
        type: string;
        data: { events?: unknown[]; omitted_events?: number };
      }
      // Ignore the message that the agent of this test is offline.
      const aboutAlerts = () =>
        inbox.requests
          .map(({ body }) => JSON.parse(body) as Message)
          .filter(({ type }) => !type.startsWith('agent.'));
      // Sources without releases delay the summary for up to a minute.
      await expect.poll(() => aboutAlerts().length, { timeout: 90_000 }).toBe(1);
      const { total } = await api.call('listAlerts');
      expect(total).toBeGreaterThan(40);
      const waiting = async () =>
        (await api.call('listNotificationDeliveries', { query: { status: 'pending' } })).total;
      await expect.poll(waiting).toBe(0);
      const countOf = ({ data: { events = [], omitted_events = 0 } }: Message) =>
        events.length + omitted_events;
      expect(aboutAlerts().map((message) => [message.type, countOf(message)])).toEqual([['digest', total]]);
      expect(problems).toEqual([]);

      const written = readFileSync(new URL('../../docs/getting-started.md', import.meta.url), 'utf8');
      const ofConnect = /## In the UI\n([\s\S]*?)\n### /.exec(written)?.[1] ?? '';
      const named = [...ofConnect.matchAll(/\*\*([^*]+)\*\*/g)].map(([, name]) => name!.replace(/\s+/g, ' '));
      expect(named.length).toBeGreaterThan(8);
      expect(
        // `sample-data.slow.test.ts` removes the sample data, and another test in this file continues a setup.
        named.filter((name) => !seen.includes(name) && !['Remove sample data', 'Continue'].includes(name)),
        'of the pages that the docs name',
      ).toEqual([]);
    },
  );

  test('the setup of a repository can be continued until its versions are tracked, and shows what fails', async () => {
    const { page, problems, api, organization } = await open('/connect');
    const { id } = await api.call('createDiscoveryJob', {
      body: { name: 'deployments', repository_url: 'https://git.example.org/acme/deployments' },
    });
    await sql`
      UPDATE runs SET due_at = pacekeeper_now() + interval '1 hour', attempt = 1, error_code = 'unauthorized',
        error_message = 'The repository requires a credential.'
      WHERE kind = 'discovery' AND job_id = ${id}`.execute(server.db);
    await page.reload();
    await page.getByRole('heading', { name: 'Continue' }).waitFor();
    const unfinished = page.getByRole('table', { name: 'unfinished connections' });
    await unfinished.getByRole('row', { name: /deployments.*Retrying/ }).waitFor();
    await expectAccessible(page);
    await unfinished.getByRole('link', { name: 'deployments' }).click();
    await page.getByText('The repository requires a credential.').waitFor();
    await expectAccessible(page);

    await insertItems(server.db, organization.id, id, [{}]);
    await page.goto(`${server.url}/connect`);
    await unfinished.getByRole('row', { name: /deployments.*1$/ }).waitFor();
    await unfinished.getByRole('link', { name: 'deployments' }).click();
    await page.getByRole('button', { name: 'Track 1 version' }).click();
    await page.getByText(/The result for 1 version isn't known yet\./).waitFor();
    await sql`
      UPDATE runs SET due_at = pacekeeper_now() + interval '1 hour', attempt = 1, error_code = 'not_found',
        error_message = 'The image was not found.'
      WHERE kind = 'gather' AND organization_id = ${organization.id}`.execute(server.db);
    await page.getByText("The releases of 1 upstream source can't be read:").waitFor();
    await page.getByRole('listitem').filter({ hasText: 'The image was not found.' }).waitFor();
    await expectAccessible(page);
    await navigateInPage(page, '/connect');
    await page.getByRole('link', { name: /Git repository/ }).waitFor();
    await expect.poll(() => unfinished.count()).toBe(0);
    expect(problems).toEqual([]);
  });

  test('monitoring can start without a message about the alerts that open now', async () => {
    const inbox = await createWebhookInbox();
    onTestFinished(() => inbox.close());
    const { page, problems, api, organization } = await open('/connect');
    const { id } = await api.call('createDiscoveryJob', {
      body: { name: 'deployments', repository_url: 'https://git.example.org/acme/deployments' },
    });
    const workflow = { key: 'ci', path: '.github/workflows/ci.yaml', extractor: 'github_actions' };
    await insertItems(server.db, organization.id, id, [{ version: '0.0.1' }, workflow]);
    await navigateInPage(page, '/');
    await page.getByRole('link', { name: 'Continue with deployments' }).click();
    await page.getByText('CI files and builds: 1 version of 1 artifact').click();
    await page.getByLabel('Include 1 version from CI files and builds').waitFor();
    await page.getByRole('button', { name: 'Track 1 version' }).click();
    // The existing rule is preselected.
    await expect.poll(() => page.getByRole('combobox', { name: 'Rule' }).inputValue()).toBe('Month');
    await completeUpstreamRuns(api, { days: 100 });
    await page.getByText(/^1 alert now, 1 moderate\./).waitFor();
    await page.getByRole('button', { name: /^Generic/ }).click();
    await page.getByRole('textbox', { name: 'URL', exact: true }).fill(`${inbox.url}new`);
    await page.getByLabel('Nothing now, only what is new').check();
    await page.getByRole('button', { name: 'Start monitoring' }).click();
    await page.getByText('1 version monitored').waitFor();
    expect((await api.call('listAlerts')).total).toBe(1);
    expect((await api.call('listNotificationDeliveries')).total).toBe(0);
    const [channel] = (await api.call('listNotificationChannels')).items;
    expect(await api.call('getNotificationSettings')).toMatchObject({ default_channel_id: channel!.id });
    await navigateInPage(page, `/connect/${id}`);
    await page.getByText('1 version is monitored.').waitFor();
    await expectAccessible(page);
    expect(inbox.requests).toEqual([]);
    expect(problems).toEqual([]);
  });

  test('a cluster is added with one command, and its running version appears next to the declared one', async () => {
    const { page, problems, api, organization } = await open('/discovery');
    await page.getByRole('link', { name: 'Add cluster' }).first().click();
    await page.getByLabel('Cluster name').fill('prod-eu');
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Add cluster' }).click();
    await page.getByRole('heading', { name: 'Install the agent' }).waitFor();
    const [job] = (await api.call('listDiscoveryJobs')).items;
    expect(job).toMatchObject({
      kind: 'kubernetes_cluster',
      name: 'prod-eu',
      cluster_name: 'prod-eu',
      credential_name: 'prod-eu',
      cron_expression: '*/10 * * * *',
      repository_url: null,
      ref: null,
    });
    const command = page.getByLabel('Install command');
    expect(await command.textContent()).toContain('--set agents.kubernetes.credential=prod-eu');
    await page.getByRole('button', { name: 'Create API key' }).click();
    await expect.poll(() => command.textContent()).toMatch(/--set agents\.apiKey=pk_\d+_\w+/);
    const keys = await api.call('listAPIKeys', { query: { q: 'prod-eu' } });
    expect(keys.items).toMatchObject([
      { agent_capabilities: ['discovery:kubernetes'], agent_credential_names: ['prod-eu'] },
    ]);
    await expectAccessible(page);

    const { id } = await api.call('createDiscoveryJob', {
      body: { name: 'Git', repository_url: 'https://git.example.org/a' },
    });
    await insertItems(server.db, organization.id, id, [{ version: '1.9.0' }]);
    await sql`
      UPDATE discovered_items SET live_version = '1.8.2', live_job_id = ${job!.id},
        live_since = pacekeeper_now() - interval '3 days'
      WHERE organization_id = ${organization.id}`.execute(server.db);
    await navigateInPage(page, `/discovery/${id}`);
    await page.getByText('running 1.8.2 for 3 days').waitFor();
    const digest = `sha256:${'d'.repeat(64)}`;
    const moving = { version: 'latest', version_state: 'floating', reason: 'floating', digest };
    await insertItems(server.db, organization.id, id, [
      { ...moving, key: 'matched', path: 'matched.yaml', matched_version: '1.25.3' },
      { ...moving, key: 'unmatched', path: 'unmatched.yaml', artifact_name: 'ghcr.io/acme/own' },
    ]);
    await page.reload();
    const matched = page.getByRole('row').filter({ hasText: 'matched.yaml' }).first();
    await matched.getByText('by digest').waitFor();
    expect(await matched.innerText()).toContain('1.25.3 by digest');
    expect(await matched.innerText()).toContain('tag latest');
    await page.getByRole('row').filter({ hasText: 'unmatched.yaml' }).getByText('latest').waitFor();
    await expectAccessible(page);
    expect(problems).toEqual([]);
  });

  test('the repository of a chart can be selected from the candidates with one click or entered manually', async () => {
    const { page, problems, api, organization } = await open('/discovery');
    const { id } = await api.call('createDiscoveryJob', {
      body: { name: 'eu', kind: 'kubernetes_cluster', cluster_name: 'eu', credential_name: 'eu' },
    });
    const chart = (name: string, version: string) => ({
      key: `${name} ${version}`,
      extractor: 'helm_release',
      artifact_kind: 'chart',
      artifact_name: name,
      ...({
        artifact_purl: null,
        proposal: null,
        confidence: 'none',
        reason: 'no_source',
        version,
      } as const),
    });
    await insertItems(server.db, organization.id, id, [
      chart('redis', '19.1.0'),
      chart('redis', '18.0.0'),
      chart('own', '0.1.0'),
      chart('nats', '1.0.0'),
    ]);
    for (const host of ['charts', 'mirror'])
      await api.call('createGatherJob', {
        body: { name: host, source_type: 'helm_repository', artifact_name: `${host}.example.org/redis` },
      });
    await navigateInPage(page, `/discovery/${id}`);
    const section = page.getByRole('region', { name: 'Chart repositories' });
    await section.getByText('2 releases, 18.0.0, 19.1.0').waitFor();
    await section.getByText("lists the chart, but this version wasn't found").first().waitFor();
    await expectAccessible(page);
    await section.getByRole('button', { name: 'Use mirror.example.org/redis for redis' }).click();
    await section.getByText('redis', { exact: true }).waitFor({ state: 'detached' });
    await section.getByRole('button', { name: 'Not published: own' }).click();
    await section.getByRole('button', { name: 'Enter repository for nats' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Repository URL').fill('nats');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.getByText('Enter a URL that starts with https:// or oci://.').waitFor();
    await expectAccessible(page);
    await dialog.getByLabel('Repository URL').fill('https://nats-io.github.io/k8s/helm/charts/');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await section.waitFor({ state: 'detached' });
    const { items } = await api.call('listDiscoveredItems', { query: { discovery_job_id: id } });
    const chosen = Object.fromEntries(items.map(({ key, proposal }) => [key, proposal.artifact_name]));
    expect(chosen).toEqual({
      'redis 19.1.0': 'mirror.example.org/redis',
      'redis 18.0.0': 'mirror.example.org/redis',
      'own 0.1.0': null,
      'nats 1.0.0': 'nats-io.github.io/k8s/helm/charts/nats',
    });
    expect(problems).toEqual([]);
  });

  test('adding a container host shows the commands for an agent that reads its socket', async () => {
    const { page, problems, api } = await open('/discovery');
    await page.getByRole('link', { name: 'Add container host' }).first().click();
    await page.getByLabel('Host name').fill('web-1');
    await page.getByRole('combobox', { name: 'Projects to exclude' }).fill('sandbox/');
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Add container host' }).click();
    await page.getByRole('heading', { name: 'Install the agent' }).waitFor();
    await page.getByText('Anyone who can access the socket has root access to the host').waitFor();
    const [job] = (await api.call('listDiscoveryJobs')).items;
    expect(job).toMatchObject({
      kind: 'container_host',
      name: 'web-1',
      host_name: 'web-1',
      credential_name: 'web-1',
      cron_expression: '*/10 * * * *',
      repository_url: null,
      ref: null,
      exclude: ['sandbox/'],
    });
    expect(await page.getByLabel('Install command').textContent()).toContain(
      'name: "web-1", socket: /var/run/docker.sock',
    );
    await page.getByRole('button', { name: 'Edit' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Host name').fill('web-2');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Container host saved').waitFor();
    expect((await api.call('listDiscoveryJobs')).items).toMatchObject([{ host_name: 'web-2' }]);
    await navigateInPage(page, '/discovery');
    await page.getByText('Host web-2').waitFor();
    expect(problems).toEqual([]);
  });

  test('a correction sets the options of its source type, and offers only types that it can save', async () => {
    const { page, problems, api, organization } = await open('/discovery');
    const { id } = await api.call('createDiscoveryJob', {
      body: { name: 'Git', repository_url: 'https://git.example.org/a' },
    });
    const [item] = await insertItems(server.db, organization.id, id, [
      { name: 'shop', proposal: null, reason: 'no_source', confidence: 'none' },
    ]);
    await navigateInPage(page, `/discovery/${id}`);
    const correct = async () => {
      await page.getByRole('button', { name: /^Actions for/ }).click();
      await page.getByRole('menuitem', { name: 'Correct' }).click();
    };
    await correct();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('combobox', { name: 'Source type' }).click();
    expect(await page.getByRole('option', { name: 'Another environment' }).count()).toBe(0);
    await page.getByRole('option', { name: 'JSON over HTTP' }).click();
    await dialog.getByRole('textbox', { name: 'Source' }).fill('https://example.org/versions.json');
    const path = dialog.getByRole('textbox', { name: 'Version path' });
    await path.fill('.[*].version');
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Correction saved').waitFor();
    await dialog.waitFor({ state: 'hidden' });
    const proposal = async () => (await api.call('getDiscoveredItem', { path: { id: item! } })).proposal;
    expect(await proposal()).toMatchObject({
      source_type: 'http_json',
      artifact_name: 'https://example.org/versions.json',
      source_options: { version_path: '.[*].version' },
    });
    await correct();
    expect(await path.inputValue()).toBe('.[*].version');
    await path.fill('.[*].name');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.waitFor({ state: 'hidden' });
    expect(await proposal()).toMatchObject({ source_options: { version_path: '.[*].name' } });
    expect(problems).toEqual([]);
  });

  test('a correction applies to every item of the artifact, and an ignored item can be restored', async () => {
    const { page, problems, api, organization } = await open('/discovery');
    const { id } = await api.call('createDiscoveryJob', {
      body: { name: 'Git', repository_url: 'https://git.example.org/a' },
    });
    const [first, second] = await insertItems(server.db, organization.id, id, [
      { name: 'shop', labels: { service: 'shop' } },
      { name: 'till', labels: { service: 'till' } },
    ]);
    await navigateInPage(page, `/discovery/${id}`);
    await page.getByRole('button', { name: 'Actions for shop: web' }).click();
    await page.getByRole('menuitem', { name: 'Correct' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('textbox', { name: 'Source' }).fill('ghcr.io/acme/other');
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Correction saved').waitFor();
    const other = await api.call('getDiscoveredItem', { path: { id: second! } });
    expect(other.proposal).toMatchObject({ artifact_name: 'ghcr.io/acme/other', is_confirmed: true });

    await page.getByRole('row', { name: /ghcr/ }).first().getByRole('checkbox').check();
    await page.getByRole('button', { name: 'Ignore' }).click();
    await page.getByText('1 ignored.').waitFor();
    await page.getByRole('button', { name: 'Actions for shop: web' }).click();
    await page.getByRole('menuitem', { name: 'Restore' }).click();
    await expect
      .poll(async () => (await api.call('getDiscoveredItem', { path: { id: first! } })).status)
      .toBe('new');
    expect(problems).toEqual([]);
  });
});
