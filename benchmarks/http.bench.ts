/**
 * Measures the API over HTTP, compared with bare handlers of the same HTTP library: a list of 50 rows,
 * `set-version`, and the path from `set-version` to the webhook. The servers and the client run in separate
 * processes. Run with `node benchmarks/http.bench.ts`; goals: lists reach 0.8 of the requests per second of
 * the bare handler, `set-version` reaches 0.7 of a bare handler that runs one insert and one update in a
 * transaction, and the path to the webhook takes at most 5 (p50) and 20 (p99) times as long as one POST on
 * loopback and three commits.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { fastify } from 'fastify';
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

const connections = 20;
const secondsEach = 4;
const rounds = Number(process.env['BENCH_ROUNDS'] ?? 3);
const setsToWebhook = 300;

async function main() {
  const folder = mkdtempSync(join(tmpdir(), 'pacekeeper-bench-'));
  chmodSync(folder, 0o711);
  const log = createSilentLog();
  const postgres = await startEmbeddedPostgres({ dataDir: join(folder, 'data'), log });
  const children: ChildProcess[] = [];
  const start = async (role: string) => {
    const execArgv =
      process.env['BENCH_PROFILE'] === role
        ? ['--cpu-prof', '--cpu-prof-dir', process.env['BENCH_PROFILE_DIR'] ?? '.']
        : [];
    const child = fork(fileURLToPath(import.meta.url), [role, JSON.stringify(postgres.connection), folder], {
      execArgv,
    });
    children.push(child);
    const failed = once(child, 'exit').then(() =>
      Promise.reject(new Error(`the process ${role} did not start`)),
    );
    const [{ port }] = (await Promise.race([once(child, 'message'), failed])) as [{ port: number }];
    failed.catch(() => undefined);
    return `http://127.0.0.1:${port}`;
  };
  try {
    const ours = await start('server');
    const bare = await start('bare');
    const db = await connectDatabase({ connection: postgres.connection, log, poolSize: 2 });
    const world = await fill(db, ours);
    const rows = [];
    for (let round = 1; round <= rounds; round++) {
      rows.push(
        await compare(
          'list of 50 rules',
          0.8,
          [ours, '/api/v1/client/rules?limit=50'],
          [bare, `/rules/${world.organizationId}`],
          world,
        ),
      );
      rows.push(
        await compare(
          'list of 50 alert configurations',
          0.8,
          [ours, '/api/v1/client/alert-configs?limit=50'],
          [bare, `/configs/${world.organizationId}`],
          world,
        ),
      );
      rows.push(
        await compare(
          'set-version',
          0.7,
          [ours, '/api/v1/client/scrape-jobs/JOB/set-version'],
          [bare, `/set/${world.organizationId}/JOB`],
          world,
          'POST',
        ),
      );
    }
    console.table(rows);
    console.table(await wayToWebhook(db, ours, world));
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

interface World {
  organizationId: number;
  apiKey: string;
  gatherJobId: number;
  /**
   * IDs of one scrape job per connection. Versions of the same job are written one at a time, so connections that share
   * a job would block each other.
   */
  scrapeJobIds: number[];
  /**
   * IDs of the jobs of the bare handler. They are separate because the rows that it adds are never removed
   * and would distort the measurement.
   */
  bareJobIds: number[];
}

