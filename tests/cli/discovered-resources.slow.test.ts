import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { createScanner, deployedImageItem } from '../helpers/scan-by-hand.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';
import { sharedTestServer } from '../helpers/test-server.ts';
import { runCommand } from './run-command.ts';

const server = await sharedTestServer();

/** Creates an organization whose discovery job has accepted two images with its default rule. */
async function start(accept: 'all' | 'ask' = 'all') {
  const organization = await server.createOrganization();
  const { api } = organization;
  const env = { PACEKEEPER_SERVER_URL: server.url, PACEKEEPER_API_KEY: organization.apiKey };
  const run = (args: string[]) => runCommand(args, { env });
  const rule = await api.call('createRule', {
    body: { name: 'Month', rule_type: 'days_behind', thresholds: { moderate: 30 } },
  });
  const job = await api.call('createDiscoveryJob', {
    body: {
      name: 'Deployments',
      repository_url: 'https://git.example.org/a',
      accept,
      default_rule_id: rule.id,
    },
  });
  const scanner = createScanner(api);
  const found = [deployedImageItem('a'), deployedImageItem('b')];
  await scanner.scan(job.id, found);
  if (accept === 'ask') await api.call('acceptDiscoveredItems', { body: { filter: {} } });
  return {
    api,
    run,
    scanUnchanged: () => scanner.scanUnchanged(job.id),
    scan: (items: typeof found) => scanner.scan(job.id, items),
    monitors: async () => (await api.call('listAlertConfigs', { query: { sort: 'name' } })).items,
    async exported(...args: string[]) {
      const result = await run(['export', ...args]);
      expect(result).toMatchObject({ code: 0 });
      return { ...result, document: parse(result.stdout) as Record<string, { name: string }[]> };
    },
    apply(text: string, ...args: string[]) {
      const file = path.join(temporaryFolder(), 'pacekeeper.yaml');
      writeFileSync(file, text);
      return run(['apply', '-f', file, '--prune', ...args]);
    },
  };
}

test('export contains the discovery job and its rule, and with --all also the resources that the job derives', async () => {
  const world = await start();
  const { document, stderr } = await world.exported();
  expect(Object.keys(document).toSorted()).toEqual(['discovery_jobs', 'rules']);
  expect(document['discovery_jobs']).toMatchObject([{ name: 'Deployments', default_rule: 'Month' }]);
  expect(stderr).toBe(
    "Note: 2 scrape jobs, 2 gather jobs, and 2 alert configurations that discovery jobs derive from the items they find aren't in the file. Use --all to include them.\n",
  );
  const all = await world.exported('--all');
  expect(all.stderr).toBe('');
  expect(all.document['alert_configs']).toHaveLength(2);
  expect(all.document['gather_jobs']).toHaveLength(2);
  expect(all.document['scrape_jobs']).toHaveLength(2);
});

test('export includes the scrape jobs that record the accepted items of a job without automatic acceptance', async () => {
  const world = await start('ask');
  const { document } = await world.exported();
  expect(document['scrape_jobs']).toMatchObject([
    { fed_by: { discovery_job: 'Deployments' } },
    { fed_by: { discovery_job: 'Deployments' } },
  ]);
  expect(document['alert_configs']).toBeUndefined();
});

test('export includes derived resources that people changed, or that other resources in the file refer to', async () => {
  const world = await start();
  const [first, second] = await world.monitors();
  await world.api.call('updateAlertConfig', {
    path: { id: first!.id },
    body: { ignored_versions: ['2.0.0'] },
  });
  const channel = await world.api.call('createNotificationChannel', {
    body: { name: 'Operations', url: 'https://hooks.example.org/1' },
  });
  await world.api.call('createNotificationRule', {
    body: { name: 'Second', alert_config_ids: [second!.id], channel_ids: [channel.id] },
  });
  const { document } = await world.exported();
  expect(document['alert_configs']).toMatchObject([{ ignored_versions: ['2.0.0'] }, { name: second!.name }]);
  expect(document['gather_jobs']).toHaveLength(2);
  expect(document['scrape_jobs']).toHaveLength(2);
});

