/**
 * Measures the environment matrix and the promotions of 1,000 services in four environments, each with 20
 * version changes, compared with a list of 50 in the same run. A tenth of the services are behind. The
 * comparison is cached until a version changes, so each request is measured both unchanged and right after a
 * change. Run with `node benchmarks/environments.bench.ts` (`BENCH_SERVICES=10000` for a larger run); goal:
 * at most 3 times the list.
 */
import { fileURLToPath } from 'node:url';
import { sql } from 'kysely';
import { request } from 'undici';
import type { Database } from '../src/platform/database/index.ts';
import { median, serveBench, startBenchWorld } from './evaluation-world.ts';
import { smallSize } from './generate-installation.ts';

const services = Number(process.env['BENCH_SERVICES'] ?? 1_000);
const rounds = Number(process.env['BENCH_ROUNDS'] ?? 50);

async function main() {
  const world = await startBenchWorld(fileURLToPath(import.meta.url), [
    { ...smallSize, gatherJobs: 200, scrapeJobs: 1_000, versionsEach: 1, rules: 200, alertConfigs: 1_000 },
  ]);
  try {
    await sql`
      WITH job AS (
        INSERT INTO scrape_jobs (organization_id, name, parser_type, labels, latest_version, latest_version_at)
        SELECT ${world.organizationIds[0]}, 'service ' || n || ' in ' || environment, 'manual',
          jsonb_build_object('service', 'service-' || lpad(n::text, 6, '0'), 'environment', environment),
          '1.' || CASE WHEN environment = 'production' AND n % 10 = 0 THEN 18 ELSE 20 END || '.0', pacekeeper_now()
        FROM generate_series(1, ${services}::integer) AS n,
          unnest(ARRAY['dev', 'staging', 'preprod', 'production']) AS environment
        RETURNING organization_id, id, latest_version
      )
      INSERT INTO versions (organization_id, scrape_job_id, version, raw_version, version_transform, source, is_change)
      SELECT organization_id, id, '1.' || change || '.0', '1.' || change || '.0', 'none', 'manual', true
      FROM job, generate_series(1, 20) AS change WHERE change <= split_part(latest_version, '.', 2)::integer`.execute(
      world.db,
    );
    await sql`ANALYZE scrape_jobs, versions`.execute(world.db);
    const headers = { authorization: `Bearer ${world.token}` };
    const list = '/scrape-jobs?limit=50';
    const asked = [
      '/environments/matrix?limit=50',
      '/environments/matrix?limit=50&offset=500',
      '/environments/matrix?limit=50&q=service-0005',
      '/environments/matrix?limit=50&drift=behind',
      '/environments/promotions?limit=50',
    ];
    const rows = [];
    for (const [one, isChanged] of asked.flatMap((each) => [[each, false] as const, [each, true] as const])) {
      const times: [number[], number[]] = [[], []];
      // Alternate between the two requests, so that other load on the machine affects both. The warm-up
      // rounds are needed because a statement is prepared only after a few runs on a connection.
      for (let round = -20; round < rounds; round++) {
        if (isChanged) await changeVersion(world.db, world.organizationIds[0]!, round);
        const [ms, listMs] = [await timeOf(world.url, one, headers), await timeOf(world.url, list, headers)];
        if (round < 0) continue;
        times[0].push(ms);
        times[1].push(listMs);
      }
      const [ms, listMs] = [median(times[0]), median(times[1])];
      rows.push({
        what: one,
        'after a change': isChanged,
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

/** Changes the deployed version of a service on the last page. */
async function changeVersion(db: Database, organizationId: number, round: number): Promise<void> {
  await sql`
    UPDATE scrape_jobs SET latest_version = ${`1.${round + 100}.0`}
    WHERE organization_id = ${organizationId} AND name = ${`service ${services} in production`}`.execute(db);
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
