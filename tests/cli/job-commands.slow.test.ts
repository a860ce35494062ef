import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { startContractInbox } from '../contract/contract-inbox.ts';
import { buildWorld, type World } from '../contract/world.ts';
import { type ItemSeed, insertItems } from '../helpers/discovery-fixture.ts';
import { type RunningProgram, runProgram } from '../helpers/run-program.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';
import { type SharedTestServer, sharedTestServer } from '../helpers/test-server.ts';
import { createWebhookInbox, type WebhookInbox } from '../helpers/webhook-inbox.ts';
import { type CommandOptions, runCommand } from './run-command.ts';

let server: SharedTestServer;
let world: World;
let inbox: WebhookInbox;

beforeAll(async () => {
  server = await sharedTestServer();
  const { email, password } = await server.createOrganization();
  inbox = await startContractInbox();
  world = await buildWorld({
    baseUrl: server.url,
    owner: { email, password },
    webhookUrl: inbox.url,
    db: server.db,
  });
});

afterAll(() => inbox.close());

function run(args: string[], options: CommandOptions = {}) {
  const env = { PACEKEEPER_SERVER_URL: server.url, PACEKEEPER_API_KEY: world.keys.member };
  return runCommand(args, { ...options, env: { ...env, ...options.env } });
}

async function done(args: string[], options?: CommandOptions): Promise<string> {
  const result = await run(args, options);
  expect(result, args.join(' ')).toMatchObject({ code: 0 });
  return result.stdout;
}

async function failed(code: number, args: string[], options?: CommandOptions): Promise<string> {
  const result = await run(args, options);
  expect(result, args.join(' ')).toMatchObject({ code });
  return result.stderr;
}

describe('accept', () => {
  test('shows a dry run, then accepts items by ID or filter, with a rule that is specified by name', async () => {
    const jobId = await world.make.discoveryJob();
    const { name: job } = await world.admin.call('getDiscoveryJob', { path: { id: jobId } });
    const ids = [
      await world.make.discoveredItem(jobId),
      await world.make.discoveredItem(jobId),
      await world.make.discoveredItem(jobId),
    ];
    const { name: rule } = await world.admin.call('getRule', { path: { id: await world.make.rule() } });
    const statuses = async () => {
      const query = { discovery_job_id: jobId };
      const { items } = await world.admin.call('listDiscoveredItems', { query });
      return items.map(({ status }) => status).toSorted();
    };

    const shown = await done(['accept', '--job', job, '--rule', rule, '--dry-run']);
    expect(shown).toContain(`Discovered item ${ids[0]} would be accepted: `);
    expect(shown).toMatch(/^3 items would be accepted, creating .*3 scrape jobs/m);
    expect(shown).toContain("No alerts now. The result for 3 versions isn't known yet.\n");
    expect(await statuses()).toEqual(['new', 'new', 'new']);
    expect(await failed(2, ['accept', '--job', job])).toContain(
      'Use one of --rule NAME, --default-rule, or --no-rule',
    );
    expect(await failed(2, ['accept', '--job', job, '--rule', rule, '--default-rule'])).toContain(
      'Use one of',
    );

    const one = await done(['accept', `discovered-items/${ids[0]}`, '--no-rule']);
    expect(one).toMatch(/^1 item accepted, .*1 scrape job, and 0 alert configurations created\./m);
    expect(await statuses()).toEqual(['accepted', 'new', 'new']);
    expect(await done(['accept', String(ids[0]), '--no-rule'])).toContain(
      `Discovered item ${ids[0]} was already accepted\n`,
    );
    const rest = await done(['accept', '--job', job, '--rule', rule, '-l', 'team=accepted']);
    expect(rest).toContain('2 items accepted');
    expect(await done(['get', 'alert-configs', '-l', 'team=accepted', '-o', 'name'])).toMatch(
      /^(alert-configs\/\d+\n){2}$/,
    );
    expect(await statuses()).toEqual(['accepted', 'accepted', 'accepted']);
  });

  test("shows the evidence for a chart's repository, or the possible repositories", async () => {
    const { id: organizationId, api, apiKey } = await server.createOrganization();
    const { id: jobId } = await api.call('createDiscoveryJob', {
      body: { name: 'eu', kind: 'kubernetes_cluster', cluster_name: 'eu', credential_name: 'eu' },
    });
    const charts = ['redis', 'nats'].map(
      (name): ItemSeed => ({
        key: name,
        path: name,
        name,
        extractor: 'helm_release',
        artifact_kind: 'chart',
        artifact_name: name,
        artifact_purl: null,
        proposal: null,
        confidence: 'none',
        reason: 'no_source',
        version: '1.0.0',
      }),
    );
    const [redis, nats] = await insertItems(server.db, organizationId, jobId, charts);
    for (const name of ['redis', 'nats']) {
      const artifact_name = `charts.example.org/${name}`;
      const job = await api.call('createGatherJob', {
        body: { name, source_type: 'helm_repository', artifact_name },
      });
      if (name === 'redis')
        await sql`
          INSERT INTO releases (organization_id, gather_job_id, tag, version, is_prerelease)
          VALUES (${organizationId}, ${job.id}, '1.0.0', '1.0.0', false)`.execute(server.db);
    }
    const env = { PACEKEEPER_API_KEY: apiKey };
    const listed = await done(['get', 'discovered-items', '-o', 'wide'], { env });
    expect(listed).toMatch(/redis.*charts\.example\.org\/redis.*lists this version/);
    expect(listed).toMatch(/nats.*no_source.*charts\.example\.org\/nats/);
    const accepted = await done(['accept', '--job', 'eu', '--no-rule'], { env });
    expect(accepted).toContain(
      `Discovered item ${redis} accepted: redis, compared with redis (likely: lists this version)\n`,
    );
    expect(accepted).toContain(
      `Discovered item ${nats} accepted: nats, not compared. Possible repositories: charts.example.org/nats\n`,
    );
  });

  test('continues after a thousand items that cannot be accepted', async () => {
    const { id: organizationId, api, apiKey } = await server.createOrganization();
    const { id: jobId } = await api.call('createDiscoveryJob', {
      body: { name: 'eu', kind: 'kubernetes_cluster', cluster_name: 'eu', credential_name: 'eu' },
    });
    const crowded = Object.fromEntries(Array.from({ length: 20 }, (_, index) => [`label-${index}`, 'x']));
    const ids = await insertItems(
      server.db,
      organizationId,
      jobId,
      Array.from(
        { length: 1_001 },
        (_, index): ItemSeed => ({
          key: `web-${index}`,
          path: `web-${index}`,
          name: `web-${index}`,
          version: '1.0.0',
          ...(index < 1_000 && { labels: crowded }),
        }),
      ),
    );
    const env = { PACEKEEPER_API_KEY: apiKey };
    const args = ['accept', '--all', '--no-rule', '-l', 'team=shop'];
    for (const [options, verb] of [
      [['--dry-run'], 'would be accepted'],
      [[], 'accepted'],
    ] as const) {
      const result = await run([...args, ...options], { env });
      expect(result.stdout).toContain(`Discovered item ${ids.at(-1)} ${verb}: web,`);
      expect(result).toMatchObject({ code: 1, stderr: expect.stringContaining('1,000 items rejected.') });
    }
  });

  test('rejects items that it cannot accept, and accepts the others', async () => {
    const id = await world.make.discoveredItem();
    const result = await run(['accept', String(id), '999999999', '--no-rule']);
    expect(result).toMatchObject({ code: 1, stdout: expect.stringContaining('1 item accepted') });
    expect(result.stderr).toMatch(/Discovered item 999999999: .*\n.*1 item rejected/);
    expect(await failed(2, ['accept', '--no-rule'])).toContain(
      'Specify item IDs, --all, or a filter such as --job.',
    );
    expect(await failed(2, ['accept', String(id), '--all', '--no-rule'])).toContain('Specify item IDs');
    expect(await failed(2, ['accept', '--all'])).toContain(
      'Use one of --rule NAME, --default-rule, or --no-rule for none.',
    );
    expect(await failed(2, ['accept', 'web', '--no-rule'])).toContain('Invalid item ID "web"');
    expect(await failed(1, ['accept', '--all', '--rule', 'No such rule'])).toContain('No rule named');
  });
});

