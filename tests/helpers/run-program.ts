import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { startsFileVariable } from './run/count-starts.ts';

/**
 * File that starts the program. In tests, it is built as for the npm package, because that starts twice as fast as the
 * sources.
 */
export const programMain =
  '__vitest_worker__' in globalThis
    ? await (await import('./run/ask-run.ts')).requestRunResource('program')
    : fileURLToPath(new URL('../../src/main.ts', import.meta.url));

const nestedStarts = fileURLToPath(new URL('run/count-nested-starts.mjs', import.meta.url));

/**
 * Environment of every program that tests start: only the variables of this process that a program requires, and the
 * defaults for tests.
 */
export function programEnvironment(): Record<string, string | undefined> {
  const { PATH, HOME, [startsFileVariable]: starts } = process.env;
  return {
    PATH,
    HOME,
    PACEKEEPER_LOG_FORMAT: 'json',
    PACEKEEPER_REFERENCE_DATA: 'off',
    ...(starts && { [startsFileVariable]: starts, NODE_OPTIONS: `--import=${nestedStarts}` }),
  };
}

export interface RunningProgram {
  process: ChildProcess;
  /** Returns the standard output that the program has printed so far. */
  stdout(): string;
  stderr(): string;
  /** Waits until the printed output matches the pattern. */
  waitForOutput(pattern: RegExp, timeoutMs?: number): Promise<RegExpExecArray>;
  /** Resolves with the exit code when the program exits. */
  exited: Promise<number | null>;
  /**
   * Sends SIGTERM, then SIGKILL after 25 s.
   * @returns The exit code.
   */
  stop(): Promise<number | null>;
}

/**
 * Starts `pacekeeper` as a separate process whose environment adds the given variables to the standard test
 * environment.
 */
export function runProgram(
  args: readonly string[],
  env: Record<string, string>,
  { main = programMain, ...options }: { main?: string; uid?: number; gid?: number; cwd?: string } = {},
): RunningProgram {
  const child = spawn(process.execPath, [main, ...args], {
    env: { ...programEnvironment(), ...env },
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
