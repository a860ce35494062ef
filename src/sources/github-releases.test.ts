import { readdirSync, readFileSync } from 'node:fs';
import { afterEach, describe, expect, test } from 'vitest';
import { hasTestData, testDataPath } from '../../tests/helpers/test-data.ts';
import {
  type FakeGithub,
  type FakeRelease,
  startFakeGithub,
} from '../../tests/helpers/upstreams/fake-github.ts';
import { type Gathered, type GatherOptions, gatherFrom } from '../../tests/helpers/upstreams/gather-from.ts';
import { readReleaseHistories } from '../../tests/helpers/upstreams/release-histories.ts';
import { createTestBench } from '../platform/outbound/outbound-test-servers.ts';
import { githubReleases } from './github-releases.ts';

const bench = createTestBench();
const servers: FakeGithub[] = [];

afterEach(async () => {
  await bench.close();
  for (const server of servers.splice(0)) await server.close();
});

async function start(): Promise<{
  github: FakeGithub;
  gather(options?: Partial<GatherOptions>): Promise<Gathered>;
}> {
  const github = await startFakeGithub();
  servers.push(github);
  const client = bench.client();
  const gather = (options: Partial<GatherOptions> = {}): Promise<Gathered> =>
    gatherFrom(githubReleases, `${github.host}/acme/app`, {
      client,
      insecureHosts: [github.host],
      ...options,
    });
  return { github, gather };
}

const historyOf = (count: number): FakeRelease[] =>
  Array.from({ length: count }, (_, index) => ({
    tag: `v${count - index}`,
    publishedAt: '2026-01-01T00:00:00Z',
  }));

test('requests for github.com go to api.github.com, and those for other hosts to /api/v3', async () => {
  const { github, gather } = await start();
  github.repositories.set('acme/app', []);
  await gather();
  expect(github.requests[0]?.path).toBe('/api/v3/repos/acme/app/releases?per_page=100');
  const key = (artifactName: string): string =>
    githubReleases.sharedRequestKey({ artifactName, sourceOptions: {} });
  expect(key('github.com/a/b')).toBe('github_releases api.github.com/repos/a/b/releases');
  expect(key('ghe.example.com/a/b')).toBe('github_releases ghe.example.com/api/v3/repos/a/b/releases');
});

test('a repository without releases is empty, an unknown one is not_found, and tags are never used instead', async () => {
  const { github, gather } = await start();
  await expect(gather()).rejects.toMatchObject({ code: 'not_found' });
  github.repositories.set('acme/app', []);
  const found = await gather();
  expect(found).toMatchObject({ releases: [], requests: 2 - 1, summary: { isCompleteList: true } });
  expect(found.summary.warnings).toEqual([expect.stringContaining('git_tags')]);
  github.repositories.set('acme/app', [{ tag: '1.0.0', publishedAt: null }]);
  expect((await gather()).summary.warnings).toEqual([]);
});

test('a private repository is read with the token of its credential', async () => {
  const { github, gather } = await start();
  github.repositories.set('acme/app', [{ tag: 'v1', publishedAt: '2026-01-01T00:00:00Z' }]);
  github.privateRepositories.set('acme/app', 'secret');
  const credential = { type: 'github_token', name: 'gh', hosts: [github.host], token: 'secret' } as const;
  await expect(gather()).rejects.toMatchObject({ code: 'not_found' });
  expect((await gather({ credential })).releases).toMatchObject([{ tag: 'v1' }]);
  await expect(gather({ credential: { ...credential, token: 'revoked' } })).rejects.toMatchObject({
    code: 'unauthorized',
  });
});

test('a rate limit that is exhausted between two pages ends the run as rate_limited', async () => {
  const { github, gather } = await start();
  const now = new Date('2026-11-21T05:00:00Z');
  github.repositories.set('acme/app', historyOf(250));
  github.remaining = 2;
  github.resetAt = Math.floor(Date.now() / 1_000) + 1_800;
  const error: unknown = await gather({ now, isFull: true }).catch((reason: unknown) => reason);
  expect(error).toMatchObject({ code: 'rate_limited' });
  // The last response reported that the limit is exhausted, so no third request is sent.
  expect(github.requests).toHaveLength(2);
});

