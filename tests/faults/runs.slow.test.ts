import { rmSync, writeFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { createTestDatabase } from '../helpers/database.ts';
import { isLong } from '../helpers/long-tests.ts';
import type { RunningProgram } from '../helpers/run-program.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';
import { startFakeGithub } from '../helpers/upstreams/fake-github.ts';
import { hasGitHttpBackend, startGitServer } from '../helpers/upstreams/git-server.ts';
import type { UpstreamServer } from '../helpers/upstreams/upstream-server.ts';
import { createControlledAgent, rejectionStatus } from '../pipeline/pipeline-world.ts';
import {
  clientOf,
  createKey,
  createRandom,
  createSharedClock,
  freePort,
  reportCounts,
  sharedDatabaseEnvironment,
  startProgram,
  startServerProcess,
  until,
} from './fault-world.ts';

const gatherCount = isLong ? 350 : 40;
const scrapeCount = hasGitHttpBackend ? (isLong ? 150 : 20) : 0;
const agentKills = isLong ? 40 : 5;
/** Lease duration: the minimum that the setting allows. */
const leaseSeconds = 15;

const { db, connection } = await createTestDatabase();
const env = sharedDatabaseEnvironment(connection);
const clock = createSharedClock(db);
const random = createRandom('runs');
const folder = temporaryFolder();
const github = await startFakeGithub();
const git = hasGitHttpBackend ? await startGitServer() : null;
afterAll(async () => {
  await Promise.all([github.close(), git?.close()]);
  rmSync(folder, { recursive: true, force: true });
});
const ports = [await freePort(), await freePort()];
const servers = await Promise.all(ports.map((port) => startServerProcess({ ...env, PORT: String(port) })));
const { organizationId, apiKey } = await createKey(db, servers[0]!);
const api = clientOf(servers[0]!, apiKey);
await api.call('putOrgOverride', { path: { key: 'task.max_attempts' }, body: { value: 20 } });
await api.call('putOrgOverride', { path: { key: 'task.lease_seconds' }, body: { value: leaseSeconds } });

const started = new Set<RunningProgram>();
afterEach(async () => {
  for (const agent of started) {
    agent.process.kill('SIGKILL');
    await agent.exited;
  }
  started.clear();
});

/** Starts a remote agent in a separate process. Its data directory survives the process. */
async function startAgent(name: string): Promise<RunningProgram> {
  const file = path.join(folder, `${name}.yaml`);
  writeFileSync(file, `name: ${name}\n`);
  const program = startProgram(['agent', '--config', file], {
    PACEKEEPER_SERVER_URL: servers[name.length % 2]!.url,
    PACEKEEPER_API_KEY: apiKey,
    PACEKEEPER_DATA_DIR: path.join(folder, name),
    PACEKEEPER_EGRESS_ALLOW: '127.0.0.1/32',
    PACEKEEPER_INSECURE_HOSTS: '127.0.0.1',
    PACEKEEPER_LOG_LEVEL: 'info',
  });
  started.add(program);
  await program.waitForOutput(/agent ready/);
  return program;
}

/** Delays all responses of an upstream, so that requests are in flight at any moment. */
function delay(upstream: UpstreamServer, delayMs: () => number): void {
  const waited = new WeakSet<IncomingMessage>();
  upstream.intercept = (request, response) => {
    if (waited.has(request)) return false;
    waited.add(request);
    const server: unknown = Reflect.get(request.socket, 'server');
    if (!(server && typeof server === 'object' && 'emit' in server && typeof server.emit === 'function'))
      return false;
    setTimeout(
      () => Reflect.apply(server.emit as () => void, server, ['request', request, response]),
      delayMs(),
    );
    return true;
  };
}

/** Counts the open runs and the jobs that are due, including those that an agent checks. */
async function countOpenRuns(): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    SELECT ((SELECT count(*) FROM runs
        WHERE organization_id = ${organizationId} AND status IN ('queued', 'in_progress'))
      + (SELECT count(*) FROM gather_jobs
        WHERE organization_id = ${organizationId} AND due_at <= pacekeeper_now()))::integer AS count`.execute(
    db,
  );
  return rows[0]!.count;
}

/**
 * Returns the state of all open runs and checks as text. It changes with every claim, renewal, and completion, and is
 * empty when all of them have ended.
 */
async function openRuns(): Promise<string> {
  const { rows } = await sql<{ run: string }>`
    SELECT concat_ws(' ', id, status, attempt, lease_until) AS run FROM runs
    WHERE organization_id = ${organizationId} AND status IN ('queued', 'in_progress')
    UNION ALL
    SELECT concat_ws(' ', 'due', jobs.id, (SELECT max(run_ids) FROM check_claims WHERE jobs.id = ANY(job_ids))) FROM gather_jobs AS jobs
    WHERE jobs.organization_id = ${organizationId} AND jobs.due_at <= pacekeeper_now()
    ORDER BY run`.execute(db);
  return rows.map(({ run }) => run).join('\n');
}

/** Returns the names of agents with runs in progress. Killing an idle agent would prove little. */
async function busyAgents(): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    SELECT name FROM agents
    WHERE organization_id = ${organizationId} AND (
      id IN (SELECT agent_id FROM runs WHERE organization_id = ${organizationId} AND status = 'in_progress')
      OR id IN (
        SELECT claim.agent_id FROM check_claims AS claim
        JOIN gather_jobs AS jobs ON jobs.id = ANY(claim.job_ids) AND jobs.due_at <= pacekeeper_now()))
    ORDER BY name`.execute(db);
  return rows.map(({ name }) => name);
}

