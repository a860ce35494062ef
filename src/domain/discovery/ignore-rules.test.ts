import { describe, expect, test, vi } from 'vitest';
import { createIgnoreFinder, haveSameEffect, type IgnoreRule, normalizeIgnoreRule } from './ignore-rules.ts';

const web = {
  artifact_key: 'image:web',
  key: 'kubernetes:Deployment::web:image',
  path: 'clusters/test/web.yaml',
};

function reasonFor(rules: readonly IgnoreRule[], item = web) {
  const rule = createIgnoreFinder(rules)(item);
  return rule && (rule.is_ignored === false ? 'kept' : rule.reason);
}

describe('an ignore rule', () => {
  test.each<[IgnoreRule, boolean]>([
    [{ artifact: 'image:web' }, true],
    [{ artifact: 'image:api' }, false],
    [{ key: web.key }, true],
    [{ key: 'kubernetes:Deployment::api:image' }, false],
    [{ path: 'clusters/test/' }, true],
    [{ path: 'web.yaml' }, true],
    [{ path: '/web.yaml' }, false],
    [{ path: 'clusters/*/api.yaml' }, false],
    [{ artifact: 'image:web', path: 'clusters/test/' }, true],
    [{ artifact: 'image:web', path: 'clusters/prod/' }, false],
    [{ artifact: 'image:api', key: web.key }, false],
    [{ artifact: 'image:web', key: web.key, path: '/clusters/test/web.yaml' }, true],
  ])('applies to an item that matches all of its fields: %o', (rule, isMatch) => {
    expect(createIgnoreFinder([rule])(web)).toEqual(isMatch ? rule : null);
  });

  test('is overridden by a later matching rule, regardless of the fields of both rules', () => {
    const rules: IgnoreRule[] = [
      { key: web.key, reason: 'by key' },
      { artifact: web.artifact_key, reason: 'by artifact' },
      { path: 'clusters/', reason: 'by path' },
    ];
    for (const order of [
      [0, 1, 2],
      [1, 2, 0],
      [2, 0, 1],
    ])
      expect(reasonFor(order.map((at) => rules[at]!))).toBe(rules[order[2]!]!.reason);
    expect(reasonFor([{ path: 'clusters/' }, { key: web.key, is_ignored: false }])).toBe('kept');
    expect(
      reasonFor([
        { key: web.key, is_ignored: false },
        { path: 'clusters/', reason: 'all' },
      ]),
    ).toBe('all');
  });

  test('compares a path only once for several items with this path', () => {
    const find = createIgnoreFinder([
      { path: '/**/a/**/c' },
      { artifact: web.artifact_key, path: '/clusters/' },
    ]);
    const items = [{ ...web, artifact_key: 'image:api' }, web];
    const split = vi.spyOn(String.prototype, 'split');
    const found = [...items, ...items.map((item) => ({ ...item, key: 'other' }))].map(
      (item) => find(item)?.path,
    );
    const { length: count } = split.mock.calls;
    split.mockRestore();
    expect(found).toEqual([undefined, '/clusters/', undefined, '/clusters/']);
    expect(count).toBe(2);
  });

  test.each<[IgnoreRule, string]>([
    [{}, ''],
    [{ reason: 'Unused' }, ''],
    [{ path: '!clusters/' }, 'path'],
    [{ path: '/' }, 'path'],
    [{ artifact: 'web' }, 'artifact'],
    [{ path: 'a/', reason: 'Unused', is_ignored: false }, 'reason'],
  ])('is rejected with the name of the invalid field: %o', (rule, field) => {
    expect(normalizeIgnoreRule(rule)).toMatchObject({ ok: false, field });
  });
});

describe('the ignore rules of a configuration file', () => {
  const decision = { artifact: 'image:web', key: web.key, path: '/clusters/test/web.yaml', reason: 'Unused' };
  const { path: _, ...withoutPath } = decision;
  const stored = [{ path: 'tests/' }, { artifact: 'tool:terraform' }];

  test.each<[string, IgnoreRule[]]>([
    ['they equal the stored rules', stored],
    ['they also repeat the decision of a person', [...stored, decision]],
    ['they also repeat a decision without its path', [...stored, withoutPath]],
    [
      'they are only spelled differently',
      [{ path: 'tests/', is_ignored: true }, { artifact: ' tool:terraform ' }],
    ],
  ])('have the same effect as the stored rules if %s', (_title, wanted) => {
    expect(haveSameEffect(wanted, stored, [decision])).toBe(true);
  });

  test.each<[string, IgnoreRule[]]>([
    ['they omit a stored rule', [stored[0]!, withoutPath]],
    ['their order differs', stored.toReversed()],
    ['their reason differs from that of the person', [...stored, { ...withoutPath, reason: 'Other' }]],
    [
      'they keep what the person ignored',
      [...stored, { artifact: 'image:web', key: web.key, is_ignored: false }],
    ],
    ['they ignore the artifact everywhere', [...stored, { artifact: 'image:web', reason: 'Unused' }]],
  ])('have a different effect than the stored rules if %s', (_title, wanted) => {
    expect(haveSameEffect(wanted, stored, [decision])).toBe(false);
  });

  test('have a different effect if they omit a stored rule, even if it repeats a decision', () => {
    expect(haveSameEffect([withoutPath], [withoutPath], [decision])).toBe(true);
    expect(haveSameEffect([], [withoutPath], [decision])).toBe(false);
  });
});
