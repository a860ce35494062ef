import { createHash } from 'node:crypto';
import { afterEach, describe, expect, test } from 'vitest';
import {
  type FakeImage,
  type FakeOciRegistry,
  startFakeOciRegistry,
} from '../../tests/helpers/upstreams/fake-oci-registry.ts';
import {
  type Gathered,
  type GatherOptions,
  gatherFrom,
  parseInProcess,
  toSourceBody,
} from '../../tests/helpers/upstreams/gather-from.ts';
import { createTestBench } from '../platform/outbound/outbound-test-servers.ts';
import { ociRegistry } from './oci-registry.ts';
import type { SourceHttp, SourceResponse } from './source-http.ts';

const bench = createTestBench();
const running: FakeOciRegistry[] = [];

afterEach(async () => {
  await bench.close();
  for (const server of running.splice(0)) await server.close();
});

const digestOf = (text: string): string => `sha256:${createHash('sha256').update(text).digest('hex')}`;
const digestsOf = (tags: readonly string[]) => new Map(tags.map((tag) => [tag, digestOf(tag)]));

async function startRegistry(image: FakeImage): Promise<FakeOciRegistry> {
  const server = await startFakeOciRegistry();
  running.push(server);
  server.images.set('acme/app', { digests: digestsOf(image.tags), ...image });
  return server;
}

function gather(server: FakeOciRegistry, options: Partial<GatherOptions> = {}): Promise<Gathered> {
  return gatherFrom(ociRegistry, `${server.host}/acme/app`, {
    client: bench.client({ allow: ['127.0.0.1/32'], allowHttp: (host) => host === '127.0.0.1' }),
    insecureHosts: ['127.0.0.1'],
    readsDigests: true,
    ...options,
  });
}

const told = ({ releases }: Gathered) =>
  new Map(releases.flatMap(({ tag, digest }) => (digest === undefined ? [] : [[tag, digest]])));
const manifestsAsked = (server: FakeOciRegistry) =>
  server.requests.flatMap(({ method, path }) => {
    const [, tag] = /\/manifests\/(.+)$/u.exec(path) ?? [];
    return tag === undefined ? [] : [`${method} ${tag}`];
  });

const tags = ['1.0.0', '1.1.0', '1.1', '1', 'latest'];

describe('digests', () => {
  test('are read for the highest version tags with one HEAD request each, and skipped for moving tags', async () => {
    const server = await startRegistry({ tags });
    const known = ['1.0.0', '1.1.0', '1.1'];
    const found = await gather(server, { isFull: true, knownTags: known });
    expect(told(found)).toEqual(digestsOf(known));
    expect(manifestsAsked(server)).toEqual(['HEAD 1.1.0', 'HEAD 1.1', 'HEAD 1.0.0']);
    expect(found.releases).toHaveLength(tags.length);
    expect(found.summary).toMatchObject({ isCompleteList: true, found: tags.length, warnings: [] });
  });

  test('are read for at most 40 tags', async () => {
    const many = Array.from({ length: 100 }, (_, index) => `1.${index}.0`);
    const server = await startRegistry({ tags: [...many, '1.99.0-alpine'] });
    const found = await gather(server, { isFull: true, knownTags: many });
    expect(told(found)).toEqual(digestsOf(many.slice(60)));
    expect(manifestsAsked(server)).toHaveLength(40);
  });

  test('are read for variant tags if the list contains only variants', async () => {
    const server = await startRegistry({ tags: ['20.1.0-alpine', '20-alpine'] });
    const found = await gather(server, { isFull: true, knownTags: ['20.1.0-alpine', '20-alpine'] });
    expect(told(found)).toEqual(digestsOf(['20.1.0-alpine', '20-alpine']));
  });

  test('of known tags are read only in full runs, and no digest is read for an unchanged list', async () => {
    const server = await startRegistry({ tags });
    const knownTags = ['1.0.0', '1.1'];
    const { summary } = await gather(server, { knownTags });
    expect(manifestsAsked(server).filter((asked) => asked.startsWith('HEAD'))).toEqual(['HEAD 1.1.0']);
    server.requests.length = 0;
    await gather(server, { knownTags, validators: summary.validators });
    expect(manifestsAsked(server)).toEqual([]);
  });

  test('that arrived with a date are not requested twice', async () => {
    const created = new Map(['1.0.0', '1.1.0'].map((tag) => [tag, '2026-01-01T00:00:00Z']));
    const server = await startRegistry({ tags: ['1.0.0', '1.1.0'], created, dateIn: 'annotations' });
    expect(told(await gather(server))).toEqual(digestsOf(['1.0.0', '1.1.0']));
    expect(manifestsAsked(server)).toEqual(['GET 1.1.0', 'GET 1.0.0']);
  });

  test('are not read if readsDigests is false', async () => {
    const server = await startRegistry({ tags });
    const found = await gather(server, { readsDigests: false, isFull: true, knownTags: tags });
    expect(told(found)).toEqual(new Map());
    expect(manifestsAsked(server)).toEqual([]);
  });

  test('stay unknown after one request if the registry does not send valid digests', async () => {
    const server = await startRegistry({ tags, digests: new Map([['1.1.0', 'sha256:short']]) });
    const found = await gather(server, { isFull: true, knownTags: tags });
    expect(told(found)).toEqual(new Map());
    expect(found.releases).toHaveLength(tags.length);
    expect(manifestsAsked(server)).toEqual(['HEAD 1.1.0']);
  });

  test.each([
    [429, { 'retry-after': '3600' }],
    [500, {}],
    [405, {}],
  ])(
    'are not requested after a response with status %d, and all releases are kept',
    async (status, headers) => {
      const server = await startRegistry({ tags });
      let heads = 0;
      server.intercept = (request, response) => {
        if (request.method !== 'HEAD' || ++heads < 2) return false;
        response.writeHead(status, headers).end();
        return true;
      };
      const found = await gather(server, { isFull: true, knownTags: tags });
      expect(told(found)).toEqual(digestsOf(['1.1.0']));
      expect(found.releases).toHaveLength(tags.length);
      expect(found.summary.isCompleteList).toBe(true);
      expect(manifestsAsked(server)).toEqual(['HEAD 1.1.0', 'HEAD 1.1']);
    },
  );

  test('of a deleted tag stay unknown, and the other digests are read', async () => {
    const server = await startRegistry({ tags });
    server.intercept = (request, response) => {
      if (!request.url?.endsWith('/manifests/1.1')) return false;
      response.writeHead(404).end();
      return true;
    };
    const found = await gather(server, { isFull: true, knownTags: tags });
    expect(told(found)).toEqual(digestsOf(['1.1.0', '1.0.0']));
  });

  test('are read with the token that the registry requires', async () => {
    const server = await startRegistry({ tags });
    server.auth = { kind: 'token' };
    const found = await gather(server, { isFull: true, knownTags: tags });
    expect(told(found).size).toBe(3);
    expect(server.tokenRequests).toHaveLength(1);
  });

  test('are not read after the run is aborted', async () => {
    const server = await startRegistry({ tags });
    const stopping = new AbortController();
    server.intercept = (request) => {
      if (request.method === 'HEAD') stopping.abort(new Error('stopped'));
      return false;
    };
    await expect(gather(server, { isFull: true, knownTags: tags, signal: stopping.signal })).rejects.toThrow(
      'stopped',
    );
  });
});

