import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createHostAgent } from '../helpers/host-agent.ts';
import { createScanner, deployedImageItem } from '../helpers/scan-by-hand.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';
import { sharedTestServer } from '../helpers/test-server.ts';
import { composeContainer, type FakeDocker, startFakeDocker } from '../helpers/upstreams/fake-docker.ts';
import {
  hasDocker,
  hasPodman,
  importImage,
  startDocker,
  startPodman,
} from '../helpers/upstreams/real-docker.ts';

const server = await sharedTestServer();
let fake: FakeDocker;
let agent: ReturnType<typeof createHostAgent>;
beforeEach(async () => {
  fake = await startFakeDocker(temporaryFolder());
  agent = createHostAgent(fake.socket);
});
afterEach(async () => {
  await agent.close();
  await fake.close();
});

/**
 * Creates discovery jobs for a container host and for the repository with its Compose files, and scans both:
 * the agent reads, and the server applies the results.
 */
async function start() {
  const { api, id: organizationId } = await server.createOrganization();
  const scanner = createScanner(api);
  const repository = await api.call('createDiscoveryJob', {
    body: {
      name: 'Hosts',
      repository_url: 'https://git.example.org/acme/hosts',
      label_rules: [{ pattern: '^(?P<host>[^/]+)/' }],
    },
  });
  const host = await api.call('createDiscoveryJob', {
    body: { name: 'web-1', kind: 'container_host', host_name: 'web-1', credential_name: 'socket' },
  });
  const only = (jobId: number) =>
    sql`
    DELETE FROM runs
    WHERE organization_id = ${organizationId} AND status = 'queued' AND discovery_job_id <> ${jobId}`.execute(
      server.db,
    );
  return {
    api,
    organizationId,
    repository,
    host,
    scanner,
    async scanRepository(items: Parameters<typeof scanner.scan>[1]) {
      await only(repository.id);
      await scanner.scan(repository.id, items);
    },
    async scanHost(): Promise<boolean> {
      await only(host.id);
      const task = await scanner.claim(host.id);
      const { items, summary, error } = await agent.run({
        ...task.spec,
        uid: task.spec.host!.uid,
      });
      expect(error).toBeNull();
      const path = { id: task.task_id };
      const lease = { lease_token: task.lease_token };
      const parts = items.length > 0 ? 1 : 0;
      if (parts > 0)
        await api.call('submitTaskResults', {
          path,
          body: {
            ...lease,
            sequence: 1,
            items,
          },
        });
      await api.call('completeTask', {
        path,
        body: {
          ...lease,
          parts,
          summary: summary!,
        },
      });
      return parts > 0;
    },
    items: async (jobId: number) =>
      (
        await api.call('listDiscoveredItems', {
          query: {
            discovery_job_id: jobId,
            limit: 200,
          },
        })
      ).items,
  };
}

/** Returns a service of a Compose file, as the scan of a repository discovers it. */
function declared(
  service: string,
  version: string,
  { file = 'web-1/shop/compose.yaml', project = null as string | null, labels = {} } = {},
) {
  const item = deployedImageItem(service, { file, version, labels: { host: 'web-1', ...labels } });
  return {
    ...item,
    extractor: 'compose' as const,
    key: `compose:service:${project ?? ''}:${service}:image`,
    place: { ...item.place, kind: 'service', namespace: project, name: service, field: 'image' },
    artifact: { ...item.artifact, name: `ghcr.io/acme/${service}` },
  };
}

test('a host is scanned, its versions are accepted, and a later version is recorded', async () => {
  const world = await start();
  fake.containers = [composeContainer('shop', 'web', 'ghcr.io/acme/web:1.8.2')];
  expect(await world.scanHost()).toBe(true);
  expect(await world.scanHost()).toBe(false);
  const { created } = await world.api.call('acceptDiscoveredItems', {
    body: { filter: { discovery_job_id: world.host.id }, rule_id: null, labels: {} },
  });
  expect(created).toMatchObject({ scrape_jobs: 1 });
  fake.containers = [composeContainer('shop', 'web', 'ghcr.io/acme/web:1.9.0')];
  expect(await world.scanHost()).toBe(true);
  const { items: jobs } = await world.api.call('listScrapeJobs');
  expect(jobs).toMatchObject([
    { name: 'web', latest_version: '1.9.0', labels: { host: 'web-1', project: 'shop', service: 'web' } },
  ]);
  expect(await world.api.call('getDiscoveryJob', { path: { id: world.host.id } })).toMatchObject({
    kind: 'container_host',
    host_name: 'web-1',
    host_uid: `docker:${fake.info.ID}`,
    cluster_uid: null,
  });
});

