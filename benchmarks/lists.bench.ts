/**
 * Measures the first page of every list of the contract, with each of its filters and sort orders, in an
 * organization with a million each of releases, versions, alerts, deliveries, and audit log lines. The
 * reference is the same page in an organization with a thousand of each. Requests are sequential and
 * alternate between the two organizations. Run with `node benchmarks/lists.bench.ts`; goal: at most 2 times.
 * Operations that return or count all rows (dropdowns, exact numbers) are reported without a goal.
 */
import { fileURLToPath } from 'node:url';
import { request } from 'undici';
import { createApiClient } from '../src/client/api-client.ts';
import { listVariants, readSamples } from '../tests/contract/list-variants.ts';
import { median, serveBench, startBenchWorld } from './evaluation-world.ts';
import { millionSize, ownerPassword, smallSize } from './generate-installation.ts';

const rounds = Number(process.env['BENCH_ROUNDS'] ?? 7);
const answersAll = /Dropdown$|^getAlertSummary$|^getOverview$/;

async function main() {
  const world = await startBenchWorld(fileURLToPath(import.meta.url), [millionSize, smallSize]);
  try {
    const [big, small] = await Promise.all(
      world.organizationIds.map(async (organizationId, index) => {
        const login = await createApiClient({ baseUrl: world.url }).call('login', {
          body: { email: `owner-${index + 1}@example.org`, password: ownerPassword },
        });
        return {
          token: login.access_token,
          variants: listVariants(await readSamples(world.db, organizationId)),
        };
      }),
    );
    const rows = [];
    for (const [index, { name, url, operation }] of big!.variants.entries()) {
      const times: [number[], number[]] = [[], []];
      for (let round = -3; round < rounds; round++) {
        const inBig = await timeOf(world.url + url, big!.token);
        const inSmall = await timeOf(world.url + small!.variants[index]!.url, small!.token);
        if (round < 0) continue;
        times[0].push(inBig);
        times[1].push(inSmall);
      }
      const [bigMs, smallMs] = [median(times[0]), median(times[1])];
      rows.push({
        name,
        'a million, ms': Number(bigMs.toFixed(1)),
        'a thousand, ms': Number(smallMs.toFixed(1)),
        ratio: Number((bigMs / smallMs).toFixed(1)),
        goal: answersAll.test(operation.id) ? null : 2,
      });
    }
    const overGoal = rows.filter(({ ratio, goal }) => goal !== null && ratio > goal);
    console.log(
      `${rows.length} lists; ${overGoal.length} above the goal. The thirty with the highest ratio:`,
    );
    console.table(rows.toSorted((a, b) => b.ratio - a.ratio).slice(0, 30));
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
