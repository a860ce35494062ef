/**
 * Measures how cost grows with the size of an installation: the same work with 1,000, 10,000, and 100,000
 * alert configurations, the same number of scrape jobs, a tenth as many gather jobs with their releases, and
 * versions, runs, alerts, deliveries, and audit log lines in proportion. The smallest installation is the
 * reference. The following must cost the same at every size, goal at most 2 times: an idle server, one pass
 * of all housekeeping tasks, a new release that ten configurations use, a new version that one configuration
 * uses, and the first page of a list. The evaluation of all configurations, which reads their releases again,
 * is reported per configuration: goal 1.5 times. The overview and the metrics count all rows, and have no
 * goal. Run with `node benchmarks/growth.bench.ts` (`BENCH_SIZES=1000,10000` for a smaller run).
 *
 * Every job has a schedule and every configuration was evaluated, so all of them have due times in the
 * future. The server has no embedded agent: an agent that waits for tasks polls over the API, like a remote
 * one.
 */
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { sql } from 'kysely';
import { request } from 'undici';
import { type ApiClient, createApiClient } from '../src/client/api-client.ts';
import { basePaths, type OperationId, operations } from '../src/generated/operations.ts';
import { createSystemKey } from '../src/modules/accounts/index.ts';
import type { Database } from '../src/platform/database/index.ts';
import {
  type BenchWorld,
  median,
  readServerUsage,
  serveBench,
  startBenchWorld,
  waitUntilNothingIsDue,
} from './evaluation-world.ts';
import type { OrganizationSize } from './generate-installation.ts';
import { postgresCpuMs } from './server-usage.ts';

const sizes = (process.env['BENCH_SIZES'] ?? '1000,10000,100000').split(',').map(Number);
const rounds = Number(process.env['BENCH_ROUNDS'] ?? 15);
const idleSeconds = Number(process.env['BENCH_IDLE_SECONDS'] ?? 20);
const configsOfJob = 10;
/** Number of evaluations per size. Three are enough for a usable median, and more would take too long. */
const evaluations = 3;

const lists = [
  'listRules',
  'listAlertConfigs',
  'listAlerts',
  'listReleases',
  'listVersions',
  'listGatherJobs',
  'listScrapeJobs',
  'listNotificationDeliveries',
  'listAuditLog',
] as const satisfies OperationId[];

function sizeOf(configs: number): OrganizationSize {
  return {
    gatherJobs: configs / configsOfJob,
    scrapeJobs: configs,
    versionsEach: 3,
    runsEach: 2,
    rules: configs / 20,
    alertConfigs: configs,
    resolvedAlertsEach: 2,
    channels: Math.max(5, configs / 2_000),
    auditLog: configs * 5,
  };
}

/** One measured value, whose name includes the unit. */
interface Measured {
  what: string;
  value: number;
  goal: number | null;
}

async function main() {
  const measured: Measured[][] = [];
  for (const size of sizes) measured.push(await measure(size));
  const rows = measured[0]!.map(({ what, value: first, goal }, index) => {
    const values = measured.map((ofSize) => ofSize[index]!.value);
    return {
      what,
      ...Object.fromEntries(sizes.map((size, place) => [size.toLocaleString('en'), rounded(values[place]!)])),
      ratio: rounded(values.at(-1)! / first),
      goal,
    };
  });
  console.log('by the number of alert configurations; the ratio is that of the largest to the smallest');
  console.table(rows);
}

function rounded(value: number): number {
  return Number(value.toPrecision(3));
}

async function measure(size: number): Promise<Measured[]> {
  const world = await startBenchWorld(fileURLToPath(import.meta.url), [sizeOf(size)]);
  try {
    await settle(world);
    const agent = await registerAgent(world);
    const { key } = await createSystemKey(world.db, { name: 'metrics', role: 'viewer' });
    return [
      ...(await measureIdle(world, agent)),
      ...(await measureHousekeeping(world)),
      ...(await measureRelease(world, agent)),
      ...(await measureVersion(world)),
      ...(await measureLists(world)),
      ...(await measureRequest(world, 'GET /overview, ms', null, '/api/v1/client/overview')),
      ...(await measureRequest(world, 'GET /metrics, ms', null, '/metrics', { 'x-api-key': key })),
      ...(await measureEvaluation(world)),
      { what: 'server: memory at most, MB', value: await memoryOf(world), goal: null },
    ];
  } finally {
    await world.stop();
  }
}

