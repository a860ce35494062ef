/**
 * Measures the statements and the stored data that checks without changes cause: 1,200 gather jobs run hourly
 * for 30 simulated days. Completes the runs like an agent whose sources report no changes, in batches of 100.
 * Every statement of the schedule, the claims, and the completions is counted. Batches contain the checks that become
 * due within 4 s. Run with `node
 * benchmarks/unchanged-checks.bench.ts`; goals: at most 60 MB for runs, including indexes, and at most 0.1
 * statements and 1.1 row versions per check. A check writes the row of its job once. The first check of a day also has
 * a row in `runs`, and each claim has one. Complete lists, which are read once a day even without changes, aren't part
 * of the measurement.
 *
 * `BENCH_DAYS` and `BENCH_JOBS` set a shorter simulation. Autovacuum runs every second instead of every
 * minute, because an hour takes about a second.
 */
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import pg from 'pg';
import { describeTasksAcrossOrganizations } from '../src/modules/agents/agent-handlers.ts';
import { completeTasks } from '../src/modules/agents/complete-tasks.ts';
import { checkedJobKinds, jobKinds } from '../src/modules/agents/index.ts';
import {
  claimChecksAcrossOrganizations,
  claimRunsAcrossOrganizations,
  endExpiredClaimsAcrossOrganizations,
} from '../src/modules/runs/index.ts';
import {
  connectDatabase,
  type Database,
  migrateDatabase,
  startEmbeddedPostgres,
  transaction,
} from '../src/platform/database/index.ts';
import { createSilentLog } from '../src/platform/log.ts';
import { createDeliveryWorld } from '../tests/helpers/delivery-world.ts';

const days = Number(process.env['BENCH_DAYS'] ?? 30);
const jobCount = Number(process.env['BENCH_JOBS'] ?? 1_200);
const capabilities = ['gather:github_releases'];
/** Marks statements of the benchmark itself, which aren't counted. */
const probe = sql.raw('/* probe */');

/** The time at which the simulation starts. */
const firstHour = new Date(Math.ceil(Date.now() / 3_600_000) * 3_600_000).toISOString();
let statements = 0;
/** Number of executions by the start of each statement. */
const executions = new Map<string, number>();
const { prototype } = pg.Client;
const query: unknown = Reflect.get(prototype, 'query');
if (typeof query !== 'function') throw new Error('the driver has no query');
Reflect.set(prototype, 'query', function count(this: unknown, ...values: unknown[]): unknown {
  const [given] = values;
  const text = typeof given === 'object' && given !== null ? Reflect.get(given, 'text') : given;
  if (!String(text).includes('/* probe */')) countStatement(String(text));
  return Reflect.apply(query, this, values);
});

const folder = mkdtempSync(join(tmpdir(), 'pacekeeper-bench-'));
chmodSync(folder, 0o711);
const log = createSilentLog();
const postgres = await startEmbeddedPostgres({ dataDir: join(folder, 'data'), log });
const { connection } = postgres;
const db = await connectDatabase({ connection, log, poolSize: 4, statementTimeoutMs: 0 });
await migrateDatabase(db);
await sql`ALTER SYSTEM SET autovacuum_naptime = '1s'`.execute(db);
await sql`SELECT pg_reload_conf()`.execute(db);
const world = createDeliveryWorld({ db, connection, log });
const { wakeUps } = world;
const organizationId = await world.createOrganization();
const agent = { organizationId: 1, id: await createAgent(), kind: 'embedded' } as const;
const parts = { db, log };
await sql`
  INSERT INTO gather_jobs (organization_id, name, source_type, artifact_name, version_scheme, cron_expression,
    last_success_at, last_full_at, due_at)
  SELECT ${organizationId}, 'Tool ' || n, 'github_releases', 'github.com/acme/tool-' || n, 'auto', '@hourly',
    pacekeeper_now(), 'infinity', date_trunc('hour', pacekeeper_now()) + interval '1 hour'
  FROM generate_series(1, ${jobCount}::integer) n`.execute(db);
const loop = jobKinds.gather.startSchedules(parts);

const measured = [];
let checks = 0;
let batches = 0;
for (let hour = 1; hour <= days * 24; hour++) {
  if (hour === 25) {
    // The first day contains the first success of each job, so counting starts with the second day.
    await settle();
    statements = 0;
    executions.clear();
    checks = 0;
    batches = 0;
    measured.push(await countRowVersions());
  }
  // Jobs of the same hour are due within 30 seconds.
  for (let second = 0; second <= 32; second += 4) {
    await setTime(hour, second);
    if (second === 0) await sql`UPDATE agents SET last_heartbeat_at = pacekeeper_now() ${probe}`.execute(db);
    wakeUps.wake('gather_jobs');
    checks += await completeDueRuns();
  }
  await transaction(db, (tx) => endExpiredClaimsAcrossOrganizations(tx, checkedJobKinds, 1_000));
  if (hour % 240 === 0 || hour === days * 24) await report(hour / 24);
}
await settle();
const [before] = measured;
const after = await countRowVersions();
if (before !== undefined) {
  const per = (count: number) => Number((count / checks).toFixed(3));
  console.table([
    {
      checks,
      'statements per check': per(statements),
      'row versions per check': per(after.all - before.all),
      'of runs': per(after.runs - before.runs),
      'of claims': per(after.claims - before.claims),
      'of jobs': per(after.jobs - before.jobs),
    },
  ]);
  console.table(
    [...executions]
      .sort(([, one], [, other]) => other - one)
      .map(([statement, count]) => ({ statement, 'per batch': Number((count / batches).toFixed(2)) })),
  );
  console.log(`${(checks / batches).toFixed(1)} checks per batch`);
}
await loop.stop();
await world.close();
await db.destroy();
await postgres.stop();
rmSync(folder, { recursive: true, force: true });

