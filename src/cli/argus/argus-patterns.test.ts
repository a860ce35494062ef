import { describe, expect, test } from 'vitest';
import { compileCheapPattern } from '../../domain/patterns/compile-pattern.ts';
import { keepLastGroup, toCron, toVersionPattern } from './argus-patterns.ts';

/**
 * Returns the version that a pattern extracts from a tag: the first group if the pattern has groups,
 * otherwise the match. Returns `null` if the tag doesn't match.
 */
function versionOf(pattern: string, tag: string): string | null {
  const compiled = compileCheapPattern(pattern);
  if (!compiled.ok) throw new Error(compiled.message);
  const found = compiled.pattern.find(tag);
  if (!found) return null;
  return found.groups.length > 0 ? (found.groups[0] ?? '') : found.match;
}

describe('url_commands', () => {
  test.each([
    [
      { type: 'regex', regex: '^v?([0-9.]+)$' },
      { 'v1.2.3': '1.2.3', '1.2.3': '1.2.3', 'v1.2.3-beta': null },
    ],
    [
      { type: 'regex_submatch', regex: 'v([0-9.]+)$' },
      { 'release-v2.0': '2.0', '2.0': null },
    ],
    [{ type: 'regex', regex: '[0-9]+\\.[0-9]+' }, { 'app-3.1-x': '3.1' }],
    // If a pattern has several groups, Argus uses the last one.
    [
      { type: 'regex', regex: '^(app|web)/v([0-9.]+)$' },
      { 'web/v1.0': '1.0', 'db/v1.0': null },
    ],
    [{ type: 'regex', regex: '(?P<a>[(]x[)])-(?P<b>\\(?[0-9]+)' }, { '(x)-7': '7' }],
    [
      { type: 'split', text: '-', index: 0 },
      { '1.2.3-ce': '1.2.3', '1.2.3': null },
    ],
    [
      { type: 'split', text: '-', index: 1 },
      { 'app-1.2-rc': '1.2', 'app-1.2': '1.2', app: null },
    ],
    [
      { type: 'split', text: '/', index: 2 },
      { 'a/b/c/d': 'c', 'a/b': null },
    ],
    [{ type: 'split', text: 'v', index: -1 }, { 'dev-v1.0': '1.0' }],
    [
      { type: 'replace', old: 'v', new: '' },
      { 'v1.0': '1.0', '1.0': '1.0' },
    ],
  ] as const)('%j becomes a pattern that extracts the same versions', (command, tags) => {
    const { pattern } = toVersionPattern([command]);
    for (const [tag, version] of Object.entries(tags))
      expect([tag, versionOf(pattern!, tag)]).toEqual([tag, version]);
    // A single command doesn't have to be in a list.
    expect(toVersionPattern(command).pattern).toBe(pattern);
  });

  test.each([
    [{ type: 'regex', regex: '(a)-(b)', template: '$2.$1' }, 'template'],
    [{ type: 'regex', regex: 'v(.*)', index: 3 }, 'index 3'],
    [{ type: 'replace', old: '_', new: '.' }, 'other text'],
    [{ type: 'regex', regex: '(?=v)(.*)' }, "isn't supported"],
    [{ type: 'jq', query: '.' }, 'type jq'],
  ])('%j is not converted, and a note states the reason', (command, why) => {
    const { pattern, notes } = toVersionPattern([command]);
    expect([pattern, notes.join()]).toEqual([null, expect.stringContaining(why)]);
  });

  test('that are chained are not converted to a pattern', () => {
    const commands = [
      { type: 'split', text: '-', index: 0 },
      { type: 'replace', old: 'v', new: '' },
    ];
    expect(toVersionPattern(commands)).toEqual({
      pattern: null,
      notes: [expect.stringContaining('2 chained url_commands')],
    });
    expect(toVersionPattern(undefined)).toEqual({ pattern: null, notes: [] });
  });
});

test.each([
  ['(a)(b)(c)', '(?:a)(?:b)(c)'],
  ['((a)b)', '(?:(a)b)'],
  ['[(](a)(?:b)(c)', '[(](?:a)(?:b)(c)'],
  ['[]()](x)(y)', '[]()](?:x)(y)'],
  ['\\((a)\\)(b)', '\\((?:a)\\)(b)'],
  ['no groups', 'no groups'],
])('keepLastGroup converts %s to %s', (regex, expected) => {
  expect(keepLastGroup(regex)).toBe(expected);
});

test.each([
  ['30s', '* * * * *'],
  ['10m', '*/10 * * * *'],
  ['123', '*/3 * * * *'],
  ['45m', '@hourly'],
  ['1h5m', '0 */2 * * *'],
  ['20h', '@daily'],
  ['2d', '@weekly'],
  ['1y', '@monthly'],
  ['often', '*/10 * * * *'],
])('the interval %s becomes the schedule %s', (interval, cron) => {
  expect(toCron(interval)).toBe(cron);
});
