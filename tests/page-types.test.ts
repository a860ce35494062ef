import { expect, test } from 'vitest';
import { filesOf, linesWith } from './helpers/source-lines.ts';

test('the web page never bypasses type checking of links and their parameters', () => {
  const files = filesOf('web/src', /\.tsx?$/);
  expect(files.length).toBeGreaterThan(100);
  expect(linesWith(files, /\bas (never|any)\b|\bstrict: false\b|@ts-(ignore|expect-error|nocheck)/)).toEqual(
    [],
  );
});