function countStatement(text: string): void {
  statements += 1;
  const start = text.replaceAll(/\s+/g, ' ').trim().slice(0, 80);
  executions.set(start, (executions.get(start) ?? 0) + 1);
}

async function createAgent(): Promise<number> {
  const { rows } = await sql<{ id: number }>`
    INSERT INTO agents (organization_id, name, kind, hostname, version, capabilities, credential_names, last_heartbeat_at)
    VALUES (1, 'agent', 'embedded', 'bench', '1', ${[...capabilities]}, '{}', pacekeeper_now()) RETURNING id`.execute(
    db,
  );
  return rows[0]!.id;
}

/**
 * Stops the database clock at a time after the start of the first hour. It doesn't run between two times, because the
 * number of jobs that become due during a batch would then depend on the speed of the machine.
 */
async function setTime(hour: number, second: number): Promise<void> {
  await sql
    .raw(
      `/* probe */ CREATE OR REPLACE FUNCTION pacekeeper_now() RETURNS timestamptz LANGUAGE sql STABLE PARALLEL SAFE
       AS $$ SELECT timestamptz '${firstHour}' + interval '${hour} hours ${second} seconds' $$`,
    )
    .execute(db);
}

/** Completes the runs of an hour, and returns their number. */
async function completeDueRuns(): Promise<number> {
  let completed = 0;
  for (;;) {
    const wanted = { capabilities, max: 100 };
    const queued = await claimRunsAcrossOrganizations(db, agent, wanted);
    const checks = await claimChecksAcrossOrganizations(db, checkedJobKinds, agent, wanted);
    const runs = [...queued, ...checks];
    if (runs.length === 0) {
      statements -= 2;
      if (await isAllRun(db)) return completed;
      await sleep(5);
      continue;
    }
    batches += 1;
    const tasks = await describeTasksAcrossOrganizations(db, runs);
    const { lost, refused } = await completeTasks(
      { db, onRun: () => {}, findVersions: () => Promise.reject(new Error('no releases')) },
      agent,
      tasks.map(({ task_id, lease_token }) => ({
        task_id,
        lease_token,
        summary: {
          not_modified: true,
          is_complete_list: false,
          validators: null,
          found: 0,
          skipped: 0,
          skipped_examples: [],
          requests: 1,
          waited_ms: 0,
        },
      })),
    );
    if (lost.length > 0 || refused.length > 0)
      throw new Error(
        `a completion was rejected: ${lost.length} lost, ${JSON.stringify(refused[0])}, ${runs.length} of ${queued.length} queued`,
      );
    completed += tasks.length;
  }
}

async function isAllRun(db: Database): Promise<boolean> {
  const { rows } = await sql<{ is_over: boolean }>`
    SELECT ${probe} NOT EXISTS (SELECT FROM gather_jobs WHERE due_at <= pacekeeper_now())
      AND NOT EXISTS (SELECT FROM runs WHERE status IN ('queued', 'in_progress')) AS is_over`.execute(db);
  return rows[0]!.is_over;
}

/** Returns the number of rows inserted or updated so far. */
async function countRowVersions(): Promise<{ all: number; runs: number; jobs: number; claims: number }> {
  const { rows } = await sql<{ all: number; runs: number; jobs: number; claims: number }>`
    SELECT ${probe} sum(n_tup_ins + n_tup_upd)::float8 AS all,
      (sum(n_tup_ins + n_tup_upd) FILTER (WHERE relname = 'runs'))::float8 AS runs,
      (sum(n_tup_ins + n_tup_upd) FILTER (WHERE relname = 'gather_jobs'))::float8 AS jobs,
      (sum(n_tup_ins + n_tup_upd) FILTER (WHERE relname = 'check_claims'))::float8 AS claims
    FROM pg_stat_user_tables`.execute(db);
  return rows[0]!;
}

/** Waits until the statistics are complete: idle sessions add their counts only after 10 s. */
async function settle(): Promise<void> {
  await sleep(11_000);
}

async function report(day: number): Promise<void> {
  const { rows } = await sql<{ table: number; indexes: number; rows: number; counted: number }>`
    SELECT ${probe} pg_table_size('runs')::float8 AS table, pg_indexes_size('runs')::float8 AS indexes,
      count(*)::integer AS rows, (sum(checks) + (SELECT sum(counted_checks) FROM gather_jobs))::integer AS counted FROM runs`.execute(
    db,
  );
  const [size] = rows;
  console.table([
    {
      day,
      'runs counted': size!.counted,
      rows: size!.rows,
      'table, MB': Number((size!.table / 1e6).toFixed(1)),
      'indexes, MB': Number((size!.indexes / 1e6).toFixed(1)),
      'in all, MB': Number(((size!.table + size!.indexes) / 1e6).toFixed(1)),
    },
  ]);
}