describe('digests on Docker Hub', () => {
  const all = ['1.0.0', '1.1.0', '1.1.0-alpine', 'latest'];
  const results = all.map((name) => ({
    name,
    digest: digestOf(name),
    last_updated: '2026-01-01T00:00:00Z',
    images: [{ digest: digestOf(`${name} of amd64`) }],
  }));

  /** Creates a fake Docker Hub with the tag lists that a run requests. */
  function createHub(body: object = { results }) {
    const asked: string[] = [];
    const answer = (url: string, of: object): SourceResponse => ({
      status: 200,
      url,
      headers: {},
      isSameOrigin: true,
      validators: null,
      body: toSourceBody(JSON.stringify(of)),
      cost: {
        requests: 1,
        waitedMs: 0,
      },
    });
    const http: SourceHttp = {
      schemeFor: () => 'https',
      scope: 'tests',
      usage: {
        requests: 0,
        waitedMs: 0,
      },
      end: () => undefined,
      async get(url, { method = 'GET' }) {
        asked.push(`${method} ${new URL(url).host}`);
        return answer(
          url,
          url.includes('/tags/list')
            ? {
                name: 'acme/app',
                tags: all,
              }
            : body,
        );
      },
    };
    const run = async (knownTags: readonly string[], isFull: boolean) => {
      const parts = ociRegistry.gather(
        {
          artifactName: 'docker.io/acme/app',
          sourceOptions: {},
          validators: null,
          knownTags,
          isFull,
          readsDigests: true,
        },
        {
          http,
          read: parseInProcess,
          now: new Date(),
          signal: new AbortController().signal,
          git: { listTags: () => Promise.reject(new Error('no git')) },
        },
      );
      const found = new Map<string, string | null>();
      for await (const { releases } of parts)
        for (const { tag, digest } of releases) found.set(tag, digest ?? null);
      return found;
    };
    return { asked, run };
  }

  test('are read from the tag list, also for variants, without a manifest request', async () => {
    const hub = createHub();
    const expected = new Map<string, string | null>(
      all.map((tag) => [tag, tag === 'latest' ? null : digestOf(tag)]),
    );
    expect(await hub.run([], false)).toEqual(expected);
    expect(await hub.run(all, true)).toEqual(expected);
    expect(hub.asked).toEqual(
      Array.from({ length: 2 }, () => ['GET registry-1.docker.io', 'GET hub.docker.com']).flat(),
    );
  });

  test('are not requested by a run without new tags', async () => {
    const hub = createHub();
    expect([...(await hub.run(all, false)).values()]).toEqual([null, null, null, null]);
    expect(hub.asked).toEqual(['GET registry-1.docker.io']);
  });

  test('are null if missing or invalid', async () => {
    const hub = createHub({ results: [{ name: '1.1.0', digest: 'latest' }, { name: '1.0.0' }] });
    expect([...new Set((await hub.run(all, true)).values())]).toEqual([null]);
  });
});
