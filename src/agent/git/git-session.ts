import { mkdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { parseRepositoryUrl } from '../../domain/artifacts/repository-url.ts';
import { RunError } from '../../domain/runs/run-error.ts';
import {
  type AllowHttp,
  certificateBundle,
  type GuardedConnect,
  plainHttpSentence,
} from '../../platform/outbound/index.ts';
import { isAllowedFor, type SourceCredential } from '../../sources/source-credential.ts';
import {
  type GitTarget,
  localGitEnvironment,
  remoteGitEnvironment,
  writeSshFolder,
} from './git-environment.ts';
import { gitFailure } from './git-failure.ts';
import { type GitResult, runGit } from './git-process.ts';
import { createGuardedProxy } from './guarded-proxy.ts';
import { type ObjectReader, openObjects } from './object-reader.ts';
import type { PrivateFile } from './private-file.ts';
import { createSessionDirectories } from './session-directories.ts';

/** Time limit of one git command that connects to the remote repository. */
const remoteTimeoutMs = 120_000;
const localTimeoutMs = 30_000;

/**
 * Access to one bare repository with git, for one run. The credential and the access to the repository's host are valid
 * only during the run.
 */
export interface GitSession {
  readonly host: string;
  /**
   * Runs a git command that connects to the remote repository. `isEnough` can end the command early, which
   * isn't a failure.
   * @throws RunError, unless `allows` matches the output of git
   */
  remote(args: readonly string[], options?: RemoteOptions): Promise<GitResult>;
  /** Runs a git command on local data only. It can't fetch anything. */
  local(args: readonly string[], options?: LocalOptions): Promise<GitResult>;
  objects(what: 'contents' | 'sizes'): ObjectReader;
  /** Directory of the repository, for exclusive use during the run. */
  readonly gitDir: string;
  /** Empties the directory and initializes an empty repository. */
  reset(objectFormat?: 'sha1' | 'sha256'): Promise<void>;
}

export interface LocalOptions {
  input?: string;
  maxOutputBytes?: number;
  /** Processes the output piece by piece. Git is paused until the promise resolves. */
  onOutput?: (piece: Buffer) => Promise<void>;
}

export interface RemoteOptions extends LocalOptions {
  isEnough?: (stderr: string) => boolean;
  /** Pattern for failures that the caller handles. */
  allows?: RegExp;
}

export interface GitSessions {
  /**
   * Checks the URL and credential, and calls `work` with a session.
   * @throws RunError
   */
  run<T>(request: SessionRequest, work: (session: GitSession) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

export interface SessionRequest {
  target: GitTarget;
  gitDir: string;
  credential: SourceCredential | null;
  signal: AbortSignal;
}

export function createGitSessions(options: {
  /** Parent directory of the session directories. */
  homesFolder: string;
  connect: GuardedConnect;
  allowHttp: AllowHttp;
  /** Certificate authorities (PEM) that Git trusts in addition to the default authorities. */
  caCertificates: string | null;
  /** Maximum transfer from one repository in one run, in bytes. */
  maxTransferBytes: number;
}): GitSessions {
  const { maxTransferBytes } = options;
  const homes = createSessionDirectories(options.homesFolder);
  const proxy = createGuardedProxy(options.connect);
  // If git gets a file with certificates, it ignores the default certificates, so the file also contains
  // those.
  const bundle = options.caCertificates === null ? null : certificateBundle(options.caCertificates);

  async function run<T>(request: SessionRequest, work: (session: GitSession) => Promise<T>): Promise<T> {
    const { target, gitDir, credential, signal } = request;
    checkTarget(target, credential, options.allowHttp);
    const home = await homes.open();
    const ticket = await proxy.open({
      ...target,
      isPlain: target.scheme === 'http',
      maxBytes: maxTransferBytes,
    });
    const host = new URL(target.url).host;
    let key: PrivateFile | null = null;
    try {
      const sshFolder = path.join(home, 'ssh');
      if (credential?.type === 'ssh_key') key = await writeSshFolder(sshFolder, credential);
      const caFile = bundle === null ? null : path.join(home, 'ca.pem');
      if (bundle !== null && caFile !== null) await writeFile(caFile, bundle);
      const remoteEnv = remoteGitEnvironment({
        home,
        gitDir,
        target,
        ticket,
        credential,
        sshFolder,
        caFile,
      });
      const localEnv = localGitEnvironment(home, gitDir);

      const session: GitSession = {
        host,
        gitDir,

        async remote(args, { allows, ...remote } = {}) {
          const result = await runGit({
            args,
            env: remoteEnv,
            cwd: home,
            signal,
            timeoutMs: remoteTimeoutMs,
            ...remote,
          });
          if (result.end === 'enough' || (result.end === 'ended' && result.exitCode === 0)) return result;
          if (
            result.end === 'ended' &&
            allows?.test(result.stderr) &&
            !ticket.failure() &&
            !ticket.isOverLimit()
          )
            return result;
          throw gitFailure({
            result,
            ticket,
            host,
            credentialName: credential?.name ?? null,
            maxBytes: maxTransferBytes,
            timeoutMs: remoteTimeoutMs,
          });
        },

        async local(args, local = {}) {
          return runGit({ args, env: localEnv, cwd: home, signal, timeoutMs: localTimeoutMs, ...local });
        },

        objects: (what) => openObjects({ env: localEnv, cwd: home, signal }, what),

        async reset(objectFormat = 'sha1') {
          await rm(gitDir, { recursive: true, force: true });
          await mkdir(path.join(gitDir, 'objects', 'pack'), { recursive: true, mode: 0o700 });
          await mkdir(path.join(gitDir, 'refs'));
          await writeFile(path.join(gitDir, 'HEAD'), 'ref: refs/heads/none\n');
          // Write the same file as `git init --bare`, but without a template and its hooks.
          const format = objectFormat === 'sha256' ? '[extensions]\n\tobjectFormat = sha256\n' : '';
          await writeFile(
            path.join(gitDir, 'config'),
            `[core]\n\trepositoryFormatVersion = 1\n\tbare = true\n${format}`,
          );
        },
      };
      return await work(session);
    } finally {
      ticket.close();
      key?.close();
      await rm(home, { recursive: true, force: true });
    }
  }

  return { run, close: async () => void (await Promise.all([proxy.close(), homes.close()])) };
}

/**
 * Parses a repository URL.
 * @throws RunError if git isn't allowed to use the URL
 */
export function readTarget(repositoryUrl: string): GitTarget {
  const parsed = parseRepositoryUrl(repositoryUrl);
  if (!parsed.ok) throw new RunError('target_not_allowed', `The repository URL ${parsed.message}.`);
  const url = new URL(parsed.url);
  const hostname = url.hostname.replace(/^\[|\]$/gu, '');
  // Allow only safe characters, because the host of an ssh URL can contain any character, and it's used in
  // command lines.
  if (!/^[a-z0-9._-]+$|^[0-9a-f:.]+$/iu.test(hostname) || hostname.startsWith('-')) {
    throw new RunError('target_not_allowed', "The repository host isn't allowed.");
  }
  const usualPort = { https: 443, http: 80, ssh: 22 }[parsed.scheme];
  return { url: parsed.url, scheme: parsed.scheme, hostname, port: Number(url.port) || usualPort };
}

function checkTarget(target: GitTarget, credential: SourceCredential | null, allowHttp: AllowHttp): void {
  const { scheme, hostname, port } = target;
  const host = `${hostname}:${port}`;
  if (scheme === 'http' && !allowHttp(hostname, port, 'git')) {
    throw new RunError('target_not_allowed', `${host}: ${plainHttpSentence('git')}.`);
  }
  if (scheme === 'ssh' && credential?.type !== 'ssh_key') {
    const what = credential ? `credential "${credential.name}" has another type` : 'the job has none';
    throw new RunError('unauthorized', `SSH URLs need an ssh_key credential; ${what}.`);
  }
  if (scheme !== 'ssh' && credential?.type === 'ssh_key') {
    throw new RunError(
      'unauthorized',
      `Credential "${credential.name}" is for SSH. Use a git@host:path URL.`,
    );
  }
  // The port is always explicit, because the hosts of a credential can include ports.
  const address = new URL(
    `${scheme === 'http' ? 'http' : 'https'}://${hostname.includes(':') ? `[${hostname}]` : hostname}:${port}`,
  );
  if (credential && !isAllowedFor(credential, address)) {
    throw new RunError(
      'credential_not_for_host',
      `Credential "${credential.name}" isn't valid for ${host}. Add the host to it in the agent's configuration.`,
    );
  }
}