/**
 * Gives every job a schedule, evaluates all configurations once, and waits until nothing is due for hours.
 */
async function settle(world: BenchWorld): Promise<void> {
  const { db } = world;
  const later = sql`pacekeeper_now() + interval '6 hours' + id % 10000 * interval '1 second'`;
  await sql`UPDATE gather_jobs SET is_active = true, due_at = ${later}`.execute(db);
  await sql`
    UPDATE scrape_jobs SET cron_expression = '@daily', due_at = ${later} WHERE is_active AND parser_type <> 'manual'`.execute(
    db,
  );
  await sql`UPDATE alert_configs SET requested_seq = requested_seq + 1, due_at = pacekeeper_now()`.execute(
    db,
  );
  await sql`SELECT pg_notify('pacekeeper_wake', 'alert_configs')`.execute(db);
  await waitUntilNothingIsDue(db);
  // Postpone the evaluations that become due if the day changes during the benchmark.
  await sql`UPDATE alert_configs SET due_at = greatest(due_at, pacekeeper_now() + interval '6 hours')`.execute(
    db,
  );
  await world.restartServer();
  await untilHousekeepingIsDone(db);
  await sql`VACUUM ANALYZE`.execute(db);
  await sql`CHECKPOINT`.execute(db);
}

async function untilHousekeepingIsDone(db: Database): Promise<void> {
  for (;;) {
    const { rows } = await sql<{ is_due: boolean }>`
      SELECT EXISTS (SELECT FROM housekeeping_tasks WHERE due_at <= pacekeeper_now()) AS is_due`.execute(db);
    if (!rows[0]!.is_due) return;
    await sleep(1);
  }
}

interface WaitingAgent {
  api: ApiClient;
  claim(waitSeconds: number): ReturnType<typeof claimTasks>;
}

async function registerAgent({ api, url }: BenchWorld): Promise<WaitingAgent> {
  const { key } = await api.call('createAPIKey', { body: { name: 'agent', role: 'agent' } });
  const agent = createApiClient({ baseUrl: url, apiKey: key });
  const { agent_id } = await agent.call('sendHeartbeat', {
    body: { name: 'bench', hostname: 'h', version: '1', capabilities, credential_names: [], running: [] },
  });
  return { api: agent, claim: (waitSeconds) => claimTasks(agent, agent_id, waitSeconds) };
}

const capabilities = ['gather:github_releases', 'scrape', 'helm_sync'];

async function claimTasks(agent: ApiClient, agent_id: number, wait_seconds: number) {
  const body = { agent_id, capabilities, credential_names: [], max: 1, wait_seconds };
  return (await agent.call('claimTasks', { body })).tasks;
}

/** Measures the server while nothing is due and an agent waits for tasks. */
async function measureIdle({ db, server }: BenchWorld, agent: WaitingAgent): Promise<Measured[]> {
  await sleep(5_000);
  await readServerUsage(server);
  const postgresBefore = await postgresCpuMs(db);
  const [tasks] = await Promise.all([agent.claim(Math.min(idleSeconds, 30)), sleep(idleSeconds * 1_000)]);
  const postgres = (await postgresCpuMs(db)) - postgresBefore;
  const { statements, cpuMs } = await readServerUsage(server);
  if (tasks.length > 0) throw new Error('an idle server had a task');
  return [
    { what: 'idle: statements/s', value: statements / idleSeconds, goal: 2 },
    { what: 'idle: server, ms of processor/s', value: cpuMs / idleSeconds, goal: 2 },
    { what: 'idle: PostgreSQL, ms of processor/s', value: postgres / idleSeconds, goal: 2 },
  ];
}

