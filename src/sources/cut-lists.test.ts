import type { IncomingMessage, ServerResponse } from 'node:http';
import { afterEach, describe, expect, test } from 'vitest';
import { startFakeGitea } from '../../tests/helpers/upstreams/fake-gitea.ts';
import { type FakeRelease, startFakeGithub } from '../../tests/helpers/upstreams/fake-github.ts';
import { startFakeGitlab } from '../../tests/helpers/upstreams/fake-gitlab.ts';
import { type Gathered, type GatherOptions, gatherFrom } from '../../tests/helpers/upstreams/gather-from.ts';
import { startUpstreamServer, type UpstreamServer } from '../../tests/helpers/upstreams/upstream-server.ts';
import { createTestBench } from '../platform/outbound/outbound-test-servers.ts';
import { giteaReleases } from './gitea-releases.ts';
import { githubReleases } from './github-releases.ts';
import { gitlabReleases } from './gitlab-releases.ts';
import { httpJson } from './http-json.ts';
import { ociRegistry } from './oci-registry.ts';
import type { ReleaseSource } from './release-source.ts';

const bench = createTestBench();
const running: UpstreamServer[] = [];

afterEach(async () => {
  await bench.close();
  for (const server of running.splice(0)) await server.close();
});

async function start<Server extends UpstreamServer>(starting: Promise<Server>): Promise<Server> {
  const server = await starting;
  running.push(server);
  return server;
}

function gather(
  source: ReleaseSource,
  name: string,
  options: Partial<GatherOptions> = {},
): Promise<Gathered> {
  return gatherFrom(source, name, {
    client: bench.client({ allow: ['127.0.0.1/32'], allowHttp: (host) => host === '127.0.0.1' }),
    insecureHosts: ['127.0.0.1'],
    isFull: true,
    checksComplete: true,
    ...options,
  });
}

function historyOf(count: number): FakeRelease[] {
  return Array.from({ length: count }, (_, index) => ({
    tag: `v1.${count - index}.0`,
    publishedAt: new Date(Date.UTC(2026, 0, 1) - index * 3_600_000).toISOString(),
  }));
}

const extentOf = ({ releases, summary }: Gathered) => ({
  count: releases.length,
  isCompleteList: summary.isCompleteList,
  listCut: summary.listCut ?? null,
});

const complete = (count: number) => ({ count, isCompleteList: true, listCut: null });

