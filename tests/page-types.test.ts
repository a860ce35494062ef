import { expect, test } from 'vitest';
import { filesOf, linesWith } from './helpers/source-lines.ts';

test('links of the page and their parameters are never exempt from type checking', () => {
  const files = filesOf('web/src', /\.tsx?$/);
  expect(files.length).toBeGreaterThan(100);
  expect(linesWith(files, /\bas (never|any)\b|\bstrict: false\b|@ts-(ignore|expect-error|nocheck)/)).toEqual(
    [],
  );
});
