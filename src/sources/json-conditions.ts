import { type PathStep, parsePathExpression } from '../domain/parsers/path-expression.ts';

/** A condition on a field of an item, such as `channel=="stable"`. */
export interface JsonCondition {
  /** Path to the field. */
  steps: readonly PathStep[];
  /** Text of the value, or null if the condition is that the field is present and isn't false or empty. */
  expected: string | null;
  isNegated: boolean;
}

const maxConditions = 10;

const shape =
  /^\s*(?<not>!\s*)?@?(?<path>\.?(?:"(?:[^"\\]|\\.)*"|[^\s=!"&])+)\s*(?:(?<sign>==|!=)\s*(?<value>"(?:[^"\\]|\\.)*"|'[^']*'|[^\s"'&]+)\s*)?$/u;

/**
 * Parses conditions: `lts` (not false, null, or empty, such as `[]`), `!lts`, `channel=="stable"`, `channel!="beta"`,
 * and several of them with `&&`. Paths begin at the item, with or without `@`.
 */
export function parseJsonConditions(
  text: string,
): { ok: true; conditions: JsonCondition[] } | { ok: false; message: string } {
  const conditions: JsonCondition[] = [];
  for (const term of splitAtAnd(text)) {
    const groups = shape.exec(term)?.groups;
    const { not, path = '', sign, value } = groups ?? {};
    const parsed = parsePathExpression(path.startsWith('.') ? path : `.${path}`);
    const expected = value === undefined ? null : literal(value);
    if (
      groups === undefined ||
      !parsed.ok ||
      expected === undefined ||
      (not !== undefined && sign !== undefined)
    )
      return {
        ok: false,
        message: `"${term.trim().slice(0, 100).toWellFormed()}" isn't a valid condition; use [?lts], [?!lts], or [?channel=="stable"]`,
      };
    conditions.push({ steps: parsed.steps, expected, isNegated: not !== undefined || sign === '!=' });
  }
  if (conditions.length > maxConditions)
    return { ok: false, message: `a path can have at most ${maxConditions} conditions in one place` };
  return { ok: true, conditions };
}

/** Splits text at `&&`, except within quotes. */
function splitAtAnd(text: string): string[] {
  const terms = [''];
  for (const [token] of text.matchAll(/"(?:[^"\\]|\\.)*"?|'[^']*'?|&&|./gsu)) {
    if (token === '&&') terms.push('');
    else terms[terms.length - 1] += token;
  }
  return terms;
}

function literal(text: string): string | undefined {
  if (text.startsWith("'")) return text.slice(1, -1);
  if (!text.startsWith('"')) return text;
  try {
    return String(JSON.parse(text));
  } catch {
    return undefined;
  }
}

export function meetsConditions(item: unknown, conditions: readonly JsonCondition[]): boolean {
  return conditions.every(({ steps, expected, isNegated }) => {
    const value = steps.reduce<unknown>(followPathStep, item);
    const isMet = expected === null ? !isEmpty(value) : textOf(value) === expected;
    return isMet !== isNegated;
  });
}

function isEmpty(value: unknown): boolean {
  if (typeof value === 'object' && value !== null) return Object.keys(value).length === 0;
  return [undefined, null, false, ''].includes(value as null);
}

function textOf(value: unknown): string | null {
  if (value === null || value === undefined) return 'null';
  return typeof value === 'string' || typeof value === 'boolean' ? String(value) : null;
}

/** Returns the value of a key or at an index, or `undefined`. */
export function followPathStep(value: unknown, step: PathStep): unknown {
  if ('index' in step) return Array.isArray(value) ? value[step.index] : undefined;
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  return Object.hasOwn(value, step.key) ? Reflect.get(value, step.key) : undefined;
}
