import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { resourceByName } from '../../src/cli/resources/find-resource.ts';
import { createFromGuidedSetup } from '../helpers/guided-setup-world.ts';
import { documentationBlocks, documentationPage, runDocumentation } from '../helpers/run-documentation.ts';
import { runProgram } from '../helpers/run-program.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';
import { type SharedTestServer, sharedTestServer } from '../helpers/test-server.ts';

let server: SharedTestServer;

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

  test('all commands in docs/operations.md work', async () => {
    const folder = temporaryFolder();
    const data = path.join(folder, 'data');
    const first = runProgram(['migrate'], { PACEKEEPER_DATA_DIR: data });
    expect(await first.exited, first.stderr()).toBe(0);
    const output = await runDocumentation('operations.md', folder, { PACEKEEPER_DATA_DIR: data });
    expect(output).toMatch(/pk_\d+_/);
    expect(readdirSync(folder)).toEqual(expect.arrayContaining(['backup.tar.gz', 'restored']));
  });
});