test('releases that were read from a very long list are kept when the rate limit is exhausted', async () => {
  const { github, gather } = await start();
  github.repositories.set('acme/app', historyOf(1_500));
  github.remaining = 12;
  github.resetAt = Math.floor(Date.now() / 1_000) + 1_800;
  const { releases, summary } = await gather({ isFull: true, now: new Date() });
  expect([releases.length, releases[0]?.tag]).toEqual([1_200, 'v1500']);
  expect(summary).toMatchObject({
    isCompleteList: false,
    found: 1200,
    warnings: [
      `Only the first 1,200 releases were read because ${github.host} is rate limiting requests. If the job has no credential, add one to raise the limit.`,
    ],
  });
});

test('a release that changes position during a read makes the list incomplete', async () => {
  const { github, gather } = await start();
  const list = historyOf(250);
  github.repositories.set('acme/app', list);
  expect(await gather({ isFull: true })).toMatchObject({ summary: { found: 250, isCompleteList: true } });
  github.intercept = (request) => {
    // Simulates a release that is deleted and created again.
    if (request.url?.includes('page=2')) list.unshift(...list.splice(150, 1));
    return false;
  };
  const { releases, summary } = await gather({ isFull: true });
  expect(releases.map(({ tag }) => tag)).not.toContain('v100');
  expect(summary).toMatchObject({ isCompleteList: false, warnings: [] });
});

describe('a release that is deleted during a read', () => {
  /** Deletes one release right before `page` is read. */
  async function check(page: string, deleted: number, { missing }: { missing: string }): Promise<void> {
    const { github, gather } = await start();
    const list = historyOf(350);
    github.repositories.set('acme/app', list);
    github.intercept = (request) => {
      if (list.length === 350 && request.url?.endsWith(page)) list.splice(deleted, 1);
      return false;
    };
    const { releases, summary } = await gather({ isFull: true, checksComplete: true });
    expect(releases.map(({ tag }) => tag)).not.toContain(missing);
    expect(summary).toMatchObject({ found: 349, isCompleteList: false, warnings: [] });
  }

  test('makes the list incomplete, because another release moves to a page that was already read', async () => {
    await check('per_page=100&page=2', 20, { missing: 'v250' });
    await check('per_page=100&page=3', 20, { missing: 'v150' });
    await check('per_page=100&page=4', 320 - 100, { missing: 'v50' });
  });

  test('makes the list incomplete even before its length is known', async () => {
    await check('per_page=1&page=100', 20, { missing: 'v250' });
  });
});

test('the completeness check adds one request, and only for a list with several pages', async () => {
  const { github, gather } = await start();
  const full = { isFull: true, checksComplete: true };
  github.repositories.set('acme/app', historyOf(250));
  expect(await gather(full)).toMatchObject({ requests: 4, summary: { found: 250, isCompleteList: true } });
  github.repositories.set('acme/app', historyOf(99));
  expect(await gather(full)).toMatchObject({ requests: 1, summary: { found: 99, isCompleteList: true } });
  // A full page without a link can be followed by another page, which is requested to check this.
  github.repositories.set('acme/app', historyOf(100));
  expect(await gather(full)).toMatchObject({ requests: 2, summary: { found: 100, isCompleteList: true } });
  const known = { isFull: false, knownTags: historyOf(100).map(({ tag }) => tag) };
  expect(await gather({ ...full, ...known })).toMatchObject({ requests: 1 });
});

test('a list whose pages lack some entries is complete if its reported length stays the same', async () => {
  const { github, gather } = await start();
  const list = historyOf(250);
  github.repositories.set('acme/app', list);
  let answers = 0;
  github.intercept = (request, response) => {
    if (!request.url?.endsWith('per_page=1&page=100')) return false;
    answers += 1;
    response.setHeader(
      'link',
      `<http://${github.host}/list?per_page=1&page=${lengths[answers - 1]}>; rel="last"`,
    );
    response.end(JSON.stringify([{ tag_name: 'v151', published_at: '2026-01-01T00:00:00Z' }]));
    return true;
  };
  let lengths = [260, 260];
  const full = { isFull: true, checksComplete: true };
  expect(await gather(full)).toMatchObject({ requests: 5, summary: { found: 250, isCompleteList: true } });
  answers = 0;
  lengths = [260, 259];
  expect(await gather(full)).toMatchObject({ requests: 5, summary: { found: 250, isCompleteList: false } });
});

test('a list is complete if the host reports no length, but not if the length request fails', async () => {
  const { github, gather } = await start();
  github.repositories.set('acme/app', historyOf(250));
  const readWith = async (status: number) => {
    github.intercept = (request, response) => {
      if (!request.url?.endsWith('per_page=1&page=100')) return false;
      response.writeHead(status).end('[]');
      return true;
    };
    const { summary } = await gather({ isFull: true, checksComplete: true });
    expect(summary.found).toBe(250);
    return summary.isCompleteList;
  };
  expect(await readWith(200)).toBe(true);
  expect(await readWith(500)).toBe(false);
  await expect(readWith(429)).rejects.toMatchObject({ code: 'rate_limited' });
});

