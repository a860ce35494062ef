import { readdirSync, readFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { createClusterAgent } from '../helpers/cluster-agent.ts';
import { createClusterWorld } from '../helpers/cluster-world.ts';
import { deployedImageItem } from '../helpers/scan-by-hand.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';
import { hasTestData, testDataPath } from '../helpers/test-data.ts';
import { sharedTestServer } from '../helpers/test-server.ts';
import {
  deploymentOf,
  type FakeKubernetes,
  helmReleaseObjects,
  startFakeKubernetes,
} from '../helpers/upstreams/fake-kubernetes.ts';

const server = await sharedTestServer();
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

const start = () => createClusterWorld(server, agent);

test('a cluster is scanned, its versions are accepted, and a later version is recorded', async () => {
  const world = await start();
  fake.objects = {
    deployments: [deploymentOf('shop', 'web', 'ghcr.io/acme/web:1.8.2')],
    nodes: [{ metadata: { name: 'a' }, status: { nodeInfo: { kubeletVersion: 'v1.31.4-eks-1' } } }],
  };
  expect(await world.scanCluster()).toBe(true);
  expect(await world.scanCluster()).toBe(false);
  const { created } = await world.api.call('acceptDiscoveredItems', {
    body: { filter: { discovery_job_id: world.cluster.id }, rule_id: null, labels: {} },
  });
  expect(created).toMatchObject({ scrape_jobs: 3 });
  fake.objects['deployments'] = [deploymentOf('shop', 'web', 'ghcr.io/acme/web:1.9.0')];
  expect(await world.scanCluster()).toBe(true);
  const { items: jobs } = await world.api.call('listScrapeJobs', { query: { sort: 'name' } });
  expect(jobs.map(({ name, latest_version, labels }) => [name, latest_version, labels['cluster']])).toEqual([
    ['kubernetes', 'v1.32.1', 'eu'],
    ['kubernetes, Node/default', 'v1.31.4', 'eu'],
    ['web', '1.9.0', 'eu'],
  ]);
});

test('an image that a repository declares and its cluster runs is one item', async () => {
  const world = await start();
  const declared = deployedImageItem('web', {
    file: 'clusters/eu/web.yaml',
    namespace: 'shop',
    version: '1.9.0',
    labels: { cluster: 'eu' },
  });
  const image = { ...declared, artifact: { ...declared.artifact, name: 'ghcr.io/acme/web' } };
  await world.scanRepository([image]);
  fake.objects['deployments'] = [deploymentOf('shop', 'web', 'ghcr.io/acme/web:1.8.2')];
  await world.scanCluster();
  expect(await world.items(world.repository.id)).toMatchObject([
    { version: '1.9.0', live_version: '1.8.2', status: 'new' },
  ]);
  const running = await world.items(world.cluster.id);
  expect(running.find(({ place }) => place.name === 'web')).toMatchObject({ status: 'ignored' });
});

interface ChartIndex {
  entries: Record<string, { name: string; version: string }[]>;
}

describe.skipIf(!hasTestData)('a cluster with charts installed by Helm', () => {
  test('shows at least 90% of its charts without access to secrets, and all of them with access', async () => {
    const charts = readdirSync(testDataPath('helm/repos')).flatMap((file) => {
      const { entries } = parse(readFileSync(testDataPath(`helm/repos/${file}`), 'utf8'), {
        maxAliasCount: -1,
      }) as ChartIndex;
      // Include the newest and the oldest version of each chart.
      return Object.values(entries).flatMap((list) => [list[0]!, list.at(-1)!]);
    });
    expect(charts.length).toBeGreaterThan(30);
    const releases = charts.map((chart, at) => ({
      chart,
      ...helmReleaseObjects(`ns-${at}`, `release-${at}`, chart),
    }));
    fake.objects = {
      deployments: releases.map(({ deployment }) => deployment),
      secrets: releases.map(({ secret }) => secret),
    };
    const foundBy = async (helm_secrets: boolean) => {
      const { items } = await agent.run({ helm_secrets });
      const found = new Set(
        items.flatMap(({ extractor, place, artifact, version }) =>
          extractor === 'helm_release' ? [`${place.name} ${artifact.name} ${version}`] : [],
        ),
      );
      return charts.filter(({ name, version }, at) => found.has(`release-${at} ${name} ${version}`)).length;
    };
    expect((await foundBy(false)) / charts.length).toBeGreaterThanOrEqual(0.9);
    fake.denied.add('secrets');
    expect((await foundBy(true)) / charts.length).toBeGreaterThanOrEqual(0.9);
    fake.denied.clear();
    fake.objects['deployments'] = [];
    expect(await foundBy(true)).toBe(charts.length);
  });
});