test('export includes monitors with another rule or a chosen upstream, which a scan would create differently', async () => {
  const world = await start();
  const { items } = await world.api.call('listDiscoveredItems', { query: { sort: 'place' } });
  await world.api.call('updateDiscoveredItem', {
    path: { id: items[0]!.id },
    body: { source_type: 'github_releases', artifact_name: 'github.com/acme/web' },
  });
  const { document } = await world.exported();
  expect(document['alert_configs']).toMatchObject([{ gather_job: 'github.com/acme/web' }]);
  expect(document['scrape_jobs']).toHaveLength(1);
  expect(document['gather_jobs']).toHaveLength(1);
});

test('export writes the correction of an artifact instead of its monitors, and a scan in another organization creates the same monitors', async () => {
  const world = await start();
  const { items } = await world.api.call('listDiscoveredItems', { query: { sort: 'place' } });
  const upstream = { source_type: 'github_releases', artifact_name: 'github.com/acme/web' } as const;
  await world.api.call('updateDiscoveredItem', {
    path: { id: items[0]!.id },
    body: { ...upstream, apply_to: 'artifact' },
  });
  const { document, stdout, stderr } = await world.exported();
  expect(Object.keys(document).toSorted()).toEqual(['artifact_corrections', 'discovery_jobs', 'rules']);
  expect(document['artifact_corrections']).toEqual([{ artifact: items[0]!.artifact.key, ...upstream }]);
  expect(stderr).not.toContain("can't be written");
  expect((await world.apply(stdout, '--yes')).stdout).toMatch(/^No changes\./);

  const other = await server.createOrganization();
  const env = { PACEKEEPER_SERVER_URL: server.url, PACEKEEPER_API_KEY: other.apiKey };
  const file = path.join(temporaryFolder(), 'pacekeeper.yaml');
  writeFileSync(file, stdout);
  expect(await runCommand(['apply', '--yes', '-f', file], { env })).toMatchObject({ code: 0 });
  const [job] = (await other.api.call('listDiscoveryJobs')).items;
  await createScanner(other.api).scan(job!.id, [deployedImageItem('a'), deployedImageItem('b')]);
  const sources = async (api: typeof other.api) =>
    (await api.call('listAlertConfigs', { query: { sort: 'name' } })).items.map(
      ({ name, gather_job }) => `${name}: ${gather_job.name}`,
    );
  expect(await sources(other.api)).toEqual(await sources(world.api));
  expect((await runCommand(['export'], { env })).stdout).toBe(stdout);
});

test('--prune deletes the corrections that the section does not contain, which restores the monitors of their items', async () => {
  const world = await start();
  const { items } = await world.api.call('listDiscoveredItems', { query: { sort: 'place' } });
  const { key } = items[0]!.artifact;
  const [before] = await world.monitors();
  const corrections = (...entries: object[]) => JSON.stringify({ artifact_corrections: entries });
  const upstream = { source_type: 'github_releases', artifact_name: 'github.com/acme/web' };
  expect(await world.apply(corrections({ artifact: key, ...upstream }), '--yes')).toMatchObject({ code: 0 });
  expect((await world.monitors())[0]!.gather_job.name).toBe('github.com/acme/web');
  const changed = await world.apply(corrections({ artifact: key, source_type: null }), '--yes');
  expect(changed.stdout).toContain(`~ artifact correction "${key}"`);
  expect((await world.monitors())[0]).toMatchObject({ is_active: false });
  const deleted = await world.apply(corrections(), '--yes');
  expect(deleted.stdout).toContain(`- artifact correction "${key}"`);
  expect((await world.monitors())[0]).toMatchObject({ is_active: true, gather_job: before!.gather_job });
});

test('a file with two corrections of one artifact, or with an artifact that is not a package URL, is rejected', async () => {
  const world = await start();
  const result = await world.apply(
    `artifact_corrections:
  - { artifact: pkg:docker/library/redis, source_type: null }
  - { artifact: "pkg:oci/redis?repository_url=docker.io/library/redis", source_type: null }
  - { artifact: ghcr.io/acme/web, source_type: null }
`,
    '--yes',
  );
  expect(result.code).toBe(2);
  expect(result.stderr).toContain(
    'line 3: artifact correction "pkg:oci/redis?repository_url=docker.io/library/redis": artifact: another entry already has this artifact. Remove one of them.',
  );
  expect(result.stderr).toContain(
    'line 4: artifact correction "ghcr.io/acme/web": artifact: must be a package URL',
  );
  expect((await world.api.call('listArtifactCorrections')).total).toBe(0);
});