describe('report', () => {
  const as = (role: 'reporter' | 'admin') => ({ env: { PACEKEEPER_API_KEY: world.keys[role] } });

  test('works with a key of the reporter role, and prints why the version is not compared', async () => {
    const service = world.make.name();
    const args = ['report', service, 'production', '1.4.2', '--label', 'team=shop', '--commit', '9fceb02'];
    expect(await run([...args, '--time', '2026-05-01T10:00:00+02:00'], as('reporter'))).toMatchObject({
      code: 0,
      stdout: `${service} in production: 1.4.2 reported\n`,
      stderr: expect.stringMatching(/^Not compared: The report has no artifact and no gather job\./),
    });
    expect(await done([...args, '--time', '2026-05-01T08:00:00Z'], as('reporter'))).toBe(
      `${service} in production: 1.4.2 reported (already reported)\n`,
    );
    expect(await done([...args, '--time', '2026-04-01T08:00:00Z'], as('reporter'))).toBe(
      `${service} in production: 1.4.2 reported (late)\n`,
    );
    const table = await done(['get', 'deployments', '--filter', `service=${service}`], as('admin'));
    expect(table).toMatch(/  May 1, 2026, \d\d:00  .*\n.*  Apr 1, 2026, \d\d:00  /);
    const csv = await done(
      ['get', 'deployments', '--filter', `service=${service}`, '-o', 'csv'],
      as('admin'),
    );
    const [header, ...rows] = csv.trim().split('\n');
    expect(header).toMatch(/^id,service,environment,version,/);
    expect(rows.map((row) => row.split(',').slice(1, 4))).toEqual([
      [service, 'production', '1.4.2'],
      [service, 'production', '1.4.2'],
    ]);
  });

  test('accepts the name of a gather job, and prints the whole response as JSON', async () => {
    const id = await world.make.gatherJob();
    const { name } = await world.admin.call('getGatherJob', { path: { id } });
    const text = await done(
      ['report', world.make.name(), 'qa', '1.0.0', '--gather-job', name, '-o', 'json'],
      as('admin'),
    );
    expect(JSON.parse(text)).toMatchObject({
      deployment: { environment: 'qa' },
      gather_job: { id },
      not_compared: { code: 'no_default_rule' },
    });
  });

  test('warns if another scrape job tracks the same upstream for the service and environment', async () => {
    const service = world.make.name();
    const gather_job_id = await world.make.gatherJob();
    const labels = { service, environment: 'qa', component: 'proxy' };
    const { id, name } = await world.admin.call('createScrapeJob', {
      body: { name: `${service}: proxy (qa)`, parser_type: 'manual', labels },
    });
    await world.admin.call('createAlertConfig', {
      body: { name, scrape_job_id: id, gather_job_id, rule_id: await world.make.rule() },
    });
    const args = ['report', service, 'qa', '1.0.0', '--gather-job', String(gather_job_id)];
    expect(await run(args, as('reporter'))).toMatchObject({
      code: 0,
      stdout: `${service} in qa: 1.0.0 reported\n`,
      stderr: expect.stringContaining(
        `Warning: The scrape jobs ${service} (qa) and ${name} both track `,
      ) as string,
    });
  });

  test('explains that a key of the reporter role needs the ID of a gather job', async () => {
    const id = await world.make.gatherJob();
    const { name } = await world.admin.call('getGatherJob', { path: { id } });
    const args = ['report', world.make.name(), 'qa', '1.0.0', '--gather-job'];
    const named = await run([...args, name], as('reporter'));
    expect(named).toMatchObject({
      code: 4,
      stderr: expect.stringContaining(`use the ID instead of "${name}"`),
    });
    expect((await run([...args, String(id)], as('reporter'))).code).toBe(0);
  });

  test('rejects an invalid time before it sends a request', async () => {
    expect(await failed(2, ['report', 'a', 'b', '1', '--time', 'yesterday'])).toContain(
      'Invalid time "yesterday"',
    );
  });
});

