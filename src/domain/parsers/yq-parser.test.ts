import { expect, test } from 'vitest';
import { yqParser } from './yq-parser.ts';

function check(expression: string, content: string, expected: string | RegExp): void {
  const result = yqParser.parse(content, expression);
  if (typeof expected === 'string')
    expect(result, `${expression} of ${content}`).toEqual({ ok: true, version: expected });
  else
    expect(result, `${expression} of ${content}`).toMatchObject({
      ok: false,
      message: expect.stringMatching(expected),
    });
}

test('a scalar is the version exactly as written', () => {
  for (const version of [
    '1.10',
    '1.0',
    '0x1F',
    '0o17',
    '1_000',
    '1e3',
    'true',
    'no',
    '2024-01-02',
    '12:30:45',
    '.5',
    '007',
  ]) {
    check('.a', `a: ${version}`, version);
    check('.a', `a: "${version}"`, version);
    check('.a', `{"b": [{"c": {}}], "a": "${version}"}`, version);
  }
  for (const number of ['1.10', '1.0', '-1', '10000000000000000000001', '1E+2', '1e400']) {
    check('.a', `{"a": ${number}, "b": "x\\"1.5\\\\"}`, number);
  }
  check('.a', 'a: !!str 1.10', '1.10');
  check('.a', 'a: !version 1.10', '1.10');
  check('.a', "a: 'it''s'", "it's");
  check('.a', 'a: |\n  1.2.3\n', '1.2.3');
  check('.a', 'a: "null"', 'null');
  check('.', '1.2.3\n', '1.2.3');
});

test('a path can contain keys, list indexes, and quoted keys', () => {
  const yaml =
    'spec:\n  list:\n    - c: 1.1\n    - c: 1.2\n  key.with.dots: 1.3\n  "sp ace": 1.4\n  app-version: 1.5\n  a/b: 1.6\n  "0": 1.7\n';
  check('.spec.list[0].c', yaml, '1.1');
  check('.spec.list[1].c', yaml, '1.2');
  check('.spec."key.with.dots"', yaml, '1.3');
  check('.spec["key.with.dots"]', yaml, '1.3');
  check('.spec.["key.with.dots"]', yaml, '1.3');
  check('."spec"."sp ace"', yaml, '1.4');
  check('.spec.app-version', yaml, '1.5');
  check('.spec.a/b', yaml, '1.6');
  check('.spec.0', yaml, '1.7');
  check('.[1].a', '- a: 1\n- a: 2\n', '2');
  check('[1].a', '- a: 1\n- a: 2\n', /a path must start with a dot/);
});

test('the first document that contains the path is used', () => {
  const yaml = 'kind: Namespace\n---\nkind: App\nversion: 1.2.3\n---\nversion: 9.9.9\n';
  check('.version', yaml, '1.2.3');
  check('.kind', yaml, 'Namespace');
  check('.version', 'version:\n---\nversion: 2\n', /^at \.version: found null, expected a single value$/);
  check(
    '.nope',
    yaml,
    /^path not found in any of 3 documents; closest is document 1: at \.: found no key "nope"/,
  );
  check(
    '.a.b',
    'x: 1\n---\na: {c: 1}\n',
    /closest is document 2: at \.a: found no key "b" in a map with the key c$/,
  );
});

