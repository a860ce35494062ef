import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { DiscoveryOutcome } from '../../tests/helpers/hold-discovery.ts';
import { createHostAgent } from '../../tests/helpers/host-agent.ts';
import { temporaryFolder } from '../../tests/helpers/temporary-folder.ts';
import {
  composeContainer,
  containerOf,
  type FakeDocker,
  notASwarmManager,
  startFakeDocker,
  swarmService,
} from '../../tests/helpers/upstreams/fake-docker.ts';
import { createBodyMemoryLimit } from '../sources/source-body.ts';
import { createHostOpener, type HostPath, hostPaths, maxListBytes } from './docker/host-api.ts';

let fake: FakeDocker;
let agent: ReturnType<typeof createHostAgent>;
let folder: string;
beforeEach(async () => {
  folder = temporaryFolder();
  fake = await startFakeDocker(folder);
  agent = createHostAgent(fake.socket);
});
afterEach(async () => {
  await agent.close();
  await fake.close();
});

const versionsOf = ({ items }: DiscoveryOutcome) =>
  items.map(({ key, artifact, version }) => [key, artifact.name, version]);
const digestOf = (letter: string) => `sha256:${letter.repeat(64)}`;

describe('a scan of a container host', () => {
  test('finds each service once, and each container outside a service', async () => {
    const imageId = digestOf('1');
    fake.containers = [
      composeContainer('shop', 'web', 'ghcr.io/acme/web:1.9.0', { imageId }),
      composeContainer('shop', 'web', 'ghcr.io/acme/web:1.9.0', { imageId, at: 2 }),
      composeContainer('shop-prod', 'db', 'postgres:17.2'),
      containerOf('nginx:1.27.3', { name: 'proxy' }),
    ];
    fake.images = [
      {
        Id: imageId,
        RepoTags: ['ghcr.io/acme/web:1.9.0'],
        RepoDigests: [`ghcr.io/acme/web@${digestOf('2')}`],
      },
    ];
    const { items, summary, error } = await agent.run();
    expect(error).toBeNull();
    expect(items).toMatchObject([
      {
        extractor: 'docker',
        key: 'docker:container::proxy:image',
        version: '1.27.3',
        artifact: {
          name: 'nginx',
          purl: expect.stringContaining('docker.io'),
        },
        place: { file: 'container/proxy' },
        labels: {
          host: 'web-1',
          service: 'proxy',
        },
      },
      {
        extractor: 'compose',
        key: 'compose:service:shop-prod:db:image',
        version: '17.2',
        labels: {
          host: 'web-1',
          project: 'shop-prod',
          service: 'db',
          environment: 'prod',
        },
      },
      {
        key: 'compose:service:shop:web:image',
        version: '1.9.0',
        digest: digestOf('2'),
        place: {
          file: 'shop/service/web',
          kind: 'service',
          namespace: 'shop',
          name: 'web',
          field: 'image',
        },
        labels: {
          host: 'web-1',
          project: 'shop',
          service: 'web',
        },
      },
    ]);
    expect(summary).toMatchObject({
      not_modified: false,
      found: 3,
      skipped: 0,
      unread_kinds: [],
      requests: 4,
      host_uid: `docker:${fake.info.ID}`,
    });
    expect(summary).not.toHaveProperty('warnings');
    expect(fake.requests).toEqual(['GET /version', 'GET /info', 'GET /containers/json', 'GET /images/json']);
  });

  test('applies the filters and label rules of the job', async () => {
    fake.containers = [
      composeContainer('shop', 'web', 'acme/web:1.0.0'),
      composeContainer('sandbox', 'web', 'acme/web:1.0.0'),
      containerOf('acme/tool:1.0.0', { name: 'tool' }),
    ];
    expect(versionsOf(await agent.run({ exclude: ['sandbox/'], extractors: ['compose'] }))).toEqual([
      ['compose:service:shop:web:image', 'acme/web', '1.0.0'],
    ]);
    const { items } = await agent.run({
      include: ['shop/'],
      label_rules: [{ pattern: '^(?P<team>[^/]+)/', labels: { tier: 'one' } }],
    });
    expect(items).toMatchObject([{ labels: { team: 'shop', tier: 'one', host: 'web-1' } }]);
  });

  test('uses the image of most replicas, and notes that others differ', async () => {
    fake.containers = ['1.0.0', '1.1.0', '1.0.0'].map((version, at) =>
      composeContainer('shop', 'web', `acme/web:${version}`, {
        at,
        imageId: digestOf(version === '1.0.0' ? '1' : '2'),
      }),
    );
    expect((await agent.run()).items).toMatchObject([
      { version: '1.0.0', note: 'some containers run another image' },
    ]);
  });

  test('excludes one-off Compose containers', async () => {
    fake.containers = [
      composeContainer('shop', 'web', 'acme/web:1.0.0', { labels: { 'com.docker.compose.oneoff': 'True' } }),
    ];
    expect((await agent.run()).items).toEqual([]);
  });

  test('uses a remaining tag or repository of an image whose name now refers to another image', async () => {
    const [tagged, dangling, unknown] = [digestOf('1'), digestOf('2'), digestOf('3')];
    fake.containers = [
      containerOf(tagged, { name: 'a', imageId: tagged }),
      containerOf(dangling, { name: 'b', imageId: dangling }),
      containerOf(unknown.slice('sha256:'.length, 19), { name: 'c', imageId: unknown }),
    ];
    fake.images = [
      { Id: tagged, RepoTags: ['acme/web:1.8.2'], RepoDigests: null },
      { Id: dangling, RepoTags: ['<none>:<none>'], RepoDigests: [`acme/api@${digestOf('4')}`] },
    ];
    const { items } = await agent.run();
    const note = 'started under a name that means another image now';
    expect(items).toMatchObject([
      { artifact: { name: 'acme/web' }, version: '1.8.2', note, reason: null },
      { artifact: { name: 'acme/api' }, version: null, digest: digestOf('4'), reason: 'digest', note },
      { artifact: { name: 'sha256:333333333333' }, version: null, digest: null, reason: 'digest' },
    ]);
  });

  test('does not propose a registry for images built locally on a Podman host', async () => {
    fake.containers = [containerOf('localhost/shop_web:1.0.0', { name: 'web' })];
    expect((await agent.run()).items).toMatchObject([{ reason: 'local', proposal: null }]);
  });

  test('sends nothing if nothing has changed', async () => {
    fake.containers = [composeContainer('shop', 'web', 'acme/web:1.0.0')];
    const { validators } = (await agent.run()).summary!;
    // A second replica belongs to the same service, so the result doesn't change.
    fake.containers.push(composeContainer('shop', 'web', 'acme/web:1.0.0', { at: 2 }));
    const again = await agent.run({ validators });
    expect(again.summary).toMatchObject({
      not_modified: true,
      validators,
      host_uid: `docker:${fake.info.ID}`,
    });
    expect(again.items).toEqual([]);
    expect((await agent.run({ validators, exclude: ['a/'] })).summary).toMatchObject({ not_modified: false });
    fake.containers.push(containerOf('acme/web:1.0.0', { name: 'other' }));
    expect((await agent.run({ validators })).summary).toMatchObject({ not_modified: false });
  });

  test('fails on a different host, recognized by its ID for Docker and by its name for Podman', async () => {
    const { summary } = await agent.run();
    fake.info.ID = 'another';
    expect((await agent.run({ uid: summary!.host_uid! })).error).toMatchObject({
      code: 'wrong_host',
      isRetryable: false,
    });
    fake.version = { Components: [{ Name: 'Podman Engine' }], Version: '5.3.1' };
    expect((await agent.run()).summary).toMatchObject({ host_uid: 'podman:vm' });
    fake.info.ID = 'a new one for each response';
    expect((await agent.run({ uid: 'podman:vm' })).error).toBeNull();
    expect((await agent.run({ uid: 'podman:other' })).error).toMatchObject({ code: 'wrong_host' });
  });
});

