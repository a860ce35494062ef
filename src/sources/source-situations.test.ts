import { readFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { afterEach, describe, expect, test } from 'vitest';
import { hasTestData, testDataPath } from '../../tests/helpers/test-data.ts';
import { startFakeGitea } from '../../tests/helpers/upstreams/fake-gitea.ts';
import { type FakeRelease, startFakeGithub } from '../../tests/helpers/upstreams/fake-github.ts';
import { startFakeGitlab } from '../../tests/helpers/upstreams/fake-gitlab.ts';
import { startFakeHelmRepository } from '../../tests/helpers/upstreams/fake-helm-repository.ts';
import { startFakeOciRegistry } from '../../tests/helpers/upstreams/fake-oci-registry.ts';
import { type Gathered, type GatherOptions, gatherFrom } from '../../tests/helpers/upstreams/gather-from.ts';
import {
  sendJson,
  startUpstreamServer,
  type UpstreamServer,
} from '../../tests/helpers/upstreams/upstream-server.ts';
import { judge } from '../domain/rules/judge.ts';
import { prepareReleases } from '../domain/rules/release-set.ts';
import { createTestBench } from '../platform/outbound/outbound-test-servers.ts';
import { giteaReleases } from './gitea-releases.ts';
import { githubReleases } from './github-releases.ts';
import { gitlabReleases } from './gitlab-releases.ts';
import { helmRepository } from './helm-repository.ts';
import { httpJson } from './http-json.ts';
import { httpText } from './http-text.ts';
import { ociRegistry } from './oci-registry.ts';
import type { ReleaseSource } from './release-source.ts';

/**
 * Situations of forges, registries, and Helm repositories that users of these or similar tools reported. The first
 * table has an entry for each situation in `version-cases/sources.json`, and the second table has further situations.
 */
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

type Answer = (request: IncomingMessage, response: ServerResponse, url: URL) => void;
const serve = (answer: Answer): Promise<UpstreamServer> => start(startUpstreamServer(answer));

const tagsOf = ({ releases }: Gathered) => releases.map(({ tag }) => tag);
const datesOf = ({ releases }: Gathered) =>
  Object.fromEntries(releases.map(({ tag, released_at }) => [tag, released_at]));

/** Expects the whole list of this length. */
function expectComplete(found: Gathered, count: number): void {
  expect(found.releases).toHaveLength(count);
  expect(found.summary).toMatchObject({ isCompleteList: true, warnings: [] });
  expect(found.summary.listCut).toBeUndefined();
}

function historyOf(count: number): FakeRelease[] {
  return Array.from({ length: count }, (_, index) => ({
    tag: `v1.${count - index}.0`,
    publishedAt: new Date(Date.UTC(2026, 0, 1) - index * 3_600_000).toISOString(),
  }));
}

// Helpers for forges

async function github(releases: readonly FakeRelease[] = historyOf(3)) {
  const server = await start(startFakeGithub());
  server.repositories.set('o/r', [...releases]);
  return {
    server,
    read: (options?: Partial<GatherOptions>) => gather(githubReleases, `${server.host}/o/r`, options),
  };
}

/** Serves one response as the list of a forge. */
async function answered(
  source: ReleaseSource,
  answer: Answer,
  options: Partial<GatherOptions> = {},
): Promise<Gathered> {
  const server = await serve(answer);
  return gather(source, `${server.host}/o/r`, options);
}

const send =
  (status: number, body: string, headers: Record<string, string> = {}): Answer =>
  (_request, response) =>
    void response.writeHead(status, headers).end(body);

// Helpers for registries

const versions = (count: number) => Array.from({ length: count }, (_, index) => `1.${index}.0`).toSorted();

async function registry(tags: string[], created?: Record<string, string>) {
  const server = await start(startFakeOciRegistry());
  server.images.set('team/app', {
    tags,
    dateIn: 'annotations',
    ...(created && { created: new Map(Object.entries(created)) }),
  });
  return { server, read: (options?: Partial<GatherOptions>) => readTags(server, options) };
}

const readTags = (server: UpstreamServer, options: Partial<GatherOptions> = {}) =>
  gather(ociRegistry, `${server.host}/team/app`, options);

/** Serves a tag list page by page. `link` returns the `Link` header of a page that isn't the last one. */
async function pagedRegistry(
  tags: readonly string[],
  maxPage: number,
  link: (next: { query: string; host: string }) => string | null,
  intercept: (request: IncomingMessage, response: ServerResponse, url: URL) => boolean = () => false,
): Promise<UpstreamServer> {
  return serve((request, response, url) => {
    if (intercept(request, response, url)) return;
    if (url.pathname !== '/v2/team/app/tags/list') return void response.writeHead(404).end();
    const size = Math.min(Number(url.searchParams.get('n') ?? maxPage), maxPage);
    const last = url.searchParams.get('last') ?? '';
    const rest = tags.filter((tag) => tag > last);
    const page = rest.slice(0, size);
    const header =
      rest.length > size ? link({ query: `?n=${size}&last=${page.at(-1)}`, host: url.host }) : null;
    sendJson(response, 200, { name: 'team/app', tags: page }, header === null ? {} : { link: header });
  });
}

const manifestStatus =
  (status: number, isFor: (tag: string) => boolean) =>
  (request: IncomingMessage, response: ServerResponse): boolean => {
    const [, tag] = /\/manifests\/([^/]+)$/u.exec(request.url ?? '') ?? [];
    if (tag === undefined || !isFor(tag)) return false;
    response.writeHead(status).end('{"errors":[{"code":"TOOMANYREQUESTS"}]}');
    return true;
  };

const sixTags = ['1.0.0', '1.1.0', '1.2.0', '1.3.0', '1.4.0', '1.5.0'];
const sixDates = Object.fromEntries(
  sixTags.map((tag, index) => [tag, new Date(Date.UTC(2026, index, 1)).toISOString()]),
);

// Helpers for Helm repositories

async function readIndex(index: string, options: Partial<GatherOptions> = {}): Promise<Gathered> {
  const server = await start(startFakeHelmRepository());
  server.indexes.set('/charts', index);
  return gather(helmRepository, `${server.host}/charts/app`, options);
}

const indexOf = (entries: readonly Record<string, string>[]) =>
  [
    'apiVersion: v1',
    'entries:',
    '  app:',
    ...entries.map((entry) =>
      Object.entries({ name: 'app', ...entry })
        .map(([key, value], index) => `${index === 0 ? '  - ' : '    '}${key}: ${value}`)
        .join('\n'),
    ),
    'generated: "2026-11-01T10:00:00Z"',
  ].join('\n');

const appVersions = ({ releases }: Gathered) => releases.map(({ app_version }) => app_version);

/** Evaluates a deployed version against the releases that a source returned. */
function judged(found: Gathered, deployedVersion: string, now = '2026-11-28') {
  const flags = { isPrerelease: false, isYanked: false, isWithdrawn: false };
  const set = prepareReleases(
    'semver',
    found.releases.map(({ tag, released_at }) => ({
      version: tag,
      releasedAtMs: released_at === null ? null : Date.parse(released_at),
      discoveredAtMs: Date.parse('2026-11-01'),
      url: null,
      ...flags,
    })),
  );
  const { state, latestVersion, behindBy, isEstimate } = judge({
    rule: {
      type: 'days_behind',
      thresholds: { moderate: 30 },
      stableOnly: true,
      daysBasis: 'first_newer_release',
      minReleaseAgeDays: 0,
    },
    options: { candidatePattern: null, ignoredVersions: [] },
    deployedVersion,
    releases: set,
    nowMs: Date.parse(now),
  });
  return { state, latestVersion, behindBy, isEstimate };
}

const failure = (code: string, message: RegExp = /./u) => ({ code, message: expect.stringMatching(message) });

const situations: Readonly<Record<string, () => Promise<unknown>>> = {
  async 'github-422-first-run'() {
    const { server, read } = await github(historyOf(1_250));
    server.intercept = (request, response) => {
      const { searchParams } = new URL(request.url ?? '', 'http://fake');
      if (Number(searchParams.get('per_page')) * Number(searchParams.get('page') ?? 1) <= 1_000) return false;
      response.writeHead(422).end('{"message":"Only the first 1000 results are available."}');
      return true;
    };
    const found = await read({ isFull: false });
    expect(found.releases).toHaveLength(1_000);
    expect(found.summary).toMatchObject({ isCompleteList: false, listCut: 'oldest' });
  },
  async 'github-502-large-page'() {
    const { server, read } = await github(historyOf(130));
    server.intercept = (request, response) => {
      if (!request.url?.includes('per_page=100')) return false;
      response.writeHead(502).end('<html>Unicorn</html>');
      return true;
    };
    expectComplete(await read(), 130);
  },
  async 'github-secondary-limit'() {
    const body = '{"message":"You have exceeded a secondary rate limit. Please wait a few minutes."}';
    await expect(answered(githubReleases, send(403, body))).rejects.toMatchObject({
      ...failure('rate_limited'),
      retryAt: expect.any(Date),
    });
  },
  async 'github-odd-entries'() {
    const entry = (tag_name: string | null, more: object = {}) => ({
      tag_name,
      draft: false,
      prerelease: false,
      body: 'notes',
      published_at: '2026-01-01T00:00:00Z',
      ...more,
    });
    const found = await answered(githubReleases, (_request, response) =>
      sendJson(response, 200, [
        entry('untagged-3f2a', { draft: true, published_at: null }),
        entry('v1.2.0', { body: null }),
        entry('v1.1.0', { published_at: null }),
        entry('v1.3.0-rc.1', { prerelease: true }),
        entry(null),
      ]),
    );
    expect(tagsOf(found)).toEqual(['v1.2.0', 'v1.1.0', 'v1.3.0-rc.1']);
    expect(found.releases.filter(({ is_prerelease }) => is_prerelease)).toHaveLength(1);
  },
  'github-object-body': () =>
    expect(answered(githubReleases, send(200, '{"message":"Server Error"}'))).rejects.toMatchObject(
      failure('invalid_index'),
    ),
  'github-html-403': () =>
    expect(answered(githubReleases, send(403, '<html>Access denied</html>'))).rejects.toMatchObject(
      failure('unauthorized', /can block/u),
    ),
  async 'github-latest-flag'() {
    const { read } = await github([
      { tag: 'v9.9.4', publishedAt: '2026-11-01T00:00:00Z' },
      { tag: 'v10.9.1', publishedAt: '2026-10-01T00:00:00Z' },
    ]);
    const found = await read();
    expect(tagsOf(found)).toEqual(['v9.9.4', 'v10.9.1']);
    expect(judged(found, 'v9.9.4').latestVersion).toBe('v10.9.1');
  },
  async 'oci-nexus-wrong-link'() {
    const server = await pagedRegistry(
      versions(2_500),
      1_000,
      ({ query, host }) => `<http://${host}/repository/docker/v2/team/app/tags/list${query}>; rel="next"`,
      (_request, response, url) => {
        if (!url.pathname.startsWith('/repository/')) return false;
        response.writeHead(400).end('Not a docker request');
        return true;
      },
    );
    expectComplete(await readTags(server), 2_500);
  },
  async 'oci-no-link'() {
    expectComplete(await readTags(await pagedRegistry(versions(2_500), 1_000, () => null)), 2_500);
  },
  async 'oci-no-link-small'() {
    expectComplete(await readTags(await pagedRegistry(versions(250), 100, () => null)), 250);
  },
  'oci-two-challenges-basic-first': () =>
    expectToken((host) => `Basic realm="x", Bearer realm="http://${host}/token",service="s"`),
  async 'oci-expired-midway'() {
    const { server, read } = await registry(versions(250));
    server.auth = { kind: 'token' };
    Object.assign(server, { maxPageSize: 100, tokenUses: 1 });
    expectComplete(await read(), 250);
  },
  async 'oci-expired-no-challenge'() {
    const { server, read } = await registry(versions(250));
    server.auth = { kind: 'token' };
    server.maxPageSize = 100;
    let rejected = false;
    server.intercept = (request, response) => {
      if (rejected || !request.url?.includes('last=')) return false;
      rejected = true;
      response.writeHead(401, { 'www-authenticate': '' }).end();
      return true;
    };
    expectComplete(await read(), 250);
  },
  async 'oci-opaque'() {
    const { server, read } = await registry(versions(250));
    Object.assign(server, { maxPageSize: 100, links: 'opaque' });
    expectComplete(await read(), 250);
  },
  async 'oci-top-tag-gone'() {
    const { server, read } = await registry(sixTags, sixDates);
    server.intercept = manifestStatus(404, (tag) => tag === '1.5.0');
    expect(datesOf(await read())).toEqual({ ...sixDates, '1.5.0': null });
  },
  async 'oci-date-429'() {
    const { server, read } = await registry(sixTags, sixDates);
    server.intercept = manifestStatus(429, (tag) => tag < '1.4.0');
    const dates = Object.values(datesOf(await read()));
    expect([dates.length, dates.filter((date) => date !== null).length]).toEqual([6, 2]);
  },
  'oci-429-first': () =>
    expect(
      serve(send(429, '{"errors":[{"code":"TOOMANYREQUESTS"}]}')).then((server) => readTags(server)),
    ).rejects.toMatchObject({ ...failure('rate_limited'), retryAt: expect.any(Date) }),
  'oci-html-login': () =>
    expect(
      serve(send(200, '<html>Sign in</html>', { 'content-type': 'text/html' })).then((server) =>
        readTags(server),
      ),
    ).rejects.toMatchObject(failure('invalid_index', /web page/u)),
  async 'helm-created-rewritten'() {
    const found = await readIndex(
      indexOf(
        Array.from({ length: 30 }, (_, index) => ({
          version: `1.${29 - index}.0`,
          created: `"2026-11-01T10:00:00.${String(index).padStart(9, '0')}Z"`,
        })),
      ),
    );
    expectComplete(found, 30);
    expect(judged(found, '1.2.0', '2026-12-28')).toMatchObject({ state: 'alerting', isEstimate: true });
  },
  async 'helm-invalid-versions'() {
    const names = ['master', 'canary', 'release-1.1', '0.5.5.1', '1.0.0-03173138', '0.2.0-049.8a0cee8'];
    const found = await readIndex(
      indexOf([...names, '0.1.0.1', 'v1.2.3', '1.2.2'].map((version) => ({ version }))),
    );
    expect(found.releases).toHaveLength(9);
    expect(judged(found, '1.2.2').latestVersion).toBe('v1.2.3');
  },
  async 'helm-appversion-numbers'() {
    const written = ['72551e2', '1826e29', '392065e2', '62189086', '1.10', '0777'];
    const entries = written.map((appVersion, index) => ({ version: `1.0.${index}`, appVersion }));
    expect(appVersions(await readIndex(indexOf(entries)))).toEqual(written);
  },
  async 'helm-version-float'() {
    expect(tagsOf(await readIndex(indexOf([{ version: '2.0' }, { version: '1.10' }])))).toEqual([
      '2.0',
      '1.10',
    ]);
  },
  async 'helm-json-index'() {
    const text = '{"apiVersion":"v1","entries":{"app":[{"name":"app","version":"1.0.0","appVersion":1.10}]}}';
    const found = await readIndex(text);
    expect([tagsOf(found), appVersions(found)]).toEqual([['1.0.0'], ['1.10']]);
  },
  'helm-empty-200': () => expect(readIndex('')).rejects.toMatchObject(failure('invalid_index')),
  async 'helm-duplicate-keys'() {
    const index = `${indexOf([{ version: '1.0.0' }]).replace(/generated.*/u, '')}  app:\n  - version: 2.0.0\n`;
    expect(tagsOf(await readIndex(index))).toEqual(['1.0.0']);
  },
  async 'helm-crlf-bom'() {
    const index = `\uFEFF${indexOf([{ version: '1.0.0' }, { version: '1.1.0' }]).replaceAll('\n', '\r\n')}`;
    expect(tagsOf(await readIndex(index))).toEqual(['1.0.0', '1.1.0']);
  },
  async 'helm-anchor'() {
    const index = `apiVersion: v1
entries:
  app:
  - &first {name: app, version: 1.1.0, appVersion: "3", urls: [a.tgz]}
  - {name: app, version: 1.0.0, appVersion: "2", urls: [b.tgz]}
`;
    const found = await readIndex(index);
    expect([tagsOf(found), appVersions(found)]).toEqual([
      ['1.1.0', '1.0.0'],
      ['3', '2'],
    ]);
  },
  async 'gitlab-wrong-link-host'() {
    const server = await start(startFakeGitlab());
    server.projects.set('o/r', gitlabHistory(250));
    server.intercept = changeHeaders(({ link, ...headers }) => ({
      ...headers,
      ...(link !== undefined && { link: link.replaceAll(server.host, 'localhost') }),
    }));
    expectComplete(await gather(gitlabReleases, `${server.host}/o/r`), 250);
  },
  async 'gitlab-no-totals'() {
    const server = await start(startFakeGitlab());
    server.projects.set('o/r', gitlabHistory(250));
    server.intercept = changeHeaders(({ 'x-total': _total, 'x-next-page': _next, ...headers }) => headers);
    expectComplete(await gather(gitlabReleases, `${server.host}/o/r`), 250);
  },
  async 'gitea-wrong-link'() {
    const server = await start(startFakeGitea());
    server.repositories.set('o/r', historyOf(120));
    expectComplete(await gather(giteaReleases, `${server.host}/o/r`), 120);
  },
  async 'json-pages'() {
    const server = await serve((_request, response, url) => {
      const isFirst = url.searchParams.get('page') === null;
      sendJson(response, 200, [{ name: isFirst ? '2.0' : '1.0' }], {
        ...(isFirst && { link: `<http://${url.host}/list.json?page=2>; rel="next"` }),
      });
    });
    const found = await gather(httpJson, `http://${server.host}/list.json`, {
      sourceOptions: { version_path: '[*].name' },
    });
    expect(tagsOf(found)).toEqual(['2.0', '1.0']);
    expectComplete(found, 2);
  },
  async 'helm-keda-real'() {
    // The real index has 106 entries that were created on two days.
    const found = await readIndex(
      indexOf(
        Array.from({ length: 106 }, (_, index) => ({
          version: `2.${20 - Math.floor(index / 6)}.${5 - (index % 6)}`,
          created: `"2026-06-${index < 50 ? 15 : 16}T10:00:${String(index % 60).padStart(2, '0')}.5Z"`,
        })),
      ),
    );
    for (const version of ['2.8.0', '2.10.0', '2.14.0', '2.16.0'])
      expect(judged(found, version), version).toMatchObject({ state: 'alerting', isEstimate: true });
  },
  async 'helm-rancher-real'() {
    const found = await readIndex(
      indexOf([
        { version: '104.1.2+up57.0.3', created: '"2026-03-10T10:00:00Z"' },
        { version: '104.1.1+up57.0.3', created: '"2026-02-10T10:00:00Z"' },
        { version: '104.1.0+up57.0.3', created: '"2025-06-10T10:00:00Z"' },
        { version: '103.2.0+up57.0.3', created: '"2025-03-28T00:00:00Z"' },
        { version: '103.1.0+up45.31.1', created: '"2024-01-10T10:00:00Z"' },
        { version: '102.0.5+up40.1.2', created: '"2023-12-10T10:00:00Z"' },
      ]),
    );
    expect(judged(found, '103.1.0+up45.31.1')).toEqual({
      state: 'alerting',
      latestVersion: '104.1.2+up57.0.3',
      behindBy: 610,
      isEstimate: false,
    });
  },
};

/** Expects that the tags are listed with the token that a challenge requires. */
async function expectToken(challenge: (host: string) => string, answer: object = { token: 't' }) {
  const server = await pagedRegistry(
    ['1.0.0'],
    1_000,
    () => null,
    (request, response, url) => {
      if (url.pathname === '/token') {
        sendJson(response, 200, answer);
        return true;
      }
      if (request.headers.authorization === 'Bearer t') return false;
      response.setHeader('www-authenticate', challenge(url.host));
      response.writeHead(401).end();
      return true;
    },
  );
  expectComplete(await readTags(server), 1);
}

const gitlabHistory = (count: number) =>
  historyOf(count).map(({ tag, publishedAt }) => ({ tag, releasedAt: publishedAt ?? '' }));

/** Simulates a proxy that changes the headers of responses, whose names are in lowercase. */
function changeHeaders(change: (headers: Record<string, string>) => Record<string, string>) {
  return (_request: IncomingMessage, response: ServerResponse): boolean => {
    const writeHead = response.writeHead.bind(response) as (
      status: number,
      headers?: object,
    ) => ServerResponse;
    response.writeHead = ((status: number, headers: Record<string, string> = {}) =>
      writeHead(
        status,
        change(
          Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value])),
        ),
      )) as typeof response.writeHead;
    return false;
  };
}