test('export includes items with a chosen name or labels, or with a role that the job does not accept', async () => {
  const world = await start();
  const { items } = await world.api.call('listDiscoveredItems', { query: { sort: 'place' } });
  const update = (body: { name: string } | { labels: Record<string, string> }) =>
    world.api.call('updateDiscoveredItem', { path: { id: items[0]!.id }, body });
  const scrapeJobs = async () => (await world.exported()).document['scrape_jobs'];
  await update({ name: 'Shop' });
  expect(await scrapeJobs()).toMatchObject([{ name: 'Shop' }]);
  await update({ name: items[0]!.name });
  await update({ labels: { team: 'x' } });
  expect(await scrapeJobs()).toMatchObject([{ labels: { team: 'x' } }]);
  const { items: jobs } = await world.api.call('listDiscoveryJobs');
  await world.api.call('updateDiscoveryJob', {
    path: { id: jobs[0]!.id },
    body: { accept_roles: ['build'] },
  });
  expect(await scrapeJobs()).toHaveLength(2);
});

test('export writes ignored and restored items as ignore rules, which a scan in another organization applies', async () => {
  const world = await start('ask');
  const [job] = (await world.api.call('listDiscoveryJobs')).items;
  await world.api.call('updateDiscoveryJob', {
    path: { id: job!.id },
    body: { ignore_rules: [{ path: 'clusters/prod/', reason: 'Old cluster' }] },
  });
  const names = ['a', 'b', 'c', 'd', 'e'];
  await world.scan(names.map((name) => deployedImageItem(name)));
  const itemsOf = async (api: typeof world.api) =>
    (await api.call('listDiscoveredItems', { query: { sort: 'place' } })).items;
  const find = async (name: string) => (await itemsOf(world.api)).find(({ place }) => place.name === name)!;
  const [c, d] = [await find('c'), await find('d')];
  await world.api.call('restoreDiscoveredItems', { body: { item_ids: [c.id] } });
  await world.api.call('ignoreDiscoveredItems', { body: { item_ids: [d.id], reason: 'Mine' } });
  const { document, stdout, stderr } = await world.exported();
  expect(document['discovery_jobs']).toMatchObject([
    {
      ignore_rules: [
        { path: 'clusters/prod/', reason: 'Old cluster' },
        { artifact: c.artifact.key, key: c.key, is_ignored: false },
        { artifact: d.artifact.key, key: d.key, reason: 'Mine' },
      ],
    },
  ]);
  expect(stderr).not.toContain('decision');
  expect((await world.apply(stdout, '--yes')).stdout).toMatch(/^No changes\./);
  expect(await find('d')).toMatchObject({ ignored_by: 'person' });

  const other = await server.createOrganization();
  const env = { PACEKEEPER_SERVER_URL: server.url, PACEKEEPER_API_KEY: other.apiKey };
  const file = path.join(temporaryFolder(), 'pacekeeper.yaml');
  writeFileSync(file, stdout);
  expect(await runCommand(['apply', '--yes', '-f', file], { env })).toMatchObject({ code: 0 });
  const [copy] = (await other.api.call('listDiscoveryJobs')).items;
  await createScanner(other.api).scan(
    copy!.id,
    names.map((name) => deployedImageItem(name)),
  );
  const statuses = async (api: typeof world.api) =>
    (await itemsOf(api)).map(({ place, status, ignore_reason }) => [place.name, status, ignore_reason]);
  expect(await statuses(other.api)).toEqual(await statuses(world.api));
  expect((await runCommand(['export'], { env })).stdout).toBe(stdout);
});

