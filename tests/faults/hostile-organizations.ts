/**
 * `npm run test:attacks [-- SECONDS]`: measures an organization on a server, first alone and then while three
 * other organizations attack the server, for SECONDS each (default: 30).
 *
 * - _Trackers_: each attacking organization has channels to three hostile trackers: one responds with up to 4
 *   MiB of deep or wide JSON, one has an endless list of issues, and one sends values of unexpected types.
 *   These organizations test the channels continuously, and open and resolve alerts that create tickets.
 * - _Evaluations_: each attacking organization evaluates 10,000 alert configurations continuously.
 *
 * Prints the response times of `/health/live` and of lists, and the time from `set-version` to the webhook,
 * with their ratios to those of the idle server. Goals: with trackers, a p99 of `/health/live` of at most 100
 * ms and a p95 of lists of at most 3 times the idle one; with both, a p95 of the time to the webhook of at
 * most 3 times the idle one. Exits with 1 if a request fails, a hostile tracker causes an internal error, or
 * a goal isn't met. A run of less than 20 seconds reports the times without judging them.
 *
 * Two further tables show the causes of delays. The first divides the time to the webhook into stages:
 * `commit to claim` and `commit to send` are the time in the server's queues. Each stage also takes longer if
 * its process has to wait for CPU time. The second table shows this wait for each part, together with the CPU
 * time of all other processes of the machine. If these other processes are busy, the ratios aren't
 * meaningful.
 *
 * The attackers and their trackers have the lowest priority, because in production they run on other machines.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { constants, loadavg, setPriority, tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { sql } from 'kysely';
import { Pool } from 'undici';
import { type ApiClient, createApiClient } from '../../src/client/api-client.ts';
import { createOrganization } from '../../src/modules/accounts/index.ts';
import {
  connectDatabase,
  type Database,
  type EmbeddedPostgres,
  startEmbeddedPostgres,
} from '../../src/platform/database/index.ts';
import { createSilentLog } from '../../src/platform/log.ts';
import { databaseUrl } from '../helpers/database-url.ts';
import { createMonitoredSoftware } from '../helpers/monitored.ts';
import { runProgram } from '../helpers/run-program.ts';
import { createWebhookInbox, type WebhookInbox } from '../helpers/webhook-inbox.ts';
import {
  changeStageNames,
  type ObservedChange,
  readChangeStages,
  recordCommitTimes,
  type StageDurations,
} from './change-stages.ts';
import { type CpuGroup, type CpuShare, measureCpuShares } from './cpu-shares.ts';
import { appendCounts } from './reported-counts.ts';

const hostileCount = 3;
const hostileConfigs = 50;
const evaluatedConfigs = 10_000;
/** Concurrent tests of each channel. An organization requests more tests than the server runs at a time. */
const testsPerChannel = 2;
const maxHealthP99Ms = 100;
const maxTimesIdle = 3;
/**
 * Response times that are compared with those of the idle server. Evaluations change the database
 * continuously, so during evaluations, only the time to the webhook is judged.
 */
const judged = { trackers: ['lists', 'webhooks'], evaluations: ['webhooks'] } as const;
/** Shortest measurement with enough samples for a p95. */
const judgedSeconds = 20;
const healthEveryMs = 20;
const listEveryMs = 50;
const lists = ['scrape-jobs', 'alert-configs', 'alerts', 'software'];

const mebibyte = 1024 * 1024;

/** URLs of the hostile trackers. */
interface Trackers {
  costly: string;
  endless: string;
  odd: string;
}

/** Data that the attackers need about an organization. */
interface Attacker {
  apiKey: string;
  scrapeJobId: number;
  channelIds: number[];
}

interface Attack {
  serverUrl: string;
  kind: 'trackers' | 'evaluations';
  attackers: Attacker[];
}

interface Organization {
  id: number;
  api: ApiClient;
  apiKey: string;
}

/** Results of one measurement. All durations are in milliseconds. */
interface Measured {
  health: number[];
  lists: number[];
  webhooks: number[];
  failures: Map<string, number>;
  /** Stages of the changes whose webhooks were received. */
  stages: StageDurations[];
  /** CPU use by group of threads. Null if the operating system doesn't report it. */
  processors: Record<CpuGroup, CpuShare> | null;
}