describe('set-version', () => {
  /** Runs the real program, as a pipeline would. */
  function program(args: string[], env: Record<string, string> = {}): RunningProgram {
    return runProgram(['set-version', ...args], {
      PACEKEEPER_SERVER_URL: server.url,
      PACEKEEPER_API_KEY: world.keys.reporter,
      XDG_CONFIG_HOME: temporaryFolder(),
      ...env,
    });
  }

  test('works with a key of the reporter role, accepts a job name, and exits with code 0', async () => {
    const job = await world.make.scrapeJob({ name: 'Shop in production' });
    const first = program(['Shop in production', '4.5.6']);
    expect(await first.exited).toBe(0);
    expect(first.stdout()).toBe('Shop in production: version set to 4.5.6\n');
    expect(first.stderr()).toBe('');
    expect((await world.admin.call('getScrapeJob', { path: { id: job } })).latest_version).toBe('4.5.6');
    expect(await done(['set-version', String(job), '4.5.6'])).toContain('(unchanged)');
    expect(JSON.parse(await done(['set-version', String(job), '4.5.7', '-o', 'json'])).version).toBe('4.5.7');
  });

  test('stores a value that cannot be compared with releases, with a warning', async () => {
    const job = await world.make.scrapeJob({ name: 'Floating' });
    const result = await run(['set-version', String(job), 'latest']);
    expect(result).toMatchObject({
      code: 0,
      stdout: 'Floating: version set to latest\n',
      stderr:
        'Warning: "latest" isn\'t a version, so no release can be compared with it. Use the version that is deployed, such as 1.2.3.\n',
    });
  });

  test('exits with 1 if rejected, 2 if used incorrectly, 3 if unreachable, and 4 if unauthorized', async () => {
    const job = await world.make.gitScrapeJob();
    const refused = program([String(job), '1.0.0']);
    expect(await refused.exited).toBe(1);
    expect(refused.stderr()).toMatch(/^pacekeeper set-version: .*\(conflict, request [0-9a-f-]+\)\n$/);
    const setVersion = (args: string[], env: Record<string, string> = {}) =>
      run(['set-version', ...args], { env: { PACEKEEPER_API_KEY: world.keys.reporter, ...env } });
    expect((await setVersion(['999999', '1.0.0'])).code).toBe(1);
    expect((await setVersion(['only-a-job'])).code).toBe(2);
    expect((await setVersion(['1', '2', '--nonsense'])).code).toBe(2);
    const away = { PACEKEEPER_SERVER_URL: 'http://127.0.0.1:1' };
    expect(await setVersion(['1', '1.0.0', '--retries', '0'], away)).toMatchObject({
      code: 3,
      stderr: expect.stringContaining('127.0.0.1:1'),
    });
    expect((await setVersion(['1', '1.0.0'], { PACEKEEPER_API_KEY: 'pk_1_wrong' })).code).toBe(4);
    expect((await setVersion(['1', '1.0.0'], { PACEKEEPER_API_KEY: world.keys.agent })).code).toBe(4);
    expect(await setVersion(['1', '1.0.0'], { PACEKEEPER_API_KEY: '' })).toMatchObject({
      code: 4,
      stderr: expect.stringContaining('Not logged in to'),
    });
  });

  test('accepts an API key from a file', async () => {
    const job = await world.make.scrapeJob();
    const file = path.join(temporaryFolder(), 'key');
    writeFileSync(file, `${world.keys.reporter}\n`);
    const args = ['set-version', String(job), '1.0', '--server', server.url, '--api-key-file', file];
    expect(await runCommand(args)).toMatchObject({ code: 0 });
  });

  test('retries after a dropped connection and after a proxy error', async () => {
    const job = await world.make.scrapeJob();
    let asked = 0;
    // Drops the first request, responds to the second like a proxy without a server, and forwards the others.
    const gate = createServer((request, response) => {
      asked++;
      if (asked === 1) return void request.socket.destroy();
      if (asked === 2) return void response.writeHead(502).end('<html>Bad gateway</html>');
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', async () => {
        const answer = await fetch(`${server.url}${request.url}`, {
          method: request.method!,
          headers: { 'x-api-key': world.keys.reporter, 'content-type': 'application/json' },
          body: Buffer.concat(chunks),
        });
        response.writeHead(answer.status, { 'content-type': 'application/json' }).end(await answer.text());
      });
    });
    await new Promise<void>((resolve) => gate.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(gate.address() as AddressInfo).port}`;
    const result = await run(['set-version', String(job), '2.0'], { env: { PACEKEEPER_SERVER_URL: url } });
    gate.closeAllConnections();
    gate.close();
    expect(result).toMatchObject({
      code: 0,
      stderr: expect.stringMatching(/Retrying in 1 s\.\n.*Retrying in 2 s/s),
    });
    expect(asked).toBe(3);
    expect((await world.admin.call('getScrapeJob', { path: { id: job } })).latest_version).toBe('2.0');
  });
});

test('a conflict with Retry-After is retried, and any other conflict is not', async () => {
  const answers = [
    { headers: { 'retry-after': '0' }, detail: 'Already planning.' },
    { headers: {}, detail: 'In use.' },
  ];
  let asked = 0;
  const gate = createServer((_, response) => {
    const { headers, detail } = answers[Math.min(asked++, 1)]!;
    response
      .writeHead(409, { 'content-type': 'application/json', ...headers })
      .end(JSON.stringify({ status: 409, code: 'conflict', title: 'Conflict.', detail, request_id: 'r' }));
  });
  await new Promise<void>((resolve) => gate.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(gate.address() as AddressInfo).port}`;
  const stderr = await failed(1, ['get', 'rules'], { env: { PACEKEEPER_SERVER_URL: url } });
  gate.closeAllConnections();
  gate.close();
  expect(stderr).toMatch(/^Already planning\. Retrying in 0 s\.\n.*In use\./);
  expect(asked).toBe(2);
});

