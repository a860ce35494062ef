import { existsSync, globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { isLong, longFiles } from '../tests/helpers/long-tests.ts';
import config from '../vitest.config.ts';
import { familyOfCommit, longFamilies } from './run-long-tests.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const files = Object.values(longFamilies).flatMap((family) => family.files ?? []);
const isLongFile = (file: string) => longFiles.some((pattern) => path.matchesGlob(file, pattern));

test('every test file with a long form belongs to a family of long tests', () => {
  const withLongForm = globSync(
    ['src', 'tests', 'scripts', 'web/src'].map((folder) => `${folder}/**/*.test.ts`),
    {
      cwd: root,
    },
  ).filter(
    (file) =>
      isLongFile(file) ||
      /^import .*\b(isLong|expectAccessible)\b/m.test(readFileSync(path.join(root, file), 'utf8')),
  );
  expect(withLongForm.length).toBeGreaterThan(20);
  const missing = withLongForm.filter(
    (file) => !files.some((each) => file === each || file.startsWith(`${each}/`)),
  );
  expect(missing.toSorted()).toEqual([
    // This file imports `isLong` only to check other files. It has no long form.
    'scripts/run-long-tests.test.ts',
    // The long form of this test is a program of a family, which runs the fuzzer itself.
    'tests/contract/fuzz.slow.test.ts',
  ]);
});

test('the families of a split file run each of its tests once', () => {
  const split = Object.values(longFamilies).filter(({ names }) => names);
  expect(new Set(split.flatMap((family) => family.files))).toEqual(
    new Set(['tests/e2e/every-page.slow.test.ts']),
  );
  for (const name of [
    'the page / in light colors is accessible',
    'the page / in dark colors is accessible',
    'links',
  ])
    expect(split.filter(({ names }) => names!.test(name))).toHaveLength(1);
});

test('every test file runs in `npm test` or `npm run test:slow` by its name, except those that have only a long form', () => {
  const projectsOf = (file: string) =>
    config.test!.projects!.flatMap((project) => {
      const { name, include, exclude } = (
        project as { test: { name: string; include: string[]; exclude: string[] } }
      ).test;
      const matches = (patterns: string[]) => patterns.some((pattern) => path.matchesGlob(file, pattern));
      return matches(include) && !matches(exclude) ? [name] : [];
    });
  for (const folder of ['src/domain', 'tests/e2e', 'scripts', 'web/src/ui']) {
    expect(projectsOf(`${folder}/a.test.ts`)).toEqual(['quick']);
    expect(projectsOf(`${folder}/a.isolated.test.ts`)).toEqual(['quick-isolated']);
    expect(projectsOf(`${folder}/a.slow.test.ts`)).toEqual(['slow']);
    expect(projectsOf(`${folder}/a.slow.isolated.test.ts`)).toEqual(['slow-isolated']);
    expect(projectsOf(`${folder}/a.long.test.ts`)).toEqual(isLong ? ['quick'] : []);
    expect(projectsOf(`${folder}/a.long.isolated.test.ts`)).toEqual(isLong ? ['quick-isolated'] : []);
  }
});

test('every file and program listed in a family of long tests exists', () => {
  const programs = Object.values(longFamilies).flatMap(({ program }) => program?.slice(0, 1) ?? []);
  expect([...files, ...programs].filter((file) => !existsSync(path.join(root, file)))).toEqual([]);
});

test('every family of long tests is selected for some commits', () => {
  const commits = Array.from({ length: 200 }, (_, index) =>
    (index * 0x9e37_79b1).toString(16).padStart(8, '0'),
  );
  expect(new Set(commits.map(familyOfCommit))).toEqual(new Set(Object.keys(longFamilies)));
});
