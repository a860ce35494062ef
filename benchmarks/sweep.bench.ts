/**
 * Measures a sweep of 2,000 sources without new releases, from the moment when all are due until every run is
 * stored. A complete server with its embedded agent is compared with a plain loop that sends the same
 * conditional requests and keeps the results in memory. The loop runs once with `fetch`, the usual choice,
 * and once with the pool of undici, which has the lowest cost per request. The platform runs in a separate
 * process. Every statement of the server is counted, including wake-ups. Run with `node
 * benchmarks/sweep.bench.ts`; goals: at least 0.3 of the plain loop's checks per second, at most 0.1
 * statements and one row version per check, and 1.5 times as many checks per second as nvchecker, which
 * checks the same platform if `BENCH_NVCHECKER` is the path of its program. nvchecker reads the newest
 * release of each list, and neither stores nor compares the others.
 *
 * Each round moves the last success of every job back by a day, as if the jobs ran daily. A run updates this
 * time only if it's more than 36 hours old, so a daily job writes it after every second run.
 *
 * Statements per check, latest measurement on 2 cores: 0.10 to 0.13. CPU time of a check, in µs:
 *
 * | what | client or agent and server | PostgreSQL | platform |
 * |--------------|---------------------------:|-----------:|---------:|
 * | fetch loop | 220 | | 60 |
 * | undici loop | 105 | | 60 |
 * | stored sweep | 460 | 220 | 50 |
 */
import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { loadavg } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { sql } from 'kysely';
import { Pool } from 'undici';
import type { Database } from '../src/platform/database/index.ts';
import {
  countSucceeded,
  type SweepWorld,
  serveSweepRole,
  startSweepWorld,
  waitForSucceededRuns,
} from './sweep-world.ts';

const sourceCount = 2_000;
/** Concurrency of the loops, which equals the agent's limit per host. */
const concurrency = 8;
const rounds = Number(process.env['BENCH_ROUNDS'] ?? 3);
const nvchecker = process.env['BENCH_NVCHECKER'];
const pathOf = (index: number) => `/api/v3/repos/acme/tool-${index}/releases?per_page=100`;

async function main() {
  const world = await startSweepWorld(fileURLToPath(import.meta.url));
  const { db, platform, server } = world;
  try {
    await createJobs(world);
    const rows = [];
    for (let round = 1; round <= rounds; round++) {
      const url = `http://127.0.0.1:${platform.port}`;
      const fetched = await measurePlainLoop(askByFetch(url));
      const pool = new Pool(url, { connections: concurrency, pipelining: 1 });
      const pooled = await measurePlainLoop(askByPool(pool));
      await pool.close();
      const checked = nvchecker === undefined ? null : await measureNvchecker(nvchecker, url, world.folder);
      await platform.ask('unchanged');
      const written = await countRowVersions(db);
      await server.ask('statements');
      const sweep = await measureSweep(db);
      const statements = await server.ask('statements');
      // Subtract one row version per job, because this process updated each job to make it due.
      const rowVersions = (await countRowVersions(db)) - written - sourceCount;
      const unchanged = await platform.ask('unchanged');
      if (unchanged !== sourceCount)
        throw new Error(`${unchanged} of ${sourceCount} requests were answered 304`);
      rows.push({
        round,
        'fetch loop, checks/s': Math.round(fetched),
        'undici loop, checks/s': Math.round(pooled),
        'nvchecker, checks/s': checked && Math.round(checked),
        'stored checks/s': Math.round(sweep),
        'ratio to fetch': Number((sweep / fetched).toFixed(2)),
        'ratio to undici': Number((sweep / pooled).toFixed(2)),
        'ratio to nvchecker': checked && Number((sweep / checked).toFixed(2)),
        'statements per check': Number((statements / sourceCount).toFixed(3)),
        'row versions per check': Number((rowVersions / sourceCount).toFixed(2)),
        'load before': Number(loadavg()[0]!.toFixed(1)),
      });
    }
    console.table(rows);
  } finally {
    await world.stop();
  }
}

/** Creates jobs and waits until their first runs have succeeded, so that they have releases and validators. */
async function createJobs({ db, api, platform }: SweepWorld): Promise<void> {
  let next = 0;
  const creator = async () => {
    for (let index = next++; index < sourceCount; index = next++) {
      await api.call('createGatherJob', {
        body: {
          name: `tool ${index}`,
          source_type: 'github_releases',
          artifact_name: `127.0.0.1:${platform.port}/acme/tool-${index}`,
          cron_expression: '17 4 * * *',
        },
      });
    }
  };
  await Promise.all(Array.from({ length: 10 }, creator));
  await waitForSucceededRuns(db, sourceCount);
  await untilFannedOut(db);
  await sql`VACUUM ANALYZE`.execute(db);
}