async function fill(db: Database, url: string): Promise<World> {
  const login = { email: 'owner@example.org', password: 'a password for benchmarks' };
  const { organizationId } = await createOrganization(db, { name: 'Bench', owner: login });
  const { access_token } = await createApiClient({ baseUrl: url }).call('login', { body: login });
  const owner = createApiClient({ baseUrl: url, token: access_token });
  const { key } = await owner.call('createAPIKey', { body: { name: 'bench', role: 'admin' } });
  const scrapeJobIds: number[] = [];
  while (scrapeJobIds.length < connections) {
    scrapeJobIds.push(
      (await owner.call('createScrapeJob', { body: { name: 'by hand', parser_type: 'manual' } })).id,
    );
  }
  const { rows: bareJobs } = await sql<{ id: number }>`
    INSERT INTO scrape_jobs (organization_id, name, parser_type)
    SELECT ${organizationId}, 'bare', 'manual' FROM generate_series(1, ${connections}::integer) RETURNING id`.execute(
    db,
  );
  // Simulate jobs that have run for some weeks: each has the hundred versions that retention keeps.
  await sql`
    INSERT INTO versions (organization_id, scrape_job_id, version, raw_version, version_transform, source, is_change)
    SELECT ${organizationId}, id, n || '.0.0', n || '.0.0', 'none', 'manual', true
    FROM generate_series(1, 100) n, unnest(${[...scrapeJobIds, ...bareJobs.map(({ id }) => id)]}::bigint[]) AS id`.execute(
    db,
  );
  await sql`
    UPDATE scrape_jobs SET latest_version = '100.0.0'
    WHERE organization_id = ${organizationId}`.execute(db);
  const source = {
    name: 'web',
    source_type: 'github_releases',
    artifact_name: 'github.com/acme/web',
    is_active: false,
  } as const;
  const gatherJob = await owner.call('createGatherJob', { body: source });
  await sql`
    INSERT INTO releases (organization_id, gather_job_id, tag, version, released_at, is_prerelease)
    SELECT ${organizationId}, ${gatherJob.id}, n || '.0.0', n || '.0.0', pacekeeper_now(), false FROM generate_series(1, 3) n`.execute(
    db,
  );
  await sql`UPDATE gather_jobs SET releases_revision = releases_revision + 1 WHERE id = ${gatherJob.id}`.execute(
    db,
  );
  await sql`
    INSERT INTO rules (organization_id, name, rule_type, threshold_moderate)
    SELECT ${organizationId}, 'Rule ' || n, 'days_behind', 30 FROM generate_series(1, 500) n`.execute(db);
  await sql`
    WITH job AS (INSERT INTO scrape_jobs (organization_id, name, parser_type) VALUES (${organizationId}, 'other', 'manual') RETURNING id)
    INSERT INTO alert_configs (organization_id, name, scrape_job_id, gather_organization_id, gather_job_id, rule_id, requested_seq, due_at)
    SELECT ${organizationId}, 'Configuration ' || rules.id, job.id, ${organizationId}, ${gatherJob.id}, rules.id, 0, 'infinity'
    FROM rules, job WHERE organization_id = ${organizationId}`.execute(db);
  await sql`VACUUM ANALYZE`.execute(db);
  return {
    organizationId,
    apiKey: key,
    gatherJobId: gatherJob.id,
    scrapeJobIds,
    bareJobIds: bareJobs.map(({ id }) => id),
  };
}

type Target = [url: string, path: string];

async function compare(
  what: string,
  goal: number,
  ours: Target,
  bare: Target,
  world: World,
  method: 'GET' | 'POST' = 'GET',
) {
  // Measure the server and the bare handler right after each other, so that other load on the machine affects
  // both.
  const [oursPerSecond, barePerSecond] = [
    await measure(ours, world.apiKey, world.scrapeJobIds, method),
    await measure(bare, world.apiKey, world.bareJobIds, method),
  ];
  return {
    what,
    'ours, requests/s': Math.round(oursPerSecond),
    'bare, requests/s': Math.round(barePerSecond),
    ratio: Number((oursPerSecond / barePerSecond).toFixed(2)),
    goal,
  };
}

async function measure(
  [url, path]: Target,
  apiKey: string,
  jobIds: readonly number[],
  method: 'GET' | 'POST',
): Promise<number> {
  const pool = new Pool(url, { connections, pipelining: 1 });
  const headers = { 'x-api-key': apiKey, ...(method === 'POST' && { 'content-type': 'application/json' }) };
  const run = async (seconds: number) => {
    const endsAt = performance.now() + seconds * 1_000;
    let count = 0;
    const client = async (jobId: number) => {
      const ownPath = path.replace('JOB', String(jobId));
      while (performance.now() < endsAt) {
        const body = method === 'POST' ? JSON.stringify({ version: `1.${count % 9}.0` }) : null;
        const answer = await pool.request({ path: ownPath, method, headers, body });
        await answer.body.dump();
        if (answer.statusCode !== 200) throw new Error(`${path} answered ${answer.statusCode}`);
        count += 1;
      }
    };
    await Promise.all(jobIds.map(client));
    return count / seconds;
  };
  await run(1);
  const perSecond = await run(secondsEach);
  await pool.close();
  return perSecond;
}

