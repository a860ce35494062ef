import { sql } from 'kysely';
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { setClockOffset } from '../../../../tests/helpers/database.ts';
import { createScanner, deployedImageItem } from '../../../../tests/helpers/scan-by-hand.ts';
import { silenceWakeUps } from '../../../../tests/helpers/silence-wake-ups.ts';
import { startTestServer } from '../../../../tests/helpers/test-server.ts';
import { transaction } from '../../../platform/database/index.ts';
import { expireLiveVersionsAcrossOrganizations } from './live-versions.ts';

const server = await startTestServer();
const { db } = server;
afterEach(() => setClockOffset(db, '0'));

afterAll(silenceWakeUps(db));
const pass = (minutes: number) => setClockOffset(db, `${minutes} minutes`);
const eu = { cluster: 'eu' };

/** Creates an organization with a repository and the cluster that the repository is deployed to. */
async function start({ schedule = '*/10 * * * *' as string | null } = {}) {
  const { api, id: organizationId } = await server.createOrganization();
  const scanner = createScanner(api);
  const repository = await api.call('createDiscoveryJob', {
    body: { name: 'Deployments', repository_url: 'https://git.example.org/acme/deploy' },
  });
  const createCluster = (fields: object = {}) =>
    api.call('createDiscoveryJob', {
      body: {
        name: 'eu',
        kind: 'kubernetes_cluster' as const,
        cluster_name: 'eu',
        credential_name: 'cluster',
        cron_expression: schedule,
        ...fields,
      },
    });
  const cluster = await createCluster();
  const declared = (version: string, change: Parameters<typeof deployedImageItem>[1] = {}) =>
    deployedImageItem('web', { namespace: 'shop', labels: eu, version, ...change });
  const running = (version: string, change: Parameters<typeof deployedImageItem>[1] = {}) =>
    deployedImageItem('web', {
      namespace: 'shop',
      labels: eu,
      version,
      file: 'shop/Deployment/web',
      ...change,
    });
  const summary = { cluster_uid: 'uid-1' };
  /** Deletes the queued runs of other jobs, because agents claim the runs of all jobs. */
  const only = (jobId: number) =>
    sql`
    DELETE FROM runs
    WHERE organization_id = ${organizationId} AND status = 'queued' AND discovery_job_id <> ${jobId}`.execute(
      db,
    );
  const scan = async (jobId: number, items: Parameters<typeof scanner.scan>[1], change: object = {}) => {
    await only(jobId);
    return scanner.scan(jobId, items, change);
  };
  const scanUnchanged = async (jobId: number, change: object = {}) => {
    await only(jobId);
    await scanner.scanUnchanged(jobId, change);
  };
  return {
    api,
    organizationId,
    repository,
    cluster,
    scanner,
    createCluster,
    declared,
    running,
    scan,
    scanUnchanged,
    scanRepository: (items: Parameters<typeof scanner.scan>[1]) => scan(repository.id, items),
    scanCluster: (items: Parameters<typeof scanner.scan>[1], change: object = {}) =>
      scan(cluster.id, items, {
        ...summary,
        ...change,
      }),
    scanClusterUnchanged: () => scanUnchanged(cluster.id, summary),
    async items(jobId = repository.id) {
      return (await api.call('listDiscoveredItems', { query: { discovery_job_id: jobId } })).items;
    },
    async accept(): Promise<number> {
      const [item] = await this.items();
      const { items } = await api.call('acceptDiscoveredItems', {
        body: {
          item_ids: [item!.id],
          rule_id: null,
          labels: {},
        },
      });
      expect(items).toMatchObject([{ outcome: 'accepted' }]);
      return items[0]!.scrape_job_id!;
    },
    async versionsOf(scrapeJobId: number): Promise<string[]> {
      const { rows } = await sql<{
        version: string;
      }>`
        SELECT version FROM versions WHERE scrape_job_id = ${scrapeJobId} ORDER BY id`.execute(db);
      return rows.map(({ version }) => version);
    },
    async expire(): Promise<void> {
      for (let more = true; more; )
        more = await transaction(db, (tx) => expireLiveVersionsAcrossOrganizations(tx));
    },
  };
}