describe('services of a Swarm', () => {
  beforeEach(() => {
    fake.info.Swarm.LocalNodeState = 'active';
  });
  const task = (service: string, image: string) =>
    containerOf(image, {
      name: `${service}.1.vu5x6wk85lfms6jocylygbp2f`,
      labels: { 'com.docker.swarm.service.name': service, 'com.docker.stack.namespace': 'shop' },
      imageId: digestOf('1'),
    });

  test('are listed by a manager, including services without local containers', async () => {
    fake.services = [
      swarmService('shop', 'web', `acme/web:1.0.0@${digestOf('5')}`),
      swarmService('shop', 'api', 'acme/api:2.0.0'),
      swarmService('shop', 'migrate', 'acme/api:2.0.0', {
        Spec: {
          Name: 'shop_migrate',
          TaskTemplate: { ContainerSpec: { Image: 'acme/api:2.0.0' } },
          Mode: { ReplicatedJob: {} },
        },
      }),
    ];
    fake.containers = [task('shop_api', 'acme/api:2.0.0')];
    fake.images = [{ Id: digestOf('1'), RepoDigests: [`acme/api@${digestOf('6')}`] }];
    expect((await agent.run()).items).toMatchObject([
      { key: 'compose:service:shop:api:image', version: '2.0.0', digest: digestOf('6') },
      { key: 'compose:service:shop:web:image', version: '1.0.0', digest: digestOf('5') },
    ]);
  });

  test('keep their previous version until an update is complete', async () => {
    fake.services = [
      swarmService('shop', 'web', 'acme/web:1.1.0', {
        UpdateStatus: { State: 'updating' },
        PreviousSpec: { TaskTemplate: { ContainerSpec: { Image: 'acme/web:1.0.0' } } },
      }),
    ];
    expect((await agent.run()).items).toMatchObject([
      { version: '1.0.0', note: 'update to 1.1.0 in progress' },
    ]);
    Object.assign(fake.services[0]!, { UpdateStatus: { State: 'completed' } });
    expect((await agent.run()).items).toMatchObject([{ version: '1.1.0', note: null }]);
  });

  test.each([notASwarmManager, { ...notASwarmManager, status: 406 }])(
    'are derived from local containers on a worker ($status)',
    async (answer) => {
      fake.raw['/services'] = answer;
      fake.containers = [task('shop_api', 'acme/api:2.0.0')];
      const { items, summary } = await agent.run();
      expect(items).toMatchObject([{ key: 'compose:service:shop:api:image' }]);
      expect(summary).toMatchObject({ unread_kinds: [] });
      expect(summary).not.toHaveProperty('warnings');
    },
  );

  test('stay unchanged while the Swarm has no leader', async () => {
    fake.raw['/services'] = { status: 503, body: '{"message":"The swarm does not have a leader."}' };
    expect((await agent.run()).summary).toMatchObject({
      warnings: ["The Swarm's services can't be listed (503). Missing services stay as they are."],
      unread_kinds: ['service'],
    });
  });
});