describe('forges', () => {
  test('the 1,000 releases that GitHub lists are kept as a list that lacks only older releases, with a warning', async () => {
    const github = await start(startFakeGithub());
    github.repositories.set('acme/app', historyOf(1_250));
    github.intercept = (request, response) => {
      const { searchParams } = new URL(request.url ?? '', 'http://fake');
      const size = Number(searchParams.get('per_page'));
      if (size * Number(searchParams.get('page') ?? 1) <= 1_000) return false;
      response.writeHead(422).end('{"message":"Only the first 1000 results are available."}');
      return true;
    };
    const found = await gather(githubReleases, `${github.host}/acme/app`);
    expect(extentOf(found)).toEqual({ count: 1_000, isCompleteList: false, listCut: 'oldest' });
    expect(found.releases[0]?.tag).toBe('v1.1250.0');
    expect(found.summary.warnings).toEqual([
      `Only the newest 1,000 releases were read because ${github.host} doesn't list more. If you need older ones, use source type git_tags.`,
    ]);
  });

  interface Forge {
    fake: UpstreamServer;
    setReleases(releases: readonly FakeRelease[]): void;
  }

  const forges: [string, () => Promise<Forge>, ReleaseSource, string][] = [
    ['GitHub', async () => listedBy(await startFakeGithub()), githubReleases, 'per_page'],
    ['GitLab', startGitlab, gitlabReleases, 'per_page'],
    ['Gitea', async () => listedBy(await startFakeGitea()), giteaReleases, 'limit'],
  ];

  function listedBy(fake: UpstreamServer & { repositories: Map<string, FakeRelease[]> }): Forge {
    running.push(fake);
    return { fake, setReleases: (releases) => fake.repositories.set('acme/app', [...releases]) };
  }

  async function startGitlab(): Promise<Forge> {
    const fake = await start(startFakeGitlab());
    return {
      fake,
      setReleases: (releases) =>
        fake.projects.set(
          'acme/app',
          releases.map(({ tag, publishedAt }) => ({ tag, releasedAt: publishedAt ?? '' })),
        ),
    };
  }

  test.each(forges)(
    '%s receives requests for smaller pages after it fails to return a page',
    async (_, startFake, source, size) => {
      for (const fromPage of [1, 2]) {
        const { fake, setReleases } = await startFake();
        setReleases(historyOf(130));
        fake.intercept = (request, response) => {
          const { searchParams } = new URL(request.url ?? '', 'http://fake');
          if (Number(searchParams.get(size)) < 50 || Number(searchParams.get('page') ?? 1) < fromPage)
            return false;
          response.writeHead(502).end();
          return true;
        };
        const found = await gather(source, `${fake.host}/acme/app`);
        expect(extentOf(found)).toEqual(complete(130));
        expect(found.summary.found).toBe(130);
      }
    },
  );

  test.each(forges)(
    'an outage of %s fails the run after one request for a smaller page',
    async (_, startFake, source) => {
      const { fake } = await startFake();
      fake.intercept = (_request, response) => {
        response.writeHead(502).end();
        return true;
      };
      await expect(gather(source, `${fake.host}/acme/app`)).rejects.toMatchObject({ code: 'upstream_error' });
      expect(fake.requests).toHaveLength(2);
    },
  );

  test.each(forges)(
    '%s behind a proxy that drops the paging headers is read completely',
    async (_, startFake, source) => {
      for (const count of [1, 50, 100, 120, 250]) {
        const { fake, setReleases } = await startFake();
        setReleases(historyOf(count));
        fake.intercept = (_request, response) => {
          dropHeaders(response, ['link', 'x-total-count', 'x-total', 'x-next-page']);
          return false;
        };
        expect(extentOf(await gather(source, `${fake.host}/acme/app`))).toEqual(complete(count));
      }
    },
  );

  test.each([20, 30, 33])(
    'Gitea with pages of at most %d releases and no link is read completely',
    async (max) => {
      const gitea = await start(startFakeGitea());
      gitea.repositories.set('acme/app', historyOf(95));
      gitea.intercept = (request, response) => {
        dropHeaders(response, ['link']);
        request.url = (request.url ?? '').replace('limit=50', `limit=${max}`);
        return false;
      };
      expect(extentOf(await gather(giteaReleases, `${gitea.host}/acme/app`))).toEqual(complete(95));
    },
  );
});

test.each<[string, () => Promise<UpstreamServer>, ReleaseSource]>([
  ['GitHub', () => startWithApp(startFakeGithub()), githubReleases],
  ['Gitea', () => startWithApp(startFakeGitea()), giteaReleases],
])(
  'a list of %s with a Link header of more than 4,096 characters is incomplete, with a warning',
  async (_, startFake, source) => {
    const fake = await startFake();
    fake.intercept = (_request, response) => {
      dropHeaders(response, [], { link: `<https://h.example/>; rel="next"; title="${'a'.repeat(5_000)}"` });
      return false;
    };
    const found = await gather(source, `${fake.host}/acme/app`);
    expect(extentOf(found)).toEqual({ count: 3, isCompleteList: false, listCut: 'oldest' });
    expect(found.summary.warnings).toEqual([
      `${fake.host} sent a Link header with 5,042 characters. Headers longer than 4,096 characters aren't read, so the remaining pages weren't read either.`,
    ]);
  },
);

async function startWithApp(
  starting: Promise<UpstreamServer & { repositories: Map<string, FakeRelease[]> }>,
): Promise<UpstreamServer> {
  const fake = await start(starting);
  fake.repositories.set('acme/app', historyOf(3));
  return fake;
}

