import { afterAll, expect, test } from 'vitest';
import { createSandbox, type RunOptions } from './sandbox.ts';

/**
 * Refers to the parsers only by their URL, because the sandbox doesn't depend on them. The test uses them as
 * a realistic workload.
 */
const parseContent = new URL('../../domain/parsers/parse-content.ts', import.meta.url);
/**
 * Separate sandboxes with one process each for hostile and for ordinary content, with the limits that the
 * parsers use.
 */
const hostile = createSandbox({ workers: 1, deadlineMs: 5_000, maxHeapMb: 256 });
const ordinary = createSandbox({ workers: 1, deadlineMs: 5_000, maxHeapMb: 256 });

afterAll(() => Promise.all([hostile.close(), ordinary.close()]));

type Answer = { ok: true; version: string } | { ok: false; step: string; message: string };

function parse(
  sandbox: typeof hostile,
  parserType: string,
  expression: string,
  content: string,
  options?: RunOptions,
): Promise<Answer> {
  return sandbox.run(
    parseContent,
    'parseContent',
    { parserType, expression, transform: 'none', content },
    options,
  );
}

/** Expected error of cases that would run for minutes. They use a shorter deadline than the parsers. */
const isStopped = /SandboxTimeoutError/;

const nines = (index: number) => Array.from({ length: 9 }, () => `*a${index}`).join(',');
const nineLevels = [
  'a0: &a0 [x]',
  ...Array.from({ length: 9 }, (_, index) => `a${index + 1}: &a${index + 1} [${nines(index)}]`),
].join('\n');
const nineMerges = [
  'a0: &a0 {x: 1.10}',
  ...Array.from({ length: 9 }, (_, index) => `a${index + 1}: &a${index + 1} {<<: [${nines(index)}]}`),
].join('\n');
const megabyte = 'a'.repeat(1_000_000);

const cases: [
  what: string,
  parserType: string,
  expression: string,
  content: string,
  expected: string | RegExp,
][] = [
  ['nested quantifiers', 'regex', '(a+)+$', `${megabyte}b`, /doesn't match/],
  ['a long counted repeat', 'regex', '(.{1,1000})c', megabyte, /doesn't match/],
  ['a long counted repeat of everything', 'regex', '(.{1,1000})[cx]', megabyte, isStopped],
  ['counted repeats of an optional character', 'regex', '(?:a?){500}a{500}$', `${megabyte}b`, isStopped],
  ['aliases nine levels deep', 'yq', '.a9', nineLevels, /found a list of 9 items/],
  ['a path through aliases nine levels deep', 'yq', '.a9[8][8][8][8][8][8][8][8][8][0]', nineLevels, 'x'],
  ['merge keys nine levels deep', 'yq', '.a9.x', nineMerges, '1.10'],
  ['a key that no merged map has', 'yq', '.a9.y', nineMerges, /found no key "y"/],
  ['an anchor within itself', 'yq', '.a[0][0][0].b', 'a: &a [*a]', /found a list of 1 item/],
  ['a map merged into itself', 'yq', '.a.b', 'a: &a\n  <<: *a\n', /found no key "b"/],
  [
    'a chain of 5,000 merges',
    'yq',
    '.m4999.x',
    Array.from(
      { length: 5_000 },
      (_, index) => `m${index}: &m${index} {<<: *m${Math.max(0, index - 1)}}`,
    ).join('\n'),
    /found no key "x"/,
  ],
  ['10 MB of text', 'yq', '.a', `a: ${'x'.repeat(10_000_000)}`, /limit 5242880/],
  ['4 MB of text', 'yq', '.a', `a: ${'x'.repeat(4_000_000)}`, /4000000 characters/],
  ['4 MB of JSON text', 'jq', '.a', `{"a": "${'x'.repeat(4_000_000)}"}`, /4000000 characters/],
  [
    'a 4 MB key',
    'yq',
    '.a',
    `? ${'k'.repeat(4_000_000)}\n: 1\n`,
    /found no key "a" in a map with the key "k{40}"…/,
  ],
  ['200,000 open brackets', 'yq', '.a', '['.repeat(200_000), /nested more than 100 levels deep/],
  [
    '200,000 nested brackets',
    'yq',
    '.a',
    '['.repeat(200_000) + ']'.repeat(200_000),
    /nested more than 100 levels deep/,
  ],
  [
    '200,000 nested brackets in JSON',
    'jq',
    '.a',
    '['.repeat(200_000) + ']'.repeat(200_000),
    /nested more than 100 levels deep/,
  ],
  [
    '200,000 nested maps',
    'jq',
    '.a',
    `${'{"a":'.repeat(200_000)}1${'}'.repeat(200_000)}`,
    /nested more than 100 levels deep/,
  ],
  ['200,000 nested dashes', 'yq', '.a', `${'- '.repeat(200_000)}a`, /nested more than 100 levels deep/],
  [
    'a million items',
    'yq',
    '[0]'.padStart(4, '.'),
    `x: [${'1,'.repeat(1_000_000)}1]`,
    /more than 600000 YAML tokens/,
  ],
  ['a million empty maps in JSON', 'jq', '.b', `{"a": [${'{},'.repeat(1_000_000)}{}], "b": 1.10}`, '1.10'],
  ['a million unknown directives', 'yq', '.a', '%a\n'.repeat(1_000_000), /more than 100 YAML directives/],
  ['a million closing brackets', 'yq', '.a', ']'.repeat(1_000_000), /isn't valid YAML/],
  ['a million escapes', 'jq', '.b', `{"a": "${'\\n'.repeat(1_000_000)}", "b": 1.10}`, '1.10'],
  ['custom tags', 'yq', '.a.b', 'a: !ruby/object:Gem\n  b: !!js/function "1.10"\n', '1.10'],
  ['keys that every object inherits', 'yq', '.__proto__.a', '__proto__: {a: 1.10}\n', '1.10'],
  [
    'keys in JSON that every object inherits',
    'jq',
    '.__proto__.__proto__',
    '{"__proto__": {"__proto__": 1.10}}',
    '1.10',
  ],
];

test.each(cases)(
  '%s: completes within the deadline while other jobs are served',
  async (_what, parserType, expression, content, expected) => {
    const answer = parse(
      hostile,
      parserType,
      expression,
      content,
      // The other cases end by themselves or at other limits. Their deadline has a margin for a busy machine.
      { deadlineMs: expected === isStopped ? 1_000 : 30_000 },
    ).then(
      (result) => (result.ok ? result.version : result.message),
      (error: unknown) => String(error),
    );
    const other = await parse(ordinary, 'yq', '.a', 'a: 1.2.3');
    expect(other).toMatchObject({ ok: true, version: '1.2.3' });
    if (typeof expected === 'string') expect(await answer).toBe(expected);
    else expect(await answer).toMatch(expected);
  },
);
