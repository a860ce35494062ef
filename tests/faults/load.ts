/**
 * `npm run test:load [-- MINUTES] [--per-second N] [--alerts N]`: measures the maximum rate of mixed requests
 * that a server can handle, then sends 70 % of that rate, or N requests per second, for MINUTES (default:
 * 10). An agent and deliveries run at the same time. In parallel, the test requests a list of rules from a
 * bare handler, which uses the same HTTP library and reads from the same database with two statements. The
 * organization starts with N resolved alerts (default: 10,000).
 *
 * Prints the slowest response of each second. Exits with 1 if a request fails, a delivery stays open, the
 * heap after forced garbage collections grows by 1 MB per minute or more, a job keeps more versions than its
 * limit, the p99 exceeds 20 times that of the bare handler, or a response takes more than one second. A run
 * of less than five minutes reports heap growth and response times without judging them, because the server
 * is still warming up.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { loadavg, tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { fastify } from 'fastify';
import { sql } from 'kysely';
import pg from 'pg';
import { Pool } from 'undici';
import type { FirstLogin } from '../../src/modules/accounts/index.ts';
import { readConfig } from '../../src/platform/config.ts';
import { connectDatabase, type Database, startEmbeddedPostgres } from '../../src/platform/database/index.ts';
import { createLog, createSilentLog } from '../../src/platform/log.ts';
import { startServer } from '../../src/server/start-server.ts';
import { startContractInbox } from '../contract/contract-inbox.ts';
import { buildWorld, type World } from '../contract/world.ts';
import { databaseUrl } from '../helpers/database-url.ts';
import { appendCounts } from './reported-counts.ts';

const measureSeconds = 10;
const connections = 16;
const share = 0.7;
const historyLimit = 50;
const maxHeapGrowthMb = 1;
const maxTimesBareP99 = 20;
const maxWorstMs = 1_000;
/** Interval between requests to the bare handler: enough samples for a p99, but little additional load. */
const bareEveryMs = 20;
/** Part of the run, at its start, during which caches fill. It is excluded from the heap growth. */
const warmUpShare = 0.3;

interface Traffic {
  beganAt: number;
  sent: number;
  /** Number of failures by status and path, including broken connections. */
  failures: Map<string, number>;
  answers: Answer[];
}

interface Answer {
  /** Start of the request, in milliseconds since the traffic began. */
  atMs: number;
  tookMs: number;
}

type Send = (traffic: Traffic) => Promise<void>;

interface LoadOptions {
  minutes: number;
  /** Requests per second. If `null`, 70 % of the measured maximum. */
  rate: number | null;
  /** Number of resolved alerts at the start. */
  alerts: number;
}