async function main(seconds: number): Promise<void> {
  const folder = mkdtempSync(path.join(tmpdir(), 'pacekeeper-hostile-'));
  chmodSync(folder, 0o711);
  const log = createSilentLog();
  const inbox = await createWebhookInbox();
  const dataDir = path.join(folder, 'data');
  const postgres = await startPostgres(dataDir);
  const program = runProgram(['serve'], {
    PORT: '0',
    DATABASE_URL: databaseUrl(postgres.connection),
    PACEKEEPER_SECRET_KEY: randomBytes(32).toString('base64'),
    PACEKEEPER_DATA_DIR: path.join(folder, 'server'),
    PACEKEEPER_EGRESS_ALLOW: '127.0.0.1/32',
    PACEKEEPER_INSECURE_HOSTS: '127.0.0.1',
    PACEKEEPER_ALLOW_HTTP_WEBHOOKS: 'true',
    PACEKEEPER_EMBEDDED_AGENT: 'false',
    PACEKEEPER_LOG_LEVEL: 'error',
  });
  const children: ChildProcess[] = [];
  const start = async <Message>(role: string, data: unknown = null) => {
    const child = fork(fileURLToPath(import.meta.url), [role, JSON.stringify(data)]);
    children.push(child);
    const [message] = (await once(child, 'message')) as [Message];
    return { child, message };
  };
  try {
    const [, serverUrl = ''] = await program.waitForOutput(/running at (\S+)/);
    const db = await connectDatabase({ connection: postgres.connection, log, poolSize: 2 });
    const { message: trackers } = await start<Trackers>('trackers');
    const postmaster = Number.parseInt(
      readFileSync(path.join(dataDir, 'postgres', 'postmaster.pid'), 'utf8'),
      10,
    );
    const watch = () =>
      measureCpuShares({
        server: program.process.pid!,
        postmaster,
        load: () => [process.pid, ...children.map(({ pid }) => pid!)],
      });
    const bystander = await prepareBystander(db, serverUrl, inbox, watch);
    const attackers: Organization[] = [];
    for (let index = 1; index <= hostileCount; index++)
      attackers.push(await newOrganization(db, serverUrl, `Hostile ${index}`));

    /** Measures the bystander while all attackers attack. */
    const measureUnder = async (attack: Omit<Attack, 'serverUrl'>) => {
      const { child } = await start('attack', { serverUrl, ...attack } satisfies Attack);
      await sleep(3_000);
      const measured = await bystander.measure(seconds);
      const load = loadavg()[0]!;
      const answer = once(child, 'message') as Promise<[Record<string, number>]>;
      child.send('stop');
      const [sent] = await answer;
      return { measured, load, sent };
    };

    await bystander.measure(seconds / 6);
    const idle = await bystander.measure(seconds);
    const idleLoad = loadavg()[0]!;

    const ticketed: Attacker[] = [];
    for (const organization of attackers) ticketed.push(await prepareTickets(db, organization, trackers));
    const underTrackers = await measureUnder({ kind: 'trackers', attackers: ticketed });
    // Deleting the channels cancels pending deliveries, which would otherwise affect the next measurement.
    for (const [index, { api }] of attackers.entries())
      for (const id of ticketed[index]!.channelIds)
        await api.call('deleteNotificationChannel', { path: { id } });

    const evaluated: Attacker[] = [];
    for (const organization of attackers) evaluated.push(await prepareEvaluations(db, organization));
    const underEvaluations = await measureUnder({ kind: 'evaluations', attackers: evaluated });

    console.log(
      `response times in ms; ${seconds} s each; load ${idleLoad.toFixed(1)} idle, ${underTrackers.load.toFixed(1)} under trackers, ${underEvaluations.load.toFixed(1)} under evaluations`,
    );
    const rows = [
      { server: 'idle', ...toRow(idle) },
      { server: 'trackers', ...toRow(underTrackers.measured) },
      { server: 'trackers, ratio', ...ratios(underTrackers.measured, idle) },
      { server: 'evaluations', ...toRow(underEvaluations.measured) },
      { server: 'evaluations, ratio', ...ratios(underEvaluations.measured, idle) },
    ];
    console.table(rows, ['server', ...Object.keys(rows[0]!).slice(1)]);
    printCauses({ idle, trackers: underTrackers.measured, evaluations: underEvaluations.measured });
    console.log('responses that the attackers got');
    console.table({ trackers: underTrackers.sent, evaluations: underEvaluations.sent });

    const faults = [idle, underTrackers.measured, underEvaluations.measured].flatMap(({ failures }) =>
      [...failures].map(([failure, count]) => `${count} × ${failure}`),
    );
    for (const { sent } of [underTrackers, underEvaluations])
      for (const [status, count] of Object.entries(sent))
        if (status.endsWith(' 500')) faults.push(`${count} × ${status} for an attacker`);
    if (seconds >= judgedSeconds)
      faults.push(
        ...missedGoals('trackers', underTrackers.measured, idle),
        ...missedGoals('evaluations', underEvaluations.measured, idle),
      );
    for (const [what, { measured }] of Object.entries({
      'hostile trackers': underTrackers,
      'evaluations of other organizations': underEvaluations,
    }))
      appendCounts(fileURLToPath(import.meta.url), `${what} for ${seconds} s`, {
        'ms of /health/live (p99)': quantile(measured.health, 0.99),
        'times the idle lists (p95)': ratioOf(measured.lists, idle.lists),
        'times the idle webhooks (p95)': ratioOf(measured.webhooks, idle.webhooks),
        failed: sumOf(measured.failures),
      });
    for (const fault of faults) console.log(`FAULT ${fault}`);
    if (faults.length > 0) process.exitCode = 1;
    await db.destroy();
  } finally {
    for (const child of children) {
      child.kill('SIGKILL');
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
    }
    await program.stop();
    await postgres.stop();
    await inbox.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

function missedGoals(kind: Attack['kind'], measured: Measured, idle: Measured): string[] {
  const faults: string[] = [];
  const healthMs = quantile(measured.health, 0.99);
  if (kind === 'trackers' && healthMs > maxHealthP99Ms)
    faults.push(`${kind}: the p99 of /health/live is ${healthMs} ms`);
  for (const name of judged[kind]) {
    const ratio = ratioOf(measured[name], idle[name]);
    if (!(ratio <= maxTimesIdle)) faults.push(`${kind}: the p95 of ${name} is ${ratio} times the idle one`);
  }
  return faults;
}

/** Starts PostgreSQL with a setting that requires a restart. */
async function startPostgres(dataDir: string): Promise<EmbeddedPostgres> {
  const log = createSilentLog();
  const first = await startEmbeddedPostgres({ dataDir, log });
  const db = await connectDatabase({ connection: first.connection, log, poolSize: 1 });
  await recordCommitTimes(db);
  await db.destroy();
  await first.stop();
  return startEmbeddedPostgres({ dataDir, log });
}

/** Prints the stages in which a change is delayed, and which processes use CPU time. */
function printCauses(measurements: Record<string, Measured>): void {
  console.log('stages from set-version to the webhook, mean / p95 in ms');
  console.table(
    Object.entries(measurements).map(([server, { stages }]) => ({
      server,
      ...Object.fromEntries(
        changeStageNames.map((name, index) => {
          const durations = stages.map((stage) => stage[index]!);
          const mean = durations.reduce((sum, value) => sum + value, 0) / durations.length;
          return [name, `${round(mean)} / ${quantile(durations, 0.95)}`];
        }),
      ),
      changes: stages.length,
    })),
  );
  console.log('shares of one processor: running + waiting for a processor');
  console.table(
    Object.entries(measurements).map(([server, { processors }]) => ({
      server,
      ...Object.fromEntries(
        Object.entries(processors ?? {}).map(([group, { running, waiting }]) => [
          group,
          Number.isNaN(waiting) ? running.toFixed(2) : `${running.toFixed(2)} + ${waiting.toFixed(2)}`,
        ]),
      ),
    })),
  );
}

async function newOrganization(db: Database, serverUrl: string, name: string): Promise<Organization> {
  const owner = {
    email: `${randomBytes(6).toString('hex')}@example.org`,
    password: 'a password for attacks',
  };
  const { organizationId: id } = await createOrganization(db, { name, owner });
  const { access_token: token } = await createApiClient({ baseUrl: serverUrl }).call('login', {
    body: owner,
  });
  const person = createApiClient({ baseUrl: serverUrl, token });
  const { key: apiKey } = await person.call('createAPIKey', { body: { name: 'load', role: 'admin' } });
  return { id, apiKey, api: createApiClient({ baseUrl: serverUrl, apiKey }) };
}

/** Creates the measured organization, with full lists, and one monitor whose events go to the inbox. */
async function prepareBystander(
  db: Database,
  serverUrl: string,
  inbox: WebhookInbox,
  watch: () => () => Measured['processors'],
) {
  const organization = await newOrganization(db, serverUrl, 'Bystander');
  const { id: organizationId, api, apiKey } = organization;
  for (let index = 0; index < 50; index++)
    await api.call('createScrapeJob', { body: { name: `service ${index}`, parser_type: 'manual' } });
  const channel = await api.call('createNotificationChannel', { body: { name: 'inbox', url: inbox.url } });
  await api.call('createNotificationRule', { body: { name: 'all', channel_ids: [channel.id] } });
  const { scrapeJobId } = await createMonitoredSoftware(
    { db },
    { id: organizationId, api },
    { deployed: '3.0.0' },
  );
  const setVersion = (version: string) =>
    api.call('setScrapeJobVersion', { path: { id: scrapeJobId }, body: { version } });
  // The stages of a change are read from its version after the measurement.
  await sql`UPDATE scrape_jobs SET history_limit = 10000 WHERE id = ${scrapeJobId}`.execute(db);
  const pool = new Pool(serverUrl, { connections: 4 });
  let events = 0;

  async function time(
    target: string,
    headers: Record<string, string>,
    failures: Measured['failures'],
  ): Promise<number> {
    const startedAt = performance.now();
    const outcome = await pool.request({ path: target, method: 'GET', headers }).then(
      async ({ statusCode, body }) => {
        await body.dump();
        return statusCode === 200 ? '' : `${statusCode} ${target}`;
      },
      (error: unknown) => `${target}: ${String(error)}`,
    );
    if (outcome !== '') note(failures, outcome);
    return performance.now() - startedAt;
  }

  return {
    async measure(seconds: number): Promise<Measured> {
      const measured: Measured = {
        health: [],
        lists: [],
        webhooks: [],
        failures: new Map(),
        stages: [],
        processors: null,
      };
      const changes: ObservedChange[] = [];
      const endWatch = watch();
      const endsAt = performance.now() + seconds * 1_000;
      const repeat = async (pauseMs: number, work: (round: number) => Promise<void>) => {
        for (let round = 0; performance.now() < endsAt; round++) {
          await work(round);
          await sleep(pauseMs);
        }
      };
      await Promise.all([
        repeat(healthEveryMs, async () => {
          measured.health.push(await time('/health/live', {}, measured.failures));
        }),
        repeat(listEveryMs, async (round) => {
          const target = `/api/v1/client/${lists[round % lists.length]}`;
          measured.lists.push(await time(target, { 'x-api-key': apiKey }, measured.failures));
        }),
        repeat(listEveryMs, async () => {
          const count = inbox.requests.length;
          const startedAt = performance.now();
          try {
            await setVersion(events++ % 2 === 0 ? '1.0.0' : '3.0.0');
            const received = (await inbox.waitFor(count + 1)).at(-1)!;
            changes.push({
              requestedAtMs: performance.timeOrigin + startedAt,
              receivedAtMs: performance.timeOrigin + received.atMs,
            });
          } catch (error) {
            note(measured.failures, `set-version: ${String(error)}`);
          }
          measured.webhooks.push(performance.now() - startedAt);
        }),
      ]);
      measured.processors = endWatch();
      measured.stages = await readChangeStages(db, organizationId, changes);
      return measured;
    },
  };
}

/** Creates channels to the hostile trackers, and alert configurations whose alerts create tickets there. */
async function prepareTickets(
  db: Database,
  { id: organizationId, api, apiKey }: Organization,
  { costly, endless, odd }: Trackers,
): Promise<Attacker> {
  const path = { key: 'delivery.retry_schedule_seconds' };
  await api.call('putOrgOverride', { path, body: { value: [1, 1, 1] } });
  const project = 'acme/platform';
  const jira = { project: 'OPS', issue_type: 'Task', account_email: 'bot@acme.example' };
  const channelIds: number[] = [];
  for (const channel of [
    { channel_type: 'gitlab_issues', url: costly, project },
    { channel_type: 'jira', url: costly, ...jira },
    { channel_type: 'github_issues', url: endless, project },
    { channel_type: 'gitlab_issues', url: odd, project },
    { channel_type: 'jira', url: odd, ...jira },
  ] as const) {
    const body = { name: `Tracker ${channelIds.length}`, token: 'token-of-a-tracker', ...channel };
    channelIds.push((await api.call('createNotificationChannel', { body })).id);
  }
  await api.call('createNotificationRule', { body: { name: 'all', channel_ids: channelIds } });
  const { scrapeJobId, configId } = await createMonitoredSoftware(
    { db },
    { id: organizationId, api },
    { deployed: '3.0.0' },
  );
  await copyConfig(db, configId, hostileConfigs);
  return { apiKey, scrapeJobId, channelIds };
}

async function prepareEvaluations(
  db: Database,
  { id: organizationId, api, apiKey }: Organization,
): Promise<Attacker> {
  const { scrapeJobId, configId } = await createMonitoredSoftware(
    { db },
    { id: organizationId, api },
    { deployed: '3.0.0' },
  );
  await copyConfig(db, configId, evaluatedConfigs);
  await sql`ANALYZE alert_configs`.execute(db);
  return { apiKey, scrapeJobId, channelIds: [] };
}

/** Inserts copies of a configuration until there are `count`. Creating thousands through the API would take minutes. */
async function copyConfig(db: Database, configId: number, count: number): Promise<void> {
  await sql`
    INSERT INTO alert_configs (organization_id, name, scrape_job_id, gather_organization_id, gather_job_id, rule_id, ordinal)
    SELECT organization_id, name || ' ' || n, scrape_job_id, gather_organization_id, gather_job_id, rule_id, n - 1
    FROM alert_configs, generate_series(2, ${count}::integer) AS n WHERE id = ${configId}`.execute(db);
}

/** Attacks until it receives a message, then sends the number of responses by status to the parent process. */
async function attack({ serverUrl, kind, attackers }: Attack): Promise<void> {
  setPriority(constants.priority.PRIORITY_LOW);
  const sent: Record<string, number> = {};
  let isOver = false;
  const repeat = async (
    what: string,
    { apiKey }: Attacker,
    pauseMs: number,
    next: (round: number) => { path: string; body?: object },
  ) => {
    const pool = new Pool(serverUrl, { connections: 1 });
    const headers = { 'x-api-key': apiKey, 'content-type': 'application/json' };
    for (let round = 0; !isOver; round++) {
      const { path: target, body = {} } = next(round);
      const status = await pool
        .request({ path: `/api/v1/client/${target}`, method: 'POST', headers, body: JSON.stringify(body) })
        .then(async (answer) => {
          await answer.body.dump();
          return String(answer.statusCode);
        })
        .catch(() => 'cut');
      sent[`${what} ${status}`] = (sent[`${what} ${status}`] ?? 0) + 1;
      await sleep(pauseMs);
    }
    await pool.destroy();
  };
  const loops = attackers.flatMap((attacker) => {
    const { scrapeJobId, channelIds } = attacker;
    const setVersions = (pauseMs: number, versions: readonly string[]) =>
      repeat('set-version', attacker, pauseMs, (round) => ({
        path: `scrape-jobs/${scrapeJobId}/set-version`,
        body: { version: versions[round % versions.length] },
      }));
    if (kind === 'evaluations')
      return [
        // Neither version is behind, so each evaluation changes its configuration but opens no alert.
        setVersions(200, ['3.0.0', '3.0.1']),
        repeat('evaluate', attacker, 10, () => ({ path: 'rules/evaluate' })),
      ];
    const tests = channelIds.flatMap((id) =>
      Array.from({ length: testsPerChannel }, () =>
        repeat('channel test', attacker, 10, () => ({ path: `notification-channels/${id}/test` })),
      ),
    );
    return [setVersions(2_000, ['1.0.0', '3.0.0']), ...tests];
  });
  process.once('message', () => {
    isOver = true;
    process.send?.(sent, () => process.exit(0));
  });
  process.send?.('started');
  await Promise.all(loops);
}

/** JSON of about `bytes` that takes long to parse: many fields, many levels, or many objects. */
function costlyBodies(bytes: number): Buffer[] {
  const fields = Array.from({ length: Math.floor(bytes / 12) }, (_, index) => `"f${index.toString(36)}":0`);
  const levels = Math.floor(bytes / 2) - 20;
  const texts = [
    `{"message":{${fields.join(',')}}}`,
    `${'['.repeat(levels)}${']'.repeat(levels)}`,
    `[${'{},'.repeat(Math.floor(bytes / 3) - 20)}{}]`,
    `{"name":"x","issueTypes":[{"name":${'['.repeat(levels)}${']'.repeat(levels)}}]}`,
  ];
  return texts.map((text) => gzipSync(text));
}

/** Serves the hostile trackers until the process is killed. */
async function serveTrackers(): Promise<void> {
  setPriority(constants.priority.PRIORITY_LOW);
  let count = 0;
  const next = <T>(values: readonly T[]): T => values[count++ % values.length]!;
  const compressed = { 'content-type': 'application/json', 'content-encoding': 'gzip' };

  // The limits of responses are 4 MiB for issues, 2 MiB for projects of Jira, and 256 KiB for others.
  const sizes = { issues: 4 * mebibyte - 1024, jira: 2 * mebibyte - 1024, other: mebibyte / 4 - 1024 };
  const costlyOf = {
    issues: costlyBodies(sizes.issues),
    jira: costlyBodies(sizes.jira),
    other: costlyBodies(sizes.other),
  };
  const costly: RequestListener = (request, response) => {
    request.resume();
    const { method, url = '' } = request;
    const kind = url.startsWith('/rest/') ? 'jira' : url.includes('/issues') ? 'issues' : 'other';
    response.writeHead(
      method === 'POST' ? next([201, 201, 422, 500]) : next([200, 200, 200, 403]),
      compressed,
    );
    response.end(next(costlyOf[kind]));
  };

  const created = JSON.stringify({ number: 7, html_url: 'https://tracker.example/7', state: 'open' });
  const issue = { number: 1, created_at: '2099-01-01T00:00:00Z', state: 'open', body: 'x'.repeat(1_000) };
  const page = gzipSync(JSON.stringify(Array.from({ length: 50 }, () => issue)));
  let opened = 0;
  const endless: RequestListener = (request, response) => {
    request.resume();
    if (request.method === 'POST') {
      // An occasional success keeps the channel from being paused.
      response.writeHead(opened++ % 4 === 0 ? 201 : 500, { 'content-type': 'application/json' });
      response.end(created);
      return;
    }
    response.writeHead(200, compressed);
    response.end(request.url?.includes('page=') ? page : gzipSync(created));
  };

  const values = [
    '{"toString":1,"valueOf":1}',
    '[[[[{"toString":null}]]]]',
    'null',
    '1e999',
    '"\\u0000\\ud800"',
  ];
  const oddBodies = values.flatMap((value) => [
    value,
    `[${value},${value}]`,
    `{"message":${value},"errors":[${value},{"field":${value},"message":${value}}]}`,
    `{"number":${value},"iid":${value},"key":${value},"errors":{"a":${value}}}`,
    `{"errorMessages":[${value}],"errors":{"a":${value}}}`,
    `{"path_with_namespace":${value},"issues_enabled":${value},"has_issues":${value}}`,
    `{"issueTypes":[{"name":${value},"subtask":${value}}],"permissions":{"CREATE_ISSUES":${value}}}`,
  ]);
  const odd: RequestListener = (request, response) => {
    request.resume();
    response.writeHead(next([200, 201, 403, 422, 500]), { 'content-type': 'application/json' });
    response.end(next(oddBodies));
  };

  const listen = async (listener: RequestListener) => {
    const server = createServer(listener);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  };
  process.send?.({
    costly: await listen(costly),
    endless: await listen(endless),
    odd: await listen(odd),
  } satisfies Trackers);
}

function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return round(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN);
}

const round = (value: number): number => Number(value.toFixed(1));

function ratioOf(values: readonly number[], idle: readonly number[]): number {
  return round(quantile(values, 0.95) / quantile(idle, 0.95));
}

function note(failures: Measured['failures'], failure: string): void {
  failures.set(failure, (failures.get(failure) ?? 0) + 1);
}

function sumOf(failures: Measured['failures']): number {
  return [...failures.values()].reduce((sum, count) => sum + count, 0);
}

const columns = { live: 'health', lists: 'lists', 'to webhook': 'webhooks' } as const;

function toRow(measured: Measured): Record<string, string> {
  return Object.fromEntries(
    Object.entries(columns).flatMap(([label, name]) => {
      const of = measured[name];
      const text = [0.5, 0.95, 0.99].map((share) => quantile(of, share)).join(' / ');
      return [[`${label} p50 / p95 / p99`, `${text} (${of.length})`]];
    }),
  );
}

function ratios(measured: Measured, idle: Measured): Record<string, string> {
  return Object.fromEntries(
    Object.entries(columns).map(([label, name]) => {
      const shares = [0.5, 0.95, 0.99].map((share) =>
        round(quantile(measured[name], share) / quantile(idle[name], share)),
      );
      return [`${label} p50 / p95 / p99`, shares.join(' / ')];
    }),
  );
}

const [role = '30', data = 'null'] = process.argv.slice(2);
if (role === 'trackers') await serveTrackers();
else if (role === 'attack') await attack(JSON.parse(data) as Attack);
else await main(Number(role));
