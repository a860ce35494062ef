import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, test } from 'vitest';
import { longPrograms, reliabilityPromises } from './reliability-promises.ts';
import { type FileResult, readResults, runProgram, writePage } from './write-reliability.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const guards = reliabilityPromises.flatMap((promise) => promise.guards);

describe('the promises', () => {
  test('are numbered in their order, and each is guarded by tests that are there', () => {
    const numbers = reliabilityPromises.map(({ number }) => number);
    expect(numbers).toEqual([...new Set(numbers)].toSorted((a, b) => a - b));
    expect(guards.filter((file) => !existsSync(path.join(root, file)))).toEqual([]);
    expect(reliabilityPromises.filter((promise) => promise.guards.length === 0)).toEqual([]);
  });

  test('are guarded by tests, and by programs that are run as such', () => {
    const programs = guards.filter((file) => !file.endsWith('.test.ts'));
    expect(longPrograms.map(({ file }) => file)).toEqual(programs);
  });

  test('are what the tests of faults and of security guard', () => {
    const files = ['tests/faults', 'tests/security'].flatMap((folder) =>
      readdirSync(path.join(root, folder)).map((name) => `${folder}/${name}`),
    );
    // How it runs as an ordinary user is no promise of its own.
    const others = ['tests/faults/ordinary-user.test.ts'];
    const unnamed = files.filter((file) => file.endsWith('.test.ts') && !guards.includes(file));
    expect(unnamed).toEqual(others);
  });
});

describe('the page', () => {
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
    writePage({ date: '2026-11-21', about: 'the long form', results: report(failing), counts });

  test('names every promise, its tests, their outcome, and what was done', () => {
    const text = page(null);
    for (const { sentence } of reliabilityPromises) expect(text).toContain(sentence);
    for (const file of guards) expect(text).toContain(`](../${file})`);
    expect(text).toContain('kill -9 of a server: 20 kills, 12,345 acknowledged');
    expect(text).not.toContain('**');
  });

  test('tells what was done under the number of the promise, and as no list that a formatter numbers anew', () => {
    const text = writePage({
      date: '',
      about: '',
      results: report(null),
      counts: [
        {
          test: 'tests/faults/load.ts',
          what: 'a minute',
          counts: {
            sent: 6e4,
            'MB of heap growth': 0.04,
          },
        },
      ],
    });
    const { sentence } = reliabilityPromises.find(({ number }) => number === 15)!;
    expect(text).toContain(`### 15. ${sentence}\n\n- a minute: 60,000 sent, 0.04 MB of heap growth`);
  });

  test('counts one in the singular', () => {
    const [test, ms] = [guards[0]!, 'ms until the end'];
    const text = writePage({
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
            events: 1e3,
          },
        },
      ],
    });
    expect(text).toContain('- a kill: 1 run, 1 delivery left, 1 ms until the end, 1,000 events');
  });

  test('says what failed, also when a file could not even begin', () => {
    expect(page('tests/faults/one-alert.test.ts')).toContain('**1 failed**');
    expect(writePage({ date: '', about: '', results: report(null).slice(1), counts })).toContain(
      '**not run**',
    );
  });
});

describe('a program', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'pacekeeper-reliability-test-'));
  const countsFile = path.join(folder, 'counts');
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  /** Runs a program of these lines. */
  async function run(lines: string, isLong: boolean): Promise<FileResult> {
    const file = path.relative(root, path.join(folder, 'program.mts'));
    writeFileSync(path.join(root, file), lines);
    const env = { ...process.env, PACEKEEPER_COUNTS_FILE: countsFile };
    return runProgram({ file, long: ['3'], short: ['0'] }, isLong, env);
  }

  test('has passed when it ends with 0, and has failed as a whole when it does not', async () => {
    const lines = 'process.exitCode = Number(process.argv[2]);';
    expect(await run(lines, false)).toMatchObject({ passed: 1, failed: 0, skipped: 0 });
    expect(await run(lines, true)).toMatchObject({ passed: 0, failed: 1, skipped: 0 });
    expect(await run("process.kill(process.pid, 'SIGKILL');", false)).toMatchObject({ passed: 0, failed: 1 });
  });

  test('tells its counts as tests do, under its own name', async () => {
    const tellCounts = path.join(root, 'tests/faults/reported-counts.ts');
    await run(
      `import { tellCounts } from ${JSON.stringify(tellCounts)};
      tellCounts(${JSON.stringify(path.join(root, 'tests/faults/load.ts'))}, 'a minute', { sent: 60 });`,
      false,
    );
    expect(JSON.parse(readFileSync(countsFile, 'utf8'))).toEqual({
      test: 'tests/faults/load.ts',
      what: 'a minute',
      counts: { sent: 60 },
    });
  });
});
