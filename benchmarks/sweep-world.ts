import { type ChildProcess, fork } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import pg from 'pg';
import { type ApiClient, createApiClient } from '../src/client/api-client.ts';
import { createOrganization } from '../src/modules/accounts/index.ts';
import { readConfig } from '../src/platform/config.ts';
import {
  connectDatabase,
  type Database,
  type PostgresAddress,
  startEmbeddedPostgres,
} from '../src/platform/database/index.ts';
import { limitMemory, limitMemoryOnceStarted } from '../src/platform/limit-memory.ts';
import { createLog, createSilentLog } from '../src/platform/log.ts';
import { startServer } from '../src/server/start-server.ts';
import { databaseUrl } from '../tests/helpers/database-url.ts';

const asStarted = new URL('./as-started.ts', import.meta.url).href;

/** Number of releases of each source. */
export const releasesPerSource = 30;

/** A child process that responds to messages with numbers. */
export interface CountingProcess {
  port: number;
  ask(question: string): Promise<number>;
}

export interface SweepWorld {
  folder: string;
  db: Database;
  /** Address of the database, which the server uses too. */
  connection: PostgresAddress;
  organizationId: number;
  /**
   * The release platform. It responds to every message with the number of its 304 responses since the
   * previous message.
   */
  platform: CountingProcess;
  /**
   * A complete server with its embedded agent. It responds to every message with the number of SQL
   * statements run since the previous message.
   */
  server: CountingProcess;
  url: string;
  /** API client of the organization's owner. */
  api: ApiClient;
  token: string;
  stop(): Promise<void>;
}

/**
 * Starts a server and a platform in separate processes, which run the calling file. The file must call
 * `serveSweepRole`.
 */
export async function startSweepWorld(benchFile: string): Promise<SweepWorld> {
  const folder = mkdtempSync(join(tmpdir(), 'pacekeeper-bench-'));
  chmodSync(folder, 0o711);
  const log = createSilentLog();
  const postgres = await startEmbeddedPostgres({ dataDir: join(folder, 'data'), log });
  const children: ChildProcess[] = [];
  const stopAll = async () => {
    for (const child of children) {
      child.kill('SIGTERM');
      if (child.exitCode === null) await once(child, 'exit');
    }
    await postgres.stop();
    rmSync(folder, { recursive: true, force: true });
  };
  const start = async (role: string, execArgv: string[] = []): Promise<CountingProcess> => {
    const child = fork(benchFile, [role, JSON.stringify(postgres.connection), folder], { execArgv });
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
    const server = await start('server', [
      '--import',
      asStarted,
      ...(profile ? ['--cpu-prof', '--cpu-prof-dir', profile] : []),
    ]);
    const db = await connectDatabase({ connection: postgres.connection, log, poolSize: 2 });
    const login = { email: 'owner@example.org', password: 'a password for benchmarks' };
    const { organizationId } = await createOrganization(db, { name: 'Bench', owner: login });
    const url = `http://127.0.0.1:${server.port}`;
    const { access_token: token } = await createApiClient({ baseUrl: url }).call('login', { body: login });
    return {
      folder,
      db,
      connection: postgres.connection,
      organizationId,
      platform,
      server,
      url,
      api: createApiClient({ baseUrl: url, token }),
      token,
      async stop() {
        await db.destroy();
        await stopAll();
      },
    };
  } catch (error) {
    await stopAll();
    throw error;
  }
}

/**
 * Runs the server or the platform if this process was started for one of them.
 * @returns `true` if it was.
 */
export async function serveSweepRole(): Promise<boolean> {
  const [role, connection = '{}', folder = ''] = process.argv.slice(2);
  if (role === 'platform') servePlatform();
  else if (role === 'server') await serveAll(JSON.parse(connection) as PostgresAddress, folder);
  else return false;
  return true;
}

/** Waits until `count` runs have succeeded. Throws if a run has failed. */
export async function waitForSucceededRuns(db: Database, count: number): Promise<void> {
  const deadline = performance.now() + 300_000;
  for (let seen = await countSucceeded(db); seen < count; seen = await countSucceeded(db)) {
    if (performance.now() > deadline) throw new Error(`${seen} of ${count} runs succeeded`);
    await sleep(100);
  }
}

/** Returns the number of succeeded runs, including those that are only counted in the rows of their jobs. */
export async function countSucceeded(db: Database): Promise<number> {
  const { rows } = await sql<{ failed: number; succeeded: number }>`
    SELECT count(*) FILTER (WHERE status = 'failed') AS failed,
      (coalesce(sum(checks) FILTER (WHERE status = 'succeeded'), 0)
        + (SELECT coalesce(sum(counted_checks), 0) FROM gather_jobs))::float8 AS succeeded
    FROM runs`.execute(db);
  if (rows[0]!.failed > 0) throw new Error(`${rows[0]!.failed} runs failed`);
  return rows[0]!.succeeded;
}

/** Serves lists of releases. Each URL has a fixed `ETag`. */
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
    const releases = Array.from({ length: releasesPerSource }, (_, index) => ({
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

async function serveAll(connection: PostgresAddress, folder: string) {
  let statements = 0;
  // Count the statements of every connection, including the one for wake-ups.
  const { prototype } = pg.Client;
  const query: unknown = Reflect.get(prototype, 'query');
  if (typeof query !== 'function') throw new Error('the driver has no query');
  Reflect.set(prototype, 'query', function count(this: unknown, ...values: unknown[]): unknown {
    statements += 1;
    return Reflect.apply(query, this, values);
  });
  // Limit memory like `pacekeeper serve`.
  limitMemory();
  const config = readConfig({
    PORT: '0',
    DATABASE_URL: databaseUrl(connection),
    PACEKEEPER_SECRET_KEY: randomBytes(32).toString('base64'),
    PACEKEEPER_DATA_DIR: join(folder, 'server'),
    PACEKEEPER_REFERENCE_DATA: 'off',
    PACEKEEPER_EGRESS_ALLOW: '127.0.0.1/32',
    PACEKEEPER_INSECURE_HOSTS: '127.0.0.1',
    PACEKEEPER_RATE_LIMIT_PER_MINUTE: '0',
  });
  const server = await startServer(config, createLog({ level: 'error', format: null }));
  limitMemoryOnceStarted();
  process.on('message', () => {
    process.send?.(statements);
    statements = 0;
  });
  process.on('SIGTERM', () => {
    void server.stop().then(() => process.exit(0));
  });
  process.send?.(Number(new URL(server.url).port));
}
