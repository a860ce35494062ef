import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';

export interface GitRun {
  /** Of git; fixed words and checked values. */
  args: readonly string[];
  /** The whole environment, see `git-environment.ts`. */
  env: Readonly<Record<string, string>>;
  cwd: string;
  /** Written to its standard input, which then ends. */
  input?: string;
  /** Aborting kills git and all that it started. */
  signal: AbortSignal;
  timeoutMs: number;
  /** Of standard output; more ends it. Default 1 MiB. */
  maxOutputBytes?: number;
  /** Takes standard output as it comes, instead of keeping it; git waits meanwhile. */
  onOutput?: (piece: Buffer) => Promise<void>;
  /** Looks at what git says meanwhile; true ends it. */
  isEnough?: (stderr: string) => boolean;
}

export interface GitResult {
  stdout: Buffer;
  /** Its end, in English, for telling failures apart. It may name addresses; it goes to nobody. */
  stderr: string;
  /** Null when it was killed. */
  exitCode: number | null;
  end: 'ended' | 'timeout' | 'too_much_output' | 'enough';
}

/** What one git may have of memory, in KiB: packs can be written that unfold to many times their size. */
const maxMemoryKib = 2 * 1024 * 1024;

/**
 * Starts git in a process group of its own, so that it can be killed with its helpers, within a limit on memory. The
 * shell only sets the limit and who goes first when memory is short: it gets the arguments as they are, and none of them becomes a part of its text.
 */
export function startGit(run: Pick<GitRun, 'args' | 'env' | 'cwd'>): ChildProcessWithoutNullStreams {
  // Where memory runs out, git ends first, and not the agent, the server, or its database.
  const first = '{ echo 1000 >/proc/self/oom_score_adj; } 2>/dev/null';
  const limited = `ulimit -S -v ${maxMemoryKib} 2>/dev/null; ${first}; exec git "$@"`;
  return spawn('/bin/sh', ['-c', limited, 'git', ...run.args], {
    cwd: run.cwd,
    env: run.env,
    detached: true,
  });
}

/** Kills the whole group. */
export function killGit(child: ChildProcessWithoutNullStreams): void {
  if (child.pid === undefined) return;
  try {
    process.kill(-child.pid, 'SIGKILL');
  } catch {
    // It is gone.
  }
}

/** Runs git to its end. Rejects with the reason of the signal, or when git cannot be started at all. */
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
      let handing: Promise<void> = Promise.resolve();
      child.on('error', reject);
      child.on('close', (code) => void handing.then(() => resolve(code), reject));
      child.stdout.on('data', (chunk: Buffer) => {
        stdoutBytes += chunk.byteLength;
        if (stdoutBytes > (run.maxOutputBytes ?? 1_048_576)) return stop('too_much_output');
        if (!run.onOutput) return void stdout.push(chunk);
        child.stdout.pause();
        handing = run.onOutput(chunk).then(() => void child.stdout.resume());
        handing.catch(() => {
          killGit(child);
          child.stdout.destroy();
        });
      });
      child.stderr.setEncoding('utf8').on('data', (text: string) => {
        // The reason stands at the end, or in front of what the other side had to say about it.
        stderr += text;
        if (stderr.length > 16_384) stderr = `${stderr.slice(0, 4_096)}\n${stderr.slice(-8_192)}`;
        if (run.isEnough?.(stderr)) stop('enough');
      });
      // A git that ended early does not read its input.
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
