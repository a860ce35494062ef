import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, test } from 'vitest';
import { longPrograms, reliabilityPromises } from './reliability-promises.ts';
import { type FileResult, formatReliabilityPage, readResults, runProgram } from './write-reliability.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const guards = reliabilityPromises.flatMap((promise) => promise.guards);

describe('the reliability guarantees', () => {
  test('are numbered in order, and each is verified by existing files', () => {
    const numbers = reliabilityPromises.map(({ number }) => number);
    expect(numbers).toEqual([...new Set(numbers)].toSorted((a, b) => a - b));
    expect(guards.filter((file) => !existsSync(path.join(root, file)))).toEqual([]);
    expect(reliabilityPromises.filter((promise) => promise.guards.length === 0)).toEqual([]);
  });

  test('are verified by test files or by the listed long programs', () => {
    const programs = guards.filter((file) => !file.endsWith('.test.ts'));
    expect(longPrograms.map(({ file }) => file)).toEqual(programs);
  });

  test('include every fault test and every security test', () => {
    const files = ['tests/faults', 'tests/security'].flatMap((folder) =>
      readdirSync(path.join(root, folder)).map((name) => `${folder}/${name}`),
    );
    // No guarantee lists these two tests. Running as an ordinary user isn't a guarantee in itself, and
    // install scripts concern only developers.
    const others = ['tests/faults/ordinary-user.slow.test.ts', 'tests/security/install-scripts.test.ts'];
    const unnamed = files.filter((file) => file.endsWith('.test.ts') && !guards.includes(file));
    expect(unnamed).toEqual(others);
  });
});

describe('the reliability page', () => {
  const report = (failing: string | null) =>
    readResults(
      {
        testResults: guards.map((file) => ({
          name: `/repository/${file}`,
          startTime: 0,
          endTime: 60_000,
          status: file === failing ? ('failed' as const) : ('passed' as const),
          assertionResults: file === failing ? [] : [{ status: 'passed' }],
        })),
      },
      '/repository',
    );
  const counts = [
    { test: guards[0]!, what: 'kill -9 of a server', counts: { kills: 20, acknowledged: 12_345 } },
  ];
  const page = (failing: string | null) =>
    formatReliabilityPage({ date: '2026-11-21', about: 'the long form', results: report(failing), counts });

  test('lists every guarantee, its tests, their outcome, and their counts', () => {
    const text = page(null);
    for (const { sentence } of reliabilityPromises) expect(text).toContain(sentence);
    for (const file of guards) expect(text).toContain(`](../${file})`);
    expect(text).toContain('kill -9 of a server: 20 kills, 12,345 acknowledged');
    expect(text).not.toContain('**');
  });

  test("shows counts under the number of the guarantee, in a heading that formatters don't renumber", () => {
    const text = formatReliabilityPage({
      date: '',
      about: '',
      results: report(null),
      counts: [
        {
          test: 'tests/faults/load.ts',
          what: 'a minute',
          counts: {
            sent: 60_000,
            'MB of heap growth': 0.04,
          },
        },
      ],
    });
    const { sentence } = reliabilityPromises.find(({ number }) => number === 15)!;
    expect(text).toContain(`### 15. ${sentence}\n\n- a minute: 60,000 sent, 0.04 MB of heap growth`);
  });

  test('uses the singular for a count of one', () => {
    const [test, ms] = [guards[0]!, 'ms until the end'];
    const text = formatReliabilityPage({
      date: '',
      about: '',
      results: report(null),
      counts: [
        {
          test,
          what: 'a kill',
          counts: {
            runs: 1,
            'deliveries left': 1,
            [ms]: 1,
            events: 1_000,
          },
        },
      ],
    });
    expect(text).toContain('- a kill: 1 run, 1 delivery left, 1 ms until the end, 1,000 events');
  });

  test('shows failures, including files that failed before their first test, and files that did not run', () => {
    expect(page('tests/faults/one-alert.test.ts')).toContain('**1 failed**');
    expect(formatReliabilityPage({ date: '', about: '', results: report(null).slice(1), counts })).toContain(
      '**not run**',
    );
  });
});

describe('a long program', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'pacekeeper-reliability-test-'));
  const countsFile = path.join(folder, 'counts');
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  /** Runs a program with these lines. */
  async function run(lines: string, isLong: boolean): Promise<FileResult> {
    const file = path.relative(root, path.join(folder, 'program.mts'));
    writeFileSync(path.join(root, file), lines);
    const env = { ...process.env, PACEKEEPER_COUNTS_FILE: countsFile };
    return runProgram({ file, long: ['3'], short: ['0'] }, isLong, env);
  }

  test('passes with exit code 0, and otherwise fails as a whole', async () => {
    const lines = 'process.exitCode = Number(process.argv[2]);';
    expect(await run(lines, false)).toMatchObject({ passed: 1, failed: 0, skipped: 0 });
    expect(await run(lines, true)).toMatchObject({ passed: 0, failed: 1, skipped: 0 });
    expect(await run("process.kill(process.pid, 'SIGKILL');", false)).toMatchObject({ passed: 0, failed: 1 });
  });

  test('reports its counts like a test, under its own file name', async () => {
    const appendCounts = path.join(root, 'tests/faults/reported-counts.ts');
    await run(
      `import { appendCounts } from ${JSON.stringify(appendCounts)};
      appendCounts(${JSON.stringify(path.join(root, 'tests/faults/load.ts'))}, 'a minute', { sent: 60 });`,
      false,
    );
    expect(JSON.parse(readFileSync(countsFile, 'utf8'))).toEqual({
      test: 'tests/faults/load.ts',
      what: 'a minute',
      counts: { sent: 60 },
    });
  });
});
