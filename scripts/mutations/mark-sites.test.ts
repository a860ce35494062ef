import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { temporaryFolder } from '../../tests/helpers/temporary-folder.ts';
import { findSites } from './find-sites.ts';
import { filesOfSites, markSites } from './mark-sites.ts';

const folder = temporaryFolder();

describe('source code with marks at its sites', () => {
  test('records the sites that run, also in a thread and in a program, and returns the same results', () => {
    const marksFile = path.join(folder, 'marks');
    const text = `
      import { spawnSync } from 'node:child_process';
      import { isMainThread, Worker } from 'node:worker_threads';
      function f(a: number): unknown {
        if (a === 1) return a < 2 && !(a > 3);
        void a; g();
        return a ? 'main' : a === 9;
      }
      function g(): void {}
      if (process.argv[2] === 'program') f(0);
      else if (isMainThread) {
        console.log(f(1), f(2));
        spawnSync(process.execPath, [import.meta.filename, 'program']);
        new Worker(import.meta.filename, { env: {} });
      } else f(3);`;
    const sites = findSites('a.ts', text).map((site, id) => ({ id, site }));
    const marked = path.join(folder, 'marked.mts');
    writeFileSync(marked, markSites(text, sites, marksFile));
    expect(execFileSync(process.execPath, [marked], { encoding: 'utf8' })).toBe('true main\n');
    const marks = readFileSync(marksFile, 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { site: number; processes: number[] });
    expect(new Set(marks.map(({ site }) => site))).toEqual(new Set(sites.map(({ id }) => id)));
    const last = sites.find(({ site }) => site.before === 'a === 9')!.id;
    const [program] = marks.filter(({ site }) => site === last);
    const main = marks[0]!.processes[0]!;
    expect(program!.processes.slice(1)).toContain(main);
    expect(marks[0]!.processes).toContain(process.pid);
  });
});

describe('the test files that ran a site', () => {
  const start = (file: string, process: number) => ({ type: 'start', file, process });
  const end = (file: string, process: number) => ({ type: 'end', file, process });
  const site = (id: number, ...processes: number[]) => ({ type: 'site', site: id, processes });

  async function check(marks: object[], expected: Record<number, string[]>) {
    const found = await filesOfSites(marks.map((mark) => JSON.stringify(mark)));
    expect(Object.fromEntries([...found].map(([id, files]) => [id, [...files]]))).toEqual(expected);
  }

  test('are those of the worker that ran the site or started its program', async () => {
    const marks = [start('a', 10), site(0, 10, 1), start('b', 11), site(1, 90, 11, 1), site(0, 11, 1)];
    await check(marks, { 0: ['a', 'b'], 1: ['b'] });
  });

  test('change when the worker starts the next file, so cleanup after the last test of a file counts toward that file', async () => {
    const marks = [start('a', 10), end('a', 10), site(0, 10, 1), start('b', 10), site(1, 10, 1)];
    await check(marks, { 0: ['a'], 1: ['b'] });
  });

  test('are all files that were running if the worker is not known', async () => {
    const marks = [start('a', 10), start('b', 11), start('c', 12), end('a', 10), site(0, 90, 1)];
    await check(marks, { 0: ['b', 'c'] });
  });
});