/**
 * Measures all housekeeping tasks at the same time, although most run only once an hour. They have nothing to
 * delete and no one to notify.
 */
async function measureHousekeeping({ db, server }: BenchWorld): Promise<Measured[]> {
  const times: number[] = [];
  await readServerUsage(server);
  for (let round = 0; round < rounds; round++) {
    const startedAt = performance.now();
    await sql`UPDATE housekeeping_tasks SET requested_seq = requested_seq + 1, due_at = pacekeeper_now()`.execute(
      db,
    );
    await sql`SELECT pg_notify('pacekeeper_wake', 'housekeeping_tasks')`.execute(db);
    await untilHousekeepingIsDone(db);
    times.push(performance.now() - startedAt);
  }
  return [{ what: 'housekeeping: every task once, ms', value: median(times), goal: 2 }];
}

/**
 * Measures the time from the result of a gather run with one new release until the configurations that use it
 * are evaluated.
 */
async function measureRelease(world: BenchWorld, agent: WaitingAgent): Promise<Measured[]> {
  const { db, server, api } = world;
  const [organizationId] = world.organizationIds as [number];
  // Skip the first job, because configurations with round numbers are inactive.
  const { rows } = await sql<{ id: number }>`
    SELECT id FROM gather_jobs WHERE organization_id = ${organizationId} ORDER BY id LIMIT 1 OFFSET 1`.execute(
    db,
  );
  const jobId = rows[0]!.id;
  const times: number[] = [];
  const statements: number[] = [];
  for (let round = -3; round < rounds; round++) {
    await api.call('runGatherJob', { path: { id: jobId } });
    const [task] = await agent.claim(10);
    if (task?.kind !== 'gather') throw new Error('no gather task came');
    const { task_id, lease_token } = task;
    await readServerUsage(server);
    const before = await readNow(db);
    const startedAt = performance.now();
    const tag = `9999.0.${round + 3}`;
    await agent.api.call('submitTaskResults', {
      path: { id: task_id },
      body: { lease_token, sequence: 1, items: [{ ...newRelease, tag }] },
    });
    await agent.api.call('completeTask', { path: { id: task_id }, body: { lease_token, parts: 1, summary } });
    await waitUntilNothingIsDue(db, 2);
    times.push(performance.now() - startedAt);
    statements.push((await readServerUsage(server)).statements);
    await ensureEvaluated(db, sql`gather_job_id = ${jobId}`, before, configsOfJob);
  }
  return [
    {
      what: `a release, to ${configsOfJob} configurations evaluated, ms`,
      value: median(times.slice(3)),
      goal: 2,
    },
    { what: 'a release: statements', value: median(statements.slice(3)), goal: 2 },
  ];
}

const newRelease = {
  app_version: null,
  released_at: '2026-01-01T00:00:00.000Z',
  is_prerelease: false,
  is_yanked: false,
  url: null,
  notes: null,
};
const summary = {
  not_modified: false,
  is_complete_list: false,
  validators: null,
  found: 1,
  skipped: 0,
  skipped_examples: [],
  requests: 1,
  waited_ms: 0,
};