/** Simulates a proxy that removes headers of the response, and adds others. */
function dropHeaders(
  response: ServerResponse,
  names: readonly string[],
  added: Record<string, string> = {},
): void {
  const writeHead = response.writeHead.bind(response) as (status: number, headers?: object) => ServerResponse;
  response.writeHead = ((status: number, headers: Record<string, string> = {}) =>
    writeHead(status, {
      ...Object.fromEntries(Object.entries(headers).filter(([name]) => !names.includes(name.toLowerCase()))),
      ...added,
    })) as typeof response.writeHead;
}

interface Registry {
  tags: string[];
  /** Maximum number of tags per page. */
  maxPage: number;
  ignoresLast?: boolean;
  ignoresSize?: boolean;
  /** Returns the URL in `Link`. Without this function, there's no header. */
  link?: (next: URL) => string;
  intercept?: (request: IncomingMessage, response: ServerResponse, url: URL) => boolean;
}

async function startRegistry(registry: Registry): Promise<UpstreamServer> {
  const tags = registry.tags.toSorted();
  return start(
    startUpstreamServer((request, response, url) => {
      if (registry.intercept?.(request, response, url)) return;
      if (url.pathname !== '/v2/team/app/tags/list') return void response.writeHead(404).end();
      const asked = registry.ignoresSize ? registry.maxPage : Number(url.searchParams.get('n'));
      const size = Math.min(asked, registry.maxPage);
      const last = registry.ignoresLast ? null : url.searchParams.get('last');
      const rest = last === null ? tags : tags.filter((tag) => tag > last);
      const page = rest.slice(0, size);
      const next = new URL(`/v2/team/app/tags/list?n=${size}&last=${page.at(-1)}`, url);
      const link =
        registry.link && rest.length > size ? { link: `<${registry.link(next)}>; rel="next"` } : {};
      response.writeHead(200, { 'content-type': 'application/json', ...link });
      response.end(JSON.stringify({ name: 'team/app', tags: page }));
    }),
  );
}

const tagsOf = (count: number) => Array.from({ length: count }, (_, index) => `1.${index}.0`);
const readTags = (server: UpstreamServer, options: Partial<GatherOptions> = {}) =>
  gather(ociRegistry, `${server.host}/team/app`, options);
const listRequests = (server: UpstreamServer) =>
  server.requests.filter(({ path }) => path.includes('/tags/list')).length;

