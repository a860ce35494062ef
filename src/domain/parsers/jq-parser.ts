import { checkContent } from './content-limits.ts';
import { failure } from './parse-result.ts';
import { type PathExpression, parsePathExpression } from './path-expression.ts';
import { readJson } from './read-json.ts';
import type { VersionParser } from './version-parser.ts';
import { walkPath } from './walk-path.ts';

/** Reads a version from JSON by dotted keys. */
export const jqParser: VersionParser = {
  id: 'jq',
  description: 'JSON with dotted keys, such as .app.version or ."key.with.dots". No list items or filters.',
  readsFile: true,

  checkExpression(expression) {
    const path = parseKeys(expression);
    return path.ok ? { ok: true } : path;
  },

  parse(content, expression) {
    const path = parseKeys(expression);
    if (!path.ok) return failure('expression', path.message);
    const unreadable = checkContent(content);
    if (unreadable) return unreadable;
    const json = readJson(content);
    return json.ok ? walkPath(json.tree, path.steps).result : json;
  },
};

function parseKeys(expression: string): PathExpression {
  const path = parsePathExpression(expression);
  if (!path.ok || path.steps.every((step) => 'key' in step)) return path;
  const position = Math.max(0, expression.search(/\[\d/));
  return {
    ok: false,
    message: 'the jq parser supports dotted keys only. Use the yq parser for list items; it also reads JSON',
    position,
  };
}
