import { createReadStream, readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { afterEach, describe, expect, test } from 'vitest';
import { hasTestData, testDataPath } from '../../tests/helpers/test-data.ts';
import {
  type FakeOciRegistry,
  startFakeOciRegistry,
} from '../../tests/helpers/upstreams/fake-oci-registry.ts';
import {
  type Gathered,
  type GatherOptions,
  gatherFrom,
  testSourceContext,
} from '../../tests/helpers/upstreams/gather-from.ts';
import { normalizeOciReference, registryHost, splitOciReference } from '../domain/artifacts/oci-reference.ts';
import { RunError } from '../domain/runs/run-error.ts';
import { createTestBench } from '../platform/outbound/outbound-test-servers.ts';
import { ociRegistry } from './oci-registry.ts';
import { shareResponses } from './share-responses.ts';

describe('references', () => {
  test.each([
    ['redis', 'docker.io/library/redis'],
    ['grafana/grafana', 'docker.io/grafana/grafana'],
    ['docker.io/redis', 'docker.io/library/redis'],
    ['index.docker.io/library/redis', 'docker.io/library/redis'],
    ['registry-1.docker.io/bitnami/redis', 'docker.io/bitnami/redis'],
    ['ghcr.io/owner/app', 'ghcr.io/owner/app'],
    ['oci://ghcr.io/owner/charts/app/', 'ghcr.io/owner/charts/app'],
    ['https://ghcr.io/owner/app', 'ghcr.io/owner/app'],
    ['GHCR.io/owner/app', 'ghcr.io/owner/app'],
    ['localhost/app', 'localhost/app'],
    ['localhost:5000/app', 'localhost:5000/app'],
    ['[2001:db8::1]:5000/app', '[2001:db8::1]:5000/app'],
    ['registry:5000/app', 'registry:5000/app'],
    ['LOCALDOMAIN/app', 'LOCALDOMAIN/app'],
  ])('%s normalizes to %s, and normalizing the result changes nothing', (name, artifactName) => {
    expect(normalizeOciReference(name)).toEqual({ ok: true, artifactName });
    expect(normalizeOciReference(artifactName)).toEqual({ ok: true, artifactName });
  });

  test.each([
    '',
    'redis:7:8',
    'redis@sha256:short',
    'user:pw@ghcr.io/a/b',
    'ghcr.io/Owner/app',
    'ghcr.io/a//b',
    'ghcr.io/a/../b',
    'ghcr.io/a b',
    'ftp://ghcr.io/a',
    'ghcr.io/',
    `ghcr.io/${'a'.repeat(260)}`,
  ])('%j is rejected with a reason', (name) => {
    expect(normalizeOciReference(name)).toMatchObject({ ok: false, message: expect.stringMatching(/\w/u) });
  });

  test('Docker Hub references use the host of its registry', () => {
    expect([registryHost('docker.io'), registryHost('ghcr.io')]).toEqual(['registry-1.docker.io', 'ghcr.io']);
  });
});

describe.skipIf(!hasTestData)('references from third-party test tables', () => {
  interface Case {
    test: string;
    input?: string;
    row?: string;
    domain?: string;
    path?: string;
    repository?: string;
    tag?: string;
    digest?: string;
    Reference?: string;
    FullName?: string;
    FamiliarName?: string;
    expected?: string;
    err?: unknown;
  }
  const load = (file: string): Case[] => JSON.parse(readFileSync(testDataPath(`oci/${file}`), 'utf8')).cases;
  const cases = hasTestData
    ? [...load('image-reference-normalize.json'), ...load('image-reference-parse.json')]
    : [];
  const of = (name: string): Case[] => cases.filter((one) => one.test === name);
  const resultOf = (name: string): string => {
    const result = normalizeOciReference(name);
    return result.ok ? result.artifactName : 'refused';
  };

  test('are split into domain and path', () => {
    const rows = of('TestNormalizedSplitHostname');
    expect(rows.length).toBeGreaterThan(5);
    expect(rows.map(({ input = '' }) => splitOciReference(resultOf(input)))).toEqual(
      rows.map(({ domain, path }) => ({ domain, path })),
    );
  });

  test('are normalized to their full names', () => {
    const rows = of('TestParseRepositoryInfo');
    expect(rows.length).toBeGreaterThan(10);
    for (const { FullName = '', FamiliarName = '' } of rows) {
      expect([FamiliarName, resultOf(FullName), resultOf(FamiliarName)]).toEqual([
        FamiliarName,
        FullName,
        FullName,
      ]);
    }
  });

  test('are read without their tag and digest', () => {
    const rows = of('TestParseDockerRef');
    expect(rows.length).toBeGreaterThan(5);
    for (const { input = '', expected = '' } of rows) {
      expect(resultOf(input)).toBe(expected.replace(/@.*$/u, '').replace(/:[^/:]*$/u, ''));
    }
  });

  test('are rejected if invalid', () => {
    const rows = of('TestReferenceParse').filter(({ err }) => err !== undefined);
    expect(rows.length).toBeGreaterThan(10);
    expect(rows.map(({ input = '' }) => [input, resultOf(input)])).toEqual(
      rows.map(({ input = '' }) => [input, 'refused']),
    );
  });
});

const bench = createTestBench();
const running: FakeOciRegistry[] = [];

afterEach(async () => {
  await bench.close();
  for (const server of running.splice(0)) await server.close();
});

async function startRegistry(tags: string[] = ['1.0.0', '1.1.0']): Promise<FakeOciRegistry> {
  const server = await startFakeOciRegistry();
  running.push(server);
  server.images.set('acme/app', { tags });
  return server;
}

function gather(
  server: FakeOciRegistry,
  options: Partial<GatherOptions> = {},
  path = 'acme/app',
): Promise<Gathered> {
  return gatherFrom(ociRegistry, `${server.host}/${path}`, {
    client: bench.client({ allow: ['127.0.0.1/32'], allowHttp: (host) => host === '127.0.0.1' }),
    insecureHosts: ['127.0.0.1'],
    ...options,
  });
}

async function failureOf(run: Promise<unknown>): Promise<RunError> {
  const outcome = await run.then(
    () => new Error('it ended well'),
    (error: unknown) => error,
  );
  if (outcome instanceof RunError) return outcome;
  throw outcome;
}

const robot = {
  type: 'registry_basic',
  name: 'robot',
  hosts: ['127.0.0.1'],
  username: 'robot',
  password: 'pw',
} as const;

describe('tag list pages', () => {
  test.each(['relative', 'absolute', 'opaque'] as const)(
    '%s links are followed to the last page',
    async (links) => {
      const tags = Array.from({ length: 2_350 }, (_, index) => `1.${index}.0`);
      const server = await startRegistry(tags);
      server.links = links;
      server.maxPageSize = 100;
      const found = await gather(server);
      expect(found.releases).toHaveLength(tags.length);
      expect(new Set(found.releases.map(({ tag }) => tag))).toEqual(new Set(tags));
      expect(found.summary).toMatchObject({ isCompleteList: true, validators: null });
      expect(server.requests.filter(({ path }) => path.includes('/tags/list'))).toHaveLength(24);
    },
  );

  test('a page that links to itself ends the list', async () => {
    const server = await startRegistry();
    server.intercept = (request, response) => {
      if (!request.url?.includes('/tags/list')) return false;
      response
        .writeHead(200, { link: `<${request.url}>; rel="next"` })
        .end('{"name":"acme/app","tags":["1.0.0"]}');
      return true;
    };
    expect((await gather(server)).releases).toHaveLength(1);
    expect(server.requests.filter(({ path }) => path.includes('/tags/list'))).toHaveLength(1);
  });

  test('the list ends at 200,000 tags with a warning', async () => {
    const tags = Array.from(
      { length: 200_100 },
      (_, index) => `${Math.floor(index / 1_000)}.${index % 1_000}.0`,
    );
    const server = await startRegistry(tags);
    server.maxPageSize = 100_000;
    const found = await gather(server);
    expect(found.releases).toHaveLength(200_000);
    expect(found.summary).toMatchObject({
      isCompleteList: false,
      warnings: ['Only the first 200,000 tags were read.'],
    });
  });

  test('signatures are skipped', async () => {
    const server = await startRegistry(['1.0.0', `sha256-${'a'.repeat(64)}.sig`, `sha256-${'a'.repeat(64)}`]);
    const found = await gather(server);
    expect(found.releases.map(({ tag }) => tag)).toEqual(['1.0.0']);
    expect(found.summary.skipped).toBe(2);
  });

  test('a repository whose tags were all deleted has no releases', async () => {
    const server = await startRegistry();
    server.intercept = (_, response) => {
      response.writeHead(200).end('{"name":"acme/app","tags":null}');
      return true;
    };
    expect(await gather(server)).toMatchObject({ releases: [], summary: { isCompleteList: true } });
  });
});

describe('tokens', () => {
  test('a public repository is read with an anonymous token that only allows pulling', async () => {
    const server = await startRegistry();
    server.auth = { kind: 'token' };
    expect((await gather(server)).releases).toHaveLength(2);
    expect(server.tokenRequests.map((query) => Object.fromEntries(query))).toEqual([
      { service: 'registry.example', scope: 'repository:acme/app:pull' },
    ]);
    expect(
      server.requests.find(({ path }) => path.startsWith('/token'))?.headers.authorization,
    ).toBeUndefined();
  });

  test('a private repository is read with its credential, and is unauthorized without one', async () => {
    const server = await startRegistry();
    server.auth = { kind: 'token', password: 'pw' };
    expect((await gather(server, { credential: robot })).releases).toHaveLength(2);
    const failure = await failureOf(gather(server));
    expect(failure.code).toBe('unauthorized');
    expect(failure.message).toMatch(/repository doesn't exist.*private/u);
  });

  test('a wrong password is unauthorized, and the message names the credential', async () => {
    const server = await startRegistry();
    server.auth = { kind: 'token', password: 'other' };
    const failure = await failureOf(gather(server, { credential: robot }));
    expect([failure.code, failure.message]).toEqual(['unauthorized', expect.stringContaining('"robot"')]);
  });

  test('a token that expires between two pages is renewed', async () => {
    const server = await startRegistry(Array.from({ length: 500 }, (_, index) => `1.${index}.0`));
    server.auth = { kind: 'token' };
    server.maxPageSize = 100;
    server.tokenUses = 3;
    expect((await gather(server)).releases).toHaveLength(500);
    expect(server.tokenRequests.length).toBeGreaterThan(1);
  });

  test('a registry with Basic authentication is read with the credential', async () => {
    const server = await startRegistry();
    server.auth = { kind: 'basic', password: 'pw' };
    expect((await gather(server, { credential: robot })).releases).toHaveLength(2);
    expect((await failureOf(gather(server))).code).toBe('unauthorized');
  });

  test('a wrong password at a registry with Basic authentication fails every job that shares the requests', async () => {
    const server = await startRegistry();
    server.auth = { kind: 'basic', password: 'other' };
    const context = testSourceContext({
      client: bench.client({ allow: ['127.0.0.1/32'] }),
      insecureHosts: ['127.0.0.1'],
      credential: robot,
    });
    const shared = shareResponses(context.http);
    for (let count = 0; count < 2; count += 1) {
      const run = ociRegistry.gather(
        {
          artifactName: `${server.host}/acme/app`,
          sourceOptions: {},
          validators: null,
          knownTags: [],
          isFull: true,
        },
        { ...context, http: shared.forJob() },
      );
      const failure = await failureOf(run.next());
      expect([failure.code, failure.message]).toEqual(['unauthorized', expect.stringContaining('"robot"')]);
    }
  });

  test('the credential is not sent to a realm on another host', async () => {
    const server = await startRegistry();
    const realm = await startRegistry();
    server.auth = { kind: 'token', realm: `http://${realm.host}/token` };
    const credential = { ...robot, hosts: [server.host] };
    expect((await failureOf(gather(server, { credential }))).code).toBe('credential_not_for_host');
    expect(realm.requests).toEqual([]);
  });

  test.each([
    'http://127.0.0.2:1/token',
    'http://169.254.169.254/token',
    'ftp://127.0.0.1/token',
    'nonsense',
  ])('a realm at %s is rejected', async (realm) => {
    const server = await startRegistry();
    server.auth = { kind: 'token', realm };
    expect((await failureOf(gather(server))).code).toBe('target_not_allowed');
  });

  test('a redirected challenge receives no credential', async () => {
    const door = await startRegistry();
    const trap = await startRegistry();
    trap.auth = { kind: 'token', realm: `http://${door.host}/token`, password: 'pw' };
    door.auth = { kind: 'token', password: 'pw' };
    door.intercept = (request, response) => {
      if (!request.url?.startsWith('/v2/')) return false;
      response.writeHead(302, { location: `http://${trap.host}${request.url}` }).end();
      return true;
    };
    await failureOf(gather(door, { credential: robot }));
    const shown = trap.requests.map(({ headers }) => headers.authorization ?? '');
    expect(shown.filter((value) => value.startsWith('Basic') || value.startsWith('Bearer pull'))).toEqual([]);
  });
});

describe('image dates', () => {
  test.each(['annotations', 'config'] as const)(
    'the newest tags have the dates from the %s',
    async (dateIn) => {
      const server = await startRegistry();
      const tags = Array.from({ length: 60 }, (_, index) => `1.${index}.0`);
      const created = new Map(
        tags.map((tag, index) => [tag, new Date(Date.UTC(2026, 0, index + 1)).toISOString()]),
      );
      server.images.set('acme/app', { tags: [...tags, 'latest', '1.59.0-alpine'], created, dateIn });
      const found = await gather(server);
      const dated = found.releases.filter(({ released_at }) => released_at !== null);
      expect(new Map(dated.map(({ tag, released_at }) => [tag, released_at]))).toEqual(
        new Map([
          ...tags.slice(20).map((tag) => [tag, created.get(tag)] as const),
          // This tag is a variant of 1.59.0 and has its date.
          ['1.59.0-alpine', created.get('1.59.0')],
        ]),
      );
    },
  );

  test('variants have the date of their release without additional requests', async () => {
    const server = await startRegistry();
    const versions = Array.from({ length: 30 }, (_, index) => `1.${index}.0`);
    const created = new Map(
      versions.map((tag, index) => [tag, new Date(Date.UTC(2026, 0, index + 1)).toISOString()]),
    );
    const variants = ['-alpine', '-alpine3.19', '-slim', '-bookworm', '-php8.3'];
    const tags = versions.flatMap((version) => [version, ...variants.map((variant) => version + variant)]);
    server.images.set('acme/app', { tags, created, dateIn: 'annotations' });
    const { releases } = await gather(server);
    expect(new Map(releases.map(({ tag, released_at }) => [tag, released_at]))).toEqual(
      new Map(tags.map((tag) => [tag, created.get(tag.split('-')[0]!)])),
    );
    expect(server.requests.filter(({ path }) => path.includes('/manifests/'))).toHaveLength(versions.length);
  });

  test.each([
    ['annotations', 'annotation', 'git+https://github.com/acme/app.git#main'],
    ['config', 'label', 'https://github.com/acme/app/tree/main'],
  ] as const)('the project URL is read from the %s', async (dateIn, source, project) => {
    const server = await startRegistry();
    const created = new Map([['1.0.0', '2026-01-01T00:00:00Z']]);
    server.images.set('acme/app', { tags: ['1.0.0'], created, dateIn, project });
    const { summary } = await gather(server);
    expect(summary.project).toEqual({ url: 'https://github.com/acme/app', source });
    server.images.set('acme/app', { tags: ['1.0.0'], created, dateIn, project: 'javascript:alert(1)' });
    expect((await gather(server)).summary.project).toBeNull();
  });

  test('dates are requested only for unknown tags', async () => {
    const server = await startRegistry();
    const tags = ['1.0.0', '1.1.0', '1.2.0'];
    server.images.set('acme/app', {
      tags,
      created: new Map(tags.map((tag) => [tag, '2026-01-01T00:00:00Z'])),
      dateIn: 'annotations',
    });
    const found = await gather(server, { knownTags: ['1.0.0', '1.1.0'] });
    expect(new Map(found.releases.map(({ tag, released_at }) => [tag, released_at]))).toEqual(
      new Map([
        ['1.0.0', null],
        ['1.1.0', null],
        ['1.2.0', '2026-01-01T00:00:00.000Z'],
      ]),
    );
    expect(found.requests).toBe(2);
  });

  test('a tag without a manifest does not affect the dates of the other tags', async () => {
    const server = await startRegistry();
    const tags = ['1.0.0', '1.1.0', '1.2.0', '1.3.0', '1.4.0', '1.5.0'];
    const created = new Map(tags.slice(0, 2).map((tag) => [tag, '2026-01-01T00:00:00Z']));
    server.images.set('acme/app', { tags, created, dateIn: 'annotations' });
    const found = await gather(server);
    expect(found.releases.filter(({ released_at }) => released_at !== null).map(({ tag }) => tag)).toEqual([
      '1.1.0',
      '1.0.0',
    ]);
  });

  test.each([true, false])(
    'missing dates of known tags are requested again (changed list: %s)',
    async (isChanged) => {
      const server = await startRegistry();
      const tags = ['1.0.0', '1.1.0', '1.2.0'];
      const created = new Map(tags.map((tag) => [tag, '2026-01-01T00:00:00Z']));
      server.images.set('acme/app', { tags, created, dateIn: 'annotations' });
      let manifests = 0;
      server.intercept = (request, response) => {
        if (request.url?.includes('/manifests/') !== true || ++manifests < 2) return false;
        response.writeHead(429, { 'retry-after': '60' }).end();
        return true;
      };
      const first = await gather(server, { isFull: true });
      const undatedTags = first.releases.flatMap(({ tag, released_at }) =>
        released_at === null ? [tag] : [],
      );
      expect(undatedTags).toEqual(['1.1.0', '1.0.0']);
      server.intercept = () => false;
      const { validators } = first.summary;
      const second = await gather(server, {
        knownTags: tags,
        undatedTags,
        validators: isChanged ? null : validators,
      });
      const dated = second.releases.filter(({ released_at }) => released_at !== null).map(({ tag }) => tag);
      expect(dated).toEqual(undatedTags);
      expect(second.releases).toHaveLength(isChanged ? 3 : 2);
      expect(second.summary).toMatchObject({ isNotModified: false, isCompleteList: isChanged, validators });
      const third = await gather(server, { knownTags: tags, validators });
      expect(third).toMatchObject({ releases: [], requests: 1, summary: { isNotModified: true } });
    },
  );

  test('an epoch date is ignored, and a release without a date is kept', async () => {
    const server = await startRegistry();
    server.images.set('acme/app', {
      tags: ['1.0.0', '2.0.0'],
      created: new Map([['2.0.0', '1970-01-01T00:00:00Z']]),
      dateIn: 'annotations',
    });
    expect((await gather(server)).releases.map(({ released_at }) => released_at)).toEqual([null, null]);
  });
});

test.skipIf(!hasTestData)('all tags of the official images are read', async () => {
  const server = await startRegistry();
  let images = 0;
  const lines = createInterface({
    input: createReadStream(testDataPath('oci/docker-official-images-current-tags.jsonl')),
  });
  for await (const line of lines) {
    const { name, tags }: { name?: string; tags?: string[] } = JSON.parse(line);
    if (name === undefined || tags === undefined) continue;
    server.images.set(name, { tags });
    const found = await gather(server, {}, name);
    expect([name, found.releases.map(({ tag }) => tag).toSorted(), found.summary.skipped]).toEqual([
      name,
      [...new Set(tags)].toSorted(),
      0,
    ]);
    images += 1;
  }
  expect(images).toBeGreaterThan(50);
});
