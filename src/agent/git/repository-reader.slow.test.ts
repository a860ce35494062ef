import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import path from 'node:path';
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { fastestTemporaryFolder } from '../../../tests/helpers/temporary-folder.ts';
import { parseInProcess } from '../../../tests/helpers/upstreams/gather-from.ts';
import {
  type GitServer,
  hasGitHttpBackend,
  startGitServer,
  type TestFile,
} from '../../../tests/helpers/upstreams/git-server.ts';
import { startUpstreamServer } from '../../../tests/helpers/upstreams/upstream-server.ts';
import { RunError } from '../../domain/runs/run-error.ts';
import { createSilentLog } from '../../platform/log.ts';
import { createEgressGuard, createHttpPolicy, createOutboundClient } from '../../platform/outbound/index.ts';
import type { AgentCredential } from '../agent-credential.ts';
import type { FileContent, FileWant } from './repository-access.ts';
import { createRepositoryReader, type RepositoryReader } from './repository-reader.ts';

const closers: (() => Promise<void>)[] = [];
let folder = '';

const openFolder = () => {
  folder = mkdtempSync(path.join(fastestTemporaryFolder, 'pacekeeper-cache-'));
};
const closeAll = async () => {
  for (const close of closers.splice(0).reverse()) await close();
  rmSync(folder, { recursive: true, force: true });
};

beforeEach(openFolder);
afterEach(closeAll);

function createReader(
  options: {
    maxCacheBytes?: number;
    maxTransferBytes?: number;
    insecureHosts?: string[];
    allow?: string[];
  } = {},
): RepositoryReader {
  const allowHttp = createHttpPolicy({
    insecureHosts: options.insecureHosts ?? ['127.0.0.1'],
    allowHttpWebhooks: false,
  });
  const client = createOutboundClient({
    guard: createEgressGuard({ allow: options.allow ?? ['127.0.0.1/32'] }),
    allowHttp,
  });
  const reader = createRepositoryReader({ folder, client, allowHttp, log: createSilentLog(), ...options });
  closers.push(
    () => client.close(),
    () => reader.close(),
  );
  return reader;
}

async function startServer(): Promise<GitServer> {
  const server = await startGitServer();
  closers.push(() => server.close());
  return server;
}

const token: AgentCredential = {
  type: 'https_pat',
  name: 'readonly',
  hosts: ['127.0.0.1'],
  token: 'secret-token',
  organizations: null,
};

interface ReadOptions {
  credential?: AgentCredential | null;
  organizationId?: number;
  signal?: AbortSignal;
}

/** Returns the text of each file, or the code of its error. */
async function read(
  reader: RepositoryReader,
  url: string,
  wants: readonly FileWant[],
  options: ReadOptions = {},
): Promise<(string | null)[]> {
  const results = await readAll(reader, url, wants, options);
  return results.map((result) => (result instanceof RunError ? result.code : result.text));
}

async function readAll(
  reader: RepositoryReader,
  url: string,
  wants: readonly FileWant[],
  { credential = null, organizationId = 2, signal = new AbortController().signal }: ReadOptions = {},
): Promise<(FileContent | RunError)[]> {
  const results = new Map<FileWant, FileContent | RunError>();
  await reader.readFiles({ url, credential, organizationId, signal }, wants, async (want, result) => {
    if (result instanceof Error && !(result instanceof RunError)) throw result;
    results.set(want, result);
  });
  return wants.map((want) => results.get(want) ?? new RunError('internal', 'nothing was said of it'));
}

async function failureOf(reading: Promise<unknown>): Promise<RunError> {
  const outcome = await reading.then(
    (value) => new Error(`it ended well: ${JSON.stringify(value)}`),
    (error: unknown) => error,
  );
  if (outcome instanceof RunError) return outcome;
  throw outcome;
}

const head = (file: string): FileWant => ({ ref: 'HEAD', file });

