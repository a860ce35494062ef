import { maxDepth } from '../parsers/content-limits.ts';
import type { DocumentTree } from '../parsers/document-tree.ts';
import { textAt } from './read-documents.ts';
import { maxVisitedValues } from './scan-limits.ts';

/**
 * Maximum number of characters of a key in a path, and of the entire path. Without these limits, a file of
 * 500 KiB can have thousands of paths of 20 KiB.
 */
const maxNameLength = 200;
const maxFieldLength = 1_000;

/** A value and its path of names, such as `spec.containers[web].image`. */
export interface VisitedNode {
  node: DocumentTree;
  field: string;
  /** Key of the value. For a list entry, the key of the list. */
  key: string;
}

/**
 * Visits every value in document order. Skips the content of a value if `visit` returns false. The number of
 * visits is limited, because aliases can repeat values endlessly.
 *
 * @returns False if the limit was reached.
 */
export function walkTree(root: DocumentTree, visit: (visited: VisitedNode) => boolean): boolean {
  let left = maxVisitedValues;
  const enter = (visited: VisitedNode, depth: number): boolean => {
    if (left-- <= 0 || depth > maxDepth) return false;
    if (!visit(visited)) return true;
    const { node, field, key } = visited;
    if (node.kind === 'map') {
      for (const [written, value] of node.entries()) {
        // Skip the merge key, because the entries of a map already include those of merged maps.
        if (written === '<<' && (value.kind === 'map' || value.kind === 'list')) continue;
        const name = written.slice(0, maxNameLength);
        const path = field === '' ? name : `${field}.${name}`;
        if (!enter({ node: value, field: cut(path), key: name }, depth + 1)) return false;
      }
    } else if (node.kind === 'list') {
      for (let index = 0; index < node.length; index++) {
        const value = node.at(index);
        if (!value) continue;
        const path = `${field}[${entryName(value, index)}]`;
        if (!enter({ node: value, field: cut(path), key }, depth + 1)) return false;
      }
    }
    return true;
  };
  return enter({ node: root, field: '', key: '' }, 0);
}

/** Shortens a long path to its end, because the end distinguishes the values. */
function cut(path: string): string {
  return path.length > maxFieldLength ? path.slice(-maxFieldLength) : path;
}

/**
 * Returns the name, ID, or index of a list entry. A path with names or IDs stays the same when entries are
 * added above.
 */
export function entryName(entry: DocumentTree, index: number): string {
  return (textAt(entry, 'name') ?? textAt(entry, 'id') ?? String(index)).slice(0, maxNameLength);
}
