import { expect, test } from 'vitest';
import { createCompiler } from './compile-schema.ts';

const compile = createCompiler({}, { allErrors: false, isClosed: false });

test('a text that is trimmed loses the white space around it, and one that nothing holds stays as it is', () => {
  const body = { name: ' web ' };
  expect(compile({ type: 'object', properties: { name: { type: 'string', 'x-trim': true } } })(body)).toBe(
    true,
  );
  expect(body).toEqual({ name: 'web' });
  expect(compile({ type: 'string', 'x-trim': true })(' web ')).toBe(true);
});