/** Measures the time from `set-version` until the configuration that compares the version is evaluated. */
async function measureVersion(world: BenchWorld): Promise<Measured[]> {
  const { db, server, api } = world;
  const [organizationId] = world.organizationIds as [number];
  const { rows: jobs } = await sql<{ id: number; gather_job_id: number }>`
    SELECT s.id, c.gather_job_id FROM scrape_jobs s
    JOIN alert_configs c ON c.organization_id = s.organization_id AND c.scrape_job_id = s.id
    WHERE s.organization_id = ${organizationId} AND s.parser_type = 'manual' AND c.is_active
    ORDER BY s.id LIMIT 1`.execute(db);
  const { id, gather_job_id } = jobs[0]!;
  const { rows: versions } = await sql<{ version: string }>`
    SELECT version FROM releases
    WHERE organization_id = ${organizationId} AND gather_job_id = ${gather_job_id} AND NOT is_prerelease
    ORDER BY sort_key DESC NULLS LAST LIMIT 2 OFFSET 3`.execute(db);
  const times: number[] = [];
  const statements: number[] = [];
  for (let round = -3; round < rounds; round++) {
    const { version } = versions[Math.abs(round % 2)]!;
    await readServerUsage(server);
    const before = await readNow(db);
    const startedAt = performance.now();
    await api.call('setScrapeJobVersion', { path: { id }, body: { version } });
    await waitUntilNothingIsDue(db, 1);
    times.push(performance.now() - startedAt);
    statements.push((await readServerUsage(server)).statements);
    await ensureEvaluated(db, sql`scrape_job_id = ${id}`, before, 1);
  }
  return [
    { what: 'a version set, to its configuration evaluated, ms', value: median(times.slice(3)), goal: 2 },
    { what: 'a version set: statements', value: median(statements.slice(3)), goal: 2 },
  ];
}

async function readNow(db: Database): Promise<Date> {
  const { rows } = await sql<{ now: Date }>`SELECT pacekeeper_now() AS now`.execute(db);
  return rows[0]!.now;
}

async function ensureEvaluated(
  db: Database,
  where: ReturnType<typeof sql>,
  since: Date,
  count: number,
): Promise<void> {
  const { rows } = await sql<{ count: number }>`
    SELECT count(*) FROM alert_configs WHERE ${where} AND last_evaluated_at >= ${since.toISOString()}::timestamptz`.execute(
    db,
  );
  if (rows[0]!.count !== count)
    throw new Error(`${rows[0]!.count} of ${count} configurations were evaluated`);
}

async function measureLists(world: BenchWorld): Promise<Measured[]> {
  const measured = [];
  for (const id of lists) {
    const { path } = operations[id];
    measured.push(...(await measureRequest(world, `GET ${path}, ms`, 2, basePaths.client + path)));
  }
  return measured;
}

async function measureRequest(
  { url, token }: BenchWorld,
  what: string,
  goal: number | null,
  path: string,
  headers: Record<string, string> = { authorization: `Bearer ${token}` },
): Promise<Measured[]> {
  const times: number[] = [];
  // The first ten runs are a warm-up, because PostgreSQL plans a statement again for its first four runs on a
  // connection.
  for (let round = -10; round < rounds; round++) {
    const startedAt = performance.now();
    const { statusCode, body } = await request(url + path, { headers });
    await body.dump({ limit: 100_000_000 });
    if (statusCode !== 200) throw new Error(`${path} answered ${statusCode}`);
    times.push(performance.now() - startedAt);
  }
  return [{ what, value: median(times.slice(10)), goal }];
}

/**
 * Measures `POST /rules/evaluate` after increasing the revision of the releases, so that even the smallest
 * installation can't use the releases in its cache. The request ends after one minute; the background loop
 * evaluates the configurations that it didn't reach.
 */
async function measureEvaluation({ api, db }: BenchWorld): Promise<Measured[]> {
  const times: number[] = [];
  for (let round = 0; round < evaluations; round++) {
    await sql`UPDATE gather_jobs SET releases_revision = releases_revision + 1`.execute(db);
    await sql`VACUUM ANALYZE`.execute(db);
    const startedAt = performance.now();
    const { evaluated } = await api.call('evaluateRules', { timeoutMs: 120_000 });
    times.push((performance.now() - startedAt) / evaluated);
    await waitUntilNothingIsDue(db);
  }
  return [{ what: 'POST /rules/evaluate, µs for a configuration', value: median(times) * 1_000, goal: 1.5 }];
}

async function memoryOf({ server }: BenchWorld): Promise<number> {
  server.send('memory');
  const [memoryMb] = (await once(server, 'message')) as [number];
  return memoryMb;
}

const [role, databaseUrl, dataDir] = process.argv.slice(2);
if (role === 'server') await serveBench(databaseUrl!, dataDir!);
else await main();
