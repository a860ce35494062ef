import { sql } from 'kysely';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { findChartEvidence } from '../../src/modules/discovery/suggestions/chart-evidence.ts';
import { createClusterAgent } from '../helpers/cluster-agent.ts';
import { createClusterWorld } from '../helpers/cluster-world.ts';
import { deployedImageItem } from '../helpers/scan-by-hand.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';
import { startTestServer } from '../helpers/test-server.ts';
import {
  type FakeKubernetes,
  helmReleaseObjects,
  startFakeKubernetes,
} from '../helpers/upstreams/fake-kubernetes.ts';

const server = await startTestServer();
let fake: FakeKubernetes;
let agent: ReturnType<typeof createClusterAgent>;
beforeEach(async () => {
  fake = await startFakeKubernetes();
  agent = createClusterAgent(fake, temporaryFolder());
});
afterEach(async () => {
  await agent.close();
  await fake.close();
});

type World = Awaited<ReturnType<typeof start>>;
type Chart = Parameters<typeof helmReleaseObjects>[2];

async function start(options?: { helm_secrets: boolean }) {
  const world = await createClusterWorld(server, agent, options);
  const releases = async () => {
    const query = { discovery_job_id: world.cluster.id, extractor: 'helm_release', limit: 200 } as const;
    return (await world.api.call('listDiscoveredItems', { query })).items;
  };
  return {
    ...world,
    releases,
    proposals: async () =>
      Object.fromEntries((await releases()).map((item) => [item.place.name, item.proposal])),
  };
}

/** Replaces the Helm releases of the fake cluster, with the objects that `helm install` creates. */
function install(charts: Record<string, Chart>): void {
  const installed = Object.entries(charts).map(([name, chart]) => helmReleaseObjects('apps', name, chart));
  fake.objects['deployments'] = installed.map(({ deployment }) => deployment);
  fake.objects['secrets'] = installed.map(({ secret }) => secret);
}

/** Returns a discovered chart that an Argo CD Application deploys. */
function chartItem(name: string, artifact_name: string): ReturnType<typeof deployedImageItem> {
  const item = deployedImageItem(name, { file: `apps/${name}.yaml`, namespace: 'shop', version: '19.1.0' });
  return {
    ...item,
    extractor: 'argocd',
    artifact: {
      kind: 'chart',
      name,
      purl: `pkg:helm/${name}`,
    },
    place: {
      ...item.place,
      kind: 'Application',
    },
    proposal: {
      ...item.proposal!,
      source_type: 'helm_repository',
      artifact_name,
    },
  };
}

/** Creates a gather job for a chart, with the releases that its repository lists. */
async function follow(
  { api, organization }: Pick<World, 'api' | 'organization'>,
  artifact_name: string,
  { versions, project = null }: { versions: string[]; project?: string | null },
  organizationId = organization.id,
): Promise<number> {
  const { id } = await api.call('createGatherJob', {
    body: { name: artifact_name, source_type: 'helm_repository', artifact_name, cron_expression: '@daily' },
  });
  await sql`
    UPDATE gather_jobs SET project_url = ${project}, project_url_source = ${project === null ? null : 'chart'}
    WHERE organization_id = ${organizationId} AND id = ${id}`.execute(server.db);
  await sql`
    INSERT INTO releases (organization_id, gather_job_id, tag, version, is_prerelease)
    SELECT ${organizationId}, ${id}, tag, tag, false FROM unnest(${versions}::text[]) AS tag`.execute(
    server.db,
  );
  return id;
}

test('a repository that lists the version of a chart is proposed and used when the item is accepted', async () => {
  const world = await start();
  install({ redis: { name: 'redis', version: '19.1.0' }, own: { name: 'own', version: '0.1.0' } });
  await world.scanCluster();
  expect(await world.proposals()).toMatchObject({
    redis: { source_type: null, confidence: 'none', candidates: [] },
  });
  await follow(world, 'charts.example.org/stable/redis', { versions: ['19.1.0', '20.0.0'] });
  // Nothing in the cluster has changed.
  expect(await world.scanCluster()).toBe(false);
  const likely = {
    source_type: 'helm_repository',
    artifact_name: 'charts.example.org/stable/redis',
    confidence: 'likely',
    why: 'lists this version',
  };
  expect(await world.proposals()).toMatchObject({
    redis: { ...likely, is_confirmed: false, candidates: [likely] },
    own: { source_type: null, candidates: [] },
  });
  const { discovery_job_id, reason } = (await world.releases()).find(({ place }) => place.name === 'redis')!;
  expect(reason).toBeNull();
  const job = await world.api.call('getDiscoveryJob', { path: { id: discovery_job_id } });
  // All other items, such as the Kubernetes version and the images, have a source.
  expect(job.item_counts).toMatchObject({ unresolved: 1 });
  const { items } = await world.api.call('acceptDiscoveredItems', {
    body: { filter: { discovery_job_id, extractor: 'helm_release' }, rule_id: null, labels: {} },
  });
  expect(items.map(({ name, gather_job, proposal }) => [name, gather_job?.name, proposal?.why])).toEqual([
    ['own', undefined, null],
    ['redis', 'charts.example.org/stable/redis', 'lists this version'],
  ]);
});

