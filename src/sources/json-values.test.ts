import { describe, expect, test } from 'vitest';
import { findValues, parseJsonPath } from './json-values.ts';

function texts(root: unknown, path: string, of: 'versions' | 'dates' = 'versions'): string[] | string {
  const parsed = parseJsonPath(path);
  if (!parsed.ok) return parsed.message;
  const found = findValues(root, parsed.steps, { of, maxValues: 1_000 });
  return found.ok ? found.values.map(({ text }) => text) : found.message;
}

describe('a JSON path', () => {
  const root = {
    tag_name: '1.0.0',
    list: ['1.0.0', '2.0.0', null, ''],
    items: [{ name: '1.0.0', when: 'a' }, { when: 'b' }, { name: '3.0.0', when: 'c' }],
    versions: { '1.0.0': {}, '2.0.0': {} },
    time: { '1.0.0': 'a', '2.0.0': 'b' },
    'key.with.dots': { '[*]': '9' },
    files: { '1.0.0': [{ at: 'a' }], '2.0.0': [{ at: 'b' }] },
  };

  test.each([
    ['.tag_name', ['1.0.0']],
    ['tag_name', ['1.0.0']],
    ['.list', ['1.0.0', '2.0.0']],
    ['.list[*]', ['1.0.0', '2.0.0']],
    ['.list[1]', ['2.0.0']],
    ['.items[*].name', ['1.0.0', '3.0.0']],
    ['items[*].name', ['1.0.0', '3.0.0']],
    ['.versions', ['1.0.0', '2.0.0']],
    ['."key.with.dots"["[*]"]', ['9']],
    ['.files[*][0].at', ['a', 'b']],
  ])('%s selects the expected values', (path, expected) => expect(texts(root, path)).toEqual(expected));

  test('selects the values of a map when searching for dates', () => {
    expect(texts(root, '.time', 'dates')).toEqual(['a', 'b']);
  });

  test('selects values from a root list', () => {
    expect(texts(['1', '2'], '.')).toEqual(['1', '2']);
    expect(texts([{ v: '1' }], '[*].v')).toEqual(['1']);
    expect(texts([{ v: '1' }], '.[*].v')).toEqual(['1']);
  });

  test.each([
    ['.items', /isn't text; specify the field/u],
    ['.nothing', /step 1 matches nothing in a map with the keys "tag_name"/u],
    ['.list[9]', /step 2 matches nothing in a list of 4 items/u],
    ['.list[*].x', /matches nothing/u],
    ['.__proto__', /matches nothing/u],
    ['.constructor.name', /matches nothing/u],
    ['', /empty/u],
    ['.a..b', /"\.\." isn't supported/u],
    ['.a | .b', /expected a step/u],
    ['.a[*', /"\[\*"|\.a\[\*/u],
    ['[*', /^"\[\*" isn't a valid path; use a path such as \.versions\[\*\]\.name$/u],
    ['list[*].a..b', /^"list\[\*\]\.a\.\.b" isn't a valid path/u],
    ['$.a', /matches nothing/u],
  ])('%s selects nothing, and the error explains the problem', (path, problem) =>
    expect(texts(root, path)).toMatch(problem),
  );
});

test('values beyond the maximum are cut and reported as isCut', () => {
  const parsed = parseJsonPath('.[*]');
  if (!parsed.ok) throw new Error(parsed.message);
  const many = Array.from({ length: 20 }, (_, index) => `${index}`);
  expect(findValues(many, parsed.steps, { of: 'versions', maxValues: 5 })).toMatchObject({
    ok: true,
    isCut: true,
    values: { length: 5 },
  });
});

describe('a condition', () => {
  const root = {
    items: [
      { v: '3.0.0', lts: false, channel: 'beta', n: '1', 'a.b': ' && ]', tags: [{ x: 'y' }] },
      { v: '2.0.0', lts: 'Iron', channel: 'stable', n: '2' },
      { v: '1.0.0', lts: true, channel: 'stable', n: '3', old: null, files: ['a'], labels: { a: '1' } },
      { v: '0.1.0', channel: 'old', files: [], labels: {} },
      'text',
    ],
    byName: { a: { v: '1', is: true }, b: { v: '2', is: false } },
  };

  test.each([
    ['.items[?lts].v', ['2.0.0', '1.0.0']],
    ['items[?@.lts].v', ['2.0.0', '1.0.0']],
    ['.items[?!lts].v', ['3.0.0', '0.1.0']],
    ['.items[?files].v', ['1.0.0']],
    ['.items[?labels].v', ['1.0.0']],
    ['.items[?!files && channel=="old"].v', ['0.1.0']],
    ['.items[?!labels && channel=="old"].v', ['0.1.0']],
    ['.items[?lts==true].v', ['1.0.0']],
    ['.items[?lts==false].v', ['3.0.0']],
    ['.items[?channel=="stable"].v', ['2.0.0', '1.0.0']],
    ["items.[? channel == 'stable' && n != 2 ].v", ['1.0.0']],
    ['.items[?channel!="stable"].v', ['3.0.0', '0.1.0']],
    ['.items[?."a.b"==" && ]"].v', ['3.0.0']],
    ['.items[?tags[0].x=="y"].v', ['3.0.0']],
    ['.items[?old==null && lts==true].v', ['1.0.0']],
    ['.byName[?is].v', ['1']],
  ])('in the form %s selects the items that meet it', (path, expected) => {
    expect(texts(root, path)).toEqual(expected);
  });

  test('that no item meets is an error with the number of items', () => {
    expect(texts(root, '.items[?channel=="nightly"].v')).toBe(
      'none of 5 items meets the condition [?channel=="nightly"]',
    );
  });

  test.each([
    '[?]',
    '[?a=b]',
    '[?a==]',
    '[?!a=="b"]',
    '[?a=="b" || c]',
    '[?a=="\\x"]',
    '[?a && ]',
    '[?a..b]',
  ])('in the form %s is rejected with examples of the forms', (path) => {
    expect(texts(root, `.items${path}.v`)).toMatch(/isn't a valid (?:condition|path); use /u);
  });
});
