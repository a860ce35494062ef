import type { IncomingMessage, ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';
import { afterEach, describe, expect, test } from 'vitest';
import { type Gathered, type GatherOptions, gatherFrom } from '../../tests/helpers/upstreams/gather-from.ts';
import {
  sendJson,
  startUpstreamServer,
  type UpstreamServer,
} from '../../tests/helpers/upstreams/upstream-server.ts';
import { createTestBench } from '../platform/outbound/outbound-test-servers.ts';
import { giteaReleases } from './gitea-releases.ts';
import { githubReleases } from './github-releases.ts';
import { gitlabReleases } from './gitlab-releases.ts';
import { helmRepository } from './helm-repository.ts';
import { httpJson } from './http-json.ts';
import { httpText } from './http-text.ts';
import { ociRegistry } from './oci-registry.ts';
import type { ReleaseSource } from './release-source.ts';

const bench = createTestBench();
const running: UpstreamServer[] = [];

afterEach(async () => {
  await bench.close();
  for (const server of running.splice(0)) await server.close();
});

type Answer = (request: IncomingMessage, response: ServerResponse, url: URL) => void;

async function read(
  source: ReleaseSource,
  path: string,
  answer: Answer,
  options: Partial<GatherOptions> = {},
): Promise<Gathered> {
  const server = await startUpstreamServer(answer);
  running.push(server);
  const name = path.startsWith('/') ? `http://${server.host}${path}` : `${server.host}/${path}`;
  return gatherFrom(source, name, {
    client: bench.client({ allow: ['127.0.0.1/32'], allowHttp: (host) => host === '127.0.0.1' }),
    insecureHosts: ['127.0.0.1'],
    isFull: true,
    checksComplete: true,
    ...options,
  });
}

const send =
  (body: string | Buffer, headers: Record<string, string | string[]> = {}, status = 200): Answer =>
  (_request, response) =>
    void response.writeHead(status, headers).end(body);
const json =
  (body: unknown, headers: Record<string, string> = {}): Answer =>
  (_request, response) =>
    sendJson(response, 200, body, headers);

const tagsOf = ({ releases }: Gathered) => releases.map(({ tag }) => tag);
const datesOf = ({ releases }: Gathered) => releases.map(({ released_at }) => released_at);
const extentOf = ({ summary: { isCompleteList, listCut } }: Gathered) =>
  isCompleteList ? 'complete' : (listCut ?? 'unknown');
const found = async (gathering: Promise<Gathered>) => {
  const gathered = await gathering;
  return [...tagsOf(gathered), extentOf(gathered)];
};

const release = (tag_name: string | null, more: object = {}) => ({
  tag_name,
  published_at: '2026-01-01T00:00:00Z',
  released_at: '2026-01-01T00:00:00Z',
  ...more,
});
const isPage = (url: URL, page: number) => (url.searchParams.get('page') ?? '1') === String(page);

/** Serves two pages of releases, with the headers of the first one. */
const twoPages =
  (headers: (host: string) => Record<string, string | string[]>): Answer =>
  (_request, response, url) => {
    const isFirst = isPage(url, 1);
    response.writeHead(200, isFirst ? headers(url.host) : {});
    response.end(JSON.stringify([release(isFirst ? 'v2.0.0' : 'v1.0.0')]));
  };

const list = (path: string, answer: Answer, more: Record<string, string> = {}) =>
  read(httpJson, '/list', answer, { sourceOptions: { version_path: path, ...more } });
/** Serves a second page of a JSON list for each URL with this parameter. */
const withNext =
  (first: object, parameter: string, headers: Record<string, string> = {}): Answer =>
  (_request, response, url) =>
    url.searchParams.has(parameter)
      ? sendJson(response, 200, { items: [{ v: '1.0' }] })
      : sendJson(response, 200, { items: [{ v: '2.0' }], ...first }, headers);
const onlyPage = (more: object, headers: Record<string, string> = {}) =>
  found(list('.items[*].v', json({ items: [{ v: '2.0' }], ...more }, headers)));
const bothPages = (first: object, parameter: string, headers: Record<string, string> = {}) =>
  found(list('.items[*].v', withNext(first, parameter, headers)));
const text = (body: string | Buffer, version_regex?: string) =>
  read(httpText, '/latest', send(body), {
    sourceOptions: version_regex === undefined ? {} : { version_regex },
  });

const index = (entries: string, end = 'generated: "2026-11-01T10:00:00Z"\n') =>
  `apiVersion: v1\nentries:\n  app:\n${entries}${end}`;
const chart = (
  body: string | Buffer,
  options: Partial<GatherOptions> = {},
  headers: Record<string, string> = {},
) => read(helmRepository, 'charts/app', send(body, headers), options);

const image = (answer: Answer, options: Partial<GatherOptions> = {}) =>
  read(ociRegistry, 'team/app', answer, options);
const tagList = (tags: unknown, headers: Record<string, string> = {}): Answer =>
  json({ name: 'team/app', tags }, headers);
/** Serves a registry that requires the token `t`, with the challenge and the response of the token service. */
const withToken =
  (challenge: (host: string) => string | string[], token: Answer): Answer =>
  (request, response, url) => {
    if (url.pathname === '/token') return token(request, response, url);
    if (request.headers.authorization === 'Bearer t') return tagList(['1.0.0'])(request, response, url);
    response.setHeader('www-authenticate', challenge(url.host));
    response.writeHead(401).end();
  };
const challenged = (host: string) => `Bearer realm="http://${host}/token",service="s"`;
const failed = (code: string, message = /./u) => ({ code, message: expect.stringMatching(message) });
const known = { knownTags: ['v1.0.0', 'v2.0.0'] };

describe('a result is correct if', () => {
  test.each<[string, () => Promise<unknown>, unknown]>([
    // Forges
    [
      'a link has single quotes',
      () =>
        found(
          read(
            githubReleases,
            'o/r',
            twoPages((host) => ({ link: `<http://${host}/x?page=2>; rel='next'` })),
          ),
        ),
      ['v2.0.0', 'v1.0.0', 'complete'],
    ],
    [
      'links are in two Link headers',
      () =>
        found(
          read(
            githubReleases,
            'o/r',
            twoPages((host) => ({
              link: [`<http://${host}/x?page=9>; rel="last"`, `<http://${host}/x?page=2>; rel="next"`],
            })),
          ),
        ),
      ['v2.0.0', 'v1.0.0', 'complete'],
    ],
    [
      'a forge has an empty list, although it had releases',
      () => found(read(githubReleases, 'o/r', json([]), known)),
      ['anywhere'],
    ],
    ['a new repository has no releases', () => found(read(giteaReleases, 'o/r', json([]))), ['complete']],
    [
      'GitLab hides the tags of releases after a permission was removed',
      () =>
        found(
          read(gitlabReleases, 'o/r', json([{ name: 'Two', released_at: '2026-01-01T00:00:00Z' }]), known),
        ),
      ['anywhere'],
    ],
    [
      'GitLab names the next page in its own header only',
      () =>
        found(
          read(
            gitlabReleases,
            'o/r',
            twoPages(() => ({ 'x-next-page': '2' })),
          ),
        ),
      ['v2.0.0', 'v1.0.0', 'complete'],
    ],
    [
      'GitLab pages by keyset',
      () =>
        found(
          read(gitlabReleases, 'o/r', (_request, response, url) => {
            const isFirst = !url.searchParams.has('cursor');
            const link = `<http://gitlab.internal/api/v4/projects/o%2Fr/releases?pagination=keyset&cursor=abc>; rel="next"`;
            sendJson(response, 200, [release(isFirst ? 'v2.0.0' : 'v1.0.0')], isFirst ? { link } : {});
          }),
        ),
      ['v2.0.0', 'v1.0.0', 'complete'],
    ],
    [
      'Forgejo links to an empty last page',
      () =>
        found(
          read(giteaReleases, 'o/r', (_request, response, url) =>
            sendJson(response, 200, isPage(url, 1) ? [release('v1.0.0')] : [], {
              link: `<http://${url.host}/x?page=${isPage(url, 1) ? 2 : 3}>; rel="next"`,
              'x-total-count': '1',
            }),
          ),
        ),
      ['v1.0.0', 'complete'],
    ],
    [
      'a tag is a number',
      () => found(read(githubReleases, 'o/r', json([{ ...release(null), tag_name: 12 }, release('v1.0.0')]))),
      ['v1.0.0', 'complete'],
    ],
    [
      'a list of a forge begins with a byte order mark',
      () => found(read(githubReleases, 'o/r', send(`\uFEFF${JSON.stringify([release('v1.0.0')])}`))),
      ['v1.0.0', 'complete'],
    ],
    [
      'a forge sends dates in the HTTP format, with a fraction, or without a time',
      async () =>
        datesOf(
          await read(
            githubReleases,
            'o/r',
            json([
              release('v3', { published_at: 'Tue, 13 Jan 2026 12:15:42 GMT' }),
              release('v2', { published_at: '1767225600.25' }),
              release('v1', { published_at: '2025-12-31' }),
            ]),
          ),
        ),
      ['2026-01-13T12:15:42.000Z', '2026-01-01T00:00:00.250Z', '2025-12-31T00:00:00.000Z'],
    ],

    // Registries
    [
      'challenges are in two headers',
      () => found(image(withToken((host) => ['Basic realm="x"', challenged(host)], json({ token: 't' })))),
      ['1.0.0', 'complete'],
    ],
    [
      'the realm of a registry has a query',
      () =>
        found(
          image(
            withToken(
              (host) => `Bearer realm="http://${host}/token?account=a"`,
              (request, response, url) =>
                json(url.searchParams.get('account') === 'a' ? { token: 't' } : {})(request, response, url),
            ),
          ),
        ),
      ['1.0.0', 'complete'],
    ],
    [
      'Quay names the next page by a token',
      () =>
        found(
          image((request, response, url) =>
            url.searchParams.has('next_page')
              ? tagList(['2.0.0'])(request, response, url)
              : tagList(['1.0.0'], { link: '</v2/team/app/tags/list?n=100&next_page=gAAA%3D>; rel="next"' })(
                  request,
                  response,
                  url,
                ),
          ),
        ).then((all) => all.toSorted()),
      ['1.0.0', '2.0.0', 'complete'],
    ],
    [
      'the link of a registry has single quotes',
      () =>
        found(
          image((request, response, url) =>
            url.searchParams.has('last')
              ? tagList(['2.0.0'])(request, response, url)
              : tagList(['1.0.0'], { link: "</v2/team/app/tags/list?n=1&last=1.0.0>; rel='next'" })(
                  request,
                  response,
                  url,
                ),
          ),
        ).then((all) => all.toSorted()),
      ['1.0.0', '2.0.0', 'complete'],
    ],
    [
      'a registry has no tags anymore, like an empty cache',
      () => found(image(tagList(null), known)),
      ['anywhere'],
    ],
    [
      'a registry loses the repository between two pages',
      () =>
        found(
          image((request, response, url) =>
            url.searchParams.has('last')
              ? send('{"errors":[{"code":"NAME_UNKNOWN"}]}', {}, 404)(request, response, url)
              : tagList(['1.0.0'], { link: '</v2/team/app/tags/list?last=1.0.0>; rel="next"' })(
                  request,
                  response,
                  url,
                ),
          ),
        ),
      ['1.0.0', 'anywhere'],
    ],
    [
      'a registry links the last page to itself',
      () =>
        found(
          image(tagList(['1.0.0', '1.1.0'], { link: '</v2/team/app/tags/list?n=1000>; rel="next"' })),
        ).then((all) => all.toSorted()),
      ['1.0.0', '1.1.0', 'complete'],
    ],
    [
      'a registry lists invalid tags',
      () => found(image(tagList(['1.0.0', 'ä', 7, null, 'a'.repeat(200), `sha256-${'a'.repeat(64)}.sig`]))),
      ['1.0.0', 'complete'],
    ],
    [
      'manifests have the first schema',
      async () =>
        datesOf(
          await image((request, response, url) =>
            url.pathname.endsWith('/tags/list')
              ? tagList(['1.0.0'])(request, response, url)
              : send('{"schemaVersion":1,"history":[{"v1Compatibility":"{}"}]}')(request, response, url),
          ),
        ),
      [null],
    ],

    // Helm repositories
    [
      'a chart has no versions anymore',
      () => found(chart(index('  []\n').replace('app:\n', 'app:'), known)),
      ['anywhere'],
    ],
    [
      'an index is UTF-16',
      () => found(chart(Buffer.from(`\uFEFF${index('  - version: 1.0.0\n')}`, 'utf16le'))),
      ['1.0.0', 'complete'],
    ],
    [
      'an index is compressed',
      () => found(chart(gzipSync(index('  - version: 1.0.0\n')), {}, { 'content-encoding': 'gzip' })),
      ['1.0.0', 'complete'],
    ],
    [
      'an index ends within a chart',
      () => found(chart(index('  - version: 1.1.0\n  - version: 1.0.0\n', ''))),
      ['1.1.0', '1.0.0', 'unknown'],
    ],
    [
      'an index in JSON has strings as flags and numbers as dates',
      async () => {
        const gathered = await chart(
          '{"entries":{"app":[{"version":"1.0.0","deprecated":"true","created":1767225600}]}}',
        );
        return [...datesOf(gathered), gathered.summary.isDeprecated];
      },
      ['2026-01-01T00:00:00.000Z', true],
    ],
    [
      'an index lists a version twice',
      async () =>
        datesOf(
          await chart(
            index('  - {version: 1.0.0, created: 2026-01-02}\n  - {version: 1.0.0, created: 2026-03-02}\n'),
          ),
        ),
      ['2026-01-02T00:00:00.000Z'],
    ],

    // Pages of JSON lists
    [
      'Quay has additional tags',
      () => bothPages({ page: 1, has_additional: true }, 'page'),
      ['2.0', '1.0', 'complete'],
    ],
    [
      'crates.io names the next page',
      () => bothPages({ meta: { next_page: '?seek=abc' } }, 'seek'),
      ['2.0', '1.0', 'complete'],
    ],
    [
      'Azure DevOps names the token of the next page in a header',
      () => bothPages({ count: 1 }, 'continuationToken', { 'x-ms-continuationtoken': 'abc' }),
      ['2.0', '1.0', 'complete'],
    ],
    [
      'GitLab names the next page of a list in its own header only',
      () => bothPages({}, 'page', { 'x-next-page': '2', 'x-total': '2' }),
      ['2.0', '1.0', 'complete'],
    ],
    [
      'links are a list',
      () =>
        bothPages(
          {
            links: [
              { rel: 'self', href: '/list' },
              { rel: 'next', href: '/list?page=2' },
            ],
          },
          'page',
        ),
      ['2.0', '1.0', 'complete'],
    ],
    [
      'the next page is relative to the list',
      () => bothPages({ next: 'list?page=2' }, 'page'),
      ['2.0', '1.0', 'complete'],
    ],
    ['GitLab names only the length of a list', () => onlyPage({}, { 'x-total': '250' }), ['2.0', 'anywhere']],
    ['Spring has more pages', () => onlyPage({ number: 0, totalPages: 3, last: false }), ['2.0', 'anywhere']],
    ['Spring has one page', () => onlyPage({ number: 2, totalPages: 3, last: true }), ['2.0', 'complete']],
    [
      'a list has another page (GraphQL)',
      () => onlyPage({ pageInfo: { hasNextPage: true } }),
      ['2.0', 'anywhere'],
    ],
    ['a list is a part of a range', () => onlyPage({ offset: 0, limit: 1, total: 300 }), ['2.0', 'anywhere']],
    [
      'a list is the end of a range',
      () => onlyPage({ startAt: 50, maxResults: 50, total: 51 }),
      ['2.0', 'complete'],
    ],
    [
      'a list has more pages (Laravel)',
      () => onlyPage({ meta: { current_page: 1, last_page: 3 } }),
      ['2.0', 'anywhere'],
    ],
    [
      'a list has more pages in its pagination',
      () => onlyPage({ meta: { pagination: { page: 1, total_pages: 2 } } }),
      ['2.0', 'anywhere'],
    ],
    [
      'a list names the number of the next page',
      () => onlyPage({ pagination: { next: 2 } }),
      ['2.0', 'anywhere'],
    ],
    [
      'a list has a cursor',
      () => onlyPage({ response_metadata: { next_cursor: 'abc' } }),
      ['2.0', 'anywhere'],
    ],
    [
      'a list has an empty cursor',
      () => onlyPage({ response_metadata: { next_cursor: '' } }),
      ['2.0', 'complete'],
    ],

    // More registries and repositories
    [
      'a registry without links repeats the last tag of each page',
      async () => {
        const tags = Array.from({ length: 250 }, (_tag, at) => `1.${at + 100}.0`);
        const gathered = await image((request, response, url) => {
          const from = tags.indexOf(url.searchParams.get('last') ?? tags[0]!);
          return tagList(tags.slice(from, from + 100))(request, response, url);
        });
        return [new Set(tagsOf(gathered)).size, extentOf(gathered)];
      },
      [250, 'complete'],
    ],
    [
      'a registry sorts its pages by time',
      async () => {
        const tags = Array.from({ length: 250 }, (_tag, at) => `1.${(at * 7) % 250}.0`);
        const gathered = await image((request, response, url) => {
          const last = url.searchParams.get('last');
          const from = last === null ? 0 : tags.indexOf(last) + 1;
          return tagList(tags.slice(from, from + 100))(request, response, url);
        });
        return [new Set(tagsOf(gathered)).size, extentOf(gathered)];
      },
      [250, 'complete'],
    ],
    [
      'a challenge has no quotes and requests more than read access',
      () =>
        found(
          image(
            withToken(
              (host) => `Bearer realm=http://${host}/token,service=s,scope=repository:team/app:pull,push`,
              (request, response, url) =>
                json(url.searchParams.get('scope') === 'repository:team/app:pull' ? { token: 't' } : {})(
                  request,
                  response,
                  url,
                ),
            ),
          ),
        ),
      ['1.0.0', 'complete'],
    ],
    [
      'a registry lists the same tags on both pages',
      () =>
        found(
          image((request, response, url) =>
            url.searchParams.has('last')
              ? tagList(['1.0.0', '1.1.0'])(request, response, url)
              : tagList(['1.0.0'], { link: '</v2/team/app/tags/list?last=1.0.0>; rel="next"' })(
                  request,
                  response,
                  url,
                ),
          ),
        ).then((all) => all.toSorted()),
      ['1.0.0', '1.1.0', 'complete'],
    ],
    [
      'the key of the charts is quoted, and lines between them are comments',
      () =>
        found(
          chart(
            'apiVersion: v1\n"entries":\n  app:\n# one\n  - version: 1.0.0\n  # two\n  - version: 0.9.0\ngenerated: x\n',
          ),
        ),
      ['1.0.0', '0.9.0', 'complete'],
    ],
    [
      'the versions of a chart are in another order',
      () => found(chart(index('  - version: 0.9.0\n  - version: 1.10.0\n  - version: 1.2.0\n'))),
      ['0.9.0', '1.10.0', '1.2.0', 'complete'],
    ],
    [
      'an index has a version that is a date',
      () => found(chart(index('  - version: 2026-01-02\n    created: 2026-01-02T00:00:00Z\n'))),
      ['2026-01-02', 'complete'],
    ],
    [
      'an index has folded and quoted strings',
      () =>
        found(
          chart(
            index(
              '  - description: "a: b\n      - version: 9.9.9"\n    version: \'1.0.0\'\n  - version: >-\n      0.9.0\n',
            ),
          ),
        ),
      ['1.0.0', '0.9.0', 'complete'],
    ],
    [
      'a removed version is in an index',
      async () =>
        (await chart(index('  - {version: 1.1.0, removed: true}\n  - {version: 1.0.0}\n'))).releases.map(
          ({ is_yanked }) => is_yanked,
        ),
      [true, false],
    ],

    // More documents
    [
      'a page of a list is on another host',
      () =>
        found(
          list('.items[*].v', json({ items: [{ v: '2.0' }], next: 'http://other.example.org/list?page=2' })),
        ),
      ['2.0', 'anywhere'],
    ],
    [
      'the second page of a list fails',
      () =>
        found(
          list('.items[*].v', (request, response, url) =>
            url.searchParams.has('page')
              ? send('', {}, 500)(request, response, url)
              : json({ items: [{ v: '2.0' }], next: '?page=2' })(request, response, url),
          ),
        ),
      ['2.0', 'anywhere'],
    ],
    [
      'a list redirects to a relative address',
      () =>
        found(
          list('[*]', (request, response, url) =>
            url.pathname === '/new/list'
              ? json(['1.0'])(request, response, url)
              : void response.writeHead(308, { location: 'new/list' }).end(),
          ),
        ),
      ['1.0', 'complete'],
    ],
    [
      'a list is compressed although it was not requested',
      () => found(list('[*]', send(gzipSync('["1.0"]'), { 'content-encoding': 'gzip' }))),
      ['1.0', 'complete'],
    ],
    [
      'the path selects one item of a list',
      () => found(list('[0].v', json([{ v: '2.0' }, { v: '1.0' }]))),
      ['2.0', 'oldest'],
    ],
    ['a document is a single string', () => found(list('.', json('1.2.3'))), ['1.2.3', 'oldest']],
    [
      'some items of a list have no version',
      () => found(list('[*].v', json([{ v: '2.0' }, { v: null }, {}, { v: ' 1.0 ' }, { v: 'a\nb' }]))),
      ['2.0', '1.0', 'complete'],
    ],
    [
      'versions are the names of files, and a pattern selects them',
      () =>
        found(
          list(
            '.files[*].name',
            json({ files: [{ name: 'app-1.2.0.zip' }, { name: 'app-1.2.0.zip.sha256' }] }),
            { version_regex: '^app-([0-9.]+)\\.zip$' },
          ),
        ),
      ['1.2.0', 'complete'],
    ],
    [
      'dates are in milliseconds, have a zone without a colon, or are empty',
      async () =>
        datesOf(
          await list(
            '[*].v',
            json([
              { v: '3', d: 1_767_225_600_000 },
              { v: '2', d: '2026-01-01T02:00:00.000+0200' },
              { v: '1', d: '' },
            ]),
            {
              date_path: '[*].d',
            },
          ),
        ),
      ['2026-01-01T00:00:00.000Z', '2026-01-01T00:00:00.000Z', null],
    ],
    [
      'a text has the line breaks of old systems and a form feed',
      () => found(text('2.0.0\r1.9.0\r\f1.8.0')),
      ['2.0.0', '1.9.0', '1.8.0', 'oldest'],
    ],
    [
      'a text names channels and versions',
      () => found(text('stable 1.2.3\nbeta 1.3.0-rc.1\n', '^stable (\\S+)$')),
      ['1.2.3', 'oldest'],
    ],
    [
      'a directory listing has links with queries and to its parent directory',
      () =>
        found(
          text(
            '<pre><a href="?C=N;O=D">Name</a> <a href="/">Parent</a>\n<a href="v1.2.0/">v1.2.0/</a> 2026-01-01 10:00\n<a href="v1.10.0/">v1.10.0/</a></pre>',
            'href="v([0-9.]+)/"',
          ),
        ),
      ['1.2.0', '1.10.0', 'oldest'],
    ],

    // Package indexes and other documents
    [
      'npm tags a next version',
      () =>
        found(
          list(
            '."dist-tags"',
            json({ 'dist-tags': { latest: '10.0.0' }, next: '11.0.0-rc.1', versions: {} }),
          ),
        ),
      ['latest', 'complete'],
    ],
    [
      'npm lists versions and their times',
      async () => {
        const gathered = await list(
          '.versions',
          json({
            versions: { '1.0.0': {}, '1.1.0': {} },
            time: {
              created: '2020-01-01',
              modified: '2026-01-01',
              '1.0.0': '2025-01-01',
              '1.1.0': '2025-02-01',
            },
          }),
          { date_path: '.time' },
        );
        return [...tagsOf(gathered), ...datesOf(gathered)];
      },
      ['1.0.0', '1.1.0', '2025-01-01T00:00:00.000Z', '2025-02-01T00:00:00.000Z'],
    ],
    [
      'PyPI lists a version without files',
      async () => {
        const gathered = await list(
          '.releases',
          json({ releases: { '1.0': [{ upload_time: '2025-01-01T00:00:00' }], '1.1': [] } }),
        );
        return tagsOf(gathered);
      },
      ['1.0', '1.1'],
    ],
    [
      'crates.io lists yanked versions',
      () =>
        found(
          list(
            '.versions[?!yanked].num',
            json({
              versions: [
                { num: '1.1.0', yanked: true },
                { num: '1.0.0', yanked: false },
              ],
            }),
          ),
        ),
      ['1.0.0', 'complete'],
    ],
    [
      'Harbor lists artifacts without tags',
      () =>
        found(
          list(
            '[*].tags[*].name',
            json([{ tags: [{ name: '1.1' }] }, { tags: null }, { tags: [{ name: '1.0' }] }], {
              'x-total-count': '3',
            }),
          ),
        ),
      ['1.1', '1.0', 'complete'],
    ],
    [
      'versions are numbers',
      () => found(list('.v', send('{"v":[1.10, 1.9, 20260115]}'))),
      ['1.10', '1.9', '20260115', 'complete'],
    ],
    [
      'a document in JSON is UTF-16',
      () => found(list('.v', send(Buffer.from('\uFEFF{"v":["1.0"]}', 'utf16le')))),
      ['1.0', 'complete'],
    ],
    [
      'a text is UTF-16',
      () => found(text(Buffer.from('\uFEFFv1.36.1\r\n', 'utf16le'))),
      ['v1.36.1', 'oldest'],
    ],
    [
      'a text is UTF-16 with the other byte order',
      () => found(text(Buffer.from('\uFEFFv1.36.1', 'utf16le').swap16())),
      ['v1.36.1', 'oldest'],
    ],
    ['a text is a JSON string', () => found(text('"v1.36.1"\n')), ['v1.36.1', 'oldest']],
    [
      'a text is the metadata of a Maven artifact',
      () =>
        found(
          text(
            '<metadata>\n<version>1.0</version>\n<version>1.1</version>\n</metadata>',
            '<version>([^<]+)</version>',
          ),
        ),
      ['1.0', '1.1', 'oldest'],
    ],
    [
      'a text is the list of a Go module',
      () => found(text('v1.0.0\nv1.1.0-rc.1\nv2.0.0+incompatible\n')),
      ['v1.0.0', 'v1.1.0-rc.1', 'v2.0.0+incompatible', 'oldest'],
    ],
  ])('%s', async (_, act, expected) => {
    expect(await act()).toEqual(expected);
  });
});

describe('a run fails with the right reason if', () => {
  test.each<[string, () => Promise<unknown>, ReturnType<typeof failed>]>([
    [
      'a forge is in maintenance',
      () => read(giteaReleases, 'o/r', send('<html>Maintenance</html>', { 'retry-after': '120' }, 503)),
      failed('upstream_error'),
    ],
    [
      'a forge requires a login for a repository',
      () => read(giteaReleases, 'o/r', send('{"message":"token is required"}', {}, 401)),
      failed('unauthorized', /requires a credential/u),
    ],
    [
      'a forge returns no body',
      () => read(githubReleases, 'o/r', send('', {}, 204)),
      failed('invalid_index', /204/u),
    ],
    ['a forge returns null', () => read(gitlabReleases, 'o/r', json(null)), failed('invalid_index')],
    [
      'a registry requires a password',
      () => image(send('', { 'www-authenticate': 'Basic realm="harbor"' }, 401)),
      failed('unauthorized', /requires a credential/u),
    ],
    [
      'a token service fails',
      () => image(withToken(challenged, send('', {}, 502))),
      failed('upstream_error'),
    ],
    [
      'a token service returns a web page',
      () => image(withToken(challenged, send('<html>'))),
      failed('invalid_index', /web page/u),
    ],
    [
      'a token service denies access',
      () => image(withToken(challenged, send('{"errors":[{"code":"DENIED"}]}', {}, 403))),
      failed('unauthorized'),
    ],
    ['tags are a map', () => image(tagList({ '1.0.0': {} })), failed('invalid_index')],
    [
      'an index is compressed, but does not say so',
      () => chart(gzipSync(index('  - version: 1.0.0\n'))),
      failed('invalid_index'),
    ],
    [
      'a document in JSON is a web page that begins with a comment',
      () => list('.v', send('<!-- cached -->\n<!DOCTYPE html>')),
      failed('invalid_index', /web page/u),
    ],
    [
      'a text is a web page that begins with a declaration',
      () => text('<?xml version="1.0"?>\n<!DOCTYPE html>\n<a1>'),
      failed('invalid_index', /web page/u),
    ],
    [
      'a text is the error message of an object store',
      () => text('<Error><RequestId>4A1</RequestId></Error>'),
      failed('invalid_index', /version_regex/u),
    ],
    ['a text is JSON', () => text('{"version":"1.2.3"}'), failed('invalid_index', /version_regex/u)],
  ])('%s', async (_, act, error) => {
    await expect(act()).rejects.toMatchObject(error);
  });
});

test.each<[string, Record<string, string>]>([
  ['a time with a fraction', { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '1795000030.5' }],
  ['one header with all values', { ratelimit: 'limit=100, remaining=0, reset=30' }],
  ['the parameters of a policy', { ratelimit: '"default";r=0;t=30' }],
  ['seconds with a fraction', { 'retry-after': '30.0' }],
])('the end of a rate limit is read from %s', async (_, headers) => {
  const now = new Date(1_795_000_000_000);
  const date = now.toUTCString();
  await expect(
    read(githubReleases, 'o/r', send('', { ...headers, date }, 429), { now }),
  ).rejects.toMatchObject({
    code: 'rate_limited',
    retryAt: new Date(now.getTime() + (headers['x-ratelimit-reset'] ? 30_500 : 30_000)),
  });
});