test.skipIf(!hasTestData)('every reported situation has a test', () => {
  const listed = JSON.parse(readFileSync(testDataPath('version-cases/sources.json'), 'utf8')) as {
    id: string;
  }[];
  expect(listed.map(({ id }) => id).filter((id) => situations[id] === undefined)).toEqual([]);
});

describe('reported situations', () => {
  test.each(Object.keys(situations))(
    'the source returns the correct result in the situation %s',
    async (id) => {
      expect.hasAssertions();
      await situations[id]!();
    },
  );
});

/** Reads a JSON list whose pages `answer` returns by number. */
async function readJsonPages(
  answer: (page: number, host: string) => { body: object; headers?: Record<string, string> },
  pageOf: (url: URL) => number = (url) => Number(url.searchParams.get('page') ?? 1),
  version_path = '.values[*].name',
): Promise<Gathered> {
  const server = await serve((_request, response, url) => {
    const { body, headers } = answer(pageOf(url), url.host);
    sendJson(response, 200, body, headers);
  });
  return gather(httpJson, `http://${server.host}/list?q=app`, { sourceOptions: { version_path } });
}

const named = (...names: string[]) => names.map((name) => ({ name }));
const twoPages = (page: number) => named(page === 1 ? '2.0' : '1.0');

/** Expects that both pages of a list are read if the first one has these fields. */
async function expectBothPages(more: (host: string) => object, parameter = 'page'): Promise<void> {
  const found = await readJsonPages(
    (page, host) => ({ body: { values: twoPages(page), ...(page === 1 && more(host)) } }),
    (url) => (url.searchParams.get(parameter) !== null && url.searchParams.get('q') === 'app' ? 2 : 1),
  );
  expect(tagsOf(found)).toEqual(['2.0', '1.0']);
  expectComplete(found, 2);
}

