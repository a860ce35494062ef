/**
 * Measures an upgrade to a release of Pacekeeper that parses versions differently, with a million stored
 * releases. All stored keys and variants come from another parser version. So the server parses the versions
 * again and evaluates the affected configurations, while it serves the list requests of an open page. The
 * reference is the same server before the upgrade, with only the list requests. Run with `node
 * benchmarks/new-reading.bench.ts` (`BENCH_JOBS=500` for a smaller run); goal: a p95 of the response times of
 * at most 3 times the reference, and no failures.
 */
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { sql } from 'kysely';
import { request } from 'undici';
import { parserVersion } from '../src/domain/versions/versions.ts';
import type { Database } from '../src/platform/database/index.ts';
import { type BenchWorld, serveBench, startBenchWorld, waitUntilNothingIsDue } from './evaluation-world.ts';

/** Number of gather jobs, with about 180 releases each. */
const jobs = Number(process.env['BENCH_JOBS'] ?? 5_500);
const idleSeconds = Number(process.env['BENCH_IDLE_SECONDS'] ?? 20);
const goal = 3;
/** Pause between requests. An open page sends a few requests per second. */
const pauseMs = 50;

async function main() {
  const world = await startBenchWorld(fileURLToPath(import.meta.url), [
    {
      gatherJobs: jobs,
      scrapeJobs: jobs,
      versionsEach: 2,
      runsEach: 1,
      rules: 50,
      alertConfigs: jobs * 2,
      resolvedAlertsEach: 0,
      channels: 5,
      auditLog: 1_000,
    },
  ]);
  const { db } = world;
  try {
    await evaluateAll(db);
    const urls = await listUrls(db);
    const idle = await askWhile(world, urls, () => sleep(idleSeconds * 1_000));

    await markReleasesOutdated(db);
    const transactions = watchTransactions(db);
    const startedAt = performance.now();
    const busy = await askWhile(world, urls, async () => {
      await db
        .updateTable('gather_jobs')
        .set({ version_reading: parserVersion - 1 })
        .execute();
      await db
        .updateTable('alert_configs')
        .set({ version_reading: parserVersion - 1 })
        .execute();
      await sql`
        UPDATE housekeeping_tasks SET due_at = pacekeeper_now()
        WHERE name IN ('read-versions-again', 'send-reading-digests')`.execute(db);
      await sql`SELECT pg_notify('pacekeeper_wake', 'housekeeping_tasks')`.execute(db);
      while (!(await isDone(db))) await sleep(200);
    });
    const seconds = (performance.now() - startedAt) / 1_000;
    const { longestMs, waits } = await transactions.stop();
    const { rows } = await sql<{ releases: number; changed: number }>`
      SELECT count(*) AS releases, count(*) FILTER (WHERE variant <> 'before') AS changed FROM releases`.execute(
      db,
    );
    const { releases, changed } = rows[0]!;
    console.table([
      {
        releases,
        'read again': changed,
        configurations: jobs * 2,
        seconds: Math.round(seconds),
        'releases a second': Math.round(releases / seconds),
        'longest transaction, ms': longestMs,
        'seen waiting for a lock': waits,
        'memory of the server at most, MB': await memoryOf(world),
      },
    ]);
    console.table([
      {
        'answers before': idle.times.length,
        'answers during': busy.times.length,
        failed: idle.failed + busy.failed,
        'p50 before, ms': percentile(idle.times, 0.5),
        'p50 during, ms': percentile(busy.times, 0.5),
        'p95 before, ms': percentile(idle.times, 0.95),
        'p95 during, ms': percentile(busy.times, 0.95),
        'longest during, ms': percentile(busy.times, 1),
        ratio: Number((percentile(busy.times, 0.95) / percentile(idle.times, 0.95)).toFixed(2)),
        goal,
      },
    ]);
  } finally {
    await world.stop();
  }
}

