import type { OutgoingHttpHeaders } from 'node:http';
import { afterEach, describe, expect, test } from 'vitest';
import {
  type FakeForge,
  manyRepositories,
  startFakeForge,
} from '../../tests/helpers/upstreams/fake-forge.ts';
import { parseInProcess, testSourceHttp } from '../../tests/helpers/upstreams/gather-from.ts';
import { type ListedRepository, parseRepositoryGroup } from '../domain/discovery/repository-group.ts';
import { createTestBench } from '../platform/outbound/outbound-test-servers.ts';
import { createKnownPages, listRepositories, type RepositoryListSummary } from './list-repositories.ts';
import type { SourceCredential } from './source-credential.ts';

const bench = createTestBench();
const servers: FakeForge[] = [];

afterEach(async () => {
  await bench.close();
  for (const server of servers.splice(0)) await server.close();
});

async function start(...[forge, path]: Parameters<typeof startFakeForge>) {
  const server = await startFakeForge(forge, path);
  servers.push(server);
  const known = createKnownPages();
  return {
    server,
    async list(
      credential: SourceCredential | null = null,
    ): Promise<RepositoryListSummary & { repositories: ListedRepository[]; requests: number }> {
      const parsed = parseRepositoryGroup(server.groupUrl, forge);
      if (!parsed.ok) throw new Error(parsed.message);
      const http = testSourceHttp({
        client: bench.client(),
        insecureHosts: [server.host],
        ...(credential && { credential }),
      });
      const context = { http, read: parseInProcess, hasCredential: credential !== null };
      const parts = listRepositories(parsed.group, context, known);
      const repositories: ListedRepository[] = [];
      for (;;) {
        const { done, value } = await parts.next();
        if (done) return { ...value, repositories, requests: http.usage.requests };
        repositories.push(...value);
      }
    },
  };
}

const forges = ['github', 'gitlab', 'gitea'] as const;

describe.each(forges)('the repositories on %s', (forge) => {
  test('are read from all pages', async () => {
    const { server, list } = await start(forge);
    server.repositories = manyRepositories(250);
    const size = forge === 'gitea' ? 50 : 100;
    const found = await list();
    expect(found).toMatchObject({
      found: 250,
      isComplete: true,
      warnings: [],
      requests: Math.ceil(250 / size),
    });
    expect(found.repositories.map(({ path }) => path)).toEqual(server.repositories.map(({ path }) => path));
  });

  test('form an incomplete list if a page has a Link header of more than 4,096 characters', async () => {
    const { server, list } = await start(forge);
    server.repositories = manyRepositories(3);
    server.intercept = (_request, response) => {
      response.setHeader('link', `<https://h.example/>; rel="next"; title="${'a'.repeat(5_000)}"`);
      return false;
    };
    const found = await list();
    expect(found).toMatchObject({ isComplete: false, found: 3 });
    expect(found.warnings).toEqual([
      `${server.host} sent a Link header with 5,042 characters. Headers longer than 4,096 characters aren't read, so the remaining pages weren't read either.`,
    ]);
  });

  test('have an ID, the time of the last push, and the fields that filters require', async () => {
    const { server, list } = await start(forge);
    server.repositories = [
      {
        id: 7,
        path: 'acme/deploy',
        pushedAt: '2026-02-03T04:05:06Z',
        isArchived: true,
        isFork: true,
        topics: ['production'],
        language: 'HCL',
      },
    ];
    expect((await list()).repositories).toEqual([
      {
        forge_id: '7',
        path: 'acme/deploy',
        pushed_at: '2026-02-03T04:05:06.000Z',
        is_archived: true,
        is_fork: true,
        is_empty: false,
        topics: ['production'],
        language: forge === 'gitlab' ? null : 'HCL',
      },
    ]);
  });

  test('form an incomplete list if one of them moves to a page that was already read', async () => {
    const { server, list } = await start(forge);
    server.repositories = manyRepositories(250);
    server.intercept = (request) => {
      // A new first repository moves the last one of each page to the next page.
      if (request.url?.includes('page=2'))
        server.repositories = [
          { id: 999, path: 'acme/new', pushedAt: '2026-01-01T00:00:00Z' },
          ...server.repositories,
        ];
      return false;
    };
    expect(await list()).toMatchObject({
      isComplete: false,
      warnings: ['The list changed while it was read.'],
    });
  });

  test('form an incomplete list if an entry has no path', async () => {
    const { server, list } = await start(forge);
    server.repositories = [
      ...manyRepositories(1),
      { id: 2, path: 'acme/..', pushedAt: '2026-01-01T00:00:00Z' },
    ];
    expect(await list()).toMatchObject({
      found: 1,
      isComplete: false,
      warnings: ["1 repository couldn't be read from the list."],
    });
  });

  test('fail as not found if the group does not exist', async () => {
    const { server, list } = await start(forge);
    server.groupUrl = `http://${server.host}/other`;
    await expect(list()).rejects.toMatchObject({ code: 'not_found' });
  });

  test('of a user account are listed, too', async () => {
    const { server, list } = await start(forge);
    server.isUser = true;
    server.repositories = manyRepositories(120);
    expect(await list()).toMatchObject({ found: 120, isComplete: true, warnings: [] });
    expect((await list()).repositories).toHaveLength(120);
  });

  test('can be an empty list', async () => {
    const { list } = await start(forge);
    expect(await list()).toMatchObject({ found: 0, isComplete: true });
  });
});

