import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { type ApiClient, createApiClient } from '../src/client/api-client.ts';
import { readConfig } from '../src/platform/config.ts';
import {
  connectDatabase,
  type Database,
  migrateDatabase,
  startEmbeddedPostgres,
} from '../src/platform/database/index.ts';
import { createLog, createSilentLog } from '../src/platform/log.ts';
import { startServer } from '../src/server/start-server.ts';
import {
  generateInstallation,
  type OrganizationSize,
  ownerPassword,
  smallSize,
} from './generate-installation.ts';

export const configCount = Number(process.env['BENCH_CONFIGS'] ?? 100_000);
export const gatherJobCount = 100;

const secretKey = Buffer.alloc(32, 1);

export interface BenchWorld {
  db: Database;
  url: string;
  /** Of each organization that was asked for. */
  organizationIds: number[];
  /** As the owner of the first organization. */
  api: ApiClient;
  /** The server, which has a process of its own. */
  server: ChildProcess;
  restartServer(): Promise<void>;
  stop(): Promise<void>;
}

/** A filled embedded database with a server on it. The file that calls it passes `serveBench` the role `server`. */
export async function startBenchWorld(
  benchFile: string,
  organizations: readonly OrganizationSize[],
): Promise<BenchWorld> {
  const folder = mkdtempSync(join(tmpdir(), 'pacekeeper-bench-'));
  chmodSync(folder, 0o711);
  const log = createSilentLog();
  const postgres = await startEmbeddedPostgres({ dataDir: join(folder, 'data'), log });
  const { host, port, user, database } = postgres.connection;
  const databaseUrl = new URL(`postgres://${user}@localhost:${port ?? 5432}/${database}`);
  databaseUrl.searchParams.set('host', host);
  const db = await connectDatabase({
    connection: postgres.connection,
    log,
    poolSize: 1,
    statementTimeoutMs: 0,
  });
  await migrateDatabase(db);
  const organizationIds = await generateInstallation(db, organizations, secretKey);
  const world: BenchWorld = {
    db,
    organizationIds,
    ...(await startServerProcess()),
    async restartServer() {
      await stopServerProcess();
      Object.assign(world, await startServerProcess());
    },
    async stop() {
      await stopServerProcess();
      await db.destroy();
      await postgres.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
  return world;

  async function startServerProcess(): Promise<Pick<BenchWorld, 'server' | 'url' | 'api'>> {
    const server = fork(benchFile, ['server', databaseUrl.href, join(folder, 'server')]);
    const [url] = (await Promise.race([
      once(server, 'message'),
      once(server, 'exit').then(() => Promise.reject(new Error('the server did not start'))),
    ])) as [string];
    const login = await createApiClient({ baseUrl: url }).call('login', {
      body: { email: 'owner-1@example.org', password: ownerPassword },
    });
    return { server, url, api: createApiClient({ baseUrl: url, token: login.access_token }) };
  }

  async function stopServerProcess(): Promise<void> {
    const { server } = world;
    server.kill('SIGTERM');
    if (server.exitCode === null) await once(server, 'exit');
  }
}

/** The process of the server. It answers each message with its largest memory so far, in MB. */
export async function serveBench(databaseUrl: string, dataDir: string): Promise<void> {
  const config = readConfig({
    PORT: '0',
    DATABASE_URL: databaseUrl,
    PACEKEEPER_SECRET_KEY: secretKey.toString('base64'),
    PACEKEEPER_DATA_DIR: dataDir,
    PACEKEEPER_EMBEDDED_AGENT: 'false',
    PACEKEEPER_RATE_LIMIT_PER_MINUTE: '0',
  });
  const server = await startServer(config, createLog({ level: 'error', format: null }));
  process.on('message', () => process.send?.(Math.round(process.resourceUsage().maxRSS / 1024)));
  process.once('SIGTERM', () => void server.stop().then(() => process.exit(0)));
  process.send?.(server.url);
}

/** Alert configurations over a hundred gather jobs, evaluated until nothing changes any more. */
export async function startEvaluationWorld(benchFile: string): Promise<BenchWorld> {
  const world = await startBenchWorld(benchFile, [
    {
      ...smallSize,
      gatherJobs: gatherJobCount,
      scrapeJobs: configCount,
      versionsEach: 1,
      runsEach: 0,
      rules: 20,
      alertConfigs: configCount,
      resolvedAlertsEach: 0,
      channels: 1,
      auditLog: 0,
    },
  ]);
  await sql`UPDATE alert_configs SET wanted = wanted + 1, due_at = pacekeeper_now()`.execute(world.db);
  await untilNothingIsDue(world.db);
  await sql`VACUUM ANALYZE`.execute(world.db);
  // What the first evaluation of everything took is not to be measured.
  await world.restartServer();
  return world;
}

/** Until every configuration and every fan-out that is due has been handled. */
export async function untilNothingIsDue(db: Database, pauseMs = 200): Promise<void> {
  for (;;) {
    const { rows } = await sql<{ is_due: boolean }>`
      SELECT EXISTS (SELECT FROM alert_configs WHERE due_at <= pacekeeper_now())
        OR EXISTS (SELECT FROM release_fan_outs WHERE due_at <= pacekeeper_now()) AS is_due`.execute(db);
    if (!rows[0]!.is_due) return;
    await sleep(pauseMs);
  }
}

export function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!;
}