test('a secondary rate limit without headers is detected by its message', async () => {
  const { github, gather } = await start();
  const now = new Date('2026-11-21T05:00:00Z');
  github.intercept = (_, response) => {
    response
      .writeHead(403)
      .end('{"message":"You have exceeded a secondary rate limit. Please wait a few minutes."}');
    return true;
  };
  await expect(gather({ now })).rejects.toMatchObject({
    code: 'rate_limited',
    retryAt: new Date('2026-11-21T05:01:00Z'),
  });
});

test('pages that are too large are read ten releases at a time', async () => {
  const { github, gather } = await start();
  const notes = 'n'.repeat(60_000);
  github.repositories.set(
    'acme/app',
    Array.from({ length: 20 }, (_, index) => ({
      tag: `v${20 - index}`,
      publishedAt: '2026-01-01T00:00:00Z',
      notes,
    })),
  );
  github.intercept = (request, response) => {
    if (!request.url?.includes('per_page=100')) return false;
    response.writeHead(200, { 'content-length': '99999999' });
    response.write('[');
    return true;
  };
  expect(await gather({ isFull: true })).toMatchObject({
    requests: 3,
    summary: { found: 20, isCompleteList: true },
  });
});

describe.skipIf(!hasTestData)('recorded responses', () => {
  function check(found: Gathered, entries: readonly { [key: string]: unknown }[]): void {
    expect(found.releases).toEqual(
      entries
        .filter(({ draft }) => draft !== true)
        .map((entry) => ({
          tag: entry['tag_name'],
          app_version: null,
          released_at: new Date(String(entry['published_at'])).toISOString(),
          is_prerelease: entry['prerelease'],
          is_yanked: false,
          url: new URL(String(entry['html_url'])).href,
          notes: entry['body'] || null,
        })),
    );
  }

  const lists = hasTestData
    ? readdirSync(testDataPath('github')).filter((file) => file.endsWith('.releases.json'))
    : [];

  test.each(lists)('%s is read without loss', async (file) => {
    const { github, gather } = await start();
    const body = readFileSync(testDataPath(`github/${file}`), 'utf8');
    github.intercept = (_, response) => {
      response.writeHead(200, { 'content-type': 'application/json' }).end(body);
      return true;
    };
    const entries: { [key: string]: unknown }[] = JSON.parse(body);
    check(
      await gather(),
      entries.filter(
        ({ tag_name }, index) => entries.findIndex((other) => other['tag_name'] === tag_name) === index,
      ),
    );
  });

  test('responses of api.github.com are read with their headers', async () => {
    const {
      cases,
    }: {
      cases: {
        method: string;
        url: string;
        status: number;
        headers: Record<string, string>;
        body: unknown;
      }[];
    } = JSON.parse(readFileSync(testDataPath('github/octokit-rb-cassettes.json'), 'utf8'));
    const recorded = cases.filter(({ method, url }) => method === 'get' && url.endsWith('/releases'));
    expect(recorded.length).toBeGreaterThan(0);
    for (const { status, headers, body } of recorded) {
      const { github, gather } = await start();
      github.intercept = (_, response) => {
        const {
          'content-length': _length,
          'content-encoding': _encoding,
          status: _status,
          ...rest
        } = headers;
        response.writeHead(status, rest).end(JSON.stringify(body));
        return true;
      };
      const found = await gather();
      check(found, Array.isArray(body) ? body : []);
      expect(found.summary.validators?.etag).toBe(headers['etag']);
    }
  });

  test('real histories are read completely, regardless of the number of pages', async () => {
    const { github, gather } = await start();
    const histories = await readReleaseHistories(testDataPath('release-history/mise-versions.jsonl'));
    expect(histories.size).toBeGreaterThan(200);
    for (const [tool, releases] of [...histories].filter((_, index) => index % 40 === 0)) {
      github.repositories.set('acme/app', releases);
      const found = await gather({ isFull: true });
      expect([tool, found.summary.found]).toEqual([tool, new Set(releases.map(({ tag }) => tag)).size]);
      expect(found.releases.filter(({ is_prerelease }) => is_prerelease)).toHaveLength(
        releases.filter(({ isPrerelease }) => isPrerelease).length,
      );
    }
  });
});
