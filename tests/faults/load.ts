/**
 * `npm run test:load [-- MINUTES]`: measures how many requests of mixed traffic a server takes, then sends it 70 % of that
 * for so long (10 minutes), with an agent and deliveries at work. Ends with 1 when a request fails, a delivery is left, the
 * heap after forced collections grows by 1 MB a minute or more, or a job keeps more versions than it may. A run of less
 * than five minutes says how the heap grew and does not judge it: it is still warming up.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { Pool } from 'undici';
import type { FirstLogin } from '../../src/modules/accounts/index.ts';
import { readConfig } from '../../src/platform/config.ts';
import { createLog } from '../../src/platform/log.ts';
import { startServer } from '../../src/server/start-server.ts';
import { startContractInbox } from '../contract/contract-inbox.ts';
import { buildWorld, type World } from '../contract/world.ts';
import { tellCounts } from './reported-counts.ts';

const measureSeconds = 10;
const connections = 16;
const share = 0.7;
const historyLimit = 50;
const maxHeapGrowthMb = 1;
/** Before that share of the time caches fill. */
const warmUpShare = 0.3;

interface Traffic {
  sent: number;
  /** By status and path; a connection that breaks is one too. */
  failures: Map<string, number>;
  latenciesMs: number[];
}

type Send = (traffic: Traffic) => Promise<void>;

async function main(minutes: number): Promise<void> {
  const folder = mkdtempSync(path.join(tmpdir(), 'pacekeeper-load-'));
  chmodSync(folder, 0o711);
  const inbox = await startContractInbox();
  const child = fork(fileURLToPath(import.meta.url), ['server'], {
    execArgv: ['--expose-gc'],
    env: {
      ...{ PATH: process.env['PATH'], PORT: '0', PACEKEEPER_DATA_DIR: folder, PACEKEEPER_LOG_LEVEL: 'error' },
      ...{ PACEKEEPER_EGRESS_ALLOW: '127.0.0.1/32', PACEKEEPER_ALLOW_HTTP_WEBHOOKS: 'true' },
      ...{ PACEKEEPER_EMBEDDED_AGENT: 'false', PACEKEEPER_RATE_LIMIT_PER_MINUTE: '0' },
    },
  });
  try {
    const [{ url, firstLogin }] = (await once(child, 'message')) as [{ url: string; firstLogin: FirstLogin }];
    const world = await buildWorld({
      ...{ baseUrl: url, webhookUrl: inbox.url },
      owner: { email: firstLogin.email, password: firstLogin.generatedPassword! },
    });
    const send = await createMix(world, url);

    const limit = await measureLimit(send);
    const perSecond = Math.max(1, Math.floor(limit * share));
    console.log(
      `limit ${Math.round(limit)} requests/s; sending ${perSecond}/s for ${minutes} min; load ${loadavg()[0]!.toFixed(1)}`,
    );
    const heap: { minute: number; megabytes: number }[] = [];
    const { traffic, agent } = await sendFor(minutes * 60_000, perSecond, send, world, async (minute) => {
      heap.push({ minute, megabytes: (await heapOf(child)) / 1e6 });
      console.log(`minute ${minute.toFixed(1)}: heap ${heap.at(-1)!.megabytes.toFixed(1)} MB`);
    });
    const left = await waitForDeliveries(world);
    const growth = slope(heap.filter(({ minute }) => minute >= minutes * warmUpShare));
    const kept = await mostVersions(world);
    const sorted = traffic.latenciesMs.toSorted((a, b) => a - b);
    const quantile = (q: number) => Math.round(sorted[Math.floor(sorted.length * q)] ?? 0);
    const failed = [...traffic.failures.values()].reduce((sum, count) => sum + count, 0);
    console.table({
      'requests sent': traffic.sent,
      'requests failed': failed,
      'p50 / p99 ms': `${quantile(0.5)} / ${quantile(0.99)}`,
      'runs of the agent': agent.runs,
      'webhooks received': inbox.requests.length,
      'deliveries left': left,
      'heap growth MB/min': growth.toFixed(2),
      'versions of a job at most': kept,
    });
    tellCounts(fileURLToPath(import.meta.url), `${perSecond} requests a second for ${minutes} minutes`, {
      sent: traffic.sent,
      failed,
      'MB of heap more a minute': Number(growth.toFixed(2)),
      'webhooks received': inbox.requests.length,
      'deliveries left': left,
      [`versions of a job at most (${historyLimit} allowed)`]: kept,
    });
    for (const [failure, count] of traffic.failures) console.log(`FAULT ${count} × ${failure}`);
    const isTooMuch = minutes >= 5 && growth >= maxHeapGrowthMb;
    if (isTooMuch) console.log(`FAULT the heap grows by ${growth.toFixed(2)} MB a minute`);
    if (left > 0) console.log(`FAULT ${left} deliveries are left`);
    if (kept > historyLimit) console.log(`FAULT a job keeps ${kept} versions`);
    if (traffic.failures.size > 0 || isTooMuch || left > 0 || kept > historyLimit) process.exitCode = 1;
  } finally {
    if (child.exitCode === null) {
      const exited = once(child, 'exit');
      child.send('stop');
      await exited;
    }
    await inbox.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Mostly reading, some writing, now and then a version that raises or resolves an alert. */
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
    // The same version again changes nothing but its history.
    const version = Math.floor(turn / 800) % 2 === 0 ? '3.0.0' : '1.0.0';
    const route = isWrite ? `scrape-jobs/${job}/set-version` : reads[turn % reads.length]!;
    const begin = performance.now();
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
    traffic.latenciesMs.push(performance.now() - begin);
    if (outcome !== '') traffic.failures.set(outcome, (traffic.failures.get(outcome) ?? 0) + 1);
  };
}