test('the agent sends only images and service names of a host', async () => {
  const marker = (place: string) => `planted-${place}`;
  fake.info.Swarm.LocalNodeState = 'active';
  Object.assign(fake.info, {
    Name: marker('host-name'),
    Labels: [marker('engine-label')],
    HttpProxy: `http://user:${marker('proxy-password')}@proxy.example.org`,
    Swarm: {
      LocalNodeState: 'active',
      NodeAddr: marker('address'),
      RemoteManagers: [{ Addr: marker('manager') }],
    },
  });
  const imageId = digestOf('1');
  fake.containers = [
    {
      ...composeContainer('shop', 'web', 'acme/web:1.0.0', {
        imageId,
        labels: {
          [marker('label-name')]: 'x',
          'traefik.http.routers.web.rule': marker('label'),
          'com.docker.compose.project.working_dir': marker('directory'),
          'com.docker.compose.project.environment_file': marker('environment-file'),
        },
      }),
      Command: `/bin/sh -c 'run --password ${marker('command')}'`,
      Mounts: [{ Source: marker('mount'), Destination: '/data' }],
      Ports: [{ IP: marker('port') }],
      NetworkSettings: { Networks: { [marker('network')]: { IPAddress: marker('ip') } } },
      Env: [`TOKEN=${marker('variable')}`],
    },
  ];
  fake.images = [
    {
      Id: imageId,
      RepoTags: ['acme/web:1.0.0'],
      RepoDigests: [`acme/web@${digestOf('2')}`],
      Labels: { maintainer: marker('image-label') },
    },
    { Id: digestOf('3'), RepoTags: [`${marker('unused-image')}:1.0.0`] },
  ];
  fake.services = [
    {
      Spec: {
        Name: 'shop_api',
        Labels: {
          'com.docker.stack.namespace': 'shop',
          a: marker('service-label'),
        },
        TaskTemplate: {
          ContainerSpec: {
            Image: 'acme/api:2.0.0',
            Env: [`TOKEN=${marker('service-variable')}`],
            Args: [marker('argument')],
            Secrets: [{ SecretName: marker('secret') }],
            Mounts: [{ Source: marker('service-mount') }],
          },
        },
        Mode: { Global: {} },
      },
    },
  ];
  const outcome = await agent.run();
  expect(outcome.error).toBeNull();
  expect(outcome.items.map(({ artifact }) => artifact.name)).toEqual(['acme/api', 'acme/web']);
  expect(outcome.wire).not.toContain('planted-');
  expect(outcome.wire).not.toContain(fake.socket);
});

