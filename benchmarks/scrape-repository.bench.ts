/**
 * Measures a thousand scrape jobs on one repository, compared with a single scrape job, each with an empty
 * cache. Measures the work of the agent (fetch, find, read, parse) and the whole path from the claim to the
 * stored versions. git's `http-backend` serves the repository and reports the number of object fetches. Run
 * with `node benchmarks/scrape-repository.bench.ts`; goal: at most three times the time of the single job,
 * and no more fetches.
 *
 * Last table (2 cores shared with other processes, load 2.5). One of the two fetches gets the commit with its
 * directories, the other all files of the jobs. The agent alone starts its sandbox each time, while the
 * sandbox of the service is already running:
 *
 * | what | jobs | ms | ratio | cpu ms | fetches | requests | statements | transactions |
 * |-------------------------|------:|----:|------:|-------:|--------:|---------:|-----------:|-------------:|
 * | the agent | 1 | 241 | 1.0 | 49 | 2 | 5 | 0 | 0 |
 * | the agent | 1,000 | 442 | 1.8 | 133 | 2 | 5 | 0 | 0 |
 * | claim to stored version | 1 | 152 | 1.0 | 88 | 2 | 5 | 14 | 1 |
 * | claim to stored version | 1,000 | 616 | 4.0 | 467 | 2 | 5 | 88 | 10 |
 */

import { randomBytes } from 'node:crypto';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { createAgentComponents } from '../src/agent/agent-parts.ts';
import type { HeldTask, TaskOf } from '../src/agent/agent-task.ts';
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
import { localNetwork } from '../tests/helpers/local-network.ts';
import { type GitServer, startGitServer } from '../tests/helpers/upstreams/git-server.ts';

const jobCount = 1_000;
const fileOf = (index: number) => `apps/team-${index % 40}/app-${index}/values.yaml`;

interface Measured {
  ms: number;
  /**
   * CPU time of this process, which contains the server, the agent, and the front end of the git server, but
   * not git and PostgreSQL.
   */
  'cpu ms': number;
  fetches: number;
  requests: number;
  /** Number of statements that the server executed, including those of its loops. */
  statements: number;
  transactions: number;
}

/** Number of statements and transactions that the server has sent to PostgreSQL. */
const said = { statements: 0, transactions: 0 };

function onStatement(text: string): void {
  said.statements += 1;
  if (/^begin/i.test(text)) said.transactions += 1;
}

