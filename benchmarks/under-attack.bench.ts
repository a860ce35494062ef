/**
 * Measures how attacks on the server affect an organization that isn't involved: the response times of
 * `/health/live`, and the time from `set-version` to the webhook. Both are measured on an idle server and
 * under all attacks at the same time. The attacks: a member who sends 50,000 severities, 330,000 empty label
 * matchers, and logins with 110,000 unknown fields; 60 connections that send 8 MiB to the agent interface
 * without a key; ten `http_json` jobs on documents of 6.4 MB of small objects, which the embedded agent runs
 * continuously. Run with `node benchmarks/under-attack.bench.ts`; goals: p99 of `/health/live` at most 10
 * times idle, p95 of the path to the webhook at most 3 times idle, no failed request.
 *
 * The attackers and the server of their documents run only on CPU time that would be idle otherwise (`chrt
 * --idle`), because in production they run on other machines.
 */
import { type ChildProcess, execFileSync, fork } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { Pool } from 'undici';
import { type ApiClient, createApiClient } from '../src/client/api-client.ts';
import { createOrganization } from '../src/modules/accounts/index.ts';
import { readConfig } from '../src/platform/config.ts';
import {
  connectDatabase,
  type Database,
  type PostgresAddress,
  startEmbeddedPostgres,
} from '../src/platform/database/index.ts';
import { createSilentLog } from '../src/platform/log.ts';
import { startServer } from '../src/server/start-server.ts';
import { databaseUrl } from '../tests/helpers/database-url.ts';

const setsEach = Number(process.env['BENCH_SETS'] ?? 200);
const healthEveryMs = 20;

/** Data that the attackers need. */
interface AttackTargets {
  serverUrl: string;
  memberKey: string;
}

