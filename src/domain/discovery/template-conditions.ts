/** Matches an action of a template that opens or closes a block, or begins another branch. */
const action = /\{\{-?\s*(if|else|end|range|with|define|block)\b([^{}]*)\}\}/g;

/** Paths of values that must be true for a part of a template. Null for a block that has another condition. */
type Condition = string[] | null;

/**
 * Follows the conditions in a template of Helm, line by line. Only conditions on values count, such as
 * `{{ if .Values.web.enabled }}` and `{{ if index .Values "apps" "web" }}`, also combined with `and`.
 */
export function createConditionTracker(): { read(line: string): void; current(): string[] } {
  const open: Condition[] = [];
  return {
    read(line) {
      if (!line.includes('{{')) return;
      for (const [, keyword, rest = ''] of line.matchAll(action))
        if (keyword === 'end') open.pop();
        else if (keyword === 'else') {
          if (open.length > 0) open[open.length - 1] = null;
        } else if (open.length < maxDepth) open.push(keyword === 'if' ? pathsOf(rest) : null);
    },
    current: () => [...new Set(open.flatMap((paths) => paths ?? []))],
  };
}

/** Maximum depth of blocks. Real templates have a few levels. */
const maxDepth = 1_000;

/** Returns the paths of the values of which all must be true, or null if the condition has another form. */
function pathsOf(written: string): Condition {
  const text = written.replace(/-$/, '').trim().slice(0, 500);
  const parts = /^and\s/.test(text) ? text.slice(4).match(/\([^()]*\)|[^\s()]+/g) : [text];
  const paths = (parts ?? []).map((part) => pathOf(part.replace(/^\((.*)\)$/, '$1').trim()));
  return paths.every((path) => path !== null) ? paths : null;
}

function pathOf(text: string): string | null {
  const direct = /^\$?\.Values\.([\w.-]+)$/.exec(text)?.[1];
  if (direct !== undefined) return direct;
  const keys = /^index\s+\$?\.Values((?:\s+"[\w-]+")+)$/.exec(text)?.[1];
  if (keys !== undefined) return [...keys.matchAll(/"([\w-]+)"/g)].map(([, key]) => key).join('.');
  const [, path, key] = /^index\s+\$?\.Values\.([\w.-]+)\s+"([\w-]+)"$/.exec(text) ?? [];
  return path === undefined ? null : `${path}.${key}`;
}