/** Expects that a list is incomplete if its only page has these fields. */
async function expectIncomplete(more: object, headers: Record<string, string> = {}): Promise<void> {
  const { summary } = await readJsonPages(() => ({ body: { values: named('2.0'), ...more }, headers }));
  expect(summary).toMatchObject({ isCompleteList: false, listCut: 'anywhere' });
  expect(summary.warnings).toEqual([
    'The list continues, but the response names no URL of the next page. Newer releases might be missing.',
  ]);
}

const manifest = (of: object) => JSON.stringify({ schemaVersion: 2, ...of });
const created = (date: string) => ({ annotations: { 'org.opencontainers.image.created': date } });

/** Reads dates from a registry. `details` contains its manifests and configurations, by tag or digest. */
async function readDates(tags: string[], details: Record<string, string>) {
  const server = await serve((_request, response, url) => {
    if (url.pathname.endsWith('/tags/list')) return sendJson(response, 200, { name: 'team/app', tags });
    const detail = details[decodeURIComponent(url.pathname.split('/').at(-1) ?? '')];
    response.writeHead(detail === undefined ? 404 : 200).end(detail);
  });
  return datesOf(await readTags(server));
}

const otherSituations: Readonly<Record<string, () => Promise<unknown>>> = {
  async 'GitHub lists 1,000 releases, and the job knows more'() {
    const { server, read } = await github(historyOf(1_250));
    server.intercept = (request, response) => {
      const { searchParams } = new URL(request.url ?? '', 'http://fake');
      if (Number(searchParams.get('page') ?? 1) <= 10) return false;
      response.writeHead(422).end('{"message":"Only the first 1000 results are available."}');
      return true;
    };
    const found = await read({ knownTags: historyOf(1_250).map(({ tag }) => tag) });
    expect(found.summary).toMatchObject({ isCompleteList: false, listCut: 'oldest' });
  },
  async 'GitLab limits the offset of its pages'() {
    const server = await start(startFakeGitlab());
    server.projects.set('o/r', gitlabHistory(500));
    server.intercept = (request, response) => {
      if (!/[?&]page=[4-9]/u.test(request.url ?? '')) return false;
      response.writeHead(405).end('{"error":"Offset pagination has a maximum allowed offset"}');
      return true;
    };
    const found = await gather(gitlabReleases, `${server.host}/o/r`);
    expect(found.releases).toHaveLength(300);
    expect(found.summary).toMatchObject({ isCompleteList: false, listCut: 'oldest' });
  },
  async 'a repository was renamed'() {
    const { server, read } = await github(historyOf(150));
    server.repositories.set('new/name', historyOf(150));
    server.intercept = (request, response) => {
      if (!request.url?.includes('/repos/o/r')) return false;
      const location = `http://${server.host}${request.url.replace('/repos/o/r', '/repos/new/name')}`;
      response.writeHead(301, { location }).end();
      return true;
    };
    expectComplete(await read(), 150);
  },
  'a repository is blocked for legal reasons': () =>
    expect(
      answered(
        githubReleases,
        send(451, '{"message":"Repository access blocked","block":{"reason":"dmca"}}'),
      ),
    ).rejects.toMatchObject(failure('not_found', /legal reasons/u)),
  'an organization requires single sign-on for tokens': () =>
    expect(
      answered(
        githubReleases,
        send(403, '{"message":"Resource protected by organization SAML enforcement."}'),
        {
          credential: { type: 'github_token', name: 'gh', hosts: ['127.0.0.1'], token: 't' },
        },
      ),
    ).rejects.toMatchObject(failure('unauthorized', /"gh".+single sign-on/u)),
  'an organization has a list of allowed addresses': () =>
    expect(
      answered(githubReleases, send(403, '{"message":"… the organization has an IP allow list enabled …"}'), {
        credential: { type: 'github_token', name: 'gh', hosts: ['127.0.0.1'], token: 't' },
      }),
    ).rejects.toMatchObject(failure('unauthorized', /address of the agent/u)),
  'a forge redirects to its login page': () =>
    expect(
      answered(gitlabReleases, (request, response) => {
        if (request.url === '/users/sign_in')
          return send(200, '<!DOCTYPE html><html>')(request, response, new URL('http://x'));
        response.writeHead(302, { location: '/users/sign_in' }).end();
      }),
    ).rejects.toMatchObject(failure('invalid_index', /web page/u)),
  'GitLab sends the end of its limit': () =>
    expect(
      answered(
        gitlabReleases,
        send(429, 'Retry later', { 'ratelimit-remaining': '0', 'ratelimit-reset': '4102444800' }),
      ),
    ).rejects.toMatchObject({ ...failure('rate_limited'), retryAt: expect.any(Date) }),
  'a forge ends the connection in the middle of a page': () =>
    expect(
      answered(githubReleases, (_request, response) => {
        response.writeHead(200, { 'content-length': '1000' });
        response.write('[{"tag_name":"v1.0.0"', () => response.destroy());
      }),
    ).rejects.toMatchObject({ code: expect.stringMatching(/unreachable|invalid_index/u) }),
  'a forge returns a list that ends too early': () =>
    expect(answered(giteaReleases, send(200, '[{"tag_name":"v1.0.0"},'))).rejects.toMatchObject(
      failure('invalid_index'),
    ),
  async 'GitLab lists a release of the future'() {
    const server = await start(startFakeGitlab());
    server.projects.set('o/r', [
      { tag: 'v2.0.0', releasedAt: '2099-01-01T00:00:00Z', isUpcoming: true },
      { tag: 'v1.0.0', releasedAt: '2026-01-01T00:00:00Z' },
    ]);
    expect(tagsOf(await gather(gitlabReleases, `${server.host}/o/r`))).toEqual(['v1.0.0']);
  },
  async 'the history of a repository was imported on one day'() {
    const { read } = await github(
      Array.from({ length: 40 }, (_, index) => ({
        tag: `v1.${40 - index}.0`,
        publishedAt: '2026-10-02T08:00:00Z',
      })),
    );
    expect(judged(await read(), 'v1.3.0')).toMatchObject({ state: 'alerting', isEstimate: true });
  },

  async 'Artifactory links to a path without its prefix'() {
    const server = await pagedRegistry(
      versions(2_500),
      500,
      ({ query }) => `</v2/other/app/tags/list${query}>; rel="next"`,
    );
    expectComplete(await readTags(server), 2_500);
  },
  async 'a link has parameters in another order and no quotes'() {
    const server = await pagedRegistry(
      versions(250),
      100,
      ({ query }) => `</v2/first>; rel=first, </v2/team/app/tags/list${query}>; title="a, b"; rel=next`,
    );
    expectComplete(await readTags(server), 250);
  },
  async 'a registry rejects pages of 1,000 tags'() {
    const server = await pagedRegistry(
      versions(250),
      100,
      ({ query }) => `</v2/team/app/tags/list${query}>; rel="next"`,
      (_request, response, url) => {
        if (Number(url.searchParams.get('n')) <= 100) return false;
        response.writeHead(400).end('{"errors":[{"code":"PAGINATION_NUMBER_INVALID"}]}');
        return true;
      },
    );
    expectComplete(await readTags(server), 250);
  },
  'a registry that rejects all pages has one clear failure': async () => {
    const server = await serve(send(400, '{"errors":[{"code":"UNSUPPORTED"}]}'));
    await expect(readTags(server)).rejects.toMatchObject(failure('invalid_index', /400/u));
    expect(server.requests).toHaveLength(2);
  },
  'the token is in access_token, and token is empty': () =>
    expectToken((host) => `Bearer realm="http://${host}/token"`, { token: '', access_token: 't' }),
  'a challenge is written in lowercase with spaces': () =>
    expectToken((host) => `bearer realm = "http://${host}/token" , service = s`),
  'a challenge of Negotiate comes first': () =>
    expectToken(
      (host) => `Negotiate, Basic realm="a", Bearer realm="http://${host}/token",error="invalid_token"`,
    ),
  'a token service is rate limiting': async () => {
    const server = await pagedRegistry(
      ['1.0.0'],
      10,
      () => null,
      (_request, response, url) => {
        if (url.pathname !== '/token')
          response.setHeader('www-authenticate', `Bearer realm="http://${url.host}/token"`);
        response.writeHead(url.pathname === '/token' ? 429 : 401).end();
        return true;
      },
    );
    await expect(readTags(server)).rejects.toMatchObject(failure('rate_limited'));
  },
  async 'manifests require more permissions than the list'() {
    const { server, read } = await registry(sixTags, sixDates);
    server.intercept = manifestStatus(403, () => true);
    expectComplete(await read(), 6);
  },
  'a registry returns an object of errors as a list': () =>
    expect(
      serve(send(200, '{"errors":[{"code":"NAME_UNKNOWN"}]}')).then((server) => readTags(server)),
    ).rejects.toMatchObject(failure('invalid_index')),
  async 'image dates are those of reproducible builds'() {
    const dates = await readDates(['1.0.0', '1.1.0', '1.2.0'], {
      '1.0.0': manifest(created('1970-01-01T00:00:00Z')),
      '1.1.0': manifest(created('0001-01-01T00:00:00Z')),
      '1.2.0': manifest(created('1980-01-01T00:00:01Z')),
    });
    expect(dates).toEqual({ '1.0.0': null, '1.1.0': null, '1.2.0': null });
  },
  async 'an index begins with the attestation of an image'() {
    const [attestation, image, config] = ['a', 'b', 'c'].map((letter) => `sha256:${letter.repeat(64)}`);
    const dates = await readDates(['1.0.0'], {
      '1.0.0': manifest({
        manifests: [
          { digest: attestation, platform: { architecture: 'unknown', os: 'unknown' } },
          { digest: image, platform: { architecture: 'arm64', os: 'linux' } },
        ],
      }),
      [attestation!]: manifest({ config: { digest: attestation } }),
      [image!]: manifest({ config: { digest: config } }),
      [config!]: JSON.stringify({ created: '2026-02-03T04:05:06Z' }),
    });
    expect(dates).toEqual({ '1.0.0': '2026-02-03T04:05:06.000Z' });
  },
  async 'dates that are missing are read in spite of undated tags above them'() {
    const { server, read } = await registry(sixTags, sixDates);
    server.intercept = manifestStatus(429, () => true);
    const { summary } = await read();
    const undated = new Set(['1.5.0', '1.4.0', '1.3.0']);
    server.intercept = (request, response) => {
      const [, tag = ''] = /\/manifests\/([^/]+)$/u.exec(request.url ?? '') ?? [];
      if (!undated.has(tag)) return false;
      response.writeHead(200).end(manifest({}));
      return true;
    };
    const undatedTags = sixTags.toReversed();
    for (const validators of [summary.validators, null]) {
      const later = await read({ isFull: false, knownTags: sixTags, undatedTags, validators });
      expect(datesOf(later)).toMatchObject({ '1.2.0': sixDates['1.2.0'], '1.0.0': sixDates['1.0.0'] });
    }
  },
  async 'all tags were copied to another registry on one day'() {
    const { read } = await registry(
      versions(12),
      Object.fromEntries(versions(12).map((tag) => [tag, '2026-10-02T08:00:00Z'])),
    );
    expect(judged(await read(), '1.2.0')).toMatchObject({ state: 'alerting', isEstimate: true });
  },

  async 'an index has no dates or the first day of the calendar'() {
    const found = await readIndex(
      indexOf([{ version: '1.1.0', created: '"0001-01-01T00:00:00Z"' }, { version: '1.0.0' }]),
    );
    expect(datesOf(found)).toEqual({ '1.1.0': null, '1.0.0': null });
  },
  async 'an index has dates with zones and in the format of Go'() {
    const found = await readIndex(
      indexOf([
        { version: '1.1.0', created: '2021-05-13T12:15:42.548123+02:00' },
        { version: '1.0.0', created: '"2021-05-13 12:15:42.548123 +0000 UTC"' },
      ]),
    );
    expect(datesOf(found)).toEqual({
      '1.1.0': '2021-05-13T10:15:42.548Z',
      '1.0.0': '2021-05-13T12:15:42.548Z',
    });
  },
  async 'an index is JSON with versions and dates of an unusual kind'() {
    const text =
      '{"entries":{"app":[{"version":1.10,"created":"2026-01-01","deprecated":true},{"version":2.0}]}}';
    expect(tagsOf(await readIndex(text))).toEqual(['1.10', '2.0']);
  },
  'a Helm repository returns its login page': () =>
    expect(readIndex('<!doctype html>\n<html><body>Sign in</body></html>')).rejects.toMatchObject(
      failure('invalid_index', /web page/u),
    ),
  'a Helm repository returns an error of its object store': () =>
    expect(readIndex('<?xml version="1.0"?><Error><Code>AccessDenied</Code></Error>')).rejects.toMatchObject(
      failure('invalid_index'),
    ),
  'a Helm repository is empty': () =>
    expect(readIndex('apiVersion: v1\nentries: {}\n')).rejects.toMatchObject(failure('not_found', /empty/u)),
  async 'an index has comments, quoted names, and several documents'() {
    const text =
      '# built\n---\napiVersion: v1\nentries:\n    # stable\n    "app":\n    - version: "1.0.0" # first\n---\nentries: {}\n';
    expect(tagsOf(await readIndex(text))).toEqual(['1.0.0']);
  },
  async 'a description of a chart contains the keys of an index'() {
    const text =
      'apiVersion: v1\nentries:\n  app:\n  - description: |\n      entries:\n      app:\n      - version: 9.9.9\n    version: 1.0.0\n';
    expect(tagsOf(await readIndex(text))).toEqual(['1.0.0']);
  },
  async 'a Helm repository redirects to another host'() {
    const target = await start(startFakeHelmRepository());
    target.indexes.set('/deep', indexOf([{ version: '1.0.0', urls: '[app-1.0.0.tgz]' }]));
    const server = await serve(
      (_request, response) =>
        void response.writeHead(302, { location: `http://${target.host}/deep/index.yaml` }).end(),
    );
    const { releases } = await gather(helmRepository, `${server.host}/charts/app`);
    expect(releases[0]?.url).toBe(`http://${target.host}/deep/app-1.0.0.tgz`);
  },

  'Bitbucket names the next page': () =>
    expectBothPages((host) => ({ next: `http://${host}/list?q=app&page=2` })),
  'Bitbucket Data Center names the start of the next page': () =>
    expectBothPages(() => ({ isLastPage: false, nextPageStart: 25 }), 'start'),
  'a list has links (JSON:API)': () => expectBothPages(() => ({ links: { next: '/list?q=app&page=2' } })),
  'a list has links (HAL)': () =>
    expectBothPages(() => ({ _links: { next: { href: '/list?q=app&page=2' } } })),
  'a list has links (OData)': () =>
    expectBothPages((host) => ({ '@odata.nextLink': `http://${host}/list?q=app&page=2` })),
  'a list has links in its paging data': () =>
    expectBothPages(() => ({ pagination: { next: '/list?q=app&page=2' } })),
  'Artifact Registry names the token of the next page': () =>
    expectBothPages(() => ({ nextPageToken: 'abc+/=' }), 'pageToken'),
  'Nexus names the token of the next page': () =>
    expectBothPages(() => ({ continuationToken: 'abc' }), 'continuationToken'),
  'a list says only that it continues': () => expectIncomplete({ has_more: true }),
  'a list has more pages': () => expectIncomplete({ page: 1, total_pages: 3 }),
  'a list has more pages (Spring)': () => expectIncomplete({ page: { number: 0, totalPages: 3 } }),
  'a list has more entries': () => expectIncomplete({ total_count: 30 }),
  'a list has more entries according to a header': () => expectIncomplete({}, { 'x-total-count': '30' }),
  async 'a list has the length of a page, so more pages can follow'() {
    const names = (count: number) => named(...Array.from({ length: count }, (_, index) => `1.${index}`));
    for (const count of [20, 100]) {
      const { summary } = await readJsonPages(() => ({ body: { values: names(count) } }));
      // The oldest release must not count as removed, because it may have moved to the next page.
      expect(summary).toMatchObject({ isCompleteList: false, warnings: [] });
      expect(summary.listCut).toBeUndefined();
    }
    expectComplete(await readJsonPages(() => ({ body: { values: names(20), total_count: 20 } })), 20);
    expectComplete(await readJsonPages(() => ({ body: { values: names(21) } })), 21);
  },
  async 'Gerrit protects its JSON against scripts'() {
    const server = await serve(send(200, `)]}'\n[{"ref":"refs/tags/v1.0.0"},{"ref":"refs/tags/v1.1.0"}]`));
    const sourceOptions = { version_path: '[*].ref', version_regex: '^refs/tags/(.+)$' };
    const found = await gather(httpJson, `http://${server.host}/projects/app/tags/`, { sourceOptions });
    expect(tagsOf(found)).toEqual(['v1.0.0', 'v1.1.0']);
  },
  async 'a list names its last page'() {
    const last = [
      { next: null, isLastPage: true, nextPageStart: null },
      { has_more: false, total_count: 1, page: 3, total_pages: 3 },
      { links: { self: '/list' }, nextPageToken: '', continuationToken: null, total: 9_000 },
    ];
    for (const body of last)
      expectComplete(await readJsonPages(() => ({ body: { values: named('2.0'), ...body } })), 1);
  },
};

