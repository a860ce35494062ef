import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { reliabilityPromises } from './reliability-promises.ts';
import { readResults, writePage } from './write-reliability.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const guards = reliabilityPromises.flatMap((promise) => promise.guards);

describe('the promises', () => {
  test('are fourteen, and each is guarded by tests that are there', () => {
    expect(reliabilityPromises.map(({ number }) => number)).toEqual(
      Array.from({ length: 14 }, (_, index) => index + 1),
    );
    expect(guards.filter((file) => !existsSync(path.join(root, file)))).toEqual([]);
    expect(reliabilityPromises.filter((promise) => promise.guards.length === 0)).toEqual([]);
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

  test('says what failed, also when a file could not even begin', () => {
    expect(page('tests/faults/one-alert.test.ts')).toContain('**1 failed**');
    expect(writePage({ date: '', about: '', results: report(null).slice(1), counts })).toContain(
      '**not run**',
    );
  });
});
