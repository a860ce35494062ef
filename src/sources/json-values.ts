import { type PathStep, parsePathExpression } from '../domain/parsers/path-expression.ts';
import {
  followPathStep,
  type JsonCondition,
  meetsConditions,
  parseJsonConditions,
} from './json-conditions.ts';

/**
 * A step of a path. `each` matches every item of a list or every value of a map. Conditions match the items
 * that meet all of the conditions.
 */
export type JsonStep = PathStep | 'each' | { conditions: JsonCondition[]; text: string };

export type JsonPath = { ok: true; steps: JsonStep[] } | { ok: false; message: string };

/**
 * A value and its trail: the sequence of keys and indexes that leads to it. The trail identifies the items that `[*]`
 * matched.
 */
export interface JsonValue {
  trail: number;
  text: string;
}

/**
 * Numbers that identify sequences of keys and indexes. The same sequence always has the same number. Numbers take less
 * memory than storing the keys as text for every value.
 */
export interface Trails {
  /** Returns the number of the trail that extends the given trail by a key. */
  on(trail: number, key: string): number;
}

export function createTrails(): Trails {
  const numbers = new Map<string, number>();
  return {
    on(trail, key) {
      const way = `${trail}/${key}`;
      const known = numbers.get(way) ?? numbers.size + 1;
      numbers.set(way, known);
      return known;
    },
  };
}

/**
 * Parses a path in the language of the yq parser (`.a.b`, `.list[0].c`, `."key.with.dots"`) with `[*]` for
 * every item, and `[?channel=="stable"]` for the items that meet a condition. The leading dot is optional.
 */
export function parseJsonPath(expression: string): JsonPath {
  const text = expression.trim();
  if (text === '') return { ok: false, message: 'the path is empty; use a path such as .versions[*].name' };
  const steps: JsonStep[] = [];
  for (const [index, { items, part }] of splitAtItems(/^[.[]/u.test(text) ? text : `.${text}`).entries()) {
    if (items === '[*]') steps.push('each');
    else if (items !== null) {
      const parsed = parseJsonConditions(items.slice(2, -1));
      if (!parsed.ok) return parsed;
      steps.push({ conditions: parsed.conditions, text: items });
    }
    if (part === '' || (index === 0 && part === '.')) continue;
    const expression = part.startsWith('.') ? part : `.${part}`;
    const parsed = parsePathExpression(expression);
    // Use the parser's message only if the expression that it quotes is the user's whole input.
    if (!parsed.ok) return { ok: false, message: expression === text ? parsed.message : invalidPath(text) };
    steps.push(...parsed.steps);
  }
  return { ok: true, steps };
}

function invalidPath(text: string): string {
  return `"${text.slice(0, 100).toWellFormed()}" isn't a valid path; use a path such as .versions[*].name`;
}

/** Splits a path at `[*]` and `[?…]` (or `.[*]` and `.[?…]`), except within quotes. */
function splitAtItems(text: string): { items: string | null; part: string }[] {
  let last: { items: string | null; part: string } = { items: null, part: '' };
  const parts = [last];
  const tokens = /"(?:[^"\\]|\\.)*"|\.?\[(?:\*|\?(?:[^[\]"]|\[\d+\]|"(?:[^"\\]|\\.)*")*)\]|./gsu;
  for (const [token] of text.matchAll(tokens)) {
    const isItems = token.length > 1 && !token.startsWith('"');
    if (isItems) parts.push((last = { items: token.replace(/^\./u, ''), part: '' }));
    else last.part += token;
  }
  return parts;
}

export type FoundValues =
  | {
      ok: true;
      values: JsonValue[];
      isCut: boolean;
      /** True if the path selects all items of a list or a map. */
      isList: boolean;
      /** Number of items of the first list or map that the path iterates. */
      entries: number;
    }
  | {
      ok: false;
      message: string;
      /** True if the path leads to an empty list or map, or no item meets the condition. */
      isEmpty: boolean;
      /** Number of items that don't meet the condition. */
      entries: number;
    };

