import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

const sourceMain = fileURLToPath(new URL('../../src/main.ts', import.meta.url));

export interface RunningProgram {
  process: ChildProcess;
  /** Everything that it has printed so far. */
  stdout(): string;
  stderr(): string;
  /** Waits until what it printed matches. */
  waitForOutput(pattern: RegExp, timeoutMs?: number): Promise<RegExpExecArray>;
  /** Waits for its end. */
  exited: Promise<number | null>;
  /** SIGTERM, and SIGKILL after 25 s. */
  stop(): Promise<number | null>;
}

/** Starts `pacekeeper` as a process of its own, with only these variables beside PATH and HOME. */
export function runProgram(
  args: readonly string[],
  env: Record<string, string>,
  { main = sourceMain, ...options }: { main?: string; uid?: number; gid?: number; cwd?: string } = {},
): RunningProgram {
  const child = spawn(process.execPath, [main, ...args], {
    env: { PATH: process.env['PATH'], HOME: process.env['HOME'], PACEKEEPER_LOG_FORMAT: 'json', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    ...options,
  });
  let stdout = '';
  let stderr = '';
  const watchers = new Set<() => void>();
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
    for (const watcher of watchers) watcher();
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
    for (const watcher of watchers) watcher();
  });
  const exited = once(child, 'exit').then(([code]) => {
    for (const watcher of watchers) watcher();
    return code as number | null;
  });
  return {
    process: child,
    stdout: () => stdout,
    stderr: () => stderr,
    exited,
    waitForOutput(pattern, timeoutMs = 120_000) {
      return new Promise((resolve, reject) => {
        const finish = (act: () => void) => {
          clearTimeout(timer);
          watchers.delete(look);
          act();
        };
        const look = () => {
          const match = pattern.exec(stdout) ?? pattern.exec(stderr);
          if (match) finish(() => resolve(match));
          else if (child.exitCode !== null || child.signalCode !== null) {
            finish(() =>
              reject(new Error(`the program ended before it printed ${pattern}\n${stdout}\n${stderr}`)),
            );
          }
        };
        const timer = setTimeout(
          () => finish(() => reject(new Error(`no ${pattern} within ${timeoutMs} ms\n${stdout}\n${stderr}`))),
          timeoutMs,
        );
        watchers.add(look);
        look();
      });
    },
    async stop() {
      if (child.exitCode !== null || child.signalCode !== null) return child.exitCode;
      child.kill('SIGTERM');
      const timer = setTimeout(() => child.kill('SIGKILL'), 25_000);
      const code = await exited;
      clearTimeout(timer);
      return code;
    },
  };
}