describe('a declared service and a running one', () => {
  test.each([
    ['the file names the project', declared('web', '1.9.0', { project: 'shop', file: 'web-1/compose.yaml' })],
    [
      'its directory has the name of the project',
      declared('web', '1.9.0', { file: 'web-1/Shop/compose.yaml' }),
    ],
    [
      'a label names the project',
      declared('web', '1.9.0', { file: 'web-1/x/compose.yaml', labels: { project: 'shop' } }),
    ],
  ])('are one item if %s', async (_, item) => {
    const world = await start();
    await world.scanRepository([item]);
    fake.containers = [composeContainer('shop', 'web', 'ghcr.io/acme/web:1.8.2')];
    await world.scanHost();
    expect(await world.items(world.repository.id)).toMatchObject([
      { version: '1.9.0', live_version: '1.8.2', status: 'new' },
    ]);
    expect(await world.items(world.host.id)).toMatchObject([{ status: 'ignored' }]);
  });

  test.each([
    ['another project', declared('web', '1.9.0', { file: 'web-1/other/compose.yaml' })],
    ['another host', declared('web', '1.9.0', { labels: { host: 'web-2' } })],
    ['another service', declared('api', '1.9.0')],
  ])('are separate items for %s', async (_, item) => {
    const world = await start();
    await world.scanRepository([item]);
    fake.containers = [composeContainer('shop', 'web', 'ghcr.io/acme/web:1.8.2')];
    await world.scanHost();
    expect(await world.items(world.repository.id)).toMatchObject([{ live_version: null, status: 'new' }]);
    expect(await world.items(world.host.id)).toMatchObject([{ status: 'new' }]);
  });

  test('are one item even if the host was scanned first, until the job of the host is deleted', async () => {
    const world = await start();
    fake.containers = [composeContainer('shop', 'web', 'ghcr.io/acme/web:1.8.2')];
    await world.scanHost();
    await world.scanRepository([declared('web', '1.9.0')]);
    expect(await world.items(world.repository.id)).toMatchObject([{ live_version: '1.8.2', status: 'new' }]);
    await world.api.call('deleteDiscoveryJob', { path: { id: world.host.id } });
    expect(await world.items(world.repository.id)).toMatchObject([{ live_version: null }]);
  });
});

describe('a job for a container host', () => {
  test('requires an agent with its capability, and rejects a scan of another host', async () => {
    const world = await start();
    const { rows } = await sql<{ capability: string }>`
      SELECT capability FROM runs WHERE discovery_job_id = ${world.host.id}`.execute(server.db);
    expect(rows).toEqual([{ capability: 'discovery:docker' }]);
    await world.scanHost();
    const scan = (summary: object) => world.scanner.scan(world.host.id, [], summary);
    await expect(scan({ host_uid: 'docker:other' })).rejects.toMatchObject({ code: 'conflict' });
  });

  test('rejects a scan that does not identify its host', async () => {
    const world = await start();
    await sql`DELETE FROM runs WHERE discovery_job_id = ${world.repository.id}`.execute(server.db);
    await expect(world.scanner.scan(world.host.id, [])).rejects.toMatchObject({ code: 'conflict' });
  });

  test('clears its host ID when its credential changes', async () => {
    const world = await start();
    await world.scanHost();
    const path = { id: world.host.id };
    await world.api.call('updateDiscoveryJob', { path, body: { credential_name: 'other' } });
    expect(await world.api.call('getDiscoveryJob', { path })).toMatchObject({ host_uid: null });
  });

  test('does not report services as missing if the scan could not list them', async () => {
    const world = await start();
    await sql`DELETE FROM runs WHERE discovery_job_id = ${world.repository.id}`.execute(server.db);
    const summary = { host_uid: 'docker:a' };
    await world.scanner.scan(world.host.id, [declared('web', '1.0.0', { project: 'shop' })], summary);
    const missing = async () =>
      (await world.items(world.host.id)).map(({ missing_since }) => missing_since !== null);
    await world.scanner.scan(world.host.id, [], { ...summary, unread_kinds: ['service'] });
    expect(await missing()).toEqual([false]);
  });

  test.each([
    [{ host_name: null }, 'host_name'],
    [{ host_name: 'a\u0007' }, 'host_name'],
    [{ credential_name: null }, 'credential_name'],
    [{ repository_url: 'https://git.example.org/a/b' }, 'repository_url'],
    [{ ref: 'main' }, 'ref'],
    [{ cluster_name: 'eu' }, 'cluster_name'],
    [{ helm_secrets: true }, 'helm_secrets'],
    [{ kind: 'kubernetes_cluster' as const, cluster_name: 'eu' }, 'host_name'],
    [{ kind: 'git_repository' as const, repository_url: 'https://git.example.org/a/b' }, 'host_name'],
  ])('is rejected with %j because of %s', async (change, field) => {
    const { api } = await server.createOrganization();
    const job = { name: 'a', kind: 'container_host' as const, host_name: 'a', credential_name: 'a' };
    await expect(api.call('createDiscoveryJob', { body: { ...job, ...change } })).rejects.toMatchObject({
      errors: [{ field }],
    });
  });
});

