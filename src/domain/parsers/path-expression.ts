import { quote } from './quote.ts';

/** A map key or a list index. */
export type PathStep = { key: string } | { index: number };

export type PathExpression =
  | { ok: true; steps: PathStep[] }
  | {
      ok: false;
      message: string /** Position in the expression, counted from 0 in UTF-16 units. */;
      position: number;
    };

const maxExpressionLength = 1_000;
const maxSteps = 100;

/** One step: `[0]`, `["quoted key"]`, `."quoted key"`, or `.key`. The dot before a bracket is optional. */
const stepPattern =
  /(?:\.?\[(?:(?<index>\d{1,9})|(?<bracketed>"(?:[^"\\]|\\.)*"))\]|\.(?<quoted>"(?:[^"\\]|\\.)*")|\.(?<bare>[^\s."'`[\](){}|,;*?:!&=<>#]+))/y;

/**
 * Parses a path such as `.a.b`, `.list[0].c`, `."key.with.dots"`, or `.["key.with.dots"]`. The path `.`
 * selects the whole document. The query languages of the yq and jq tools aren't supported: no pipes, filters,
 * functions, or wildcards.
 */
export function parsePathExpression(expression: string): PathExpression {
  const fail = (message: string, position: number): PathExpression => ({ ok: false, message, position });
  if (expression === '') return fail('the expression is empty; use a path such as .image.tag', 0);
  if (expression.length > maxExpressionLength) {
    return fail(`the expression has ${expression.length} characters (limit ${maxExpressionLength})`, 0);
  }
  if (!expression.startsWith('.')) return fail('a path must start with a dot, such as .image.tag', 0);
  if (expression === '.') return { ok: true, steps: [] };

  const steps: PathStep[] = [];
  for (let at = 0; at < expression.length; at = stepPattern.lastIndex) {
    stepPattern.lastIndex = at;
    const groups = stepPattern.exec(expression)?.groups;
    if (!groups) return fail(describeSyntaxError(expression, at), at);
    const step = toStep(groups);
    if (!step) return fail(`the quoted key at character ${at + 1} isn't a JSON string`, at);
    steps.push(step);
    if (steps.length > maxSteps) return fail(`a path can have at most ${maxSteps} steps`, at);
  }
  return { ok: true, steps };
}

/**
 * Formats a path the way users write it, such as `.spec.sources[0]."a.b"`, or `.` for no steps. Long keys are
 * truncated.
 */
export function formatPath(steps: readonly PathStep[]): string {
  const parts = steps.map((step) => {
    if ('index' in step) return `[${step.index}]`;
    return /^[\w/-]{1,40}$/.test(step.key) ? `.${step.key}` : `.${quote(step.key)}`;
  });
  const text = parts.join('');
  return text.startsWith('.') ? text : `.${text}`;
}

function toStep(groups: Record<string, string | undefined>): PathStep | null {
  const { index, bare } = groups;
  if (index !== undefined) return { index: Number(index) };
  if (bare !== undefined) return { key: bare };
  try {
    const key: unknown = JSON.parse(groups['bracketed'] ?? groups['quoted'] ?? '');
    return typeof key === 'string' ? { key } : null;
  } catch {
    return null;
  }
}

function describeSyntaxError(expression: string, at: number): string {
  const rest = expression.slice(at);
  const place = `at character ${at + 1}`;
  if (/^\.?\[(?:\*?\]|\d*:)/.test(rest))
    return `${place}: a path must select one value; use an index, such as [0]`;
  if (/^\.?\[-/.test(rest)) return `${place}: negative indexes aren't supported; [0] is the first item`;
  if (/^\.?\[/.test(rest))
    return `${place}: expected a whole number or a quoted key in brackets, found ${quote(rest)}`;
  if (rest.startsWith('..')) return `${place}: ".." isn't supported; write the full path`;
  if (rest === '.') return `${place}: a path can't end with a dot`;
  if (rest.startsWith('."')) return `${place}: unterminated quoted key`;
  return (
    `${place}: found ${quote(rest)}, expected a step such as .key, ."quoted key", or [0]; ` +
    "pipes, filters, and functions aren't supported; quote keys with special characters"
  );
}