async function measureSweep(db: Database): Promise<number> {
  const before = await countSucceeded(db);
  const { rows: due } = await sql<{ at: Date }>`
    WITH due AS (
      UPDATE gather_jobs
      SET due_at = pacekeeper_now() + interval '2 seconds', last_success_at = last_success_at - interval '1 day'
      RETURNING due_at
    ), woken AS (SELECT pg_notify('pacekeeper_wake', 'gather_jobs'))
    SELECT max(due_at) AS at FROM due, woken`.execute(db);
  await waitForSucceededRuns(db, before + sourceCount);
  const { rows: ended } = await sql<{ at: Date }>`
    SELECT greatest((SELECT max(coalesce(last_finished_at, finished_at)) FROM runs),
      (SELECT max(last_counted_at) FROM gather_jobs)) AS at`.execute(db);
  return sourceCount / ((ended[0]!.at.getTime() - due[0]!.at.getTime()) / 1_000);
}

/** Returns the number of rows inserted or updated so far. */
async function countRowVersions(db: Database): Promise<number> {
  // Wait, because idle sessions add their counts to the statistics only after 10 s.
  await sleep(11_000);
  const { rows } = await sql<{ count: number }>`
    SELECT sum(n_tup_ins + n_tup_upd)::float8 AS count FROM pg_stat_user_tables`.execute(db);
  return rows[0]!.count;
}

/**
 * Waits until new releases have been processed. This happens after the runs, and isn't part of a sweep
 * without new releases.
 */
async function untilFannedOut(db: Database): Promise<void> {
  for (;;) {
    const { rows } = await sql<{ count: number }>`
      SELECT count(*) FROM release_fan_outs WHERE due_at < 'infinity' OR lease_until IS NOT NULL`.execute(db);
    if (rows[0]!.count === 0) return;
    await sleep(100);
  }
}

type Ask = (
  path: string,
  headers: Record<string, string>,
) => Promise<{ status: number; etag: string; body: string }>;

function askByFetch(url: string): Ask {
  return async (path, headers) => {
    const answer = await fetch(url + path, { headers });
    const body = await answer.text();
    return { status: answer.status, etag: answer.headers.get('etag') ?? '', body };
  };
}

function askByPool(pool: Pool): Ask {
  return async (path, headers) => {
    const { statusCode, headers: given, body } = await pool.request({ path, method: 'GET', headers });
    return { status: statusCode, etag: String(given['etag']), body: await body.text() };
  };
}

/** Measures the reference, which sends requests with validators and keeps the responses in memory. */
async function measurePlainLoop(send: Ask): Promise<number> {
  const results = new Map<number, { isUnchanged: boolean; etag: string }>();
  const ask = async (index: number, etag: string | null) => {
    const headers = {
      accept: 'application/vnd.github+json',
      ...(etag !== null && { 'if-none-match': etag }),
    };
    const answer = await send(pathOf(index), headers);
    if (answer.status === 200) JSON.parse(answer.body);
    results.set(index, { isUnchanged: answer.status === 304, etag: answer.etag });
  };
  const askAll = async () => {
    let next = 0;
    const asker = async () => {
      for (let index = next++; index < sourceCount; index = next++)
        await ask(index, results.get(index)?.etag ?? null);
    };
    await Promise.all(Array.from({ length: concurrency }, asker));
  };
  await askAll();
  const startedAt = performance.now();
  await askAll();
  const seconds = (performance.now() - startedAt) / 1_000;
  if (![...results.values()].every((result) => result.isUnchanged))
    throw new Error('not all were answered 304');
  return sourceCount / seconds;
}

/**
 * Returns the checks per second of nvchecker, including its startup. nvchecker starts with the versions that
 * it stored in the previous round.
 */
async function measureNvchecker(program: string, url: string, folder: string): Promise<number> {
  const file = join(folder, 'nvchecker.toml');
  const entries = Array.from(
    { length: sourceCount },
    (_, index) => `[tool-${index}]
source = "regex"
url = "${url}${pathOf(index)}"
regex = '"tag_name":"v([^"]+)"'
`,
  );
  writeFileSync(
    file,
    `[__config__]
oldver = "${join(folder, 'old.json')}"
newver = "${join(folder, 'new.json')}"
max_concurrency = ${concurrency}
${entries.join('')}`,
  );
  const startedAt = performance.now();
  await promisify(execFile)(program, ['-c', file, '--logger', 'json'], { maxBuffer: 100_000_000 });
  const seconds = (performance.now() - startedAt) / 1_000;
  const { data } = JSON.parse(readFileSync(join(folder, 'new.json'), 'utf8')) as { data: object };
  if (Object.keys(data).length !== sourceCount) throw new Error('nvchecker has not found all versions');
  return sourceCount / seconds;
}

if (!(await serveSweepRole())) await main();