test('applying a file that contradicts a decision of a person keeps the decision', async () => {
  const world = await start('ask');
  await world.scan(['a', 'b', 'c', 'd'].map((name) => deployedImageItem(name)));
  const { items } = await world.api.call('listDiscoveredItems', { query: { status: 'new', sort: 'place' } });
  const [c, d] = items;
  await world.api.call('ignoreDiscoveredItems', { body: { item_ids: [c!.id, d!.id], reason: 'Mine' } });
  await world.api.call('restoreDiscoveredItems', { body: { item_ids: [d!.id] } });
  const { document } = await world.exported();
  const [job] = document['discovery_jobs']!;
  const rules = [
    { artifact: c!.artifact.key, key: c!.key, is_ignored: false },
    { artifact: d!.artifact.key, key: d!.key, reason: 'File' },
  ];
  const contradicting = { ...document, discovery_jobs: [{ ...job, ignore_rules: rules }] };
  expect(await world.apply(JSON.stringify(contradicting), '--yes')).toMatchObject({ code: 0 });
  for (const _ of ['now', 'after a scan']) {
    expect(await world.api.call('getDiscoveredItem', { path: { id: c!.id } })).toMatchObject({
      status: 'ignored',
      ignore_reason: 'Mine',
    });
    expect(await world.api.call('getDiscoveredItem', { path: { id: d!.id } })).toMatchObject({
      status: 'new',
    });
    await world.scanUnchanged();
  }
});

test('export reports the corrections of items that the file cannot contain', async () => {
  const world = await start('ask');
  await world.scan(['a', 'b', 'c'].map((name) => deployedImageItem(name)));
  const { items } = await world.api.call('listDiscoveredItems', { query: { status: 'new', sort: 'place' } });
  await world.api.call('updateDiscoveredItem', { path: { id: items[0]!.id }, body: { name: 'Shop' } });
  expect((await world.exported()).stderr).toContain(
    "Note: The file doesn't contain the corrections of 1 item that aren't accepted yet. It contains only accepted items.\n",
  );
});

test('--prune keeps the resources that a discovery job derived, and reports them', async () => {
  const world = await start();
  const text = (await world.exported('--all')).stdout;
  await world.scan([deployedImageItem('a'), deployedImageItem('b'), deployedImageItem('c')]);
  const result = await world.apply(text, '--yes');
  expect(result).toMatchObject({ code: 0 });
  expect(result.stdout).toContain('No changes.');
  expect(result.stderr).toContain(
    "gather_jobs: 1 gather job that discovery jobs manage isn't in the file and stays.",
  );
  expect(result.stderr).toContain(
    "alert_configs: 1 alert configuration that discovery jobs manage isn't in the file and stays.",
  );
  expect(await world.monitors()).toHaveLength(3);
});

test('--prune never deletes the rule of a monitor that it keeps', async () => {
  const world = await start();
  const result = await world.apply('rules: []\nalert_configs: []\ndiscovery_jobs: []\n', '--dry-run');
  expect(result.code).not.toBe(0);
  expect(result.stderr).toContain('uses it, and a discovery job manages it');
  expect(await world.monitors()).toHaveLength(2);
});

test('a monitor that was deleted outside of discovery is created again on request', async () => {
  const world = await start();
  const [monitor] = await world.monitors();
  await world.api.call('deleteAlertConfig', { path: { id: monitor!.id } });
  const { items } = await world.api.call('listDiscoveredItems');
  const deleted = items.find(({ not_monitored }) => not_monitored)!;
  const other = items.find(({ id }) => id !== deleted.id)!;
  expect(await world.run(['monitor', String(deleted.id), String(other.id)])).toEqual({
    code: 0,
    stdout: `Discovered item ${deleted.id} is monitored again\nDiscovered item ${other.id} was already monitored\n`,
    stderr: '',
  });
  expect(await world.run(['monitor', '999999'])).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('No discovered item with ID 999999.'),
  });
});

test('logs show the items that a scan lost before the versions that it found', async () => {
  const world = await start();
  await world.scan([
    deployedImageItem('a', { image: 'valkey' }),
    deployedImageItem('b'),
    deployedImageItem('c'),
  ]);
  const { stdout } = await world.run(['logs', 'discovery-jobs/Deployments', '--limit', '1']);
  expect(stdout).toContain('1 replaced by another artifact, 2 new versions');
});
