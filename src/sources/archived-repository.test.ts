import { afterEach, expect, test } from 'vitest';
import { startFakeGitea } from '../../tests/helpers/upstreams/fake-gitea.ts';
import { startFakeGithub } from '../../tests/helpers/upstreams/fake-github.ts';
import { startFakeGitlab } from '../../tests/helpers/upstreams/fake-gitlab.ts';
import { type GatherOptions, gatherFrom } from '../../tests/helpers/upstreams/gather-from.ts';
import type { UpstreamServer } from '../../tests/helpers/upstreams/upstream-server.ts';
import { createTestBench } from '../platform/outbound/outbound-test-servers.ts';
import { giteaReleases } from './gitea-releases.ts';
import { githubReleases } from './github-releases.ts';
import { gitlabReleases } from './gitlab-releases.ts';
import type { ReleaseSource } from './release-source.ts';

const bench = createTestBench();
const servers: UpstreamServer[] = [];
afterEach(async () => {
  await bench.close();
  for (const server of servers.splice(0)) await server.close();
});

const name = 'acme/app';

async function startForge(source: ReleaseSource) {
  switch (source) {
    case githubReleases: {
      const github = await startFakeGithub();
      github.repositories.set(name, [{ tag: '1.0.0', publishedAt: '2026-01-01T00:00:00Z' }]);
      return github;
    }
    case gitlabReleases: {
      const gitlab = await startFakeGitlab();
      gitlab.projects.set(name, [{ tag: '1.0.0', releasedAt: '2026-01-01T00:00:00Z' }]);
      return gitlab;
    }
    default: {
      const gitea = await startFakeGitea();
      gitea.repositories.set(name, [{ tag: '1.0.0', publishedAt: '2026-01-01T00:00:00Z' }]);
      return gitea;
    }
  }
}

test.each([
  ['GitHub', githubReleases, '/api/v3/repos/acme/app'],
  ['GitLab', gitlabReleases, '/api/v4/projects/acme%2Fapp'],
  ['Gitea', giteaReleases, '/api/v1/repos/acme/app'],
])('%s reports whether a repository is archived, with one additional request', async (_, source, path) => {
  const forge = await startForge(source);
  servers.push(forge);
  const gather = (options: Partial<GatherOptions> = {}) =>
    gatherFrom(source, `${forge.host}/${name}`, {
      client: bench.client(),
      insecureHosts: [forge.host],
      isFull: true,
      checksArchived: true,
      ...options,
    });
  expect((await gather()).summary).toMatchObject({ found: 1, isArchived: false });
  forge.archived.add(name);
  const found = await gather();
  expect(found).toMatchObject({ requests: 2, summary: { isArchived: true } });
  expect(forge.requests.at(-1)!.path).toBe(path);

  const unchecked = await gather({ checksArchived: false });
  expect(unchecked.requests).toBe(1);
  expect(unchecked.summary).not.toHaveProperty('isArchived');

  // Releases are returned even if the archived state can't be read.
  for (const body of ['{"archived": "yes"}', '[]', '<html>', '{"archived":']) {
    forge.intercept = (request, response) => {
      if (request.url !== path) return false;
      response.writeHead(200, { 'content-type': 'application/json' }).end(body);
      return true;
    };
    expect((await gather()).summary).toMatchObject({ found: 1, isArchived: null });
  }
  forge.intercept = (request, response) => {
    if (request.url !== path) return false;
    response.writeHead(500).end();
    return true;
  };
  expect((await gather()).summary).toMatchObject({ found: 1, isArchived: null });
});