/**
 * Measures the time from the call to `set-version` until the webhook arrives, with sequential calls on an
 * otherwise idle server.
 */
async function wayToWebhook(db: Database, ours: string, world: World) {
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
  const [scrapeJobId] = world.scrapeJobIds as [number];
  const api = createApiClient({ baseUrl: ours, apiKey: world.apiKey });
  const channel = await api.call('createNotificationChannel', { body: { name: 'inbox', url } });
  await api.call('updateNotificationSettings', { body: { default_channel_id: channel.id } });
  const rule = await api.call('createRule', {
    body: { name: 'Majors', rule_type: 'majors_behind', thresholds: { high: 1 } },
  });
  await api.call('createAlertConfig', {
    body: { name: 'web', scrape_job_id: scrapeJobId, gather_job_id: world.gatherJobId, rule_id: rule.id },
  });
  // Every call in the loop must change the state, so start with an up-to-date version and an empty queue of
  // deliveries.
  await api.call('setScrapeJobVersion', { path: { id: scrapeJobId }, body: { version: '3.0.0' } });
  await sleep(3_000);

  const oursMs: number[] = [];
  const pool = new Pool(ours, { connections: 1 });
  const path = `/api/v1/client/scrape-jobs/${scrapeJobId}/set-version`;
  const headers = { 'x-api-key': world.apiKey, 'content-type': 'application/json' };
  for (let count = 0; count < setsToWebhook; count++) {
    // The version alternates between behind and up to date, so an alert is created and then resolved, and
    // each change sends a webhook.
    const { promise, resolve } = Promise.withResolvers<void>();
    arrived = resolve;
    const startedAt = performance.now();
    const answer = await pool.request({
      path,
      method: 'POST',
      headers,
      body: JSON.stringify({ version: count % 2 === 0 ? '1.0.0' : '3.0.0' }),
    });
    await answer.body.dump();
    await Promise.race([
      promise,
      sleep(10_000, undefined, { ref: false }).then(() => Promise.reject(new Error('no webhook came'))),
    ]);
    oursMs.push(performance.now() - startedAt);
    await sleep(40);
  }
  await pool.close();

  const bareMs: number[] = [];
  const hook = new Pool(new URL(url).origin, { connections: 1 });
  for (let count = 0; count < setsToWebhook; count++) {
    const startedAt = performance.now();
    const answer = await hook.request({ path: '/', method: 'POST', body: 'x'.repeat(900) });
    await answer.body.dump();
    await commits(db, world, 3);
    bareMs.push(performance.now() - startedAt);
    await sleep(10);
  }
  await hook.close();
  inbox.closeAllConnections();
  inbox.close();
  return [0.5, 0.99].map((share) => ({
    what: `set-version to webhook, p${share * 100}`,
    'ours, ms': Number(quantile(oursMs, share).toFixed(1)),
    'one POST and three commits, ms': Number(quantile(bareMs, share).toFixed(1)),
    ratio: Number((quantile(oursMs, share) / quantile(bareMs, share)).toFixed(1)),
    goal: share === 0.5 ? 5 : 20,
  }));
}

async function commits(db: Database, { organizationId, bareJobIds }: World, count: number): Promise<void> {
  for (let n = 0; n < count; n++) {
    await db.transaction().execute((tx) =>
      sql`
        INSERT INTO versions (organization_id, scrape_job_id, version, raw_version, version_transform, source, is_change)
        VALUES (${organizationId}, ${bareJobIds[0]}, '1', '1', 'none', 'manual', true)`.execute(tx),
    );
  }
}

function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]!;
}

