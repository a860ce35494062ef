import { existsSync, globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { familyOfCommit, longFamilies } from './run-long-tests.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const files = Object.values(longFamilies).flatMap((family) => family.files ?? []);

test('every test file with a long form is in a family', () => {
  const withLongForm = globSync(['src/**/*.test.ts', 'tests/**/*.test.ts', 'web/src/**/*.test.ts'], {
    cwd: root,
  }).filter((file) => /\bisLong\b/.test(readFileSync(path.join(root, file), 'utf8')));
  expect(withLongForm.length).toBeGreaterThan(20);
  const missing = withLongForm.filter((file) => !files.some((each) => file.startsWith(each)));
  // The long form of this test is a program of a family, which runs the fuzzer itself.
  expect(missing).toEqual(['tests/contract/fuzz.test.ts']);
});

test('every file and program listed in a family of long tests exists', () => {
  const programs = Object.values(longFamilies).flatMap(({ program }) => program?.slice(0, 1) ?? []);
  expect([...files, ...programs].filter((file) => !existsSync(path.join(root, file)))).toEqual([]);
});

test('every family is chosen by some commits', () => {
  const commits = Array.from({ length: 200 }, (_, index) =>
    (index * 0x9e37_79b1).toString(16).padStart(8, '0'),
  );
  expect(new Set(commits.map(familyOfCommit))).toEqual(new Set(Object.keys(longFamilies)));
});