describe('the repositories of a user account on GitHub', () => {
  const tokenFor = ({ host }: FakeForge): SourceCredential => ({
    name: 'token',
    type: 'github_token',
    token: 'secret',
    hosts: [host],
  });
  const repository = (id: number, path: string) => ({ id, path, pushedAt: '2026-01-01T00:00:00Z' });

  test('include private repositories that the credential can see, and exclude repositories of other accounts', async () => {
    const { server, list } = await start('github');
    server.isUser = true;
    server.repositories = manyRepositories(150);
    server.visible = [
      ...manyRepositories(150),
      repository(501, 'acme/private'),
      repository(502, 'ACME/other-case'),
      repository(503, 'acme-corp/web'),
      repository(504, 'other/acme'),
    ];
    const { repositories, ...summary } = await list(tokenFor(server));
    expect(repositories.slice(150).map(({ path }) => path)).toEqual(['acme/private', 'ACME/other-case']);
    expect(summary).toMatchObject({ found: 152, isComplete: true, warnings: [] });
    expect((await list()).found).toBe(150);
  });

  test('form an incomplete list if the credential belongs to no user', async () => {
    const { server, list } = await start('github');
    server.isUser = true;
    server.repositories = manyRepositories(2);
    server.visible = null;
    expect(await list(tokenFor(server))).toMatchObject({
      found: 2,
      isComplete: false,
      warnings: ["The credential can't list the private repositories of acme. Use a personal access token."],
    });
  });

  test('fail if the forge fails, so that private repositories do not seem to be missing', async () => {
    const { server, list } = await start('github');
    server.isUser = true;
    server.intercept = (request, response) => {
      if (!request.url?.startsWith('/api/v3/user/')) return false;
      response.writeHead(500).end();
      return true;
    };
    await expect(list(tokenFor(server))).rejects.toMatchObject({ code: 'upstream_error' });
  });
});

test('a list with a total is incomplete if a repository is deleted during reading', async () => {
  const { server, list } = await start('gitlab');
  server.repositories = manyRepositories(250);
  server.intercept = (request) => {
    if (request.url?.includes('page=2')) server.repositories.shift();
    return false;
  };
  expect(await list()).toMatchObject({ found: 249, isComplete: false });
});

test('projects of subgroups are listed', async () => {
  const { server, list } = await start('gitlab', 'acme/platform');
  server.repositories = manyRepositories(2, 'acme/platform/team');
  expect((await list()).repositories.map(({ path }) => path)).toEqual([
    'acme/platform/team/repository-1',
    'acme/platform/team/repository-2',
  ]);
  expect(server.requests[0]?.path).toContain('/groups/acme%2Fplatform/projects');
  expect(server.requests[0]?.path).toContain('include_subgroups=true');
});

test('pages that have not changed are requested conditionally', async () => {
  const { server, list } = await start('github');
  server.repositories = manyRepositories(250);
  const first = await list();
  server.repositories[150]!.pushedAt = '2026-03-01T00:00:00Z';
  server.requests.length = 0;
  const second = await list();
  expect(server.requests.every(({ headers }) => headers['if-none-match'] !== undefined)).toBe(true);
  expect(second).toMatchObject({ found: 250, isComplete: true, requests: 3 });
  expect(second.repositories[150]?.pushed_at).toBe('2026-03-01T00:00:00.000Z');
  expect(second.repositories.toSpliced(150, 1)).toEqual(first.repositories.toSpliced(150, 1));
});

test.each(['github', 'gitlab'] as const)(
  'a repository on a new page on %s is found if a proxy drops the headers of pages that have not changed',
  async (forge) => {
    const { server, list } = await start(forge);
    server.repositories = manyRepositories(200);
    await list();
    server.repositories = manyRepositories(201);
    server.intercept = (_, response) => {
      const { writeHead } = response;
      response.writeHead = (status: number, headers?: unknown) =>
        writeHead.call(response, status, status === 304 ? {} : (headers as OutgoingHttpHeaders));
      return false;
    };
    expect(await list()).toMatchObject({ found: 201, isComplete: true, requests: 3 });
  },
);

test('repositories that single sign-on hides make the list incomplete', async () => {
  const { server, list } = await start('github');
  server.repositories = manyRepositories(1);
  server.extraHeaders = { 'x-github-sso': 'partial-results; organizations=21955855' };
  expect(await list()).toMatchObject({
    isComplete: false,
    warnings: ["GitHub excluded repositories, because the credential isn't authorized for single sign-on."],
  });
});
