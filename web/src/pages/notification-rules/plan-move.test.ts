import fc from 'fast-check';
import { expect, test } from 'vitest';
import { planMove, type RankedRule } from './plan-move.ts';

const inOrder = (rules: readonly RankedRule[]) =>
  rules.toSorted((a, b) => a.priority - b.priority || a.id - b.id);

function afterMove(rules: readonly RankedRule[], id: number, direction: 'up' | 'down') {
  const changed = new Map(planMove(rules, id, direction).map((rule) => [rule.id, rule.priority]));
  return inOrder(rules.map((rule) => ({ ...rule, priority: changed.get(rule.id) ?? rule.priority })));
}

const anyRules = fc
  .uniqueArray(
    fc.record({ id: fc.integer({ min: 1, max: 50 }), priority: fc.integer({ min: 0, max: 12 }) }),
    {
      selector: ({ id }) => id,
      minLength: 1,
      maxLength: 12,
    },
  )
  .map(inOrder);

test('a moved rule swaps places with its neighbor, and the order of other rules stays the same', () => {
  fc.assert(
    fc.property(
      anyRules,
      fc.nat(),
      fc.constantFrom('up' as const, 'down' as const),
      (rules, seed, direction) => {
        const at = seed % rules.length;
        const to = direction === 'up' ? at - 1 : at + 1;
        const ids = rules.map(({ id }) => id);
        const expected = to < 0 || to >= ids.length ? ids : ids.with(at, ids[to]!).with(to, ids[at]!);
        expect(afterMove(rules, ids[at]!, direction).map(({ id }) => id)).toEqual(expected);
      },
    ),
  );
});

test('a move changes only one priority if there is a gap', () => {
  const rules = [
    { id: 1, priority: 10 },
    { id: 2, priority: 20 },
    { id: 3, priority: 30 },
  ];
  expect(planMove(rules, 3, 'up')).toEqual([{ id: 3, priority: 15 }]);
});

test('priorities stay within the limits of the contract', () => {
  fc.assert(
    fc.property(anyRules, fc.nat(), (rules, seed) => {
      const rule = rules[seed % rules.length]!;
      for (const { priority } of planMove(rules, rule.id, 'up')) expect(priority).toBeGreaterThanOrEqual(0);
    }),
  );
});