describe('the client of a socket', () => {
  const open = (options: { socket?: string; timeoutMs?: number } = {}) =>
    createHostOpener({
      userAgent: 'test',
      room: createBodyMemoryLimit(),
      ...(options.timeoutMs !== undefined && { timeoutMs: options.timeoutMs }),
    })(
      { type: 'docker', name: 'socket', organizations: null, socket: options.socket ?? fake.socket },
      { fairKey: '1', signal: new AbortController().signal },
    );

  test('sends only GET requests to five paths', async () => {
    expect(hostPaths).toEqual(['/version', '/info', '/containers/json', '/images/json', '/services']);
    for (const allowed of hostPaths) await open().get(allowed);
    expect(fake.requests).toEqual(hostPaths.map((allowed) => `GET ${allowed}`));
    const others = [
      '/containers/create',
      '/containers/json?all=1',
      '/containers/a/json',
      '/../info',
      '/secrets',
    ];
    for (const other of others) await expect(open().get(other as HostPath)).rejects.toThrow(TypeError);
    expect(fake.requests).toHaveLength(hostPaths.length);
  });

  test('does not follow redirects', async () => {
    fake.raw['/info'] = { status: 301, body: '' };
    expect((await agent.run()).error).toMatchObject({ code: 'invalid_index' });
    expect(fake.requests).toEqual(['GET /version', 'GET /info']);
  });

  test('limits the time and the size of a response', async () => {
    fake.silent.add('/version');
    await expect(open({ timeoutMs: 50 }).get('/version')).rejects.toMatchObject({ code: 'timeout' });
    fake.raw['/containers/json'] = { body: `[${' '.repeat(maxListBytes)}]` };
    await expect(open().get('/containers/json')).rejects.toMatchObject({ code: 'too_large' });
  });

  test('reports the reason if it cannot use the socket', async () => {
    const file = path.join(folder, 'file');
    writeFileSync(file, '');
    await expect(open({ socket: path.join(folder, 'none') }).get('/info')).rejects.toMatchObject({
      code: 'unreachable',
      isRetryable: true,
      message: `The socket of the host "socket" doesn't exist. Start Docker or Podman, or mount the socket.`,
    });
    await expect(open({ socket: file }).get('/info')).rejects.toMatchObject({ code: 'unreachable' });
    fake.raw['/containers/json'] = { status: 403, body: 'Forbidden' };
    expect((await agent.run()).error).toMatchObject({
      code: 'unauthorized',
      message: "The socket doesn't allow GET /containers/json (403).",
    });
    expect((await agent.run({ credential_name: null })).error).toMatchObject({ code: 'credential_missing' });
  });
});

test.each([
  ["objects that aren't containers", '[{"Image":{}},{"Names":[1],"Image":"a"},{"Labels":[]}]', null],
  ['null', 'null', 'invalid_index'],
  ['an object', '{"list":[]}', 'invalid_index'],
  ['invalid JSON', '<html>', 'invalid_index'],
  ['very deep JSON', '['.repeat(1_000_000), 'invalid_index'],
])('a socket that sends %s can only cause its own run to fail', async (_, body, code) => {
  fake.raw['/containers/json'] = { body };
  const { error, summary } = await agent.run();
  if (code === null) expect(summary).toMatchObject({ found: 0 });
  else expect(error).toMatchObject({ code });
});

test('a scan reads 10,000 containers with long labels', async () => {
  const labels = Object.fromEntries(
    Array.from({ length: 20 }, (_, at) => [`org.example.label-${at}`, 'x'.repeat(100)]),
  );
  fake.containers = Array.from({ length: 10_000 }, (_, at) =>
    composeContainer(`project-${at % 500}`, `service-${at}`, `acme/app-${at}:1.0.${at}`, { labels }),
  );
  const { items, error } = await agent.run();
  expect(error).toBeNull();
  expect(new Set(items.map(({ key }) => key)).size).toBe(10_000);
});