/** Evaluates all configurations once, and updates the statistics as autovacuum would. */
async function evaluateAll(db: Database): Promise<void> {
  await sql`UPDATE alert_configs SET requested_seq = requested_seq + 1, due_at = pacekeeper_now()`.execute(
    db,
  );
  await sql`SELECT pg_notify('pacekeeper_wake', 'alert_configs')`.execute(db);
  await waitUntilNothingIsDue(db);
  await sql`VACUUM ANALYZE`.execute(db);
}

/**
 * Marks every release as outdated, so that the server must write each of them. No real upgrade changes so many
 * releases.
 */
async function markReleasesOutdated(db: Database): Promise<void> {
  await sql`UPDATE releases SET sort_key = 'before ' || tag, variant = 'before'`.execute(db);
  await sql`VACUUM ANALYZE releases`.execute(db);
  await sql`CHECKPOINT`.execute(db);
}

async function isDone(db: Database): Promise<boolean> {
  const { rows } = await sql<{ is_done: boolean }>`
    SELECT NOT EXISTS (SELECT FROM gather_jobs WHERE version_reading < ${parserVersion})
      AND NOT EXISTS (SELECT FROM release_fan_outs WHERE due_at < 'infinity')
      AND NOT EXISTS (SELECT FROM alert_configs WHERE version_reading < ${parserVersion}) AS is_done`.execute(
    db,
  );
  return rows[0]!.is_done;
}

async function listUrls(db: Database): Promise<string[]> {
  const { rows } = await sql<{ id: number }>`SELECT id FROM gather_jobs ORDER BY id LIMIT 20`.execute(db);
  const base = '/api/v1/client';
  return [
    ...['rules', 'alerts', 'alert-configs', 'gather-jobs', 'releases'].map((list) => `${base}/${list}`),
    ...rows.map(({ id }) => `${base}/releases?gather_job_id=${id}`),
  ];
}

/**
 * Sends requests while `work` runs.
 * @returns The response times, and the number of failed requests.
 */
async function askWhile({ url, token }: BenchWorld, urls: readonly string[], work: () => Promise<unknown>) {
  const times: number[] = [];
  let failed = 0;
  let isOver = false;
  const ask = async (first: number) => {
    for (let at = first; !isOver; at++) {
      const startedAt = performance.now();
      const { statusCode, body } = await request(url + urls[at % urls.length]!, {
        headers: { authorization: `Bearer ${token}` },
      });
      await body.dump({ limit: 100_000_000 });
      if (statusCode === 200) times.push(performance.now() - startedAt);
      else failed += 1;
      await sleep(pauseMs);
    }
  };
  const asking = [0, 7].map(ask);
  await work().finally(() => (isOver = true));
  await Promise.all(asking);
  return { times, failed };
}

/** Samples the server's database sessions ten times a second. */
function watchTransactions(db: Database) {
  let longestMs = 0;
  let waits = 0;
  let isOver = false;
  const watching = (async () => {
    while (!isOver) {
      const { rows } = await sql<{ longest_ms: number; waits: number }>`
        SELECT coalesce(max(extract(epoch FROM clock_timestamp() - xact_start) * 1000), 0)::float8 AS longest_ms,
          (count(*) FILTER (WHERE wait_event_type = 'Lock'))::integer AS waits
        FROM pg_stat_activity
        WHERE datname = current_database() AND backend_type = 'client backend' AND pid <> pg_backend_pid()`.execute(
        db,
      );
      longestMs = Math.max(longestMs, rows[0]!.longest_ms);
      waits += rows[0]!.waits;
      await sleep(100);
    }
  })();
  return {
    async stop() {
      isOver = true;
      await watching;
      return { longestMs: Math.round(longestMs), waits };
    },
  };
}

function percentile(times: readonly number[], share: number): number {
  const sorted = times.toSorted((a, b) => a - b);
  return Number((sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0).toFixed(1));
}

async function memoryOf({ server }: BenchWorld): Promise<number> {
  server.send('memory');
  const [memoryMb] = (await once(server, 'message')) as [number];
  return memoryMb;
}

const [role, databaseUrl, dataDir] = process.argv.slice(2);
if (role === 'server') await serveBench(databaseUrl!, dataDir!);
else await main();