describe('other situations', () => {
  test.each(Object.keys(otherSituations))('the source returns the correct result if %s', async (title) => {
    expect.hasAssertions();
    await otherSituations[title]!();
  });
});

describe('conditions of JSON lists', () => {
  const options = (version_path: string, date_path?: string) => ({
    sourceOptions: { version_path, ...(date_path !== undefined && { date_path }) },
  });

  test('dates belong to the items that meet the condition', async () => {
    const server = await serve((_request, response) =>
      sendJson(response, 200, [
        { version: 'v24.0.0', date: '2026-05-01', lts: false },
        { version: 'v22.9.0', date: '2026-04-01', lts: 'Jod' },
        { version: 'v20.9.0', date: '2026-03-01', lts: 'Iron' },
      ]),
    );
    for (const date of ['[*].date', '[?lts].date']) {
      const found = await gather(
        httpJson,
        `http://${server.host}/index.json`,
        options('[?lts].version', date),
      );
      expectComplete(found, 2);
      expect(datesOf(found)).toEqual({
        'v22.9.0': '2026-04-01T00:00:00.000Z',
        'v20.9.0': '2026-03-01T00:00:00.000Z',
      });
    }
  });

  const beta = { channel: 'beta', name: '3.0.0-rc.1' };
  const stable = { channel: 'stable', name: '2.0.0' };

  test.each<[string, (page: number) => { body: object; headers?: Record<string, string> }]>([
    [
      'a field',
      (page) => ({
        body: { values: [page < 3 ? beta : stable], ...(page < 3 && { next: `?page=${page + 1}` }) },
      }),
    ],
    [
      'a link',
      (page) => ({
        body: { values: [page < 3 ? beta : stable] },
        ...(page < 3 && { headers: { link: `<?page=${page + 1}>; rel="next"` } }),
      }),
    ],
  ])(
    'reading continues after pages without a matching item if %s refers to the next page',
    async (_, answer) => {
      expectComplete(await readJsonPages(answer, undefined, '.values[?channel=="stable"].name'), 1);
    },
  );

  test('a list without a matching item on any page fails, so the stored list stays', async () => {
    const answer = (page: number) => ({
      body: { values: [beta], ...(page < 3 && { next: `?page=${page + 1}` }) },
    });
    await expect(readJsonPages(answer, undefined, '.values[?channel=="stable"].name')).rejects.toMatchObject(
      failure('invalid_index', /No versions found on 3 pages/u),
    );
    await expect(
      readJsonPages(() => ({ body: { values: [beta] } }), undefined, '.values[?channel=="stable"].name'),
    ).rejects.toMatchObject(failure('invalid_index', /none of 1 items meets the condition/u));
  });
});