test('if a user chooses one of several repositories that list the version of a chart, every Helm release of the chart uses it, also after later scans', async () => {
  const world = await start();
  install({ cache: { name: 'redis', version: '19.1.0' } });
  await follow(world, 'charts.example.org/stable/redis', { versions: ['19.1.0'] });
  await follow(world, 'mirror.example.org/redis', { versions: ['19.1.0'] });
  await follow(world, 'other.example.org/redis', { versions: ['1.0.0'] });
  await world.scanCluster();
  const item = (await world.releases())[0]!;
  expect(item.proposal).toMatchObject({
    source_type: null,
    confidence: 'none',
    why: null,
    candidates: [
      {
        artifact_name: 'charts.example.org/stable/redis',
        confidence: 'likely',
      },
      {
        artifact_name: 'mirror.example.org/redis',
        confidence: 'likely',
      },
      {
        artifact_name: 'other.example.org/redis',
        confidence: 'none',
      },
    ],
  });
  const { groups } = await world.api.call('listDiscoveredItems', {
    query: { group_by: 'artifact', extractor: 'helm_release' },
  });
  expect(groups).toMatchObject([{ item_id: item.id, proposal: item.proposal }]);
  const { source_type, artifact_name } = item.proposal.candidates[1]!;
  await world.api.call('updateDiscoveredItem', {
    path: { id: groups[0]!.item_id },
    body: { source_type, artifact_name, apply_to: 'artifact' },
  });
  install({ cache: { name: 'redis', version: '19.1.0' }, sessions: { name: 'redis', version: '18.0.0' } });
  await world.scanCluster();
  const chosen = {
    artifact_name: 'mirror.example.org/redis',
    is_confirmed: true,
    confidence: 'certain',
    candidates: [],
  };
  expect(await world.proposals()).toMatchObject({ cache: chosen, sessions: chosen });
  await world.scanCluster();
  expect(await world.proposals()).toMatchObject({ cache: chosen, sessions: chosen });
});

test('a repository that another item uses is proposed first, and is certain only if that item has the same version and no other repository lists it', async () => {
  const world = await start();
  install({ cache: { name: 'redis', version: '19.1.0' }, old: { name: 'redis', version: '17.0.0' } });
  fake.objects['helmrepositories'] = [
    {
      metadata: { namespace: 'flux-system', name: 'stable' },
      spec: { url: 'https://charts.example.org/stable' },
    },
  ];
  fake.objects['helmreleases'] = [
    {
      metadata: { namespace: 'shop', name: 'carts' },
      spec: {
        chart: {
          spec: { chart: 'redis', version: '19.x', sourceRef: { name: 'stable', namespace: 'flux-system' } },
        },
      },
      status: {
        history: [
          {
            chartName: 'redis',
            chartVersion: '19.1.0',
            name: 'carts',
            namespace: 'shop',
            status: 'deployed',
          },
        ],
      },
    },
  ];
  await world.scanCluster();
  const used = 'charts.example.org/stable/redis';
  expect(await world.proposals()).toMatchObject({
    cache: {
      artifact_name: used,
      confidence: 'certain',
      why: 'used by HelmRelease shop/carts with this version',
    },
    old: { artifact_name: used, confidence: 'likely', why: 'used by HelmRelease shop/carts' },
  });
  await follow(world, 'mirror.example.org/redis', { versions: ['19.1.0', '17.0.0'] });
  await world.scanCluster();
  expect(await world.proposals()).toMatchObject({
    cache: { artifact_name: used, confidence: 'likely' },
    old: { artifact_name: used, confidence: 'likely', candidates: [{}, { why: 'lists this version' }] },
  });
});

