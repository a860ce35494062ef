import { randomBytes } from 'node:crypto';
import { readdirSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { createRepositoryReader } from '../../src/agent/git/repository-reader.ts';
import { RunError } from '../../src/domain/runs/run-error.ts';
import { createSilentLog } from '../../src/platform/log.ts';
import { createEgressGuard, createOutboundClient } from '../../src/platform/outbound/index.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';
import { startTestServer, type TestOrganization } from '../helpers/test-server.ts';
import { hasGitHttpBackend, startGitServer } from '../helpers/upstreams/git-server.ts';
import { hasSshd, startSshServer } from '../helpers/upstreams/ssh-server.ts';

/** Accepts git and ssh connections but never responds. */
const sockets = new Set<Socket>();
const silent = createServer((socket) => {
  sockets.add(socket);
  socket.on('error', () => undefined);
});
beforeAll(() => new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve)));
afterAll(() => {
  for (const socket of sockets) socket.destroy();
  silent.close();
});

describe.skipIf(!hasSshd)('repositories of one organization that never respond (needs sshd)', () => {
  test('don’t delay the scrapes of another', async () => {
    const ssh = await startSshServer();
    onTestFinished(() => ssh.close());
    const config = path.join(temporaryFolder(), 'agent.yaml');
    const credential = {
      type: 'ssh_key',
      name: 'deploy',
      hosts: ['127.0.0.1'],
      organizations: [2, 3, 4, 5],
      private_key: ssh.privateKey,
      known_hosts: ssh.knownHosts,
    };
    writeFileSync(config, JSON.stringify({ credentials: [credential] }));
    const server = await fairServer(config);
    const [attacker, victim] = [await server.createOrganization(), await server.createOrganization()];
    const { port } = silent.address() as AddressInfo;
    const attack = await Promise.all(
      Array.from({ length: 60 }, (_, index) =>
        index % 2 === 0
          ? createJob(attacker, `ssh://git@127.0.0.1:${port}/${index}.git`, 'deploy')
          : createJob(attacker, `http://127.0.0.1:${port}/${index}.git`, null),
      ),
    );
    // Wait until the agent runs as many of these runs as its limits allow.
    await expect.poll(() => sockets.size).toBeGreaterThanOrEqual(4);

    const repository = ssh.createRepository('deploy.git');
    repository.commit({ 'values.yaml': 'tag: 1.2.3\n' });
    const good = await createJob(victim, repository.url, 'deploy');
    const jobOf = ({ api }: TestOrganization, id: number) => api.call('getScrapeJob', { path: { id } });
    await expect
      .poll(async () => (await jobOf(victim, good)).latest_version, { timeout: 60_000 })
      .toBe('1.2.3');
    expect((await jobOf(victim, good)).last_run).toMatchObject({ status: 'succeeded', attempt: 1 });
    // The attacker's runs fail only because nothing responds, and most haven't had their turn.
    const runs = await Promise.all(attack.map(async (id) => (await jobOf(attacker, id)).last_run));
    const codes = runs.flatMap((run) => run?.error?.code ?? []);
    expect(codes.filter((code) => code !== 'unreachable')).toEqual([]);
    expect(codes.length).toBeLessThan(attack.length / 2);
  });
});

/**
 * Starts a server with the embedded agent. Each test calls this function itself, because the credentials in
 * `config` must exist first.
 */
async function fairServer(config: string) {
  return startTestServer({
    PACEKEEPER_EMBEDDED_AGENT: 'true',
    PACEKEEPER_AGENT_CONFIG: config,
  });
}

async function createJob(
  { api }: TestOrganization,
  repository_url: string,
  credential_name: string | null,
): Promise<number> {
  const { id } = await api.call('createScrapeJob', {
    body: {
      name: 'deploy',
      parser_type: 'yq',
      repository_url,
      target_file: 'values.yaml',
      parse_expression: '.tag',
      credential_name,
    },
  });
  return id;
}

describe.skipIf(!hasGitHttpBackend)('cached repositories (needs git http-backend)', () => {
  test('of one organization aren’t evicted for those of another with a larger cache', async () => {
    const { git, folder, reader } = await startReader(450_000);
    async function read(organizationId: number, name: string, bytes: number): Promise<void> {
      const repository = git.createRepository(`${name}.git`);
      repository.commit({ noise: randomBytes(bytes) });
      await reader.readFiles(
        { organizationId, url: repository.url, credential: null, signal: new AbortController().signal },
        [{ ref: 'HEAD', file: 'noise' }],
        async (_, result) => expect(result).not.toBeInstanceOf(Error),
      );
      // The modification times must differ, because they determine which repository has been unused for longest.
      await new Promise((resolve) => setTimeout(resolve, 15));
    }
    await read(2, 'small', 50_000);
    const [small = ''] = readdirSync(folder);
    for (const name of ['a', 'b', 'c', 'd', 'e']) await read(3, name, 90_000);
    expect(readdirSync(folder)).toContain(small);
    expect(readdirSync(folder)).toHaveLength(3);
  });

  test('leave no files behind if they are empty or missing', async () => {
    const { git, folder, reader } = await startReader(1_000_000);
    const signal = new AbortController().signal;
    for (let index = 0; index < 5; index += 1) {
      const url =
        index % 2 === 0 ? git.createRepository(`${index}.git`).url : `http://${git.host}/${index}.git`;
      const access = { organizationId: 2, url, credential: null, signal };
      const read = reader.readFiles(access, [{ ref: 'HEAD', file: 'a' }], async () => undefined);
      await read.catch((error: unknown) => expect(error).toBeInstanceOf(RunError));
      await reader.listTags(access).catch((error: unknown) => expect(error).toBeInstanceOf(RunError));
    }
    expect(readdirSync(folder)).toEqual([]);
  });

  test('count toward the cache size with the disk usage of their refs', async () => {
    const { git, folder, reader } = await startReader(1_000_000);
    const repository = git.createRepository('branches.git');
    const sha = repository.commit({ a: 'text' });
    const next = repository.commit({ a: 'another text' });
    repository.setRefs(
      Array.from({ length: 300 }, (_, index) => `refs/heads/b${index}`),
      next,
    );
    const access = { organizationId: 2, url: repository.url, credential: null };
    // An old server requires a fetch of all branches to get one commit.
    git.isOld = true;
    const results: unknown[] = [];
    await reader.readFiles(
      { ...access, signal: new AbortController().signal },
      [{ ref: sha, file: 'a' }],
      async (_, result) => void results.push(result),
    );
    expect(results).toHaveLength(1);
    expect(results[0]).not.toBeInstanceOf(Error);
    // The packs have a few hundred bytes, but each of the 300 refs uses a disk block.
    expect(readdirSync(folder)).toEqual([]);
  });
});

async function startReader(maxCacheBytes: number) {
  const git = await startGitServer();
  onTestFinished(() => git.close());
  const folder = temporaryFolder();
  const allowHttp = () => true;
  const client = createOutboundClient({ guard: createEgressGuard({ allow: ['127.0.0.1/32'] }), allowHttp });
  const reader = createRepositoryReader({ folder, client, allowHttp, log: createSilentLog(), maxCacheBytes });
  onTestFinished(async () => {
    await reader.close();
    await client.close();
  });
  return { git, folder, reader };
}
