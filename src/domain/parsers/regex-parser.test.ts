import { expect, test } from 'vitest';
import { regexParser } from './regex-parser.ts';

function check(expression: string, content: string, expected: string | RegExp): void {
  const result = regexParser.parse(content, expression);
  if (typeof expected === 'string')
    expect(result, `${expression} of ${content}`).toEqual({ ok: true, version: expected });
  else
    expect(result, `${expression} of ${content}`).toMatchObject({
      ok: false,
      message: expect.stringMatching(expected),
    });
}

test('the version is the first capture group, or the whole match for a pattern without groups', () => {
  check('image: app:(\\S+)', 'image: app:1.2.3\n', '1.2.3');
  check('\\d+\\.\\d+', 'v1.10 and 2.20', '1.10');
  check('(\\d+)\\.(\\d+)', 'v1.10', '1');
  check('(?P<version>\\d+\\.\\d+)', 'v1.10', '1.10');
  check('(?<version>\\d+\\.\\d+)', 'v1.10', '1.10');
  check('(?:v)(\\d+)', 'v7', '7');
  check('(?:b|(a))c', 'bc ac', /first capture group is empty/);
});

test('the pattern is applied to the whole content', () => {
  check('^b', 'a\nb', /doesn't match the content \(3 characters\)/);
  check('(?m)^b=(.*)$', 'a=1\nb=2\nc=3', '2');
  check('(?s)name: x.*?version: (\\S+)', 'name: y\nversion: 1\nname: x\nkind: z\nversion: 2\n', '2');
  check('^FROM node:(\\S+)', '\uFEFFFROM node:20.1\n', '20.1');
});

test("an empty group or match isn't a version", () => {
  check('v(\\d*)', 'v', /empty string/);
  check('x*', 'abc', /empty string/);
});
