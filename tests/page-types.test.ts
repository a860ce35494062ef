import { expect, test } from 'vitest';
import { codeLinesMatching, filesOf } from './helpers/source-lines.ts';

test('the web page never bypasses type checking of links and their parameters', () => {
  const files = filesOf('web/src', /\.tsx?$/);
  expect(files.length).toBeGreaterThan(100);
  expect(
    codeLinesMatching(files, /\bas (never|any)\b|\bstrict: false\b|@ts-(ignore|expect-error|nocheck)/),
  ).toEqual([]);
});

test('the program never casts a value to a type that the compiler knows to be wrong', () => {
  const files = filesOf('src', /\.tsx?$/).filter((file) => !file.startsWith('src/generated/'));
  expect(files.length).toBeGreaterThan(1_000);
  expect(
    codeLinesMatching(files, /\bas never\b|\bas unknown as\b|@ts-(ignore|expect-error|nocheck)/),
  ).toEqual([]);
});