describe('registries', () => {
  test.each([
    [2_500, 1_000],
    [2_000, 1_000],
    [250, 100],
    [100, 100],
    [400, 128],
    [75, 25],
  ])('a list of %d tags in pages of %d without a Link header is read completely', async (count, maxPage) => {
    const server = await startRegistry({ tags: tagsOf(count), maxPage });
    expect(extentOf(await readTags(server))).toEqual(complete(count));
  });

  test('a list with a Link header of more than 4,096 characters is incomplete', async () => {
    const server = await startRegistry({
      tags: tagsOf(33),
      maxPage: 31,
      link: (next) => `${next.href}&x=${'a'.repeat(5_000)}`,
    });
    expect(extentOf(await readTags(server))).toMatchObject({ isCompleteList: false, listCut: 'anywhere' });
  });

  test.each([
    ['another path', (next: URL) => `http://${next.host}/repository/docker/wrong${next.search}`],
    ['another host', (next: URL) => `http://127.0.0.1:9${next.pathname}${next.search}`],
    ['a host that is not allowed', (next: URL) => `http://10.0.0.1${next.pathname}${next.search}`],
    ['a page that is not a tag list', (next: URL) => `/html${next.search}`],
    ['another path without a query', () => '/api/docker/v2/tags'],
  ])(
    'a list whose link leads to %s is read completely, with at most one request to a wrong URL',
    async (_, link) => {
      const server = await startRegistry({
        tags: tagsOf(2_500),
        maxPage: 1_000,
        link,
        intercept: (_request, response, url) => {
          if (url.pathname.startsWith('/v2/')) return false;
          const isHtml = url.pathname === '/html';
          response.writeHead(isHtml ? 200 : 400, { 'content-type': 'text/html' }).end('<html></html>');
          return true;
        },
      });
      expect(extentOf(await readTags(server))).toEqual(complete(2_500));
      expect(server.requests.filter(({ path }) => !path.startsWith('/v2/')).length).toBeLessThanOrEqual(1);
    },
  );

  test('the list of a registry that ignores `last` and ends the list early is never complete', async () => {
    for (const maxPage of [1_000, 100]) {
      const server = await startRegistry({ tags: tagsOf(2_500), maxPage, ignoresLast: true });
      const found = await readTags(server);
      expect(extentOf(found)).toEqual({ count: maxPage, isCompleteList: false, listCut: 'anywhere' });
      expect(found.summary.warnings[0]).toContain('Newer releases might be missing');
    }
  });

  test('a first page is kept as an incomplete list if the registry never returns the next one', async () => {
    const server = await startRegistry({
      tags: tagsOf(2_500),
      maxPage: 1_000,
      link: (next) => next.href,
      intercept: (_request, response, url) => {
        if (!url.searchParams.has('last')) return false;
        response.writeHead(400).end();
        return true;
      },
    });
    expect(extentOf(await readTags(server))).toMatchObject({ count: 1_000, listCut: 'anywhere' });
  });

  test.each([429, 503])(
    'a second page that returns %d fails the run, so the stored list stays',
    async (status) => {
      const server = await startRegistry({
        tags: tagsOf(2_500),
        maxPage: 1_000,
        intercept: (_request, response, url) => {
          if (!url.searchParams.has('last')) return false;
          response.writeHead(status, { 'retry-after': '600' }).end();
          return true;
        },
      });
      await expect(readTags(server)).rejects.toMatchObject({
        code: status === 429 ? 'rate_limited' : 'upstream_error',
      });
    },
  );

  test('a registry without pages has a complete list, whatever its length', async () => {
    for (const count of [3, 10, 40, 1_000, 2_500]) {
      const server = await startRegistry({
        tags: tagsOf(count),
        maxPage: 10_000,
        ignoresLast: true,
        ignoresSize: true,
      });
      expect(extentOf(await readTags(server))).toEqual(complete(count));
    }
  });

  test('a registry that fails to return 1,000 tags receives requests for smaller pages', async () => {
    const server = await startRegistry({
      tags: tagsOf(350),
      maxPage: 1_000,
      link: (next) => next.href,
      intercept: (_request, response, url) => {
        if (Number(url.searchParams.get('n')) <= 100) return false;
        response.writeHead(502).end();
        return true;
      },
    });
    expect(extentOf(await readTags(server))).toEqual(complete(350));
  });

  test('a list without new tags requires one request per page', async () => {
    const server = await startRegistry({ tags: tagsOf(100), maxPage: 1_000 });
    const found = await readTags(server, { isFull: false, knownTags: tagsOf(100) });
    expect(listRequests(server)).toBe(1);
    // The run doesn't know whether the list is complete, so it doesn't withdraw anything.
    expect(extentOf(found)).toEqual({ count: 100, isCompleteList: false, listCut: null });
  });
});

describe('registries behind a proxy', () => {
  test('a list whose links lead to its first page again is incomplete', async () => {
    const server = await startRegistry({
      tags: tagsOf(250),
      maxPage: 100,
      ignoresLast: true,
      link: (next) => next.href,
    });
    expect(extentOf(await readTags(server))).toEqual({
      count: 100,
      isCompleteList: false,
      listCut: 'anywhere',
    });
  });

  test('a run that is not full finds new tags on later pages without links', async () => {
    const known = tagsOf(250);
    const server = await startRegistry({ tags: [...known, '9.0.0'], maxPage: 100 });
    const found = await readTags(server, { isFull: false, knownTags: known });
    expect(found.releases.map(({ tag }) => tag)).toContain('9.0.0');
  });

  test("a list that wasn't read completely has no validators", async () => {
    const server = await startRegistry({
      tags: tagsOf(100),
      maxPage: 100,
      intercept: (_request, response) => {
        response.setHeader('etag', '"1"');
        return false;
      },
    });
    const found = await readTags(server, { isFull: false, knownTags: tagsOf(100) });
    expect(found.summary.validators).toBeNull();
  });
});

