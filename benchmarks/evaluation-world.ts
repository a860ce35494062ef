import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { type ApiClient, createApiClient } from '../src/client/api-client.ts';
import { readConfig } from '../src/platform/config.ts';
import {
  connectDatabase,
  type Database,
  migrateDatabase,
  type PostgresAddress,
  startEmbeddedPostgres,
} from '../src/platform/database/index.ts';
import { limitMemory, limitMemoryOnceStarted } from '../src/platform/limit-memory.ts';
import { createLog, createSilentLog } from '../src/platform/log.ts';
import { type StartOptions, startServer } from '../src/server/start-server.ts';
import { databaseUrl } from '../tests/helpers/database-url.ts';
import {
  generateInstallation,
  type OrganizationSize,
  ownerPassword,
  smallSize,
} from './generate-installation.ts';
import { type ServerUsage, startUsageCounter } from './server-usage.ts';

export const configCount = Number(process.env['BENCH_CONFIGS'] ?? 100_000);
export const gatherJobCount = 100;

const asStarted = new URL('./as-started.ts', import.meta.url).href;

/** Secret key that all server processes of a benchmark share. A server rejects a key whose bytes are all equal. */
export const secretKey = Buffer.from('a secret key for benchmarks only');

export interface BenchWorld {
  db: Database;
  connection: PostgresAddress;
  url: string;
  /** IDs of the requested organizations, in order. */
  organizationIds: number[];
  /** API client of the owner of the first organization. */
  api: ApiClient;
  /** Access token of the same owner. */
  token: string;
  /** The server, which runs in a separate process. */
  server: ChildProcess;
  /** All servers, if several run. `server`, `url`, and `api` belong to the first. */
  servers: ChildProcess[];
  restartServer(): Promise<void>;
  /** Stops all servers and starts `count` servers on the same database. */
  restartServers(count: number): Promise<void>;
  stop(): Promise<void>;
}

/**
 * Starts a server on an embedded database filled with generated data. The calling file must run `serveBench`
 * when its first argument is `server`.
 */
