import { expect, test } from 'vitest';
import { formatPath, parsePathExpression } from './path-expression.ts';

test('an invalid path is rejected with the error position and a hint at the valid syntax', () => {
  function check(expression: string, message: RegExp, position: number): void {
    expect(parsePathExpression(expression), expression).toMatchObject({
      ok: false,
      message: expect.stringMatching(message),
      position,
    });
  }
  check('', /empty; use a path such as \.image\.tag/, 0);
  check('image.tag', /must start with a dot/, 0);
  check('.a | .b', /found " \| \.b", expected a step/, 2);
  check('.a.b | length', /pipes, filters, and functions aren't supported/, 4);
  check('.list[]', /use an index, such as \[0\]/, 5);
  check('.list[*]', /use an index/, 5);
  check('.list[1:2]', /use an index/, 5);
  check('.list[-1]', /negative indexes aren't supported/, 5);
  check('.list[a]', /expected a whole number or a quoted key/, 5);
  check('.a..b', /"\.\." isn't supported/, 2);
  check('.a.', /can't end with a dot/, 2);
  check('.a."b', /unterminated quoted key/, 2);
  check('.a."\\q"', /isn't a JSON string/, 2);
  check('.a b', /quote keys with special characters/, 2);
  check('.select(.a)', /pipes, filters, and functions/, 7);
});

test('a path is formatted in the syntax that users enter', () => {
  for (const path of [
    '.',
    '.a',
    '.a.b',
    '.list[0].c',
    '.[0]',
    '.a."key.with.dots"',
    '.a[0][1]',
    '.app-version',
  ]) {
    const parsed = parsePathExpression(path);
    expect(parsed.ok && formatPath(parsed.steps)).toBe(path);
  }
});
