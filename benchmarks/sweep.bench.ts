/**
 * A sweep of 2,000 sources that have nothing new: from the moment at which all are due until every run is stored, by a
 * whole server with its embedded agent, beside a plain loop that sends the same conditional requests and keeps the
 * results in memory: once with `fetch`, as such a loop is written, and once with the pool of undici, which is the least
 * that a request can cost. The platform that is asked has a process of its own. Every statement of the server is counted,
 * wake-ups too. Run with `node benchmarks/sweep.bench.ts`; goals: at least 0.3 of the plain loop's checks a second, at
 * most 0.1 statements and one row version for a check.
 *
 * Every job was last read a day ago, as its schedule has it: jobs note each second of such successes.
 *
 * Statements for a check, last seen on 2 cores that others used as well: 0.11 to 0.17. Processor time of a check, in µs:
 *
 * | what         | client or agent and server | PostgreSQL | platform |
 * |--------------|---------------------------:|-----------:|---------:|
 * | fetch loop   |                        220 |            |       60 |
 * | undici loop  |                        105 |            |       60 |
 * | stored sweep |                        500 |        400 |       50 |
 */
import { type ChildProcess, fork } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { sql } from 'kysely';
import pg from 'pg';
import { Pool } from 'undici';
import { createApiClient } from '../src/client/api-client.ts';
import { createOrganization } from '../src/modules/accounts/index.ts';
import { readConfig } from '../src/platform/config.ts';
import {
  connectDatabase,
  type Database,
  type PostgresAddress,
  startEmbeddedPostgres,
} from '../src/platform/database/index.ts';
import { createLog, createSilentLog } from '../src/platform/log.ts';
import { startServer } from '../src/server/start-server.ts';
import { databaseUrl } from '../tests/helpers/database-url.ts';

const sourceCount = 2_000;
const releasesEach = 30;
/** As many as the agent allows itself at one host. */
const concurrency = 8;
const rounds = Number(process.env['BENCH_ROUNDS'] ?? 3);
const pathOf = (index: number) => `/api/v3/repos/acme/tool-${index}/releases?per_page=100`;

