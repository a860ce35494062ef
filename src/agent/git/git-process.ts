import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';

export interface GitRun {
  /** Arguments of git. They contain only constants and validated values. */
  args: readonly string[];
  /** Complete environment, from `git-environment.ts`. */
  env: Readonly<Record<string, string>>;
  cwd: string;
  /** Text to write to the process's standard input, which is then closed. */
  input?: string;
  /** Kills git and all of its child processes when aborted. */
  signal: AbortSignal;
  timeoutMs: number;
  /** Maximum size of standard output. Git is killed when it writes more. Default: 1 MiB. */
  maxOutputBytes?: number;
  /**
   * Processes standard output as it arrives, so that it isn't collected. Git is paused until the promise
   * resolves.
   */
  onOutput?: (piece: Buffer) => Promise<void>;
  /** Checks the error output while git runs. If it returns true, git is killed. */
  isEnough?: (stderr: string) => boolean;
}

export interface GitResult {
  stdout: Buffer;
  /**
   * Error output in English, truncated to its beginning and end, used to distinguish failures. It can contain
   * URLs, so it isn't shown to users.
   */
  stderr: string;
  /** Null if git was killed. */
  exitCode: number | null;
  end: 'ended' | 'timeout' | 'too_much_output' | 'enough';
}

/** Memory limit of one git process, in KiB. A malicious pack can expand to many times its size. */
const maxMemoryKib = 2 * 1024 * 1024;

/**
 * Starts git with a memory limit, in a separate process group, so that it can be killed with its helpers. The
 * shell only sets the memory limit and the out-of-memory priority. It passes the arguments through unchanged
 * and never interprets them.
 */
export function startGit(run: Pick<GitRun, 'args' | 'env' | 'cwd'>): ChildProcessWithoutNullStreams {
  // If the machine runs out of memory, the kernel kills git first, instead of the agent, the server, or its
  // database.
  const first = '{ echo 1000 >/proc/self/oom_score_adj; } 2>/dev/null';
  const limited = `ulimit -S -v ${maxMemoryKib} 2>/dev/null; ${first}; exec git "$@"`;
  return spawn('/bin/sh', ['-c', limited, 'git', ...run.args], {
    cwd: run.cwd,
    env: run.env,
    detached: true,
  });
}

/** Kills the whole process group. */
export function killGit(child: ChildProcessWithoutNullStreams): void {
  if (child.pid === undefined) return;
  try {
    process.kill(-child.pid, 'SIGKILL');
  } catch {
    // The process has already exited.
  }
}

/** Runs git until it exits. Rejects with the reason of the signal, or if git can't be started. */
export async function runGit(run: GitRun): Promise<GitResult> {
  run.signal.throwIfAborted();
  const child = startGit(run);
  const stdout: Buffer[] = [];
  let stdoutBytes = 0;
  let stderr = '';
  let end: GitResult['end'] = 'ended';

  const stop = (reason: GitResult['end']): void => {
    if (end === 'ended') end = reason;
    killGit(child);
  };
  const onAbort = (): void => killGit(child);
  const timer = setTimeout(() => stop('timeout'), run.timeoutMs);
  run.signal.addEventListener('abort', onAbort, { once: true });
  try {
    const exitCode = await new Promise<number | null>((resolve, reject) => {
      let pendingOutput: Promise<void> = Promise.resolve();
      child.on('error', reject);
      child.on('close', (code) => void pendingOutput.then(() => resolve(code), reject));
      child.stdout.on('data', (chunk: Buffer) => {
        stdoutBytes += chunk.byteLength;
        if (stdoutBytes > (run.maxOutputBytes ?? 1_048_576)) return stop('too_much_output');
        if (!run.onOutput) return void stdout.push(chunk);
        child.stdout.pause();
        pendingOutput = run.onOutput(chunk).then(() => void child.stdout.resume());
        pendingOutput.catch(() => {
          killGit(child);
          child.stdout.destroy();
        });
      });
      child.stderr.setEncoding('utf8').on('data', (text: string) => {
        // Keep the beginning and the end of long output: the reason is at the end, or before the messages of the remote
        // server.
        stderr += text;
        if (stderr.length > 16_384) stderr = `${stderr.slice(0, 4_096)}\n${stderr.slice(-8_192)}`;
        if (run.isEnough?.(stderr)) stop('enough');
      });
      // Ignore write errors, because git can exit without reading its input.
      child.stdin.on('error', () => {});
      child.stdin.end(run.input ?? '');
    });
    run.signal.throwIfAborted();
    return { stdout: Buffer.concat(stdout), stderr, exitCode, end };
  } finally {
    clearTimeout(timer);
    run.signal.removeEventListener('abort', onAbort);
    killGit(child);
  }
}
