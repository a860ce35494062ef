/**
 * Measures the first minutes of an installation, while it grows from empty to organizations of 60, 600, and
 * 6,000 alert configurations with all related data. Every list of the contract is requested repeatedly, as by
 * the web UI, with each of its filters and sort orders, and compared with the list of rules. The server isn't
 * restarted, so its connections keep query plans from the time when the tables were small. Run with `node
 * benchmarks/first-minutes.bench.ts`; goal: no list ever takes more than 5 times as long as the list of rules
 * at the same moment, and none fails.
 */
import { fileURLToPath } from 'node:url';
import { request } from 'undici';
import { createApiClient } from '../src/client/api-client.ts';
import { listVariants, readSamples } from '../tests/contract/list-variants.ts';
import { median, secretKey, serveBench, startBenchWorld } from './evaluation-world.ts';
import { addOrganization, type OrganizationSize, ownerPassword } from './generate-installation.ts';

const sizes = (process.env['BENCH_SIZES'] ?? '60,600,6000').split(',').map(Number);
/** Number of times that all lists are requested at each size. */
const rounds = Number(process.env['BENCH_ROUNDS'] ?? 3);

function sizeOf(configs: number): OrganizationSize {
  return {
    gatherJobs: Math.ceil(configs / 10),
    scrapeJobs: Math.ceil(configs / 2),
    versionsEach: 2,
    runsEach: 2,
    rules: Math.ceil(configs / 10),
    alertConfigs: configs,
    resolvedAlertsEach: 1,
    channels: 5,
    auditLog: configs,
  };
}

interface Timed {
  name: string;
  ms: number;
  rulesMs: number;
}

async function main() {
  // Start with one resource of each kind, like a server on its first day.
  const world = await startBenchWorld(fileURLToPath(import.meta.url), [
    { ...sizeOf(2), gatherJobs: 1, scrapeJobs: 1, rules: 1, channels: 1 },
  ]);
  try {
    await askForAll(world.url, world.token, await namesAndUrls(world.organizationIds[0]!));
    const rows = [];
    const all: Timed[] = [];
    for (const [index, size] of sizes.entries()) {
      const number = index + 2;
      const organizationId = await addOrganization(world.db, number, sizeOf(size), secretKey);
      const { access_token } = await createApiClient({ baseUrl: world.url }).call('login', {
        body: { email: `owner-${number}@example.org`, password: ownerPassword },
      });
      const lists = await namesAndUrls(organizationId);
      const startedAt = performance.now();
      const timed: Timed[] = [];
      for (let round = 0; round < rounds; round++) {
        timed.push(...(await askForAll(world.url, access_token, lists)));
      }
      all.push(...timed);
      const seconds = (performance.now() - startedAt) / 1_000;
      const [worst] = timed.toSorted((a, b) => ratioOf(b) - ratioOf(a));
      const slowest = Math.max(...timed.map(({ ms }) => ms));
      rows.push({
        'alert configurations': size,
        'lists asked for': timed.length,
        seconds: Math.round(seconds),
        'slowest, ms': Math.round(slowest),
        'above 5 times': timed.filter((each) => ratioOf(each) > 5).length,
        worst: worst!.name,
        ratio: ratioOf(worst!),
        goal: 5,
      });
    }
    const tooSlow = all.filter((each) => ratioOf(each) > 5);
    for (const { name, ms, rulesMs } of tooSlow) {
      console.log(`${name}: ${ms.toFixed(1)} ms, rules ${rulesMs.toFixed(1)} ms`);
    }
    console.log('each list compared with the list of rules, just after the installation has grown');
    console.table(rows);
  } finally {
    await world.stop();
  }

  async function namesAndUrls(organizationId: number): Promise<{ name: string; url: string }[]> {
    return listVariants(await readSamples(world.db, organizationId)).filter(
      ({ operation }) => !/Dropdown$|^getAlertSummary$|^getOverview$/.test(operation.id),
    );
  }
}

function ratioOf({ ms, rulesMs }: Timed): number {
  return Number((ms / rulesMs).toFixed(1));
}

/**
 * Requests every list three times and keeps the median, which reduces the effect of other load on the
 * machine.
 */
async function askForAll(
  url: string,
  token: string,
  lists: readonly { name: string; url: string }[],
): Promise<Timed[]> {
  const timed: Timed[] = [];
  for (const list of lists) {
    const of: [number[], number[]] = [[], []];
    for (let time = 0; time < 3; time++) {
      of[0].push(await timeOf(url + list.url, token));
      of[1].push(await timeOf(`${url}/api/v1/client/rules`, token));
    }
    timed.push({ name: list.name, ms: median(of[0]), rulesMs: median(of[1]) });
  }
  return timed;
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
