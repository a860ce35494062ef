export interface RankedRule {
  id: number;
  priority: number;
}

/**
 * True if rule `a` is evaluated before rule `b`. Rules are evaluated by ascending priority, then by ascending
 * ID.
 */
function comesBefore(a: RankedRule, b: RankedRule): boolean {
  return a.priority < b.priority || (a.priority === b.priority && a.id < b.id);
}

const step = 10;

/**
 * Returns the priority changes that swap a rule with its neighbor. If there's a free priority, only the rule
 * itself changes. Otherwise, the rules are renumbered in steps of 10.
 * @param rules Rules in evaluation order.
 * @returns The changes, or an empty list if the rule can't be moved in that direction.
 */
export function planMove(rules: readonly RankedRule[], id: number, direction: 'up' | 'down'): RankedRule[] {
  const at = rules.findIndex((rule) => rule.id === id);
  const to = direction === 'up' ? at - 1 : at + 1;
  const rule = rules[at];
  if (!rule || to < 0 || to >= rules.length) return [];
  const wanted = rules.toSpliced(at, 1).toSpliced(to, 0, rule);
  const before = wanted[to - 1];
  const after = wanted[to + 1];
  const fits = (priority: number) => {
    const moved = { id, priority };
    return priority >= 0 && (!before || comesBefore(before, moved)) && (!after || comesBefore(moved, after));
  };
  const middle = Math.floor(
    ((before?.priority ?? 0) + (after?.priority ?? (before?.priority ?? 0) + 2 * step)) / 2,
  );
  const priority = [middle, middle + 1, before?.priority, after?.priority].find(
    (candidate) => candidate !== undefined && fits(candidate),
  );
  if (priority !== undefined) return [{ id, priority }];
  return wanted
    .map((each, index) => ({ id: each.id, priority: (index + 1) * step, was: each.priority }))
    .filter(({ priority: next, was }) => next !== was)
    .map(({ id: ruleId, priority: next }) => ({ id: ruleId, priority: next }));
}
