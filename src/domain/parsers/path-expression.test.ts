import { expect, test } from 'vitest';
import { formatPath, parsePathExpression } from './path-expression.ts';

test('what is no path is refused with the place and with what can be written', () => {
  function check(expression: string, message: RegExp, position: number): void {
    expect(parsePathExpression(expression), expression).toMatchObject({
      ok: false,
      message: expect.stringMatching(message),
      position,
    });
  }
  check('', /empty; write a path such as \.image\.tag/, 0);
  check('image.tag', /begins with a dot/, 0);
  check('.a | .b', /found " \| \.b", expected a step/, 2);
  check('.a.b | length', /pipes, filters and functions are not read/, 4);
  check('.list[]', /name the item, such as \[0\]/, 5);
  check('.list[*]', /name the item/, 5);
  check('.list[1:2]', /name the item/, 5);
  check('.list[-1]', /counted from the start/, 5);
  check('.list[a]', /expected a whole number or a quoted key/, 5);
  check('.a..b', /two dots/, 2);
  check('.a.', /does not end with a dot/, 2);
  check('.a."b', /the quoted key has no end/, 2);
  check('.a."\\q"', /is not a JSON string/, 2);
  check('.a b', /other characters need quotes/, 2);
  check('.select(.a)', /pipes, filters and functions/, 7);
});

test('a path is told as people write it', () => {
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