async function main() {
  const folder = mkdtempSync(join(tmpdir(), 'pacekeeper-bench-'));
  chmodSync(folder, 0o711);
  const log = createSilentLog();
  const postgres = await startEmbeddedPostgres({ dataDir: join(folder, 'data'), log });
  const children: ChildProcess[] = [];
  const start = async (role: string, execArgv: string[] = []) => {
    const child = fork(fileURLToPath(import.meta.url), [role, JSON.stringify(postgres.connection), folder], {
      execArgv,
    });
    children.push(child);
    const failed = once(child, 'exit').then(() => Promise.reject(new Error(`the process ${role} ended`)));
    failed.catch(() => undefined);
    const ask = async (question: string): Promise<number> => {
      child.send(question);
      const [answer] = (await Promise.race([once(child, 'message'), failed])) as [number];
      return answer;
    };
    const [port] = (await Promise.race([once(child, 'message'), failed])) as [number];
    return { port, ask };
  };
  try {
    const profile = process.env['BENCH_PROFILE_DIR'];
    const platform = await start('platform');
    const server = await start('server', profile ? ['--cpu-prof', '--cpu-prof-dir', profile] : []);
    const db = await connectDatabase({ connection: postgres.connection, log, poolSize: 2 });
    await createJobs(db, `http://127.0.0.1:${server.port}`, `127.0.0.1:${platform.port}`);
    const rows = [];
    for (let round = 1; round <= rounds; round++) {
      const url = `http://127.0.0.1:${platform.port}`;
      const fetched = await measurePlainLoop(askByFetch(url));
      const pool = new Pool(url, { connections: concurrency, pipelining: 1 });
      const pooled = await measurePlainLoop(askByPool(pool));
      await pool.close();
      await platform.ask('unchanged');
      const written = await countRowVersions(db);
      await server.ask('statements');
      const sweep = await measureSweep(db);
      const statements = await server.ask('statements');
      // Each was made due by this process.
      const rowVersions = (await countRowVersions(db)) - written - sourceCount;
      const unchanged = await platform.ask('unchanged');
      if (unchanged !== sourceCount)
        throw new Error(`${unchanged} of ${sourceCount} requests were answered 304`);
      rows.push({
        round,
        'fetch loop, checks/s': Math.round(fetched),
        'undici loop, checks/s': Math.round(pooled),
        'stored checks/s': Math.round(sweep),
        'ratio to fetch': Number((sweep / fetched).toFixed(2)),
        'ratio to undici': Number((sweep / pooled).toFixed(2)),
        'statements per check': Number((statements / sourceCount).toFixed(3)),
        'row versions per check': Number((rowVersions / sourceCount).toFixed(2)),
        'load before': Number(loadavg()[0]!.toFixed(1)),
      });
    }
    console.table(rows);
    await db.destroy();
  } finally {
    for (const child of children) {
      child.kill('SIGTERM');
      if (child.exitCode === null) await once(child, 'exit');
    }
    await postgres.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Jobs with releases and validators: each has been read once. */
async function createJobs(db: Database, url: string, platformHost: string): Promise<void> {
  const login = { email: 'owner@example.org', password: 'a password for benchmarks' };
  await createOrganization(db, { name: 'Bench', owner: login });
  const { access_token } = await createApiClient({ baseUrl: url }).call('login', { body: login });
  const owner = createApiClient({ baseUrl: url, token: access_token });
  let next = 0;
  const creator = async () => {
    for (let index = next++; index < sourceCount; index = next++) {
      await owner.call('createGatherJob', {
        body: {
          name: `tool ${index}`,
          source_type: 'github_releases',
          artifact_name: `${platformHost}/acme/tool-${index}`,
          cron_expression: '17 4 * * *',
        },
      });
    }
  };
  await Promise.all(Array.from({ length: 10 }, creator));
  await untilSucceeded(db, sourceCount);
  await untilFannedOut(db);
  await sql`VACUUM ANALYZE`.execute(db);
}

async function measureSweep(db: Database): Promise<number> {
  const before = await countSucceeded(db);
  const { rows: began } = await sql<{ at: Date }>`
    WITH due AS (
      UPDATE gather_jobs SET due_at = pacekeeper_now(), last_success_at = last_success_at - interval '1 day' RETURNING 1
    ), woken AS (SELECT pg_notify('pacekeeper_wake', 'gather_jobs'))
    SELECT pacekeeper_now() AS at FROM woken, (SELECT count(*) FROM due) AS counted`.execute(db);
  await untilSucceeded(db, before + sourceCount);
  const { rows: ended } = await sql<{ at: Date }>`SELECT max(finished_at) AS at FROM runs`.execute(db);
  return sourceCount / ((ended[0]!.at.getTime() - began[0]!.at.getTime()) / 1_000);
}

/** Rows that were inserted or updated so far. */
async function countRowVersions(db: Database): Promise<number> {
  // Sessions that are idle report what they did after 10 s.
  await sleep(11_000);
  const { rows } = await sql<{ count: number }>`
    SELECT sum(n_tup_ins + n_tup_upd)::float8 AS count FROM pg_stat_user_tables`.execute(db);
  return rows[0]!.count;
}

async function countSucceeded(db: Database): Promise<number> {
  const { rows } = await sql<{ failed: number; succeeded: number }>`
    SELECT count(*) FILTER (WHERE status = 'failed') AS failed, count(*) FILTER (WHERE status = 'succeeded') AS succeeded
    FROM runs`.execute(db);
  if (rows[0]!.failed > 0) throw new Error(`${rows[0]!.failed} runs failed`);
  return rows[0]!.succeeded;
}

async function untilSucceeded(db: Database, count: number): Promise<void> {
  const deadline = performance.now() + 300_000;
  for (let seen = await countSucceeded(db); seen < count; seen = await countSucceeded(db)) {
    if (performance.now() > deadline) throw new Error(`${seen} of ${count} runs succeeded`);
    await sleep(100);
  }
}

/** What is new is looked at after the runs; that is no part of a sweep that finds nothing. */
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

/** The reference: knows the validators, asks, and remembers what was answered. */
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

/** Lists of releases with `ETag`, made once. */
function servePlatform() {
  const tags = new Map<string, string>();
  let unchanged = 0;
  const server = createServer((request, response) => {
    const url = request.url ?? '';
    let etag = tags.get(url);
    if (etag === undefined) tags.set(url, (etag = `W/"${randomBytes(16).toString('hex')}"`));
    if (request.headers['if-none-match'] === etag) {
      unchanged += 1;
      response.writeHead(304, { etag }).end();
      return;
    }
    const releases = Array.from({ length: releasesEach }, (_, index) => ({
      tag_name: `v1.${index}.0`,
      name: `1.${index}.0`,
      draft: false,
      prerelease: false,
      html_url: `https://example.org/v1.${index}.0`,
      published_at: new Date(Date.UTC(2026, 0, 1 + index)).toISOString(),
      body: 'Notes.',
      assets: [],
    }));
    response.writeHead(200, { etag, 'content-type': 'application/json' });
    response.end(JSON.stringify(releases.toReversed()));
  });
  server.keepAliveTimeout = 60_000;
  process.on('message', () => {
    process.send?.(unchanged);
    unchanged = 0;
  });
  server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port));
}

async function serveAll(connection: PostgresAddress) {
  let statements = 0;
  // Of every connection, the one for wake-ups included.
  const { prototype } = pg.Client;
  const query: unknown = Reflect.get(prototype, 'query');
  if (typeof query !== 'function') throw new Error('the driver has no query');
  Reflect.set(prototype, 'query', function count(this: unknown, ...values: unknown[]): unknown {
    statements += 1;
    return Reflect.apply(query, this, values);
  });
  const config = readConfig({
    PORT: '0',
    DATABASE_URL: databaseUrl(connection),
    PACEKEEPER_SECRET_KEY: randomBytes(32).toString('base64'),
    PACEKEEPER_DATA_DIR: join(process.argv[4] ?? '', 'server'),
    PACEKEEPER_EGRESS_ALLOW: '127.0.0.1/32',
    PACEKEEPER_INSECURE_HOSTS: '127.0.0.1',
    PACEKEEPER_RATE_LIMIT_PER_MINUTE: '0',
  });
  const server = await startServer(config, createLog({ level: 'error', format: null }));
  process.on('message', () => {
    process.send?.(statements);
    statements = 0;
  });
  process.on('SIGTERM', () => {
    void server.stop().then(() => process.exit(0));
  });
  process.send?.(Number(new URL(server.url).port));
}

switch (process.argv[2]) {
  case 'platform':
    servePlatform();
    break;
  case 'server':
    await serveAll(JSON.parse(process.argv[3] ?? '{}'));
    break;
  default:
    await main();
}
