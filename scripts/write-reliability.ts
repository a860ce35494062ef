import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, loadavg, tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import packageJson from '../package.json' with { type: 'json' };
import type { ToldCounts } from '../tests/faults/told-counts.ts';
import { longPrograms, type ReliabilityPromise, reliabilityPromises } from './reliability-promises.ts';

/**
 * `npm run test:faults`: the long form of the tests and programs that try to break what Pacekeeper promises, and
 * docs/reliability.md from what came of it. Ends with 1 when one of them was broken. `--short` runs the short form and
 * prints the page.
 */
const root = fileURLToPath(new URL('..', import.meta.url));
/** All of them end by themselves; this is for a machine that stands still. */
const endAfterMs = 90 * 60_000;

/** Of a test file, or of a program: that passes or fails as a whole. */
export interface FileResult {
  /** From the root of the repository. */
  file: string;
  passed: number;
  failed: number;
  skipped: number;
  seconds: number;
}

export interface Run {
  date: string;
  about: string;
  results: readonly FileResult[];
  counts: readonly ToldCounts[];
}

export function writePage(run: Run): string {
  const byFile = new Map(run.results.map((result) => [result.file, result]));
  const files = run.results.length;
  const passed = run.results.reduce((sum, result) => sum + result.passed, 0);
  const failed = run.results.reduce((sum, result) => sum + result.failed, 0);
  const seconds = run.results.reduce((sum, result) => sum + result.seconds, 0);
  return `# Reliability

What Pacekeeper promises, and the tests that try to break each promise. This page is written by \`npm run test:faults\`; do
not edit it. A short form of every test runs in \`npm test\`; what ends in \`.ts\` is a program, which runs here alone and
passes or fails as a whole. All tests are seeded: \`PACEKEEPER_TEST_SEED\` names another seed.

Last run: ${run.date}, ${run.about}. ${files} files, ${passed} tests passed, ${failed} failed, ${Math.round(seconds / 60)} minutes of tests.

| | Promise | Guarded by | Last run |
|---|---|---|---|
${reliabilityPromises.map((promise) => `| ${promise.number} | ${promise.sentence} | ${guardsOf(promise)} | ${outcomeOf(promise, byFile)} |`).join('\n')}

## What was done to it

${reliabilityPromises
  .map((promise) => doneTo(promise, run.counts))
  .filter(Boolean)
  .join('\n\n')}
`;
}

function guardsOf({ guards }: ReliabilityPromise): string {
  return guards.map((file) => `[${path.basename(file, '.test.ts')}](../${file})`).join(', ');
}

function outcomeOf({ guards }: ReliabilityPromise, byFile: ReadonlyMap<string, FileResult>): string {
  const results = guards.map((file) => byFile.get(file));
  if (results.includes(undefined)) return '**not run**';
  const sum = (count: 'passed' | 'failed' | 'skipped') =>
    results.reduce((total, result) => total + result![count], 0);
  if (sum('failed') > 0) return `**${sum('failed')} failed**, ${sum('passed')} passed`;
  return `${sum('passed')} passed${sum('skipped') > 0 ? `, ${sum('skipped')} not possible on this machine` : ''}`;
}

function doneTo({ number, sentence, guards }: ReliabilityPromise, counts: readonly ToldCounts[]): string {
  const own = counts.filter(({ test }) => guards.includes(test));
  if (own.length === 0) return '';
  const lines = own.map(({ what, counts: told }) => {
    const text = Object.entries(told).map(([name, count]) => `${count.toLocaleString('en')} ${name}`);
    return `- ${what}: ${text.join(', ')}`;
  });
  // No list: whoever formats the page would number it anew.
  return `### ${number}. ${sentence}\n\n${lines.join('\n')}`;
}

interface VitestReport {
  testResults: {
    name: string;
    startTime: number;
    endTime: number;
    status: 'passed' | 'failed';
    assertionResults: { status: string }[];
  }[];
}

export function readResults(report: VitestReport, from: string): FileResult[] {
  return report.testResults.map(({ name, startTime, endTime, status, assertionResults }) => {
    const count = (wanted: string) => assertionResults.filter((each) => each.status === wanted).length;
    const passed = count('passed');
    const failed = count('failed');
    return {
      file: path.relative(from, name),
      passed,
      // A file that could not be read, or whose set-up failed, has no tests at all.
      failed: status === 'failed' ? Math.max(1, failed) : failed,
      skipped: assertionResults.length - passed - failed,
      seconds: (endTime - startTime) / 1_000,
    };
  });
}

/** The tests, and then one program after another. */
async function runAll(isLong: boolean): Promise<Run> {
  const folder = mkdtempSync(path.join(tmpdir(), 'pacekeeper-reliability-'));
  const [reportFile, countsFile] = [path.join(folder, 'report.json'), path.join(folder, 'counts')];
  writeFileSync(countsFile, '');
  const env = {
    ...process.env,
    PACEKEEPER_COUNTS_FILE: countsFile,
    ...(isLong && { PACEKEEPER_LONG_TESTS: '1' }),
  };
  try {
    const programs = longPrograms.map(({ file }) => file);
    const files = [...new Set(reliabilityPromises.flatMap(({ guards }) => guards))].filter(
      (file) => !programs.includes(file),
    );
    const vitest = path.join(root, 'node_modules', 'vitest', 'vitest.mjs');
    const reporters = ['--reporter=default', '--reporter=json', `--outputFile=${reportFile}`];
    await runToEnd([vitest, 'run', ...files, ...reporters], env);
    const results = readResults(JSON.parse(readFileSync(reportFile, 'utf8')) as VitestReport, root);
    for (const program of longPrograms) results.push(await runProgram(program, isLong, env));
    const lines = readFileSync(countsFile, 'utf8').split('\n').filter(Boolean);
    return {
      date: new Date().toISOString().slice(0, 10),
      about: `the ${isLong ? 'long' : 'short'} form, version ${packageJson.version}, Node ${process.versions.node}, ${process.platform} with ${availableParallelism()} processors, load ${loadavg()[2]!.toFixed(1)}`,
      results,
      counts: lines.map((line) => JSON.parse(line) as ToldCounts),
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

export async function runProgram(
  { file, long, short }: (typeof longPrograms)[number],
  isLong: boolean,
  env: NodeJS.ProcessEnv,
): Promise<FileResult> {
  const startedAt = performance.now();
  const isBroken = (await runToEnd([path.join(root, file), ...(isLong ? long : short)], env)) !== 0;
  const seconds = (performance.now() - startedAt) / 1_000;
  return { file, passed: isBroken ? 0 : 1, failed: isBroken ? 1 : 0, skipped: 0, seconds };
}

/** @returns the exit code; null when it was ended because it stood still */
async function runToEnd(args: readonly string[], env: NodeJS.ProcessEnv): Promise<number | null> {
  const child = spawn(process.execPath, args, { cwd: root, stdio: 'inherit', timeout: endAfterMs, env });
  const [code] = (await once(child, 'exit')) as [number | null];
  return code;
}

if (import.meta.main) {
  const isLong = !process.argv.includes('--short');
  const run = await runAll(isLong);
  const page = writePage(run);
  if (isLong) {
    mkdirSync(path.join(root, 'docs'), { recursive: true });
    writeFileSync(path.join(root, 'docs', 'reliability.md'), page);
  } else process.stdout.write(page);
  process.exitCode = run.results.some(({ failed }) => failed > 0) ? 1 : 0;
}