describe('tokens', () => {
  async function startAzure(
    scope: string,
    realm?: string,
  ): Promise<{ server: UpstreamServer; scopes: string[] }> {
    const scopes: string[] = [];
    const server = await startRegistry({
      tags: ['1.0.0'],
      maxPage: 1_000,
      intercept: (request, response, url) => {
        if (url.pathname === '/oauth2/token') {
          scopes.push(url.searchParams.get('scope') ?? '');
          response.end(JSON.stringify({ access_token: url.searchParams.get('scope') }));
          return true;
        }
        if (request.headers.authorization?.includes('metadata_read')) return false;
        response.setHeader(
          'www-authenticate',
          `Bearer realm="${realm ?? `http://${server.host}/oauth2/token`}",service="${server.host}",scope="${scope}"`,
        );
        response.writeHead(401).end();
        return true;
      },
    });
    return { server, scopes };
  }

  test('a token is requested with the scope that the challenge specifies', async () => {
    const { server, scopes } = await startAzure('repository:team/app:metadata_read');
    expect(extentOf(await readTags(server))).toEqual(complete(1));
    expect(scopes).toEqual(['repository:team/app:pull,metadata_read']);
  });

  test.each([
    'repository:other/app:metadata_read',
    'repository:team/app:metadata_write,push,delete,*',
    'registry:catalog:*',
  ])('a token never gets the scope %s', async (scope) => {
    const { server, scopes } = await startAzure(scope);
    await expect(readTags(server)).rejects.toMatchObject({ code: 'unauthorized' });
    expect(scopes).toEqual(['repository:team/app:pull']);
  });

  test('a relative realm fails the run with a message that names it', async () => {
    const { server } = await startAzure('repository:team/app:pull', '/oauth2/token');
    await expect(readTags(server)).rejects.toMatchObject({
      message: `${server.host} names a token endpoint without a host (realm="/oauth2/token"). Configure the realm of the registry as a full URL.`,
    });
  });
});

