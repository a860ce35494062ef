/**
 * Measures a discovery job with 50,000 items: accepts 1,000 of them and requests each list on the page of the
 * job. For comparison, these requests alternate with requests for the lists of rules and scrape jobs of the
 * same organization. Run with `node benchmarks/discovered-items.bench.ts`.
 */
import { fileURLToPath } from 'node:url';
import { request } from 'undici';
import { createApiClient } from '../src/client/api-client.ts';
import { insertItems } from '../tests/helpers/discovery-fixture.ts';
import { median, serveBench, startBenchWorld } from './evaluation-world.ts';
import { ownerPassword, smallSize } from './generate-installation.ts';

const itemCount = 50_000;
const artifactCount = 10_000;
const insertedAtOnce = 5_000;
const warmUps = 3;
const rounds = Number(process.env['BENCH_ROUNDS'] ?? 15);

const items = '/api/v1/client/discovered-items?limit=50';
const lists: Readonly<Record<string, string>> = {
  rules: '/api/v1/client/rules?limit=50',
  'scrape jobs': '/api/v1/client/scrape-jobs?limit=50',
  items,
  'items by artifact': `${items}&sort=artifact`,
  'new items': `${items}&status=new`,
  'items that contain a text': `${items}&q=service-77`,
  'items, offset 9,000': `${items}&offset=9000`,
  artifacts: `${items}&group_by=artifact`,
};

function itemAt(at: number) {
  const artifact_name = `ghcr.io/acme/service-${at % artifactCount}`;
  return {
    key: `kubernetes:Deployment::web-${at}:image`,
    path: `clusters/prod/team-${at % 40}/web-${at}.yaml`,
    name: `web-${at}`,
    artifact_name,
    artifact_purl: `pkg:oci/service-${at % artifactCount}`,
    version: `1.${at % 31}.${at % 7}`,
    labels: { environment: at % 3 === 0 ? 'prod' : 'staging' },
    proposal: {
      source_type: 'oci_registry',
      artifact_name,
      source_options: {},
      version_pattern: null,
      version_scheme: null,
      why: 'the registry of the image',
    },
  };
}

async function main() {
  const world = await startBenchWorld(fileURLToPath(import.meta.url), [smallSize]);
  try {
    const login = await createApiClient({ baseUrl: world.url }).call('login', {
      body: { email: 'owner-1@example.org', password: ownerPassword },
    });
    const api = createApiClient({ baseUrl: world.url, token: login.access_token });
    const job = await api.call('createDiscoveryJob', {
      body: { name: 'Deployments', repository_url: 'https://git.example.org/acme/deploy' },
    });
    for (let from = 0; from < itemCount; from += insertedAtOnce)
      await insertItems(
        world.db,
        world.organizationIds[0]!,
        job.id,
        Array.from({ length: insertedAtOnce }, (_, index) => itemAt(from + index)),
      );
    const [rule] = await api.call('listRulesDropdown');
    for (const title of ['first', 'second']) {
      const startedAt = performance.now();
      const { accepted_count } = await api.call('acceptDiscoveredItems', {
        body: { filter: { discovery_job_id: job.id }, rule_id: rule!.id },
      });
      const seconds = ((performance.now() - startedAt) / 1_000).toFixed(1);
      console.log(`${title} request: ${accepted_count} of ${itemCount} items accepted in ${seconds} s`);
    }
    const times = new Map(Object.keys(lists).map((name) => [name, [] as number[]]));
    for (let round = -warmUps; round < rounds; round++) {
      for (const [name, path] of Object.entries(lists)) {
        const ms = await timeOf(world.url + path, login.access_token);
        if (round >= 0) times.get(name)!.push(ms);
      }
    }
    console.table(
      [...times].map(([list, of]) => ({
        list,
        'median, ms': Number(median(of).toFixed(1)),
        'slowest, ms': Number(Math.max(...of).toFixed(1)),
      })),
    );
  } finally {
    await world.stop();
  }
}

async function timeOf(url: string, token: string): Promise<number> {
  const startedAt = performance.now();
  const { statusCode, body } = await request(url, { headers: { authorization: `Bearer ${token}` } });
  await body.dump({ limit: 100_000_000 });
  if (statusCode !== 200) throw new Error(`${url} answered ${statusCode}`);
  return performance.now() - startedAt;
}

const [role, databaseUrl, dataDir] = process.argv.slice(2);
if (role === 'server') await serveBench(databaseUrl!, dataDir!);
else await main();