describe('text documents', () => {
  test('a JSON source that receives text names the source type for text in its error', async () => {
    const server = await serve(send(200, 'v1.36.1\n'));
    const sourceOptions = { version_path: '.' };
    await expect(
      gather(httpJson, `http://${server.host}/stable.txt`, { sourceOptions }),
    ).rejects.toMatchObject(failure('invalid_index', /use source type http_text/u));
  });

  const readText = async (body: string, version_regex?: string) => {
    const server = await serve(send(200, body));
    return gather(httpText, `http://${server.host}/stable.txt`, {
      sourceOptions: version_regex === undefined ? {} : { version_regex },
    });
  };

  test('the list from a document with one version lacks only older versions, because such a document never lists them', async () => {
    const found = await readText('\uFEFFv1.36.1\r\n');
    expect(tagsOf(found)).toEqual(['v1.36.1']);
    expect(found.summary).toMatchObject({ isCompleteList: false, listCut: 'oldest', warnings: [] });
  });

  test('each line that is one word with a digit is a version, and the others are skipped', async () => {
    const found = await readText('# releases\n2.0.0\n\n1.0.0\n1.0.0\nnot a version 3\nstable\n');
    expect(tagsOf(found)).toEqual(['2.0.0', '1.0.0']);
    // The text can contain the latest version of each channel. Earlier ones weren't removed.
    expect(found.summary).toMatchObject({ isCompleteList: false, listCut: 'oldest', skipped: 2 });
  });

  const listing =
    '<html><body><a href="app-1.2.0.tar.gz">app-1.2.0.tar.gz</a><a href="app-1.10.0.tar.gz">app-1.10.0.tar.gz</a><a href="app-1.10.0.tar.gz.asc">sig</a></body></html>';

  test('a pattern finds all versions listed on a web page, even if the page is a single line', async () => {
    const found = await readText(listing, '"app-([0-9.]+)\\.tar\\.gz"');
    expect(tagsOf(found)).toEqual(['1.2.0', '1.10.0']);
    // The page can show only the newest versions.
    expect(found.summary).toMatchObject({
      isCompleteList: false,
      listCut: 'oldest',
      skipped: 0,
      warnings: [],
    });
  });

  test('the list from a document with one version and other lines lacks only older versions', async () => {
    const found = await readText('v1.36.1\nreleased in November\n');
    expect(found.summary).toMatchObject({ isCompleteList: false, listCut: 'oldest', skipped: 1 });
  });

  test.each([
    ['a line', '2.0.0\n1.0.0', '3'.repeat(2_000), undefined],
    ['a line that a pattern searches', 'v2.0.0\nv1.0.0', 'v3.0.0 '.repeat(200), '^v([0-9.]+)$'],
    ['an element of a web page', '<a>v2.0.0</a><a>v1.0.0</a>', `<p>${'v3.0.0 '.repeat(200)}`, '>v([0-9.]+)$'],
  ])(
    'a list with %s that is too long to be read is incomplete, with a warning',
    async (_, text, long, pattern) => {
      const found = await readText(`${text}\n${long}\n`, pattern);
      expect(tagsOf(found)).toEqual(['2.0.0', '1.0.0']);
      expect(found.summary).toMatchObject({
        isCompleteList: false,
        listCut: 'anywhere',
        warnings: ['Some lines are too long to be read, so releases might be missing.'],
      });
    },
  );

  test('a long script of a web page does not make its list incomplete', async () => {
    const found = await readText(
      `<script>${'x'.repeat(5_000)}</script>${listing}`,
      '"app-([0-9.]+)\\.tar\\.gz"',
    );
    expect(found.summary).toMatchObject({ listCut: 'oldest', skipped: 1, warnings: [] });
  });

  test.each<[string, string | undefined, RegExp]>([
    ['', undefined, /No line of the text/u],
    ['stable\n', undefined, /Set version_regex/u],
    [listing, undefined, /web page/u],
    [listing, 'other-([0-9.]+)', /matches version_regex/u],
    ['1.0.0', '(', /Invalid option version_regex/u],
  ])('the document %j with the pattern %s fails with a reason', async (body, pattern, reason) => {
    await expect(readText(body, pattern)).rejects.toMatchObject(failure('invalid_index', reason));
  });

  test('a line of any length is skipped without matching it', async () => {
    const found = await readText(`${'x'.repeat(100_000)}\nv1.0.0\nv1.1.0`, 'v([0-9.]+)$');
    expect([tagsOf(found), found.summary.skipped]).toEqual([['1.0.0', '1.1.0'], 1]);
  });
});