async function main({ minutes, rate, alerts }: LoadOptions): Promise<void> {
  const folder = mkdtempSync(path.join(tmpdir(), 'pacekeeper-load-'));
  chmodSync(folder, 0o711);
  const inbox = await startContractInbox();
  const postgres = await startEmbeddedPostgres({
    dataDir: path.join(folder, 'data'),
    log: createSilentLog(),
  });
  const env = {
    PATH: process.env['PATH'],
    PORT: '0',
    PACEKEEPER_DATA_DIR: path.join(folder, 'server'),
    PACEKEEPER_EGRESS_ALLOW: '127.0.0.1/32',
    PACEKEEPER_ALLOW_HTTP_WEBHOOKS: 'true',
    PACEKEEPER_EMBEDDED_AGENT: 'false',
    PACEKEEPER_RATE_LIMIT_PER_MINUTE: '0',
    PACEKEEPER_LOG_LEVEL: 'error',
    PACEKEEPER_SECRET_KEY: randomBytes(32).toString('base64'),
    DATABASE_URL: databaseUrl(postgres.connection),
  };
  const child = fork(fileURLToPath(import.meta.url), ['server'], { execArgv: ['--expose-gc'], env });
  let bareChild: ChildProcess | undefined;
  try {
    const [{ url, firstLogin }] = (await once(child, 'message')) as [{ url: string; firstLogin: FirstLogin }];
    bareChild = fork(fileURLToPath(import.meta.url), ['bare'], { env });
    const [{ bareUrl }] = (await once(bareChild, 'message')) as [{ bareUrl: string }];
    const world = await buildWorld({
      baseUrl: url,
      webhookUrl: inbox.url,
      owner: {
        email: firstLogin.email,
        password: firstLogin.generatedPassword!,
      },
    });
    const send = await createMix(world, url);
    const db = await connectDatabase({
      connection: postgres.connection,
      log: createSilentLog(),
      poolSize: 1,
    });
    await addResolvedAlerts(db, alerts);
    await db.destroy();

    const limit = await measureLimit(send);
    const perSecond = rate ?? Math.max(1, Math.floor(limit * share));
    console.log(
      `limit ${Math.round(limit)} requests/s; sending ${perSecond}/s for ${minutes} min beside ${alerts} resolved alerts; load ${loadavg()[0]!.toFixed(1)}`,
    );
    const heap: { minute: number; megabytes: number }[] = [];
    const askBare = createBareAsker(bareUrl);
    const { traffic, bare, agent } = await sendFor(
      minutes * 60_000,
      perSecond,
      { send, askBare },
      world,
      async (minute) => {
        heap.push({ minute, megabytes: (await heapOf(child)) / 1e6 });
        console.log(`minute ${minute.toFixed(1)}: heap ${heap.at(-1)!.megabytes.toFixed(1)} MB`);
      },
    );
    const left = await waitForDeliveries(world);
    const growth = slope(heap.filter(({ minute }) => minute >= minutes * warmUpShare));
    const kept = await mostVersions(world);
    const worst = worstOfSeconds(traffic.answers, minutes * 60);
    printSeconds(worst);
    const [p50, p99] = [quantile(traffic.answers, 0.5), quantile(traffic.answers, 0.99)];
    const [bareP50, bareP99] = [quantile(bare.answers, 0.5), quantile(bare.answers, 0.99)];
    const worstMs = Math.max(...worst);
    const failed = [...traffic.failures.values()].reduce((sum, count) => sum + count, 0);
    console.table({
      'requests sent': traffic.sent,
      'requests failed': failed,
      'p50 / p99 ms': `${p50.toFixed(1)} / ${p99.toFixed(1)}`,
      'bare handler, p50 / p99 ms': `${bareP50.toFixed(1)} / ${bareP99.toFixed(1)}`,
      [`p99 to that of the bare handler (goal ${maxTimesBareP99})`]: (p99 / bareP99).toFixed(1),
      [`worst answer, ms (goal ${maxWorstMs})`]: Math.round(worstMs),
      'seconds whose worst answer took above 100 / 250 / 500 ms': [100, 250, 500]
        .map((ms) => worst.filter((each) => each > ms).length)
        .join(' / '),
      'runs of the agent': agent.runs,
      'webhooks received': inbox.requests.length,
      'deliveries left': left,
      'heap growth MB/min': growth.toFixed(2),
      'versions of a job at most': kept,
    });
    appendCounts(fileURLToPath(import.meta.url), `${perSecond} requests a second for ${minutes} minutes`, {
      sent: traffic.sent,
      failed,
      [`MB of heap growth per minute (limit: ${maxHeapGrowthMb})`]: Number(growth.toFixed(2)),
      'webhooks received': inbox.requests.length,
      'deliveries left': left,
      [`versions of a job at most (${historyLimit} allowed)`]: kept,
    });
    for (const [failure, count] of traffic.failures) console.log(`FAULT ${count} × ${failure}`);
    const isJudged = minutes >= 5;
    const faults = [
      ...(isJudged && growth >= maxHeapGrowthMb
        ? [`the heap grows by ${growth.toFixed(2)} MB a minute`]
        : []),
      ...(isJudged && p99 > maxTimesBareP99 * bareP99
        ? [`the p99 is ${(p99 / bareP99).toFixed(1)} times that of the bare handler`]
        : []),
      ...(isJudged && worstMs > maxWorstMs ? [`an answer took ${Math.round(worstMs)} ms`] : []),
      ...(left > 0 ? [`${left} deliveries are left`] : []),
      ...(kept > historyLimit ? [`a job keeps ${kept} versions`] : []),
      ...(bare.failures.size > 0 ? ['the bare handler failed'] : []),
    ];
    for (const fault of faults) console.log(`FAULT ${fault}`);
    if (traffic.failures.size > 0 || faults.length > 0) process.exitCode = 1;
  } finally {
    bareChild?.kill('SIGTERM');
    if (child.exitCode === null) {
      const exited = once(child, 'exit');
      child.send('stop');
      await exited;
    }
    await postgres.stop();
    await inbox.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * Creates the request mix: mostly reads, some writes, and occasionally a version that opens or resolves an
 * alert.
 */
async function createMix(world: World, url: string): Promise<Send> {
  const { make, admin } = world;
  const jobs = await Promise.all(
    Array.from({ length: 8 }, () => make.scrapeJob({ history_limit: historyLimit })),
  );
  const gatherJob = await make.gatherJob();
  await make.gathered();
  for (const job of jobs.slice(0, 4)) {
    await make.deployed(job, '3.0.0');
    await make.alertConfig({ scrape_job_id: job, gather_job_id: gatherJob });
  }
  const channelIds = await Promise.all(Array.from({ length: 4 }, () => make.channel()));
  await make.notificationRule({ channel_ids: channelIds, priority: 0 });
  await admin.call('evaluateRules');

  const headers = { 'x-api-key': world.keys.admin, 'content-type': 'application/json' };
  const pool = new Pool(url, { connections: connections * 4, pipelining: 1 });
  const reads = ['rules', 'alert-configs', 'alerts', 'overview', 'releases', 'versions', 'gather-jobs'];
  let count = 0;
  return async (traffic) => {
    const turn = count++;
    const isWrite = turn % 8 === 0;
    const job = jobs[(turn >> 3) % jobs.length]!;
    // The version changes only every 800 requests. The other requests set the same version again, which only
    // adds a row to the history.
    const version = Math.floor(turn / 800) % 2 === 0 ? '3.0.0' : '1.0.0';
    const route = isWrite ? `scrape-jobs/${job}/set-version` : reads[turn % reads.length]!;
    const began = performance.now();
    traffic.sent++;
    let outcome: string;
    try {
      const { statusCode, body } = await pool.request({
        method: isWrite ? 'POST' : 'GET',
        path: `/api/v1/client/${route}`,
        headers,
        body: isWrite ? JSON.stringify({ version }) : null,
      });
      const text = await body.text();
      outcome = statusCode === 200 ? '' : `${statusCode} ${route}: ${text.slice(0, 200)}`;
    } catch (error) {
      outcome = `${route}: ${String(error)}`;
    }
    note(traffic, began, outcome);
  };
}

function note(traffic: Traffic, began: number, outcome: string): void {
  traffic.answers.push({ atMs: began - traffic.beganAt, tookMs: performance.now() - began });
  if (outcome !== '') traffic.failures.set(outcome, (traffic.failures.get(outcome) ?? 0) + 1);
}

const noTraffic = (): Traffic => ({ beganAt: performance.now(), sent: 0, failures: new Map(), answers: [] });

function createBareAsker(url: string): Send {
  const pool = new Pool(url, { connections: 4, pipelining: 1 });
  return async (traffic) => {
    const began = performance.now();
    traffic.sent++;
    const outcome = await pool
      .request({ method: 'GET', path: '/rules' })
      .then(
        async ({ statusCode, body }) =>
          (await body.text()).startsWith('{"items":[{') && statusCode === 200 ? '' : 'failed',
        String,
      );
    note(traffic, began, outcome);
  };
}

/** Adds resolved alerts of one alert configuration, one per minute, ending a day ago. */
async function addResolvedAlerts(db: Database, count: number): Promise<void> {
  await sql`
    INSERT INTO alerts (organization_id, alert_config_id, rule_id, rule_type, severity, reason, discovered_version,
      latest_version, behind_by, behind_since, crossed_at, artifact_name, labels, resolved_at, resolution, last_sequence,
      created_at, updated_at)
    SELECT organization_id, config.id, rule_id, 'majors_behind', 'high', 'behind', '1.0.0', '3.0.0', 2, at, at,
      'github.com/acme/tool', '{}', at + interval '1 hour', 'caught_up', 2, at, at
    FROM (SELECT organization_id, id, rule_id FROM alert_configs ORDER BY id LIMIT 1) AS config
    CROSS JOIN generate_series(1, ${count}) AS step
    CROSS JOIN LATERAL (SELECT pacekeeper_now() - step * interval '1 minute' - interval '1 day' AS at) AS times`.execute(
    db,
  );
  await sql`VACUUM ANALYZE alerts`.execute(db);
}

/** Returns a quantile of the response times, in milliseconds. */
function quantile(answers: readonly Answer[], share: number): number {
  const sorted = answers.map(({ tookMs }) => tookMs).toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length * share)] ?? 0;
}