export async function startBenchWorld(
  benchFile: string,
  organizations: readonly OrganizationSize[],
): Promise<BenchWorld> {
  const folder = mkdtempSync(join(tmpdir(), 'pacekeeper-bench-'));
  chmodSync(folder, 0o711);
  const log = createSilentLog();
  const postgres = await startEmbeddedPostgres({ dataDir: join(folder, 'data'), log });
  const db = await connectDatabase({
    connection: postgres.connection,
    log,
    poolSize: 1,
    statementTimeoutMs: 0,
  });
  await migrateDatabase(db);
  const organizationIds = await generateInstallation(db, organizations, secretKey);
  const first = await startServerProcess(0);
  const world: BenchWorld = {
    db,
    connection: postgres.connection,
    organizationIds,
    ...first,
    servers: [first.server],
    restartServer: () => world.restartServers(1),
    async restartServers(count) {
      await stopServerProcesses();
      for (let number = 0; number < count; number++) {
        const started = await startServerProcess(number);
        world.servers.push(started.server);
        if (number === 0) Object.assign(world, started);
      }
    },
    async stop() {
      await stopServerProcesses();
      await db.destroy();
      await postgres.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
  return world;

  async function startServerProcess(
    number: number,
  ): Promise<Pick<BenchWorld, 'server' | 'url' | 'api' | 'token'>> {
    const server = fork(
      benchFile,
      ['server', databaseUrl(postgres.connection), join(folder, `server-${number}`)],
      { execArgv: [...process.execArgv, '--import', asStarted] },
    );
    const [url] = (await Promise.race([
      once(server, 'message'),
      once(server, 'exit').then(() => Promise.reject(new Error('the server did not start'))),
    ])) as [string];
    const login = await createApiClient({ baseUrl: url }).call('login', {
      body: { email: 'owner-1@example.org', password: ownerPassword },
    });
    const token = login.access_token;
    return { server, url, token, api: createApiClient({ baseUrl: url, token }) };
  }

  async function stopServerProcesses(): Promise<void> {
    for (const server of world.servers.splice(0)) {
      server.kill('SIGTERM');
      if (server.exitCode === null) await once(server, 'exit');
    }
  }
}

/**
 * Runs the server process. It responds to the message `usage` with its resource usage since the previous
 * `usage`. It responds to `stall` with the longest event loop stall since the previous `stall`, in ms, and to
 * any other message with its peak memory so far, in MB.
 */
export async function serveBench(
  databaseUrl: string,
  dataDir: string,
  options: Pick<StartOptions, 'poolSize'> = {},
): Promise<void> {
  limitMemory();
  const takeUsage = startUsageCounter();
  const delays = monitorEventLoopDelay({ resolution: 1 });
  delays.enable();
  const takeStall = () => {
    const stallMs = delays.max / 1e6;
    delays.reset();
    return stallMs;
  };
  const config = readConfig({
    PORT: '0',
    DATABASE_URL: databaseUrl,
    PACEKEEPER_SECRET_KEY: secretKey.toString('base64'),
    PACEKEEPER_DATA_DIR: dataDir,
    PACEKEEPER_REFERENCE_DATA: 'off',
    PACEKEEPER_EGRESS_ALLOW: '127.0.0.1/32',
    PACEKEEPER_ALLOW_HTTP_WEBHOOKS: 'true',
    PACEKEEPER_EMBEDDED_AGENT: 'false',
    PACEKEEPER_RATE_LIMIT_PER_MINUTE: '0',
  });
  const server = await startServer(config, createLog({ level: 'error', format: null }), options);
  limitMemoryOnceStarted();
  process.on('message', (question) => {
    if (question === 'usage') process.send?.(takeUsage());
    else if (question === 'stall') process.send?.(takeStall());
    else process.send?.(Math.round(process.resourceUsage().maxRSS / 1024));
  });
  process.once('SIGTERM', () => void server.stop().then(() => process.exit(0)));
  process.send?.(server.url);
}

/** Returns the longest event loop stall of a server since the previous call, in ms. */
export async function longestStall({ server }: BenchWorld): Promise<number> {
  server.send('stall');
  const [stallMs] = (await once(server, 'message')) as [number];
  return stallMs;
}

/** Returns the resource usage of a server since the previous call. */
export async function readServerUsage(server: ChildProcess): Promise<ServerUsage> {
  server.send('usage');
  const [usage] = (await once(server, 'message')) as [ServerUsage];
  return usage;
}

/**
 * Starts a server with alert configurations that use a hundred gather jobs, and evaluates them until their results no
 * longer change.
 */
export async function startEvaluationWorld(benchFile: string, count = configCount): Promise<BenchWorld> {
  const world = await startBenchWorld(benchFile, [
    {
      ...smallSize,
      gatherJobs: gatherJobCount,
      scrapeJobs: count,
      versionsEach: 1,
      runsEach: 0,
      rules: 20,
      alertConfigs: count,
      resolvedAlertsEach: 0,
      channels: 1,
      auditLog: 0,
    },
  ]);
  await sql`UPDATE alert_configs SET requested_seq = requested_seq + 1, due_at = pacekeeper_now()`.execute(
    world.db,
  );
  await waitUntilNothingIsDue(world.db);
  await sql`VACUUM ANALYZE`.execute(world.db);
  // Restart the server, because the cost of the first evaluation must not be part of the measurement.
  await world.restartServer();
  return world;
}

/**
 * Waits until every due configuration and fan-out has been processed. The query uses the index, so its cost
 * doesn't depend on the number of rows.
 */
export async function waitUntilNothingIsDue(db: Database, pauseMs = 200): Promise<void> {
  for (;;) {
    const { rows } = await sql<{ is_due: boolean }>`
      SELECT EXISTS (SELECT FROM alert_configs WHERE due_at <= pacekeeper_now() AND due_at < 'infinity')
        OR EXISTS (SELECT FROM release_fan_outs WHERE due_at <= pacekeeper_now() AND due_at < 'infinity') AS is_due`.execute(
      db,
    );
    if (!rows[0]!.is_due) return;
    await sleep(pauseMs);
  }
}

export function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!;
}