describe('deprecated charts', () => {
  test.each([true, false])(
    'the highest new tag decides whether a chart in a registry is deprecated: %s',
    async (deprecated) => {
      const digest = (letter: string) => `sha256:${letter.repeat(64)}`;
      const chart = (letter: string) => ({
        config: { mediaType: 'application/vnd.cncf.helm.config.v1+json', digest: digest(letter) },
        ...created('2026-02-03T04:05:06Z'),
      });
      const details: Record<string, string> = {
        '1.1.0': manifest(chart('a')),
        '1.0.0': manifest(chart('b')),
        [digest('a')]: JSON.stringify({ name: 'app', version: '1.1.0', deprecated }),
        [digest('b')]: JSON.stringify({ name: 'app', version: '1.0.0', deprecated: !deprecated }),
      };
      const server = await serve((_request, response, url) => {
        if (url.pathname.endsWith('/tags/list'))
          return sendJson(response, 200, { name: 'team/app', tags: ['1.0.0', '1.1.0'] });
        response.end(details[decodeURIComponent(url.pathname.split('/').at(-1) ?? '')]);
      });
      const found = await readTags(server);
      expect(found.summary.isDeprecated).toBe(deprecated);
      expect(Object.values(datesOf(found))).toEqual(Array(2).fill('2026-02-03T04:05:06.000Z'));
      // A run that finds nothing new doesn't change the stored state.
      expect((await readTags(server, { knownTags: ['1.0.0', '1.1.0'] })).summary).not.toHaveProperty(
        'isDeprecated',
      );
    },
  );

  test.each([
    ['true', '"false"', true],
    ['false', 'true', false],
  ])(
    'the latest version decides whether a chart is deprecated (%s before %s)',
    async (latest, earlier, isDeprecated) => {
      const entries = [
        { version: '1.0.0', deprecated: earlier },
        { version: '1.1.0', deprecated: latest },
        { version: '2.0.0-rc.1', deprecated: earlier },
      ];
      expect((await readIndex(indexOf(entries))).summary.isDeprecated).toBe(isDeprecated);
    },
  );
});