/** Returns the slowest response time, in milliseconds, of the requests that started in each second. */
function worstOfSeconds(answers: readonly Answer[], seconds: number): number[] {
  const worst = Array.from({ length: Math.ceil(seconds) }, () => 0);
  for (const { atMs, tookMs } of answers) {
    const second = Math.min(worst.length - 1, Math.floor(atMs / 1_000));
    worst[second] = Math.max(worst[second]!, tookMs);
  }
  return worst;
}

function printSeconds(worst: readonly number[]): void {
  console.log('the worst answer of each second, ms; twenty seconds a line');
  for (let at = 0; at < worst.length; at += 20)
    console.log(
      worst
        .slice(at, at + 20)
        .map((ms) => String(Math.round(ms)).padStart(6))
        .join(''),
    );
}

/**
 * Measures the maximum request rate: each connection sends its next request when the previous one completes.
 * @returns The number of requests per second.
 */
async function measureLimit(send: Send): Promise<number> {
  const traffic = noTraffic();
  const end = performance.now() + measureSeconds * 1_000;
  const work = async () => {
    while (performance.now() < end) await send(traffic);
  };
  await Promise.all(Array.from({ length: connections }, work));
  if (traffic.failures.size > 0)
    throw new Error(`requests failed: ${[...traffic.failures.keys()].join('; ')}`);
  return traffic.sent / measureSeconds;
}