test('the access check prints what the agent can read from a socket', async () => {
  const lines: string[] = [];
  const check = () => agent.check((line) => void lines.push(line));
  expect(await check()).toBe(true);
  expect(lines).toEqual([
    `socket (container host): ${fake.socket}`,
    `  Docker 28.2.2, host docker:${fake.info.ID}`,
    '  GET /containers/json   allowed',
    '  GET /images/json       allowed',
    '  GET /services          not a Swarm manager',
    '  Anyone who can access the socket has root access to the host. Besides these requests, the agent sends only GET /version and GET /info.',
  ]);
  fake.info.Swarm.LocalNodeState = 'active';
  expect(await check()).toBe(true);
  expect(lines.at(-2)).toBe('  GET /services          allowed');
  fake.raw['/images/json'] = { status: 403, body: '' };
  expect(await check()).toBe(false);
  expect(lines.at(-1)).toBe("  The socket doesn't allow GET /images/json (403).");
});

test('one agent reads several hosts, each for the jobs that refer to it, and an unreachable host does not affect the others', async () => {
  const second = await startFakeDocker(temporaryFolder());
  const both = createHostAgent(fake.socket, {
    others: [
      { name: 'second', socket: second.socket },
      { name: 'down', socket: path.join(folder, 'none.sock') },
    ],
  });
  try {
    second.info.ID = 'SECOND';
    fake.containers = [composeContainer('shop', 'web', 'ghcr.io/acme/web:1.9.0', {})];
    second.containers = [composeContainer('shop', 'web', 'ghcr.io/acme/web:1.8.0', {})];
    const versionsIn = async (credential_name: string) =>
      (await both.run({ credential_name })).items.map(({ version }) => version);
    expect(await versionsIn('socket')).toEqual(['1.9.0']);
    expect(await versionsIn('second')).toEqual(['1.8.0']);
    expect((await both.run({ credential_name: 'down' })).error).toMatchObject({ code: 'unreachable' });
    expect((await both.run({ credential_name: 'third' })).error).toMatchObject({
      code: 'credential_missing',
    });
    expect(
      (await both.run({ credential_name: 'second', uid: `docker:${fake.info.ID}` })).error,
    ).toMatchObject({
      code: 'wrong_host',
    });
    const lines: string[] = [];
    expect(await both.check((line) => void lines.push(line))).toBe(false);
    expect(lines.filter((line) => /^\S|host docker:/.test(line))).toEqual([
      `socket (container host): ${fake.socket}`,
      `  Docker 28.2.2, host docker:${fake.info.ID}`,
      `second (container host): ${second.socket}`,
      '  Docker 28.2.2, host docker:SECOND',
      `down (container host): ${path.join(folder, 'none.sock')}`,
    ]);
  } finally {
    await both.close();
    await second.close();
  }
});

interface RecordedHost {
  version: object;
  info: FakeDocker['info'];
  containers: object[];
  images: object[];
  services?: object[];
}

/** Replays recorded responses of Docker 20.10 or Podman 4.3 for containers on a test machine. */
function playRecorded(name: string): void {
  const file = new URL(`../../tests/fixtures/container-hosts/${name}.json`, import.meta.url);
  const { version, info, containers, images, services } = JSON.parse(
    readFileSync(file, 'utf8'),
  ) as RecordedHost;
  Object.assign(fake, { version, info, containers, images, services: services ?? [] });
}

test('a scan reads recorded responses of Docker', async () => {
  playRecorded('docker');
  const { items, summary } = await agent.run();
  expect(summary).toMatchObject({
    host_uid: 'docker:BVG3:5E3D:IXCD:X6CG:PXYB:H7UA:5VW6:WJD2:R2IL:UFFI:3BC5:XLPP',
  });
  expect(items.map(({ key, artifact, version }) => [key, artifact.name, version])).toEqual([
    ['docker:container::moved:image', 'sha256:b2d7bf73ae2e', null],
    ['compose:service:shop:api:image', 'registry.example.org/acme/api', '2.0.0'],
    ['compose:service:shop:web:image', 'sha256:b2d7bf73ae2e', null],
  ]);
});

test('a scan reads recorded responses of Podman', async () => {
  playRecorded('podman');
  const { items, summary } = await agent.run();
  expect(summary).toMatchObject({ host_uid: 'podman:vm' });
  expect(items).toMatchObject([
    {
      key: 'compose:service:shop:web:image',
      version: '1.8.2',
      digest: 'sha256:b056c2f5c1ade0a2092246e4681264c1b21228ced9b252c8631f08955afb2074',
    },
  ]);
});
