import { acceptVersion } from './accept-version.ts';
import type { DocumentTree } from './document-tree.ts';
import { failure, type ParseResult } from './parse-result.ts';
import { formatPath, type PathStep } from './path-expression.ts';
import { quote } from './quote.ts';

export interface PathWalkResult {
  /** Number of steps that could be followed. If all steps could be followed, the path exists. */
  taken: number;
  hasPath: boolean;
  result: ParseResult;
}

/**
 * Follows the path from the root of a document. A scalar at the end of the path is the version. Any other
 * node at the end is a failure, with a description of the node.
 */
export function walkPath(root: DocumentTree, steps: readonly PathStep[]): PathWalkResult {
  let node = root;
  for (const [taken, step] of steps.entries()) {
    const here = formatPath(steps.slice(0, taken));
    const stop = (message: string): PathWalkResult => ({
      taken,
      hasPath: false,
      result: failure(here, `at ${here}: ${message}`),
    });
    if (node.kind === 'broken') return stop(node.message);
    if ('key' in step) {
      if (node.kind !== 'map') {
        const hint = node.kind === 'list' && node.length > 0 ? '; use an index, such as [0]' : '';
        return stop(`found ${describeTree(node)}, expected a map with key ${quote(step.key)}${hint}`);
      }
      const next = node.get(step.key);
      if (!next) return stop(`found no key ${quote(step.key)} in ${describeTree(node)}`);
      node = next;
    } else {
      if (node.kind !== 'list')
        return stop(`found ${describeTree(node)}, expected a list with item [${step.index}]`);
      const next = node.at(step.index);
      if (!next) return stop(`found no item [${step.index}] in ${describeTree(node)}`);
      node = next;
    }
  }
  return { taken: steps.length, hasPath: true, result: toVersion(node, formatPath(steps)) };
}

function toVersion(node: DocumentTree, here: string): ParseResult {
  if (node.kind === 'scalar') return acceptVersion(node.text, here);
  if (node.kind === 'broken') return failure(here, `at ${here}: ${node.message}`);
  return failure(here, `at ${here}: found ${describeTree(node)}, expected a single value`);
}

/**
 * Describes a node, for example `a list of 3 items`, `a map with the keys a, b (and 4 more)`, `null`, or `the
 * text "1.2"`.
 */
function describeTree(node: DocumentTree): string {
  switch (node.kind) {
    case 'map': {
      const keys = node.keys();
      if (keys.length === 0) return 'an empty map';
      const shown = keys.slice(0, 10).map((key) => (/^[\w./-]{1,40}$/.test(key) ? key : quote(key)));
      const more = keys.length > 10 ? ` (and ${keys.length - 10} more)` : '';
      return `a map with the ${keys.length === 1 ? 'key' : 'keys'} ${shown.join(', ')}${more}`;
    }
    case 'list':
      return node.length === 0
        ? 'an empty list'
        : `a list of ${node.length} ${node.length === 1 ? 'item' : 'items'}`;
    case 'scalar':
      return node.text === '' ? 'an empty text' : `the text ${quote(node.text)}`;
    case 'null':
      return 'null';
    case 'broken':
      return node.message;
  }
}