describe('a create command whose response is lost', () => {
  /** Runs a command through a proxy that forwards the first request and drops its response. */
  async function runWithLostResponse(args: string[], env: Record<string, string> = {}) {
    let asked = 0;
    const gate = createServer((request, response) => {
      const isFirst = ++asked === 1;
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', async () => {
        const answer = await fetch(`${server.url}${request.url}`, {
          method: request.method!,
          headers: Object.entries(request.headers).filter(
            ([name]) => name === 'content-type' || /key$|^authorization$/.test(name),
          ) as [string, string][],
          body: Buffer.concat(chunks),
        });
        const text = await answer.text();
        if (isFirst) return void request.socket.destroy();
        response.writeHead(answer.status, { 'content-type': 'application/json' }).end(text);
      });
    });
    await new Promise<void>((resolve) => gate.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(gate.address() as AddressInfo).port}`;
    const result = await run(args, { env: { ...env, PACEKEEPER_SERVER_URL: url } });
    gate.closeAllConnections();
    gate.close();
    return { ...result, asked };
  }

  test('is retried and creates the resource only once', async () => {
    const args = ['create', 'scrape-job', '--set', 'name=Lost response', '--set', 'parser_type=manual'];
    const { code, stderr, asked } = await runWithLostResponse(args);
    expect({ code, asked }).toEqual({ code: 0, asked: 2 });
    expect(stderr).toContain('Retrying in 1 s.');
    const { items } = await world.admin.call('listScrapeJobs', { query: { q: 'Lost response' } });
    expect(items).toHaveLength(1);
  });

  test('fails with the ID of the resource if the lost response had a secret', async () => {
    const args = ['create', 'hook', '--set', 'name=Lost hook', '--set', 'kind=generic'];
    const { code, stderr } = await runWithLostResponse(args, { PACEKEEPER_API_KEY: world.keys.admin });
    expect(code).toBe(1);
    const { items } = await world.admin.call('listHooks');
    const [hook] = items.filter(({ name }) => name === 'Lost hook');
    expect(stderr).toContain(`The ID of its resource is ${hook!.id}.`);
  });
});

describe('run', () => {
  /** Completes the work of the agent while a command waits. */
  async function whileAgentWorks<T>(
    work: Promise<T>,
    act: () => Promise<unknown> = world.make.gathered,
  ): Promise<T> {
    let isOver = false;
    const ended = work.finally(() => (isOver = true));
    while (!isOver) {
      await act();
      await setTimeout(50);
    }
    return ended;
  }

  test('waits until the requested run has ended, for every kind of job', async () => {
    await world.make.gathered();
    for (const [kind, id] of [
      ['gather-jobs', await world.make.gatherJob()],
      ['scrape-job', await world.make.gitScrapeJob()],
      ['hj', await world.make.helmSyncJob()],
    ] as const) {
      expect(await whileAgentWorks(done(['run', `${kind}/${id}`, '--wait']))).toMatch(/^Run \d+ succeeded/);
      // A second command creates another run.
      const output = await whileAgentWorks(done(['run', `${kind}/${id}`, '--wait']));
      const logs = JSON.parse(await done(['logs', `${kind}/${id}`, '-o', 'json']));
      expect(output).toContain(`Run ${logs[0].id} succeeded`);
      expect(logs.length).toBeGreaterThan(1);
    }
  });

  test('exits with code 1 and prints the error if the run fails', async () => {
    const id = await world.make.gitScrapeJob({ name: 'Broken job' });
    const agent = async () => {
      for (const task of await world.make.claimed()) {
        const body = { lease_token: task.lease_token, retryable: false } as const;
        const error = { code: 'parse_failed' as const, message: 'There is no .image.tag' };
        await world.agent.call('failTask', { path: { id: task.task_id }, body: { ...body, error } });
      }
    };
    const result = await whileAgentWorks(run(['run', 'Broken job', '--wait']), agent);
    expect(result).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('There is no .image.tag (parse_failed)'),
    });
    expect(await done(['logs', `scrape-jobs/${id}`])).toContain('parse_failed: There is no .image.tag');
  });

  /** Returns an agent that fails the first task that it gets with an error that is retried, and ignores others. */
  function failingAgent(
    error: { code: 'unreachable' | 'rate_limited'; message: string },
    retryAt: string | null = null,
  ) {
    let failures = 0;
    return async () => {
      // Only one attempt fails, because a second failure could follow before the command polls.
      if (failures > 0) return;
      for (const task of await world.make.claimed()) {
        const { task_id, lease_token } = task;
        const body = { lease_token, retryable: true, error, ...(retryAt && { retry_at: retryAt }) };
        await world.agent.call('failTask', { path: { id: task_id }, body });
        failures++;
      }
    };
  }
  const refused = { code: 'unreachable', message: 'Connection refused.' } as const;

  test('--wait ends when an attempt fails, with its error and the time of the retry', async () => {
    const id = await world.make.gitScrapeJob();
    const job = `scrape-jobs/${id}`;
    const first = await whileAgentWorks(run(['run', job, '--wait']), failingAgent(refused));
    expect(first).toMatchObject({ code: 1, stdout: '' });
    const message =
      /pacekeeper run: Attempt (\d) failed: Connection refused \(unreachable\)\. Pacekeeper retries at \w{3} \d.*, \d\d:\d\d\. To wait for retries, use --all-attempts\.\n$/;
    expect(message.exec(first.stderr)?.[1]).toBe('1');
    // The failure before the request isn't a result of the request.
    const second = await whileAgentWorks(run(['run', job, '--wait']), failingAgent(refused));
    expect(message.exec(second.stderr)?.[1]).toBe('2');
    expect(await whileAgentWorks(done(['run', job, '--wait']))).toMatch(/^Run \d+ succeeded/);
  });

  test('--wait ends when the source limits the rate, with the end of the limit', async () => {
    const id = await world.make.gitScrapeJob();
    const limited = { code: 'rate_limited', message: 'Too many requests.' } as const;
    const retryAt = new Date(Date.now() + 3_600_000).toISOString();
    const { stderr } = await whileAgentWorks(
      run(['run', `scrape-jobs/${id}`, '--wait']),
      failingAgent(limited, retryAt),
    );
    expect(stderr).toMatch(
      /The attempt failed: Too many requests \(rate_limited\)\. Pacekeeper retries at \w{3} \d.*\. To wait for retries/,
    );
    expect(await whileAgentWorks(done(['run', `scrape-jobs/${id}`, '--wait']))).toMatch(/^Run \d+ succeeded/);
  });

  test('--all-attempts reports the error of a failed attempt, and waits for its retry', async () => {
    const id = await world.make.gitScrapeJob();
    const fail = failingAgent(refused);
    let isReported = false;
    let isRequested = false;
    const { code, stdout, stderr } = await whileAgentWorks(
      run(['run', `scrape-jobs/${id}`, '--wait', '--all-attempts'], {
        onError: (text) => (isReported = text.includes('Retrying.')),
      }),
      async () => {
        if (!isReported) return fail();
        // Start the retry now instead of at its time.
        if (!isRequested) await world.admin.call('runScrapeJob', { path: { id } });
        isRequested = true;
        return world.make.gathered();
      },
    );
    expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringMatching(/^Run \d+ succeeded/) });
    expect(stderr).toContain(`Run queued for scrape job ${id}.\n`);
    expect(stderr).not.toMatch(/^(queued|in_progress)$/m);
    expect(stderr).toContain('Attempt 1 failed: Connection refused (unreachable). Retrying.\n');
    expect(await failed(2, ['run', `scrape-jobs/${id}`, '--all-attempts'])).toContain('requires --wait');
  });

  test('reports that no agent has the credential of the job', async () => {
    const id = await world.make.gatherJob({ credential_name: 'nobody-has-it' });
    const { code, stderr } = await run(['run', `gather-jobs/${id}`, '--wait', '--timeout', '4']);
    expect(code).toBe(1);
    expect(stderr).toContain(
      'Waiting for an agent that has the credential "nobody-has-it". To list the agents',
    );
    // The note appears only once, however long the command waits.
    expect(stderr.split('Waiting for').length).toBe(2);
  });

  test('suggests a similar job for an unknown one', async () => {
    const id = await world.make.gatherJob({ name: 'Kubernetes' });
    expect(await failed(1, ['run', 'kubernets'])).toContain('Did you mean gather-jobs/Kubernetes?');
    expect(await failed(1, ['run', `gather-jbs/${id}`])).toContain(`Did you mean gather-jobs/${id}?`);
    expect(await failed(1, ['run', 'nothing like any job'])).toBe(
      'pacekeeper run: No job named "nothing like any job".\n',
    );
  });

  test('immediately updates a source that compares with another environment', async () => {
    const tracker = await world.make.scrapeJob();
    await world.admin.call('setScrapeJobVersion', { path: { id: tracker }, body: { version: '1.0' } });
    const { id } = await world.admin.call('createGatherJob', {
      body: {
        name: 'staging',
        source_type: 'deployed_versions',
        artifact_name: `scrape-job/${tracker}`,
      },
    });
    expect(await done(['run', `gather-jobs/${id}`, '--wait'])).toBe(
      `Releases of gather job ${id} updated from deployed versions: 1 release\n`,
    );
    expect(await done(['get', 'gather-job', String(id), '-o', 'json'])).toContain('"status": "completed"');
  });

  test('only queues a run without --wait, and rejects a manual job', async () => {
    const id = await world.make.gitScrapeJob();
    expect((await run(['run', `scrape-jobs/${id}`])).stderr).toBe(`Run queued for scrape job ${id}.\n`);
    expect(await failed(1, ['run', `scrape-jobs/${await world.make.scrapeJob()}`])).toContain('conflict');
    expect(
      await failed(1, ['run', `gather-jobs/${await world.make.gatherJob()}`, '--wait', '--timeout', '0']),
    ).toContain("didn't finish within 0 s");
    await world.make.gathered();
  });

  test('rejects an ambiguous name and lists the matching jobs', async () => {
    const scrape = await world.make.scrapeJob({ name: 'Both' });
    const gather = await world.make.gatherJob({ name: 'Both' });
    const words = await failed(1, ['run', 'Both']);
    expect(words).toContain(`  gather-jobs/${gather}\n  scrape-jobs/${scrape}`);
    expect(await failed(2, ['run', '7'])).toContain(
      'gather-jobs/7, scrape-jobs/7, helm-sync-jobs/7, or discovery-jobs/7.',
    );
  });
});

describe('alerts', () => {
  test('can be listed, acknowledged, assigned, snoozed, and resolved', async () => {
    const id = String(await world.make.openAlert());
    const name = `alerts/${id}`;
    const names = async (...args: string[]) =>
      (await done(['alerts', '--all', '-o', 'name', ...args])).split('\n');
    expect(await names('--unacknowledged')).toContain(name);
    expect(await done(['ack', name])).toBe(`Alert ${id} acknowledged\n`);
    expect(await done(['ack', id])).toBe(`Alert ${id} was already acknowledged\n`);
    expect(await names('--unacknowledged')).not.toContain(name);
    expect(await done(['comment', id, '-m', 'Planned.'])).toBe(`Alert ${id} commented on\n`);
    const [member] = await world.admin.call('listOrgMembersDropdown');
    expect(await done(['assign', id, '--to', member!.email])).toBe(
      `Alert ${id} assigned to ${member!.name}\n`,
    );
    await sql`UPDATE users SET name = ${`${member!.name}\u001b[2J`} WHERE email = ${member!.email}`.execute(
      server.db,
    );
    expect(await done(['assign', id, '--to', member!.email])).not.toContain('\u001b');
    await sql`UPDATE users SET name = ${member!.name} WHERE email = ${member!.email}`.execute(server.db);
    expect(await done(['assign', id, '--none'])).toBe(`Alert ${id} unassigned\n`);
    expect(await failed(1, ['assign', id, '--to', 'no.one@example.org'])).toContain(
      'No member with the email address',
    );
    expect(await failed(2, ['assign', id])).toContain('Use either --to EMAIL or --none');
    expect(await done(['unack', id])).toContain('unacknowledged');
    expect(await done(['ack', id, '--comment', 'Known.'])).toContain('acknowledged');
    expect(await done(['unack', id])).toContain('unacknowledged');
    const { items } = await world.admin.call('listAlertActions', { path: { id: Number(id) } });
    expect(items.map(({ detail }) => detail)).toEqual(expect.arrayContaining(['Planned.', 'Known.']));
    expect(await done(['snooze', id, '--for', '7d'])).toContain('snoozed');
    const { snoozed_until } = await world.admin.call('getAlert', { path: { id: Number(id) } });
    const { headers } = await world.admin.send('getAlertSummary');
    const seconds = (Date.parse(snoozed_until!) - Date.parse(headers.get('date')!)) / 1_000;
    expect(Math.abs(seconds - 7 * 86_400)).toBeLessThan(120);
    expect(await done(['unsnooze', id])).toContain('unsnoozed');
    expect(await done(['snooze', id, '--until-version-changes'])).toContain('snoozed');
    expect(await done(['resolve', id])).toBe(`Alert ${id} resolved\n`);
    expect(await names()).not.toContain(name);
    expect(await names('--resolved')).toContain(name);
    expect(await names('--severity', 'critical')).not.toContain(name);
  });

  test('of an upgrade change together, and those of other upgrades stay as they are', async () => {
    const id = await world.make.openAlert();
    const other = await world.make.openAlert();
    const { gather_job } = await world.admin.call('getAlert', { path: { id } });
    const { items } = await world.admin.call('listUpgrades', { query: { gather_job_id: gather_job.id } });
    const name = `upgrades/${items[0]!.id}`;
    const upgrade = `Upgrade ${items[0]!.id}`;
    expect(await done(['ack', name, '-m', 'Planned.'])).toBe(`${upgrade}: 1 alert acknowledged\n`);
    expect(await done(['ack', name])).toBe(`${upgrade}: 0 alerts acknowledged, 1 unchanged\n`);
    expect(await done(['snooze', name, '--for', '7d'])).toBe(`${upgrade}: 1 alert snoozed\n`);
    expect(await done(['unsnooze', name])).toBe(`${upgrade}: 1 alert unsnoozed\n`);
    expect(await done(['comment', name, '-m', 'Waiting.'])).toBe(`${upgrade}: 1 alert commented on\n`);
    expect(await done(['unack', name])).toBe(`${upgrade}: 1 alert unacknowledged\n`);
    expect(await done(['ack', String(other), name])).toBe(
      `Alert ${other} acknowledged\n${upgrade}: 1 alert acknowledged\n`,
    );
    expect(await failed(1, ['ack', 'upgrades/1-0000000000000000'])).toContain('Upgrade 1-0000000000000000: ');
    expect(await done(['resolve', name])).toBe(`${upgrade}: 1 alert resolved\n`);
    expect(await world.admin.call('getAlert', { path: { id: other } })).toMatchObject({
      status: 'acknowledged',
    });
  });

  test('that cannot be changed are reported, and the others are changed', async () => {
    const id = await world.make.openAlert();
    const result = await run(['resolve', '999999', String(id)]);
    expect(result).toMatchObject({ code: 1, stdout: `Alert ${id} resolved\n` });
    expect(result.stderr).toMatch(/Alert 999999: .*\n.*1 of 2 failed/);
    expect(await failed(1, ['ack', String(id)])).toContain(`No open alert with ID ${id}`);
    // No alert can have this ID. The error must contain the exact ID, because a JavaScript number would be
    // rounded.
    for (const args of [['ack'], ['resolve'], ['snooze', '--for', '1d']])
      expect(await failed(1, [...args, '9007199254740993'])).toContain('No alert with ID 9007199254740993.');
    expect(await failed(1, ['ignore', '9223372036854775807'])).toContain(
      'No discovered item with ID 9223372036854775807.',
    );
    expect(await failed(2, ['ack', 'gather-jobs/7'])).toContain('Invalid alert ID "gather-jobs/7"');
    expect(await failed(2, ['snooze', String(id)])).toContain('--for');
    expect(await failed(2, ['snooze', String(id), '--for', 'long'])).toContain('Invalid duration "long"');
  });

  test('can be silenced by label, and a silence can be ended', async () => {
    const alertId = await world.make.openAlert();
    const { labels } = await world.admin.call('getAlert', { path: { id: alertId } });
    const label = `team=${labels['team']}`;
    const silence = ['silence', '-l', label, '-l', 'env!=dev', '-l', 'tier=~"a|b|"'];
    const made = await done([...silence, '--for', '2h', '--reason', 'Upgrade']);
    const [, id, count] = /^Silence (\d+) created \(active\)\. It matches (\d+) open alerts?\.\n$/.exec(
      made,
    )!;
    expect(Number(count)).toBeGreaterThan(0);
    expect((await world.admin.call('getAlert', { path: { id: alertId } })).silence).toMatchObject({
      id: Number(id),
      reason: 'Upgrade',
    });
    expect(await done(['alerts'])).toMatch(new RegExp(`^${alertId} .* unacknowledged, silenced `, 'm'));
    expect(await done(['get', 'silences'])).toMatch(/active +team=\S+, env!=dev, tier=~a\|b\|/);
    expect(await done(['unsilence', id!])).toBe(`Silence ${id} ended\n`);
    expect((await world.admin.call('getAlert', { path: { id: alertId } })).silence).toBeNull();
    expect(await failed(2, [...silence, '--reason', 'x'])).toContain('--for DURATION or --until TIME');
    expect(await failed(2, ['silence', '--for', '1h', '--reason', 'x'])).toContain('--label');
    expect(await failed(2, ['silence', '-l', 'team', '--for', '1h', '--reason', 'x'])).toContain(
      'Invalid label',
    );
    expect(await failed(2, ['silence', '-l', 'team=~(', '--for', '1h', '--reason', 'x'])).toContain(
      'Invalid pattern',
    );
    expect(await failed(1, ['unsilence', id!])).toContain('has ended');
  });

  test('are printed by --watch as they change, until the command is stopped', async () => {
    const id = await world.make.openAlert();
    const controller = new AbortController();
    let acted = false;
    const watching = run(['alerts', '--watch', '--interval', '1', '--all'], {
      signal: controller.signal,
      onOutput(stdout) {
        if (!acted) void world.admin.call('resolveAlert', { path: { id } });
        acted = true;
        if (stdout.includes(`Alert ${id} is no longer listed`)) controller.abort();
      },
    });
    expect(await watching).toMatchObject({ code: 0, stderr: '' });
  });
});

describe('the versions of a comparison', () => {
  const stored = async (id: number) => {
    const { ignored_versions, candidate_pattern } = await world.admin.call('getAlertConfig', {
      path: { id },
    });
    return { ignored_versions, candidate_pattern };
  };

  test('are ignored with ignore-version, and compared again with --undo', async () => {
    const id = await world.make.alertConfig({ name: 'Shop', ignored_versions: ['1.0'] });
    expect(await done(['ignore-version', 'Shop', '2.0', '1.0', '3.0'])).toBe(
      'Shop: ignored versions: 1.0, 2.0, 3.0\n',
    );
    expect(await done(['ignore-version', String(id), '2.0', '3.0', '--undo'])).toBe(
      'Shop: ignored versions: 1.0\n',
    );
    expect(await stored(id)).toEqual({ ignored_versions: ['1.0'], candidate_pattern: null });
    expect(await done(['ignore-version', 'Shop', '1.0', '--undo'])).toBe('Shop: ignored versions: none\n');
  });

  test('are counted with count-version despite their outlier numbers, until --undo', async () => {
    const id = await world.make.alertConfig({ name: 'Shop counted' });
    expect(await done(['count-version', 'Shop counted', '2024.1'])).toBe(
      'Shop counted: counted versions: 2024.1\n',
    );
    expect(await world.admin.call('getAlertConfig', { path: { id } })).toMatchObject({
      counted_versions: ['2024.1'],
    });
    expect(await done(['count-version', 'Shop counted', '2024.1', '--undo'])).toBe(
      'Shop counted: counted versions: none\n',
    );
  });

  test('are ignored and counted for all users of a gather job with --gather-job, until --undo', async () => {
    const id = await world.make.gatherJob({ name: 'Shop releases' });
    const lists = async () => {
      const { ignored_versions, counted_versions } = await world.admin.call('getGatherJob', { path: { id } });
      return { ignored_versions, counted_versions };
    };
    expect(await done(['ignore-version', '--gather-job', 'Shop releases', '2.0'])).toBe(
      'Shop releases: ignored versions: 2.0\n',
    );
    expect(await done(['count-version', '--gather-job', String(id), '2024.1'])).toBe(
      'Shop releases: counted versions: 2024.1\n',
    );
    expect(await lists()).toEqual({ ignored_versions: ['2.0'], counted_versions: ['2024.1'] });
    await done(['ignore-version', '--gather-job', 'Shop releases', '2.0', '--undo']);
    await done(['count-version', '--gather-job', 'Shop releases', '2024.1', '--undo']);
    expect(await lists()).toEqual({ ignored_versions: [], counted_versions: [] });
  });

  test('are limited with follow-version to those similar to a release, until --undo', async () => {
    const id = await world.make.alertConfig({ name: 'Shop front' });
    const pattern = '^[\\d.]+-alpine[\\d.]+$';
    expect(await done(['follow-version', 'Shop front', '4.2.0-alpine3.24'])).toBe(
      `Shop front: version filter: ${pattern} (was: none)\n`,
    );
    expect(await stored(id)).toEqual({ ignored_versions: [], candidate_pattern: pattern });
    expect(await done(['follow-version', 'Shop front', '--undo'])).toBe(
      `Shop front: version filter: none (was: ${pattern})\n`,
    );
    expect(await done(['follow-version', 'Shop front', '4.2.0', '--major'])).toContain(
      'version filter: ^v?4\\. (was: none)',
    );
    expect(await failed(2, ['follow-version', 'Shop front', 'main', '--major'])).toContain(
      'no major version',
    );
    expect(await failed(2, ['follow-version', 'Shop front'])).toContain(
      'either a release to follow or --undo',
    );
  });
});

describe('other commands', () => {
  test('evaluate prints the number of evaluated configurations', async () => {
    expect(JSON.parse(await done(['evaluate', '-o', 'json'])).evaluated).toBeGreaterThan(0);
  });

  test('test-channel exits with code 0 if the test succeeds, and 1 if it fails', async () => {
    const good = await world.make.channel({ name: 'Good channel' });
    expect(await done(['test-channel', 'Good channel'])).toContain('success: true');
    expect(await done(['test-channel', String(good), '-o', 'json'])).toContain('"status_code": 200');
    const gone = await world.make.channel({ url: `${world.make.webhookUrl}gone` });
    expect(await failed(1, ['test-channel', String(gone)])).toContain('Test failed');
  });

  test('test-channel shows the text of an HTML response on one line, and the HTML in JSON', async () => {
    const page = `<!DOCTYPE html>
<html><head><title>502 Bad gateway</title><style>body { color: red }</style></head>
<body><!-- a comment --><h1>Bad gateway</h1><p>Ray &amp; ID: <b>7</b></p><script>alert(1)</script></body></html>`;
    const proxy = await createWebhookInbox();
    onTestFinished(() => proxy.close());
    proxy.answerAlways({ status: 502, body: page });
    const id = String(await world.make.channel({ url: proxy.url }));
    const env = { PACEKEEPER_API_KEY: world.keys.admin };
    const { stdout } = await run(['test-channel', id], { env });
    expect(stdout).toContain('response_body: "502 Bad gateway Bad gateway Ray & ID: 7"\n');
    const sent = /^request_body: (.*)$/m.exec(stdout)![1]!;
    expect(sent.length).toBeLessThan(300);
    const json = await run(['test-channel', id, '-o', 'json'], { env });
    expect(JSON.parse(json.stdout).request_body.length).toBeGreaterThan(sent.length);
    expect(JSON.parse(json.stdout).response_body).toBe(page);
  });

  test('simulate prints the channels that a notification rule selects', async () => {
    const channel = await world.make.channel({ name: 'Simulated' });
    await world.make.notificationRule({ name: 'Only high', severities: ['high'], channel_ids: [channel] });
    expect(await done(['simulate', 'Only high', '--severity', 'high', '--label', 'team=a'])).toContain(
      'name: Simulated',
    );
    expect(await failed(1, ['simulate', 'Only high', '--severity', 'moderate'])).toContain("doesn't match");
  });

  test('simulate replays history with a rule from a file, and compares it with a stored rule', async () => {
    const id = await world.make.rule();
    const { name } = await world.admin.call('getRule', { path: { id } });
    await world.make.alertConfig({ rule_id: id, labels: { team: 'simulated' } });
    const stdin = 'name: Strict\nrule_type: majors_behind\nthresholds: { moderate: 1 }\n';
    const summary = await done(['simulate', '-f', '-', '--days', '30', '--label', 'team=simulated'], {
      stdin,
    });
    expect(summary).toMatch(/^(In the last 30 days, this would have opened|No alert configuration can be)/);
    const result = JSON.parse(await done(['simulate', name, '-f', '-', '-o', 'json'], { stdin }));
    expect(result).toMatchObject({ configs: 1, compared_with: { rule_id: id } });
    expect(JSON.parse(await done(['simulate', name, '-o', 'json']))).toMatchObject({ compared_with: null });
    expect(await failed(2, ['simulate'])).toContain('Specify a rule, or a file with -f.');
    expect(await failed(2, ['simulate', name, '--event', 'alert.created'])).toContain('requires --severity');
    expect(await failed(2, ['simulate', 'Only high', '--severity', 'high', '--days', '3'])).toContain(
      "can't be combined",
    );
  });

  test('simulate replays the messages of notification rules, or of a rule from a file', async () => {
    expect(await done(['simulate', '--messages', '--days', '30'])).toMatch(/^In the last 30 days, .* sent\./);
    const stdin = 'name: Only critical\nseverities: [critical]\n';
    const compared = JSON.parse(await done(['simulate', '--messages', '-f', '-', '-o', 'json'], { stdin }));
    expect(compared).toMatchObject({ matched: 0, compared_with: { messages: expect.any(Array) } });
    expect(await failed(2, ['simulate', '--messages', '--severity', 'high'])).toContain("can't be combined");
    expect(await failed(2, ['simulate', 'Only high', '--messages'])).toContain('Specify a file with -f');
  });

  test('forecast lists alert configurations that will cross thresholds, and prints a calendar URL', async () => {
    expect(await done(['forecast', '--days', '90', '--label', 'team=none'])).toBe(
      'No alert configuration crosses a threshold in the next 90 days if nothing is upgraded.\n',
    );
    expect(JSON.parse(await done(['forecast', '-o', 'json']))).toMatchObject({ is_complete: true });
    expect(await done(['forecast', '--calendar', '--severity', 'high'])).toMatch(
      /^http:\S+\/calendar\/\S+\.ics\n$/,
    );
    expect(await failed(2, ['forecast', '--calendar', '--rule', '1'])).toContain("can't be combined");
  });

  test('preview runs a parser on a file, and a template on sample data', async () => {
    const stdin = 'image:\n  tag: v1.10\n';
    const args = ['preview', 'scrape', '-', '--parser', 'yq', '--transform', 'strip_v_lower'];
    const found = JSON.parse(await done([...args, '--expression', '.image.tag', '-o', 'json'], { stdin }));
    expect(found).toMatchObject({ found: true, version: '1.10' });
    expect(await failed(1, [...args, '--expression', '.image.tug'], { stdin })).toContain('No version found');
    expect(await done(['preview', 'template', 'new_alert', '--preset', 'slack'])).toContain('"blocks"');
    const file = path.join(temporaryFolder(), 'template.liquid');
    writeFileSync(file, 'broken {{ alert.');
    expect(await failed(1, ['preview', 'template', 'new_alert', '-f', file])).toMatch(/line 1/);
  });

  test('retry queues dead letters for another attempt', async () => {
    const id = await world.make.deadDelivery();
    expect(await done(['retry', `deliveries/${id}`])).toBe(`Delivery ${id} queued for retry\n`);
    expect(await done(['retry', '--all'])).toMatch(/^\d+ deliver(y|ies) queued for retry/);
    expect(await failed(2, ['retry'])).toContain('--all');
  });
});