describe('a declared item that runs in a cluster', () => {
  test('has the live version and the time since which it differs from the declared version, and is proposed once', async () => {
    const world = await start();
    await world.scanRepository([world.declared('1.9.0')]);
    await world.scanCluster([world.running('1.8.2'), deployedImageItem('other', { labels: eu })]);
    const [item] = await world.items();
    expect(item).toMatchObject({ version: '1.9.0', live_version: '1.8.2', status: 'new' });
    expect(item!.live_since).not.toBeNull();
    expect(await world.items(world.cluster.id)).toMatchObject([
      { place: { name: 'other' }, status: 'new' },
      { place: { name: 'web' }, status: 'ignored', duplicate_of_id: item!.id },
    ]);

    await pass(60);
    await world.scanCluster([
      world.running('1.8.2'),
      deployedImageItem('other', { labels: eu, version: '2.0.0' }),
    ]);
    expect((await world.items())[0]!.live_since).toBe(item!.live_since);
    await world.scanCluster([world.running('v1.9.0')]);
    expect(await world.items()).toMatchObject([{ live_version: 'v1.9.0', live_since: null }]);
  });

  test('has the live version of an image of the same name, even if only the repository identifies its upstream', async () => {
    const world = await start();
    const declared = world.declared('1.9.0');
    const purl = 'pkg:oci/web?repository_url=docker.io%2Facme%2Fweb';
    await world.scanRepository([{ ...declared, artifact: { ...declared.artifact, purl } }]);
    await world.scanCluster([world.running('1.8.2')]);
    expect(await world.items()).toMatchObject([
      { artifact: { purl }, version: '1.9.0', live_version: '1.8.2' },
    ]);
  });

  test('is proposed instead of the cluster item, even if the cluster was scanned first', async () => {
    const world = await start();
    await world.scanCluster([world.running('1.8.2')]);
    await world.scanRepository([world.declared('1.9.0')]);
    const [item] = await world.items();
    expect(item).toMatchObject({ status: 'new', duplicate_of_id: null, live_version: '1.8.2' });
    expect(await world.items(world.cluster.id)).toMatchObject([
      { status: 'ignored', duplicate_of_id: item!.id },
    ]);
  });

  test.each([
    ['another cluster', { labels: { cluster: 'us' } }],
    ['no cluster', { labels: {} }],
    ['another namespace', { namespace: 'other' }],
  ])("doesn't match the cluster item if it has %s", async (_, change) => {
    const world = await start();
    await world.scanRepository([world.declared('1.9.0', change)]);
    await world.scanCluster([world.running('1.8.2')]);
    expect(await world.items()).toMatchObject([{ live_version: null }]);
    expect(await world.items(world.cluster.id)).toMatchObject([{ status: 'new' }]);
  });

  test('is compared by its live version, regardless of which scan runs last', async () => {
    const world = await start();
    await world.scanRepository([world.declared('1.9.0')]);
    const scrapeJobId = await world.accept();
    expect(await world.versionsOf(scrapeJobId)).toEqual(['1.9.0']);
    await world.scanCluster([world.running('1.8.2')]);
    expect(await world.versionsOf(scrapeJobId)).toEqual(['1.9.0', '1.8.2']);
    await world.scanRepository([world.declared('1.9.1')]);
    await world.scanCluster([world.running('1.8.2'), deployedImageItem('other', { labels: eu })]);
    await world.scanRepository([world.declared('1.9.2')]);
    await world.scanUnchanged(world.repository.id);
    await world.scanClusterUnchanged();
    expect(await world.versionsOf(scrapeJobId)).toEqual(['1.9.0', '1.8.2']);
    await world.scanCluster([world.running('1.9.2')]);
    expect(await world.versionsOf(scrapeJobId)).toEqual(['1.9.0', '1.8.2', '1.9.2']);
  });

  test('is accepted with its live version, even if the repository has only a range', async () => {
    const world = await start();
    await world.scanRepository([world.declared('1.x', { version_state: 'range', reason: 'range' })]);
    await world.scanCluster([world.running('1.8.2')]);
    expect(await world.versionsOf(await world.accept())).toEqual(['1.8.2']);
  });

  test('is compared by the declared version if no scan of the cluster has succeeded for three intervals', async () => {
    const world = await start();
    await world.scanRepository([world.declared('1.9.0')]);
    await world.scanCluster([world.running('1.8.2')]);
    const scrapeJobId = await world.accept();
    await pass(29);
    await world.expire();
    expect(await world.items()).toMatchObject([{ live_version: '1.8.2' }]);
    await pass(31);
    await world.expire();
    expect(await world.items()).toMatchObject([{ live_version: null, live_since: null }]);
    expect(await world.versionsOf(scrapeJobId)).toEqual(['1.8.2', '1.9.0']);
    // A scan of the repository doesn't restore the expired live version.
    await world.scanRepository([world.declared('1.9.0'), deployedImageItem('other')]);
    expect(await world.versionsOf(scrapeJobId)).toEqual(['1.8.2', '1.9.0']);
    await world.scanClusterUnchanged();
    expect(await world.items()).toMatchObject([{}, { live_version: '1.8.2' }]);
    expect(await world.versionsOf(scrapeJobId)).toEqual(['1.8.2', '1.9.0', '1.8.2']);
  });

  test('is compared by the declared version when it no longer runs, or when its cluster job is disabled or deleted', async () => {
    const ends: ((world: Awaited<ReturnType<typeof start>>) => Promise<unknown>)[] = [
      (world) =>
        world.scanCluster([
          deployedImageItem('other', { labels: eu }),
          deployedImageItem('more', { labels: eu }),
        ]),
      async ({ api, cluster, expire }) => {
        await api.call('updateDiscoveryJob', { path: { id: cluster.id }, body: { is_active: false } });
        await expire();
      },
      ({ api, cluster }) => api.call('deleteDiscoveryJob', { path: { id: cluster.id } }),
    ];
    for (const end of ends) {
      const world = await start({ schedule: null });
      await world.scanRepository([world.declared('1.9.0')]);
      await world.scanCluster([world.running('1.8.2'), deployedImageItem('other', { labels: eu })]);
      const scrapeJobId = await world.accept();
      await end(world);
      expect(await world.items()).toMatchObject([{ live_version: null }]);
      expect(await world.versionsOf(scrapeJobId)).toEqual(['1.8.2', '1.9.0']);
    }
  });

  test('gets its live version from only one of two jobs that read the same cluster', async () => {
    const world = await start();
    const other = await world.createCluster({ name: 'eu again' });
    await world.scanRepository([world.declared('1.9.0')]);
    await world.scanCluster([world.running('1.8.2')]);
    await world.scan(other.id, [world.running('1.7.0')], { cluster_uid: 'uid-1' });
    expect(await world.items()).toMatchObject([{ live_version: '1.8.2' }]);
    await world.scanRepository([world.declared('1.9.1')]);
    expect(await world.items()).toMatchObject([{ live_version: '1.8.2' }]);
  });

  test("doesn't replace an accepted item of the cluster", async () => {
    const world = await start();
    await world.scanCluster([world.running('1.8.2')]);
    const [item] = await world.items(world.cluster.id);
    const accepted = await world.api.call('acceptDiscoveredItems', {
      body: { item_ids: [item!.id], rule_id: null, labels: {} },
    });
    await world.scanRepository([world.declared('1.9.0')]);
    expect(await world.items()).toMatchObject([{ status: 'ignored', duplicate_of_id: item!.id }]);
    await world.scanCluster([world.running('1.8.3')]);
    expect(await world.versionsOf(accepted.items[0]!.scrape_job_id!)).toEqual(['1.8.2', '1.8.3']);
  });
});

