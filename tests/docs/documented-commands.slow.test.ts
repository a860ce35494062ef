import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { resourceByName } from '../../src/cli/resources/find-resource.ts';
import { createFromGuidedSetup } from '../helpers/guided-setup-world.ts';
import { documentationBlocks, documentationPage, runDocumentation } from '../helpers/run-documentation.ts';
import { runProgram } from '../helpers/run-program.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';
import { type SharedTestServer, sharedTestServer } from '../helpers/test-server.ts';
import { startFakeExploitData } from '../helpers/upstreams/fake-exploit-data.ts';
import { hasGitHttpBackend, startGitServer } from '../helpers/upstreams/git-server.ts';

let server: SharedTestServer;

/** Guides that discover the files they show, and the monitors that exist at the end of each. */
const discoveryGuides = [
  { page: 'guides/argo-cd.md', monitors: ['traefik'] },
  { page: 'guides/flux.md', monitors: ['cert-manager'] },
  {
    page: 'guides/terraform.md',
    monitors: ['aws (prod)', 'aws (prod), production/main.tf', 'terraform (prod)'],
  },
];

/** Returns the files that a guide shows: blocks whose first line is a comment with a path. */
function shownFiles(text: string): Record<string, string> {
  const blocks = [...documentationBlocks(text, 'yaml'), ...documentationBlocks(text, 'hcl')];
  return Object.fromEntries(blocks.map((block) => [/^# (\S+)$/m.exec(block)![1]!, block]));
}

/** Writes the files that operators download without internet access on the server. */
async function downloadExploitData(folder: string): Promise<void> {
  const upstream = await startFakeExploitData();
  onTestFinished(() => upstream.close());
  upstream.exploited.set('CVE-2026-0001', '2026-01-01');
  upstream.scores.set('CVE-2026-0001', [0.5, 0.9]);
  for (const url of [upstream.catalogUrl, upstream.scoresUrl]) {
    const response = await fetch(url);
    writeFileSync(path.join(folder, path.basename(url)), Buffer.from(await response.arrayBuffer()));
  }
}

beforeAll(async () => {
  server = await sharedTestServer();
});

describe('the documented commands', () => {
  test('all commands in docs/getting-started.md work, including the ones after the browser steps', async () => {
    const { api, apiKey, email, password } = await server.createOrganization();
    await createFromGuidedSetup(api);
    const env = {
      PACEKEEPER_SERVER_URL: server.url,
      PACEKEEPER_API_KEY: apiKey,
      EMAIL: email,
      PASSWORD: password,
    };
    const output = await runDocumentation('getting-started.md', temporaryFolder(), env);
    const shown = documentationBlocks(documentationPage('getting-started.md'), 'text').at(-1)!;
    const words = (line: string | undefined) => line?.trim().split(/\s{2,}/);
    expect(words(shown.split('\n')[0])).toEqual(resourceByName('alerts').columns.map(({ title }) => title));
    // No alert opens, because the server in this test doesn't collect the releases of the guide's upstream sources.
    expect(output).toMatch(/^No open alerts\.$/m);
    // The API examples print the alerts, read with the new key, and the alert count, read with a refreshed
    // token.
    expect(output).toMatch(/^\[\]\n0\n$/m);
    const { items: keys } = await api.call('listAPIKeys');
    expect(keys.find(({ name }) => name === 'Reports')).toMatchObject({ role: 'viewer', status: 'active' });
    const { items } = await api.call('listAlertConfigs');
    expect(items).toMatchObject([
      { name: 'OpenTofu', deployed_version: '1.8.0', scrape_job: { name: 'OpenTofu in CI' } },
    ]);
  });

  test('all commands in docs/deployed-versions.md work', async () => {
    const { api, apiKey } = await server.createOrganization();
    const job = await api.call('createScrapeJob', { body: { name: 'By curl', parser_type: 'manual' } });
    const env = { PACEKEEPER_SERVER_URL: server.url, PACEKEEPER_API_KEY: apiKey, JOB: String(job.id) };
    const output = await runDocumentation('deployed-versions.md', temporaryFolder(), env);
    expect(output).toContain('v3.1.2');
    expect(await api.call('getScrapeJob', { path: { id: job.id } })).toMatchObject({
      latest_version: '4.2.1',
    });
  });

  test('all commands in docs/deployments.md work', async () => {
    const { api, apiKey } = await server.createOrganization();
    const env = { PACEKEEPER_SERVER_URL: server.url, PACEKEEPER_API_KEY: apiKey };
    const output = await runDocumentation('deployments.md', temporaryFolder(), env);
    expect(output).toContain('checkout in production: 1.14.2 reported\n');
    expect(output).toContain('"name": "checkout (staging)"');
    expect(output).toMatch(/^id,service,environment,version,/m);
    const { items } = await api.call('listOrgOverrides');
    expect(items.map(({ key }) => key)).toEqual(['default_rule_id']);
  });

  test('all commands in docs/discovery.md work', async () => {
    const { api, apiKey } = await server.createOrganization();
    const folder = temporaryFolder();
    const env = { PACEKEEPER_SERVER_URL: server.url, PACEKEEPER_API_KEY: apiKey };
    const output = await runDocumentation('discovery.md', folder, env);
    const table = documentationBlocks(documentationPage('discovery.md'), 'text')[0]!;
    for (const line of table.trim().split('\n')) expect(output).toContain(line.trim());
    const { items } = await api.call('listScrapeJobs');
    expect(items).toMatchObject([{ name: 'web (prod)', latest_version: '1.2.3' }]);
    const found = JSON.parse(readFileSync(path.join(folder, 'found.json'), 'utf8'));
    expect(found.items[0].labels).toEqual({ environment: 'prod', service: 'web', team: 'shop' });
  });

  test.skipIf(!hasGitHttpBackend).each(discoveryGuides)(
    'all commands in docs/$page work for the repository in the guide, and find the versions that the guide lists',
    async ({ page, monitors }) => {
      const { api, apiKey, owner } = await server.createOrganization();
      const folder = temporaryFolder();
      const files = shownFiles(documentationPage(page));
      for (const [name, text] of Object.entries(files)) {
        mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
        writeFileSync(path.join(folder, name), text);
      }
      const git = await startGitServer();
      onTestFinished(() => git.close());
      const repository = git.createRepository('guide.git');
      repository.commit(files);
      // The agent only searches repositories, so the test doesn't read the upstreams in the guide.
      const { key } = await owner.call('createAPIKey', {
        body: { name: 'Agent', role: 'agent', agent_capabilities: ['discovery'] },
      });
      const agent = runProgram(['agent'], {
        PACEKEEPER_SERVER_URL: server.url,
        PACEKEEPER_API_KEY: key,
        PACEKEEPER_DATA_DIR: temporaryFolder(),
        PACEKEEPER_EGRESS_ALLOW: '127.0.0.1/32',
        PACEKEEPER_INSECURE_HOSTS: '127.0.0.1',
      });
      onTestFinished(async () => void (await agent.stop()));
      const output = await runDocumentation(page, folder, {
        PACEKEEPER_SERVER_URL: server.url,
        PACEKEEPER_API_KEY: apiKey,
        REPOSITORY_URL: repository.url,
      });
      const [table] = documentationBlocks(documentationPage(page), 'text');
      for (const line of table!.trim().split('\n')) expect(output).toContain(line.trim());
      const { items } = await api.call('listAlertConfigs');
      expect(items.map(({ name }) => name).sort()).toEqual(monitors);
      expect(items.every(({ effective_labels }) => effective_labels['team'] === 'platform')).toBe(true);
    },
  );

  test('all commands in docs/operations.md work', async () => {
    const folder = temporaryFolder();
    const data = path.join(folder, 'data');
    const first = runProgram(['migrate'], { PACEKEEPER_DATA_DIR: data });
    expect(await first.exited, first.stderr()).toBe(0);
    await downloadExploitData(folder);
    const output = await runDocumentation('operations.md', folder, { PACEKEEPER_DATA_DIR: data });
    expect(output).toMatch(/^Loaded 1 CVE ID, as of /m);
    expect(output).toMatch(/pk_\d+_/);
    expect(readdirSync(folder)).toEqual(expect.arrayContaining(['backup.tar.gz', 'restored']));
  });
});
