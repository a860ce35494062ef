import { spawn } from 'node:child_process';
import { RunError } from '../domain/runs/run-error.ts';

/** A program that issues credentials: a Docker credential helper, or the exec plugin of a kubeconfig. */
export interface CredentialProgram {
  /** Name that is found in `PATH`, or an absolute path. */
  command: string;
  args: readonly string[];
  /** Complete environment of the program. */
  env: Readonly<Record<string, string>>;
}

/** Time limit of a program. Programs of cloud providers send a few requests, and some start an interpreter first. */
const timeoutMs = 30_000;
const maxOutputBytes = 256 * 1024;

/**
 * Runs a program without a shell and returns its output, which contains secrets and must never be logged. If
 * the program takes too long or writes too much, it's killed together with its child processes. Its error
 * output is discarded, because it can contain secrets, too.
 *
 * @param input Text for standard input.
 * @throws RunError `credential_failed` if the program fails. The message contains none of the program's
 * output.
 */
export async function runCredentialProgram(
  { command, args, env }: CredentialProgram,
  input: string,
): Promise<{ output: string; exitCode: number }> {
  const fail = (problem: string, cause?: unknown) =>
    new RunError('credential_failed', `The program ${command} of a credential ${problem}.`, { cause });
  const child = start();
  const kill = (): void => {
    if (child.pid === undefined) return;
    try {
      process.kill(-child.pid, 'SIGKILL');
    } catch {
      // The program has already exited.
    }
  };
  let bytes = 0;
  const pieces: Buffer[] = [];
  let problem: string | null = null;
  const timers: NodeJS.Timeout[] = [];
  try {
    const exitCode = await new Promise<number | null>((resolve, reject) => {
      let code: number | null = null;
      // Don't wait for `close`: a process that left the process group can keep the output open.
      const stop = () => {
        kill();
        child.stdin.destroy();
        child.stdout.destroy();
        resolve(code);
      };
      const limit = () => {
        problem ??= `didn't end within ${timeoutMs / 1_000} s`;
        stop();
      };
      timers.push(setTimeout(limit, timeoutMs));
      child.on('error', (error: NodeJS.ErrnoException) =>
        reject(fail(`can't be started (${error.code ?? 'error'})`, error)),
      );
      child.on('close', resolve);
      child.on('exit', (exitedWith) => {
        code = exitedWith;
        timers.push(setTimeout(stop, 1_000));
      });
      child.stdout.on('data', (piece: Buffer) => {
        bytes += piece.byteLength;
        if (bytes <= maxOutputBytes) return void pieces.push(piece);
        problem = 'wrote too much output';
        stop();
      });
      // Ignore write errors, because the program can exit without reading its input.
      child.stdin.on('error', () => {});
      child.stdin.end(input);
    });
    if (problem !== null) throw fail(problem);
    if (exitCode === null) throw fail('was killed');
    return { output: Buffer.concat(pieces).toString('utf8'), exitCode };
  } finally {
    for (const timer of timers) clearTimeout(timer);
    kill();
  }

  function start() {
    try {
      return spawn(command, args, { env, cwd: '/', detached: true, stdio: ['pipe', 'pipe', 'ignore'] });
    } catch {
      // Don't include the error's message. It contains the invalid argument or variable, which can be a secret.
      throw fail("can't be started, because its arguments or environment are invalid");
    }
  }
}

/**
 * Environment variables of the agent that are passed to credential programs, in addition to those that the
 * configuration names.
 */
const passedNames = new Set([
  'PATH',
  'HOME',
  'USER',
  'LOGNAME',
  'LANG',
  'TMPDIR',
  'XDG_CONFIG_HOME',
  'XDG_CACHE_HOME',
  'XDG_DATA_HOME',
  'XDG_RUNTIME_DIR',
  'HTTP_PROXY',
  'HTTPS_PROXY',
  'NO_PROXY',
  'http_proxy',
  'https_proxy',
  'no_proxy',
  'SSL_CERT_FILE',
  'SSL_CERT_DIR',
  'GCE_METADATA_HOST',
  'IDENTITY_ENDPOINT',
  'IDENTITY_HEADER',
  'MSI_ENDPOINT',
  'MSI_SECRET',
]);
/** Prefixes of variables that the tools of AWS, Azure, Google Cloud, and 1Password use. */
const passedPrefixes = ['AWS_', 'AZURE_', 'GOOGLE_', 'CLOUDSDK_', 'OP_'];

/**
 * Returns the environment for a credential program: only the variables that the tools of cloud providers use.
 * The API key and the other secrets of this process aren't passed on.
 */
export function programEnvironment(
  env: Readonly<Record<string, string | undefined>>,
  more: Readonly<Record<string, string>>,
): Record<string, string> {
  const passed = Object.entries(env).filter(
    (entry): entry is [string, string] =>
      entry[1] !== undefined &&
      (passedNames.has(entry[0]) || passedPrefixes.some((prefix) => entry[0].startsWith(prefix))),
  );
  return { ...Object.fromEntries(passed), ...more };
}
