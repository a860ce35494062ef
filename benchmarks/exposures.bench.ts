/**
 * Measures questions about exposures with a history of five years: 5,000 scrape jobs in each of two organizations, each
 * with one change a month, compared with a list of 50 in the same run. Run with `node benchmarks/exposures.bench.ts`;
 * goal: at most 3 times the list.
 */
import { fileURLToPath } from 'node:url';
import { sql } from 'kysely';
import { request } from 'undici';
import { exposedVulnerability, insertExposureHistory } from '../tests/helpers/exposure-history.ts';
import { median, serveBench, startBenchWorld } from './evaluation-world.ts';
import { smallSize } from './generate-installation.ts';

const scrapeJobs = Number(process.env['BENCH_SCRAPE_JOBS'] ?? 5_000);
const rounds = Number(process.env['BENCH_ROUNDS'] ?? 50);

async function main() {
  const size = {
    ...smallSize,
    gatherJobs: 100,
    scrapeJobs,
    versionsEach: 1,
    rules: 200,
    alertConfigs: scrapeJobs,
  };
  const world = await startBenchWorld(fileURLToPath(import.meta.url), [size, size]);
  try {
    for (const id of world.organizationIds.toReversed()) await insertExposureHistory(world.db, id);
    const software = await insertExposureHistory(world.db, world.organizationIds[0]!);
    // Vacuum the table, because the history of a real organization was vacuumed long ago.
    await sql`VACUUM (ANALYZE) exposures`.execute(world.db);
    const headers = { authorization: `Bearer ${world.token}` };
    const list = '/scrape-jobs?limit=50';
    const daysAgo = (days: number) =>
      encodeURIComponent(new Date(Date.now() - days * 86_400_000).toISOString());
    const ofSoftware = `/exposures?limit=50&gather_job_id=${software}`;
    const range = encodeURIComponent('>=1.20.0 <1.32.0');
    const asked = [
      '/exposures?limit=50',
      '/exposures?limit=50&is_current=true',
      '/exposures?limit=50&version=1.30.2',
      ofSoftware,
      `${ofSoftware}&version=1.30.2`,
      `${ofSoftware}&version_range=${range}`,
      `${ofSoftware}&version_range=${range}&since=${daysAgo(1_000)}&until=${daysAgo(900)}`,
      `/exposures?limit=50&vulnerability_id=${exposedVulnerability}`,
    ];
    const rows = [];
    for (const one of asked) {
      const times: [number[], number[]] = [[], []];
      // Alternate between the two requests, so that other load on the machine affects both. The warm-up rounds are needed
      // because a statement is prepared only after a few runs on a connection.
      for (let round = -20; round < rounds; round++) {
        const [ms, listMs] = [await timeOf(world.url, one, headers), await timeOf(world.url, list, headers)];
        if (round < 0) continue;
        times[0].push(ms);
        times[1].push(listMs);
      }
      const [ms, listMs] = [median(times[0]), median(times[1])];
      rows.push({
        what: decodeURIComponent(one),
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

async function timeOf(url: string, path: string, headers: Record<string, string>): Promise<number> {
  const startedAt = performance.now();
  const { statusCode, body } = await request(`${url}/api/v1/client${path}`, { headers });
  await body.dump({ limit: 100_000_000 });
  if (statusCode !== 200) throw new Error(`${path} answered ${statusCode}`);
  return performance.now() - startedAt;
}

const [role, databaseUrl, dataDir] = process.argv.slice(2);
if (role === 'server') await serveBench(databaseUrl!, dataDir!);
else await main();