/** Sends requests at a fixed rate, without waiting for earlier responses. */
async function sendFor(
  forMs: number,
  perSecond: number,
  { send, askBare }: { send: Send; askBare: Send },
  world: World,
  sample: (minute: number) => Promise<void>,
): Promise<{ traffic: Traffic; bare: Traffic; agent: { runs: number } }> {
  const traffic = noTraffic();
  const bare = noTraffic();
  const agent = { runs: 0 };
  const inFlight = new Set<Promise<void>>();
  const begin = performance.now();
  const isOver = () => performance.now() - begin >= forMs;
  const working = (async () => {
    while (!isOver()) {
      const [job] = world.ids.gather_job;
      await world.admin.call('runGatherJob', { path: { id: job! } });
      await world.make.gathered();
      agent.runs++;
      await sleep(1_000);
    }
  })();
  const sampling = (async () => {
    // Each sample stops the server for 100 ms, so samples must be rare enough to affect far fewer than 1 % of the
    // responses.
    const everyMs = forMs / 6;
    for (let at = everyMs; at <= forMs; at += everyMs) {
      await sleep(Math.max(0, begin + at - performance.now()));
      await sample(at / 60_000);
    }
  })();
  const asking = (async () => {
    while (!isOver()) {
      await askBare(bare);
      await sleep(bareEveryMs);
    }
  })();
  while (!isOver()) {
    const due = Math.floor(((performance.now() - begin) / 1_000) * perSecond) - traffic.sent;
    for (let count = 0; count < due; count++) {
      const sending = send(traffic).finally(() => inFlight.delete(sending));
      inFlight.add(sending);
    }
    await sleep(10);
  }
  await Promise.all([...inFlight, working, sampling, asking]);
  return { traffic, bare, agent };
}