test('documents after the match are ignored, but an invalid document before the match is reported', () => {
  check('.a', 'a: 1\n---\n[', '1');
  check('.a', '[\n---\na: 1\n', /isn't valid YAML: line 2, column 1/);
});

test("the error for a result that isn't a single value states the step and the content found there", () => {
  const yaml = 'spec:\n  source: [a, b, c]\n  empty: []\n  none: ~\n  blank: ""\n  map: {}\n';
  check(
    '.spec.source.chart',
    yaml,
    /^at \.spec\.source: found a list of 3 items, expected a map with key "chart"; use an index, such as \[0\]$/,
  );
  check('.spec.source', yaml, /^at \.spec\.source: found a list of 3 items, expected a single value$/);
  check(
    '.spec',
    yaml,
    /^at \.spec: found a map with the keys source, empty, none, blank, map, expected a single value$/,
  );
  check(
    '.spec.sauce',
    yaml,
    /^at \.spec: found no key "sauce" in a map with the keys source, empty, none, blank, map$/,
  );
  check('.spec.source[3]', yaml, /^at \.spec\.source: found no item \[3\] in a list of 3 items$/);
  check('.spec.empty[0]', yaml, /^at \.spec\.empty: found no item \[0\] in an empty list$/);
  check('.spec[0]', yaml, /^at \.spec: found a map with the keys .*, expected a list with item \[0\]$/);
  check('.spec.none', yaml, /^at \.spec\.none: found null, expected a single value$/);
  check('.spec.none.a', yaml, /^at \.spec\.none: found null, expected a map with key "a"$/);
  check('.spec.blank', yaml, /^at \.spec\.blank: expected a version, found an empty string$/);
  check('.spec.map.a', yaml, /^at \.spec\.map: found no key "a" in an empty map$/);
  check(
    '.spec.source[0].x',
    yaml,
    /^at \.spec\.source\[0\]: found the text "a", expected a map with key "x"$/,
  );
});

test('an error lists at most ten keys and truncates long keys', () => {
  const keys = Array.from({ length: 14 }, (_, index) => `k${index}: 1`).join('\n');
  check('.x', keys, /a map with the keys k0, k1, k2, k3, k4, k5, k6, k7, k8, k9 \(and 4 more\)$/);
  check('.x', `? ${'k'.repeat(5_000)}\n: 1`, /the key "k{40}"…$/);
});

test('aliases and merge keys are followed along the path', () => {
  check('.b', 'a: &v 1.2.3\nb: *v\n', '1.2.3');
  check('.services.web.image', 'x: &base\n  image: 11\nservices:\n  web:\n    <<: *base\n', '11');
  check('.b.v', 'a: &a {v: 1}\nb:\n  <<: *a\n  v: 2\n', '2');
  check('.c.v', 'a: &a {v: 1}\nb: &b {v: 2, w: 3}\nc:\n  <<: [*b, *a]\n', '2');
  check('.b', 'a: &v 1\nb: &v 2\nc: *v\n', '2');
  check('.c', 'a: &v 1\nb: &v 2\nc: *v\n', '2');
  check('."<<"', '"<<": 1\n', '1');
  check('.a', 'a: *nowhere\n', /undefined alias "\*nowhere"/);
  check('.a[0][0].b', 'a: &a [*a]\n', /^at \.a\[0\]\[0\]: found a list of 1 item, expected a map/);
  check('.a.b', 'a: &a\n  <<: *a\n', /found no key "b"/);
});

test('keys with the names of inherited object properties behave like any other key', () => {
  check('.__proto__.version', '__proto__:\n  version: 1.10\n', '1.10');
  check('.__proto__.version', '{"__proto__": {"version": 1.10}}', '1.10');
  check('.constructor', 'a: 1\n', /found no key "constructor"/);
  check('.constructor', '{"a": 1}', /found no key "constructor"/);
});

test('a duplicate YAML key is an error only on the path', () => {
  check('.a', 'a: 1\na: 2\n', /^at \.a: duplicate key "a" \(2 times\)$/);
  check('.b', 'a: 1\na: 2\nb: 3\n', '3');
});

test('invalid YAML is reported with its line and column', () => {
  check('.a', 'a: 1\nb: [1,\n', /^the content isn't valid YAML: line 3, column 1: /);
  check('.a', 'a: "x\n', /^the content isn't valid YAML: line \d/);
  check('.a', 'a: 1\nb: {{ .Values.x }}\nc: {{- if }}\n', /isn't valid YAML: line [23]/);
  check(
    '.a',
    'a: 1\u0000\n',
    /^the content isn't valid YAML: line 1, column 5 contains control character U\+0000$/,
  );
  check('.a', '# nothing but a comment\n', /^at \.: found null/);
  check('.a', '%FOO\n'.repeat(200), /more than 100 YAML directives/);
});