const noTraffic = (): Traffic => ({ sent: 0, failures: new Map(), latenciesMs: [] });

/** As many as there is room for, one after another on each connection. */
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

/** So many a second, whether the ones before are answered or not. */
async function sendFor(
  forMs: number,
  perSecond: number,
  send: Send,
  world: World,
  sample: (minute: number) => Promise<void>,
): Promise<{ traffic: Traffic; agent: { runs: number } }> {
  const traffic = noTraffic();
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
    const everyMs = Math.min(30_000, forMs / 10);
    for (let at = everyMs; at <= forMs; at += everyMs) {
      await sleep(Math.max(0, begin + at - performance.now()));
      await sample(at / 60_000);
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
  await Promise.all([...inFlight, working, sampling]);
  return { traffic, agent };
}

async function heapOf(child: ChildProcess): Promise<number> {
  const answer = once(child, 'message') as Promise<[{ heapBytes: number }]>;
  child.send('heap');
  return (await answer)[0].heapBytes;
}

/** Megabytes a minute, by least squares. */
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

/** Until none is open any more, two minutes at most. Answers how many are left. */
async function waitForDeliveries({ admin }: World): Promise<number> {
  for (const deadline = performance.now() + 120_000; ; await sleep(500)) {
    let left = 0;
    for (const status of ['pending', 'in_progress', 'failed'] as const)
      left += (await admin.call('listNotificationDeliveries', { query: { status, limit: 1 } })).total;
    if (left === 0 || performance.now() > deadline) return left;
  }
}

async function mostVersions({ admin }: World): Promise<number> {
  const { items } = await admin.call('listScrapeJobs', { query: { limit: 200 } });
  const totals = await Promise.all(
    items
      .filter((job) => job.history_limit === historyLimit)
      .map(
        async ({ id }) =>
          (await admin.call('listScrapeJobVersions', { path: { id }, query: { limit: 1 } })).total,
      ),
  );
  return Math.max(0, ...totals);
}

/** The server as a process of its own, which collects its garbage and tells its heap when it is asked. */
async function serve(): Promise<void> {
  const config = readConfig(process.env);
  const server = await startServer(config, createLog({ level: config.logLevel, format: 'json' }));
  process.on('message', (message) => {
    if (message === 'heap') {
      // What the first one finds to be finalized, the second one frees.
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

if (process.argv[2] === 'server') await serve();
else await main(Number(process.argv[2] ?? 10));