/**
 * Checks that each job has this number of runs, that all of them succeeded, and that each was applied once: a
 * scrape job has one stored version per run.
 */
async function checkAppliedOnce(
  runs: number,
  scrapeRuns = runs,
): Promise<{ runs: number; repeated: number; releases: number; versions: number }> {
  const { rows } = await sql<{
    job: string;
    runs: number;
    expected: number;
    succeeded: number;
    again: number;
  }>`
    SELECT kind || coalesce(gather_job_id, scrape_job_id) AS job, count(*)::integer AS runs,
      CASE kind WHEN 'gather' THEN ${runs}::integer ELSE ${scrapeRuns}::integer END AS expected,
      count(*) FILTER (WHERE status = 'succeeded')::integer AS succeeded,
      count(*) FILTER (WHERE attempt > 1)::integer AS again
    FROM runs WHERE organization_id = ${organizationId} GROUP BY kind, 1`.execute(db);
  expect(rows).toHaveLength(gatherCount + scrapeCount);
  expect(rows.filter((row) => row.runs !== row.expected || row.succeeded !== row.expected)).toEqual([]);
  const { rows: gathered } = await sql<{ id: number; release_count: number; stored: number; added: number }>`
    SELECT id, release_count,
      (SELECT count(*)::integer FROM releases
        WHERE releases.organization_id = gather_jobs.organization_id AND gather_job_id = gather_jobs.id) AS stored,
      (SELECT sum((summary->>'added')::integer)::integer FROM runs
        WHERE runs.organization_id = gather_jobs.organization_id AND gather_job_id = gather_jobs.id) AS added
    FROM gather_jobs WHERE organization_id = ${organizationId}`.execute(db);
  const expected = releasesOf(0, runs).length;
  expect(
    gathered.filter(
      (job) => job.release_count !== expected || job.stored !== expected || job.added !== expected,
    ),
  ).toEqual([]);
  const { rows: scraped } = await sql<{ id: number; snapshots: number; version: string }>`
    SELECT id, latest_version AS version,
      (SELECT count(*)::integer FROM versions
        WHERE versions.organization_id = scrape_jobs.organization_id AND scrape_job_id = scrape_jobs.id) AS snapshots
    FROM scrape_jobs WHERE organization_id = ${organizationId}`.execute(db);
  expect(scraped.filter((job) => job.snapshots !== scrapeRuns)).toEqual([]);
  const { rows: left } = await sql<{ parts: number; leases: number }>`
    SELECT (SELECT count(*)::integer FROM run_parts) AS parts,
      (SELECT count(*)::integer FROM runs WHERE lease_token IS NOT NULL) AS leases`.execute(db);
  expect(left[0]).toEqual({ parts: 0, leases: 0 });
  return {
    runs: rows.reduce((sum, row) => sum + row.runs, 0),
    repeated: rows.reduce((sum, row) => sum + row.again, 0),
    releases: gathered.reduce((sum, job) => sum + job.stored, 0),
    versions: scraped.reduce((sum, job) => sum + job.snapshots, 0),
  };
}

/**
 * Returns the releases that an upstream lists when it's read for the given time: two pages, with one more
 * release at each read.
 */
function releasesOf(job: number, look: number) {
  return Array.from({ length: 150 + look }, (_, index) => ({
    tag: `${job}.${index}.0`,
    publishedAt: new Date(Date.UTC(2026, 0, 1) + index * 3_600_000).toISOString(),
  })).toReversed();
}

