import { afterAll, describe, expect, test } from 'vitest';
import { startTestServer } from '../helpers/test-server.ts';
import { type FakeGithub, startFakeGithub } from '../helpers/upstreams/fake-github.ts';

const dayMs = 86_400_000;

const server = await startTestServer();
const github = await startFakeGithub();
afterAll(() => github.close());

function publish(repository: string, tags: readonly string[]): string {
  github.repositories.set(
    repository,
    tags.map((tag, index) => ({
      tag,
      publishedAt: new Date(Date.now() - (index + 1) * dayMs).toISOString(),
    })),
  );
  return `${github.host}/${repository}`;
}

const requestsTo = (fake: FakeGithub, repository: string) =>
  fake.requests.filter(({ path }) => path.includes(`/${repository}/`)).length;

describe('a previewed source', () => {
  test('shows the releases that a new job would find, and stores nothing', async () => {
    const { api } = await server.createOrganization();
    const artifact = publish('acme/shop', ['v2.9.1', 'v3.0.0', 'nightly', 'v2.9.0', 'v3.1.0-rc.1']);
    const preview = await api.call('previewGatherSource', {
      body: { source_type: 'github_releases', artifact_name: `https://${artifact}/releases` },
    });
    expect(preview).toMatchObject({
      artifact_name: artifact,
      gather_job: null,
      error: null,
      release_count: 5,
      is_complete: true,
      version_scheme: 'auto',
      summary: {
        latest: { version: 'v3.0.0' },
        left_out: [{ reason: 'not_a_version' }],
      },
    });
    expect(preview.releases.map(({ version }) => version)).toEqual([
      'v3.1.0-rc.1',
      'v3.0.0',
      'v2.9.1',
      'v2.9.0',
      'nightly',
    ]);
    expect(preview.releases[1]!.released_at).toBe(github.repositories.get('acme/shop')![1]!.publishedAt);
    expect((await api.call('listGatherJobs')).total).toBe(0);
    expect((await api.call('listReleases', { query: {} })).total).toBe(0);
  });

  test('has no release dates before 1995 or in the future', async () => {
    const { api } = await server.createOrganization();
    const artifact = publish('acme/undated', ['v3.0.0', 'v2.0.0', 'v1.0.0']);
    const [v3, v2] = github.repositories.get('acme/undated')!;
    Object.assign(v3!, { publishedAt: new Date(Date.now() + 2 * dayMs).toISOString() });
    Object.assign(v2!, { publishedAt: '1980-01-01T00:00:00.000Z' });
    const { releases } = await api.call('previewGatherSource', {
      body: { source_type: 'github_releases', artifact_name: artifact },
    });
    const isDated = releases.map(({ version, released_at }) => [version, released_at !== null]);
    expect(Object.fromEntries(isDated)).toEqual({ 'v3.0.0': false, 'v2.0.0': false, 'v1.0.0': true });
  });

  test('with many pages is read only in part and reported as incomplete', async () => {
    const { api } = await server.createOrganization();
    const tags = Array.from({ length: 450 }, (_, index) => `v1.${450 - index}.0`);
    const artifact = publish('acme/many', tags);
    const preview = await api.call('previewGatherSource', {
      body: { source_type: 'github_releases', artifact_name: artifact },
    });
    expect(preview).toMatchObject({ release_count: 300, is_complete: false });
    expect(preview.releases[0]!.version).toBe('v1.450.0');
    expect(requestsTo(github, 'acme/many')).toBe(3);
  });

  test('with an existing job returns that job without a request to the source', async () => {
    const { api } = await server.createOrganization();
    const artifact = publish('acme/known', ['v1.0.0']);
    const body = { source_type: 'github_releases', artifact_name: artifact } as const;
    const shared = await server.system.call('createGatherJob', { body: { ...body, name: 'Shared' } });
    expect(await api.call('previewGatherSource', { body })).toMatchObject({
      gather_job: { id: shared.id, name: 'Shared' },
      error: null,
    });
    // A job that keeps only some tags or is disabled doesn't count as the same source.
    await api.call('createGatherJob', { body: { ...body, name: 'Filtered', version_pattern: '^v' } });
    await api.call('createGatherJob', { body: { ...body, name: 'Disabled', is_active: false } });
    expect((await api.call('previewGatherSource', { body })).gather_job?.id).toBe(shared.id);
    const own = await api.call('createGatherJob', { body: { ...body, name: 'Own' } });
    expect((await api.call('previewGatherSource', { body })).gather_job?.id).toBe(own.id);
    const other = await server.createOrganization();
    expect((await other.api.call('previewGatherSource', { body })).gather_job?.id).toBe(shared.id);
    expect(requestsTo(github, 'acme/known')).toBe(0);
  });

  test('returns the error if it fails, and is rejected if no job could use it', async () => {
    const { api } = await server.createOrganization();
    const failing = await api.call('previewGatherSource', {
      body: { source_type: 'github_releases', artifact_name: `${github.host}/acme/nothing` },
    });
    expect(failing).toMatchObject({ releases: [], summary: null, error: { code: 'not_found' } });
    expect(failing.error!.message).toContain('acme/nothing');
    const inside = await api.call('previewGatherSource', {
      body: {
        source_type: 'http_json',
        artifact_name: 'https://10.1.2.3/',
        source_options: { version_path: '.v' },
      },
    });
    expect(inside.error!.code).toBe('target_not_allowed');
    await expect(
      api.call('previewGatherSource', {
        body: { source_type: 'http_json', artifact_name: 'https://10.1.2.3/' },
      }),
    ).rejects.toMatchObject({
      code: 'validation_failed',
      errors: [{ field: 'source_options.version_path' }],
    });
    await expect(
      api.call('previewGatherSource', {
        body: { source_type: 'deployed_versions', artifact_name: 'scrape-job/1' },
      }),
    ).rejects.toMatchObject({ errors: [{ field: 'source_type' }] });
  });
});
