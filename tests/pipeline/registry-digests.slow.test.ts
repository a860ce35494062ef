import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ApiClient } from '../../src/client/api-client.ts';
import { createScanner, deployedImageItem } from '../helpers/scan-by-hand.ts';
import { startTestServer } from '../helpers/test-server.ts';
import { hasRegistry, type RegistryServer, startRegistry } from '../helpers/upstreams/registry-server.ts';

const server = await startTestServer({ PACEKEEPER_EMBEDDED_AGENT: 'true', PACEKEEPER_LOG_LEVEL: 'error' });
let registry: RegistryServer;
beforeAll(async () => {
  if (hasRegistry) registry = await startRegistry();
});
afterAll(async () => {
  if (hasRegistry) await registry.close();
});

let images = 0;
const newName = () => `acme/app-${++images}`;

async function createGatherJob(api: ApiClient, name: string): Promise<number> {
  const job = await api.call('createGatherJob', {
    body: { name, source_type: 'oci_registry', artifact_name: `${registry.host}/${name}` },
  });
  await endOf(api, job.id);
  return job.id;
}

/** Waits for the newest run of a gather job to end and returns the run. */
async function endOf(api: ApiClient, id: number) {
  for (;;) {
    const { status, last_run } = await api.call('getGatherJob', { path: { id } });
    if (status === 'completed' || status === 'failed') return last_run!;
    await new Promise((resolve) => setTimeout(resolve, 30));
  }
}

async function run(api: ApiClient, id: number) {
  await api.call('runGatherJob', { path: { id } });
  return endOf(api, id);
}

async function digestsOf(api: ApiClient, gather_job_id: number): Promise<Map<string, string | null>> {
  const { items } = await api.call('listReleases', { query: { gather_job_id, limit: 200 } });
  return new Map(items.map(({ tag, digest }) => [tag, digest]));
}

/** Returns the requests for an image since the last call, for example `HEAD manifests/1.2.3`. */
function asked(name: string): string[] {
  const lines = registry.requests.splice(0).map(({ method, path }) => `${method} ${path}`);
  return lines.flatMap((line) => (line.includes(`/v2/${name}/`) ? [line.replace(`/v2/${name}/`, '')] : []));
}

/**
 * Creates a discovery job for a cluster that runs an image of this registry. `runs` reports the result of a
 * scan that finds the image with a digest.
 */
async function startCluster(api: ApiClient, name: string) {
  const scanner = createScanner(api);
  const { id } = await api.call('createDiscoveryJob', {
    body: { name, kind: 'kubernetes_cluster', cluster_name: 'eu', credential_name: 'cluster' },
  });
  const found = deployedImageItem('web');
  const artifact_name = `${registry.host}/${name}`;
  return {
    runs: (digest: string, tag = 'latest') =>
      scanner.scan(
        id,
        [
          {
            ...found,
            artifact: {
              kind: 'image',
              name: artifact_name,
              purl: null,
            },
            version: tag,
            version_state: 'floating',
            reason: 'floating',
            digest,
            proposal: {
              ...found.proposal!,
              artifact_name,
            },
          },
        ],
        { cluster_uid: 'uid' },
      ),
    async item() {
      const { items } = await api.call('listDiscoveredItems', { query: { discovery_job_id: id } });
      return items[0]!;
    },
  };
}

