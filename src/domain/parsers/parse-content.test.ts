import { expect, test } from 'vitest';
import { parseContent } from './parse-content.ts';

test('the version is transformed, and the raw version is kept as written', () => {
  expect(
    parseContent({ parserType: 'yq', expression: '.a', transform: 'add_v_lower', content: 'a: 1.10' }),
  ).toEqual({
    ok: true,
    version: 'v1.10',
    rawVersion: '1.10',
  });
  expect(
    parseContent({ parserType: 'manual', expression: '', transform: 'strip_v_upper', content: ' V2 ' }),
  ).toEqual({
    ok: true,
    version: '2',
    rawVersion: 'V2',
  });
});

test('a transform that results in an empty or too long version returns an error', () => {
  expect(
    parseContent({ parserType: 'manual', expression: '', transform: 'strip_v_lower', content: 'v' }),
  ).toEqual({
    ok: false,
    step: 'transform',
    message: 'after strip_v_lower: expected a version, found an empty string',
  });
  expect(
    parseContent({
      parserType: 'manual',
      expression: '',
      transform: 'add_v_lower',
      content: '1'.repeat(256),
    }),
  ).toMatchObject({
    ok: false,
    step: 'transform',
  });
});

test('an invalid expression is reported before the content is checked', () => {
  expect(
    parseContent({ parserType: 'regex', expression: '(?!x)', transform: 'none', content: '' }),
  ).toMatchObject({
    ok: false,
    step: 'expression',
    message: expect.stringContaining('negative lookahead'),
  });
});
