import { execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import path from 'node:path';
import { createGunzip } from 'node:zlib';
import { fastestTemporaryFolder } from '../temporary-folder.ts';
import { startUpstreamServer, type UpstreamServer } from './upstream-server.ts';
import { createCommitWriter, readRef } from './write-commits.ts';

export const hasGit = canRun('git', ['--version']);
const backend = hasGit ? path.join(run(process.cwd(), ['--exec-path']).trim(), 'git-http-backend') : '';
export const hasGitHttpBackend = backend !== '' && existsSync(backend);

export interface GitServer extends UpstreamServer {
  /** Directory that contains the bare repositories, such as `root/owner/repo.git`. */
  root: string;
  /** Creates an empty bare repository that tests can commit to. */
  createRepository(name: string, options?: { objectFormat?: 'sha1' | 'sha256' }): TestRepository;
  /** `Authorization` header that every request must contain, or null for none. */
  authorization: string | null;
  /**
   * True if the server uses the protocol of old servers, which can't serve a commit by its ID, only through a
   * branch or tag.
   */
  isOld: boolean;
  /** Returns the number of requests that fetched objects. Requests that only list refs don't count. */
  fetches(): number;
}

export interface TestRepository {
  url: string;
  /** Directory of the bare repository. */
  folder: string;
  /** Runs git in the bare repository. */
  git(...args: string[]): string;
  /** Points many refs, such as `refs/heads/main`, to a commit. */
  setRefs(names: readonly string[], commit: string): void;
  /**
   * Writes a tree without validation, so tests can create trees that git itself wouldn't.
   * @returns The ID of the tree.
   */
  makeTree(entries: readonly TreeEntry[]): string;
  /**
   * Commits files to a branch: text for a regular file, `{ link }` for a symbolic link, `{ commit }` for a
   * submodule, and null to delete a file. Parent directories are created automatically.
   * @returns The ID of the commit.
   */
  commit(files: Record<string, TestFile | null>, options?: { branch?: string; date?: string }): string;
}

export interface TreeEntry {
  mode: string;
  type: string;
  oid: string;
  name: string | Buffer;
}

export type TestFile = string | Buffer | { link: string } | { commit: string };

/** Starts a server that serves real repositories through git's own `http-backend`. */
export async function startGitServer(): Promise<GitServer> {
  const root = mkdtempSync(path.join(fastestTemporaryFolder, 'pacekeeper-git-server-'));
  let fetches = 0;
  const server = await startUpstreamServer((request, response, url) => {
    if (git.authorization !== null && request.headers.authorization !== git.authorization) {
      response.writeHead(401, { 'www-authenticate': 'Basic realm="git"' }).end();
      return;
    }
    serve(request, response, url, (body) => {
      if (request.method === 'POST' && (body.includes('command=fetch') || body.includes('want ')))
        fetches += 1;
    });
  });
  const stop = server.close.bind(server);

  function serve(
    request: IncomingMessage,
    response: ServerResponse,
    url: URL,
    onBody: (body: Buffer) => void,
  ): void {
    const child = spawn(backend, [], {
      env: {
        PATH: process.env['PATH'] ?? '',
        HOME: root,
        GIT_PROJECT_ROOT: root,
        GIT_HTTP_EXPORT_ALL: '1',
        GIT_CONFIG_NOSYSTEM: '1',
        PATH_INFO: decodeURIComponent(url.pathname),
        QUERY_STRING: url.search.slice(1),
        REQUEST_METHOD: request.method ?? 'GET',
        CONTENT_TYPE: request.headers['content-type'] ?? '',
        REMOTE_ADDR: '127.0.0.1',
        ...(request.headers['git-protocol'] !== undefined &&
          !git.isOld && {
            GIT_PROTOCOL: String(request.headers['git-protocol']),
          }),
      },
    });
    child.stdin.on('error', () => {});
    const chunks: Buffer[] = [];
    const body = request.headers['content-encoding'] === 'gzip' ? request.pipe(createGunzip()) : request;
    body.on('data', (chunk: Buffer) => chunks.push(chunk));
    body.on('end', () => {
      const whole = Buffer.concat(chunks);
      onBody(whole);
      child.stdin.end(whole);
    });
    let head = Buffer.alloc(0);
    let hasHead = false;
    child.stdout.on('data', (chunk: Buffer) => {
      if (hasHead) return void response.write(chunk);
      head = Buffer.concat([head, chunk]);
      const end = head.indexOf('\r\n\r\n');
      if (end < 0) return;
      hasHead = true;
      const lines = head
        .toString('latin1', 0, end)
        .split('\r\n')
        .map((line) => line.split(': '));
      const status = Number(lines.find(([name]) => name === 'Status')?.[1]?.slice(0, 3) ?? 200);
      const headers = lines.filter(([name]) => name !== 'Status') as [string, string][];
      response.writeHead(status, Object.fromEntries(headers));
      response.write(head.subarray(end + 4));
    });
    child.on('close', () => response.end());
    response.on('close', () => child.kill());
  }

  const git: GitServer = Object.assign(server, {
    root,
    authorization: null,
    isOld: false,
    fetches: () => fetches,
    createRepository: (name: string, options: { objectFormat?: 'sha1' | 'sha256' } = {}) =>
      createRepository(
        path.join(root, name),
        `http://${server.host}/${name}`,
        options.objectFormat ?? 'sha1',
      ),
    async close() {
      await stop();
      rmSync(root, { recursive: true, force: true });
    },
  });
  return git;
}

export function createRepository(
  folder: string,
  url: string,
  objectFormat: 'sha1' | 'sha256',
): TestRepository {
  for (const directory of ['objects/pack', 'refs/heads', 'refs/tags'])
    mkdirSync(path.join(folder, directory), { recursive: true });
  writeFileSync(path.join(folder, 'HEAD'), 'ref: refs/heads/main\n');
  const extensions = objectFormat === 'sha256' ? '[extensions]\n\tobjectFormat = sha256\n' : '';
  writeFileSync(
    path.join(folder, 'config'),
    `[core]\n\trepositoryFormatVersion = ${objectFormat === 'sha256' ? 1 : 0}\n\tbare = true\n${extensions}` +
      '[uploadpack]\n\tallowFilter = true\n[user]\n\tname = Test\n\temail = test@example.com\n',
  );
  const git = (...args: string[]): string => run(folder, args);
  const writer = createCommitWriter(folder, objectFormat);

  function commit(
    files: Record<string, TestFile | null>,
    options: { branch?: string; date?: string } = {},
  ): string {
    const branch = `refs/heads/${options.branch ?? 'main'}`;
    const seconds = Date.parse(options.date ?? '2026-01-02T03:04:05Z') / 1_000;
    // Use git for larger commits, because it stores many objects in one pack.
    const isSmall = Object.keys(files).length < 100;
    const written = isSmall ? writer.commit(branch, files, seconds) : null;
    return written ?? importCommit(branch, files, seconds);
  }

  function importCommit(branch: string, files: Record<string, TestFile | null>, seconds: number): string {
    const chunks: (string | Buffer)[] = [
      `commit ${branch}\ncommitter Test <test@example.com> ${seconds} +0000\ndata 8\nA change\n`,
    ];
    if (readRef(folder, branch) !== null) chunks.push(`from ${branch}^0\n`);
    for (const [file, content] of Object.entries(files)) {
      const name = JSON.stringify(file);
      if (content === null) {
        chunks.push(`D ${name}\n`);
        continue;
      }
      if (typeof content === 'object' && 'commit' in content) {
        chunks.push(`M 160000 ${content.commit} ${name}\n`);
        continue;
      }
      const isLink = typeof content === 'object' && 'link' in content;
      const data = Buffer.from(isLink ? content.link : content);
      chunks.push(`M ${isLink ? '120000' : '100644'} inline ${name}\ndata ${data.byteLength}\n`, data, '\n');
    }
    run(folder, ['fast-import', '--quiet'], {
      input: Buffer.concat(chunks.map((chunk) => Buffer.from(chunk))),
    });
    return readRef(folder, branch)!;
  }

  function setRefs(names: readonly string[], to: string): void {
    run(folder, ['update-ref', '--stdin'], { input: names.map((name) => `update ${name} ${to}\n`).join('') });
  }

  function makeTree(entries: readonly TreeEntry[]): string {
    const lines = entries.flatMap(({ mode, type, oid, name }) => [
      Buffer.from(`${mode} ${type} ${oid}\t`),
      Buffer.from(name),
      Buffer.from([0]),
    ]);
    return run(folder, ['mktree', '-z'], { input: Buffer.concat(lines) }).trim();
  }

  return { url, folder, git, commit, setRefs, makeTree };
}

function run(
  cwd: string,
  args: readonly string[],
  options: { input?: string | Buffer; env?: NodeJS.ProcessEnv } = {},
): string {
  return execFileSync('git', args, {
    cwd,
    encoding: 'utf8',
    input: options.input ?? '',
    env: { ...process.env, GIT_CONFIG_NOSYSTEM: '1', GIT_CONFIG_GLOBAL: '/dev/null', ...options.env },
    stdio: ['pipe', 'pipe', 'ignore'],
    maxBuffer: 256 * 1024 * 1024,
  });
}

function canRun(command: string, args: readonly string[]): boolean {
  try {
    execFileSync(command, args, { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}