describe.skipIf(!hasGitHttpBackend)('files of a repository (needs git with http-backend)', () => {
  test('a file is read at HEAD, a branch, a tag, or a commit, and the result contains the commit', async () => {
    const server = await startServer();
    const repository = server.createRepository('acme/deploy.git');
    const first = repository.commit({ 'a/values.yaml': 'tag: 1.0.0\n' });
    const second = repository.commit({ 'a/values.yaml': 'tag: 2.0.0\n' });
    repository.git('tag', 'v1', first);
    repository.git('-c', 'user.name=T', '-c', 'user.email=t@e', 'tag', '-a', '-m', 'x', 'v2', second);
    repository.commit({ 'a/values.yaml': 'tag: 3.0.0\n' }, { branch: 'feature/x' });
    const refs = ['HEAD', 'main', 'refs/heads/main', 'v1', 'v2', 'feature/x', first];
    const results = await readAll(
      createReader(),
      repository.url,
      refs.map((ref) => ({ ref, file: 'a/values.yaml' })),
    );
    expect(
      results.map((result) => (result instanceof Error ? result : [result.text, result.commitSha])),
    ).toEqual([
      ['tag: 2.0.0\n', second],
      ['tag: 2.0.0\n', second],
      ['tag: 2.0.0\n', second],
      ['tag: 1.0.0\n', first],
      ['tag: 2.0.0\n', second],
      ['tag: 3.0.0\n', expect.stringMatching(/^[0-9a-f]{40}$/u)],
      ['tag: 1.0.0\n', first],
    ]);
  });

  test('the next read returns pushed changes', async () => {
    const server = await startServer();
    const repository = server.createRepository('acme/deploy.git');
    const reader = createReader();
    repository.commit({ version: '1' });
    expect(await read(reader, repository.url, [head('version')])).toEqual(['1']);
    repository.commit({ version: '2' });
    expect(await read(reader, repository.url, [head('version')])).toEqual(['2']);
    // After a push that rewrites the history, the next read also returns the new state.
    repository.git('update-ref', 'refs/heads/main', repository.git('rev-parse', 'main~1').trim());
    expect(await read(reader, repository.url, [head('version')])).toEqual(['1']);
  });

  test('a thousand files in a thousand directories need one fetch of the commit and one fetch of the files', async () => {
    const server = await startServer();
    const repository = server.createRepository('mono.git');
    const files = Object.fromEntries(
      Array.from({ length: 1_000 }, (_, index) => [`apps/app-${index}/version`, `1.${index}.0`]),
    );
    repository.commit(files);
    const wants = Object.keys(files).map(head);
    const reader = createReader();
    expect(await read(reader, repository.url, wants)).toEqual(Object.values(files));
    expect(server.fetches()).toBe(2);
    // Nothing has changed, so only the commit is fetched, not the files.
    await read(reader, repository.url, wants);
    expect(server.fetches()).toBe(3);
  });

  test("a missing ref doesn't prevent the reads of other refs", async () => {
    const server = await startServer();
    const repository = server.createRepository('acme/deploy.git');
    const sha = repository.commit({ version: '1' });
    const none = 'f'.repeat(40);
    const refs = ['main', 'gone', 'HEAD', sha, none];
    expect(
      await read(
        createReader(),
        repository.url,
        refs.map((ref) => ({ ref, file: 'version' })),
      ),
    ).toEqual(['1', 'ref_not_found', '1', '1', 'ref_not_found']);
    expect(await read(createReader(), repository.url, [{ ref: 'gone', file: 'version' }])).toEqual([
      'ref_not_found',
    ]);
    expect(await read(createReader(), repository.url, [{ ref: none, file: 'version' }])).toEqual([
      'ref_not_found',
    ]);
  });

  describe('unusual paths', () => {
    const rejected: [title: string, files: Record<string, TestFile>, file: string, code: string][] = [
      ["a file that doesn't exist", {}, 'none', 'file_not_found'],
      ['a file below another file', { a: 'x' }, 'a/b', 'file_not_found'],
      ['a directory', { 'a/b': 'x' }, 'a', 'file_refused'],
      ['a submodule', { sub: { commit: '1'.repeat(40) } }, 'sub', 'file_refused'],
      ['a file in a submodule', { sub: { commit: '1'.repeat(40) } }, 'sub/version', 'file_refused'],
      ['a link to an absolute path', { a: { link: '/etc/passwd' } }, 'a', 'file_refused'],
      [
        'a link to a path outside the repository',
        { 'x/a': { link: '../../etc/passwd' } },
        'x/a',
        'file_refused',
      ],
      ['a link to a directory above the root', { a: { link: '..' } }, 'a/etc/passwd', 'file_refused'],
      ['a link to a missing file', { a: { link: 'gone' } }, 'a', 'file_not_found'],
      ['a link to itself', { a: { link: 'a' } }, 'a', 'file_refused'],
      ['a cycle of links', { a: { link: 'b' }, b: { link: 'a' } }, 'a', 'file_refused'],
      ['a link to a directory', { 'd/f': 'x', a: { link: 'd' } }, 'a', 'file_refused'],
      [
        'a Git LFS file',
        { a: 'version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 12\n' },
        'a',
        'file_refused',
      ],
      ['a file above 5 MiB', { a: Buffer.alloc(5 * 1024 * 1024 + 1, 'x') }, 'a', 'too_large'],
      ['a path outside the repository', {}, '../ok', 'file_refused'],
      ['an absolute path', {}, '/etc/passwd', 'file_refused'],
      ['a path into .git', {}, '.git/config', 'file_refused'],
      ['an empty path', {}, '', 'file_refused'],
      ['a path that looks like an option', {}, '--help', 'file_not_found'],
    ];
    const readable: [title: string, files: Record<string, TestFile>, file: string][] = [
      ['a link to a file', { a: { link: 'b' }, b: 'found' }, 'a'],
      ['a link to a file in a sibling directory', { 'x/a': { link: '../y/b' }, 'y/b': 'found' }, 'x/a'],
      ['a file in a linked directory', { dir: { link: 'real' }, 'real/a': 'found' }, 'dir/a'],
      ['a chain of links', { a: { link: './b' }, b: { link: 'c/d' }, c: { link: 'e' }, 'e/d': 'found' }, 'a'],
      [
        'a file whose name contains spaces and non-ASCII characters',
        { 'größe und mehr/🎉': 'found' },
        'größe und mehr/🎉',
      ],
      ['a file whose name begins with a dash', { '-a': 'found' }, '-a'],
      ['a file of exactly 5 MiB', { a: 'found'.padEnd(5 * 1024 * 1024, ' ') }, 'a'],
    ];

    /** Results by test title. One read fetches all files, each from a separate branch. */
    const results = new Map<string, string | null>();
    beforeAll(async () => {
      openFolder();
      const server = await startServer();
      const repository = server.createRepository('acme/deploy.git');
      const cases = [['an ordinary file', {}, 'ok'] as const, ...rejected, ...readable];
      const wants = cases.map(([, files, file], index): FileWant => {
        repository.commit({ ok: 'ok', ...files }, { branch: `case-${index}` });
        return { ref: `case-${index}`, file };
      });
      const texts = await read(createReader(), repository.url, wants);
      for (const [index, [title]] of cases.entries()) results.set(title, texts[index]!);
      await closeAll();
    });

    test.each(rejected)("%s can't be read", (title, _files, _file, code) => {
      expect([results.get('an ordinary file'), results.get(title)]).toEqual(['ok', code]);
    });
    test.each(readable)('%s is read', (title) => {
      expect(results.get(title)?.trim()).toBe('found');
    });
  });

  test('the hooks and the configuration of a repository have no effect', async () => {
    const server = await startServer();
    const repository = server.createRepository('acme/deploy.git');
    const proof = path.join(folder, 'proof');
    repository.commit({
      version: '1',
      '.gitattributes': '* filter=evil\n',
      '.gitmodules': `[submodule "x"]\n\tpath = x\n\turl = ext::sh -c "touch ${proof}"\n\tupdate = !touch ${proof}\n`,
      '.lfsconfig': '[lfs]\n\turl = http://127.0.0.1:1/\n',
      x: { commit: '1'.repeat(40) },
    });
    expect(await read(createReader(), repository.url, [head('version')])).toEqual(['1']);
    expect(readdirSync(folder)).not.toContain('proof');
    const [cached = ''] = readdirSync(folder);
    expect(readdirSync(path.join(folder, cached))).not.toContain('hooks');
  });

  test.each([
    '--upload-pack=touch /tmp/x',
    '-u',
    'ext::sh -c "touch /tmp/x"',
    'file:///etc',
    '/etc',
    '../x',
    'git://127.0.0.1/x',
    'ssh://-oProxyCommand=touch/x',
    'ssh://git@$(touch)/x',
    'ssh://git@a;b/x',
    'https://user:password@127.0.0.1/x',
  ])('the URL %s is rejected before git starts', async (url) => {
    expect((await failureOf(read(createReader(), url, [head('version')]))).code).toBe('target_not_allowed');
  });

  describe('unusual refs', () => {
    const refs = ['--upload-pack=x', '-x', 'a..b', 'a:b', 'main^{commit}', 'a b', '@{1}', '*', ''];
    const results = new Map<string, string | null>();
    beforeAll(async () => {
      openFolder();
      const server = await startServer();
      const repository = server.createRepository('acme/deploy.git');
      repository.commit({ version: '1' });
      const wants = ['HEAD', ...refs].map((ref) => ({ ref, file: 'version' }));
      const texts = await read(createReader(), repository.url, wants);
      for (const [index, { ref }] of wants.entries()) results.set(ref, texts[index]!);
      await closeAll();
    });

    test.each(refs)("the ref %j isn't found, even if git could interpret it", (ref) => {
      expect([results.get('HEAD'), results.get(ref)]).toEqual(['1', 'ref_not_found']);
    });
  });

  describe('servers with limited features', () => {
    async function check(
      prepare: (repository: ReturnType<GitServer['createRepository']>, server: GitServer) => void,
    ): Promise<void> {
      const server = await startServer();
      const repository = server.createRepository('acme/deploy.git');
      const first = repository.commit({ version: '1', link: { link: 'version' } });
      repository.commit({ version: '2' });
      prepare(repository, server);
      const wants = [head('version'), { ref: 'main', file: 'link' }, { ref: first, file: 'version' }];
      const reader = createReader();
      expect(await read(reader, repository.url, wants)).toEqual(['2', '2', '1']);
      repository.commit({ version: '3' });
      expect(await read(reader, repository.url, wants)).toEqual(['3', '3', '1']);
    }

    /** Makes the server use only the old protocol, by removing the `Git-Protocol` header from requests. */
    const oldProtocol = (server: GitServer): void => {
      server.intercept = (request) => {
        delete request.headers['git-protocol'];
        return false;
      };
    };

    test('files are read from a server without filters', () =>
      check((repository) => void repository.git('config', 'uploadpack.allowFilter', 'false')));
    test('files are read over the old protocol from a server that does not send single objects', () =>
      check((_, server) => oldProtocol(server)));
    test('files are read over the old protocol from a server without filters', () =>
      check((repository, server) => {
        repository.git('config', 'uploadpack.allowFilter', 'false');
        oldProtocol(server);
      }));

    test('files are read from a repository with SHA-256 objects', async () => {
      const server = await startServer();
      const repository = server.createRepository('acme/sha256.git', { objectFormat: 'sha256' });
      const sha = repository.commit({ version: '1' });
      expect(sha).toHaveLength(64);
      const [result] = await readAll(createReader(), repository.url, [head('version')]);
      expect(result).toEqual({ text: '1', commitSha: sha });
    });

    test('an empty repository reports ref_not_found', async () => {
      const server = await startServer();
      const repository = server.createRepository('acme/empty.git');
      expect(await read(createReader(), repository.url, [head('version')])).toEqual(['ref_not_found']);
    });
  });

  test('a corrupt cache is fetched again', async () => {
    const server = await startServer();
    const repository = server.createRepository('acme/deploy.git');
    repository.commit({ version: '1' });
    expect(await read(createReader(), repository.url, [head('version')])).toEqual(['1']);
    const [cached = ''] = readdirSync(folder);
    const packs = path.join(folder, cached, 'objects', 'pack');
    for (const name of readdirSync(packs)) rmSync(path.join(packs, name));
    repository.commit({ version: '2' });
    expect(await read(createReader(), repository.url, [head('version')])).toEqual(['2']);
  });

  test('each organization and each credential has a separate cache', async () => {
    const server = await startServer();
    const repository = server.createRepository('acme/deploy.git');
    repository.commit({ version: '1' });
    const reader = createReader();
    await read(reader, repository.url, [head('version')], { organizationId: 2 });
    await read(reader, repository.url, [head('version')], { organizationId: 3 });
    await read(reader, repository.url, [head('version')], { organizationId: 3, credential: token });
    expect(readdirSync(folder)).toHaveLength(3);
    expect(server.fetches()).toBe(6);
  });

  test('the least recently used repositories are removed when the cache exceeds its quota', async () => {
    const server = await startServer();
    const reader = createReader({ maxCacheBytes: 400_000 });
    for (const name of ['a', 'b', 'c', 'd']) {
      const repository = server.createRepository(`${name}.git`);
      const noise = Buffer.from(Array.from({ length: 100_000 }, () => Math.floor(Math.random() * 256)));
      repository.commit({ version: '1', noise });
      expect(await read(reader, repository.url, [head('version'), head('noise')])).toHaveLength(2);
      await new Promise((resolve) => setTimeout(resolve, 15));
    }
    expect(readdirSync(folder)).toHaveLength(2);
  });

  describe('credentials', () => {
    test('a token opens a private repository and is not written to the git config', async () => {
      const server = await startServer();
      const repository = server.createRepository('acme/private.git');
      repository.commit({ version: '1' });
      server.authorization = `Basic ${Buffer.from('x-access-token:secret-token').toString('base64')}`;
      expect(await read(createReader(), repository.url, [head('version')], { credential: token })).toEqual([
        '1',
      ]);
      const [cached = ''] = readdirSync(folder);
      expect(readFileSync(path.join(folder, cached, 'config'), 'utf8')).not.toContain('secret');
    });

    test('the username of a credential is sent with its token', async () => {
      const server = await startServer();
      const repository = server.createRepository('acme/private.git');
      repository.commit({ version: '1' });
      server.authorization = `Basic ${Buffer.from('robot:secret-token').toString('base64')}`;
      const credential = { ...token, username: 'robot' };
      expect(await read(createReader(), repository.url, [head('version')], { credential })).toEqual(['1']);
    });

    test('a wrong or missing credential is reported as unauthorized, without a prompt on the terminal', async () => {
      const server = await startServer();
      const repository = server.createRepository('acme/private.git');
      repository.commit({ version: '1' });
      server.authorization = 'Basic other';
      expect(
        (await failureOf(read(createReader(), repository.url, [head('version')], { credential: token })))
          .code,
      ).toBe('unauthorized');
      const failure = await failureOf(read(createReader(), repository.url, [head('version')]));
      expect(failure.code).toBe('unauthorized');
      expect(failure.message).toContain('add a credential');
    });

    test('a credential for other hosts is not sent anywhere', async () => {
      const server = await startServer();
      const repository = server.createRepository('acme/private.git');
      const credential = { ...token, hosts: ['git.example.com'] };
      const failure = await failureOf(
        read(createReader(), repository.url, [head('version')], { credential }),
      );
      expect(failure.code).toBe('credential_not_for_host');
      expect(server.requests).toEqual([]);
    });

    test('a credential for another port is not sent', async () => {
      const server = await startServer();
      const credential = { ...token, hosts: ['127.0.0.1:1'] };
      const failure = await failureOf(
        read(createReader(), `http://${server.host}/a.git`, [head('version')], { credential }),
      );
      expect(failure.code).toBe('credential_not_for_host');
    });

    test('a redirect to another origin is followed without the credential', async () => {
      const server = await startServer();
      const repository = server.createRepository('acme/deploy.git');
      repository.commit({ version: '1' });
      const door = await startUpstreamServer((request, response) => {
        response.writeHead(301, { location: `http://${server.host}${request.url ?? ''}` }).end();
      });
      closers.push(() => door.close());
      const reader = createReader();
      const url = `http://${door.host}/acme/deploy.git`;
      expect(await read(reader, url, [head('version')], { credential: token })).toEqual(['1']);
      expect(door.requests.every(({ headers }) => headers.authorization !== undefined)).toBe(true);
      expect(server.requests.length).toBeGreaterThan(0);
      expect(server.requests.map(({ headers }) => headers.authorization)).toEqual(
        server.requests.map(() => undefined),
      );
      // The next read uses the stored redirect.
      const asked = door.requests.length;
      repository.commit({ version: '2' });
      expect(await read(reader, url, [head('version')], { credential: token })).toEqual(['2']);
      expect(door.requests).toHaveLength(asked);
    });

    test('a stored redirect whose target was deleted is resolved again', async () => {
      const server = await startServer();
      const first = server.createRepository('acme/first.git');
      first.commit({ version: '1' });
      let name = 'first';
      const door = await startUpstreamServer((request, response) => {
        const location = `http://${server.host}${(request.url ?? '').replace('/app.git', `/${name}.git`)}`;
        response.writeHead(301, { location }).end();
      });
      closers.push(() => door.close());
      const reader = createReader();
      const url = `http://${door.host}/acme/app.git`;
      expect(await read(reader, url, [head('version')])).toEqual(['1']);
      rmSync(first.folder, { recursive: true });
      server.createRepository('acme/second.git').commit({ version: '2' });
      name = 'second';
      expect(await read(reader, url, [head('version')])).toEqual(['2']);
    });

    test('a redirect within the same origin keeps the credential', async () => {
      const server = await startServer();
      const repository = server.createRepository('acme/new.git');
      repository.commit({ version: '1' });
      server.authorization = `Basic ${Buffer.from('x-access-token:secret-token').toString('base64')}`;
      server.intercept = (request, response) => {
        if (!request.url?.startsWith('/acme/old')) return false;
        response.writeHead(301, { location: request.url.replace('old', 'new') }).end();
        return true;
      };
      const url = `http://${server.host}/acme/old.git`;
      expect(await read(createReader(), url, [head('version')], { credential: token })).toEqual(['1']);
    });
  });

  describe('the egress guard of git', () => {
    test.each([
      'http://127.0.0.2:1',
      'http://10.0.0.1',
      'http://169.254.169.254',
      'http://[::1]:1',
      'http://2130706434:1',
    ])('rejects %s', async (origin) => {
      const reader = createReader({
        insecureHosts: ['127.0.0.1', '127.0.0.2', '10.0.0.1', '169.254.169.254', '::1'],
      });
      const failure = await failureOf(read(reader, `${origin}/a/b.git`, [head('version')]));
      expect(failure.code).toBe('target_not_allowed');
    });

    test('rejects a redirect to a private address without connecting to it', async () => {
      let visits = 0;
      const trap = createServer(() => (visits += 1));
      await new Promise<void>((resolve) => trap.listen(0, '127.0.0.2', resolve));
      closers.push(() => new Promise((resolve) => void trap.close(() => resolve())));
      const address = trap.address();
      const port = typeof address === 'object' && address ? address.port : 0;
      const door = await startUpstreamServer((request, response) => {
        response.writeHead(302, { location: `http://127.0.0.2:${port}${request.url ?? ''}` }).end();
      });
      closers.push(() => door.close());
      const reader = createReader({ insecureHosts: ['127.0.0.1', '127.0.0.2'] });
      const failure = await failureOf(read(reader, `http://${door.host}/a.git`, [head('version')]));
      expect(failure.code).toBe('target_not_allowed');
      expect(visits).toBe(0);
    });

    test('allows plain HTTP only for hosts in insecureHosts', async () => {
      const server = await startServer();
      const reader = createReader({ insecureHosts: [] });
      const failure = await failureOf(read(reader, `http://${server.host}/a.git`, [head('version')]));
      expect(failure.code).toBe('target_not_allowed');
      expect(server.requests).toEqual([]);
    });
  });

  describe('failures of a git server', () => {
    async function check(answer: Parameters<typeof startUpstreamServer>[0], code: string): Promise<void> {
      const server = await startUpstreamServer(answer);
      closers.push(() => server.close());
      const failure = await failureOf(read(createReader(), `http://${server.host}/a.git`, [head('version')]));
      expect([failure.code, failure.message]).toEqual([code, expect.stringMatching(/\.$/u)]);
    }

    test('a 404 response is reported as not_found', () =>
      check((_, response) => void response.writeHead(404).end(), 'not_found'));
    test('a 403 response is reported as unauthorized', () =>
      check((_, response) => void response.writeHead(403).end(), 'unauthorized'));
    test('a 429 response is reported as rate_limited', () =>
      check((_, response) => void response.writeHead(429).end(), 'rate_limited'));
    test('a 500 response is reported as upstream_error', () =>
      check((_, response) => void response.writeHead(500).end(), 'upstream_error'));
    test('an HTML page is reported as a repository without commits', async () => {
      const server = await startUpstreamServer((_, response) => void response.end('<html>hello</html>'));
      closers.push(() => server.close());
      const [result] = await readAll(createReader(), `http://${server.host}/a.git`, [head('version')]);
      expect(result).toMatchObject({
        code: 'ref_not_found',
        message: expect.stringContaining('no commits'),
      });
    });
    test('a dropped connection is reported as unreachable', () =>
      check((_, response) => void response.destroy(), 'unreachable'));

    test.each(['ssl-certificates', 'corrupt-tls'])(
      'the repository name %s does not affect the reason of a failure',
      async (name) => {
        const server = await startUpstreamServer((_, response) => void response.destroy());
        closers.push(() => server.close());
        const url = `http://${server.host}/acme/${name}.git`;
        const failure = await failureOf(read(createReader(), url, [head('version')]));
        expect(failure.message).toBe(`Connection to ${server.host} failed. The run will be retried.`);
      },
    );

    test('a closed port is reported as unreachable', async () => {
      const server = await startUpstreamServer(() => {});
      await server.close();
      const failure = await failureOf(read(createReader(), `http://${server.host}/a.git`, [head('version')]));
      expect(failure.code).toBe('unreachable');
    });

    test('a transfer that exceeds maxTransferBytes is aborted', async () => {
      const server = await startServer();
      const repository = server.createRepository('a.git');
      const noise = Buffer.from(Array.from({ length: 300_000 }, () => Math.floor(Math.random() * 256)));
      repository.commit({ version: '1', noise });
      const reader = createReader({ maxTransferBytes: 100_000 });
      expect(await read(reader, repository.url, [head('version')])).toEqual(['1']);
      const failure = await failureOf(read(reader, repository.url, [head('noise')]));
      expect(failure.code).toBe('too_large');
    });

    test('an endless response is aborted', async () => {
      const server = await startServer();
      const repository = server.createRepository('a.git');
      repository.commit({ version: '1' });
      server.intercept = (request, response) => {
        if (request.method !== 'POST') return false;
        response.writeHead(200, { 'content-type': 'application/x-git-upload-pack-result' });
        const line = Buffer.concat([Buffer.from('fff0\u0002'), Buffer.alloc(0xfff0 - 5, 'x')]);
        const pour = (): void => {
          if (response.destroyed) return;
          while (response.write(line));
          response.once('drain', pour);
        };
        pour();
        return true;
      };
      const failure = await failureOf(read(createReader(), repository.url, [head('version')]));
      expect(['too_large', 'invalid_index', 'upstream_error']).toContain(failure.code);
    });
  });

  test('an aborted read rejects with the reason of the abort', async () => {
    const server = await startServer();
    const repository = server.createRepository('a.git');
    const controller = new AbortController();
    const reason = new Error('the lease is lost');
    server.intercept = () => {
      controller.abort(reason);
      return true;
    };
    await expect(
      read(createReader(), repository.url, [head('version')], { signal: controller.signal }),
    ).rejects.toBe(reason);
  });
});

