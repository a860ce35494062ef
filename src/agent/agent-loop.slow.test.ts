import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  type FakeAgentInterface,
  startFakeAgentInterface,
} from '../../tests/helpers/fake-agent-interface.ts';
import { localNetwork } from '../../tests/helpers/local-network.ts';
import { createAgentDataFolder } from '../../tests/helpers/temporary-folder.ts';
import { type FakeGithub, startFakeGithub } from '../../tests/helpers/upstreams/fake-github.ts';
import {
  startFakeHelmRepository,
  writeHelmIndex,
} from '../../tests/helpers/upstreams/fake-helm-repository.ts';
import {
  type GitServer,
  hasGitHttpBackend,
  startGitServer,
} from '../../tests/helpers/upstreams/git-server.ts';
import { createLog, createSilentLog } from '../platform/log.ts';
import { sourceFingerprint } from '../sources/source-fingerprint.ts';
import { agentCapabilities } from './agent-config.ts';
import type { AgentCredential, AnyCredential } from './agent-credential.ts';
import { type AgentOptions, runAgent } from './agent-loop.ts';
import { createAgentComponents } from './agent-parts.ts';
import { AgentRefusedError } from './agent-presence.ts';
import type { TaskOf } from './agent-task.ts';

const closers: (() => Promise<unknown>)[] = [];
let service: FakeAgentInterface;

beforeEach(async () => {
  service = await startFakeAgentInterface();
  closers.push(() => service.close());
});

afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

interface Running {
  stop(): Promise<void>;
  ended: Promise<void>;
}

function start(change: Partial<AgentOptions> = {}): Running {
  const log = createSilentLog();
  const stopping = new AbortController();
  const credentials = change.credentials ?? [];
  const parts = credentials.length === 0 ? sharedParts : createParts(credentials);
  const ended = runAgent({
    connection: { serverUrl: service.url, apiKey: 'pk_1_secret' },
    name: 'runner-7',
    version: '1.2.3',
    capabilities: agentCapabilities,
    credentials,
    runners: parts.runners,
    log,
    signal: stopping.signal,
    ...change,
  });
  ended.catch(() => {});
  const stop = async (): Promise<void> => {
    stopping.abort();
    await ended.catch(() => {});
  };
  // Closers run in reverse order. Register the closer of the parts first, because the agent must stop before
  // its parts are closed.
  if (parts !== sharedParts) closers.push(() => parts.close());
  closers.push(stop);
  return { stop, ended };
}

function createParts(credentials: readonly AnyCredential[]) {
  const settings = { ...localNetwork, dataDir: createAgentDataFolder(), version: '1.2.3' };
  return createAgentComponents(settings, credentials, createSilentLog());
}

/**
 * Parts shared by all agents without credentials. Creating them for each agent would be slow, because each
 * sandbox starts several processes.
 */
const sharedParts = createParts([]);
afterAll(() => sharedParts.close());

/** Creates a log that keeps its lines. */
function createKeptLog() {
  const lines: Record<string, unknown>[] = [];
  const write = (line: string) => void lines.push(JSON.parse(line) as Record<string, unknown>);
  return { log: createLog({ level: 'info', format: 'json', destination: { write } }), lines };
}

/** Returns the URL of a port without a listener. */
async function freeAddress(): Promise<string> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  return `http://127.0.0.1:${port}`;
}

async function startGithub(): Promise<FakeGithub> {
  const github = await startFakeGithub();
  closers.push(() => github.close());
  github.repositories.set('acme/app', [
    { tag: 'v2.0.0', publishedAt: '2026-02-01T00:00:00Z' },
    { tag: 'v2.0.0-rc.1', publishedAt: '2026-01-15T00:00:00Z', isPrerelease: true },
    { tag: 'v1.0.0', publishedAt: '2026-01-01T00:00:00Z' },
  ]);
  return github;
}

let nextId = 1;
const taskHead = () => ({
  task_id: nextId,
  organization_id: 2,
  lease_token: `lease-${nextId++}`,
  lease_expires_at: '2026-11-21T05:11:00.000Z',
});

function gatherTask(host: string, spec: Partial<TaskOf<'gather'>['spec']> = {}): TaskOf<'gather'> {
  return {
    ...taskHead(),
    kind: 'gather',
    spec: {
      gather_job_id: 42,
      source_type: 'github_releases',
      artifact_name: `${host}/acme/app`,
      source_options: {},
      version_pattern: null,
      version_scheme: 'auto',
      include_prereleases: true,
      credential_name: null,
      validators: null,
      is_full: true,
      share_key: `github_releases ${host}/acme/app`,
      ...spec,
    },
  };
}