/**
 * Returns the values to which a path leads: for a scalar, the scalar itself; for a list, each of its scalars; for a
 * map, its keys (`of: 'versions'`) or its scalars (`of: 'dates'`). A single path can therefore select versions and
 * dates in a map from version to date.
 *
 * @returns The values, or a sentence that describes what the path selects if there are none.
 */
export function findValues(
  root: unknown,
  steps: readonly JsonStep[],
  {
    of,
    maxValues,
    trails = null,
  }: {
    of: 'versions' | 'dates';
    maxValues: number;
    /** Trails shared by searches whose values are matched. If `null`, trails aren't recorded. */
    trails?: Trails | null;
  },
): FoundValues {
  let places: Place[] = [{ trail: 0, value: root }];
  let isCut = false;
  let entries: number | null = null;
  for (const [index, step] of steps.entries()) {
    const before = places;
    let items = 0;
    places = before.flatMap(({ trail, value }): Place[] => {
      if (step === 'each') return members(trail, value, trails);
      if ('conditions' in step) {
        const all = members(trail, value, trails);
        items += all.length;
        return all.filter((member) => meetsConditions(member.value, step.conditions));
      }
      const next = followPathStep(value, step);
      return next === undefined ? [] : [{ trail, value: next }];
    });
    if (step === 'each') entries ??= places.length;
    else if ('conditions' in step) entries ??= items;
    if (places.length > maxValues) {
      places = places.slice(0, maxValues);
      isCut = true;
    }
    if (places.length === 0 && items > 0 && typeof step === 'object' && 'conditions' in step) {
      return {
        ok: false,
        message: `none of ${items} items meets the condition ${step.text}`,
        isEmpty: true,
        entries: items,
      };
    }
    if (places.length === 0) {
      return {
        ok: false,
        message: `step ${index + 1} matches nothing in ${describe(before[0]?.value)}`,
        isEmpty: before.every(({ value }) => isEmpty(value)),
        entries: 0,
      };
    }
  }
  const values = places.flatMap(({ trail, value }): JsonValue[] => {
    const text = scalarText(value);
    if (text !== null) return [{ trail, text }];
    return members(trail, value, trails).flatMap((member): JsonValue[] => {
      if (of === 'versions' && !Array.isArray(value)) return [{ trail: member.trail, text: member.key }];
      const inner = scalarText(member.value);
      return inner === null ? [] : [{ trail: member.trail, text: inner }];
    });
  });
  if (values.length === 0) {
    const found = places[0]?.value;
    const isList = Array.isArray(found) && found.length > 0;
    const hint = isList ? '; specify the field with the version, such as [*].name' : '';
    return {
      ok: false,
      message: `the path points to ${describe(found)}, which isn't text${hint}`,
      isEmpty: isEmpty(found),
      entries: 0,
    };
  }
  return {
    ok: true,
    values: values.slice(0, maxValues),
    isCut: isCut || values.length > maxValues,
    entries: entries ?? values.length,
    isList:
      steps.some((step) => step === 'each' || 'conditions' in step) ||
      places.some(({ value }) => scalarText(value) === null),
  };
}

interface Place {
  trail: number;
  value: unknown;
}

function members(trail: number, value: unknown, trails: Trails | null): (Place & { key: string })[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).map(([key, member]: [string, unknown]) => ({
    trail: trails?.on(trail, key) ?? 0,
    key,
    value: member,
  }));
}

function scalarText(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}

function isEmpty(value: unknown): boolean {
  return value === null || (typeof value === 'object' && Object.keys(value).length === 0);
}

function describe(value: unknown): string {
  if (Array.isArray(value)) return value.length === 0 ? 'an empty list' : `a list of ${value.length} items`;
  if (typeof value === 'object' && value !== null) {
    const keys = Object.keys(value);
    if (keys.length === 0) return 'an empty map';
    const shown = keys.slice(0, 10).map((key) => JSON.stringify(key.slice(0, 40)));
    return `a map with the keys ${shown.join(', ')}${keys.length > 10 ? ' …' : ''}`;
  }
  if (typeof value === 'string') return `the text ${JSON.stringify(value.slice(0, 60))}`;
  return value === null || value === undefined ? 'nothing' : 'a non-string value';
}
