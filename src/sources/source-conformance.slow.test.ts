import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import fc from 'fast-check';
import { afterEach, describe, expect, test } from 'vitest';
import type { FakeRelease } from '../../tests/helpers/upstreams/fake-github.ts';
import { type Gathered, type GatherOptions, gatherFrom } from '../../tests/helpers/upstreams/gather-from.ts';
import {
  type RunningFixture,
  type SourceFixture,
  sourceFixtures,
} from '../../tests/helpers/upstreams/source-fixtures.ts';
import { RunError } from '../domain/runs/run-error.ts';
import type { RunErrorCode } from '../domain/runs/run-error-codes.ts';
import { createTestBench } from '../platform/outbound/outbound-test-servers.ts';
import type { ReleaseSource } from './release-source.ts';
import { sources } from './sources.ts';

const allSources: Partial<Record<string, ReleaseSource>> = sources;

const agentApi = JSON.parse(
  readFileSync(new URL('../generated/openapi-agent.json', import.meta.url), 'utf8'),
);
const ajv = new Ajv2020({ strict: false, allErrors: false });
addFormats.default(ajv);
ajv.addSchema(agentApi, 'agent');
const isResultItem = ajv.compile({ $ref: 'agent#/components/schemas/GatherResultItem' });
const isSkippedItem = ajv.compile({ $ref: 'agent#/components/schemas/SkippedItem' });

const bench = createTestBench();
const running: RunningFixture[] = [];

afterEach(async () => {
  await bench.close();
  for (const { server } of running.splice(0)) await server.close();
});

interface Setup extends RunningFixture {
  source: ReleaseSource;
  gather(options?: Partial<GatherOptions>): Promise<Gathered>;
  /**
   * Returns the error that ends the run. Fails if the run succeeds or throws anything except a `RunError`.
   */
  failure(options?: Partial<GatherOptions>): Promise<RunError>;
}

async function setUp(fixture: SourceFixture, releases: readonly FakeRelease[]): Promise<Setup> {
  const source = allSources[fixture.sourceType];
  if (!source) throw new Error(`${fixture.sourceType} is not listed`);
  const upstream = await fixture.start();
  running.push(upstream);
  upstream.setReleases(releases);
  const client = bench.client({ allow: ['127.0.0.1/32'], allowHttp: (host) => host === '127.0.0.1' });
  const gather = (options: Partial<GatherOptions> = {}): Promise<Gathered> =>
    gatherFrom(source, upstream.artifactName(upstream.server.host), {
      client,
      insecureHosts: ['127.0.0.1'],
      sourceOptions: fixture.sourceOptions,
      ...options,
    });
  const failure = async (options: Partial<GatherOptions> = {}): Promise<RunError> => {
    const error: unknown = await gather(options).then(
      () => new Error('it ended well'),
      (reason: unknown) => reason,
    );
    if (error instanceof RunError) return error;
    throw error;
  };
  return { ...upstream, source, gather, failure };
}

/** Returns releases one day apart, newest first. */
function history(count: number): FakeRelease[] {
  return Array.from({ length: count }, (_, index) => ({
    tag: `1.${count - index}.0`,
    publishedAt: new Date(Date.UTC(2026, 0, 1) - index * 86_400_000).toISOString(),
    notes: `Notes of ${count - index}`,
  }));
}

const token = { type: 'https_pat', name: 'readonly', hosts: ['127.0.0.1'], token: 'secret-token' } as const;

