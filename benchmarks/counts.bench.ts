/**
 * Measures the status views on a large data set: the overview, the alert summary, the software of the fleet,
 * its freshness, its environments, and its metrics. The organization has 100,000 alert configurations and a
 * million resolved alerts. Each view is compared with a list of 50 in the same run. Run with `node
 * benchmarks/counts.bench.ts` (`BENCH_CONFIGS=10000` for a smaller run); goal: at most 3 times the list.
 */
import { fileURLToPath } from 'node:url';
import { sql } from 'kysely';
import { request } from 'undici';
import { createSystemKey } from '../src/modules/accounts/index.ts';
import { configCount, median, serveBench, startBenchWorld } from './evaluation-world.ts';
import { smallSize } from './generate-installation.ts';

const rounds = Number(process.env['BENCH_ROUNDS'] ?? 25);

async function main() {
  const world = await startBenchWorld(fileURLToPath(import.meta.url), [
    {
      ...smallSize,
      gatherJobs: 500,
      scrapeJobs: configCount,
      versionsEach: 1,
      runsEach: 1,
      rules: 500,
      alertConfigs: configCount,
      resolvedAlertsEach: 10,
      auditLog: 1_000,
    },
  ]);
  try {
    const { key } = await createSystemKey(world.db, { name: 'metrics', role: 'viewer' });
    await sql`INSERT INTO settings (organization_id, key, value)
      SELECT id, 'metrics.alert_configs', 'true' FROM organizations WHERE id = ${world.organizationIds[0]}`.execute(
      world.db,
    );
    const owner = { authorization: `Bearer ${world.token}` };
    const client = '/api/v1/client';
    const list = { path: `${client}/alert-configs?limit=50`, headers: owner };
    const asked = [
      { path: `${client}/overview`, headers: owner },
      { path: `${client}/alerts/summary`, headers: owner },
      { path: `${client}/software?limit=50`, headers: owner },
      { path: `${client}/software/labels`, headers: owner },
      { path: `${client}/freshness`, headers: owner },
      { path: `${client}/freshness/things?limit=50`, headers: owner },
      { path: `${client}/environments/matrix?limit=50`, headers: owner },
      { path: `${client}/environments/promotions?limit=50`, headers: owner },
      { path: '/metrics', headers: { 'x-api-key': key } },
    ];
    const rows = [];
    for (const one of asked) {
      const times: [number[], number[]] = [[], []];
      // Alternate between the two requests, so that other load on the machine affects both. The warm-up
      // rounds are needed because a statement is prepared only after a few runs on a connection.
      for (let round = -60; round < rounds; round++) {
        const [ms, listMs] = [await timeOf(world.url, one), await timeOf(world.url, list)];
        if (round < 0) continue;
        times[0].push(ms);
        times[1].push(listMs);
      }
      const [ms, listMs] = [median(times[0]), median(times[1])];
      rows.push({
        what: one.path,
        ms: Number(ms.toFixed(1)),
        'list of 50, ms': Number(listMs.toFixed(1)),
        ratio: Number((ms / listMs).toFixed(1)),
        goal: 3,
      });
    }
    console.table(rows);
  } finally {
    await world.stop();
  }
}

async function timeOf(
  url: string,
  { path, headers }: { path: string; headers: Record<string, string> },
): Promise<number> {
  const startedAt = performance.now();
  const { statusCode, body } = await request(url + path, { headers });
  await body.dump({ limit: 100_000_000 });
  if (statusCode !== 200) throw new Error(`${path} answered ${statusCode}`);
  return performance.now() - startedAt;
}

const [role, databaseUrl, dataDir] = process.argv.slice(2);
if (role === 'server') await serveBench(databaseUrl!, dataDir!);
else await main();
