import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { fastestTemporaryFolder } from '../../../tests/helpers/temporary-folder.ts';
import { hasSshd, type SshServer, startSshServer } from '../../../tests/helpers/upstreams/ssh-server.ts';
import { RunError } from '../../domain/runs/run-error.ts';
import { createSilentLog } from '../../platform/log.ts';
import { createEgressGuard, createOutboundClient } from '../../platform/outbound/index.ts';
import type { AgentCredential } from '../agent-credential.ts';
import { createRepositoryReader } from './repository-reader.ts';

const closers: (() => Promise<void>)[] = [];
let folder = '';

beforeEach(() => {
  folder = mkdtempSync(path.join(fastestTemporaryFolder, 'pacekeeper-cache-'));
});

afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
  rmSync(folder, { recursive: true, force: true });
});

describe.skipIf(!hasSshd)('repositories over SSH (needs sshd: Debian package openssh-server)', () => {
  let shared: SshServer;
  let count = 0;
  beforeAll(async () => {
    shared = await startSshServer();
  });
  afterAll(() => shared.close());

  /** Returns the server. The repositories of each test are in a separate directory. */
  const start = (): SshServer => {
    const directory = `test-${count++}`;
    return { ...shared, createRepository: (name) => shared.createRepository(`${directory}/${name}`) };
  };

  const keyOf = (server: SshServer, change: Partial<AgentCredential> = {}): AgentCredential =>
    ({
      type: 'ssh_key',
      name: 'deploy',
      hosts: ['127.0.0.1'],
      organizations: null,
      privateKey: server.privateKey,
      knownHosts: server.knownHosts,
      ...change,
    }) as AgentCredential;

  async function read(
    url: string,
    credential: AgentCredential | null,
    { allow = ['127.0.0.1/32'], whileOpen = () => {} } = {},
  ): Promise<string> {
    const allowHttp = () => false;
    const client = createOutboundClient({ guard: createEgressGuard({ allow }), allowHttp });
    const reader = createRepositoryReader({ folder, client, allowHttp, log: createSilentLog() });
    closers.push(
      () => client.close(),
      () => reader.close(),
    );
    let found = 'nothing was said';
    try {
      await reader.readFiles(
        { organizationId: 2, url, credential, signal: new AbortController().signal },
        [{ ref: 'HEAD', file: 'version' }],
        async (_, result) => {
          whileOpen();
          found = result instanceof Error ? result.message : result.text;
        },
      );
    } catch (error) {
      if (!(error instanceof RunError)) throw error;
      return error.code;
    }
    return found;
  }

  test('the key opens the repository and is deleted afterwards', async () => {
    const server = start();
    const repository = server.createRepository('deploy.git');
    repository.commit({ version: '1.2.3' });
    const tmp = process.env['TMPDIR'];
    process.env['TMPDIR'] = folder;
    closers.push(async () => {
      if (tmp === undefined) delete process.env['TMPDIR'];
      else process.env['TMPDIR'] = tmp;
    });
    expect(await read(repository.url, keyOf(server))).toBe('1.2.3');
    repository.commit({ version: '1.2.4' });
    expect(await read(repository.url, keyOf(server))).toBe('1.2.4');
    for (const own of readdirSync(`${folder}-sessions`)) {
      expect(readdirSync(path.join(`${folder}-sessions`, own))).toEqual([]);
    }
    expect(readdirSync(folder)).toEqual([expect.stringMatching(/^2-[0-9a-f]{32}$/u)]);
  });

  // Without `/proc/self/fd`, ssh can read the key only from a file with a name.
  test.runIf(existsSync('/proc/self/fd'))(
    'no file contains the key while it is in use, so a killed agent leaves no key behind',
    async () => {
      const server = start();
      const repository = server.createRepository('deploy.git');
      repository.commit({ version: '1.2.3' });
      const files = new Map<string, string>();
      const lookAt = () => {
        for (const each of readdirSync(`${folder}-sessions`, { recursive: true, withFileTypes: true }))
          if (each.isFile())
            files.set(each.name, readFileSync(path.join(each.parentPath, each.name), 'utf8'));
      };
      expect(await read(repository.url, keyOf(server), { whileOpen: lookAt })).toBe('1.2.3');
      expect([...files.keys()]).toContain('known_hosts');
      expect([...files].filter(([, text]) => text.includes('PRIVATE KEY'))).toEqual([]);
    },
  );

  test('a key that the server does not accept is reported as unauthorized', async () => {
    const server = start();
    const repository = server.createRepository('deploy.git');
    expect(await read(repository.url, keyOf(server, { privateKey: server.otherKey }))).toBe('unauthorized');
    expect(await read(repository.url, keyOf(server, { privateKey: 'no key' }))).toBe('unauthorized');
  });

  test('a server whose key is not a known host key is reported as unauthorized', async () => {
    const server = start();
    const other = await startSshServer();
    closers.push(() => other.close());
    const repository = server.createRepository('deploy.git');
    repository.commit({ version: '1' });
    const [, , key = ''] = other.knownHosts.split(' ');
    const wrong = server.knownHosts.replace(/ \S+ \S+/u, ` ssh-ed25519 ${key}`);
    expect(await read(repository.url, keyOf(server, { knownHosts: wrong }))).toBe('unauthorized');
    expect(await read(repository.url, keyOf(server, { knownHosts: '' }))).toBe('unauthorized');
  });

  test('SSH requires a key credential for the host', async () => {
    const server = start();
    const repository = server.createRepository('deploy.git');
    expect(await read(repository.url, null)).toBe('unauthorized');
    const token: AgentCredential = {
      type: 'https_pat',
      name: 'x',
      hosts: ['127.0.0.1'],
      token: 't',
      organizations: null,
    };
    expect(await read(repository.url, token)).toBe('unauthorized');
    expect(await read(repository.url, keyOf(server, { hosts: ['git.example.com'] }))).toBe(
      'credential_not_for_host',
    );
  });

  test('the egress guard applies to SSH too', async () => {
    const server = start();
    const repository = server.createRepository('deploy.git');
    expect(await read(repository.url, keyOf(server), { allow: [] })).toBe('target_not_allowed');
  });

  test('a missing repository is reported as not_found', async () => {
    const server = start();
    const { url } = server.createRepository('deploy.git');
    expect(await read(`${url}-other`, keyOf(server))).toBe('not_found');
  });
});
