import { afterEach, describe, expect, test } from 'vitest';
import { setClockOffset } from '../../../../tests/helpers/database.ts';
import { createScanner, deployedImageItem } from '../../../../tests/helpers/scan-by-hand.ts';
import { startTestServer } from '../../../../tests/helpers/test-server.ts';

const server = await startTestServer();
const { db } = server;
afterEach(() => setClockOffset(db, '0'));

/** Creates two discovery jobs that read the same repository, so that the items of the second one are duplicates. */
async function start() {
  const { api } = await server.createOrganization();
  const create = async (name: string, repository_url: string) =>
    (await api.call('createDiscoveryJob', { body: { name, repository_url } })).id;
  const first = await create('First', 'https://git.example.org/acme/deploy');
  const second = await create('Second', 'https://git.example.org/acme/deploy.git');
  const scanner = createScanner(api);
  const items = async (jobId: number) =>
    (await api.call('listDiscoveredItems', { query: { discovery_job_id: jobId, sort: 'first_seen_at' } }))
      .items;
  await scanner.scan(first, [deployedImageItem('a')]);
  await scanner.scan(second, [deployedImageItem('a')]);
  const [original] = await items(first);
  const [duplicate] = await items(second);
  expect(duplicate).toMatchObject({ status: 'ignored', duplicate_of_id: original!.id });
  return {
    api,
    first,
    second,
    original: original!.id,
    duplicate: duplicate!.id,
    find: (id: number) => api.call('getDiscoveredItem', { path: { id } }),
    ignore: (ids: number[]) =>
      api.call('ignoreDiscoveredItems', { body: { item_ids: ids, reason: 'Only in tests' } }),
    /** Ends the original item of the first job in one of the possible ways. */
    async end(how: 'its file is deleted' | 'its job is deleted' | 'its place has other software') {
      if (how === 'its job is deleted')
        return api.call('deleteDiscoveryJob', { path: { id: first }, query: { cascade: true } });
      const left = how === 'its file is deleted' ? [] : [deployedImageItem('a', { image: 'valkey' })];
      await scanner.scan(first, left);
      await setClockOffset(db, '61 minutes');
      await scanner.scan(first, left);
    },
    async scanSecond(version = '1.0.0', change: Parameters<typeof deployedImageItem>[1] = {}) {
      await scanner.scan(second, [deployedImageItem('a', { version, ...change })]);
      await scanner.scanUnchanged(second);
    },
    scanFirst: () => scanner.scan(first, [deployedImageItem('a')]),
  };
}

const ends = ['its file is deleted', 'its job is deleted', 'its place has other software'] as const;

describe.each(ends)('a decision about a duplicate stays when %s', (how) => {
  test('a duplicate without a decision is new', async () => {
    const world = await start();
    await world.end(how);
    expect(await world.find(world.duplicate)).toMatchObject({ status: 'new', duplicate_of_id: null });
  });

  test('an ignored duplicate stays ignored with its reason', async () => {
    const world = await start();
    expect(await world.ignore([world.duplicate])).toMatchObject({ ignored: [world.duplicate] });
    const ignored = { status: 'ignored', duplicate_of_id: null, ignore_reason: 'Only in tests' };
    expect(await world.find(world.duplicate)).toMatchObject(ignored);
    await world.end(how);
    await world.scanSecond('1.1.0');
    expect(await world.find(world.duplicate)).toMatchObject(ignored);
  });

  test('a duplicate stays ignored if the original was ignored with it', async () => {
    const world = await start();
    await world.ignore([world.original, world.duplicate]);
    await world.end(how);
    await world.scanSecond();
    expect(await world.find(world.duplicate)).toMatchObject({
      status: 'ignored',
      ignore_reason: 'Only in tests',
    });
  });

  test('a restored duplicate stays new', async () => {
    const world = await start();
    await world.api.call('restoreDiscoveredItems', { body: { item_ids: [world.duplicate] } });
    await world.scanFirst();
    await world.scanSecond('1.1.0');
    expect(await world.find(world.duplicate)).toMatchObject({ status: 'new', duplicate_of_id: null });
    await world.end(how);
    await world.scanSecond('1.2.0');
    expect(await world.find(world.duplicate)).toMatchObject({ status: 'new', duplicate_of_id: null });
  });

  test.each([
    ['an upstream', { source_type: 'github_releases', artifact_name: 'github.com/acme/web' }],
    ['no upstream, as for your own service,', { source_type: null }],
  ] as const)(
    '%s that was chosen for a duplicate stays in effect, together with its name and its labels',
    async (_, source) => {
      const world = await start();
      await world.api.call('updateDiscoveredItem', {
        path: { id: world.duplicate },
        body: { ...source, name: 'Shop', labels: { environment: 'production' } },
      });
      await world.end(how);
      await world.scanSecond('1.1.0', { labels: { environment: 'test', team: 'x' } });
      expect(await world.find(world.duplicate)).toMatchObject({
        status: 'new',
        name: 'Shop',
        labels: { environment: 'production', team: 'x' },
        proposal: { ...source, is_confirmed: true },
      });
    },
  );
});

test.each(['item', 'artifact'] as const)(
  'a choice of no upstream for the %s stays in effect after every scan',
  async (apply_to) => {
    const world = await start();
    await world.api.call('updateDiscoveredItem', {
      path: { id: world.original },
      body: { source_type: null, apply_to },
    });
    await world.scanFirst();
    const { item_counts } = await world.api.call('getDiscoveryJob', { path: { id: world.first } });
    expect(item_counts).toMatchObject({ new: 1, unresolved: 0 });
    expect(await world.find(world.original)).toMatchObject({
      proposal: { source_type: null, is_confirmed: true },
    });
  },
);

test.each([
  ['a person restored', true],
  ['a rule keeps', false],
])('a running item that %s stays new, although a repository declares it', async (_, isByPerson) => {
  const { api } = await server.createOrganization();
  const scanner = createScanner(api);
  const labels = { cluster: 'eu' };
  const repository = await api.call('createDiscoveryJob', {
    body: { name: 'Deployments', repository_url: 'https://git.example.org/acme/deploy' },
  });
  const cluster = await api.call('createDiscoveryJob', {
    body: {
      name: 'eu',
      kind: 'kubernetes_cluster',
      cluster_name: 'eu',
      credential_name: 'cluster',
      is_active: false,
    },
  });
  const found = [deployedImageItem('web', { namespace: 'shop', labels })];
  const scanCluster = () => scanner.scan(cluster.id, found, { cluster_uid: 'uid-1' });
  await scanner.scan(repository.id, found);
  await scanCluster();
  const find = async () =>
    (await api.call('listDiscoveredItems', { query: { discovery_job_id: cluster.id } })).items[0]!;
  const { id, status } = await find();
  expect(status).toBe('ignored');
  const setRules = (ignore_rules: { path: string; is_ignored: boolean }[]) =>
    api.call('updateDiscoveryJob', { path: { id: cluster.id }, body: { ignore_rules } });
  if (isByPerson) await api.call('restoreDiscoveredItems', { body: { item_ids: [id] } });
  else await setRules([{ path: '**', is_ignored: false }]);
  const { updated_at } = await find();
  await scanCluster();
  await scanner.scan(repository.id, found);
  expect(await find()).toMatchObject({ status: 'new', updated_at });
  await setRules([]);
  expect((await find()).status).toBe(isByPerson ? 'new' : 'ignored');
});