async function main() {
  const folder = mkdtempSync(join(tmpdir(), 'pacekeeper-bench-'));
  chmodSync(folder, 0o711);
  const git = await startGitServer();
  const log = createSilentLog();
  const postgres = await startEmbeddedPostgres({ dataDir: join(folder, 'data'), log });
  const db = await connectDatabase({ connection: postgres.connection, log, poolSize: 2 });
  try {
    const { url } = makeRepository(git, 'mono.git');
    const rows: Record<string, string | number>[] = [];
    const compare = async (what: string, measure: (count: number) => Promise<Measured>) => {
      await measure(1);
      const [one, all] = [await measure(1), await measure(jobCount)];
      for (const [jobs, { ms, 'cpu ms': cpuMs, ...counts }] of [
        [1, one] as const,
        [jobCount, all] as const,
      ]) {
        const ratio = Number((ms / one.ms).toFixed(1));
        rows.push({
          what,
          jobs,
          ms: Math.round(ms),
          ratio,
          'cpu ms': Math.round(cpuMs),
          'cpu ratio': Number((cpuMs / one['cpu ms']).toFixed(1)),
          ...counts,
          load: Number(loadavg()[0]!.toFixed(1)),
        });
      }
    };
    await compare('the agent', (count) => measureAgent(git, url, count, folder));
    const service = await startService(db, postgres.connection, folder, git);
    await compare('claim to stored version', (count) => service.measure(count));
    await service.stop();
    console.table(rows);
  } finally {
    await db.destroy();
    await postgres.stop();
    await git.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

function makeRepository(git: GitServer, name: string) {
  const repository = git.createRepository(name);
  const files = Array.from({ length: jobCount }, (_, index) => [
    fileOf(index),
    `image:\n  tag: 1.${index}.0\nreplicas: ${index}\n`,
  ]);
  repository.commit(Object.fromEntries(files) as Record<string, string>);
  return repository;
}

async function watch(git: GitServer, work: () => Promise<void>): Promise<Measured> {
  const [fetches, requests] = [git.fetches(), git.requests.length];
  const { statements, transactions } = said;
  const cpu = process.cpuUsage();
  const startedAt = performance.now();
  await work();
  const ms = performance.now() - startedAt;
  const { user, system } = process.cpuUsage(cpu);
  return {
    ms,
    'cpu ms': (user + system) / 1_000,
    fetches: git.fetches() - fetches,
    requests: git.requests.length - requests,
    statements: said.statements - statements,
    transactions: said.transactions - transactions,
  };
}

/** Measures the agent with in-memory tasks, whose results are checked but not stored. */
async function measureAgent(git: GitServer, url: string, count: number, folder: string): Promise<Measured> {
  const settings = { ...localNetwork, dataDir: mkdtempSync(join(folder, 'agent-')), version: '0.1.0' };
  const parts = createAgentComponents(settings, [], createSilentLog());
  let versions = 0;
  const tasks = Array.from({ length: count }, (_, index): HeldTask<TaskOf<'scrape'>> => {
    const spec = {
      scrape_job_id: index + 1,
      repository_url: url,
      ref: 'HEAD',
      target_file: fileOf(index),
      parser_type: 'yq' as const,
      parse_expression: '.image.tag',
      version_transform: 'none' as const,
      credential_name: null,
    };
    const head = { task_id: index + 1, organization_id: 2, lease_token: 'a', lease_expires_at: '' };
    return {
      task: { ...head, kind: 'scrape', spec },
      signal: new AbortController().signal,
      ended: Promise.resolve(),
      limitTime: () => {},
      listPackages: () => Promise.reject(new Error('no reference task')),
      listCves: () => Promise.reject(new Error('no reference task')),
      findMissingRecords: () => Promise.reject(new Error('no reference task')),
      sendPart: async () => {},
      async complete(_summary, whole) {
        if (whole?.item?.raw_version === `1.${index}.0`) versions += 1;
      },
      async fail(error) {
        throw error;
      },
    };
  });
  const measured = await watch(git, () => parts.runners.runGroup(tasks));
  await parts.close();
  if (versions !== count) throw new Error(`${versions} of ${count} versions were found`);
  return measured;
}

async function startService(db: Database, connection: PostgresAddress, folder: string, git: GitServer) {
  const config = readConfig({
    PORT: '0',
    DATABASE_URL: databaseUrl(connection),
    PACEKEEPER_SECRET_KEY: randomBytes(32).toString('base64'),
    PACEKEEPER_DATA_DIR: join(folder, 'server'),
    PACEKEEPER_REFERENCE_DATA: 'off',
    PACEKEEPER_EGRESS_ALLOW: localNetwork.egressAllow.join(','),
    PACEKEEPER_INSECURE_HOSTS: localNetwork.insecureHosts.join(','),
    PACEKEEPER_RATE_LIMIT_PER_MINUTE: '0',
  });
  const server = await startServer(config, createLog({ level: 'error', format: null }), { onStatement });
  const login = { email: 'owner@example.org', password: 'a password for benchmarks' };
  const { organizationId } = await createOrganization(db, { name: 'Bench', owner: login });
  const { access_token } = await createApiClient({ baseUrl: server.url }).call('login', { body: login });
  const owner = createApiClient({ baseUrl: server.url, token: access_token });
  const { key } = await owner.call('createAPIKey', { body: { name: 'bench', role: 'admin' } });
  const api = createApiClient({ baseUrl: server.url, apiKey: key });
  let repositories = 0;

  return {
    stop: () => server.stop(),
    /** Measures jobs on a new repository, so that no data is cached from a previous measurement. */
    async measure(count: number): Promise<Measured> {
      const { url } = makeRepository(git, `service-${repositories++}.git`);
      await sql`
        WITH jobs AS (
          INSERT INTO scrape_jobs (organization_id, name, parser_type, repository_url, ref, target_file, parse_expression)
          SELECT ${organizationId}, 'app', 'yq', ${url}, 'HEAD', file, '.image.tag'
          FROM unnest(${Array.from({ length: count }, (_, index) => fileOf(index))}::text[]) AS file RETURNING id
        )
        INSERT INTO runs (organization_id, kind, scrape_job_id, trigger, capability, due_at)
        SELECT ${organizationId}, 'scrape', id, 'schedule', 'scrape', pacekeeper_now() + interval '1 hour' FROM jobs`.execute(
        db,
      );
      return watch(git, async () => {
        await sql`
          WITH due AS (UPDATE runs SET due_at = pacekeeper_now() WHERE status = 'queued' RETURNING 1)
          SELECT pg_notify('pacekeeper_wake', 'runs') FROM (SELECT count(*) FROM due) AS counted`.execute(db);
        for (;;) {
          const { rows } = await sql<{ open: number; failed: number }>`
            SELECT count(*) FILTER (WHERE status IN ('queued', 'in_progress')) AS open,
              count(*) FILTER (WHERE status = 'failed') AS failed FROM runs`.execute(db);
          if (rows[0]!.failed > 0) throw new Error(`${rows[0]!.failed} runs failed`);
          if (rows[0]!.open === 0) break;
          await sleep(10);
        }
        await api.call('listVersions', {});
      });
    },
  };
}

await main();