describe('a scan of a cluster', () => {
  test('requires an agent with the capability and the credential of its job, and its task contains the expected cluster', async () => {
    const world = await start();
    const first = await world.scanCluster([]);
    expect(first.spec).toMatchObject({
      repository_url: null,
      ref: null,
      credential_name: 'cluster',
      cluster: {
        name: 'eu',
        uid: null,
        helm_secrets: false,
      },
    });
    const second = await world.scanCluster([]);
    expect(second.spec.cluster).toMatchObject({ uid: 'uid-1' });
    expect(await world.api.call('getDiscoveryJob', { path: { id: world.cluster.id } })).toMatchObject({
      cluster_uid: 'uid-1',
    });
    await expect(world.scanCluster([], { cluster_uid: 'uid-2' })).rejects.toMatchObject({ code: 'conflict' });
    await world.api.call('updateDiscoveryJob', {
      path: { id: world.cluster.id },
      body: { credential_name: 'other' },
    });
    const { rows } = await sql<{ capability: string }>`
      SELECT capability FROM runs WHERE discovery_job_id = ${world.cluster.id} ORDER BY id DESC LIMIT 1`.execute(
      db,
    );
    expect(rows).toEqual([{ capability: 'discovery:kubernetes' }]);
    expect(await world.api.call('getDiscoveryJob', { path: { id: world.cluster.id } })).toMatchObject({
      cluster_uid: null,
    });
  });

  test('must contain the UID of the cluster', async () => {
    const world = await start();
    await expect(world.scanCluster([], { cluster_uid: undefined })).rejects.toMatchObject({
      code: 'conflict',
    });
  });

  test("doesn't mark items as missing if their kind couldn't be listed", async () => {
    const world = await start();
    const pool = { ...world.running('1.0.0'), key: 'kubernetes:Node::a:x' };
    const node = { ...pool, place: { ...pool.place, kind: 'Node', name: 'a' } };
    const owned = { ...pool, key: 'kubernetes:Cluster2::a:x', place: { ...pool.place, kind: 'Kafka' } };
    await world.scanCluster([world.running('1.8.2'), node, owned]);
    const missing = async () =>
      (await world.items(world.cluster.id)).flatMap(({ place, missing_since }) =>
        missing_since === null ? [] : [place.kind],
      );
    await world.scanCluster([world.running('1.8.2')], { unread_kinds: ['Node', '*'] });
    expect(await missing()).toEqual([]);
    await world.scanCluster([world.running('1.8.2'), node], { unread_kinds: ['Node'] });
    expect(await missing()).toEqual(['Kafka']);
  });
});

test.each([
  [{ cluster_name: null }, 'cluster_name'],
  [{ credential_name: null }, 'credential_name'],
  [{ repository_url: 'https://git.example.org/acme/deploy' }, 'repository_url'],
  [{ ref: 'main' }, 'ref'],
  [{ cluster_name: 'a\u0007' }, 'cluster_name'],
  [{ kind: 'git_repository' as const, repository_url: 'https://git.example.org/a/b' }, 'cluster_name'],
  [
    {
      kind: 'git_repository' as const,
      repository_url: 'https://git.example.org/a/b',
      cluster_name: null,
      helm_secrets: true,
    },
    'helm_secrets',
  ],
  [{ kind: 'git_repository' as const, cluster_name: null }, 'repository_url'],
])('a job with %j is rejected because of %s', async (change, field) => {
  const { api } = await server.createOrganization();
  const body = {
    name: 'eu',
    kind: 'kubernetes_cluster' as const,
    cluster_name: 'eu',
    credential_name: 'cluster',
    ...change,
  };
  await expect(api.call('createDiscoveryJob', { body })).rejects.toMatchObject({
    errors: [{ field }],
  });
});