function scrapeTask(url: string, spec: Partial<TaskOf<'scrape'>['spec']> = {}): TaskOf<'scrape'> {
  return {
    ...taskHead(),
    kind: 'scrape',
    spec: {
      scrape_job_id: 7,
      repository_url: url,
      ref: 'HEAD',
      target_file: 'values.yaml',
      parser_type: 'yq',
      parse_expression: '.image.tag',
      version_transform: 'none',
      credential_name: null,
      ...spec,
    },
  };
}

describe('heartbeats', () => {
  test('the first heartbeat identifies the agent', async () => {
    start();
    service.add(gatherTask('127.0.0.1:1'));
    await service.ended();
    expect(service.callsTo('/heartbeat')[0]).toMatchObject({
      headers: { 'x-api-key': 'pk_1_secret' },
      body: {
        name: 'runner-7',
        version: '1.2.3',
        capabilities: agentCapabilities,
        credential_names: [],
        running: [],
      },
    });
  });

  test('the embedded agent sends its token and the credential names of each organization', async () => {
    const credential = (name: string, organizations: number[]): AgentCredential => ({
      type: 'https_pat',
      name,
      hosts: ['git.example.com'],
      token: 'secret-token',
      organizations,
    });
    start({
      connection: { serverUrl: service.url, token: 'pacekeeper-embedded-x' },
      credentials: [credential('a', [2, 3]), credential('b', [3])],
    });
    while (service.callsTo('/heartbeat').length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    const [call] = service.callsTo('/heartbeat');
    expect(call?.headers).toMatchObject({ authorization: 'Bearer pacekeeper-embedded-x' });
    expect(call?.headers['x-api-key']).toBeUndefined();
    expect(call?.body).toMatchObject({
      credential_names: ['a', 'b'],
      credential_names_by_organization: { 2: ['a'], 3: ['a', 'b'] },
    });
    expect(JSON.stringify(call?.body)).not.toContain('secret');
  });

  test('an agent that the service no longer knows registers again', async () => {
    const github = await startGithub();
    start({ limits: { claimWaitSeconds: 0 } });
    service.add(gatherTask(github.host));
    await service.ended();
    service.forgetAgent();
    service.add(gatherTask(github.host));
    await service.ended();
    expect(service.callsTo('/heartbeat').length).toBeGreaterThanOrEqual(2);
  });

  test.each([
    [
      401,
      'unauthenticated',
      /^The server rejected the API key\. Check PACEKEEPER_API_KEY, .* The fake says unauthenticated\.$/,
    ],
    [
      403,
      'forbidden',
      /^The API key doesn't have the agent role\. .* PACEKEEPER_API_KEY.* The fake says forbidden\.$/,
    ],
  ])('an agent that the server rejects (%d) stops and reports the reason', async (status, code, sentence) => {
    service.refuse = () => ({ status, code });
    const { ended } = start();
    await expect(ended).rejects.toThrow(AgentRefusedError);
    await expect(ended).rejects.toThrow(sentence);
  });

  test('an unreachable server is logged as one sentence without a stack trace', async () => {
    const { log, lines } = createKeptLog();
    const address = await freeAddress();
    const { stop } = start({ connection: { serverUrl: address, apiKey: 'pk_1_secret' }, log });
    await expect.poll(() => lines.length).toBe(1);
    expect(lines[0]).toMatchObject({
      level: 'warn',
      msg: `heartbeat failed: Can't connect to ${address}: connection refused (ECONNREFUSED). Check that the server is running and that the port is correct. Retrying.`,
    });
    expect(lines[0]).not.toHaveProperty('err');
    await stop();
  });

  test('an agent logs that it has stopped', async () => {
    const { log, lines } = createKeptLog();
    const { stop } = start({ log });
    await expect.poll(() => lines.map(({ msg }) => msg)).toEqual(['agent ready']);
    await stop();
    expect(lines.at(-1)).toMatchObject({ level: 'info', msg: 'agent stopped', agent: 'runner-7' });
  });

  test('the agent retries while the service is unavailable', async () => {
    const github = await startGithub();
    let failures = 2;
    service.refuse = () => (failures-- > 0 ? { status: 503, code: 'unavailable' } : null);
    start();
    service.add(gatherTask(github.host));
    await service.ended();
    expect([...service.tasks.values()][0]?.state).toBe('completed');
  });
});

describe('gather tasks', () => {
  test('releases are submitted with a summary of the run', async () => {
    const github = await startGithub();
    start();
    const entry = service.add(gatherTask(github.host));
    await service.ended();
    expect(entry.state).toBe('completed');
    expect(entry.parts.get(1)).toMatchObject([
      { tag: 'v2.0.0' },
      { tag: 'v2.0.0-rc.1', is_prerelease: true },
      { tag: 'v1.0.0' },
    ]);
    expect(entry.summary).toMatchObject({
      not_modified: false,
      is_complete_list: true,
      found: 3,
      skipped: 0,
      requests: 1,
      validators: { etag: expect.any(String), fingerprint: expect.any(String) },
    });
  });

  test('version_pattern filters releases and extracts the version, and unwanted pre-releases are skipped', async () => {
    const github = await startGithub();
    start();
    const entry = service.add(
      gatherTask(github.host, { version_pattern: '^v(2.*)$', include_prereleases: false }),
    );
    await service.ended();
    expect(entry.parts.get(1)).toMatchObject([{ tag: 'v2.0.0', version: '2.0.0' }]);
    expect(entry.summary).toMatchObject({ found: 1, skipped: 2 });
  });

  test('validators are sent only for the query that returned them', async () => {
    const github = await startGithub();
    start();
    const first = service.add(gatherTask(github.host, { is_full: false }));
    await service.ended();
    const validators = first.summary?.['validators'] as TaskOf<'gather'>['spec']['validators'];
    const same = service.add(gatherTask(github.host, { is_full: false, validators }));
    await service.ended();
    expect(same.summary).toMatchObject({ not_modified: true, requests: 1, found: 0 });
    expect(same.parts.size).toBe(0);
    const other = service.add(
      gatherTask(github.host, { is_full: false, validators, version_pattern: '^v1' }),
    );
    await service.ended();
    expect(other.summary).toMatchObject({ not_modified: false, found: 1 });
  });

  test('tasks with the same share key share one request, which sends validators only if all tasks have the same validators', async () => {
    const github = await startGithub();
    const spec = gatherTask(github.host).spec;
    const fingerprint = sourceFingerprint({
      sourceType: 'github_releases',
      artifactName: spec.artifact_name,
      sourceOptions: {},
      versionPattern: null,
      includePrereleases: true,
    });
    const validators = { etag: '"x"', last_modified: null, fingerprint };
    const entries = [
      service.add(gatherTask(github.host, { is_full: false, validators })),
      service.add(gatherTask(github.host, { is_full: false, validators })),
      service.add(gatherTask(github.host, { is_full: false })),
    ];
    start();
    await service.ended();
    expect(entries.map(({ summary }) => summary?.['requests'])).toEqual([1, 0, 0]);
    expect(entries.map(({ summary }) => summary?.['found'])).toEqual([3, 3, 3]);
    expect(github.requests).toHaveLength(1);
    expect(github.requests[0]?.headers['if-none-match']).toBeUndefined();
  });

  test('a failure is reported with its code and whether it is retryable', async () => {
    const github = await startGithub();
    const missing = service.add(
      gatherTask(github.host, { artifact_name: `${github.host}/acme/none`, share_key: 'none' }),
    );
    const privateAddress = service.add(gatherTask('10.0.0.1', { share_key: 'private' }));
    const credential = service.add(
      gatherTask(github.host, { credential_name: 'gone', share_key: 'credential' }),
    );
    start();
    await service.ended();
    expect(
      [missing, privateAddress, credential].map(({ error, retryable }) => [error?.code, retryable]),
    ).toEqual([
      ['not_found', false],
      ['target_not_allowed', false],
      ['credential_missing', false],
    ]);
  });

  test('a rate limit of the source is reported with the time at which it ends', async () => {
    const github = await startGithub();
    github.remaining = 0;
    const entry = service.add(gatherTask(github.host));
    start();
    await service.ended();
    expect(entry.error?.code).toBe('rate_limited');
    expect(service.callsTo('/fail')[0]?.body['retry_at']).toMatch(/^\d{4}-\d\d-\d\dT/u);
  });

  test('a credential is used only for its organizations', async () => {
    const github = await startGithub();
    const credential: AgentCredential = {
      type: 'https_pat',
      name: 'x',
      hosts: ['127.0.0.1'],
      token: 't',
      organizations: [3],
    };
    const entry = service.add(gatherTask(github.host, { credential_name: 'x' }));
    start({ credentials: [credential] });
    await service.ended();
    expect(entry.error?.code).toBe('credential_missing');
    expect(github.requests).toEqual([]);
  });
});

describe('helm sync tasks', () => {
  test('charts are submitted with their releases', async () => {
    const helm = await startFakeHelmRepository();
    closers.push(() => helm.close());
    helm.indexes.set(
      '/charts',
      writeHelmIndex({ app: [{ version: '1.0.0' }, { version: '1.1.0' }], other: [{ version: '3.0.0' }] }),
    );
    const task = (validators: TaskOf<'helm_sync'>['spec']['validators']): TaskOf<'helm_sync'> => ({
      ...taskHead(),
      kind: 'helm_sync',
      spec: {
        helm_sync_job_id: 5,
        repository_url: `http://${helm.host}/charts`,
        chart_filter: ['a*'],
        create_gather_jobs: true,
        credential_name: null,
        validators,
      },
    });
    start();
    const first = service.add(task(null));
    await service.ended();
    expect(first.parts.get(1)).toMatchObject([
      {
        chart: { name: 'app', latest_version: '1.1.0', version_count: 2 },
        releases: [{ tag: '1.0.0' }, { tag: '1.1.0' }],
      },
    ]);
    const again = service.add(
      task(first.summary?.['validators'] as TaskOf<'helm_sync'>['spec']['validators']),
    );
    await service.ended();
    expect(again.summary).toMatchObject({ not_modified: true });
  });
});

describe('leases', () => {
  test('a lease is renewed until its task is complete', async () => {
    service.leaseSeconds = 1;
    const github = await startGithub();
    const task = gatherTask(github.host);
    // The response is sent after the second renewal of the lease.
    github.intercept = (_, response) => {
      const renewals = () => service.tasks.get(task.task_id)?.renewals;
      void expect
        .poll(renewals)
        .toBeGreaterThanOrEqual(2)
        .then(() => response.writeHead(200).end('[]'));
      return true;
    };
    const entry = service.add(task);
    start();
    await service.ended();
    expect(entry.state).toBe('completed');
  });

  test('a lost lease stops the work immediately, and no outcome is reported', async () => {
    service.leaseSeconds = 1;
    const github = await startGithub();
    let isClosed = false;
    github.intercept = (_, response) => {
      response.on('close', () => (isClosed = true));
      return true;
    };
    const entry = service.add(gatherTask(github.host));
    start();
    while (entry.state !== 'claimed') await new Promise((resolve) => setTimeout(resolve, 5));
    // The server changes the lease token when it assigns the task to another agent.
    entry.task = { ...entry.task, lease_token: 'of another agent' };
    while (!isClosed) await new Promise((resolve) => setTimeout(resolve, 5));
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(service.callsTo('/fail')).toEqual([]);
    expect(service.callsTo('/complete')).toEqual([]);
  });

  test('a result is submitted when the service is available again', async () => {
    const github = await startGithub();
    let failures = 2;
    service.refuse = (path) =>
      path.endsWith('/complete-batch') && failures-- > 0 ? { status: 503, code: 'unavailable' } : null;
    const entry = service.add(gatherTask(github.host));
    start();
    await service.ended();
    expect(failures).toBe(-1);
    expect(entry.state).toBe('completed');
  });

  test('an agent that loses its lease before it submits the result does not change the task of the new agent', async () => {
    service.refuse = (path) => (path.endsWith('/complete-batch') ? { status: 404, code: 'not_found' } : null);
    const github = await startGithub();
    const entry = service.add(gatherTask(github.host));
    github.intercept = () => {
      entry.task = { ...entry.task, lease_token: 'of another agent' };
      return false;
    };
    const { log, lines } = createKeptLog();
    start({ log });
    while (!lines.some(({ msg }) => msg === 'task lease lost'))
      await new Promise((resolve) => setTimeout(resolve, 5));
    expect(entry).toMatchObject({ state: 'claimed', summary: null, error: null });
    expect(service.callsTo('/fail')).toHaveLength(0);
  });

  const rejected = 'The server rejected the result: The fake says';
  test.each([
    [409, 'conflict', [], 'invalid_index', `${rejected} conflict.`],
    [
      400,
      'validation_failed',
      [{ field: 'items[0].tag', message: 'is too long' }],
      'invalid_index',
      rejected,
    ],
    [413, 'payload_too_large', [], 'too_large', 'The fake says payload_too_large.'],
    [400, 'validation_failed', [], 'internal', 'a request from the agent: The fake says validation_failed.'],
    [403, 'forbidden', [], 'internal', 'a request from the agent: The fake says forbidden.'],
  ])(
    'a permanent rejection by the service (%i %s %j) fails the task as %s',
    async (status, code, errors, runCode, reason) => {
      const github = await startGithub();
      // Reject the batch completion, and also the single completion with which the agent retries.
      service.refuse = (path) => (/\/complete(-batch)?$/.test(path) ? { status, code, errors } : null);
      const entry = service.add(gatherTask(github.host));
      start();
      await service.ended();
      expect(service.callsTo('/complete')).toHaveLength(1);
      expect(entry.error).toEqual({ code: runCode, message: expect.stringContaining(reason) });
    },
  );

  test('a part that is too large fails the task', async () => {
    const github = await startGithub();
    service.refuse = (path) =>
      /\/(results|complete-batch)$/.test(path) ? { status: 413, code: 'payload_too_large' } : null;
    const entry = service.add(gatherTask(github.host));
    start();
    await service.ended();
    expect(entry).toMatchObject({ error: { code: 'too_large' }, retryable: false });
  });
});

describe('a stopping agent', () => {
  test('completes tasks in flight and claims no more', async () => {
    const github = await startGithub();
    let isAsked = (): void => {};
    const asked = new Promise<void>((resolve) => (isAsked = resolve));
    let respond = (): void => {};
    github.intercept = (_, response) => {
      respond = () => response.writeHead(200).end('[]');
      isAsked();
      return true;
    };
    const entry = service.add(gatherTask(github.host));
    const agent = start();
    await asked;
    const stopped = agent.stop();
    // Wait until the agent has no open claim, because an open claim could receive the task that is added
    // next.
    await expect.poll(service.waitingClaims).toBe(0);
    const late = service.add(gatherTask(github.host));
    respond();
    await stopped;
    expect([entry.state, late.state]).toEqual(['completed', 'queued']);
  });

  test("fails tasks that don't end in time, with a retryable error", async () => {
    const github = await startGithub();
    let isAsked = (): void => {};
    const asked = new Promise<void>((resolve) => (isAsked = resolve));
    github.intercept = () => {
      isAsked();
      return true;
    };
    const entry = service.add(gatherTask(github.host));
    const waiting = service.add(gatherTask(github.host, { share_key: 'other' }));
    const agent = start({ limits: { stopMs: 200, maxGathers: 1 } });
    await asked;
    await agent.stop();
    expect([entry, waiting].map(({ state, error, retryable }) => [state, error?.code, retryable])).toEqual([
      ['failed', 'agent_lost', true],
      ['failed', 'agent_lost', true],
    ]);
  });
});

describe.skipIf(!hasGitHttpBackend)('scrape tasks (needs git with http-backend)', () => {
  async function startGit(): Promise<GitServer> {
    const server = await startGitServer();
    closers.push(() => server.close());
    return server;
  }

  test('the version in a file is submitted with its commit', async () => {
    const git = await startGit();
    const repository = git.createRepository('deploy.git');
    const sha = repository.commit({
      'values.yaml': 'image:\n  tag: 1.10\n',
      'app.json': '{"a":{"b":"2.0"}}',
    });
    const yaml = service.add(scrapeTask(repository.url, { version_transform: 'add_v_lower' }));
    const json = service.add(
      scrapeTask(repository.url, { parser_type: 'jq', target_file: 'app.json', parse_expression: '.a.b' }),
    );
    const wrong = service.add(scrapeTask(repository.url, { parse_expression: '.image.name' }));
    const missing = service.add(scrapeTask(repository.url, { target_file: 'none' }));
    const slow = service.add(scrapeTask(repository.url, { parser_type: 'regex', parse_expression: '(?=x)' }));
    start();
    await service.ended();
    expect(yaml.parts.get(1)).toEqual([{ raw_version: '1.10', version: 'v1.10', commit_sha: sha }]);
    expect(json.parts.get(1)).toEqual([{ raw_version: '2.0', version: '2.0', commit_sha: sha }]);
    expect(wrong.error).toMatchObject({
      code: 'parse_failed',
      message: expect.stringContaining('values.yaml'),
    });
    expect([missing, slow].map(({ error }) => error?.code)).toEqual(['file_not_found', 'parse_failed']);
    expect(git.fetches()).toBe(2);
  });

  test('a thousand jobs on one repository need one fetch of its commit and one fetch of its files', async () => {
    const git = await startGit();
    const repository = git.createRepository('mono.git');
    const files = Array.from(
      { length: 1_000 },
      (_, index) => [`apps/${index}/values.yaml`, `image:\n  tag: 1.${index}.0\n`] as const,
    );
    repository.commit(Object.fromEntries(files));
    const entries = files.map(([file]) => service.add(scrapeTask(repository.url, { target_file: file })));
    start();
    await service.ended();
    expect(
      entries.map(({ parts }) => (parts.get(1)?.[0] as { version: string } | undefined)?.version),
    ).toEqual(files.map((_, index) => `1.${index}.0`));
    expect(git.fetches()).toBe(2);
    expect(
      service
        .callsTo('/tasks/claim')
        .filter(({ body }) => (body['capabilities'] as string[]).includes('scrape')).length,
    ).toBeLessThan(25);
  });

  test('an unreadable repository fails all of its tasks', async () => {
    const git = await startGit();
    const entries = [1, 2, 3].map(() => service.add(scrapeTask(`http://${git.host}/none.git`)));
    start();
    await service.ended();
    expect(entries.map(({ error }) => error?.code)).toEqual(['not_found', 'not_found', 'not_found']);
  });

  test('the tags of a repository are submitted as releases', async () => {
    const git = await startGit();
    const repository = git.createRepository('a.git');
    repository.commit({ a: '1' }, { date: '2026-01-01T00:00:00Z' });
    repository.git('tag', 'v1.0.0');
    const entry = service.add(gatherTask('', { source_type: 'git_tags', artifact_name: repository.url }));
    start();
    await service.ended();
    expect(entry.parts.get(1)).toMatchObject([{ tag: 'v1.0.0', released_at: '2026-01-01T00:00:00.000Z' }]);
  });

  test('the changelog at the newest stable tag is submitted after the releases', async () => {
    const git = await startGit();
    const repository = git.createRepository('changes.git');
    const tag = (version: string, changelog: string) => {
      repository.commit({ 'docs/CHANGES.md': changelog, 'large.md': 'x'.repeat(5 * 1024 * 1024 + 1) });
      repository.git('tag', version);
    };
    tag('v1.9.0', '# 1.9.0\nOld.\n');
    tag('v1.10.0', '# Changes\n## [1.10.0] - 2026-02-01\n- Ten\n\n## 1.9.0\n- Nine\n\n## 1.8.0\n');
    tag('v2.0.0-rc.1', '# 2.0.0\nSoon.\n');
    const job = (spec: Partial<TaskOf<'gather'>['spec']>) =>
      service.add(
        gatherTask('', {
          source_type: 'git_tags',
          artifact_name: repository.url,
          share_key: git.host,
          ...spec,
        }),
      );
    const changelog_path = 'docs/CHANGES.md';
    const known_hint = { tags: ['v1.10.0'] };
    const read = [job({ changelog_path }), job({ changelog_path, known_hint })];
    const unread = [job({}), job({ changelog_path, known_hint, is_full: false })];
    const problems = ['none.md', 'large.md', 'docs'].map((file) => job({ changelog_path: file }));
    start();
    await service.ended();
    for (const { parts, summary } of read) {
      expect([...parts.keys()]).toEqual([1, 2]);
      expect(parts.get(2)).toEqual([
        { tag: 'v1.10.0', section_version: '1.10.0', notes: '- Ten' },
        { tag: 'v1.10.0', section_version: '1.9.0', notes: '- Nine' },
      ]);
      expect(summary).toMatchObject({ found: 3, warnings: [] });
    }
    for (const { parts, summary } of unread) {
      expect([...parts.keys()]).toEqual([1]);
      expect(summary).toMatchObject({ found: 3, warnings: [] });
    }
    expect(problems.map(({ parts, summary }) => [parts.size, summary?.['warnings']])).toEqual([
      [1, ["The changelog wasn't read. File none.md not found in the repository."]],
      [1, ["The changelog wasn't read. File large.md exceeds the 5 MiB limit."]],
      [1, ["The changelog wasn't read. Can't read docs: it is a directory."]],
    ]);
  });
});