describe('a repository with images and charts', () => {
  const chart = { config: { mediaType: 'application/vnd.cncf.helm.config.v1+json' } };
  const image = { config: { mediaType: 'application/vnd.oci.image.config.v1+json' } };
  const date = { annotations: { 'org.opencontainers.image.created': '2026-02-03T04:05:06Z' } };

  /** Serves a repository in which `isChart` decides the kind of a tag. */
  async function mixed(
    tags: string[],
    isChart: (tag: string) => boolean,
    statusOf: (tag: string) => number = () => 200,
  ) {
    const server = await serve((request, response, url) => {
      if (url.pathname.endsWith('/tags/list')) return sendJson(response, 200, { name: 'team/app', tags });
      const tag = url.pathname.split('/').at(-1) ?? '';
      if (statusOf(tag) !== 200) return void response.writeHead(statusOf(tag)).end();
      const platforms = { manifests: [{ digest: `sha256:${'a'.repeat(64)}` }] };
      const of = isChart(tag) ? chart : tag.endsWith('0') ? platforms : image;
      sendJson(response, 200, { schemaVersion: 2, ...of, ...date });
    });
    const manifests = () => server.requests.filter(({ path }) => path.includes('/manifests/')).length;
    const read = (
      type: 'image' | 'chart' | undefined,
      knownTags: string[] = [],
      options: Partial<GatherOptions> = {},
    ) =>
      readTags(server, {
        knownTags,
        sourceOptions: type === undefined ? {} : { artifact_type: type },
        ...options,
      });
    return { read, manifests };
  }

  const images = ['24.1.0', '24.2.0', '24.2.1'];
  const charts = ['0.9.0', '1.0.0', '25.0.0'];

  test('is read for one kind of artifact, and no manifest is requested twice', async () => {
    const { read, manifests } = await mixed([...images, ...charts], (tag) => charts.includes(tag));
    const found = await read('chart');
    expect(tagsOf(found).toSorted()).toEqual(charts);
    expectComplete(found, 3);
    expect(found.releases[0]?.released_at).toBe('2026-02-03T04:05:06.000Z');
    expect(tagsOf(await read('image')).toSorted()).toEqual(images);
    const before = manifests();
    expectComplete(await read('chart', charts), 3);
    expect(manifests()).toBe(before);
  });

  test('causes a warning if neither kind is selected', async () => {
    const { read } = await mixed([...images, ...charts], (tag) => charts.includes(tag));
    expect((await read(undefined)).summary.warnings).toEqual([
      'The repository contains images (24.2.1) and Helm charts (25.0.0). To compare only one of them, set artifact_type in source_options.',
    ]);
    const { read: readImages } = await mixed(images, () => false);
    expectComplete(await readImages(undefined), 3);
  });

  test('returns a list that lacks only lower tags while their kinds are unknown, and a complete list after some runs', async () => {
    const tags = Array.from({ length: 150 }, (_, index) => `2.${index}.0`);
    const { read } = await mixed([...tags, '1.0.0'], () => true);
    let known: string[] = [];
    const counts = [];
    for (let run = 0; run < 3; run += 1) {
      const { releases, summary } = await read('chart', known);
      known = releases.map(({ tag }) => tag);
      counts.push([known.length, summary.isCompleteList, summary.listCut, summary.found]);
    }
    expect(counts).toEqual([
      [60, false, 'oldest', 60],
      [120, false, 'oldest', 120],
      [151, true, undefined, 151],
    ]);
  });

  test('is incomplete until a tag of the selected kind is found below many other tags', async () => {
    const tags = Array.from({ length: 100 }, (_, index) => `20.${index}.0`);
    const { read } = await mixed([...tags, '1.0.0'], (tag) => tag === '1.0.0');
    const first = await read('chart');
    expect([tagsOf(first), first.summary.listCut]).toEqual([[], 'anywhere']);
    const second = await read('chart');
    expect(tagsOf(second)).toEqual(['1.0.0']);
    expectComplete(second, 1);
  });

  test('returns an incomplete list while the registry limits the rate of requests for the types of newer tags', async () => {
    const server = await serve((_request, response, url) => {
      if (url.pathname.endsWith('/tags/list'))
        return sendJson(response, 200, {
          name: 'team/app',
          tags: ['1.0.0', '1.1.0', '1.2.0-rc.1', 'latest'],
        });
      response.writeHead(429).end();
    });
    const { releases, summary } = await readTags(server, {
      knownTags: ['1.0.0'],
      sourceOptions: { artifact_type: 'chart' },
    });
    expect(releases.map(({ tag }) => tag)).toEqual(['1.0.0']);
    expect(summary).toMatchObject({
      isCompleteList: false,
      listCut: 'anywhere',
      skipped: 1,
      validators: null,
    });
    expect(summary.warnings[0]).toContain('The type of 2 tags');
  });

  test('includes a tag when its manifest, which was missing before, becomes available', async () => {
    let status = 404;
    const { read } = await mixed(
      ['1.0.0', '1.1.0'],
      () => true,
      (tag) => (tag === '1.1.0' ? status : 200),
    );
    const first = await read('chart');
    expect([tagsOf(first), first.summary.isCompleteList]).toEqual([['1.0.0'], false]);
    status = 200;
    const second = await read('chart', ['1.0.0']);
    expect(tagsOf(second).toSorted()).toEqual(['1.0.0', '1.1.0']);
    expectComplete(second, 2);
  });

  test.each([403, 404, 412])('is read even if the request for a manifest fails with %i', async (failing) => {
    const { read } = await mixed(
      charts,
      () => true,
      (tag) => (tag === '25.0.0' ? failing : 200),
    );
    const found = await read('chart');
    expect(tagsOf(found).toSorted()).toEqual(['0.9.0', '1.0.0']);
    expect(found.summary).toMatchObject({ isCompleteList: false, listCut: 'anywhere' });
  });

  test('is read completely even if the server stores none of its tags', async () => {
    const tags = Array.from({ length: 100 }, (_, index) => `3.${index}.0`);
    const { read } = await mixed(tags, () => true);
    expect((await read('chart')).releases).toHaveLength(60);
    expectComplete(await read('chart'), 100);
  });

  test('is incomplete until a tag of the selected kind is found below more tags than one list can contain', async () => {
    const tags = Array.from({ length: 450 }, (_, index) => `20.${index}.0`);
    const { read } = await mixed([...tags, '1.0.0'], (tag) => tag === '1.0.0');
    const cuts = [];
    for (let run = 0; run < 7; run += 1) {
      const { releases, summary } = await read('chart');
      expect([releases, summary.isCompleteList]).toEqual([[], false]);
      cuts.push(summary.listCut);
    }
    expect(cuts).toEqual(Array(7).fill('anywhere'));
    const found = await read('chart');
    expect(tagsOf(found)).toEqual(['1.0.0']);
    expectComplete(found, 1);
  });

  test('is read again with another credential, because registries can return other manifests for it', async () => {
    const { read, manifests } = await mixed([...images, ...charts], (tag) => charts.includes(tag));
    await read('chart', charts);
    const before = manifests();
    await read('chart', charts, {
      credential: {
        type: 'registry_basic',
        name: 'robot',
        hosts: ['127.0.0.1'],
        username: 'a',
        password: 'b',
      },
    });
    expect(manifests()).toBe(before + images.length);
  });

  test('returns a warning if it has no artifact of the selected kind', async () => {
    const { read } = await mixed(images, () => false);
    expect((await read('chart')).summary.warnings).toEqual([
      'The repository team/app has no tags of type chart.',
    ]);
  });
});