describe.skipIf(!hasGitHttpBackend)('tags of a repository (needs git with http-backend)', () => {
  async function tagsOf(reader: RepositoryReader, url: string, batches: number[] = []) {
    const tags: { tag: string; date: string | null }[] = [];
    const access = { url, credential: null, organizationId: 2, signal: new AbortController().signal };
    for await (const batch of parseInProcess('git_tags', {}, await reader.listTags(access))) {
      batches.push(batch.length);
      tags.push(...batch.map(({ tag, released_at }) => ({ tag, date: released_at })));
    }
    return tags;
  }

  test('an annotated tag has its own date, and a lightweight tag has the date of its commit', async () => {
    const server = await startServer();
    const repository = server.createRepository('a.git');
    repository.commit({ a: '1' }, { date: '2026-01-01T00:00:00Z' });
    repository.git('tag', 'v1');
    const dated = ['-c', 'user.name=T', '-c', 'user.email=t@e', 'tag', '-a', '-m', 'x'];
    const before = process.env['GIT_COMMITTER_DATE'];
    process.env['GIT_COMMITTER_DATE'] = '2026-02-02T00:00:00Z';
    repository.git(...dated, 'v2');
    if (before === undefined) delete process.env['GIT_COMMITTER_DATE'];
    expect(await tagsOf(createReader(), repository.url)).toEqual([
      { tag: 'v1', date: '2026-01-01T00:00:00.000Z' },
      { tag: 'v2', date: '2026-02-02T00:00:00.000Z' },
    ]);
  });

  test('an annotated tag has the commit that it points to, and signing the tag again does not change the commit', async () => {
    const server = await startServer();
    const repository = server.createRepository('a.git');
    const reader = createReader();
    const commitsOf = async () => {
      const access = {
        url: repository.url,
        credential: null,
        organizationId: 2,
        signal: new AbortController().signal,
      };
      const commits: Record<string, string | undefined> = {};
      for await (const batch of parseInProcess('git_tags', {}, await reader.listTags(access)))
        for (const { tag, commit } of batch) commits[tag] = commit;
      return commits;
    };
    const annotate = (tag: string, message: string) =>
      repository.git('-c', 'user.name=T', '-c', 'user.email=t@e', 'tag', '-f', '-a', '-m', message, tag);
    const first = repository.commit({ a: '1' });
    repository.git('tag', 'v1');
    annotate('v2', 'x');
    repository.git('tag', 'v2-nested', 'v2');
    expect(await commitsOf()).toEqual({ v1: first, v2: first, 'v2-nested': first });
    annotate('v2', 'signed again');
    expect(await commitsOf()).toEqual({ v1: first, v2: first, 'v2-nested': first });
    const second = repository.commit({ a: '2' });
    annotate('v2', 'moved');
    repository.git('tag', '-f', 'v1');
    expect(await commitsOf()).toEqual({ v1: second, v2: second, 'v2-nested': first });
  });

  test('only new tags are fetched, and deleted tags are removed', async () => {
    const server = await startServer();
    const repository = server.createRepository('a.git');
    const reader = createReader();
    repository.commit({ a: '1' });
    repository.git('tag', 'v1');
    repository.git('tag', 'v2');
    expect(await tagsOf(reader, repository.url)).toHaveLength(2);
    expect(server.fetches()).toBe(1);
    expect(await tagsOf(reader, repository.url)).toHaveLength(2);
    expect(server.fetches()).toBe(1);
    repository.git('tag', '-d', 'v1');
    repository.commit({ a: '2' }, { date: '2026-03-03T00:00:00Z' });
    repository.git('tag', '-f', 'v2');
    repository.git('tag', 'v3');
    expect(await tagsOf(reader, repository.url)).toEqual([
      { tag: 'v2', date: '2026-03-03T00:00:00.000Z' },
      { tag: 'v3', date: '2026-03-03T00:00:00.000Z' },
    ]);
    expect(server.fetches()).toBe(2);
  });

  test('a server without filters returns tag names without dates', async () => {
    const server = await startServer();
    const repository = server.createRepository('a.git');
    repository.commit({ a: '1', large: Buffer.alloc(1_000_000, 'x') });
    repository.git('tag', 'v1');
    repository.git('config', 'uploadpack.allowFilter', 'false');
    expect(await tagsOf(createReader(), repository.url)).toEqual([{ tag: 'v1', date: null }]);
  });

  test('ten thousand tags arrive with dates in batches of a thousand', async () => {
    const server = await startServer();
    const repository = server.createRepository('a.git');
    const sha = repository.commit({ a: '1' });
    // The lines have the format of the `packed-refs` file, which git writes for many refs.
    const lines = Array.from({ length: 10_000 }, (_, index) => `${sha} refs/tags/v1.${index}.0\n`).toSorted();
    writeFileSync(
      path.join(repository.folder, 'packed-refs'),
      `# pack-refs with: peeled fully-peeled sorted \n${lines.join('')}`,
    );
    const batches: number[] = [];
    const tags = await tagsOf(createReader(), repository.url, batches);
    expect(tags).toHaveLength(10_000);
    expect(Math.max(...batches)).toBe(1_000);
    expect(new Set(tags.map(({ date }) => date))).toEqual(new Set(['2026-01-02T03:04:05.000Z']));
  });

  test('a repository without tags has an empty list', async () => {
    const server = await startServer();
    const repository = server.createRepository('a.git');
    repository.commit({ a: '1' });
    expect(await tagsOf(createReader(), repository.url)).toEqual([]);
  });
});
