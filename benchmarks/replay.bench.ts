/**
 * Measures `POST /rules/simulate` for 5,000 alert configurations over 180 days, on an otherwise idle server.
 * Run with `node benchmarks/replay.bench.ts`; goals: at most 5 s, including the first simulation, which
 * starts the thread and reads all releases, and no stall of the server's event loop above 50 ms. The row
 * `idle` is the baseline without a simulation: its stalls come from the machine.
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

const configCount = Number(process.env['BENCH_SIMULATED'] ?? 5_000);
const days = 180;
const versionsEach = 4;

async function main() {
  const world = await startBenchWorld(fileURLToPath(import.meta.url), [
    {
      ...smallSize,
      gatherJobs: gatherJobCount,
      scrapeJobs: configCount,
      versionsEach,
      runsEach: 0,
      rules: 1,
      alertConfigs: configCount,
      resolvedAlertsEach: 0,
      channels: 1,
      auditLog: 0,
    },
  ]);
  try {
    // The first version of each job was deployed before the simulated period, and the others one after another during
    // it.
    await sql`
      UPDATE versions SET is_change = true,
        created_at = pacekeeper_now() - (${days + 20} - numbered.place * ${days / versionsEach}) * interval '1 day'
      FROM (SELECT id, row_number() OVER (PARTITION BY scrape_job_id ORDER BY id) - 1 AS place FROM versions) AS numbered
      WHERE versions.id = numbered.id`.execute(world.db);
    await sql`UPDATE alert_configs SET due_at = 'infinity'`.execute(world.db);
    await sql`VACUUM ANALYZE`.execute(world.db);
    await world.restartServer();
    await sleep(2_000);
    const rows: Row[] = [await measure(world, 'idle', () => sleep(3_000, null))];
    for (const [index, high] of [60, 45, 30].entries()) {
      rows.push(
        await measure(world, index === 0 ? 'first' : 'next', async () => {
          const rule = { rule_type: 'days_behind' as const, thresholds: { moderate: 14, high } };
          const result = await world.api.call('simulateRule', { body: { rule, days }, timeoutMs: 60_000 });
          if (!result.is_complete) throw new Error(`not complete: ${JSON.stringify(result.left_out)}`);
          return result;
        }),
      );
    }
    console.table(rows);
  } finally {
    await world.stop();
  }
}

type Row = Record<string, string | number>;

async function measure(
  world: BenchWorld,
  what: string,
  work: () => Promise<{ evaluated: number; totals: { alerts: number } } | null>,
): Promise<Row> {
  await longestStall(world);
  const startedAt = performance.now();
  const result = await work();
  const seconds = (performance.now() - startedAt) / 1_000;
  return {
    what,
    configurations: result?.evaluated ?? 0,
    alerts: result?.totals.alerts ?? 0,
    seconds: Number(seconds.toFixed(2)),
    'goal, s': 5,
    'longest stall, ms': Math.round(await longestStall(world)),
    'goal, ms': 50,
  };
}

const [role, databaseUrl = '', dataDir = ''] = process.argv.slice(2);
if (role === 'server') await serveBench(databaseUrl, dataDir);
else await main();