async function serveOurs(connection: PostgresAddress, folder: string) {
  const config = readConfig({
    PORT: '0',
    DATABASE_URL: databaseUrl(connection),
    PACEKEEPER_SECRET_KEY: randomBytes(32).toString('base64'),
    PACEKEEPER_DATA_DIR: join(folder, 'server'),
    PACEKEEPER_REFERENCE_DATA: 'off',
    PACEKEEPER_EGRESS_ALLOW: '127.0.0.1/32',
    PACEKEEPER_ALLOW_HTTP_WEBHOOKS: 'true',
    PACEKEEPER_EMBEDDED_AGENT: 'false',
    PACEKEEPER_RATE_LIMIT_PER_MINUTE: '10000000',
  });
  const server = await startServer(config, createLog({ level: 'error', format: null }));
  process.send?.({ port: Number(new URL(server.url).port) });
  process.once('SIGTERM', () => void server.stop().then(() => process.exit(0)));
}

const rulesStatement = `
  SELECT id, name, description, rule_type, threshold_moderate, threshold_high, threshold_critical, stable_only, days_basis,
    min_release_age_days, is_active, created_at, updated_at,
    (SELECT count(*) FROM alert_configs c WHERE c.organization_id = rules.organization_id AND c.rule_id = rules.id) AS alert_config_count
  FROM rules WHERE organization_id = $1 ORDER BY created_at DESC, id DESC LIMIT $2 OFFSET $3`;
const configsStatement = `
  SELECT c.id, c.name, c.scrape_job_id, s.name AS scrape_job_name, c.gather_job_id, g.name AS gather_job_name, c.rule_id,
    r.name AS rule_name, c.labels, c.candidate_pattern, c.ignored_versions, c.is_active, c.state, c.state_reason, c.severity,
    c.deployed_version, c.latest_version, c.latest_stable_version, c.behind_by, c.behind_since, c.last_evaluated_at, c.due_at,
    a.id AS active_alert_id, c.created_at, c.updated_at
  FROM alert_configs c
  JOIN scrape_jobs s ON s.organization_id = c.organization_id AND s.id = c.scrape_job_id
  JOIN gather_jobs g ON g.organization_id = c.gather_organization_id AND g.id = c.gather_job_id
  JOIN rules r ON r.organization_id = c.organization_id AND r.id = c.rule_id
  LEFT JOIN alerts a ON a.organization_id = c.organization_id AND a.alert_config_id = c.id AND a.resolved_at IS NULL
  WHERE c.organization_id = $1 ORDER BY c.created_at DESC, c.id DESC LIMIT $2 OFFSET $3`;

async function serveBare(connection: PostgresAddress) {
  const pool = new pg.Pool({ ...connection, max: 10 });
  const app = fastify();
  const list =
    (statement: string, table: string) =>
    async ({ params }: { params: unknown }) => {
      const { id } = params as { id: string };
      const items = await pool.query(statement, [id, 50, 0]);
      const counted = await pool.query(
        `SELECT count(*) AS total FROM (SELECT 1 FROM ${table} WHERE organization_id = $1 LIMIT 10001) AS counted`,
        [id],
      );
      return { items: items.rows, total: Number(counted.rows[0].total), limit: 50, offset: 0 };
    };
  app.get('/rules/:id', list(rulesStatement, 'rules'));
  app.get('/configs/:id', list(configsStatement, 'alert_configs'));
  app.post('/set/:organization/:job', async ({ params, body }) => {
    const { organization, job } = params as { organization: string; job: string };
    const { version } = body as { version: string };
    const client = await pool.connect();
    try {
      await client.query('BEGIN');
      const { rows } = await client.query(
        `INSERT INTO versions (organization_id, scrape_job_id, version, raw_version, version_transform, source, is_change)
         VALUES ($1, $2, $3, $3, 'none', 'manual', true) RETURNING *`,
        [organization, job, version],
      );
      await client.query(
        `UPDATE scrape_jobs SET latest_version = $3, latest_version_at = now() WHERE organization_id = $1 AND id = $2`,
        [organization, job, version],
      );
      await client.query('COMMIT');
      return rows[0];
    } finally {
      client.release();
    }
  });
  await app.listen({ host: '127.0.0.1', port: 0 });
  process.send?.({ port: (app.server.address() as AddressInfo).port });
  process.once('SIGTERM', () => process.exit(0));
}

const [role, connection, folder] = process.argv.slice(2);
if (role === 'server') await serveOurs(JSON.parse(connection!) as PostgresAddress, folder!);
else if (role === 'bare') await serveBare(JSON.parse(connection!) as PostgresAddress);
else await main();
