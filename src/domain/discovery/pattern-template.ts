import { ownValue } from '../json/own-value.ts';
import { compilePattern } from '../patterns/compile-pattern.ts';

/** A template of a pattern, in the subset of Handlebars that Renovate configurations commonly use. */
export interface Template {
  /** Names of the values that the template uses. */
  names: readonly string[];
  render(values: ReadonlyMap<string, string>): string;
}

export type ParsedTemplate = { ok: true; template: Template } | { ok: false; message: string };

type Part = (values: ReadonlyMap<string, string>) => string;

const maxLength = 1_000;
const maxRenderedLength = 2_000;

/**
 * Parses a template: text, `{{name}}`, `{{{name}}}`, `{{#if name}}…{{else}}…{{/if}}`, and the helpers
 * `lowercase`, `encodeURIComponent`, and `replace`. Values are never escaped, because they aren't HTML.
 */
export function parseTemplate(text: string): ParsedTemplate {
  if (text.length > maxLength) return fail(`has ${text.length} characters (limit ${maxLength})`);
  const tokens = text.split(/(\{\{\{[^{}]*\}\}\}|\{\{[^{}]*\}\})/);
  const names = new Set<string>();
  const parts: Part[] = [];
  /** Parts of the open condition: its name, and the two branches. */
  let open: { name: string; parts: Part[]; otherwise: Part[] | null } | null = null;
  for (const token of tokens) {
    const inner = /^\{\{\{?([^{}]*)\}?\}\}$/.exec(token)?.[1]?.trim();
    const target: Part[] = open ? (open.otherwise ?? open.parts) : parts;
    if (inner === undefined) {
      if (token.includes('{{') || token.includes('}}')) return fail("has braces that aren't closed");
      if (token !== '') target.push(() => token);
      continue;
    }
    const condition = /^#if\s+(\w+)$/.exec(inner)?.[1];
    if (condition !== undefined) {
      if (open) return fail('contains a condition in a condition, which is not supported');
      names.add(condition);
      open = { name: condition, parts: [], otherwise: null };
    } else if (inner === 'else' && open?.otherwise === null) open.otherwise = [];
    else if (inner === '/if' && open) {
      const { name, parts: chosen, otherwise } = open;
      parts.push((values) => renderAll(values.get(name) ? chosen : (otherwise ?? []), values));
      open = null;
    } else {
      const value = readExpression(inner, names);
      if (typeof value === 'string') return fail(value);
      target.push(value);
    }
  }
  if (open) return fail("contains a condition that isn't closed");
  return {
    ok: true,
    template: {
      names: [...names],
      render: (values) => renderAll(parts, values).slice(0, maxRenderedLength),
    },
  };
}

function renderAll(parts: readonly Part[], values: ReadonlyMap<string, string>): string {
  return parts.map((part) => part(values)).join('');
}

function fail(message: string): ParsedTemplate {
  return { ok: false, message };
}

/** Returns the value of an expression, or the reason why it isn't supported. */
function readExpression(text: string, names: Set<string>): Part | string {
  const replace = /^replace\s+('[^']*'|"[^"]*")\s+('[^']*'|"[^"]*")\s+(\w+)$/.exec(text);
  if (replace) {
    const [pattern, replacement] = [replace[1]!.slice(1, -1), replace[2]!.slice(1, -1)];
    const name = replace[3]!;
    const compiled = compilePattern(pattern);
    if (!compiled.ok) return `contains a replace helper that isn't valid: ${compiled.message}`;
    if (replacement.includes('$')) return 'contains a replace helper with a group, which is not supported';
    names.add(name);
    return (values) => {
      const value = values.get(name) ?? '';
      let [result, from] = ['', 0];
      for (const { start, end } of compiled.pattern.findAll(value)) {
        result += value.slice(from, start) + replacement;
        from = end;
      }
      return result + value.slice(from);
    };
  }
  const [helper = '', argument, ...rest] = text.split(/\s+/);
  if (!/^\w+$/.test(helper) || rest.length > 0 || (argument !== undefined && !/^\w+$/.test(argument)))
    return `contains {{${text.slice(0, 100)}}}, which is not supported`;
  if (argument === undefined) {
    names.add(helper);
    return (values) => values.get(helper) ?? '';
  }
  const apply = ownValue(helpers, helper);
  if (!apply) return `contains the helper ${helper.slice(0, 100)}, which is not supported`;
  names.add(argument);
  return (values) => apply(values.get(argument) ?? '');
}

const helpers: Readonly<Record<string, (value: string) => string>> = {
  lowercase: (value) => value.toLowerCase(),
  encodeURIComponent: (value) => encodeURIComponent(value.toWellFormed()),
};