describe.skipIf(!hasDocker)('a real Docker host (needs dockerd, docker, and busybox-static)', () => {
  test('is scanned with its containers and the services of its Swarm', async () => {
    const folder = temporaryFolder();
    const host = await startDocker(folder);
    const real = createHostAgent(host.socket);
    try {
      importImage(host, folder, 'registry.example.org/acme/web:1.8.2');
      const run = (name: string, ...args: string[]) =>
        host.docker(
          'run',
          '--detach',
          '--network=none',
          '--name',
          name,
          '--env',
          'TOKEN=planted',
          ...args,
          'registry.example.org/acme/web:1.8.2',
          '/bin/busybox',
          'sleep',
          '600',
        );
      const labels = [
        '--label',
        'com.docker.compose.project=shop',
        '--label',
        'com.docker.compose.service=web',
      ];
      run('shop-web-1', ...labels, '--label', 'note=planted');
      run('shop-web-2', ...labels);
      run('tool');
      const { items, summary, error, wire } = await real.run();
      expect(error).toBeNull();
      expect(items.map(({ key, version }) => [key, version])).toEqual([
        ['docker:container::tool:image', '1.8.2'],
        ['compose:service:shop:web:image', '1.8.2'],
      ]);
      expect(wire).not.toContain('planted');
      expect((await real.run({ uid: summary!.host_uid! })).error).toBeNull();
      const lines: string[] = [];
      expect(await real.check((line) => void lines.push(line))).toBe(true);
      expect(lines).toContain('  GET /services          not a Swarm manager');

      host.docker('swarm', 'init', '--advertise-addr', '127.0.0.1');
      host.docker(
        'service',
        'create',
        '--detach',
        '--no-resolve-image',
        '--name',
        'store_db',
        '--replicas',
        '0',
        '--label',
        'com.docker.stack.namespace=store',
        'registry.example.org/acme/web:1.8.2',
      );
      expect((await real.run()).items.map(({ key }) => key)).toContain('compose:service:store:db:image');
    } finally {
      host.docker('swarm', 'leave', '--force');
      host.docker('rm', '--force', 'shop-web-1', 'shop-web-2', 'tool');
      await real.close();
      await host.close();
    }
  });
});

describe.skipIf(!hasPodman)('a real Podman host (needs podman)', () => {
  test('is identified by its name in every scan', async () => {
    const host = await startPodman(temporaryFolder());
    const real = createHostAgent(host.socket);
    try {
      const { summary, error, items } = await real.run();
      expect(error).toBeNull();
      expect(items).toEqual([]);
      expect(summary!.host_uid).toMatch(/^podman:./);
      expect((await real.run({ uid: summary!.host_uid! })).error).toBeNull();
    } finally {
      await real.close();
      await host.close();
    }
  });
});