test('a chart that a Git repository deploys provides the source of the same chart in a cluster, and the source becomes certain when the chart is accepted', async () => {
  const world = await start();
  install({ cache: { name: 'redis', version: '19.1.0' } });
  await world.scanRepository([chartItem('redis', 'charts.example.org/redis')]);
  await world.scanCluster();
  const found = {
    artifact_name: 'charts.example.org/redis',
    why: 'used by Application shop/redis with this version',
  };
  // Anyone with write access to the repository can name any source, so the source isn't certain yet.
  expect(await world.proposals()).toMatchObject({ cache: { ...found, confidence: 'likely' } });
  const { items } = await world.api.call('listDiscoveredItems', { query: { extractor: 'argocd' } });
  const item_ids = items.map(({ id }) => id);
  await world.api.call('ignoreDiscoveredItems', { body: { item_ids } });
  expect(await world.proposals()).toMatchObject({ cache: { artifact_name: null, candidates: [] } });
  await world.api.call('restoreDiscoveredItems', { body: { item_ids } });
  await world.api.call('acceptDiscoveredItems', { body: { item_ids, rule_id: null } });
  await world.scanCluster();
  expect(await world.proposals()).toMatchObject({ cache: { ...found, confidence: 'certain' } });
});

test('if the chart metadata names its project, a chart of another project is never proposed', async () => {
  const world = await start({ helm_secrets: true });
  install({
    cache: {
      name: 'redis',
      version: '19.1.0',
      sources: ['https://github.com/acme/helm-charts', 'https://github.com/acme/redis'],
    },
  });
  await follow(world, 'charts.example.org/redis', {
    versions: ['19.1.0'],
    project: 'https://github.com/other/redis',
  });
  await world.scanCluster();
  expect((await world.proposals())['cache']).toMatchObject({
    source_type: null,
    candidates: [
      { confidence: 'none', why: 'lists a chart from another project, https://github.com/other/redis' },
    ],
  });
  await follow(world, 'charts.acme.org/redis', {
    versions: ['19.1.0'],
    project: 'https://github.com/Acme/redis',
  });
  await follow(world, 'mirror.example.org/redis', { versions: ['19.1.0'] });
  await world.scanCluster();
  expect((await world.proposals())['cache']).toMatchObject({
    artifact_name: 'charts.acme.org/redis',
    confidence: 'likely',
    why: 'lists this version and belongs to the same project',
    candidates: [
      {},
      { artifact_name: 'mirror.example.org/redis' },
      { artifact_name: 'charts.example.org/redis' },
    ],
  });
});

test('charts of a Helm repository without gather jobs are candidates', async () => {
  const world = await start();
  install({ cache: { name: 'redis', version: '19.1.0' }, old: { name: 'redis', version: '17.0.0' } });
  const { id } = await world.api.call('createHelmSyncJob', {
    body: { name: 'stable', repository_url: 'https://charts.example.org/stable', create_gather_jobs: false },
  });
  await sql`
    INSERT INTO helm_charts (organization_id, helm_sync_job_id, name, latest_version, version_count, last_seen_at)
    VALUES (${world.organization.id}, ${id}, 'redis', '19.1.0', 2, pacekeeper_now())`.execute(server.db);
  await world.scanCluster();
  expect(await world.proposals()).toMatchObject({
    cache: { artifact_name: 'charts.example.org/stable/redis', confidence: 'likely' },
    old: {
      source_type: null,
      candidates: [{ confidence: 'none', why: "lists the chart, but this version wasn't found" }],
    },
  });
});

test('each release is compared with a limited number of repositories, even if a Git repository specifies many for its chart', async () => {
  const world = await start();
  await sql`
    INSERT INTO discovered_items (organization_id, discovery_job_id, extractor, key, path, artifact_kind, artifact_name,
      version, version_state, proposal, confidence)
    SELECT ${world.organization.id}, ${world.repository.id}, 'flux', 'key-' || n, 'path', 'chart', 'redis',
      CASE WHEN n = 500 THEN '19.1.0' ELSE '1.0.0' END, 'exact', jsonb_build_object('source_type', 'helm_repository',
        'artifact_name', CASE WHEN n > 500 THEN 'CHARTS' ELSE 'charts' END || n % 1000 || '.example.org/redis',
        'source_options', jsonb_build_object()), 'certain'
    FROM generate_series(1, 1000) AS n`.execute(server.db);
  const evidence = await findChartEvidence(server.db, world.organization.id, [
    { chart: 'redis', version: '19.1.0' },
  ]);
  const names = evidence.get('redis')!.map(({ artifact_name }) => artifact_name);
  expect(names).toHaveLength(20);
  // The limit must not exclude the repository that has the version.
  expect(names).toContain('charts500.example.org/redis');
});

