/**
 * Measures how long it takes to compute a year of freshness for 5,000 pairs of a scrape job and a gather job: for the
 * first time on an otherwise idle server, and then again when nothing has changed. Run with `node
 * benchmarks/freshness.bench.ts`; goals: at most 30 s, including starting the thread and reading all releases, and no
 * stall of the server's event loop above 50 ms. The row `idle` is the baseline without freshness: its stalls come from
 * the machine.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { sql } from 'kysely';
import {
  type BenchWorld,
  gatherJobCount,
  longestStall,
  serveBench,
  startBenchWorld,
} from './evaluation-world.ts';
import { smallSize } from './generate-installation.ts';

const pairCount = Number(process.env['BENCH_PAIRS'] ?? 5_000);
const days = 365;
const versionsEach = 8;

async function main() {
  const world = await startBenchWorld(fileURLToPath(import.meta.url), [
    {
      ...smallSize,
      gatherJobs: gatherJobCount,
      scrapeJobs: pairCount,
      versionsEach,
      runsEach: 0,
      rules: 1,
      alertConfigs: pairCount,
      resolvedAlertsEach: 0,
      channels: 1,
      auditLog: 0,
    },
  ]);
  try {
    // The first version of each job was deployed before the measured year, and the others one after another during it.
    await sql`
      UPDATE versions SET is_change = true,
        created_at = pacekeeper_now() - (${days + 20} - numbered.place * ${Math.floor(days / versionsEach)}) * interval '1 day'
      FROM (SELECT id, row_number() OVER (PARTITION BY scrape_job_id ORDER BY id) - 1 AS place FROM versions) AS numbered
      WHERE versions.id = numbered.id`.execute(world.db);
    await sql`
      UPDATE scrape_jobs SET latest_version = (SELECT version FROM versions v
        WHERE v.organization_id = scrape_jobs.organization_id AND v.scrape_job_id = scrape_jobs.id ORDER BY id DESC LIMIT 1)`.execute(
      world.db,
    );
    await sql`UPDATE alert_configs SET due_at = 'infinity'`.execute(world.db);
    // Postpone the task, so that the server doesn't compute the freshness before the measurement.
    await sql`UPDATE housekeeping_tasks SET due_at = 'infinity' WHERE name = 'schedule-freshness'`.execute(
      world.db,
    );
    await sql`DELETE FROM freshness_states`.execute(world.db);
    await sql`VACUUM ANALYZE`.execute(world.db);
    await world.restartServer();
    await sleep(2_000);
    const rows = [await measure(world, 'idle', () => sleep(3_000))];
    rows.push(await measure(world, 'a year', () => trigger(world)));
    rows.push(await measure(world, 'unchanged', () => trigger(world)));
    console.table(rows);
  } finally {
    await world.stop();
  }
}

async function trigger({ db }: BenchWorld): Promise<void> {
  await sql`
    INSERT INTO freshness_states (organization_id)
    SELECT DISTINCT organization_id FROM alert_configs
    ON CONFLICT (organization_id) DO UPDATE SET requested_seq = freshness_states.requested_seq + 1, due_at = pacekeeper_now()`.execute(
    db,
  );
  for (;;) {
    const { rows } =
      await sql`SELECT FROM freshness_states WHERE processed_seq < requested_seq OR lease_until IS NOT NULL`.execute(
        db,
      );
    if (rows.length === 0) return;
    await sleep(100);
  }
}

async function measure(world: BenchWorld, what: string, work: () => Promise<unknown>) {
  await longestStall(world);
  const startedAt = performance.now();
  await work();
  const seconds = (performance.now() - startedAt) / 1_000;
  const { rows } = await sql<{ points: number; things: number }>`
    SELECT count(*) AS points, coalesce(max(things), 0) AS things FROM freshness_points WHERE grouping = 'all'`.execute(
    world.db,
  );
  return {
    what,
    pairs: rows[0]!.things,
    days: rows[0]!.points,
    seconds: Number(seconds.toFixed(2)),
    'goal, s': 30,
    'longest stall, ms': Math.round(await longestStall(world)),
    'goal, ms': 50,
  };
}

const [role, databaseUrl = '', dataDir = ''] = process.argv.slice(2);
if (role === 'server') await serveBench(databaseUrl, dataDir);
else await main();
