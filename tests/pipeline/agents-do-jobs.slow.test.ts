import { afterAll, describe, expect, test } from 'vitest';
import { agentCapabilities } from '../../src/agent/agent-config.ts';
import { runAgent } from '../../src/agent/agent-loop.ts';
import { createAgentComponents } from '../../src/agent/agent-parts.ts';
import { createSilentLog } from '../../src/platform/log.ts';
import { localNetwork } from '../helpers/local-network.ts';
import { createAgentDataFolder } from '../helpers/temporary-folder.ts';
import { startTestServer, type TestOrganization } from '../helpers/test-server.ts';
import { startFakeGithub } from '../helpers/upstreams/fake-github.ts';
import { startFakeHelmRepository, writeHelmIndex } from '../helpers/upstreams/fake-helm-repository.ts';
import { startFakeOciRegistry } from '../helpers/upstreams/fake-oci-registry.ts';
import { hasGitHttpBackend, startGitServer } from '../helpers/upstreams/git-server.ts';

const closers: (() => Promise<unknown>)[] = [];
afterAll(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

/** Starts a remote agent with a key of the organization. */
async function startRemoteAgent(url: string, { owner }: TestOrganization): Promise<void> {
  const { key } = await owner.call('createAPIKey', { body: { name: 'runner', role: 'agent' } });
  const log = createSilentLog();
  const settings = { ...localNetwork, dataDir: createAgentDataFolder(), version: '1' };
  const parts = createAgentComponents(settings, [], log);
  const stopping = new AbortController();
  const ended = runAgent({
    connection: { serverUrl: url, apiKey: key },
    name: 'runner-7',
    version: '1',
    capabilities: agentCapabilities,
    credentials: [],
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

/** Waits until the run of a job has ended, then returns the job. */
async function ended<Job extends { status: string }>(read: () => Promise<Job>): Promise<Job> {
  for (;;) {
    const job = await read();
    if (job.status === 'completed' || job.status === 'failed') return job;
    await new Promise((resolve) => setTimeout(resolve, 30));
  }
}

describe.each(['remote', 'embedded'] as const)('the %s agent', (kind) => {
  const server = startTestServer({
    PACEKEEPER_EMBEDDED_AGENT: String(kind === 'embedded'),
    PACEKEEPER_LOG_LEVEL: 'error',
  });

  async function setUp(): Promise<TestOrganization> {
    const running = await server;
    const organization = await running.createOrganization();
    if (kind === 'remote') await startRemoteAgent(running.url, organization);
    return organization;
  }

  test('gathers releases from different types of sources', async () => {
    const { api } = await setUp();
    const [github, helm, oci] = await Promise.all([
      startFakeGithub(),
      startFakeHelmRepository(),
      startFakeOciRegistry(),
    ]);
    closers.push(
      () => github.close(),
      () => helm.close(),
      () => oci.close(),
    );
    github.repositories.set('acme/app', [{ tag: 'v1.2.0', publishedAt: '2026-01-01T00:00:00Z' }]);
    helm.indexes.set('/charts', writeHelmIndex({ app: [{ version: '1.3.0' }] }));
    oci.images.set('acme/app', { tags: ['1.4.0', '1.1.0'] });
    const jobs = [
      ['github_releases', `${github.host}/acme/app`],
      ['helm_repository', `${helm.host}/charts/app`],
      ['oci_registry', `${oci.host}/acme/app`],
    ] as const;
    const latest: (string | null)[] = [];
    for (const [source_type, artifact_name] of jobs) {
      const { id } = await api.call('createGatherJob', {
        body: { name: source_type, source_type, artifact_name },
      });
      const job = await ended(() => api.call('getGatherJob', { path: { id } }));
      latest.push(job.latest_version ?? job.last_run?.error?.message ?? null);
    }
    expect(latest).toEqual(['v1.2.0', '1.3.0', '1.4.0']);
  });

  test.skipIf(!hasGitHttpBackend)(
    'reads the changelog of a repository (needs git with http-backend)',
    async () => {
      const { api } = await setUp();
      const git = await startGitServer();
      closers.push(() => git.close());
      const repository = git.createRepository('acme/app.git');
      for (const version of ['1.0.0', '1.1.0']) {
        repository.commit({ 'CHANGES.md': `## ${version}\n- What ${version} changes\n` });
        repository.git('tag', `v${version}`);
      }
      const { id } = await api.call('createGatherJob', {
        body: {
          name: 'app',
          source_type: 'git_tags',
          artifact_name: repository.url,
          changelog_path: 'CHANGES.md',
        },
      });
      const job = await ended(() => api.call('getGatherJob', { path: { id } }));
      expect([job.status, job.last_run?.error ?? null]).toEqual(['completed', null]);
      const notes = await api.call('getGatherJobReleaseNotes', { path: { id }, query: { from: '1.0.0' } });
      expect(notes.releases).toMatchObject([
        { version: 'v1.1.0', notes: '- What 1.1.0 changes', notes_source: 'changelog' },
      ]);
    },
  );

  test('reports the reason when a job fails', async () => {
    const { api } = await setUp();
    const { id } = await api.call('createGatherJob', {
      body: { name: 'x', source_type: 'github_releases', artifact_name: '10.0.0.1/acme/app' },
    });
    const job = await ended(() => api.call('getGatherJob', { path: { id } }));
    expect([job.status, job.last_run?.error?.code]).toEqual(['failed', 'target_not_allowed']);
  });

  test('syncs the charts of a Helm repository', async () => {
    const { api } = await setUp();
    const helm = await startFakeHelmRepository();
    closers.push(() => helm.close());
    helm.indexes.set('/charts', writeHelmIndex({ app: [{ version: '1.3.0' }], web: [{ version: '2.0.0' }] }));
    const { id } = await api.call('createHelmSyncJob', {
      body: { name: 'charts', repository_url: `http://${helm.host}/charts` },
    });
    const job = await ended(() => api.call('getHelmSyncJob', { path: { id } }));
    expect([job.status, job.chart_count, job.last_run?.error ?? null]).toEqual(['completed', 2, null]);
  });

  test.skipIf(!hasGitHttpBackend)(
    'scrapes a version and follows tags (needs git with http-backend)',
    async () => {
      const { api } = await setUp();
      const git = await startGitServer();
      closers.push(() => git.close());
      const repository = git.createRepository('deploy.git');
      const sha = repository.commit({ 'values.yaml': 'image:\n  tag: 1.10\n' });
      repository.git('tag', 'v1.10.0');
      const { id } = await api.call('createScrapeJob', {
        body: {
          name: 'web',
          parser_type: 'yq',
          repository_url: repository.url,
          target_file: 'values.yaml',
          parse_expression: '.image.tag',
        },
      });
      const job = await ended(() => api.call('getScrapeJob', { path: { id } }));
      expect([job.latest_version, job.last_run?.error ?? null]).toEqual(['1.10', null]);
      const { items } = await api.call('listScrapeJobVersions', { path: { id } });
      expect(items).toMatchObject([{ version: '1.10', commit_sha: sha, source: 'agent' }]);
      const tags = await api.call('createGatherJob', {
        body: { name: 'tags', source_type: 'git_tags', artifact_name: repository.url },
      });
      const followed = await ended(() => api.call('getGatherJob', { path: { id: tags.id } }));
      expect([followed.latest_version, followed.latest_released_at]).toEqual([
        'v1.10.0',
        '2026-01-02T03:04:05.000Z',
      ]);
    },
  );
});
