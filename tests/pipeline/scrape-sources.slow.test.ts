import { afterAll, describe, expect, test } from 'vitest';
import { agentCapabilities } from '../../src/agent/agent-config.ts';
import type { AgentCredential } from '../../src/agent/agent-credential.ts';
import { runAgent } from '../../src/agent/agent-loop.ts';
import { createAgentComponents } from '../../src/agent/agent-parts.ts';
import type { ApiClient } from '../../src/client/api-client.ts';
import type { Schemas } from '../../src/generated/client-api.ts';
import { createSilentLog } from '../../src/platform/log.ts';
import { localNetwork } from '../helpers/local-network.ts';
import { createAgentDataFolder } from '../helpers/temporary-folder.ts';
import { startTestServer, type TestOrganization } from '../helpers/test-server.ts';
import { startFakeJsonDocuments } from '../helpers/upstreams/fake-json-documents.ts';
import { hasPrometheus, startPrometheus } from '../helpers/upstreams/prometheus-server.ts';
import { startUpstreamServer } from '../helpers/upstreams/upstream-server.ts';

const closers: (() => Promise<unknown>)[] = [];
afterAll(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

const server = await startTestServer({ PACEKEEPER_EMBEDDED_AGENT: 'true', PACEKEEPER_LOG_LEVEL: 'error' });

/** Starts a remote agent with these credentials. */
async function startRemoteAgent({ owner }: TestOrganization, credentials: readonly AgentCredential[]) {
  const { key } = await owner.call('createAPIKey', { body: { name: 'runner', role: 'agent' } });
  const log = createSilentLog();
  const parts = createAgentComponents(
    { ...localNetwork, dataDir: createAgentDataFolder(), version: '1' },
    credentials,
    log,
  );
  const stopping = new AbortController();
  const ended = runAgent({
    connection: {
      serverUrl: server.url,
      apiKey: key,
    },
    name: 'runner',
    version: '1',
    capabilities: agentCapabilities,
    credentials,
    runners: parts.runners,
    log,
    signal: stopping.signal,
  });
  closers.push(async () => {
    stopping.abort();
    await ended;
    await parts.close();
  });
}

async function endOf(api: ApiClient, id: number): Promise<Schemas['ScrapeJob']> {
  for (;;) {
    const job = await api.call('getScrapeJob', { path: { id } });
    if (job.status === 'completed' || job.status === 'failed') return job;
    await new Promise((resolve) => setTimeout(resolve, 30));
  }
}

async function runJob(api: ApiClient, body: Partial<Schemas['CreateScrapeJobRequest']>) {
  const { id } = await api.call('createScrapeJob', { body: { name: 'job', parser_type: 'regex', ...body } });
  return endOf(api, id);
}

const resultOf = ({ latest_version, last_run }: Schemas['ScrapeJob']) =>
  latest_version ?? `${last_run?.error?.code}: ${last_run?.error?.message}`;

async function startDocuments() {
  const documents = await startFakeJsonDocuments();
  closers.push(() => documents.close());
  return documents;
}

describe('a version from an HTTP URL', () => {
  test('is read by every parser and stored without a commit', async () => {
    const { api } = await server.createOrganization();
    const documents = await startDocuments();
    documents.documents.set('/health', { info: { version: '1.10' }, builds: [{ v: '2.0' }] });
    const url = `http://${documents.host}/health`;
    const read = async (parser_type: 'yq' | 'jq' | 'regex', parse_expression: string) =>
      resultOf(await runJob(api, { source: 'http', url, parser_type, parse_expression }));
    expect(await read('yq', '.builds[0].v')).toBe('2.0');
    expect(await read('jq', '.info.version')).toBe('1.10');
    expect(await read('regex', '"version":"([^"]+)"')).toBe('1.10');
    expect(await read('yq', '.nothing')).toMatch(
      /^parse_failed: 127\.0\.0\.1:\d+: at \.: found no key "nothing"/,
    );
    const [version] = (await api.call('listVersions', { query: {} })).items;
    expect(version).toMatchObject({ source: 'agent', commit_sha: null });
  });

  test('is read from a bill of materials of several megabytes, also in a preview', async () => {
    const { api } = await server.createOrganization();
    const documents = await startDocuments();
    const components = Array.from({ length: 20_000 }, (_, index) => ({
      type: 'library',
      name: `package-${index}`,
      purl: `pkg:npm/package-${index}@1.0.${index}`,
      description: 'x'.repeat(50),
    }));
    documents.documents.set('/bom', { bomFormat: 'CycloneDX', specVersion: '1.6', components });
    documents.documents.set('/large', { bomFormat: 'x'.repeat(6 * 1024 * 1024) });
    const url = `http://${documents.host}/bom`;
    const read = async (parse_expression: string, from = url) =>
      resultOf(await runJob(api, { source: 'http', url: from, parser_type: 'sbom', parse_expression }));
    expect(await read('pkg:npm/package-19999')).toBe('1.0.19999');
    expect(await read('pkg:npm/react')).toMatch(
      /^parse_failed: 127\.0\.0\.1:\d+: the document has no component with this package URL/,
    );
    expect(await read('pkg:npm/react', `http://${documents.host}/large`)).toMatch(/^too_large: /);
    const preview = await api.call('previewScrapeSource', {
      body: { source: 'http', url, parser_type: 'sbom', parse_expression: 'pkg:npm/package-7' },
    });
    expect(preview).toMatchObject({ found: true, version: '1.0.7' });
  });

  test('is read with a conditional request after the first run', async () => {
    const { api } = await server.createOrganization();
    const documents = await startDocuments();
    documents.documents.set('/v', { web: '1.0', api: '2.0' });
    const url = `http://${documents.host}/v`;
    const job = await runJob(api, { source: 'http', url, parser_type: 'yq', parse_expression: '.web' });
    await api.call('runScrapeJob', { path: { id: job.id } });
    await expect.poll(() => documents.requests.length).toBe(2);
    expect(documents.requests[1]!.headers['if-none-match']).toBeTruthy();
    await expect
      .poll(async () => (await api.call('listScrapeJobVersions', { path: { id: job.id }, query: {} })).total)
      .toBe(2);
    documents.documents.set('/v', { web: '1.1', api: '2.0' });
    await api.call('runScrapeJob', { path: { id: job.id } });
    await expect
      .poll(async () => (await api.call('getScrapeJob', { path: { id: job.id } })).latest_version)
      .toBe('1.1');
  });

  test('has an error with the reason if the response is larger than 1 MiB, missing, or unauthorized, or if the target is not allowed', async () => {
    const { api } = await server.createOrganization();
    const upstream = await startUpstreamServer((_, response, { pathname }) => {
      if (pathname === '/large') response.end('x'.repeat(1024 * 1024 + 1));
      else response.writeHead(pathname === '/secret' ? 401 : 404).end();
    });
    closers.push(() => upstream.close());
    const read = async (url: string) =>
      resultOf(await runJob(api, { source: 'http', url, parse_expression: '.+' }));
    expect(await read(`http://${upstream.host}/large`)).toMatch(/^too_large: /);
    expect(await read(`http://${upstream.host}/gone`)).toMatch(/^not_found: /);
    expect(await read(`http://${upstream.host}/secret`)).toMatch(/^unauthorized: .*requires a credential/);
    expect(await read('http://10.1.2.3/')).toMatch(/^target_not_allowed: /);
  });

  test('is requested with the headers of a credential, which are sent only to the first origin', async () => {
    const organization = await server.createOrganization();
    const { api } = organization;
    const elsewhere = await startUpstreamServer((request, response) => {
      response.end(
        `version ${String(request.headers['x-token'] ?? request.headers['authorization'] ?? 'none')}`,
      );
    });
    const upstream = await startUpstreamServer((request, response, { pathname }) => {
      if (pathname === '/away') response.writeHead(302, { location: `http://${elsewhere.host}/` }).end();
      else
        response.end(
          `version ${String(request.headers['x-token'] ?? request.headers['authorization'] ?? 'none')}`,
        );
    });
    closers.push(
      () => elsewhere.close(),
      () => upstream.close(),
    );
    const hosts = ['127.0.0.1'];
    await startRemoteAgent(organization, [
      { name: 'headers', type: 'http_headers', hosts, organizations: null, headers: { 'X-Token': 'T1' } },
      { name: 'basic', type: 'http_basic', hosts, organizations: null, username: 'me', password: 'pw' },
      {
        name: 'other',
        type: 'http_basic',
        hosts: ['example.org'],
        organizations: null,
        username: 'me',
        password: 'pw',
      },
    ]);
    const read = async (path: string, credential_name: string) =>
      resultOf(
        await runJob(api, {
          source: 'http',
          url: `http://${upstream.host}${path}`,
          credential_name,
          parse_expression: 'version (.+)',
        }),
      );
    expect(await read('/', 'headers')).toBe('T1');
    expect(await read('/', 'basic')).toBe(`Basic ${Buffer.from('me:pw').toString('base64')}`);
    expect(await read('/away', 'headers')).toBe('none');
    expect(await read('/away', 'basic')).toBe('none');
    expect(await read('/', 'other')).toMatch(/^credential_not_for_host: /);
  });
});

/** Responses recorded from Prometheus 2.42. */
const recorded = {
  ok: {
    status: 'success',
    data: {
      resultType: 'vector',
      result: [
        {
          metric: { __name__: 'api_build_info', app: 'api', instance: 'a:80', version: 'v1.5.0' },
          value: [1764000000, '1'],
        },
        {
          metric: { __name__: 'api_build_info', app: 'web', instance: 'b:80', version: 'v2.0.0' },
          value: [1764000000, '1'],
        },
      ],
    },
  },
  bad: {
    status: 'error',
    errorType: 'bad_data',
    error: 'invalid parameter "query": 1:7: parse error: unexpected end of input inside braces',
  },
};

describe('a version from Prometheus', () => {
  async function startRecorded() {
    const upstream = await startUpstreamServer((_, response, url) => {
      const isBad = url.searchParams.get('query') === 'broken{';
      response.writeHead(isBad ? 400 : 200, { 'content-type': 'application/json' });
      response.end(JSON.stringify(isBad ? recorded.bad : recorded.ok));
    });
    closers.push(() => upstream.close());
    return upstream;
  }

  test('is the label value of the selected series, and every other outcome returns an error with the reason', async () => {
    const { api } = await server.createOrganization();
    const upstream = await startRecorded();
    const common = {
      source: 'prometheus',
      url: `http://${upstream.host}/graph`,
      query: 'api_build_info',
      label: 'version',
    } as const;
    const read = async (body: Partial<Schemas['CreateScrapeJobRequest']>) =>
      resultOf(await runJob(api, { ...common, ...body }));
    expect(await read({ series: { app: 'api' } })).toBe('v1.5.0');
    expect(await read({ series: { app: 'api' }, version_transform: 'strip_v_lower' })).toBe('1.5.0');
    expect(await read({ series: { app: 'web' }, parse_expression: '^v(\\d+)' })).toBe('2');
    expect(await read({})).toMatch(
      /^parse_failed: .*2 series have 2 different versions: .*labels that differ: app, instance/,
    );
    expect(await read({ series: { app: 'db' } })).toMatch(
      /^parse_failed: .*none of the 2 series has app="db"/,
    );
    expect(await read({ query: 'broken{' })).toMatch(
      /^invalid_index: .*parse error: unexpected end of input/,
    );
    const documents = await startDocuments();
    expect(await read({ url: `http://${documents.host}` })).toMatch(/^not_found: .*Prometheus/);
  });

  test('can be previewed together with the series to choose from', async () => {
    const { api } = await server.createOrganization();
    const upstream = await startRecorded();
    const body = {
      source: 'prometheus',
      url: `http://${upstream.host}`,
      query: 'api_build_info',
      label: 'version',
    } as const;
    expect(await api.call('previewScrapeSource', { body })).toMatchObject({
      found: false,
      series_count: 2,
      error: {
        code: 'series',
        message: expect.stringContaining('different versions'),
      },
      series: recorded.ok.data.result.map(({ metric }) => metric),
    });
    expect(
      await api.call('previewScrapeSource', { body: { ...body, series: { app: 'web' } } }),
    ).toMatchObject({
      found: true,
      raw_version: 'v2.0.0',
      version: 'v2.0.0',
      error: null,
    });
    const documents = await startDocuments();
    documents.documents.set('/v', { version: '3.1' });
    const http = {
      source: 'http',
      url: `http://${documents.host}/v`,
      parser_type: 'yq',
      parse_expression: '.version',
    } as const;
    expect(await api.call('previewScrapeSource', { body: http })).toMatchObject({
      found: true,
      version: '3.1',
      series: [],
    });
    expect(
      await api.call('previewScrapeSource', { body: { ...http, parse_expression: '.version.tag' } }),
    ).toMatchObject({
      found: false,
      error: { code: 'not_found' },
    });
    expect(
      await api.call('previewScrapeSource', { body: { ...http, url: 'http://10.1.2.3/' } }),
    ).toMatchObject({
      found: false,
      error: { code: 'target_not_allowed' },
    });
    await expect(
      api.call('previewScrapeSource', { body: { source: 'prometheus', url: 'https://x.example' } }),
    ).rejects.toMatchObject({
      status: 400,
    });
  });

  test('is reused by scheduled jobs that run within a minute', async () => {
    const { createSeriesCache } = await import('../../src/agent/run-prometheus-scrape.ts');
    let nowMs = 0;
    const recent = createSeriesCache(() => nowMs);
    recent.keep('a', [{ version: '1' }]);
    nowMs = 59_000;
    expect(recent.find('a', 60_000)).toEqual([{ version: '1' }]);
    expect(recent.find('a', 0)).toBeNull();
    nowMs = 61_000;
    expect(recent.find('a', 60_000)).toBeNull();
    // The oldest entries are evicted when all entries together have too many labels, even with few series.
    const labels = Object.fromEntries(Array.from({ length: 100 }, (_, at) => [`l${at}`, 'x']));
    const large = Array.from({ length: 900 }, () => labels);
    for (const key of ['b', 'c', 'd']) recent.keep(key, large);
    expect(['b', 'c', 'd'].map((key) => recent.find(key, 60_000) !== null)).toEqual([false, true, true]);
  });

  test.skipIf(!hasPrometheus)('is read for 500 series with a single query (needs prometheus)', async () => {
    const names = Array.from({ length: 500 }, (_, at) => `app-${at}`);
    const metrics = names.map((app, at) => `app_build_info{app="${app}",version="1.${at}.0"} 1`).join('\n');
    const prometheus = await startPrometheus(`${metrics}\n`, 'app_build_info');
    closers.push(() => prometheus.close());
    const counted = await startUpstreamServer((request, response) => {
      void fetch(`${prometheus.url}${request.url}`).then(async (answer) => {
        response.writeHead(answer.status, { 'content-type': 'application/json' });
        response.end(Buffer.from(await answer.arrayBuffer()));
      });
    });
    closers.push(() => counted.close());
    const { api } = await server.createOrganization();
    const scrape_jobs = names.map((app) => ({
      name: app,
      source: 'prometheus',
      url: `http://${counted.host}`,
      query: 'app_build_info',
      label: 'version',
      series: { app },
      parser_type: 'regex',
    }));
    const body = { scrape_jobs } as never;
    const { fingerprint } = await api.call('planConfiguration', { query: {}, body });
    await api.call('applyConfiguration', { query: { fingerprint }, body });
    await expect
      .poll(
        async () => (await api.call('listScrapeJobs', { query: { status: 'completed', limit: 1 } })).total,
        {
          timeout: 60_000,
        },
      )
      .toBe(500);
    const jobs = (await api.call('listScrapeJobs', { query: { q: 'app-499', limit: 1 } })).items;
    expect(jobs[0]).toMatchObject({ latest_version: '1.499.0' });
    expect(counted.requests).toHaveLength(1);
  });
});

test('a job without a source reads from Git, and agents that support only Git receive only Git jobs', async () => {
  const { api, owner } = await server.createOrganization();
  await owner.call('putOrgOverride', { path: { key: 'agents.use_embedded' }, body: { value: false } });
  const git = {
    repository_url: 'https://git.example.org/a/b',
    target_file: 'a',
    parse_expression: '.',
  } as const;
  expect(
    await api.call('createScrapeJob', { body: { name: 'git', parser_type: 'regex', ...git } }),
  ).toMatchObject({
    source: 'git',
    url: null,
    query: null,
    label: null,
    series: {},
    ref: 'HEAD',
  });
  const http = { source: 'http', url: 'https://example.org/v', parse_expression: '.' } as const;
  await api.call('createScrapeJob', { body: { name: 'http', parser_type: 'regex', ...http } });
  const { key } = await owner.call('createAPIKey', { body: { name: 'old', role: 'agent' } });
  const { createApiClient } = await import('../../src/client/api-client.ts');
  const agent = createApiClient({ baseUrl: server.url, apiKey: key });
  const { agent_id } = await agent.call('sendHeartbeat', {
    body: {
      name: 'old',
      hostname: 'h',
      version: '0',
      capabilities: ['scrape'],
      credential_names: [],
      running: [],
    },
  });
  const { tasks } = await agent.call('claimTasks', {
    body: { agent_id, capabilities: ['scrape'], credential_names: [], max: 10, wait_seconds: 0 },
  });
  expect(tasks.map(({ spec }) => 'repository_url' in spec && spec.repository_url)).toEqual([
    git.repository_url,
  ]);
});

test.each<[string, Partial<Schemas['CreateScrapeJobRequest']>, string[]]>([
  ['http without its required fields', { source: 'http' }, ['url', 'parse_expression']],
  ['prometheus without its required fields', { source: 'prometheus' }, ['url', 'query', 'label']],
  [
    'fields of another source',
    {
      source: 'http',
      url: 'https://example.org',
      parse_expression: '.',
      query: 'up',
      series: { a: 'b' },
      repository_url: 'https://git.example.org/a/b',
      ref: 'main',
      target_file: 'a',
    },
    ['repository_url', 'ref', 'target_file', 'query', 'series'],
  ],
  [
    'git with a URL',
    { url: 'https://example.org' },
    ['url', 'repository_url', 'target_file', 'parse_expression'],
  ],
  [
    'a document parser for a label',
    { source: 'prometheus', url: 'https://example.org', query: 'up', label: 'version', parser_type: 'yq' },
    ['parser_type'],
  ],
  [
    'a password in a URL',
    { source: 'http', url: 'https://me:pw@example.org', parse_expression: '.' },
    ['url'],
  ],
  [
    'an unsupported URL scheme',
    { source: 'http', url: 'file:///etc/passwd', parse_expression: '.' },
    ['url'],
  ],
  [
    'a manual job with a source',
    { source: 'http', url: 'https://example.org', parser_type: 'manual' },
    ['source', 'url'],
  ],
])('%s is rejected', async (_, body, fields) => {
  const { api } = await server.createOrganization();
  const error = await api
    .call('createScrapeJob', { body: { name: 'x', parser_type: 'regex', ...body } })
    .then(
      () => null,
      (problem: unknown) => problem,
    );
  expect(error).toMatchObject({ status: 400 });
  expect(
    (error as { body: Schemas['ErrorResponse'] }).body.errors?.map(({ field }) => field).toSorted(),
  ).toEqual(fields.toSorted());
});

test("a job can change its source, and earlier versions don't count as read from the new source", async () => {
  const { api } = await server.createOrganization();
  const documents = await startDocuments();
  documents.documents.set('/v', { version: '7.0' });
  const url = `http://${documents.host}/v`;
  const job = await runJob(api, { source: 'http', url, parser_type: 'yq', parse_expression: '.version' });
  const body = {
    source: 'git',
    url: null,
    repository_url: 'https://127.0.0.1:9/a/b',
    target_file: 'a.yaml',
  } as const;
  const changed = await api.call('updateScrapeJob', { path: { id: job.id }, body });
  expect(changed).toMatchObject({ source: 'git', url: null, ref: 'HEAD', revision: job.revision + 1 });
  const { items } = await api.call('listScrapeJobRuns', { path: { id: job.id }, query: {} });
  expect(items.map(({ trigger }) => trigger)).toEqual(['changed', 'created']);
});
