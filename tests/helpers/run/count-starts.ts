import childProcess from 'node:child_process';
import { subscribe } from 'node:diagnostics_channel';
import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import path from 'node:path';

/** Kinds of slow starts that are counted and reported at the end of a test run. */
export const startKinds = [
  'servers',
  'databases',
  'programs',
  'processes',
  'threads',
  'browsers',
  'initdb',
] as const;
export type StartKind = (typeof startKinds)[number];

/** Environment variable with the path of the file to which every process of the test run appends its starts. */
export const startsFileVariable = 'PACEKEEPER_TEST_STARTS';

/** Adds one start to the count of the test run. Does nothing outside of `npm test`. */
export function countStart(kind: StartKind): void {
  const file = process.env[startsFileVariable];
  // A short line is appended atomically, even if several processes append at the same time.
  if (file) appendFileSync(file, `${kind}\n`);
}

let isCounting = false;

/** Counts each process and thread that this process starts from now on. */
export function countProcessStarts(): void {
  if (isCounting || !process.env[startsFileVariable]) return;
  isCounting = true;
  subscribe('tracing:child_process.spawn:end', (message) => {
    const { process: child } = message as { process: { spawnfile: string; spawnargs: readonly string[] } };
    countStart(kindOf(child.spawnfile, child.spawnargs));
  });
  subscribe('worker_threads', () => countStart('threads'));
  for (const name of ['spawnSync', 'execFileSync', 'execSync'] as const) {
    const original = childProcess[name] as (...args: unknown[]) => unknown;
    const counted = (...args: unknown[]) => {
      countStart(kindOf(String(args[0]), Array.isArray(args[1]) ? args[1] : []));
      return original(...args);
    };
    Object.assign(childProcess, { [name]: counted });
  }
  syncBuiltinESMExports();
}

function kindOf(file: string, args: readonly string[]): StartKind {
  const name = path.basename(file);
  if (name === 'initdb' || args.some((arg) => path.basename(arg) === 'initdb')) return 'initdb';
  if (/chrom/.test(name)) return 'browsers';
  if (args.some((arg) => /(^|\/)(main\.ts|pacekeeper\.mjs)$/.test(arg))) return 'programs';
  return 'processes';
}

/** Returns the number of starts of each kind from the file. */
export function readStarts(file: string): Record<StartKind, number> {
  const counts = Object.fromEntries(startKinds.map((kind) => [kind, 0])) as Record<StartKind, number>;
  if (!existsSync(file)) return counts;
  for (const line of readFileSync(file, 'utf8').split('\n')) {
    if (line in counts) counts[line as StartKind]++;
  }
  return counts;
}
