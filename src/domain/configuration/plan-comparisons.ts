/**
 * Plans alert configurations without conflicts. The server rejects a configuration with the same comparison
 * and ordinal as another one. So the plan detects renamed configurations, and updates a configuration before
 * another one takes over its old comparison. If duplicates would remain, the plan reports a problem before
 * anything is changed.
 */

import type { Item } from '../json/json-item.ts';
import { cleanLine } from '../templates/clean-text.ts';
import type { Entry } from './configuration-entries.ts';
import { addProblem, type FieldValue, type PlanDraft, type Step, type Target } from './plan-steps.ts';

const partMembers = ['scrape_job_id', 'gather_job_id', 'rule_id', 'candidate_pattern'] as const;

/** Matches entries with a new name and an unchanged comparison to configurations that pruning would delete. */
export function matchRenamed(
  draft: PlanDraft,
  membersByEntry: ReadonlyMap<Entry, readonly FieldValue[]>,
  matches: Map<Entry, Item>,
): void {
  const matched = new Set(matches.values());
  const free = draft.state.own.alert_configs.filter((item) => !matched.has(item));
  const byParts = Map.groupBy(free, (item) => comparisonKey(draft, [], item));
  for (const [entry, members] of membersByEntry) {
    if (matches.has(entry)) continue;
    const item = byParts.get(comparisonKey(draft, members))?.shift();
    if (item) matches.set(entry, item);
  }
}

interface ComparisonOwner {
  name: unknown;
  id: number | null;
  ordinal: number;
}

/**
 * Orders the steps so that the server accepts each one. Steps without a possible order are reported as
 * problems.
 */
export function orderComparisons(draft: PlanDraft, steps: readonly Step[]): Step[] {
  const items = new Map(draft.state.own.alert_configs.map((item) => [Number(item['id']), item]));
  const compared = Map.groupBy(
    [...items.values()].map((item) => ({ key: comparisonKey(draft, [], item), of: comparedOf(item) })),
    ({ key }) => key,
  );
  const stored = new Map([...compared].map(([key, list]) => [key, list.map(({ of }) => of)]));
  /** Comparisons on the server before any change. */
  const initial = new Map(stored);

  const waiting = new Set(steps.filter((step) => step.action === 'update'));
  const ordered: Step[] = [];
  for (let hasMoved = true; hasMoved; ) {
    hasMoved = false;
    for (const step of waiting) {
      if (conflictOf(step) !== undefined) continue;
      store(step);
      ordered.push(step);
      waiting.delete(step);
      hasMoved = true;
    }
  }
  for (const step of waiting) report(step);
  for (const step of steps) {
    if (step.action === 'update') continue;
    if (step.action === 'create') {
      if (conflictOf(step) === undefined) store(step);
      else report(step);
      if (initial.has(comparisonKey(draft, step.members))) {
        ordered.push({ ...step, isLate: true });
        continue;
      }
    }
    ordered.push(step);
  }
  return ordered;

  type Storing = Extract<Step, { action: 'create' | 'update' }>;

  /** Returns the configuration that the server would report as the duplicate. */
  function conflictOf(step: Storing): ComparisonOwner | undefined {
    // A step with an incomplete comparison can't be checked for conflicts.
    if (isIncomplete(step)) return undefined;
    const item = step.action === 'update' ? items.get(step.id) : undefined;
    const key = comparisonKey(draft, step.members, item);
    const ordinal = ordinalOf(step);
    if (item && ordinal === undefined && key === comparisonKey(draft, [], item)) return undefined;
    return stored
      .get(key)
      ?.find(
        (other) =>
          (other.id === null || other.id !== idOf(step)) &&
          (ordinal === undefined || ordinal === other.ordinal),
      );
  }

  function store(step: Storing): void {
    if (isIncomplete(step)) return;
    const item = step.action === 'update' ? items.get(step.id) : undefined;
    const [before, after] = [
      item && comparisonKey(draft, [], item),
      comparisonKey(draft, step.members, item),
    ];
    const ordinal = ordinalOf(step) ?? (item && before === after ? comparedOf(item).ordinal : 0);
    if (before !== undefined)
      stored.set(
        before,
        (stored.get(before) ?? []).filter(({ id }) => id !== idOf(step)),
      );
    stored.set(after, [...(stored.get(after) ?? []), { name: step.name, id: idOf(step), ordinal }]);
  }

  function report(step: Storing): void {
    const { name, id } = conflictOf(step)!;
    const other = `alert configuration "${cleanLine(String(name))}"${id === null ? '' : ` (ID ${id})`}`;
    addProblem(
      draft,
      step.entry,
      `${other} already compares these with the same rule and candidate_pattern. Delete one of them, or give each a unique ordinal: ordinal: 0, ordinal: 1.`,
    );
  }
}

/** True if a part of the comparison couldn't be resolved. That problem has already been reported. */
function isIncomplete({ members }: { members: readonly FieldValue[] }): boolean {
  return !partMembers.every((name) => members.some(({ member }) => member === name));
}

function idOf(step: Step): number | null {
  return step.action === 'update' ? step.id : null;
}

function ordinalOf({ members }: { members: readonly FieldValue[] }): number | undefined {
  const given = members.find(({ member }) => member === 'ordinal')?.value;
  return typeof given === 'number' ? given : undefined;
}

/** Returns a stored configuration as the owner of its comparison. */
function comparedOf(item: Item): ComparisonOwner {
  return { name: item['name'], id: Number(item['id']), ordinal: Number(item['ordinal']) };
}

/**
 * Returns a key that is the same for equal comparisons. The key consists of the IDs of resources, or of
 * positions in the file for new resources. Missing fields are taken from `item`.
 */
export function comparisonKey(draft: PlanDraft, members: readonly FieldValue[], item?: Item): string {
  const idOfTarget = (target: Target) =>
    'id' in target
      ? target.id
      : (draft.ids.get(target.entry) ?? `${target.entry.section}/${target.entry.index}`);
  return JSON.stringify(
    partMembers.map((name) => {
      const given = members.find(({ member }) => member === name);
      if (!given) return item?.[name] ?? '';
      return given.targets === null ? (given.value ?? '') : [given.targets].flat().map(idOfTarget)[0];
    }),
  );
}
