import { expect, test } from 'vitest';
import { jqParser } from './jq-parser.ts';

function check(expression: string, content: string, expected: string | RegExp): void {
  const result = jqParser.parse(content, expression);
  if (typeof expected === 'string')
    expect(result, `${expression} of ${content}`).toEqual({ ok: true, version: expected });
  else
    expect(result, `${expression} of ${content}`).toMatchObject({
      ok: false,
      message: expect.stringMatching(expected),
    });
}

test('a version is read exactly as written, even if it is a number', () => {
  check('.a', '{"a": "1.10"}', '1.10');
  check('.a', '{"a": 1.10}', '1.10');
  check('.a', '{"x": "\\"a\\": 7", "a": 1.0}', '1.0');
  check('.a.b', '{"b": 5, "a": {"c": [1.5, {"b": 2}], "b": 12345678901234567890}}', '12345678901234567890');
  check('."a.b"', '{"a.b": -0.0}', '-0.0');
  check('.a', '{"a": true}', 'true');
  check('.a', '\uFEFF{"a": 1}', '1');
  check('.', '"1.2.3"', '1.2.3');
});

test('the last value of a duplicate key is used', () => {
  check('.a', '{"a": 1.10, "a": 2.10}', '2.10');
});

test('list items are rejected with a reference to the parser that supports them', () => {
  expect(jqParser.checkExpression('.list[0].version')).toEqual({
    ok: false,
    message: 'the jq parser supports dotted keys only. Use the yq parser for list items; it also reads JSON',
    position: 5,
  });
});

test('YAML and invalid JSON are rejected with the error position', () => {
  check('.a', 'a: 1\n', /^the content isn't valid JSON: Unexpected token/);
  check('.a', '{"a": 1,}', /^the content isn't valid JSON: .*position 8/);
  check('.a', '{"a": 01}', /isn't valid JSON/);
  check('.a', '// comment\n{"a": 1}', /isn't valid JSON/);
  check('.a', '{"a": 1', /isn't valid JSON/);
});

test("the error describes a result that isn't a single value", () => {
  check('.a', '{"a": null}', /^at \.a: found null, expected a single value$/);
  check('.a', '{"a": ""}', /^at \.a: expected a version, found an empty string/);
  check('.a', '{"a": [1, 2]}', /^at \.a: found a list of 2 items, expected a single value$/);
  check('.a.b', '{"a": [1, 2]}', /^at \.a: found a list of 2 items, expected a map with key "b"/);
  check('.b', '{"a": 1, "c d": 2}', /^at \.: found no key "b" in a map with the keys a, "c d"$/);
  check('.length', '[1]', /found a list of 1 item/);
  check('.toString', '{}', /found no key "toString" in an empty map/);
});