test.skipIf(!hasRegistry)(
  'digests of a real registry identify the version that is deployed as latest',
  async () => {
    const { api } = await server.createOrganization();
    const name = newName();
    await registry.push(name, '1.24.0', 'first');
    const single = await registry.push(name, '1.24', 'first');
    let second = await registry.pushIndex(name, '1.25.3', 'second');
    for (const tag of ['1.25', '1', 'latest']) second = await registry.pushIndex(name, tag, 'second');

    // Releases store the digest of the index, as returned for a pulled tag, and never the digest of a platform.
    const cluster = await startCluster(api, name);
    await cluster.runs(second.index);
    const accepted = await api.call('acceptDiscoveredItems', {
      body: { item_ids: [(await cluster.item()).id], rule_id: null, labels: {} },
    });
    const { gather_job, scrape_job_id } = accepted.items[0]!;
    await endOf(api, gather_job!.id!);
    expect(await digestsOf(api, gather_job!.id!)).toEqual(
      new Map<string, string | null>([
        ...(['1.25.3', '1.25'] as const).map((tag) => [tag, second.index] as const),
        ...(['1.24.0', '1.24'] as const).map((tag) => [tag, single] as const),
        ['1', null],
        ['latest', null],
      ]),
    );
    const versions = async () =>
      (await api.call('listScrapeJobVersions', { path: { id: scrape_job_id! }, query: {} })).items
        .map(({ version, match }) => `${version} by ${match}`)
        .toReversed();
    await expect.poll(versions).toEqual(['1.25.3 by digest']);

    // The tag moves, and the cluster pulls the new image.
    const third = await registry.pushIndex(name, 'latest', 'third');
    await registry.pushIndex(name, '1.26.0', 'third');
    await cluster.runs(third.platforms[0]!);
    await run(api, gather_job!.id!);
    expect(await cluster.item()).toMatchObject({ matched_version: null });
    await cluster.runs(third.index);
    expect(await versions()).toEqual(['1.25.3 by digest', '1.26.0 by digest']);
  },
);

test.skipIf(!hasRegistry)(
  'fetching digests takes one request for each of 40 tags, and downloads manifests only for three tags without a date',
  async () => {
    const { api } = await server.createOrganization();
    const name = newName();
    const tags = Array.from({ length: 45 }, (_, index) => `1.${index}.0`);
    for (const tag of tags) await registry.push(name, tag, tag);
    asked(name);
    const id = await createGatherJob(api, name);
    const highest = tags.slice(5).toReversed();
    // The first three manifests are downloaded for their dates, which this registry doesn't provide.
    const requests = asked(name).filter((line) => line.includes('manifests/1.'));
    expect(requests).toEqual(highest.map((tag, index) => `${index < 3 ? 'GET' : 'HEAD'} manifests/${tag}`));
    const first = await digestsOf(api, id);
    expect(highest.filter((tag) => first.get(tag) === null)).toEqual([]);
    expect(tags.slice(0, 5).map((tag) => first.get(tag))).toEqual([null, null, null, null, null]);

    await registry.push(name, '1.44.0', 'rebuilt');
    await run(api, id);
    // A later run downloads ten manifests for their dates again, including those of the highest tags, and takes the
    // digests from them.
    const [list, ...later] = asked(name).filter((line) => !line.includes('blobs/'));
    expect(list).toBe('GET tags/list?n=1000');
    expect(later.map((line) => line.replace(/^.+\//u, '')).toSorted()).toEqual(highest.toSorted());
    const read = later.filter((line) => line.startsWith('GET'));
    expect(read).toHaveLength(10);
    expect(read.slice(0, 5)).toEqual(highest.slice(0, 5).map((tag) => `GET manifests/${tag}`));
    const second = await digestsOf(api, id);
    expect(tags.filter((tag) => second.get(tag) !== first.get(tag))).toEqual(['1.44.0']);
  },
);

test.skipIf(!hasRegistry)(
  'a rate limit ends the requests for digests, but the releases are stored',
  async () => {
    const { api } = await server.createOrganization();
    const name = newName();
    for (const tag of ['1.0.0', '1.1.0', '1.2.0', '1.3.0', '1.4.0', '1.5.0'])
      await registry.push(name, tag, tag);
    let heads = 0;
    registry.intercept = (request, response) => {
      if (request.method !== 'HEAD' || ++heads < 2) return false;
      response.writeHead(429, { 'retry-after': '1' }).end();
      return true;
    };
    const id = await createGatherJob(api, name);
    const known = async () =>
      [...(await digestsOf(api, id))].flatMap(([tag, digest]) => (digest === null ? [] : [tag]));
    expect(await known()).toEqual(['1.5.0', '1.4.0', '1.3.0', '1.2.0']);
    expect(heads).toBe(3);

    registry.intercept = (request, response) => {
      if (!request.url?.includes('/manifests/')) return false;
      response.writeHead(200).end(request.method === 'HEAD' ? '' : '{}');
      return true;
    };
    expect(await run(api, id)).toMatchObject({ status: 'succeeded', summary: { found: 6, warnings: [] } });
    // The responses have no digests this time, so the stored ones must stay.
    expect(await known()).toHaveLength(4);
    registry.intercept = null;
    await run(api, id);
    expect(await known()).toHaveLength(6);
  },
);
