import { expect, test } from 'vitest';
import { createCompiler } from './compile-schema.ts';

const compile = createCompiler({}, { allErrors: false, isClosed: false });

test('x-trim removes the whitespace around a string property and leaves a top-level string unchanged', () => {
  const body = { name: ' web ' };
  expect(compile({ type: 'object', properties: { name: { type: 'string', 'x-trim': true } } })(body)).toBe(
    true,
  );
  expect(body).toEqual({ name: 'web' });
  expect(compile({ type: 'string', 'x-trim': true })(' web ')).toBe(true);
});