describe.each(sourceFixtures)('$sourceType', (fixture) => {
  test('every release is returned once, with its date and flags', async () => {
    const releases = history(230).map((release, index) => ({
      ...release,
      isPrerelease: index % 10 === 3,
      publishedAt: fixture.hasDrafts && index === 5 ? null : release.publishedAt,
    }));
    const { gather } = await setUp(fixture, releases);
    const found = await gather({ isFull: true });
    const expected = releases
      .filter(({ publishedAt }) => publishedAt !== null)
      .map((release) => ({
        tag: release.tag,
        released_at: fixture.hasDates ? release.publishedAt : null,
        is_prerelease: fixture.hasPrereleaseFlag && release.isPrerelease,
        is_yanked: false,
        notes: fixture.hasNotes ? release.notes : null,
      }));
    // Sources can return releases in any order.
    const byTag = (one: { tag: string }, other: { tag: string }) => one.tag.localeCompare(other.tag);
    expect(
      found.releases
        .map(({ tag, released_at, is_prerelease, is_yanked, notes }) => ({
          tag,
          released_at,
          is_prerelease,
          is_yanked,
          notes,
        }))
        .toSorted(byTag),
    ).toEqual(expected.toSorted(byTag));
    expect(found.summary).toMatchObject({
      isNotModified: false,
      isCompleteList: fixture.showsNewestOnly !== true,
      found: expected.length,
      skipped: 0,
    });
    expect(found.releases.filter((release) => !isResultItem(release))).toEqual([]);
  });

  test('parts contain at most 1,000 releases', async () => {
    const { gather } = await setUp(fixture, history(2_100));
    const found = await gather({ isFull: true });
    expect(found.releases).toHaveLength(2_100);
    expect(Math.max(...found.parts)).toBeLessThanOrEqual(1_000);
  });

  test.runIf(fixture.hasValidators)(
    'a second run of an unchanged list sends one request and returns no releases',
    async () => {
      const { gather, server } = await setUp(fixture, history(150));
      const first = await gather();
      server.requests.length = 0;
      const second = await gather({ validators: first.summary.validators });
      expect(second).toMatchObject({
        releases: [],
        requests: 1,
        summary: { isNotModified: true, isCompleteList: false },
      });
      expect(second.summary.validators).toEqual(first.summary.validators);
      expect(server.requests).toHaveLength(1);
    },
  );

  test.runIf(fixture.hasValidators)('a new release is found despite validators', async () => {
    const { gather, setReleases } = await setUp(fixture, history(3));
    const first = await gather();
    setReleases(history(4));
    const second = await gather({
      validators: first.summary.validators,
      knownTags: ['1.3.0', '1.2.0', '1.1.0'],
    });
    expect(second.summary.isNotModified).toBe(false);
    expect(second.releases.map(({ tag }) => tag)).toContain('1.4.0');
  });

  test.runIf(fixture.pageSize !== null)('pages are read until a known tag appears', async () => {
    const releases = history(400);
    const { gather } = await setUp(fixture, releases);
    const pageSize = fixture.pageSize ?? 0;
    const known = (from: number): string[] => releases.slice(from).map(({ tag }) => tag);
    expect(await gather({ knownTags: known(0) })).toMatchObject({
      requests: 1,
      summary: { isCompleteList: false },
    });
    expect(await gather({ knownTags: known(1) })).toMatchObject({ requests: 2 });
    expect(await gather({ knownTags: known(pageSize + 5) })).toMatchObject({ requests: 3 });
    // Version patterns can exclude tags, so only some tags are known here. Tags below a known tag are still
    // not new.
    expect(await gather({ knownTags: [releases[0]?.tag ?? ''] })).toMatchObject({ requests: 1 });
    const full = await gather({ knownTags: known(0), isFull: true });
    expect(full).toMatchObject({ requests: Math.ceil(400 / pageSize), summary: { isCompleteList: true } });
  });

  test('an empty list returns a warning, except for documents, where it is invalid_index', async () => {
    const { gather } = await setUp(fixture, []);
    const found = await gather().catch((error: unknown) => error);
    if (fixture.sourceType.startsWith('http_')) expect(found).toMatchObject({ code: 'invalid_index' });
    else
      expect(found).toMatchObject({
        releases: [],
        summary: { warnings: [expect.stringContaining(' has no ')] },
      });
  });

  describe('a response without a list', () => {
    async function check(
      status: number,
      headers: Record<string, string>,
      code: RunErrorCode,
      options: Partial<GatherOptions> = {},
    ): Promise<RunError> {
      const { server, failure } = await setUp(fixture, history(1));
      server.intercept = (_, response) => {
        response.writeHead(status, headers).end('{"message":"no"}');
        return true;
      };
      const error = await failure(options);
      expect(error.code).toBe(code);
      expect(error.message).toContain(server.host);
      expect(error.message).toMatch(/\.$/u);
      return error;
    }

    test('with status 401 is unauthorized, and the message names the credential', async () => {
      expect((await check(401, {}, 'unauthorized', { credential: token })).message).toContain('"readonly"');
      expect((await check(401, {}, 'unauthorized')).message).toContain('Add one to the job');
    });

    test('with status 403 is unauthorized', () => check(403, {}, 'unauthorized'));

    test('with status 404 is not_found, and the message mentions private resources and the credential', async () => {
      expect((await check(404, {}, 'not_found')).message).toMatch(/private.*credential/u);
      expect((await check(404, {}, 'not_found', { credential: token })).message).toContain('"readonly"');
    });

    test('with status 410 is not_found', () => check(410, {}, 'not_found'));

    test('with status 403 and an exhausted rate limit is rate_limited until the limit resets', async () => {
      const now = new Date('2026-11-21T05:00:00Z');
      const headers = {
        'x-ratelimit-remaining': '0',
        'x-ratelimit-reset': String(Date.parse('2026-11-21T05:40:00Z') / 1_000),
        date: now.toUTCString(),
      };
      const error = await check(403, headers, 'rate_limited', { now });
      expect(error.retryAt).toEqual(new Date('2026-11-21T05:40:00Z'));
      expect(error.message).toContain('2026-11-21T05:40:00.000Z');
    });

    test('with status 429 is rate_limited for the duration in Retry-After', async () => {
      const now = new Date('2026-11-21T05:00:00Z');
      const error = await check(429, { 'retry-after': '90' }, 'rate_limited', { now });
      expect(error.retryAt).toEqual(new Date('2026-11-21T05:01:30Z'));
      expect(error.isRetryable).toBe(true);
    });

    test('with status 500 or 503 is retryable', async () => {
      expect((await check(500, {}, 'upstream_error')).isRetryable).toBe(true);
      const now = new Date('2026-11-21T05:00:00Z');
      const error = await check(503, { 'retry-after': '20' }, 'upstream_error', { now });
      expect(error.retryAt).toEqual(new Date('2026-11-21T05:00:20Z'));
    });

    test('with status 400 is invalid_index', () => check(400, {}, 'invalid_index'));

    test.each(fixture.garbage)('with the unreadable body %j is invalid_index', async (body) => {
      const { server, failure } = await setUp(fixture, history(1));
      server.intercept = (_, response) => {
        response.writeHead(200, { 'content-type': 'text/html' }).end(body);
        return true;
      };
      expect((await failure()).code).toBe('invalid_index');
    });

    test('that never arrives is a timeout', async () => {
      const { server, failure } = await setUp(fixture, history(1));
      server.intercept = () => true;
      expect((await failure({ maxTimeoutMs: 150 })).code).toBe('timeout');
    });

    test('with an unfinished body is a timeout', async () => {
      const { server, failure } = await setUp(fixture, history(1));
      server.intercept = (_, response) => {
        response.writeHead(200);
        response.write('[');
        return true;
      };
      expect((await failure({ maxTimeoutMs: 150 })).code).toBe('timeout');
    });

    test('with an endless body is too_large', async () => {
      const { server, failure } = await setUp(fixture, history(1));
      const chunk = Buffer.from('# 0123456789 0123456789\n'.repeat(10_000));
      server.intercept = (_, response) => {
        const pour = (): void => {
          if (response.destroyed) return;
          while (response.write(chunk));
          response.once('drain', pour);
        };
        response.writeHead(200);
        pour();
        return true;
      };
      expect((await failure()).code).toBe('too_large');
    });

    test('from a server that is down is unreachable', async () => {
      const { server, failure } = await setUp(fixture, history(1));
      await server.close();
      expect((await failure()).code).toBe('unreachable');
    });
  });

  describe('redirects', () => {
    /** Redirects every request to the URL that `target` returns for its path. */
    function redirectTo(server: RunningFixture['server'], target: (path: string) => string): void {
      server.intercept = (request, response) => {
        response.writeHead(302, { location: target(request.url ?? '/') }).end();
        return true;
      };
    }

    test('the credential is sent to its host', async () => {
      const { gather, server } = await setUp(fixture, history(1));
      await gather({ credential: token });
      expect(server.requests[0]?.headers.authorization).toBe('Bearer secret-token');
    });

    test('the credential is not sent to another origin after a redirect', async () => {
      const { gather, server } = await setUp(fixture, history(1));
      const other = await setUp(fixture, history(260));
      redirectTo(server, (path) => `http://${other.server.host}${path}`);
      const found = await gather({ credential: token, isFull: true });
      expect(found.releases).toHaveLength(260);
      expect(server.requests[0]?.headers.authorization).toBe('Bearer secret-token');
      expect(other.server.requests.map(({ headers }) => headers.authorization)).toEqual(
        other.server.requests.map(() => undefined),
      );
    });

    test('a redirect to a private address is rejected', async () => {
      const { failure, server } = await setUp(fixture, history(1));
      for (const host of ['127.0.0.2', '10.0.0.1', '169.254.169.254', '[::1]']) {
        redirectTo(server, (path) => `http://${host}:1${path}`);
        expect((await failure()).code).toBe('target_not_allowed');
      }
    });

    test('more than five redirects are rejected', async () => {
      const { failure, server } = await setUp(fixture, history(1));
      redirectTo(server, (path) => path);
      expect((await failure()).code).toBe('invalid_index');
      expect(server.requests).toHaveLength(6);
    });

    test('a redirect from https to http is rejected', async () => {
      const { source, server, artifactName } = await setUp(fixture, history(1));
      const port = await bench.https((request, response) => {
        response.writeHead(302, { location: `http://${server.host}${request.url ?? ''}` }).end();
      });
      const name = artifactName(`good.test:${port}`).replace('http://', 'https://');
      const run = gatherFrom(source, name, {
        client: bench.client(),
        insecureHosts: ['127.0.0.1'],
        sourceOptions: fixture.sourceOptions,
      });
      await expect(run).rejects.toMatchObject({ name: 'RunError', code: 'target_not_allowed' });
      expect(server.requests).toEqual([]);
    });
  });

  test('a credential for other hosts is never sent', async () => {
    const { failure, server } = await setUp(fixture, history(1));
    const error = await failure({ credential: { ...token, hosts: ['github.com'] } });
    expect(error.code).toBe('credential_not_for_host');
    expect(server.requests).toEqual([]);
  });

  test('plain http is used only for the configured hosts', async () => {
    const { failure, server } = await setUp(fixture, history(1));
    const error = await failure({ insecureHosts: [], client: bench.client({ allowHttp: () => false }) });
    expect(['target_not_allowed', 'unreachable']).toContain(error.code);
    expect(server.requests).toEqual([]);
  });

  test('the reason of an abort is passed on unchanged', async () => {
    const { gather, server } = await setUp(fixture, history(1));
    const controller = new AbortController();
    const reason = new Error('the lease is lost');
    server.intercept = () => {
      controller.abort(reason);
      return true;
    };
    await expect(gather({ signal: controller.signal })).rejects.toBe(reason);
  });

  describe('hostile entries', () => {
    async function check(entries: readonly unknown[]): Promise<Gathered | RunError> {
      const { server, gather } = await setUp(fixture, history(1));
      server.intercept = (_, response) => {
        response.writeHead(200, { 'content-type': 'application/json' }).end(fixture.writeAnswer(entries));
        return true;
      };
      return checkOutcome(gather());
    }

    async function checkOutcome(run: Promise<Gathered>): Promise<Gathered | RunError> {
      try {
        const found = await run;
        expect(found.releases.filter((release) => !isResultItem(release))).toEqual([]);
        expect(found.summary.skippedExamples.filter((item) => !isSkippedItem(item))).toEqual([]);
        return found;
      } catch (error) {
        if (error instanceof RunError) return error;
        throw error;
      }
    }

    test('with wrong types, null, or huge strings are skipped or sanitized', async () => {
      const entry = {
        tag_name: '1.0.0',
        name: '1.0.0',
        version: '1.0.0',
        published_at: 12,
        released_at: {},
        created: 'yesterday',
        day: [],
        html_url: 'javascript:alert(1)',
        urls: ['file:///etc/passwd'],
        _links: { self: 'data:text/html,x' },
        body: `a\u0000\ud800${'é'.repeat(100_000)}`,
        description: 5,
      };
      const found = await check([
        null,
        1,
        'x',
        [],
        {},
        { tag_name: null, name: null, version: null },
        { tag_name: 'x'.repeat(600), name: 'x'.repeat(600), version: 'x'.repeat(600) },
        { tag_name: 'a\u0000b', name: 'a\u0000b', version: 'a\nb' },
        entry,
        entry,
      ]);
      expect(found).toMatchObject({
        releases: [{ tag: '1.0.0', released_at: null, url: null }],
      });
    });

    test('are all read, even if one page has ten thousand entries', async () => {
      const entries = Array.from({ length: 10_000 }, (_, index) => ({
        tag_name: `1.0.${index}`,
        name: `1.0.${index}`,
        version: `1.0.${index}`,
      }));
      expect(await check(entries)).toMatchObject({ summary: { found: 10_000 } });
    });

    test('cause only a RunError, regardless of their content', async () => {
      const { server, gather } = await setUp(fixture, history(1));
      const value = fc.jsonValue({ maxDepth: 3 });
      const entry = fc.record(
        {
          tag_name: fc.oneof(value, fc.string()),
          name: fc.oneof(value, fc.string()),
          version: fc.oneof(value, fc.string()),
          draft: value,
          prerelease: value,
          published_at: fc.oneof(
            value,
            fc.date({ noInvalidDate: true }).map((date) => date.toISOString()),
          ),
          html_url: fc.oneof(value, fc.webUrl()),
          body: value,
          urls: value,
          _links: value,
        },
        { requiredKeys: [] },
      );
      await fc.assert(
        fc.asyncProperty(fc.array(fc.oneof(value, entry), { maxLength: 5 }), async (entries) => {
          server.intercept = (_, response) => {
            response.writeHead(200).end(fixture.writeAnswer(entries));
            return true;
          };
          await checkOutcome(gather());
        }),
        { numRuns: 150 },
      );
    });

    test('on a page that links to itself are read once', async () => {
      const { server, gather } = await setUp(fixture, history(1));
      server.intercept = (request, response) => {
        response.writeHead(200, { link: `<${request.url ?? ''}>; rel="next"`, 'x-total-count': '1000000' });
        response.end(fixture.writeAnswer([{ tag_name: '1.0.0', name: '1.0.0', version: '1.0.0' }]));
        return true;
      };
      expect(await gather({ isFull: true })).toMatchObject({ releases: [{ tag: '1.0.0' }] });
      expect(server.requests.length).toBeLessThanOrEqual(2);
    });
  });
});

test('every source is covered by the suite', () => {
  const types = sourceFixtures.map(({ sourceType }) => sourceType);
  // The `git_tags` source uses git instead of HTTP and has a separate test file.
  expect([...types, 'git_tags'].toSorted()).toEqual(Object.keys(sources).toSorted());
});