describe('JSON lists', () => {
  const pages = [['3.0'], ['2.0'], ['1.0']];

  function startPages(
    next: (page: number, host: string) => { header?: string; member?: string },
  ): Promise<UpstreamServer> {
    const starting: Promise<UpstreamServer> = startUpstreamServer((_request, response, url) => {
      const page = Number(url.searchParams.get('page') ?? 1);
      const { header, member } = page < pages.length ? next(page + 1, url.host) : {};
      response.writeHead(200, {
        'content-type': 'application/json',
        etag: '"1"',
        ...(header !== undefined && { link: `<${header}>; rel="next"` }),
      });
      response.end(
        JSON.stringify({ versions: pages[page - 1] ?? [], ...(member !== undefined && { next: member }) }),
      );
    });
    return start(starting);
  }

  const read = (server: UpstreamServer) =>
    gather(httpJson, `http://${server.host}/list.json`, { sourceOptions: { version_path: '.versions' } });

  test.each([
    ['a link', (page: number) => ({ header: `/list.json?page=${page}` })],
    ['a field', (page: number, host: string) => ({ member: `http://${host}/list.json?page=${page}` })],
    ['a field with a relative URL', (page: number) => ({ member: `?page=${page}` })],
  ])('all pages are read if %s leads to each next page, and the list has no validators', async (_, next) => {
    const found = await read(await startPages(next));
    expect(extentOf(found)).toEqual(complete(3));
    expect(found.summary.validators).toBeNull();
  });

  test('a Link header of more than 4,096 characters makes the list incomplete, with a warning', async () => {
    const server = await startPages((page) => ({ header: `?page=${page}&x=${'a'.repeat(5_000)}` }));
    const found = await read(server);
    expect(extentOf(found)).toEqual({ count: 1, isCompleteList: false, listCut: 'anywhere' });
    expect(found.summary.warnings).toEqual([
      `${server.host} sent a Link header with 5,024 characters. Headers longer than 4,096 characters aren't read, so the remaining pages weren't read either.`,
    ]);
  });

  test('a next page on another host is not read, so the list is incomplete', async () => {
    const found = await read(await startPages(() => ({ member: 'https://other.example/list.json' })));
    expect(extentOf(found)).toEqual({ count: 1, isCompleteList: false, listCut: 'anywhere' });
    expect(found.summary.warnings).toEqual([
      'Only the first page was read. Newer releases might be missing.',
    ]);
  });

  test.each<[string, number, string]>([
    ['an error', 500, ''],
    ['a rate limit', 429, ''],
    ['a page without versions', 200, '{"message": "no more"}'],
    ['a page that is not JSON', 200, '<html>'],
  ])('pages before %s are kept as an incomplete list', async (_, status, body) => {
    const server = await startPages((page) => ({ member: `?page=${page}` }));
    server.intercept = (request, response) => {
      if (!request.url?.includes('page=3')) return false;
      response.writeHead(status, { 'content-type': 'application/json' }).end(body);
      return true;
    };
    const found = await read(server);
    expect(extentOf(found)).toEqual({ count: 2, isCompleteList: false, listCut: 'anywhere' });
    expect(found.summary.warnings[0]).toMatch(/^Only the first 2 pages were read\. The next page failed: ./);
  });

  /**
   * Starts a server on which each page refers to the next page. `nextOf` returns the number of the next page,
   * or null for none.
   */
  function startVersions(versions: string[][], nextOf: (page: number) => number | null) {
    return start(
      startUpstreamServer((_request, response, url) => {
        const page = Number(url.searchParams.get('page') ?? 1);
        const next = nextOf(page);
        response.writeHead(200, { 'content-type': 'application/json' });
        response.end(
          JSON.stringify({
            versions: versions[page - 1] ?? [],
            ...(next !== null && { next: `?page=${next}` }),
          }),
        );
      }),
    );
  }

  test('three empty pages end a list that refers to more pages, and no release counts as removed', async () => {
    const server = await startVersions(pages, (page) => page + 1);
    expect(extentOf(await read(server))).toEqual({ count: 3, isCompleteList: false, listCut: null });
    expect(server.requests).toHaveLength(6);
  });

  test.each([
    ['the first page is', [[], [], ['1.0'], ['2.0']]],
    ['other pages are', [['1.0'], [], [], ['2.0']]],
  ])('a list is read to its end if %s empty', async (_, versions) => {
    const server = await startVersions(versions, (page) => (page < versions.length ? page + 1 : null));
    expect(extentOf(await read(server))).toEqual(complete(2));
  });

  test.each([1, 2, 3])(
    'a list whose last page refers back to page %i is incomplete, with a warning',
    async (back) => {
      const server = await startVersions(pages, (page) => (page < 3 ? page + 1 : back));
      const found = await read(server);
      // The URL of the first page has no page number, so it differs from the URL of page 1.
      expect([extentOf(found).isCompleteList, extentOf(found).listCut]).toEqual([false, 'anywhere']);
      expect(found.summary.warnings).toEqual([expect.stringContaining('names an earlier page')]);
    },
  );

  test.each([
    ['[0].v', 1, 'oldest'],
    ['[*].v', 10, 'anywhere'],
  ])(
    'a list with small pages takes few requests for the path %s',
    async (version_path, requests, listCut) => {
      const server = await start(
        startUpstreamServer((_request, response, url) => {
          const page = Number(url.searchParams.get('page') ?? 1);
          const link = `</list.json?page=${page + 1}>; rel="next"`;
          response.writeHead(200, { 'content-type': 'application/json', link });
          response.end(JSON.stringify([{ v: `1.${page}` }]));
        }),
      );
      const found = await gather(httpJson, `http://${server.host}/list.json`, {
        sourceOptions: { version_path },
      });
      expect(server.requests).toHaveLength(requests);
      expect(found.summary).toMatchObject({ isCompleteList: false, listCut });
    },
  );

  test('a field that does not contain a URL is not followed', async () => {
    const found = await read(await startPages(() => ({ member: '4.0-beta' })));
    expect(extentOf(found)).toEqual(complete(1));
    expect(found.summary.validators).not.toBeNull();
  });
});
