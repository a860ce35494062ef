import { afterEach, describe, expect, test } from 'vitest';
import { startFakeGitea } from '../../tests/helpers/upstreams/fake-gitea.ts';
import { type FakeRelease, startFakeGithub } from '../../tests/helpers/upstreams/fake-github.ts';
import { startFakeGitlab } from '../../tests/helpers/upstreams/fake-gitlab.ts';
import { type GatherOptions, gatherFrom } from '../../tests/helpers/upstreams/gather-from.ts';
import { createTestBench } from '../platform/outbound/outbound-test-servers.ts';
import { giteaReleases } from './gitea-releases.ts';
import { githubReleases } from './github-releases.ts';
import { gitlabReleases } from './gitlab-releases.ts';

const bench = createTestBench();
const running: { close(): Promise<void> }[] = [];

afterEach(async () => {
  await bench.close();
  for (const server of running.splice(0)) await server.close();
});

const commitOf = (number: number) => number.toString(16).padStart(40, '0');
const manyReleases = (count: number): FakeRelease[] =>
  Array.from({ length: count }, (_, index) => ({
    tag: `v1.${count - index}.0`,
    publishedAt: '2026-01-01T00:00:00Z',
    commit: commitOf(count - index),
  }));

const forges = {
  github: async (releases: FakeRelease[]) => {
    const server = await startFakeGithub();
    server.repositories.set('acme/app', releases);
    return { server, source: githubReleases };
  },
  gitlab: async (releases: FakeRelease[]) => {
    const server = await startFakeGitlab();
    server.projects.set(
      'acme/app',
      releases.map(({ tag, commit }) => ({
        tag,
        releasedAt: '2026-01-01T00:00:00Z',
        ...(commit !== undefined && { commit }),
      })),
    );
    return { server, source: gitlabReleases };
  },
  gitea: async (releases: FakeRelease[]) => {
    const server = await startFakeGitea();
    server.repositories.set('acme/app', releases);
    return { server, source: giteaReleases };
  },
};

describe.each(Object.entries(forges))('the commits of tags on %s', (_, startForge) => {
  async function start(releases: FakeRelease[]) {
    const { server, source } = await startForge(releases);
    running.push(server);
    const gather = (options: Partial<GatherOptions> = {}) =>
      gatherFrom(source, `${server.host}/acme/app`, {
        client: bench.client(),
        insecureHosts: [server.host],
        isFull: true,
        readsCommits: true,
        ...options,
      });
    return { server, gather };
  }
  const tagRequests = (server: { requests: { path: string }[] }) =>
    server.requests.filter(({ path }) => /\/tags\?/u.test(path)).length;

  test('are read on all pages', async () => {
    const { gather } = await start(manyReleases(230));
    const { releases, summary } = await gather();
    expect(releases).toHaveLength(230);
    expect(releases.every(({ tag, commit }) => tag === `v1.${Number.parseInt(commit ?? '', 16)}.0`)).toBe(
      true,
    );
    expect(summary).toMatchObject({ isCompleteList: true, warnings: [] });
  });

  test('are omitted for releases whose tags the forge does not list', async () => {
    const { gather } = await start([
      { tag: 'v2.0.0', publishedAt: '2026-01-01T00:00:00Z' },
      ...manyReleases(1),
    ]);
    const { releases } = await gather();
    expect(releases.map(({ tag, commit }) => [tag, commit])).toEqual([
      ['v2.0.0', undefined],
      ['v1.1.0', commitOf(1)],
    ]);
  });

  test('cost no request unless a full read requires them', async () => {
    const { server, gather } = await start(manyReleases(3));
    await gather({ isFull: false });
    await gather({ readsCommits: false });
    expect(tagRequests(server)).toBe(0);
  });

  test('cost at most ten requests', async () => {
    const { server, gather } = await start(manyReleases(1_100));
    const { releases } = await gather();
    expect(releases).toHaveLength(1_100);
    expect(tagRequests(server)).toBe(10);
    expect(releases.some(({ commit }) => commit === undefined)).toBe(true);
  });

  test('are unknown if the forge fails to list tags, and the releases are read anyway', async () => {
    const { server, gather } = await start(manyReleases(3));
    server.intercept = (request, response) => {
      if (!/\/tags\?/u.test(request.url ?? '')) return false;
      response.writeHead(403).end('{}');
      return true;
    };
    const { releases, summary } = await gather();
    expect(releases.map(({ tag, commit }) => [tag, commit])).toEqual([
      ['v1.3.0', undefined],
      ['v1.2.0', undefined],
      ['v1.1.0', undefined],
    ]);
    expect(summary).toMatchObject({ isCompleteList: true, warnings: [] });
  });
});