describe('two servers, three agents, and one database', { timeout: isLong ? 900_000 : 300_000 }, () => {
  test('every run ends and is applied exactly once, even if agents and a server are killed', async () => {
    delay(github, () => random.between(20, 300));
    if (git) delay(git, () => random.between(20, 150));
    for (let job = 0; job < gatherCount; job++)
      github.repositories.set(`acme/tool-${job}`, releasesOf(job, 1));
    const repositories = [0, 1, 2, 3, 4].map((index) => git?.createRepository(`acme/deploy-${index}.git`));
    const names = ['a', 'bb', 'ccc'];
    const agents = new Map(
      await Promise.all(names.map(async (name) => [name, await startAgent(name)] as const)),
    );

    const jobs: { kind: 'gather' | 'scrape'; id: number }[] = [];
    for (let job = 0; job < gatherCount; job++) {
      const body = {
        name: `tool ${job}`,
        source_type: 'github_releases',
        artifact_name: `${github.host}/acme/tool-${job}`,
      } as const;
      jobs.push({ kind: 'gather', id: (await api.call('createGatherJob', { body })).id });
    }
    for (let job = 0; job < scrapeCount; job++) {
      const repository = repositories[job % repositories.length]!;
      if (job < repositories.length) {
        const files = Array.from({ length: scrapeCount }, (_, index) => [
          `values-${index}.yaml`,
          `image: { tag: 1.${index}.0 }\n`,
        ]);
        repository.commit(Object.fromEntries(files) as Record<string, string>);
      }
      const body = {
        name: `service ${job}`,
        parser_type: 'yq',
        repository_url: repository.url,
        target_file: `values-${job}.yaml`,
        parse_expression: '.image.tag',
      } as const;
      jobs.push({ kind: 'scrape', id: (await api.call('createScrapeJob', { body })).id });
    }

    async function killUntilDone(maxKills: number): Promise<number> {
      let kills = 0;
      for (; kills < maxKills && (await countOpenRuns()) > 0; kills++) {
        await sleep(random.between(50, 700));
        const busy = await busyAgents();
        const name = random.pick(busy.length > 0 ? busy : names);
        const agent = agents.get(name)!;
        agent.process.kill('SIGKILL');
        await agent.exited;
        if (kills === 1) {
          await servers[1]!.kill();
          servers[1] = await startServerProcess({ ...env, PORT: String(ports[1]) });
        }
        // Every third kill also expires the leases of live agents, which then detect the loss.
        if (kills % 3 === 2) await clock.pass(leaseSeconds + 1);
        agents.set(name, await startAgent(name));
      }
      const deadline = performance.now() + 300_000;
      let [last, unchangedSince] = ['', 0];
      for (let open = await openRuns(); open !== ''; open = await openRuns()) {
        const now = performance.now();
        if (now > deadline) throw new Error(`${await countOpenRuns()} runs never ended`);
        if (open !== last) [last, unchangedSince] = [open, now];
        // A live agent renews its lease before a third of the lease has passed. If the test moved the clock
        // before that, the lease would expire, so wait for half of the lease.
        else if (now - unchangedSince > leaseSeconds * 500) {
          await clock.pass(leaseSeconds + 1);
          unchangedSince = now;
        }
        await sleep(200);
      }
      return kills;
    }

    const kills = await killUntilDone(agentKills);
    const found = await checkAppliedOnce(1);
    expect(kills).toBeGreaterThan(1);
    expect(found.repeated, 'a kill hit something').toBeGreaterThan(0);

    // Trigger each job manually on both servers. Both requests must lead to one run.
    for (let job = 0; job < gatherCount; job++)
      github.repositories.set(`acme/tool-${job}`, releasesOf(job, 2));
    // Frozen agents can't end a run between its two requests, however slow the machine is.
    for (const agent of agents.values()) agent.process.kill('SIGSTOP');
    for (const { kind, id } of jobs) {
      for (const client of [api, clientOf(servers[1]!, apiKey)]) {
        await client.call(kind === 'gather' ? 'runGatherJob' : 'runScrapeJob', { path: { id } });
      }
    }
    for (const agent of agents.values()) agent.process.kill('SIGCONT');
    const more = await killUntilDone(isLong ? agentKills : 1);
    await checkAppliedOnce(2);

    // Make the gather jobs due, so that agents check them without a queued run.
    for (let job = 0; job < gatherCount; job++)
      github.repositories.set(`acme/tool-${job}`, releasesOf(job, 3));
    await sql`
      UPDATE gather_jobs SET cron_expression = '0 0 1 1 *', due_at = pacekeeper_now()
      WHERE organization_id = ${organizationId}`.execute(db);
    const ofChecks = await killUntilDone(isLong ? agentKills : 2);
    const all = await checkAppliedOnce(3, 2);
    reportCounts('agents killed', { kills: kills + more + ofChecks, ...all });
    for (const agent of agents.values()) expect(await agent.stop()).toBe(0);
  });

  test('an agent that is frozen past its lease changes nothing when it resumes, and continues to work', async () => {
    github.repositories.set('acme/frozen', releasesOf(0, 1));
    delay(github, () => 400);
    const [frozen, other] = [await startAgent('frozen'), await startAgent('other')];
    other.process.kill('SIGSTOP');
    const seen = github.requests.length;
    const { id } = await api.call('createGatherJob', {
      body: { name: 'frozen', source_type: 'github_releases', artifact_name: `${github.host}/acme/frozen` },
    });
    await until('it asks its upstream', async () => github.requests.length > seen);
    frozen.process.kill('SIGSTOP');
    const readRun = async () => (await api.call('listGatherJobRuns', { path: { id } })).items[0]!;
    const byFrozen = await readRun();
    expect(byFrozen).toMatchObject({ status: 'in_progress', attempt: 1 });
    other.process.kill('SIGCONT');
    const ended = await until('another one does it', async () => {
      const run = await readRun();
      // The server can assign the run to the frozen agent again, because its claim request is still open.
      if (run.agent_id === byFrozen.agent_id) await clock.pass(leaseSeconds + 6);
      return run.status === 'succeeded' ? run : null;
    });
    expect(ended.attempt).toBeGreaterThan(1);
    expect(ended.agent_id).not.toBe(byFrozen.agent_id);
    const job = await api.call('getGatherJob', { path: { id } });
    frozen.process.kill('SIGCONT');
    await frozen.waitForOutput(/task lease lost/);
    expect(await readRun()).toEqual(ended);
    expect(await api.call('getGatherJob', { path: { id } })).toEqual(job);
    // When it is the only agent again, the resumed agent claims the next run.
    expect(await other.stop()).toBe(0);
    await api.call('runGatherJob', { path: { id } });
    await until(
      'the next run',
      async () => (await readRun()).id !== ended.id && (await readRun()).status === 'succeeded',
    );
    expect((await readRun()).agent_id).toBe(byFrozen.agent_id);
    expect(await frozen.stop()).toBe(0);
  });

  test('late results, renewals, completions, and failures of a lost lease are rejected and change nothing', async () => {
    const agents = [createControlledAgent(api), createControlledAgent(clientOf(servers[1]!, apiKey))];
    const { id } = await api.call('createGatherJob', {
      body: { name: 'late', source_type: 'github_releases', artifact_name: 'github.com/acme/late' },
    });
    const late = await agents[0]!.claim('gather', id);
    await clock.pass(leaseSeconds + 6);
    const current = await agents[1]!.claim('gather', id);
    expect([current.task_id, current.lease_token === late.lease_token]).toEqual([late.task_id, false]);
    const path = { id: late.task_id };
    const lease = { lease_token: late.lease_token };
    const item = {
      tag: '9.9.9',
      app_version: null,
      released_at: null,
      is_prerelease: false,
      is_yanked: false,
      url: null,
      notes: null,
    };
    const refusals = [
      await rejectionStatus(api.call('renewTask', { path, body: lease })),
      await rejectionStatus(
        api.call('submitTaskResults', { path, body: { ...lease, sequence: 1, items: [item] } }),
      ),
      await rejectionStatus(agents[0]!.finish(late, [item], true)),
      await rejectionStatus(
        api.call('failTask', {
          path,
          body: { ...lease, error: { code: 'internal', message: 'late' }, retryable: false },
        }),
      ),
    ];
    expect(refusals).toEqual([409, 409, 409, 409]);
    await agents[1]!.finish(current, [{ ...item, tag: '1.0.0' }], true);
    expect(await rejectionStatus(agents[1]!.finish(current, [item], true))).toBe(409);
    const { items } = await api.call('listReleases', { query: { gather_job_id: id } });
    expect(items.map((release) => release.version)).toEqual(['1.0.0']);
  });
});