async function main() {
  const folder = mkdtempSync(join(tmpdir(), 'pacekeeper-bench-'));
  chmodSync(folder, 0o711);
  const log = createSilentLog();
  const postgres = await startEmbeddedPostgres({ dataDir: join(folder, 'data'), log });
  const children: ChildProcess[] = [];
  const start = async (role: string, data: unknown): Promise<{ child: ChildProcess; port: number }> => {
    const child = fork(fileURLToPath(import.meta.url), [role, JSON.stringify(data), folder]);
    children.push(child);
    const [{ port }] = (await once(child, 'message')) as [{ port: number }];
    return { child, port };
  };
  try {
    const server = await start('server', postgres.connection);
    const serverUrl = `http://127.0.0.1:${server.port}`;
    const documents = await start('documents', null);
    const db = await connectDatabase({ connection: postgres.connection, log, poolSize: 2 });
    const attacker = await createMember(db, serverUrl, 'Attacker');
    const bystander = await createMember(db, serverUrl, 'Bystander');
    const way = await prepareWay(bystander.api, `http://127.0.0.1:${documents.port}`);
    await measure(serverUrl, way, server.child.pid!);
    const idle = await measure(serverUrl, way, server.child.pid!);
    await createHostileJobs(attacker.api, `http://127.0.0.1:${documents.port}`);
    const battlefield: AttackTargets = { serverUrl, memberKey: attacker.key };
    const attack = await start('attack', battlefield);
    await sleep(3_000);
    const attacked = await measure(serverUrl, way, server.child.pid!);
    const counts = once(attack.child, 'message');
    attack.child.send('stop');
    const [sent] = (await counts) as [Record<string, number>];
    console.table([
      { server: 'idle', ...idle },
      { server: 'attacked', ...attacked },
      {
        server: 'ratio',
        'live p50, ms': ratio(attacked['live p50, ms'], idle['live p50, ms']),
        'live p99, ms': ratio(attacked['live p99, ms'], idle['live p99, ms']),
        'way p50, ms': ratio(attacked['way p50, ms'], idle['way p50, ms']),
        'way p95, ms': ratio(attacked['way p95, ms'], idle['way p95, ms']),
      },
    ]);
    console.log('goals: live p99 ≤ 10, way p95 ≤ 3, 0 failed');
    console.table([sent]);
    await way.close();
    await db.destroy();
  } finally {
    for (const child of children) {
      child.kill('SIGTERM');
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
    }
    await postgres.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function createMember(db: Database, serverUrl: string, name: string) {
  const login = { email: `${name.toLowerCase()}@example.org`, password: 'a password for benchmarks' };
  await createOrganization(db, { name, owner: login });
  const { access_token } = await createApiClient({ baseUrl: serverUrl }).call('login', { body: login });
  const owner = createApiClient({ baseUrl: serverUrl, token: access_token });
  const { key } = await owner.call('createAPIKey', { body: { name: 'bench', role: 'member' } });
  return { api: createApiClient({ baseUrl: serverUrl, apiKey: key }), key };
}

/**
 * Creates a monitor whose version can alternate between behind and up to date, and a receiver for its
 * webhooks.
 */
async function prepareWay(api: ApiClient, documentsUrl: string) {
  let arrived = () => {};
  const inbox = createServer((request, response) => {
    request.resume();
    request.on('end', () => {
      response.end('ok');
      arrived();
    });
  });
  inbox.keepAliveTimeout = 60_000;
  await new Promise<void>((resolve) => inbox.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(inbox.address() as AddressInfo).port}/`;
  const channel = await api.call('createNotificationChannel', { body: { name: 'inbox', url } });
  await api.call('createNotificationRule', { body: { name: 'all', channel_ids: [channel.id] } });
  const gatherJob = await api.call('createGatherJob', {
    body: {
      name: 'web',
      source_type: 'http_json',
      artifact_name: `${documentsUrl}/small.json`,
      source_options: { version_path: '.versions' },
    },
  });
  for (let tries = 0; (await api.call('getGatherJob', { path: { id: gatherJob.id } })).release_count < 3; ) {
    if (tries++ > 300) throw new Error('the small document was not gathered');
    await sleep(100);
  }
  const scrapeJob = await api.call('createScrapeJob', { body: { name: 'web', parser_type: 'manual' } });
  const rule = await api.call('createRule', {
    body: { name: 'Majors', rule_type: 'majors_behind', thresholds: { high: 1 } },
  });
  const setVersion = (version: string) =>
    api.call('setScrapeJobVersion', { path: { id: scrapeJob.id }, body: { version } });
  await setVersion('3.0.0');
  await api.call('createAlertConfig', {
    body: { name: 'web', scrape_job_id: scrapeJob.id, gather_job_id: gatherJob.id, rule_id: rule.id },
  });
  await sleep(2_000);
  let count = 0;
  return {
    /** Measures the time from the call to `set-version` until the webhook arrives. */
    async go(): Promise<number> {
      const { promise, resolve } = Promise.withResolvers<void>();
      arrived = resolve;
      const startedAt = performance.now();
      await setVersion(count++ % 2 === 0 ? '1.0.0' : '3.0.0');
      const tooLate = new AbortController();
      await Promise.race([
        promise,
        sleep(60_000, undefined, { signal: tooLate.signal }).then(() => {
          throw new Error('no webhook came within a minute');
        }),
      ]);
      tooLate.abort();
      return performance.now() - startedAt;
    },
    async close() {
      inbox.closeAllConnections();
      inbox.close();
    },
  };
}

async function measure(serverUrl: string, way: { go(): Promise<number> }, serverPid: number) {
  const live: number[] = [];
  const failed: string[] = [];
  let peakMb = 0;
  const stopping = new AbortController();
  const pool = new Pool(serverUrl, { connections: 1 });
  const watch = (async () => {
    while (!stopping.signal.aborted) {
      const startedAt = performance.now();
      const answer = await pool.request({ path: '/health/live', method: 'GET' });
      await answer.body.dump();
      live.push(performance.now() - startedAt);
      if (answer.statusCode !== 200) failed.push(`health ${answer.statusCode}`);
      peakMb = Math.max(peakMb, residentMb(serverPid));
      await sleep(healthEveryMs);
    }
  })();
  const waysMs: number[] = [];
  for (let count = 0; count < setsEach; count++) {
    await way.go().then(
      (ms) => waysMs.push(ms),
      (error: unknown) => failed.push(String(error)),
    );
    await sleep(40);
  }
  stopping.abort();
  await watch;
  await pool.close();
  for (const failure of new Set(failed)) console.log(`failed: ${failure}`);
  return {
    'live p50, ms': quantile(live, 0.5),
    'live p99, ms': quantile(live, 0.99),
    'live max, ms': quantile(live, 1),
    'way p50, ms': quantile(waysMs, 0.5),
    'way p95, ms': quantile(waysMs, 0.95),
    'way max, ms': quantile(waysMs, 1),
    failed: failed.length,
    'server peak, MB': peakMb,
  };
}

async function createHostileJobs(api: ApiClient, documentsUrl: string): Promise<void> {
  for (let index = 0; index < 10; index++) {
    await api.call('createGatherJob', {
      body: {
        name: `hostile ${index}`,
        source_type: 'http_json',
        artifact_name: `${documentsUrl}/hostile-${index}.json`,
        source_options: { version_path: '.[*].version' },
        cron_expression: '* * * * *',
      },
    });
  }
}

/**
 * Runs all attacks at the same time until it receives a message, then sends the number of requests to the
 * parent process.
 */
async function attack({ serverUrl, memberKey }: AttackTargets): Promise<void> {
  yieldProcessor();
  const sent: Record<string, number> = {};
  let isOver = false;
  const attackWith = async (what: string, path: string, body: string, key?: string) => {
    const pool = new Pool(serverUrl, { connections: 1 });
    const headers = { 'content-type': 'application/json', ...(key && { 'x-api-key': key }) };
    while (!isOver) {
      const status = await pool
        .request({ path, method: 'POST', headers, body })
        .then(async (answer) => {
          await answer.body.dump();
          return String(answer.statusCode);
        })
        .catch(() => 'cut');
      sent[`${what} ${status}`] = (sent[`${what} ${status}`] ?? 0) + 1;
      await sleep(10);
    }
    await pool.destroy();
  };
  const rules = '/api/v1/client/notification-rules';
  const severities = JSON.stringify({
    name: 'x',
    severities: Array.from({ length: 50_000 }, (_, n) => `s${n}`),
  });
  const matchers = JSON.stringify({ name: 'x', label_matchers: Array.from({ length: 330_000 }, () => ({})) });
  const fields = Object.fromEntries(Array.from({ length: 110_000 }, (_, n) => [`f${n}`, 0]));
  const loops = [
    ...[1, 2, 3, 4].map(() => attackWith('severities', rules, severities, memberKey)),
    ...[1, 2, 3, 4].map(() => attackWith('matchers', rules, matchers, memberKey)),
    ...Array.from({ length: 18 }, () =>
      attackWith('login', '/api/v1/auth/login', JSON.stringify(fields).slice(0, 1_000_000)),
    ),
    ...Array.from({ length: 60 }, async () => {
      while (!isOver) {
        await holdConnection(serverUrl, () => isOver);
        sent['connections'] = (sent['connections'] ?? 0) + 1;
      }
    }),
  ];
  process.once('message', () => {
    isOver = true;
    void Promise.all(loops).then(() => process.send?.(sent, () => process.exit(0)));
  });
  process.send?.({ port: 0 });
}

/**
 * Starts sending 8 MiB to the agent interface without a key, but never sends the last byte. Keeps the
 * connection open for 5 seconds or until the server closes it.
 */
async function holdConnection(serverUrl: string, isOver: () => boolean): Promise<void> {
  const { hostname, port } = new URL(serverUrl);
  const socket = connect(Number(port), hostname);
  const size = 8 * 1024 * 1024;
  socket.on('error', () => undefined);
  socket.write(
    `POST /api/v1/agent/tasks/1/results HTTP/1.1\r\nHost: ${hostname}\r\nContent-Type: application/json\r\nContent-Length: ${size}\r\n\r\n`,
  );
  socket.resume();
  socket.write(Buffer.alloc(size - 1, ' '));
  const endsAt = performance.now() + 5_000;
  while (!isOver() && !socket.destroyed && performance.now() < endsAt) await sleep(50);
  socket.destroy();
}

/** Serves a small document with three versions, and 6.4 MB of small objects under every other URL. */
async function serveDocuments(): Promise<void> {
  yieldProcessor();
  const small = JSON.stringify({ versions: ['1.0.0', '2.0.0', '3.0.0'] });
  const hostile = `[${'{},'.repeat(2_130_000)}{"version":"1.0.0"}]`;
  const server = createServer((request, response) => {
    response.setHeader('content-type', 'application/json');
    response.end(request.url === '/small.json' ? small : hostile);
  });
  server.listen(0, '127.0.0.1', () => process.send?.({ port: (server.address() as AddressInfo).port }));
  process.once('SIGTERM', () => process.exit(0));
}

async function serve(connection: PostgresAddress, folder: string): Promise<void> {
  const config = readConfig({
    PORT: '0',
    DATABASE_URL: databaseUrl(connection),
    PACEKEEPER_SECRET_KEY: randomBytes(32).toString('base64'),
    PACEKEEPER_DATA_DIR: join(folder, 'server'),
    PACEKEEPER_REFERENCE_DATA: 'off',
    PACEKEEPER_EGRESS_ALLOW: '127.0.0.1/32',
    PACEKEEPER_INSECURE_HOSTS: '127.0.0.1',
    PACEKEEPER_ALLOW_HTTP_WEBHOOKS: 'true',
  });
  const server = await startServer(config, createSilentLog());
  process.send?.({ port: Number(new URL(server.url).port) });
  process.once('SIGTERM', () => void server.stop().then(() => process.exit(0)));
}

/** Returns the resident memory of a process in MB on Linux, and NaN on other systems. */
function residentMb(pid: number): number {
  try {
    const kb = /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
    return Math.round(Number(kb) / 1024);
  } catch {
    return Number.NaN;
  }
}

function yieldProcessor(): void {
  execFileSync('chrt', ['--idle', '--all-tasks', '--pid', '0', String(process.pid)]);
}

function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return Number(
    (sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN).toFixed(1),
  );
}

function ratio(a: number, b: number): number {
  return Number((a / b).toFixed(1));
}

const [role, data = 'null', folder = ''] = process.argv.slice(2);
if (role === 'server') await serve(JSON.parse(data) as PostgresAddress, folder);
else if (role === 'documents') await serveDocuments();
else if (role === 'attack') await attack(JSON.parse(data) as AttackTargets);
else await main();