async function heapOf(child: ChildProcess): Promise<number> {
  const answer = once(child, 'message') as Promise<[{ heapBytes: number }]>;
  child.send('heap');
  return (await answer)[0].heapBytes;
}

/** Returns the growth in megabytes per minute, by least squares. */
function slope(samples: readonly { minute: number; megabytes: number }[]): number {
  const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
  const minute = mean(samples.map((sample) => sample.minute));
  const megabytes = mean(samples.map((sample) => sample.megabytes));
  let covariance = 0;
  let variance = 0;
  for (const sample of samples) {
    covariance += (sample.minute - minute) * (sample.megabytes - megabytes);
    variance += (sample.minute - minute) ** 2;
  }
  return variance === 0 ? 0 : covariance / variance;
}

/**
 * Waits up to two minutes until no delivery is open.
 * @returns The number of open deliveries.
 */
async function waitForDeliveries({ admin }: World): Promise<number> {
  for (const deadline = performance.now() + 120_000; ; await sleep(500)) {
    let left = 0;
    for (const status of ['pending', 'in_progress', 'failed'] as const)
      left += (await admin.call('listNotificationDeliveries', { query: { status, limit: 1 } })).total;
    if (left === 0 || performance.now() > deadline) return left;
  }
}

/** Returns the highest number of unchanged snapshots of a job. Changes are kept by age. */
async function mostVersions({ admin }: World): Promise<number> {
  const { items } = await admin.call('listScrapeJobs', { query: { limit: 200 } });
  const totals = await Promise.all(
    items
      .filter((job) => job.history_limit === historyLimit)
      .map(
        async ({ id }) =>
          (await admin.call('listVersions', { query: { scrape_job_id: id, limit: 1 } })).total -
          (await admin.call('listVersions', { query: { scrape_job_id: id, changes_only: true, limit: 1 } }))
            .total,
      ),
  );
  return Math.max(0, ...totals);
}

/** Runs the server in a separate process. On request, it collects garbage and reports its heap size. */
async function serve(): Promise<void> {
  const config = readConfig(process.env);
  const server = await startServer(config, createLog({ level: config.logLevel, format: 'json' }));
  process.on('message', (message) => {
    if (message === 'heap') {
      // The second collection frees the objects that the first one finalizes.
      globalThis.gc?.();
      globalThis.gc?.();
      process.send?.({ heapBytes: process.memoryUsage().heapUsed });
      return;
    }
    server.stop().then(
      () => process.exit(0),
      () => process.exit(1),
    );
  });
  process.send?.({ url: server.url, firstLogin: server.firstLogin });
}

/** Serves the reference: a list of rules that is read with two statements. */
async function serveBare(): Promise<void> {
  const pool = new pg.Pool({ connectionString: process.env['DATABASE_URL'], max: 4 });
  const { rows } = await pool.query('SELECT max(id) AS id FROM organizations');
  const organizationId: unknown = rows[0].id;
  const app = fastify();
  app.get('/rules', async () => {
    const items = await pool.query(
      'SELECT * FROM rules WHERE organization_id = $1 ORDER BY created_at DESC, id DESC LIMIT 50',
      [organizationId],
    );
    const counted = await pool.query('SELECT count(*) AS total FROM rules WHERE organization_id = $1', [
      organizationId,
    ]);
    return { items: items.rows, total: Number(counted.rows[0].total), limit: 50, offset: 0 };
  });
  await app.listen({ host: '127.0.0.1', port: 0 });
  process.send?.({ bareUrl: `http://127.0.0.1:${(app.server.address() as AddressInfo).port}` });
  process.once('SIGTERM', () => process.exit(0));
}

if (process.argv[2] === 'server') await serve();
else if (process.argv[2] === 'bare') await serveBare();
else {
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: { 'per-second': { type: 'string' }, alerts: { type: 'string', default: '10000' } },
  });
  await main({
    minutes: Number(positionals[0] ?? 10),
    rate: values['per-second'] === undefined ? null : Number(values['per-second']),
    alerts: Number(values.alerts),
  });
}
