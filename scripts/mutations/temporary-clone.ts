import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  closeSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

/** Result of a test file. */
export interface TestFileResult {
  /** Path relative to the root of the repository. */
  file: string;
  isPassed: boolean;
  seconds: number;
}

export interface TestRun {
  isPassed: boolean;
  /** True if the run took longer than its time limit. */
  isTimedOut: boolean;
  /** Files that finished. Empty if the run crashed. */
  files: TestFileResult[];
  /** Last lines of the output. */
  output: string;
}

export interface TemporaryClone {
  root: string;
  /** Directory next to the clone, in which all users can write. */
  folder: string;
  read(file: string): string;
  write(file: string, text: string): void;
  /** Runs test files, or all of them if the list is empty. */
  runTests(
    files: readonly string[],
    options?: { limitMs?: number; stopsAtFailure?: boolean },
  ): Promise<TestRun>;
  remove(): void;
}

/**
 * Clones the committed state of a repository into a temporary directory, so that changes to its files never
 * affect the working tree. Everything in `node_modules` is linked, except for the caches there.
 */
export function createTemporaryClone(from: string): TemporaryClone {
  const folder = mkdtempSync(path.join(tmpdir(), 'pacekeeper-mutations-'));
  // Some tests run programs as another user, who must be able to write to this directory.
  chmodSync(folder, 0o777);
  const root = path.join(folder, 'clone');
  execFileSync('git', ['clone', '--quiet', from, root], { stdio: ['ignore', 'ignore', 'inherit'] });
  const packages = path.join(root, 'node_modules');
  mkdirSync(packages);
  for (const name of readdirSync(path.join(from, 'node_modules'))) {
    if (name !== '.cache' && !name.startsWith('.vite'))
      symlinkSync(path.join(from, 'node_modules', name), path.join(packages, name));
  }
  const reportFile = path.join(folder, 'report.json');
  const outputFile = path.join(folder, 'output');
  return {
    root,
    folder,
    read: (file) => readFileSync(path.join(root, file), 'utf8'),
    write: (file, text) => writeFileSync(path.join(root, file), text),
    async runTests(files, { limitMs = 0, stopsAtFailure = false } = {}) {
      rmSync(reportFile, { force: true });
      const args = [
        path.join(packages, 'vitest/vitest.mjs'),
        'run',
        ...files.map((file) => path.join(root, file)),
        '--reporter=json',
        `--outputFile=${reportFile}`,
        ...(stopsAtFailure ? ['--bail=1'] : []),
      ];
      const { code, isTimedOut } = await runToEnd(args, root, outputFile, limitMs);
      return {
        isPassed: code === 0,
        isTimedOut,
        files: existsSync(reportFile) ? readReport(reportFile, root) : [],
        output: readFileSync(outputFile, 'utf8').split('\n').slice(-40).join('\n'),
      };
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

async function runToEnd(args: readonly string[], cwd: string, outputFile: string, limitMs: number) {
  const output = openSync(outputFile, 'w');
  // The process leads a group, so that the workers end with it.
  const child = spawn(process.execPath, args, {
    cwd,
    detached: true,
    stdio: ['ignore', output, output],
    env: { ...process.env, CI: '', PACEKEEPER_LONG_TESTS: '' },
  });
  closeSync(output);
  const stop = () => killGroup(child);
  process.once('exit', stop);
  let isTimedOut = false;
  const timer =
    limitMs > 0 &&
    setTimeout(() => {
      isTimedOut = true;
      stop();
    }, limitMs);
  const [code] = (await once(child, 'exit')) as [number | null];
  if (timer) clearTimeout(timer);
  process.off('exit', stop);
  // Stop the workers, which can outlive a run that crashed.
  stop();
  return { code, isTimedOut };
}

function killGroup({ pid }: ChildProcess): void {
  try {
    process.kill(-pid!, 'SIGKILL');
  } catch {
    // All processes of the group have ended.
  }
}

function readReport(file: string, root: string): TestFileResult[] {
  const { testResults } = JSON.parse(readFileSync(file, 'utf8')) as {
    testResults: { name: string; status: string; startTime: number; endTime: number }[];
  };
  return testResults.map(({ name, status, startTime, endTime }) => ({
    file: path.relative(root, name),
    isPassed: status === 'passed',
    seconds: (endTime - startTime) / 1_000,
  }));
}