test('repositories that files specify for a version never displace an accepted repository', async () => {
  const world = await start();
  await world.scanRepository([chartItem('redis', 'trusted.example.org/redis')]);
  await world.api.call('acceptDiscoveredItems', {
    body: { filter: { discovery_job_id: world.repository.id }, rule_id: null },
  });
  await sql`
    INSERT INTO discovered_items (organization_id, discovery_job_id, extractor, key, path, artifact_kind, artifact_name,
      version, version_state, proposal, confidence)
    SELECT ${world.organization.id}, ${world.repository.id}, 'flux', 'key-' || n, 'path', 'chart', 'redis', '20.0.0',
      'exact', jsonb_build_object('source_type', 'helm_repository',
        'artifact_name', 'charts' || n || '.example.org/redis', 'source_options', jsonb_build_object()), 'certain'
    FROM generate_series(1, 30) AS n`.execute(server.db);
  install({ cache: { name: 'redis', version: '20.0.0' } });
  await world.scanCluster();
  const { cache } = await world.proposals();
  expect(cache).toMatchObject({ artifact_name: 'trusted.example.org/redis', confidence: 'likely' });
  expect(cache?.candidates[0]).toMatchObject({ artifact_name: 'trusted.example.org/redis' });
});

test("global jobs are evidence for a repository, but other organizations' jobs and items aren't", async () => {
  const world = await start();
  install({ cache: { name: 'redis', version: '19.1.0' }, mesh: { name: 'mesh', version: '1.0.0' } });
  const other = await createClusterWorld(server, agent);
  await follow(other, 'charts.example.org/redis', { versions: ['19.1.0'] });
  await other.scanRepository([chartItem('redis', 'charts.example.org/redis')]);
  const { system } = server;
  await follow(
    { api: system, organization: other.organization },
    'charts.example.org/mesh',
    { versions: ['1.0.0'] },
    1,
  );
  await world.scanCluster();
  expect(await world.proposals()).toMatchObject({
    cache: { source_type: null, candidates: [] },
    mesh: { artifact_name: 'charts.example.org/mesh', confidence: 'likely' },
  });
});

test('the option accept: known accepts a repository automatically only if it is certain', async () => {
  const world = await start();
  await world.api.call('updateDiscoveryJob', { path: { id: world.cluster.id }, body: { accept: 'known' } });
  await follow(world, 'charts.example.org/redis', { versions: ['19.1.0'] });
  install({ cache: { name: 'redis', version: '19.1.0' } });
  await world.scanCluster();
  expect(await world.releases()).toMatchObject([{ status: 'new', proposal: { confidence: 'likely' } }]);
});

test('a scan of 10,000 charts runs the same statements as a scan of one, and no statement compares all pairs', async () => {
  const scan = async (count: number) => {
    const world = await start();
    const insert = (jobId: number, extractor: string, proposal: object | null) =>
      sql`
      INSERT INTO discovered_items (organization_id, discovery_job_id, extractor, key, path, artifact_kind, artifact_name,
        version, version_state, reason, proposal)
      SELECT ${world.organization.id}, ${jobId}, ${extractor}, 'key-' || n, 'path', 'chart', 'chart-' || n % 5000,
        '1.0.' || n, 'exact', 'no_source', ${proposal && JSON.stringify(proposal)}::jsonb
      FROM generate_series(1, ${sql.lit(count)}) AS n`.execute(server.db);
    await insert(world.cluster.id, 'helm_release', null);
    await insert(world.repository.id, 'flux', {
      source_type: 'helm_repository',
      artifact_name: 'charts.example.org/any',
      source_options: {},
    });
    await follow(world, 'charts.example.org/chart-1', {
      versions: Array.from({ length: 2 * count }, (_, at) => `1.0.${at}`),
    });
    const queries = await server.queriesOf(world.scanUnchanged);
    return queries.filter(({ text }) => /UPDATE.*suggestion|suggestion FROM|WITH wanted AS/s.test(text));
  };
  const few = await scan(1);
  expect(few.length).toBe(3);
  // This scan would fail if a statement compared all 10,000 charts with all 10,000 items, because the
  // statement would time out.
  expect((await scan(10_000)).map(({ text }) => text)).toEqual(few.map(({ text }) => text));
});
